/* Small dense systems A x = b of dozens of unknowns, with many zeros, which LAPACK takes several times as long for. */
#ifndef SOLVERS_DENSE_H
#define SOLVERS_DENSE_H

#include <stdbool.h>

/* A (n x n, column by column) becomes its factors with pivots by rows, as of LAPACK's dgetrf(): row i was exchanged
 * with pivot[i] - 1. False: a pivot is zero or not finite. */
bool seam_dense_factor(int n, double *A, int *pivot);
/* b (n) becomes x. */
void seam_dense_solve(int n, const double *A, const int *pivot, double *b);

#endif
