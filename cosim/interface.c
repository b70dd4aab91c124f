#include "cosim/interface.h"

#include <stdlib.h>
#include <string.h>

#include "solvers/lu.h"
#include "solvers/pattern.h"

struct cosim_interface {
  int n;
  seam_pattern pattern;
  double *value;     /* (start[n]) */
  double *reference; /* (start[n]) those of the first factorisation, which decided the order of pivots */
  seam_lu *lu;       /* NULL before it */
};

cosim_interface *cosim_interface_create(int n) {
  cosim_interface *self = calloc(1, sizeof *self);
  if (self == NULL)
    return NULL;
  self->n = n;
  self->pattern = seam_pattern_create(n);
  return self;
}

void cosim_interface_destroy(cosim_interface *self) {
  if (self == NULL)
    return;
  seam_lu_destroy(self->lu);
  seam_pattern_destroy(&self->pattern);
  free(self->value);
  free(self->reference);
  free(self);
}

static size_t n_values(const cosim_interface *self) { return (size_t)self->pattern.start[self->n]; }

void cosim_interface_begin(cosim_interface *self) { seam_pattern_begin(&self->pattern, self->value); }

void cosim_interface_put(cosim_interface *self, int row, int column, double value) {
  seam_pattern_put(&self->pattern, row, column, value);
}

static seam_status undetermined(seam_error *error) {
  return seam_fail(
      error, SEAM_SINGULAR,
      "the conditions do not determine the coupling variables: the scheme is undefined at this macro step, "
      "or a coupling says what others say already");
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

/* With the order of pivots that the reference asks for. */
static seam_status create_factors(cosim_interface *self, seam_error *error) {
  const seam_status status =
      seam_lu_create(self->n, self->pattern.start, self->pattern.row, false, self->reference, &self->lu, NULL);
  if (status == SEAM_OK)
    return SEAM_OK;
  self->lu = NULL;
  return status == SEAM_SINGULAR ? undetermined(error)
                                 : seam_fail(error, status, "no memory for an interface of %d unknowns", self->n);
}

seam_status cosim_interface_factor(cosim_interface *self, seam_error *error) {
  if (self->lu == NULL) {
    memcpy(self->reference, self->value, n_values(self) * sizeof *self->value);
    const seam_status status = create_factors(self, error);
    if (status != SEAM_OK)
      return status;
  }
  return seam_lu_factor(self->lu, self->value) ? SEAM_OK : undetermined(error);
}

void cosim_interface_solve(cosim_interface *self, double *b) { seam_lu_solve(self->lu, b); }

size_t cosim_interface_image_size(const cosim_interface *self) { return 1 + 2 * n_values(self); }

void cosim_interface_save(const cosim_interface *self, double *image) {
  image[0] = self->lu != NULL;
  memcpy(image + 1, self->reference, n_values(self) * sizeof *image);
  memcpy(image + 1 + n_values(self), self->value, n_values(self) * sizeof *image);
}

seam_status cosim_interface_restore(cosim_interface *self, const double *image, seam_error *error) {
  seam_lu_destroy(self->lu);
  self->lu = NULL;
  if (image[0] == 0)
    return SEAM_OK;
  memcpy(self->reference, image + 1, n_values(self) * sizeof *image);
  memcpy(self->value, image + 1 + n_values(self), n_values(self) * sizeof *image);
  const seam_status status = create_factors(self, error);
  if (status != SEAM_OK)
    return status;
  return seam_lu_factor(self->lu, self->value) ? SEAM_OK : undetermined(error);
}
