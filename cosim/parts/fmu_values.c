/* Inputs and outputs of an FMU. Variables of type double are set and read together. Other numbers and booleans (0, 1)
 * are set and read one variable at a time. */
#include "cosim/parts/fmu_internal.h"

static size_t n_values(const fmu_part *self, size_t variable) {
  return fmi_n_values(&self->description->variables[variable]);
}

void fmu_part_count_reals(fmu_part *self) {
  const fmi_variable *variables = self->description->variables;
  for (size_t i = 0; i < self->n_input_variables && variables[self->input_variables[i]].type == FMI_FLOAT64; i++) {
    self->n_real_input_variables++;
    self->n_real_inputs += (int)n_values(self, self->input_variables[i]);
  }
  for (size_t i = 0; i < self->n_output_variables && variables[self->output_variables[i]].type == FMI_FLOAT64; i++) {
    self->n_real_output_variables++;
    self->n_real_outputs += (int)n_values(self, self->output_variables[i]);
  }
}

seam_status fmu_part_set_all(fmu_part *self, const double *values, seam_error *error) {
  fmi_instance *instance = self->calls->instance;
  seam_status status = fmi_instance_set_reals(instance, self->inputs, self->n_real_input_variables, values,
                                              (size_t)self->n_real_inputs, error);
  values += self->n_real_inputs;
  for (size_t i = self->n_real_input_variables; i < self->n_input_variables && status == SEAM_OK; i++) {
    const size_t n = n_values(self, self->input_variables[i]);
    status = fmi_instance_set(instance, self->input_variables[i], values, n, error);
    values += n;
  }
  return status;
}

seam_status fmu_part_read_outputs(fmu_part *self, double *outputs, seam_error *error) {
  fmi_instance *instance = self->calls->instance;
  seam_status status = fmi_instance_get_reals(instance, self->outputs, self->n_real_output_variables, outputs,
                                              (size_t)self->n_real_outputs, error);
  outputs += self->n_real_outputs;
  for (size_t i = self->n_real_output_variables; i < self->n_output_variables && status == SEAM_OK; i++) {
    const size_t n = n_values(self, self->output_variables[i]);
    status = fmi_instance_get(instance, self->output_variables[i], outputs, n, error);
    outputs += n;
  }
  return status;
}
