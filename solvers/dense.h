/* Dense systems A x = b of dozens of unknowns with many zeros; LAPACK is several times slower for them. */
#ifndef SOLVERS_DENSE_H
#define SOLVERS_DENSE_H

#include <stdbool.h>

/* Replaces A (n x n, column by column) by its factors with row pivots, as LAPACK's dgetrf(): row i was exchanged with
 * row pivot[i] - 1. Returns false if a pivot is zero or not finite. */
bool seam_dense_factor(int n, double *A, int *pivot);
/* Replaces b (n) by the solution x. */
void seam_dense_solve(int n, const double *A, const int *pivot, double *b);

#endif
