#include "solvers/newton_matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/then.h"
#include "base/vector.h"
#include "solvers/thresholds.h"

struct seam_newton_matrix {
  const seam_dae *dae;
  bool is_complex;
  double c, c_im;
  seam_dae_factors *blocks; /* NULL: not used */
  bool by_blocks;           /* the last factors are by blocks */
  seam_lu *lu;              /* NULL: not needed yet */
  double *reference;        /* (start[n]) J that decides pivots, together with c_reference */
  double c_reference, c_im_reference;
  seam_lu_scale scale;
  int *diagonal;             /* (n) index of each diagonal entry in J */
  double *E;                 /* (start[n] numbers, or complex pairs) the matrix */
  double *trial, *remainder; /* (n pairs) scratch of residual() */
};

#define ARRAYS(X)                                                                                                      \
  X(self, reference, n_entries)                                                                                        \
  X(self, scale.row, n)                                                                                                \
  X(self, scale.column, n)                                                                                             \
  X(self, diagonal, n)                                                                                                 \
  X(self, E, (size_t)parts(self) * n_entries)                                                                          \
  X(self, trial, 2 * n)                                                                                                \
  X(self, remainder, 2 * n)

static int parts(const seam_newton_matrix *self) { return self->is_complex ? 2 : 1; }

void seam_newton_matrix_destroy(seam_newton_matrix *self) {
  if (self == NULL)
    return;
  seam_dae_factors_destroy(self->blocks);
  seam_lu_destroy(self->lu);
  ARRAYS(FREE_ARRAY)
  free(self);
}

/* Sets E = (c + i c_im) B - J, not scaled yet, and the scale. */
static void form(seam_newton_matrix *self, const double *J, double c, double c_im) {
  const int n = self->dae->n, w = parts(self);
  seam_dae_scale(self->dae, 1 / hypot(c, c_im), &self->scale);
  for (int k = 0; k < self->dae->start[n]; k++) {
    self->E[w * k] = -J[k];
    if (w == 2)
      self->E[2 * k + 1] = 0;
  }
  for (int i = 0; i < n; i++) {
    self->E[w * self->diagonal[i]] += c * self->dae->mass[i];
    if (w == 2)
      self->E[2 * self->diagonal[i] + 1] += c_im * self->dae->mass[i];
  }
}

/* Creates self->lu on first use, with the pivots of the reference matrix. */
static seam_status ensure_lu(seam_newton_matrix *self, seam_error *error) {
  const seam_dae *dae = self->dae;
  if (self->lu != NULL)
    return SEAM_OK;
  form(self, self->reference, self->c_reference, self->c_im_reference);
  return seam_lu_create(dae->n, dae->start, dae->row, self->is_complex, dae->rates != NULL ? &self->scale : NULL,
                        self->E, &self->lu, error);
}

seam_status seam_newton_matrix_create(const seam_dae *dae, seam_dae_blocks *blocks, bool is_complex, const double *J,
                                      double c, double c_im, seam_newton_matrix **created, seam_error *error) {
  seam_newton_matrix *self = calloc(1, sizeof *self);
  const double cost = blocks != NULL ? seam_dae_blocks_cost(blocks) : INFINITY;
  const bool by_blocks = /* false if the sequence of the blocks causes much fill: lu.h then costs less */
      cost < seam_little_work * dae->start[dae->n] ||
      (blocks != NULL && cost < seam_more_work * seam_lu_least_cost(dae->n, dae->start, dae->row));
  const size_t n = (size_t)dae->n, n_entries = (size_t)dae->start[n];
  seam_status status = SEAM_OK;
  bool replaced = false;
  if (self != NULL) {
    *self = (seam_newton_matrix){.dae = dae, .is_complex = is_complex, .c_reference = c, .c_im_reference = c_im};
    self->blocks = by_blocks ? seam_dae_factors_create(blocks, is_complex) : NULL;
  }
  const bool enough = self != NULL && (!by_blocks || self->blocks != NULL) ARRAYS(ALLOCATE_ARRAY);
  if (!enough) {
    seam_newton_matrix_destroy(self);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a matrix of order %d", dae->n);
  }
  for (int i = 0; i < dae->n; i++)
    for (int k = dae->start[i]; k < dae->start[i + 1]; k++)
      if (dae->row[k] == i)
        self->diagonal[i] = k;
  memcpy(self->reference, J, n_entries * sizeof *J);
  if (by_blocks) {
    seam_dae_blocks_set_jacobian(blocks, J);
    status = seam_newton_matrix_factor(self, J, c, c_im);
    THEN(status, seam_newton_matrix_test(self, J, &replaced));
  }
  if (status != SEAM_OK || !self->by_blocks) /* ensure_lu() sets the message */
    status = ensure_lu(self, error);
  if (status != SEAM_OK) {
    seam_newton_matrix_destroy(self);
    return status;
  }
  *created = self;
  return SEAM_OK;
}

/* ---- Factors ---- */

seam_status seam_newton_matrix_factor(seam_newton_matrix *self, const double *J, double c, double c_im) {
  self->c = c;
  self->c_im = c_im;
  self->by_blocks = self->blocks != NULL && seam_dae_factors_make(self->blocks, c, c_im);
  if (self->by_blocks)
    return SEAM_OK;
  const seam_status status = ensure_lu(self, NULL);
  if (status != SEAM_OK)
    return status;
  form(self, J, c, c_im);
  return seam_lu_factor_untested(self->lu, self->E);
}

/* Adds sign times E x to `to`, with the scaled E. x and `to` have real numbers or, if E is complex, pairs. */
static void add_product(const seam_newton_matrix *self, double sign, const double *x, double *to) {
  const int w = parts(self);
  for (int j = 0; j < self->dae->n; j++)
    for (int k = self->dae->start[j]; k < self->dae->start[j + 1]; k++) {
      const double *E = self->E + w * k;
      double *sum = to + w * self->dae->row[k];
      sum[0] += sign * (w == 2 ? E[0] * x[2 * j] - E[1] * x[2 * j + 1] : E[0] * x[j]);
      if (w == 2)
        sum[1] += sign * (E[0] * x[2 * j + 1] + E[1] * x[2 * j]);
    }
}

/* Measures the accuracy of the factors by blocks: solves E x = E e, e a vector of ones. Returns the largest residual,
 * divided by the largest entry of E and by max(1, largest entry of x). Scales E in place. */
static double residual(seam_newton_matrix *self) {
  const int n = self->dae->n, w = parts(self);
  const bool is_scaled = self->dae->rates != NULL;
  for (int j = 0; j < n && is_scaled; j++)
    for (int k = self->dae->start[j]; k < self->dae->start[j + 1]; k++)
      for (int part = 0; part < w; part++)
        self->E[w * k + part] *= self->scale.row[self->dae->row[k]] * self->scale.column[j];
  for (int i = 0; i < w * n; i++)
    self->trial[i] = 1;
  memset(self->remainder, 0, (size_t)(w * n) * sizeof *self->remainder);
  add_product(self, 1, self->trial, self->remainder);
  for (int i = 0; i < w * n; i++)
    self->trial[i] = is_scaled ? self->remainder[i] / self->scale.row[i / w] : self->remainder[i];
  seam_dae_factors_solve(self->blocks, self->trial);
  for (int i = 0; i < w * n && is_scaled; i++)
    self->trial[i] /= self->scale.column[i / w];
  add_product(self, -1, self->trial, self->remainder);
  const size_t length = (size_t)w * (size_t)n, n_values = (size_t)w * (size_t)self->dae->start[n];
  const double size = largest_size(self->E, n_values) * fmax(1, largest_size(self->trial, length));
  return largest_size(self->remainder, length) / size;
}

seam_status seam_newton_matrix_test(seam_newton_matrix *self, const double *J, bool *replaced) {
  if (!self->by_blocks)
    return seam_lu_test(self->lu, self->E, replaced);
  form(self, J, self->c, self->c_im);
  *replaced = !(residual(self) <= seam_worst_residual);
  if (!*replaced)
    return SEAM_OK;
  self->by_blocks = false;
  const seam_status status = ensure_lu(self, NULL);
  if (status != SEAM_OK)
    return status;
  form(self, J, self->c, self->c_im);
  return seam_lu_factor(self->lu, self->E);
}

bool seam_newton_matrix_is_by_blocks(const seam_newton_matrix *self) { return self->by_blocks; }

seam_status seam_newton_matrix_explain(const seam_newton_matrix *self, seam_status status, double t,
                                       seam_error *error) {
  if (status == SEAM_NO_MEMORY)
    return seam_fail(error, status, "t = %.9g s: no memory for a matrix of order %d", t, self->dae->n);
  if (status == SEAM_SINGULAR)
    return seam_fail(error, status, "t = %.9g s: the Newton matrix is singular: look for a singular configuration", t);
  return SEAM_OK;
}

void seam_newton_matrix_solve(seam_newton_matrix *self, double *b) {
  if (self->by_blocks)
    seam_dae_factors_solve(self->blocks, b);
  else
    seam_lu_solve(self->lu, b);
}
