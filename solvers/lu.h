/* Unsymmetric sparse systems A x = b of one fixed pattern, real or complex (KLU).
 *
 * The order of pivots is found once from reference values; a factorisation keeps it, or, where these pivots would lose
 * accuracy, finds its own. Either way it depends on pattern, reference and present values only, so equal values give
 * equal bits. */
#ifndef SOLVERS_LU_H
#define SOLVERS_LU_H

#include <stdbool.h>

#include <seam/status.h>

typedef struct seam_lu seam_lu;

/* Factors of rows and columns that make the entries of a matrix comparable; powers of two round nothing. */
typedef struct seam_lu_scale {
  double *row, *column; /* (n) */
} seam_lu_scale;

/* Pattern in compressed columns: start (n + 1), row (sorted in each column); copied. Values are start[n] numbers, for a
 * complex matrix pairs of real and imaginary parts. The scale, of which the caller keeps the factors as long as this
 * lives, may change before each factorisation; NULL: the largest entry of each row is divided out. SEAM_NO_MEMORY;
 * SEAM_SINGULAR when the reference is singular. */
seam_status seam_lu_create(int n, const int *start, const int *row, bool is_complex, const seam_lu_scale *scale,
                           double *reference, seam_lu **created, seam_error *error);
void seam_lu_destroy(seam_lu *lu);

/* Multiplications of one factorisation of this pattern, if all pivots could lie on the diagonal; negative: no memory.
 */
double seam_lu_least_cost(int n, const int *start, const int *row);

/* Takes the values, which are scaled in place. SEAM_SINGULAR: the matrix is singular or not finite; SEAM_NO_MEMORY.
 * Allocates only where the reference's pivots do not fit. */
seam_status seam_lu_factor(seam_lu *lu, double *value);
/* Factorisation in two parts. The first takes the reference's pivots, whatever accuracy they lose. The test, given the
 * same values as scaled, factorises again where they lose too much (*anew); it takes a fifth of the time. An iteration
 * that converges does not need it: its rate of convergence bounds the error of the factors. */
seam_status seam_lu_factor_untested(seam_lu *lu, double *value);
seam_status seam_lu_test(seam_lu *lu, double *value, bool *anew);
/* The message for the Newton matrix of an integrator at time t. */
seam_status seam_lu_explain(int n, seam_status status, double t, seam_error *error);
/* b (n, or n pairs) becomes x. */
void seam_lu_solve(seam_lu *lu, double *b);

#endif
