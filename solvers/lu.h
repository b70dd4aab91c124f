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

/* Pattern in compressed columns: start (n + 1), row (sorted in each column); copied. Values are start[n] numbers, for a
 * complex matrix pairs of real and imaginary parts. SEAM_NO_MEMORY; SEAM_SINGULAR when the reference is singular. */
seam_status seam_lu_create(int n, const int *start, const int *row, bool is_complex, double *reference,
                           seam_lu **created, seam_error *error);
void seam_lu_destroy(seam_lu *lu);

/* SEAM_SINGULAR: the matrix is singular or not finite; SEAM_NO_MEMORY. Allocates only where the reference's pivots do
 * not fit. */
seam_status seam_lu_factor(seam_lu *lu, double *value);
/* The same of the Newton matrix of an integrator at time t, with a message. */
seam_status seam_lu_factor_newton(seam_lu *lu, double *value, double t, seam_error *error);
/* b (n, or n pairs) becomes x. */
void seam_lu_solve(seam_lu *lu, double *b);

#endif
