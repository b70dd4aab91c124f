/* The Newton matrix E = c B - ∂f/∂y of an implicit integrator, c real or complex. E is factorised by blocks. lu.h, with
 * pivots chosen by value, replaces the blocks if they are missing, cost more, or give singular or inaccurate factors.
 *
 * The choice depends on the equations and the present matrix only. So equal matrices give bitwise equal factors. */
#ifndef SOLVERS_NEWTON_MATRIX_H
#define SOLVERS_NEWTON_MATRIX_H

#include <stdbool.h>

#include "solvers/dae.h"

/* Plan of the factorisations by blocks, and all numbers that depend on J alone. */
typedef struct seam_dae_blocks seam_dae_blocks;
typedef struct seam_newton_matrix seam_newton_matrix;

/* Plans factorisations by dae->blocks (not NULL). *dae must outlive the result. Fails with SEAM_NO_MEMORY. */
seam_status seam_dae_blocks_create(const seam_dae *dae, seam_dae_blocks **created, seam_error *error);
void seam_dae_blocks_destroy(seam_dae_blocks *self);
/* Sets J (start[n]), which must not change until the next call. */
void seam_dae_blocks_set_jacobian(seam_dae_blocks *self, const double *J);

/* blocks: plan for the same dae, which several matrices may share; NULL: none. The order of pivots is
 * chosen for J (start[n]), the Jacobian at the reference state, and a typical value c + i c_im. *dae must outlive the
 * matrix. Fails with SEAM_NO_MEMORY or SEAM_SINGULAR. */
seam_status seam_newton_matrix_create(const seam_dae *dae, seam_dae_blocks *blocks, bool is_complex, const double *J,
                                      double c, double c_im, seam_newton_matrix **created, seam_error *error);
void seam_newton_matrix_destroy(seam_newton_matrix *self);

/* Factorises E for J and c + i c_im, without a test of accuracy. If there are blocks, call
 * seam_dae_blocks_set_jacobian() with the same J before. Returns SEAM_SINGULAR or SEAM_NO_MEMORY on failure. */
seam_status seam_newton_matrix_factor(seam_newton_matrix *self, const double *J, double c, double c_im);
/* Tests the last factors, which must belong to the same J. Replaces inaccurate factors and sets *replaced to true, else
 * to false. Iterations that converge need no test: their rate of convergence bounds the error of the factors. */
seam_status seam_newton_matrix_test(seam_newton_matrix *self, const double *J, bool *replaced);
bool seam_newton_matrix_is_by_blocks(const seam_newton_matrix *self);
/* Writes the message for a factorisation at time t that returned `status`. Returns this status. */
seam_status seam_newton_matrix_explain(const seam_newton_matrix *self, seam_status status, double t, seam_error *error);
/* Solves E x = b: replaces b (n numbers, or n complex pairs) by x. */
void seam_newton_matrix_solve(seam_newton_matrix *self, double *b);

#endif
