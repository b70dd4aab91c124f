/* Extrapolates the motion through a singular configuration, such as a flat parallelogram, along its smooth branch. */
#ifndef MBS_CROSSING_H
#define MBS_CROSSING_H

#include <stdbool.h>

#include "mbs/model/workspace.h"

typedef struct mbs_crossing mbs_crossing;

/* Evaluations use `ws`; rtol and atol are the tolerances of the run. SEAM_NO_MEMORY. */
seam_status mbs_crossing_create(mbs_workspace *ws, double rtol, double atol, mbs_crossing **created, seam_error *error);
void mbs_crossing_destroy(mbs_crossing *self);

/* Returns true if S = G M⁻¹ Gᵀ, with its factors in the workspace, is so close to singular that a check is needed. */
bool mbs_crossing_is_close(const mbs_crossing *self);

/* Returns SEAM_BECAME_SINGULAR if a step of length h, s, from *state leads through a singular configuration. The caller
 * must not take this step. *state must satisfy the constraints, and the workspace must have factors of S at *state or
 * close to it. If the extrapolation is accepted and ends before `latest`, mbs_crossing_end() is later than state->t,
 * and *error is not written. Otherwise *error names the joint. */
seam_status mbs_crossing_check(mbs_crossing *self, const mbs_state *state, double h, double latest, seam_error *error);

/* Returns the time at which the extrapolation that mbs_crossing_check() accepted ends; otherwise negative infinity. */
double mbs_crossing_end(const mbs_crossing *self);
/* Returns the name of the joint whose constraint depends on others in the singular configuration found last. */
const char *mbs_crossing_joint(const mbs_crossing *self);
/* Fills *state, with a and lambda, from the extrapolation at t; for t after mbs_crossing_end(), gives the state at this
 * end. t must not be before the state that mbs_crossing_check() examined last. */
void mbs_crossing_state(const mbs_crossing *self, double t, mbs_state *state);

#endif
