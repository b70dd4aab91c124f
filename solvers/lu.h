/* Unsymmetric sparse systems A x = b of one fixed pattern, real or complex (KLU).
 *
 * The order of pivots is found once from reference values. A factorisation uses this order, or finds another if these
 * pivots are inaccurate. Equal patterns, references and values give equal bits. */
#ifndef SOLVERS_LU_H
#define SOLVERS_LU_H

#include <stdbool.h>

#include <seam/status.h>

typedef struct seam_lu seam_lu;

/* Factors of rows and columns that make entries comparable: powers of two, which do not round. */
typedef struct seam_lu_scale {
  double *row, *column; /* (n) */
} seam_lu_scale;

/* start (n + 1) and row (sorted in each column) are the pattern in compressed columns; they are copied. Matrices have
 * start[n] values: numbers or, if complex, pairs of real and imaginary parts. The values of `reference` decide the
 * order of pivots; they are scaled in place. The arrays of `scale` must outlive the solver, and may change before each
 * factorisation; NULL: each row is divided by its largest entry. Fails with SEAM_NO_MEMORY, or with SEAM_SINGULAR if
 * the reference is singular. */
seam_status seam_lu_create(int n, const int *start, const int *row, bool is_complex, const seam_lu_scale *scale,
                           double *reference, seam_lu **created, seam_error *error);
void seam_lu_destroy(seam_lu *lu);

/* Returns the number of multiplications of a factorisation with all pivots on the diagonal; negative: no memory. */
double seam_lu_least_cost(int n, const int *start, const int *row);

/* Scales the values in place and factorises. Returns SEAM_SINGULAR if the matrix is singular or not finite. Allocates
 * memory only if the reference's pivots cannot be used; may then return SEAM_NO_MEMORY. */
seam_status seam_lu_factor(seam_lu *lu, double *value);
/* seam_lu_factor() in two parts. seam_lu_factor_untested() uses the reference's pivots, unless one is zero or not
 * finite. It scales the values, which seam_lu_test() then needs. If the reference's pivots are too inaccurate,
 * seam_lu_test() chooses others, factorises again and sets *replaced to true; else to false. The test takes a fifth of
 * the total time. Iterations that converge need none: their rate of convergence bounds the error of the factors. */
seam_status seam_lu_factor_untested(seam_lu *lu, double *value);
seam_status seam_lu_test(seam_lu *lu, double *value, bool *replaced);
/* Solves A x = b: replaces b (n numbers, or n complex pairs) by x. */
void seam_lu_solve(seam_lu *lu, double *b);

#endif
