/* Passing a singular configuration, such as the flat parallelogram, on the branch that the velocity continues. */
#ifndef MBS_CROSSING_H
#define MBS_CROSSING_H

#include <stdbool.h>

#include "mbs/model/workspace.h"

typedef struct mbs_crossing mbs_crossing;

/* Works in `ws`; tolerances are those of the run. SEAM_NO_MEMORY. */
seam_status mbs_crossing_create(mbs_workspace *ws, double rtol, double atol, mbs_crossing **created, seam_error *error);
void mbs_crossing_destroy(mbs_crossing *self);

/* Returns true if S, factorised in the workspace, is so close to singular that mbs_crossing_check() is needed. */
bool mbs_crossing_is_close(const mbs_crossing *self);

/* Examines the motion ahead of *state, as far as a step of up to h may lead; *state is consistent, and S factorised
 * near it. SEAM_OK: go on. SEAM_BECAME_SINGULAR: the motion goes into a singular configuration. If this can be passed
 * before the time `latest`, *error is untouched and mbs_crossing_end() > state->t; if not, *error names the joint. */
seam_status mbs_crossing_check(mbs_crossing *self, const mbs_state *state, double h, double latest, seam_error *error);

/* Returns the time at which the configuration is regular again; negative infinity: there is nothing to pass. */
double mbs_crossing_end(const mbs_crossing *self);
/* Returns the name of the joint whose constraint depends on others on the way. */
const char *mbs_crossing_joint(const mbs_crossing *self);
/* Fills the state, with a and lambda, at time t between the state of the last check and the end. */
void mbs_crossing_state(const mbs_crossing *self, double t, mbs_state *state);

#endif
