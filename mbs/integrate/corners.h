/* Corners of laws of quantities, equations of variables, and measures. Their argument, for example that of a table or a
 * condition, is a quantity of the mechanism. Where it passes a knot of the table or a bound of the condition, the
 * equations are not smooth. Integrators end a step there, as at ends of modes, so that steps skip no piece of a law,
 * however short. */
#ifndef MBS_CORNERS_H
#define MBS_CORNERS_H

#include "mbs/output/readout.h"

/* A function with corners. Its arguments are the quantities in `inputs` or, for the elastic law of a force element, one
 * coordinate of the element and the rate of this coordinate. */
typedef struct mbs_corner_source {
  const mbs_readout *inputs; /* NULL: the function is the elastic law of `force` */
  const mbs_function *function;
  const mbs_force *force;
  int coordinate;      /* of `force` */
  const char *name;    /* of the element, for messages */
  bool follows_forces; /* its inputs depend on accelerations or multipliers */
  bool has_rates;      /* rates of its inputs are known, except rates of velocities */
  int first, n;        /* number of its first corner, and number of corners */
} mbs_corner_source;

typedef struct mbs_corners {
  mbs_corner_source *source; /* (n) */
  int n, n_corners;
  double *x, *dx;  /* values and rates of the inputs of one source */
  double *unknown; /* NaN, for the parts of a direction that are not known, such as accelerations */
} mbs_corners;

/* SEAM_NO_MEMORY. */
seam_status mbs_corners_create(const mbs_model *model, mbs_corners *made);
void mbs_corners_release(mbs_corners *self);

/* Reads the corners (n) of one source at *state, whose frames must be in the workspace. has_forces: state->a and lambda
 * are known, and constraints and forces are in the workspace; a source with follows_forces requires this. */
void mbs_corners_read(const mbs_corners *self, const mbs_corner_source *source, mbs_workspace *ws,
                      const mbs_state *state, bool has_forces, seam_corner *corners);

#endif
