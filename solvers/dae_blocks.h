/* Newton matrices E = c B - J, J = ∂f/∂y, of one DAE for any c, real or complex, by blocks.
 *
 * Equations q' = v + ... whose rows of E are -1 at v give δv by the other unknowns; what is left is
 *
 *   R = R_0 + c R_1 + c² R_2,
 *
 * with matrices that follow from J alone. Unknown q and the equation of v stay as one. */
#ifndef SOLVERS_DAE_BLOCKS_H
#define SOLVERS_DAE_BLOCKS_H

#include <stdbool.h>

#include "solvers/dae.h"

typedef struct seam_dae_blocks seam_dae_blocks;
typedef struct seam_dae_factors seam_dae_factors;

/* Plans the factors for dae->blocks, which may not be NULL; the dae is borrowed. SEAM_NO_MEMORY. */
seam_status seam_dae_blocks_create(const seam_dae *dae, seam_dae_blocks **created, seam_error *error);
void seam_dae_blocks_destroy(seam_dae_blocks *self);
/* Multiplications of one real factorisation. */
double seam_dae_blocks_cost(const seam_dae_blocks *self);

/* Takes J (start[n]), which is borrowed until the next one. */
void seam_dae_blocks_take(seam_dae_blocks *self, const double *J);

/* Factors for one c of what was taken last. NULL: no memory. */
seam_dae_factors *seam_dae_factors_create(seam_dae_blocks *blocks, bool is_complex);
void seam_dae_factors_destroy(seam_dae_factors *self);
/* False: these pivots do not carry. */
bool seam_dae_factors_make(seam_dae_factors *self, double c, double c_im);
/* b (n, or n pairs) becomes the solution. */
void seam_dae_factors_solve(seam_dae_factors *self, double *b);

#endif
