/* Corners of laws of quantities, equations of variables, measures, and conditions of events. Such a function may
 * contain a table or a condition whose argument depends on the motion. It has a corner where the argument passes a knot
 * of the table or a bound of the condition. Integrators end a step there, as at a switch of a mode, so that a step
 * cannot skip a short interval between two corners. */
#ifndef MBS_CORNERS_H
#define MBS_CORNERS_H

#include "mbs/output/readout.h"

/* A function with corners. Either it reads the quantities in `inputs`, or it is the elastic law of a force element and
 * reads one coordinate of this element and the coordinate's rate. */
typedef struct mbs_corner_source {
  const mbs_readout *inputs; /* NULL: the function is the elastic law of `force` */
  const mbs_function *function;
  const mbs_force *force;
  int coordinate;    /* number of the coordinate among those of `force` */
  const char *name;  /* name of the element or law, for messages */
  bool reads_forces; /* the inputs depend on accelerations or multipliers */
  bool has_rates;    /* rates of inputs are computed; those that need an unknown a or z' are NaN */
  int first, n;      /* number of the first corner among those of all sources; number of corners */
} mbs_corner_source;

typedef struct mbs_corners {
  mbs_corner_source *source; /* (n) */
  int n, n_corners;
  double *x, *dx;  /* values and rates of the inputs of one source */
  double *unknown; /* NaN, for unknown rates, such as accelerations */
} mbs_corners;

/* acting == NULL: lists the functions that act on the motion. Otherwise `acting` has these, and the list has the other
 * watched functions. SEAM_NO_MEMORY. */
seam_status mbs_corners_create(const mbs_model *model, const mbs_corners *acting, mbs_corners *created);
void mbs_corners_release(mbs_corners *self);

/* Reads the corners (n) of one source at *state, whose frames must be in the workspace. has_forces: state->a and lambda
 * are known, and the workspace has constraints and forces, as sources with reads_forces require. */
void mbs_corners_read(const mbs_corners *self, const mbs_corner_source *source, mbs_workspace *ws,
                      const mbs_state *state, bool has_forces, seam_corner *corners);

#endif
