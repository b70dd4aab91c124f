/* Corners of laws, equations and measures: the equations are not smooth when an argument of a table or condition, a
 * quantity of the mechanism, passes a knot or a bound. Integrators end a step there, as at switches, so that they miss
 * no piece of a law, however short. */
#ifndef MBS_CORNERS_H
#define MBS_CORNERS_H

#include "mbs/output/readout.h"

/* A function with corners, of the quantities in `inputs`, or of the stretch and its rate in an element. */
typedef struct mbs_corner_source {
  const mbs_readout *inputs; /* NULL: stretch and rate of `force` */
  const mbs_function *function;
  const mbs_force *force;
  int coordinate;
  const char *name;
  bool follows_forces;
  bool has_rates; /* rates of its inputs are known, except those of velocities */
  int first, n;   /* numbers of its corners */
} mbs_corner_source;

typedef struct mbs_corners {
  mbs_corner_source *source; /* (n) */
  int n, n_corners;
  double *x, *dx; /* values and rates of the inputs of one source */
  double *unknown;
} mbs_corners;

/* SEAM_NO_MEMORY. */
seam_status mbs_corners_create(const mbs_model *model, mbs_corners *made);
void mbs_corners_release(mbs_corners *self);

/* Reads the corners of one source; frames are in the workspace. has_forces: a, forces and constraints are there too, as
 * a source that follows forces requires. */
void mbs_corners_read(const mbs_corners *self, const mbs_corner_source *source, mbs_workspace *ws,
                      const mbs_state *state, bool has_forces, seam_corner *corners);

#endif
