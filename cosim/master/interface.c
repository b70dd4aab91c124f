#include "cosim/master/interface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/lu.h"
#include "solvers/pattern.h"

struct cosim_interface {
  int n;
  seam_pattern pattern;
  double *value;     /* (start[n]) */
  double *reference; /* (start[n]) those of the first factorisation, which decided the order of pivots */
  double *expected;  /* (n) size of a row's entries; 0: any */
  seam_lu *lu;       /* NULL before it */
};

cosim_interface *cosim_interface_create(int n) {
  cosim_interface *self = calloc(1, sizeof *self);
  if (self == NULL)
    return NULL;
  self->n = n;
  self->pattern = seam_pattern_create(n);
  self->expected = calloc((size_t)n + 1, sizeof *self->expected);
  if (self->expected != NULL)
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
  free(self);
}

static size_t n_values(const cosim_interface *self) { return (size_t)self->pattern.start[self->n]; }

void cosim_interface_begin(cosim_interface *self) {
  seam_pattern_begin(&self->pattern, self->value);
  memset(self->expected, 0, (size_t)self->n * sizeof *self->expected);
}

void cosim_interface_put(cosim_interface *self, int row, int column, double value) {
  seam_pattern_put(&self->pattern, row, column, value);
}

void cosim_interface_expect(cosim_interface *self, int row, double size) {
  self->expected[row] = fmax(self->expected[row], size);
}

/* Whether some row is rounding alone. Rows that are not are taken off the list. */
static bool has_row_of_rounding(cosim_interface *self) {
  const double rounding = 1e-12;
  bool found = false;
  for (size_t k = 0; k < n_values(self); k++)
    if (fabs(self->value[k]) > rounding * self->expected[self->pattern.row[k]])
      self->expected[self->pattern.row[k]] = 0;
  for (int row = 0; row < self->n; row++)
    found = found || self->expected[row] > 0;
  return found;
}

static seam_status undetermined(seam_error *error) {
  return seam_fail(error, SEAM_SINGULAR,
                   "the conditions do not determine the coupling variables: the scheme is undefined at this macro "
                   "step, or a coupling repeats the conditions of others");
}

seam_status cosim_interface_learn(cosim_interface *self, seam_error *error) {
  if (seam_pattern_learn(&self->pattern)) {
    self->value = calloc(n_values(self) + 1, sizeof *self->value);
    self->reference = calloc(n_values(self) + 1, sizeof *self->reference);
  }
  if (self->value != NULL && self->reference != NULL)
    return SEAM_OK;
  return seam_fail(error, SEAM_NO_MEMORY, "no memory for an interface of %d unknowns", self->n);
}

/* With the order of pivots that the reference decides. */
static seam_status create_factors(cosim_interface *self, seam_error *error) {
  const seam_status status =
      seam_lu_create(self->n, self->pattern.start, self->pattern.row, false, NULL, self->reference, &self->lu, NULL);
  if (status == SEAM_OK)
    return SEAM_OK;
  self->lu = NULL;
  return status == SEAM_SINGULAR ? undetermined(error)
                                 : seam_fail(error, status, "no memory for an interface of %d unknowns", self->n);
}

static seam_status factor(cosim_interface *self, seam_error *error) {
  const seam_status status = seam_lu_factor(self->lu, self->value);
  if (status == SEAM_NO_MEMORY)
    return seam_fail(error, status, "no memory for the equations of the couplings");
  return status == SEAM_OK ? SEAM_OK : undetermined(error);
}

seam_status cosim_interface_factor(cosim_interface *self, seam_error *error) {
  if (has_row_of_rounding(self))
    return undetermined(error);
  if (self->lu == NULL) {
    memcpy(self->reference, self->value, n_values(self) * sizeof *self->value);
    const seam_status status = create_factors(self, error);
    if (status != SEAM_OK)
      return status;
  }
  return factor(self, error);
}

void cosim_interface_solve(cosim_interface *self, double *b) { seam_lu_solve(self->lu, b); }

size_t cosim_interface_image_size(const cosim_interface *self) { return 1 + 2 * n_values(self); }

void cosim_interface_save(const cosim_interface *self, double *image) {
  image[0] = self->lu != NULL;
  memcpy(image + 1, self->reference, n_values(self) * sizeof *image);
  memcpy(image + 1 + n_values(self), self->value, n_values(self) * sizeof *image);
}

seam_status cosim_interface_restore(cosim_interface *self, const double *image, seam_error *error) {
  const size_t of_values = n_values(self) * sizeof *image;
  if (image[0] == 0 || memcmp(self->reference, image + 1, of_values) != 0) {
    seam_lu_destroy(self->lu);
    self->lu = NULL;
  }
  memcpy(self->reference, image + 1, of_values);
  memcpy(self->value, image + 1 + n_values(self), of_values);
  if (image[0] == 0)
    return SEAM_OK;
  const seam_status status = self->lu == NULL ? create_factors(self, error) : SEAM_OK;
  if (status != SEAM_OK)
    return status;
  return factor(self, error);
}
