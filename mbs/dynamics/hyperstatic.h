/* Reactions and contact forces of least norm, for mechanisms whose motion does not determine them uniquely. */
#ifndef MBS_HYPERSTATIC_H
#define MBS_HYPERSTATIC_H

#include "mbs/model/workspace.h"

/* Replaces multipliers and forces of hard contacts in *state by those of least norm among all that give the same
 * accelerations, and sets state->undetermined. The state must be the last one evaluated in the workspace. */
void mbs_reduce_to_least_norm(mbs_workspace *ws, mbs_state *state);

/* Replaces the multipliers lambda (m) by those that give the same forces with the least sum of squares. The workspace
 * must have G and the factors of S. */
void mbs_least_norm(mbs_workspace *ws, double *lambda);

#endif
