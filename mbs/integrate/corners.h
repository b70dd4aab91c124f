/* Corners of laws, equations and measures. The argument of a table or condition is a quantity of the mechanism; when it
 * passes a knot of the table or a bound of the condition, the equations are not smooth. Integrators end a step there,
 * as at switches of modes, so that steps skip no piece of a law, however short. */
#ifndef MBS_CORNERS_H
#define MBS_CORNERS_H

#include "mbs/output/readout.h"

/* A function with corners: of the quantities in `inputs`, or of one coordinate of a force element and its rate. */
typedef struct mbs_corner_source {
  const mbs_readout *inputs; /* NULL: the function is the elastic law of `force` */
  const mbs_function *function;
  const mbs_force *force;
  int coordinate;      /* of `force` */
  const char *name;    /* of the element, for messages */
  bool follows_forces; /* its inputs depend on accelerations or multipliers */
  bool has_rates;      /* rates of its inputs are known, except those of velocities */
  int first, n;        /* number of its first corner, and number of corners */
} mbs_corner_source;

typedef struct mbs_corners {
  mbs_corner_source *source; /* (n) */
  int n, n_corners;
  double *x, *dx;  /* values and rates of the inputs of one source */
  double *unknown; /* NaN, in place of unknown changes of a direction */
} mbs_corners;

/* SEAM_NO_MEMORY. */
seam_status mbs_corners_create(const mbs_model *model, mbs_corners *made);
void mbs_corners_release(mbs_corners *self);

/* Reads the corners (n) of one source; frames must be in the workspace. has_forces: state->a, forces and constraints
 * are known, too, as a source with follows_forces requires. */
void mbs_corners_read(const mbs_corners *self, const mbs_corner_source *source, mbs_workspace *ws,
                      const mbs_state *state, bool has_forces, seam_corner *corners);

#endif
