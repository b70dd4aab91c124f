/* Operations on a column of the factors of solvers/ldl.h; the compiler unrolls them for each order of a block. */
#ifndef SOLVERS_LDL_KERNELS_H
#define SOLVERS_LDL_KERNELS_H

#include "base/lanes.h"

/* Factorises A = U d Uᵀ (order x order): replaces the values below the diagonal by U, and sets inverse to 1/d. */
static inline void factor_diagonal(int order, double *A, double *inverse) {
  if (order == 1) {
    inverse[0] = 1 / A[0];
  } else if (order == 2) {
    inverse[0] = 1 / A[0];
    const double u = A[2] * inverse[0];
    inverse[1] = 1 / (A[3] - A[2] * u);
    A[2] = u;
  } else {
    inverse[0] = 1 / A[0];
    const double u1 = A[3] * inverse[0], u2 = A[6] * inverse[0];
    const double b = A[7] - A[6] * u1;
    inverse[1] = 1 / (A[4] - A[3] * u1);
    const double u3 = b * inverse[1];
    inverse[2] = 1 / (A[8] - A[6] * u2 - b * u3);
    A[3] = u1;
    A[6] = u2;
    A[7] = u3;
  }
}

/* Computes Z, and replaces X by L (see ldl.c). */
static inline void scale_rows(int order, const double *U, const double *inverse, int height, double *restrict X,
                              double *restrict Z) {
  for (int i = 0; i < height; i++, X += order, Z += order) {
    Z[0] = X[0];
    if (order > 1)
      Z[1] = X[1] - Z[0] * U[order];
    if (order > 2)
      Z[2] = X[2] - Z[0] * U[6] - Z[1] * U[7];
    for (int k = 0; k < order; k++)
      X[k] = Z[k] * inverse[k];
  }
}

/* Subtracts L Zᵀ from rows of a column; Z: the rows of a block of order `columns`. */
static inline void subtract(int order, int columns, int n_rows, const double *restrict L, const double *restrict Z,
                            double *restrict target) {
  for (int i = 0; i < n_rows; i++, L += order, target += columns)
    for (int j = 0; j < columns; j++) {
      double sum = L[0] * Z[order * j];
      for (int k = 1; k < order; k++)
        sum += L[k] * Z[order * j + k];
      target[j] -= sum;
    }
}

/* Does the work of subtract() for order, columns and n_rows of 2, which joints of a chain have. */
static inline void subtract_square(const double *restrict L, const double *restrict Z, double *restrict target) {
  const seam_lanes first = {Z[0], Z[2]}, second = {Z[1], Z[3]};
  for (int i = 0; i < 2; i++) {
    const seam_lanes sum = seam_lanes_of(L[2 * i]) * first + seam_lanes_of(L[2 * i + 1]) * second;
    seam_lanes_store(target + 2 * i, seam_lanes_load(target + 2 * i) - sum);
  }
}

#endif
