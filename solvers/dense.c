/* Gauss's elimination, column by column. Column k is subtracted only from columns with a nonzero entry in row k. */
#include "solvers/dense.h"

#include <math.h>

static void exchange(double *x, int i, int j) {
  const double exchanged = x[i];
  x[i] = x[j];
  x[j] = exchanged;
}

static void subtract(int from, int n, double part, const double *restrict column, double *restrict x) {
  for (int i = from; i < n; i++)
    x[i] -= part * column[i];
}

/* Applies to x the row exchanges and the elimination of the first n_columns columns. */
static void eliminate(int n, const double *A, const int *pivot, int n_columns, double *x) {
  for (int k = 0; k < n_columns; k++)
    exchange(x, k, pivot[k] - 1);
  for (int k = 0; k < n_columns; k++)
    if (x[k] != 0)
      subtract(k + 1, n, x[k], A + k * n, x);
}

bool seam_dense_factor(int n, double *A, int *pivot) {
  for (int j = 0; j < n; j++) {
    double *column = A + j * n;
    eliminate(n, A, pivot, j, column);
    int largest = j;
    for (int i = j + 1; i < n; i++)
      largest = fabs(column[i]) > fabs(column[largest]) ? i : largest;
    if (!(fabs(column[largest]) > 0) || !isfinite(column[largest]))
      return false;
    pivot[j] = largest + 1;
    exchange(column, j, largest);
    for (int k = 0; k < j; k++)
      exchange(A + k * n, j, largest);
    for (int i = j + 1; i < n; i++)
      column[i] /= column[j];
  }
  return true;
}

void seam_dense_solve(int n, const double *A, const int *pivot, double *b) {
  eliminate(n, A, pivot, n, b);
  for (int k = n - 1; k >= 0; k--) {
    b[k] /= A[k + k * n];
    if (b[k] != 0)
      subtract(0, k, b[k], A + k * n, b);
  }
}
