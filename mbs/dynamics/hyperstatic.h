/* Least-norm reactions and contact forces, if the motion does not determine them. */
#ifndef MBS_HYPERSTATIC_H
#define MBS_HYPERSTATIC_H

#include "mbs/model/workspace.h"

/* Replaces multipliers and forces of hard contacts by those of least norm among all that give the same accelerations,
 * and sets state->undetermined. An evaluation of the state is at hand. */
void mbs_reduce_to_least_norm(mbs_workspace *ws, mbs_state *state);

/* Replaces multipliers (m) by those that give the same forces with the least sum of squares. Uses the factors at hand.
 */
void mbs_least_norm(mbs_workspace *ws, double *lambda);

#endif
