/* Steps of mbs_assemble(): closing the loops, and finding the rank of the constraints. Redundant constraints follow
 * from other constraints in every pose. They are found once for a model, and solutions leave them out. */
#ifndef MBS_ASSEMBLY_H
#define MBS_ASSEMBLY_H

#include "mbs/model/workspace.h"

/* Changes state->q as little as possible until g = 0, on the branch of the initial pose (assembly.c). If there are
 * constraints, the workspace then has the kinematics and constraints of the state. A failure does not change the state.
 * SEAM_NOT_ASSEMBLED: the loops do not close; SEAM_BAD_INPUT: bodies would move too far; SEAM_NO_MEMORY. */
seam_status mbs_close_loops(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Works like mbs_close_loops(), but each change dq of q has the least dqᵀ W⁻¹ dq, W = diag(weight): coordinates of
 * large weight change most. weight (3 + 3 n_bodies): three zeros for the ground, then the entries for q. */
seam_status mbs_close_loops_in(mbs_workspace *ws, const double *weight, mbs_state *state, seam_error *error);

/* Works like mbs_close_loops(), but after a failure state->q is the last pose that was reached on the way to g = 0. */
seam_status mbs_follow_path(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Finds the rank of the Jacobian in the workspace. The zero row of a joint whose hard friction slips counts as
 * independent. Fills dependent (m) with the m - rank constraints that depend on earlier ones. SEAM_NO_MEMORY. */
seam_status mbs_constraint_rank(const mbs_workspace *ws, int *rank, int *dependent, seam_error *error);

/* Fills rank, degrees of freedom and n_redundant of the report, after mbs_close_loops(), and `redundant` (m, may be
 * NULL) as mbs_constraint_rank(). SEAM_SINGULAR: constraints depend on others only at this pose; SEAM_NO_MEMORY. */
seam_status mbs_check_rank(mbs_workspace *ws, mbs_assembly *report, size_t *redundant, seam_error *error);

/* Finds the redundant constraints of the assembled initial configuration. model->redundant receives their numbers.
 * model->cleared receives the indices of the off-diagonal values of S in their rows and columns, which are set to 0.
 * Lists none if the mechanism cannot be assembled or starts singular, as mbs_assemble() reports. SEAM_NO_MEMORY. */
seam_status mbs_find_redundancy(mbs_model *model, seam_error *error);

/* Works like mbs_assemble(), but accepts a redundant constraint whose rate contradicts the others. */
seam_status mbs_assemble_loosely(mbs_workspace *ws, mbs_state *state, mbs_assembly *report, size_t *redundant,
                                 seam_error *error);

#endif
