/* Steps of mbs_assemble() that examine a mechanism. */
#ifndef MBS_ASSEMBLY_H
#define MBS_ASSEMBLY_H

#include "mbs/model/workspace.h"

/* Moves state->q as little as possible until g = 0, on the branch of the start; leaves the workspace at that state.
 * SEAM_NOT_ASSEMBLED names the joint, SEAM_BAD_INPUT too, if the path is too long; both leave the state as it was. */
seam_status mbs_close_loops(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* The same with the least dqᵀ W⁻¹ dq; weight (3 (n + 1)) is W. */
seam_status mbs_close_loops_in(mbs_workspace *ws, const double *weight, mbs_state *state, seam_error *error);

/* The same, but on failure state->q is where the path ends. */
seam_status mbs_follow_path(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Fills rank, degrees of freedom and n_redundant of the report, after mbs_close_loops(); redundant (m, may be NULL)
 * gets the constraints that follow from those before. SEAM_SINGULAR: some follow only at this pose; SEAM_NO_MEMORY. */
seam_status mbs_check_rank(mbs_workspace *ws, mbs_assembly *report, size_t *redundant, seam_error *error);

/* Like mbs_assemble(), but accepts a redundant constraint whose rate contradicts the others. */
seam_status mbs_assemble_loosely(mbs_workspace *ws, mbs_state *state, mbs_assembly *report, size_t *redundant,
                                 seam_error *error);

#endif
