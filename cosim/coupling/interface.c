#include "cosim/coupling/interface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "cosim/thresholds.h"
#include "solvers/lu.h"
#include "solvers/pattern.h"

struct cosim_interface {
  int n;
  seam_pattern pattern;
  double *value;     /* (start[n]) entries of the present matrix */
  double *reference; /* (start[n]) values of the first factorisation, which fixes the order of pivots */
  double *expected;  /* (n) expected size of a row's entries; 0: unknown */
  seam_lu *lu;       /* factors; NULL: the matrix is small, or not factored yet */
  struct {           /* for a matrix of order MAX_DENSE or less */
    double *factors; /* (n x n) factors, row by row; NULL: the matrix is not small */
    double *scale;   /* (n) scales of rows */
    int *pivot;      /* (n) row exchanged with row k in step k */
    bool is_factored;
  } dense;
};

enum { MAX_DENSE = 32 };

cosim_interface *cosim_interface_create(int n) {
  cosim_interface *self = calloc(1, sizeof *self);
  if (self == NULL)
    return NULL;
  self->n = n;
  self->pattern = seam_pattern_create(n);
  self->expected = calloc((size_t)n + 1, sizeof *self->expected);
  if (n <= MAX_DENSE) {
    self->dense.factors = calloc((size_t)(n * (n + 1)) + 1, sizeof *self->dense.factors);
    self->dense.pivot = calloc((size_t)n + 1, sizeof *self->dense.pivot);
    self->dense.scale = self->dense.factors == NULL ? NULL : self->dense.factors + n * n;
  }
  if (self->expected != NULL && (n > MAX_DENSE || (self->dense.factors != NULL && self->dense.pivot != NULL)))
    return self;
  cosim_interface_destroy(self);
  return NULL;
}

void cosim_interface_destroy(cosim_interface *self) {
  if (self == NULL)
    return;
  seam_lu_destroy(self->lu);
  seam_pattern_destroy(&self->pattern);
  free(self->value);
  free(self->reference);
  free(self->expected);
  free(self->dense.factors);
  free(self->dense.pivot);
  free(self);
}

static size_t n_values(const cosim_interface *self) { return (size_t)self->pattern.start[self->n]; }

void cosim_interface_begin(cosim_interface *self) {
  seam_pattern_begin(&self->pattern, self->value);
  memset(self->expected, 0, (size_t)self->n * sizeof *self->expected);
}

void cosim_interface_add(cosim_interface *self, int row, int column, double value) {
  seam_pattern_add(&self->pattern, row, column, value);
}

void cosim_interface_expect(cosim_interface *self, int row, double size) {
  self->expected[row] = fmax(self->expected[row], size);
}

static seam_status singular(seam_error *error) {
  return seam_fail(error, SEAM_SINGULAR,
                   "the coupling conditions do not determine the coupling variables, because the scheme is undefined "
                   "at this macro step, or because a coupling repeats the conditions of others: take another macro "
                   "step or scheme, or remove a coupling");
}

seam_status cosim_interface_end_pattern(cosim_interface *self, seam_error *error) {
  if (seam_pattern_finish(&self->pattern)) {
    self->value = calloc(n_values(self) + 1, sizeof *self->value);
    self->reference = calloc(n_values(self) + 1, sizeof *self->reference);
  }
  if (self->value != NULL && self->reference != NULL)
    return SEAM_OK;
  return seam_fail(error, SEAM_NO_MEMORY, "no memory for an interface of %d unknowns", self->n);
}

/* ---- A small matrix: LU factors with row exchanges; rows are scaled to largest entries between 1 and 2 ---- */

static void exchange(double *a, double *b, int n) {
  for (int j = 0; j < n; j++) {
    const double before = a[j];
    a[j] = b[j];
    b[j] = before;
  }
}

/* Returns false if the matrix is singular or not finite. */
static bool factor_dense(cosim_interface *self) {
  const int n = self->n;
  double *factors = self->dense.factors;
  self->dense.is_factored = false;
  memset(factors, 0, (size_t)(n * n) * sizeof *factors);
  for (int column = 0; column < n; column++)
    for (int k = self->pattern.start[column]; k < self->pattern.start[column + 1]; k++)
      factors[self->pattern.row[k] * n + column] = self->value[k];
  for (int i = 0; i < n; i++) {
    const double largest = largest_size(factors + i * n, (size_t)n);
    self->dense.scale[i] =
        largest > 0 && isfinite(largest) ? scalbn(1, -ilogb(largest)) : NAN; /* a power of two: no round-off */
    for (int j = 0; j < n; j++)
      factors[i * n + j] *= self->dense.scale[i];
  }
  for (int k = 0; k < n; k++) {
    double *upper = factors + k * n;
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(factors[i * n + k]) > fabs(factors[best * n + k]))
        best = i;
    self->dense.pivot[k] = best;
    if (best != k)
      exchange(upper, factors + best * n, n);
    if (!(fabs(upper[k]) > 0 && isfinite(upper[k])))
      return false;
    for (double *restrict row = upper + n; row < factors + n * n; row += n) {
      const double part = row[k] / upper[k];
      row[k] = part;
      for (int j = k + 1; j < n; j++)
        row[j] -= part * upper[j];
    }
  }
  self->dense.is_factored = true;
  return true;
}

/* ---- Factors ---- */

static seam_status factor(cosim_interface *self, seam_error *error) {
  if (self->dense.factors != NULL)
    return factor_dense(self) ? SEAM_OK : singular(error);
  if (self->lu == NULL) { /* `reference` fixes the order of pivots */
    const seam_status status =
        seam_lu_create(self->n, self->pattern.start, self->pattern.row, false, NULL, self->reference, &self->lu, NULL);
    if (status != SEAM_OK) {
      self->lu = NULL;
      return status == SEAM_SINGULAR ? singular(error)
                                     : seam_fail(error, status, "no memory for an interface of %d unknowns", self->n);
    }
  }
  const seam_status status = seam_lu_factor(self->lu, self->value);
  if (status == SEAM_NO_MEMORY)
    return seam_fail(error, status, "no memory for the equations of the couplings");
  return status == SEAM_OK ? SEAM_OK : singular(error);
}

seam_status cosim_interface_factor(cosim_interface *self, seam_error *error) {
  bool is_rounding = false; /* some row consists of round-off; `expected` is set to 0 for all other rows */
  for (size_t k = 0; k < n_values(self); k++)
    if (fabs(self->value[k]) > cosim_row_of_rounding * self->expected[self->pattern.row[k]])
      self->expected[self->pattern.row[k]] = 0;
  for (int row = 0; row < self->n; row++)
    is_rounding = is_rounding || self->expected[row] > 0;
  if (is_rounding)
    return singular(error);
  if (self->dense.factors == NULL && self->lu == NULL)
    memcpy(self->reference, self->value, n_values(self) * sizeof *self->value);
  return factor(self, error);
}

void cosim_interface_solve(cosim_interface *self, double *b) {
  const int n = self->n;
  const double *factors = self->dense.factors;
  if (factors == NULL) {
    seam_lu_solve(self->lu, b);
    return;
  }
  for (int i = 0; i < n; i++)
    b[i] *= self->dense.scale[i];
  for (int k = 0; k < n; k++)
    exchange(&b[k], &b[self->dense.pivot[k]], 1);
  for (int i = 1; i < n; i++)
    for (int j = 0; j < i; j++)
      b[i] -= factors[i * n + j] * b[j];
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      b[i] -= factors[i * n + j] * b[j];
    b[i] /= factors[i * n + i];
  }
}

seam_status cosim_interface_copy(cosim_interface *self, cosim_image *image, seam_error *error) {
  if (self == NULL)
    return SEAM_OK;
  const size_t n = n_values(self);
  double is_factored = self->lu != NULL || self->dense.is_factored;
  cosim_image_copy(image, &is_factored, 1);
  if (!image->saves && (is_factored == 0 || memcmp(self->reference, image->at, n * sizeof *image->at) != 0)) {
    seam_lu_destroy(self->lu);
    self->lu = NULL;
  }
  cosim_image_copy(image, self->reference, n);
  cosim_image_copy(image, self->value, n);
  if (image->saves)
    return SEAM_OK;
  self->dense.is_factored = false;
  return is_factored == 0 ? SEAM_OK : factor(self, error);
}
