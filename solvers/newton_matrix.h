/* The Newton matrix E = c B - ∂f/∂y of an implicit integrator, c real or complex: by blocks where the equations name
 * them, by pivots found from numbers (lu.h) where they do not, where that costs less, or where blocks lose accuracy.
 *
 * What is done depends on the equations and on the present matrix only, so equal values give equal bits. */
#ifndef SOLVERS_NEWTON_MATRIX_H
#define SOLVERS_NEWTON_MATRIX_H

#include "solvers/dae_blocks.h"

typedef struct seam_newton_matrix seam_newton_matrix;

/* blocks: NULL, or of the same dae, and shared. J (start[n]): at the reference state, with a c in the middle of what is
 * usual. SEAM_NO_MEMORY, SEAM_SINGULAR. */
seam_status seam_newton_matrix_create(const seam_dae *dae, seam_dae_blocks *blocks, bool is_complex, const double *J,
                                      double c, double c_im, seam_newton_matrix **created, seam_error *error);
void seam_newton_matrix_destroy(seam_newton_matrix *self);

/* Factors for J, which `blocks` has taken, whatever accuracy they lose. SEAM_SINGULAR, SEAM_NO_MEMORY. */
seam_status seam_newton_matrix_factor(seam_newton_matrix *self, const double *J, double c, double c_im);
/* Factorises anew where the last factors, of the same J, have lost too much. An iteration that converges does not need
 * it: its rate of convergence bounds the error of the factors. */
seam_status seam_newton_matrix_test(seam_newton_matrix *self, const double *J, bool *anew);
/* Returns true if the last factors are by blocks. */
bool seam_newton_matrix_is_by_blocks(const seam_newton_matrix *self);
/* The message for a status at time t. */
seam_status seam_newton_matrix_explain(const seam_newton_matrix *self, seam_status status, double t, seam_error *error);
/* b (n, or n pairs) becomes x. */
void seam_newton_matrix_solve(seam_newton_matrix *self, double *b);

#endif
