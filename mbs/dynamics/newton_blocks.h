/* Divides Newton matrices, of the stabilised index-2 form (mbs/dynamics/ggl.h) and of the index-1 form
 * (mbs/dynamics/newton.h), into blocks that can be eliminated in a fixed sequence, without a search for pivots. There
 * is one block for each body, each joint and each single unknown, such as a state.
 *
 * In short steps of length h the block of a body, c² M - c ∂Q/∂v - ∂Q/∂q with c ~ 1/h, is definite. The block of a
 * joint, its multipliers, is eliminated after the bodies that it joins; by then it has become G (...)⁻¹ Gᵀ, with
 * independent constraints. Joints that hang on a hub, a body with many joints (mbs/model/hubs.h), are eliminated before
 * this body. */
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

/* Returns true if the model's equations have blocks that can be eliminated in a fixed sequence: it has no hard contact,
 * no joint with hard friction, no prescribed acceleration, and each joint has a constraint. */
bool mbs_has_newton_blocks(const mbs_model *model);
/* The first function finds the blocks for the pattern of ∂f/∂y in index-2 form, the second for the matrix of the
 * index-1 form in (δv, η, single unknowns). SEAM_NO_MEMORY; destroy the blocks even after a failure. */
seam_status mbs_ggl_blocks_create(const mbs_model *model, const seam_pattern *jacobian, mbs_newton_blocks *blocks,
                                  seam_error *error);
seam_status mbs_index1_blocks_create(const mbs_model *model, const seam_pattern *matrix, mbs_newton_blocks *blocks,
                                     seam_error *error);
void mbs_newton_blocks_destroy(mbs_newton_blocks *blocks);

#endif
