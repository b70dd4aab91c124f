/* Redundant constraints follow from other constraints in every pose. They are found once for a model, and solutions
 * leave them out. */
#ifndef MBS_REDUNDANCY_H
#define MBS_REDUNDANCY_H

#include "mbs/model/workspace.h"

/* Finds the redundant constraints of the assembled initial configuration. model->redundant receives their numbers.
 * model->cleared receives the indices of the off-diagonal values of S in their rows and columns; these values are set
 * to 0. Lists no redundant constraints if the mechanism cannot be assembled or starts in a singular configuration:
 * mbs_assemble() reports the reason. SEAM_NO_MEMORY. */
seam_status mbs_find_redundancy(mbs_model *model, seam_error *error);

/* Finds the rank of the Jacobian in the workspace. A joint with hard friction that does not stick has a zero row in the
 * Jacobian, which counts as independent. dependent (m) receives the numbers of the m - rank constraints that depend on
 * constraints before them. SEAM_NO_MEMORY. */
seam_status mbs_constraint_rank(const mbs_workspace *ws, int *rank, int *dependent, seam_error *error);

#endif
