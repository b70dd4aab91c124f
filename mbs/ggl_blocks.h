/* Blocks of the stabilised index-2 form (mbs/ggl.h) whose pivots need not be looked for: bodies, joints, single states.
 *
 * With the step short enough, what a body leaves of its equations, c² M - c ∂Q/∂v - ∂Q/∂q, is definite. A joint, with
 * its λ and μ, follows the bodies that it joins, or precedes a hub on which it hangs (mbs/hubs.h), so that its own
 * block has become G (...)⁻¹ Gᵀ of independent constraints. */
#ifndef MBS_GGL_BLOCKS_H
#define MBS_GGL_BLOCKS_H

#include <stdbool.h>

#include "mbs/workspace.h"
#include "solvers/dae.h"
#include "solvers/pattern.h"

typedef struct mbs_ggl_blocks {
  seam_dae_block_pattern pattern;
  int *of, *gives, *sequence;
} mbs_ggl_blocks;

/* Whether all of the model's equations are of this kind. */
bool mbs_ggl_has_blocks(const mbs_model *model);
/* For the pattern of ∂f/∂y. SEAM_NO_MEMORY; destroy it all the same. */
seam_status mbs_ggl_blocks_create(const mbs_model *model, const seam_pattern *jacobian, mbs_ggl_blocks *blocks,
                                  seam_error *error);
void mbs_ggl_blocks_destroy(mbs_ggl_blocks *blocks);

#endif
