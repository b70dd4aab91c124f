/* Derivatives of a step along powers of its inputs, for importers that know the layered standard of docs/fmi.md. */
#include <math.h>
#include <string.h>

#include "fmu/slave.h"

int fmu_slave_n_seeds(const fmu_slave *self) { return ((int)self->degree + 1) * self->unit->part->n_inputs; }

seam_status fmu_slave_set_degree(fmu_slave *self, double degree, seam_error *error) {
  const int n_powers = (int)fmax(fmin(degree, FMU_MAX_POWER), -1) + 1;
  if (degree != n_powers - 1)
    return seam_fail(error, SEAM_BAD_INPUT, "%s = %g: take a whole number from -1, no derivatives, to %d",
                     COSIM_FMU_DEGREE, degree, FMU_MAX_POWER);
  self->degree = degree;
  for (int i = 0; i < self->unit->part->n_inputs; i++)
    for (int k = 0; k < n_powers; k++) {
      cosim_seed *seed = &self->seeds[i * n_powers + k];
      *seed = (cosim_seed){.input = i, .signal = {.n_pieces = 1}};
      seed->signal.c[0][k] = 1;
    }
  return SEAM_OK;
}

/* Laws that read an input have no derivatives along it. */
static bool is_of_law(const fmu_unit *unit, int input) {
  if (unit->model == NULL)
    return false;
  const cosim_multibody_view view = cosim_multibody_view_of(unit->part);
  for (int p = 0; p < view.sub->model->n_ports; p++)
    if (view.ports[p].def.kind == MBS_PORT_QUANTITY && view.ports[p].input == input)
      return true;
  return false;
}

/* Of one input and power. */
static void get_row(const fmu_slave *self, int input, int power, double *values) {
  const fmu_unit *unit = self->unit;
  const bool is_known = !is_of_law(unit, input);
  const int n_powers = (int)self->degree + 1;
  const double *of = self->derivatives + (ptrdiff_t)(input * n_powers + power) * unit->part->n_outputs;
  for (size_t i = 0; i < unit->n_variables; i++)
    if (unit->variables[i].role == FMU_OUTPUT)
      *values++ = !is_known ? NAN : power < n_powers ? of[unit->variables[i].number] : 0;
}

void fmu_slave_get_derivatives(const fmu_slave *self, double *values) {
  const fmu_unit *unit = self->unit;
  const size_t n = fmu_unit_count(unit, FMU_OUTPUT);
  for (size_t i = 0; i < unit->n_variables; i++)
    for (int k = 0; k <= FMU_MAX_POWER && unit->variables[i].role == FMU_INPUT; k++, values += n)
      get_row(self, unit->variables[i].number, k, values);
}
