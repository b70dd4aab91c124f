/* Steps of mbs_assemble(), which makes a state consistent: closing the loops, and finding the rank of the constraints.
 * Redundant constraints follow from other constraints in every pose. They are found once for a model, and solutions
 * leave them out. */
#ifndef MBS_ASSEMBLY_H
#define MBS_ASSEMBLY_H

#include "mbs/model/workspace.h"

/* Changes state->q as little as possible until g = 0, on the branch of the initial pose (assembly.c). If there are
 * constraints, the workspace then has the kinematics and constraints of the state. SEAM_NOT_ASSEMBLED: the loops do not
 * close; SEAM_BAD_INPUT: the bodies would have to move too far. Both messages name the joint. SEAM_NO_MEMORY. After any
 * failure the state is not changed. */
seam_status mbs_close_loops(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Works like mbs_close_loops(), but each change dq of q has the least dqᵀ W⁻¹ dq, W = diag(weight): coordinates of
 * large weight change most. weight (3 + 3 n_bodies): three zeros for the ground, then the entries for q. */
seam_status mbs_close_loops_in(mbs_workspace *ws, const double *weight, mbs_state *state, seam_error *error);

/* Works like mbs_close_loops(), but after a failure state->q is the last pose that was reached on the way to g = 0. */
seam_status mbs_follow_path(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Finds the rank of the Jacobian in the workspace. A joint with hard friction that does not stick has a zero row in the
 * Jacobian, which counts as independent. dependent (m) receives the numbers of the m - rank constraints that depend on
 * constraints before them. SEAM_NO_MEMORY. */
seam_status mbs_constraint_rank(const mbs_workspace *ws, int *rank, int *dependent, seam_error *error);

/* Fills rank, degrees of freedom and n_redundant of the report, after mbs_close_loops(). redundant (m, may be NULL)
 * receives the numbers of constraints that depend on earlier constraints. SEAM_SINGULAR: some constraints depend on
 * others only at this pose; SEAM_NO_MEMORY. */
seam_status mbs_check_rank(mbs_workspace *ws, mbs_assembly *report, size_t *redundant, seam_error *error);

/* Finds the redundant constraints of the assembled initial configuration. model->redundant receives their numbers.
 * model->cleared receives the indices of the off-diagonal values of S in their rows and columns; these values are set
 * to 0. Lists no redundant constraints if the mechanism cannot be assembled or starts in a singular configuration:
 * mbs_assemble() reports the reason. SEAM_NO_MEMORY. */
seam_status mbs_find_redundancy(mbs_model *model, seam_error *error);

/* Works like mbs_assemble(), but accepts a redundant constraint whose rate contradicts the others. */
seam_status mbs_assemble_loosely(mbs_workspace *ws, mbs_state *state, mbs_assembly *report, size_t *redundant,
                                 seam_error *error);

#endif
