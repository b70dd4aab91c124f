/* Newton matrices E = c B - J, J = ∂f/∂y, of one DAE, c real or complex, factorised by blocks.
 *
 * The row of E for an equation q' = v + ... has -1 in the column of v. So this row gives the unknown v of E x = b in
 * terms of other unknowns. Elimination of all these v leaves the matrix
 *
 *   R = R_0 + c R_1 + c² R_2,
 *
 * where R_0, R_1 and R_2 depend on J alone. In R, unknown q is paired with the equation of v. */
#ifndef SOLVERS_DAE_BLOCKS_H
#define SOLVERS_DAE_BLOCKS_H

#include <stdbool.h>

#include "solvers/dae.h"

typedef struct seam_dae_blocks seam_dae_blocks;
typedef struct seam_dae_factors seam_dae_factors;

/* Plans factorisations by dae->blocks, which must not be NULL; *dae must outlive the result. SEAM_NO_MEMORY. */
seam_status seam_dae_blocks_create(const seam_dae *dae, seam_dae_blocks **created, seam_error *error);
void seam_dae_blocks_destroy(seam_dae_blocks *self);
/* Returns the number of multiplications of a real factorisation. */
double seam_dae_blocks_cost(const seam_dae_blocks *self);

/* Sets J (start[n]), which must not change until the next call. */
void seam_dae_blocks_set_jacobian(seam_dae_blocks *self, const double *J);

/* Creates an object for the factors of one E, with the J that was set last. Returns NULL when memory is exhausted. */
seam_dae_factors *seam_dae_factors_create(seam_dae_blocks *blocks, bool is_complex);
void seam_dae_factors_destroy(seam_dae_factors *self);
/* Factorises for c + i c_im. Returns false if a diagonal block is singular. */
bool seam_dae_factors_make(seam_dae_factors *self, double c, double c_im);
/* Replaces b (n numbers, or n complex pairs) by the solution. */
void seam_dae_factors_solve(seam_dae_factors *self, double *b);

#endif
