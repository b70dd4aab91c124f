/* Derivatives of the outputs of a step by the coefficients of its input polynomials. Importers read them by the layered
 * standard in docs/fmi.md. */
#include <math.h>
#include <string.h>

#include "fmu/slave.h"

int fmu_slave_n_seeds(const fmu_slave *self) { return ((int)self->degree + 1) * self->unit->part->n_inputs; }

seam_status fmu_slave_set_degree(fmu_slave *self, double degree, seam_error *error) {
  const int n_powers = (int)fmax(fmin(degree, FMU_MAX_POWER), -1) + 1;
  if (degree != n_powers - 1)
    return seam_fail(error, SEAM_BAD_INPUT, "%s = %g: take a whole number from 0 to %d, or -1 for no derivatives",
                     COSIM_FMU_DEGREE, degree, FMU_MAX_POWER);
  self->degree = degree;
  if (n_powers == 0 || n_powers == self->n_shapes)
    return SEAM_OK;
  self->n_shapes = n_powers;
  for (int i = 0; i < self->unit->part->n_inputs; i++)
    for (int k = 0; k < n_powers; k++) {
      cosim_seed *seed = &self->seeds[i * n_powers + k];
      *seed = (cosim_seed){.input = i, .signal = {.n_pieces = 1}};
      memcpy(seed->signal.c[0], self->shapes + (ptrdiff_t)k * COSIM_FMU_POWERS, COSIM_FMU_POWERS * sizeof(double));
    }
  return SEAM_OK;
}

seam_status fmu_slave_set_shapes(fmu_slave *self, const double *shapes, seam_error *error) {
  for (int k = 0; k < FMU_N_SHAPES; k++)
    if (!isfinite(shapes[k]))
      return seam_fail(error, SEAM_BAD_INPUT, "'%s' is set to a value that is not finite", COSIM_FMU_SHAPES);
  memcpy(self->shapes, shapes, sizeof self->shapes);
  self->n_shapes = 0;
  return fmu_slave_set_degree(self, self->degree, error);
}

seam_status fmu_slave_set_input_degree(fmu_slave *self, double degree, seam_error *error) {
  if (!(degree >= 0 && degree <= COSIM_MAX_DEGREE && degree == floor(degree)))
    return seam_fail(error, SEAM_BAD_INPUT, "%s = %g: take a whole number from 0, inputs are constant, to %d",
                     COSIM_FMU_INPUT_DEGREE, degree, COSIM_MAX_DEGREE);
  self->input_degree = degree;
  return SEAM_OK;
}

void fmu_slave_apply_wanted(fmu_slave *self) {
  const fmu_unit *unit = self->unit;
  const double *wanted = self->wanted;
  bool follows = false;
  for (size_t i = 0; i < unit->n_variables; i++)
    if (unit->variables[i].role == FMU_OUTPUT)
      follows = (*wanted++ != 0 && unit->variables[i].depends_on_accelerations) || follows;
  if (unit->model != NULL)
    cosim_multibody_set_accelerations_wanted(unit->part, follows);
}

seam_status fmu_slave_set_wanted(fmu_slave *self, const double *wanted, seam_error *error) {
  for (size_t i = 0; i < self->n_listed[1]; i++)
    if (wanted[i] != 0 && wanted[i] != 1)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "number %zu of %s must be 1 (the output is read) or 0 (it is not), but is %g", i + 1,
                       COSIM_FMU_WANTED, wanted[i]);
  memcpy(self->wanted, wanted, self->n_listed[1] * sizeof *wanted);
  fmu_slave_apply_wanted(self);
  return SEAM_OK;
}

/* Returns true if a law of the mechanism reads the input. Derivatives with respect to such an input are not available.
 */
static bool is_of_law(const fmu_unit *unit, int input) {
  if (unit->model == NULL)
    return false;
  const cosim_multibody_view view = cosim_multibody_view_of(unit->part);
  for (int p = 0; p < view.sub->model->n_ports; p++)
    if (view.ports[p].def.kind == MBS_PORT_QUANTITY && view.ports[p].input == input)
      return true;
  return false;
}

void fmu_slave_number_derivatives(fmu_slave *self) {
  const fmu_unit *unit = self->unit;
  int *input = self->listed_indices, *output = self->listed_indices + self->n_listed[0];
  self->n_acceleration_outputs = 0;
  for (size_t i = 0; i < unit->n_variables; i++) {
    const fmu_variable *variable = &unit->variables[i];
    if (variable->role == FMU_INPUT)
      *input++ = is_of_law(unit, variable->number) ? -1 : variable->number;
    if (variable->role != FMU_OUTPUT)
      continue;
    if (variable->depends_on_accelerations)
      self->acceleration_outputs[self->n_acceleration_outputs++] =
          (int)(output - self->listed_indices) - (int)self->n_listed[0];
    *output++ = variable->number;
  }
}

void fmu_slave_get_derivatives(const fmu_slave *self, double *values) {
  const size_t n = self->n_listed[1];
  const size_t size = COSIM_FMU_POWERS * n;
  const int n_shapes = (int)self->degree + 1;
  const int n_outputs = self->unit->part->n_outputs;
  const int *output = self->listed_indices + self->n_listed[0];
  for (size_t i = 0; i < self->n_listed[0]; i++, values += size) {
    const int input = self->listed_indices[i];
    for (size_t k = 0; k < size; k++)
      values[k] = input < 0 ? NAN : 0;
    for (int k = 0; k < n_shapes && input >= 0; k++) {
      const double *from = self->derivatives + (ptrdiff_t)(input * n_shapes + k) * n_outputs;
      double *row = values + (size_t)k * n;
      for (size_t o = 0; o < n; o++)
        row[o] = from[output[o]];
      for (int f = 0; f < self->n_acceleration_outputs && !self->has_complete_derivatives; f++)
        row[self->acceleration_outputs[f]] = NAN;
    }
  }
}
