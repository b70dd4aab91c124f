/* Least-squares solutions of least norm of dense systems of unknown rank, with rows and columns of any units. */
#ifndef SOLVERS_PSEUDOINVERSE_H
#define SOLVERS_PSEUDOINVERSE_H

#include <stdbool.h>

#include <seam/status.h>

/* A = R⁻¹ U S Vᵀ C⁻¹. R (`row`) and C (`column`) are diagonal; U S Vᵀ is the singular value decomposition of R A C. R
 * and C make the largest entry of each row and column of R A C about 1 (Ruiz: A scaling algorithm to equilibrate both
 * rows and columns norms in matrices, RAL-TR-2001-034). A row or column of zeros stays zero. Singular values below
 * 1e-10 of the largest one count as zero. */
typedef struct seam_pseudoinverse {
  int m, n;  /* numbers of rows (of the present A) and of columns */
  double *A; /* (m x n) column by column: input, then scratch */
  double *row, *column;
  double *U, *S, *Vt; /* (m x k), (k) descending, (k x n) with k = min(m, n) */
  int rank;
} seam_pseudoinverse;

/* Allocates memory for m rows and n columns; false: there is none. Call seam_pseudoinverse_free() in both cases. */
bool seam_pseudoinverse_create(seam_pseudoinverse *self, int m, int n);
void seam_pseudoinverse_free(seam_pseudoinverse *self);

/* Factorises the first m rows of self->A, which are stored with m entries a column; m is at most the m of
 * seam_pseudoinverse_create(). Fails with SEAM_NO_MEMORY or SEAM_NOT_CONVERGED (also if A is not finite). */
seam_status seam_pseudoinverse_factor(seam_pseudoinverse *self, int m, seam_error *error);

/* Writes the x (n) that minimises the residual |R (A x - b)| and, of all these, has the least |C⁻¹ x|; b (m). */
void seam_pseudoinverse_solve(const seam_pseudoinverse *self, const double *b, double *x);

#endif
