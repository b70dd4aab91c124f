/* Small dense systems. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/dense.h"

/* Numbers that repeat, within -1 and 1; two in three are zero. */
static double number(unsigned *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  const double x = (double)(*seed >> 8) / 8388608 - 1;
  return fabs(x) < 0.66 ? 0 : x;
}

Test(dense, solutions_have_no_residual) {
  enum { MOST = 40 };
  unsigned seed = 7;
  for (int n = 1; n <= MOST; n++) {
    double A[MOST * MOST];
    double factors[MOST * MOST];
    double b[MOST];
    double x[MOST];
    int pivot[MOST];
    for (int i = 0; i < n * n; i++)
      A[i] = number(&seed) + (i % (n + 1) == n / 2 ? 3 : 0);
    for (int i = 0; i < n; i++)
      x[i] = b[i] = number(&seed);
    memcpy(factors, A, sizeof A);
    if (!seam_dense_factor(n, factors, pivot))
      continue;
    seam_dense_solve(n, factors, pivot, x);
    for (int i = 0; i < n; i++) {
      double left = -b[i];
      double size = 1;
      for (int j = 0; j < n; j++) {
        left += A[i + j * n] * x[j];
        size += fabs(A[i + j * n] * x[j]);
      }
      cr_expect_float_eq(left, 0, 1e-13 * size, "%d: %g", n, left);
    }
  }
}

/* Rows are exchanged: the largest of a column is its pivot. */
Test(dense, zeros_on_the_diagonal_are_no_pivots) {
  double A[9] = {0, 2, 1, 0, 0, 4, 3, 0, 0};
  double b[3] = {3, 2, 5};
  int pivot[3];
  cr_assert(seam_dense_factor(3, A, pivot));
  cr_expect_eq(pivot[0], 2);
  seam_dense_solve(3, A, pivot, b);
  cr_expect_float_eq(b[0], 1, 1e-15);
  cr_expect_float_eq(b[1], 1, 1e-15);
  cr_expect_float_eq(b[2], 1, 1e-15);
}

Test(dense, singular_and_infinite_matrices_are_refused) {
  double singular[4] = {1, 2, 2, 4};
  double infinite[4] = {1, INFINITY, 2, 4};
  double unknown[4] = {NAN, NAN, 2, 4};
  int pivot[2];
  cr_expect_not(seam_dense_factor(2, singular, pivot));
  cr_expect_not(seam_dense_factor(2, infinite, pivot));
  cr_expect_not(seam_dense_factor(2, unknown, pivot));
  cr_expect(seam_dense_factor(0, NULL, NULL));
}
