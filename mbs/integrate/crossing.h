/* Passes a singular configuration, such as that of a flat parallelogram, on the branch on which the motion is
 * smooth. */
#ifndef MBS_CROSSING_H
#define MBS_CROSSING_H

#include <stdbool.h>

#include "mbs/model/workspace.h"

typedef struct mbs_crossing mbs_crossing;

/* Evaluations use `ws`; rtol and atol are those of the run. SEAM_NO_MEMORY. */
seam_status mbs_crossing_create(mbs_workspace *ws, double rtol, double atol, mbs_crossing **created, seam_error *error);
void mbs_crossing_destroy(mbs_crossing *self);

/* Returns true if S, factorised in the workspace, is so close to singular that mbs_crossing_check() is needed. */
bool mbs_crossing_is_close(const mbs_crossing *self);

/* Examines the motion ahead of *state, as far as a step of up to h may lead; *state must satisfy the constraints, and S
 * must have been factorised near it. SEAM_OK: the step may be taken. SEAM_BECAME_SINGULAR: the motion leads into a
 * singular configuration. If this can be passed before the time `latest`, mbs_crossing_end() is later than state->t,
 * and *error is not written; otherwise *error names the joint. */
seam_status mbs_crossing_check(mbs_crossing *self, const mbs_state *state, double h, double latest, seam_error *error);

/* Returns the time at which the configuration is regular again; negative infinity: there is nothing to pass. */
double mbs_crossing_end(const mbs_crossing *self);
/* Returns the name of the joint whose constraint depends on others in the singular configuration. */
const char *mbs_crossing_joint(const mbs_crossing *self);
/* Fills the state, with a and lambda, at time t between the state of the last check and the end. */
void mbs_crossing_state(const mbs_crossing *self, double t, mbs_state *state);

#endif
