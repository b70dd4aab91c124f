/* Divides the Newton matrices of the stabilised index-2 form (ggl.h) and of the index-1 form (newton.h) into blocks,
 * which can be eliminated in a fixed sequence, without a search for pivots. Each body, each joint and each single
 * unknown, such as a state z, has a block.
 *
 * In short steps of length h the block of a body, B ~ M/h² - (∂Q/∂v)/h - ∂Q/∂q, is positive definite. The block of a
 * joint has its multipliers and is eliminated after the joint's two bodies. By then it has become G B⁻¹ Gᵀ, which is
 * regular since the constraints are independent. A hub is a body with many joints (mbs/model/hubs.h); joints that hang
 * on a hub are eliminated before the hub. */
#ifndef MBS_NEWTON_BLOCKS_H
#define MBS_NEWTON_BLOCKS_H

#include <stdbool.h>

#include "mbs/model/workspace.h"
#include "solvers/dae.h"
#include "solvers/pattern.h"

typedef struct mbs_newton_blocks {
  seam_dae_block_pattern pattern;
  int *of, *velocity_of, *sequence;
} mbs_newton_blocks;

/* Returns false if a contact or friction is hard, a joint has no constraint, or accelerations are prescribed: a matrix
 * without this pattern. */
bool mbs_has_newton_blocks(const mbs_model *model);
/* Finds the blocks of a matrix with this pattern. Each coordinate of a body and each constraint has `levels` unknowns;
 * single unknowns follow. levels = 2: ∂f/∂y of ggl.c, with positions and velocities, λ and μ. levels = 1: the matrix of
 * newton.c in δv and η. Call mbs_newton_blocks_destroy() even after a failure. SEAM_NO_MEMORY. */
seam_status mbs_newton_blocks_create(const mbs_model *model, const seam_pattern *matrix, int levels,
                                     mbs_newton_blocks *blocks, seam_error *error);
void mbs_newton_blocks_destroy(mbs_newton_blocks *blocks);

#endif
