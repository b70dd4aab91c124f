/* The first stages of assembly, used alone to examine a mechanism. */
#ifndef MBS_ASSEMBLY_H
#define MBS_ASSEMBLY_H

#include "mbs/model/workspace.h"

/* Moves state->q as little as possible until g = 0, on the branch it starts on, and leaves the workspace at that state.
 * SEAM_NOT_ASSEMBLED naming the joint, SEAM_BAD_INPUT where the way is too long; the state is left as it was. */
seam_status mbs_close_loops(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* The same, as little as possible in the norm dqᵀ W⁻¹ dq; weight (3 (n + 1)): W. */
seam_status mbs_close_loops_in(mbs_workspace *ws, const double *weight, mbs_state *state, seam_error *error);

/* The same, but on failure state->q is where the path ends. */
seam_status mbs_follow_path(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Fills rank, degrees of freedom and n_redundant of the report, after mbs_close_loops(); redundant (m, may be NULL)
 * gets the constraints that follow from those before them. SEAM_SINGULAR when some do so only here, SEAM_NO_MEMORY. */
seam_status mbs_check_rank(mbs_workspace *ws, mbs_assembly *report, size_t *redundant, seam_error *error);

/* mbs_assemble(), but constraints that follow from others at the pose may ask for other rates. */
seam_status mbs_assemble_loosely(mbs_workspace *ws, mbs_state *state, mbs_assembly *report, size_t *redundant,
                                 seam_error *error);

#endif
