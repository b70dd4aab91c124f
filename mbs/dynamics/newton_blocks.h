/* Blocks of Newton matrices, of the stabilised index-2 form (mbs/dynamics/ggl.h) and of the index-1 form
 * (mbs/dynamics/newton.h), which need no search for pivots: bodies, joints, single unknowns such as states.
 *
 * In short steps the matrix of a body's equations, c² M - c ∂Q/∂v - ∂Q/∂q, is definite. A joint, with its multipliers,
 * follows the bodies that it joins, or precedes a hub on which it hangs (mbs/model/hubs.h); by then its own block is
 * G (...)⁻¹ Gᵀ of independent constraints. */
#ifndef MBS_NEWTON_BLOCKS_H
#define MBS_NEWTON_BLOCKS_H

#include <stdbool.h>

#include "mbs/model/workspace.h"
#include "solvers/dae.h"
#include "solvers/pattern.h"

typedef struct mbs_newton_blocks {
  seam_dae_block_pattern pattern;
  int *of, *gives, *sequence;
} mbs_newton_blocks;

/* Returns true if the model's equations have such blocks. */
bool mbs_has_newton_blocks(const mbs_model *model);
/* Finds the blocks for the pattern of ∂f/∂y, or, in the index-1 form, of the matrix in (δv, η, single unknowns).
 * SEAM_NO_MEMORY; destroy them even after a failure. */
seam_status mbs_ggl_blocks_create(const mbs_model *model, const seam_pattern *jacobian, mbs_newton_blocks *blocks,
                                  seam_error *error);
seam_status mbs_index1_blocks_create(const mbs_model *model, const seam_pattern *matrix, mbs_newton_blocks *blocks,
                                     seam_error *error);
void mbs_newton_blocks_destroy(mbs_newton_blocks *blocks);

#endif
