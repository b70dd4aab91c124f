#include "solvers/pseudoinverse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include "base/vector.h"
#include "solvers/lapack.h"
#include "solvers/thresholds.h"

static int least(int m, int n) { return m < n ? m : n; }

bool seam_pseudoinverse_create(seam_pseudoinverse *self, int m, int n) {
  const size_t rows = (size_t)m, columns = (size_t)n;
  const size_t k = (size_t)least(m, n);
  *self = (seam_pseudoinverse){.m = m, .n = n};
  self->A = calloc(rows * columns + rows + columns + k * (rows + columns + 1) + 1, sizeof *self->A);
  if (self->A == NULL)
    return false;
  self->row = self->A + rows * columns;
  self->column = self->row + rows;
  self->U = self->column + columns;
  self->S = self->U + rows * k;
  self->Vt = self->S + k;
  return true;
}

void seam_pseudoinverse_free(seam_pseudoinverse *self) { free(self->A); }

/* Returns 1/√x, x the largest absolute value of n entries that are `stride` apart; 1 if all are zero. Rows and columns
 * are alternately multiplied by it; their largest entries approach 1. */
static double factor_of(const double *x, int n, int stride) {
  double largest = 0;
  for (int i = 0; i < n; i++)
    largest = fmax(largest, fabs(x[i * stride]));
  return largest > 0 ? 1 / sqrt(largest) : 1;
}

static void equilibrate(seam_pseudoinverse *self) {
  for (int i = 0; i < self->m; i++)
    self->row[i] = 1;
  for (int j = 0; j < self->n; j++)
    self->column[j] = 1;
  for (int pass = 0; pass < SEAM_EQUILIBRATION_PASSES; pass++) {
    for (int i = 0; i < self->m; i++) {
      const double factor = factor_of(self->A + i, self->n, self->m);
      self->row[i] *= factor;
      for (int j = 0; j < self->n; j++)
        self->A[i + j * self->m] *= factor;
    }
    for (int j = 0; j < self->n; j++) {
      const double factor = factor_of(self->A + j * self->m, self->m, 1);
      self->column[j] *= factor;
      for (int i = 0; i < self->m; i++)
        self->A[i + j * self->m] *= factor;
    }
  }
}

seam_status seam_pseudoinverse_factor(seam_pseudoinverse *self, int m, seam_error *error) {
  const int k = least(m, self->n);
  self->m = m;
  self->rank = 0;
  if (k == 0)
    return SEAM_OK;
  if (!finite_all(self->A, m * self->n))
    return seam_fail(error, SEAM_NOT_CONVERGED, "the linearised equations are not finite");
  equilibrate(self);
  const int info = LAPACKE_dgesdd(LAPACK_COL_MAJOR, 'S', m, self->n, self->A, m, self->S, self->U, m, self->Vt, k);
  while (info == 0 && self->rank < k && self->S[self->rank] > seam_singular_value * self->S[0])
    self->rank++;
  return seam_lapack_check(info, SEAM_NOT_CONVERGED, "the singular values of the linearised equations", error);
}

void seam_pseudoinverse_solve(const seam_pseudoinverse *self, const double *b, double *x) {
  const int k = least(self->m, self->n);
  memset(x, 0, (size_t)self->n * sizeof *x);
  for (int l = 0; l < self->rank; l++) {
    double sum = 0;
    for (int i = 0; i < self->m; i++)
      sum += self->U[i + l * self->m] * self->row[i] * b[i];
    for (int j = 0; j < self->n; j++)
      x[j] += self->column[j] * self->Vt[l + j * k] * sum / self->S[l];
  }
}
