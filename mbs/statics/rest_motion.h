/* Response of a mechanism with laws of quantities near a state at rest: its states z follow its pose as those at rest
 * (rest.c), its laws follow both. */
#ifndef MBS_REST_MOTION_H
#define MBS_REST_MOTION_H

#include "mbs/dynamics/linearised.h"

typedef struct mbs_rest_motion mbs_rest_motion;

/* SEAM_NO_MEMORY. */
seam_status mbs_rest_motion_create(const mbs_model *model, mbs_rest_motion **created, seam_error *error);
void mbs_rest_motion_destroy(mbs_rest_motion *self);

/* Right after mbs_accelerate_at_rest() and mbs_linearise(). SEAM_SINGULAR where z has no derivative by the pose. */
seam_status mbs_rest_motion_take(mbs_rest_motion *self, const mbs_linearised *linear, mbs_workspace *ws,
                                 seam_error *error);
/* da (3n): what accelerations change by where the pose does by dq (3n). */
void mbs_rest_motion_along(mbs_rest_motion *self, const mbs_linearised *linear, mbs_workspace *ws, const double *dq,
                           double *da);

#endif
