/* Corners of laws, equations and measures: where an argument of a table or a condition that is a quantity of the
 * mechanism passes a knot or a bound, the equations are not smooth. Integrators end a step there, as at switches, so
 * that no piece of a law is leaped over, however short it is beside a step. */
#ifndef MBS_CORNERS_H
#define MBS_CORNERS_H

#include "mbs/output/readout.h"

/* A function with corners, of the quantities in `inputs`, or of the stretch and its rate in an element. */
typedef struct mbs_corner_source {
  const mbs_readout *inputs; /* NULL: of the element */
  const mbs_function *function;
  const mbs_force *force;
  int measure;
  const char *name;
  bool follows_forces;
  bool has_rates; /* of its inputs, but for those of rates */
  int first, n;   /* corners */
} mbs_corner_source;

typedef struct mbs_corners {
  mbs_corner_source *source; /* (n) */
  int n, n_corners;
  double *x, *dx; /* inputs of one source */
  double *unknown;
} mbs_corners;

/* SEAM_NO_MEMORY. */
seam_status mbs_corners_create(const mbs_model *model, mbs_corners *made);
void mbs_corners_release(mbs_corners *self);

/* Corners of one source; frames are in the workspace, and forces where it follows them. */
void mbs_corners_read(const mbs_corners *self, const mbs_corner_source *source, mbs_workspace *ws,
                      const mbs_state *state, bool has_forces, seam_corner *corners);

#endif
