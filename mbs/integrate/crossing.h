/* Passing a singular configuration, such as the flat pose of a parallelogram, on the branch that the velocity
 * continues.
 */
#ifndef MBS_CROSSING_H
#define MBS_CROSSING_H

#include <stdbool.h>

#include "mbs/model/workspace.h"

typedef struct mbs_crossing mbs_crossing;

/* Works in `ws`; tolerances are those of the run. SEAM_NO_MEMORY. */
seam_status mbs_crossing_create(mbs_workspace *ws, double rtol, double atol, mbs_crossing **created, seam_error *error);
void mbs_crossing_destroy(mbs_crossing *self);

/* Returns true if S, factorised in the workspace, is so close to singular that a look ahead is worth it. */
bool mbs_crossing_is_close(const mbs_crossing *self);

/* Looks ahead of *state, which is consistent and near which S is factorised, as far as a step of up to h may lead.
 * SEAM_OK: go on. SEAM_BECAME_SINGULAR: the motion goes into a singular configuration. Either it can be passed before
 * the time `latest`, then *error is untouched and mbs_crossing_end() > state->t, or not. */
seam_status mbs_crossing_check(mbs_crossing *self, const mbs_state *state, double h, double latest, seam_error *error);

/* Time at which the configuration is regular again; negative infinity: there is nothing to pass. */
double mbs_crossing_end(const mbs_crossing *self);
/* Joint of the constraint that depends on others on the way. */
const char *mbs_crossing_joint(const mbs_crossing *self);
/* The state with a and lambda at time t between the state that was looked from and the end. */
void mbs_crossing_state(const mbs_crossing *self, double t, mbs_state *state);

#endif
