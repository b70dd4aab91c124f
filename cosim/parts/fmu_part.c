#include "cosim/parts/fmu_part.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/note.h"
#include "base/then.h"
#include "cosim/parts/fmu_internal.h"
#include "cosim/parts/signal.h"
#include "cosim/thresholds.h"

/* ---- Capabilities ---- */

cosim_fmu_inputs cosim_fmu_input_method(const fmi_description *of) {
  if (of->version == FMI_2)
    return of->capabilities.interpolates_inputs ? COSIM_FMU_DERIVATIVES : COSIM_FMU_CONSTANTS;
  return of->capabilities.intermediate_update ? COSIM_FMU_UPDATES : COSIM_FMU_CONSTANTS;
}

double cosim_fmu_fixed_step(const fmi_description *of) {
  if (of->capabilities.variable_step)
    return 0;
  return of->capabilities.fixed_internal_step > 0 ? of->capabilities.fixed_internal_step : of->experiment.step;
}

/* ---- Inputs ---- */

static bool is_polynomial(const fmu_part *self) {
  for (int i = 0; i < self->base.n_inputs; i++)
    if (self->is_connected[i] && self->now[i].n_pieces > 1)
      return false;
  return true;
}

int fmu_part_signal_degree(const cosim_signal *signal) {
  int degree = COSIM_MAX_DEGREE;
  while (degree > 0 && signal->c[0][degree] == 0)
    degree--;
  return degree;
}

/* Sets the time derivatives of inputs, to zero if are_zero. Sets all orders up to the highest one that was ever set,
 * since an FMU may continue to use derivatives that are not set again. */
static seam_status set_derivatives(fmu_part *self, bool are_zero, seam_error *error) {
  size_t n = 0;
  for (int i = 0; i < self->n_real_inputs && !are_zero; i++)
    if (self->is_connected[i] && fmu_part_signal_degree(&self->now[i]) > self->highest_order)
      self->highest_order = fmu_part_signal_degree(&self->now[i]);
  for (int i = 0; i < self->n_real_inputs; i++) {
    double factor = 1;
    for (int k = 1; k <= self->highest_order && self->is_connected[i]; k++, n++) {
      factor *= k / self->H;
      self->derived[n] = self->inputs[i];
      self->orders[n] = k;
      self->values[n] = are_zero ? 0 : factor * self->now[i].c[0][k];
    }
  }
  return fmi_instance_set_derivatives(self->calls->instance, self->derived, self->orders, self->values, n, error);
}

/* Does nothing if the FMU has these inputs already. Variables of type double are set together; other numbers and
 * booleans (0, 1) are set one variable at a time. */
seam_status fmu_part_set_inputs(fmu_part *self, seam_error *error) {
  const size_t size = (size_t)self->base.n_inputs * sizeof *self->values;
  const double *values = self->values;
  if (self->knows_inputs && memcmp(self->inputs_in_fmu, values, size) == 0)
    return SEAM_OK;
  seam_status status = fmi_instance_set_reals(self->calls->instance, self->inputs, self->n_real_input_variables, values,
                                              (size_t)self->n_real_inputs, error);
  values += self->n_real_inputs;
  for (size_t i = self->n_real_input_variables; i < self->n_input_variables && status == SEAM_OK; i++) {
    const size_t n = fmi_n_values(&self->description->variables[self->input_variables[i]]);
    status = fmi_instance_set(self->calls->instance, self->input_variables[i], values, n, error);
    values += n;
  }
  memcpy(self->inputs_in_fmu, self->values, size);
  self->knows_inputs = status == SEAM_OK;
  return status;
}

seam_status fmu_part_set_step_inputs(fmu_part *self, seam_error *error) {
  const bool follows = self->input_method != COSIM_FMU_CONSTANTS && is_polynomial(self);
  for (int i = 0; i < self->base.n_inputs; i++) { /* value at the beginning if the FMU follows the input, else mean */
    const bool begins = (follows && (self->input_method == COSIM_FMU_DERIVATIVES || self->is_updated[i])) ||
                        i >= self->n_real_inputs; /* integers and booleans */
    const double value = begins ? cosim_signal_value(&self->now[i], 0) : cosim_signal_integral(&self->now[i]);
    self->values[i] = self->is_connected[i] ? value : self->u[i];
  }
  seam_status status = fmu_part_set_inputs(self, error);
  if (status == SEAM_OK && self->exact.has_input_degree)
    status = fmu_part_set_input_degree(self, follows, error);
  return status == SEAM_OK && self->input_method == COSIM_FMU_DERIVATIVES ? set_derivatives(self, !follows, error)
                                                                          : status;
}

/* Callback of FMI 3 during a step: sets the inputs at time t. */
static void update(void *context, double t) {
  fmu_part *self = context;
  const double tau = fmin(fmax((t - self->t) / self->H, 0), 1);
  if (!is_polynomial(self) || self->calls->failed.status != SEAM_OK)
    return;
  for (size_t i = 0; i < self->n_updated_values; i++) {
    const int input = self->updated_value[i];
    self->values[i] = self->is_connected[input] ? cosim_signal_value(&self->now[input], tau) : self->u[input];
    self->inputs_in_fmu[input] = self->values[i];
  }
  fmi_instance_set_reals(self->calls->instance, self->updated, self->n_updated, self->values, self->n_updated_values,
                         &self->calls->failed);
}

/* ---- Outputs ---- */

/* Reads all outputs: variables of type double together, others one variable at a time. */
static seam_status read_outputs(fmu_part *self, double *outputs, seam_error *error) {
  seam_status status = fmi_instance_get_reals(self->calls->instance, self->outputs, self->n_real_output_variables,
                                              outputs, (size_t)self->n_real_outputs, error);
  outputs += self->n_real_outputs;
  for (size_t i = self->n_real_output_variables; i < self->n_output_variables && status == SEAM_OK; i++) {
    const size_t n = fmi_n_values(&self->description->variables[self->output_variables[i]]);
    status = fmi_instance_get(self->calls->instance, self->output_variables[i], outputs, n, error);
    outputs += n;
  }
  return status;
}

/* Reads the wanted outputs; the others become zeros. */
static seam_status read_wanted(fmu_part *self, double *outputs, seam_error *error) {
  double *read = self->outputs_before;
  const size_t n = (size_t)self->n_wanted;
  if (self->n_wanted == self->base.n_outputs)
    return read_outputs(self, outputs, error);
  const seam_status status = fmi_instance_get_reals(self->calls->instance, self->wanted_outputs, n, read, n, error);
  memset(outputs, 0, (size_t)self->base.n_outputs * sizeof *outputs);
  for (int i = 0; i < self->n_wanted; i++)
    outputs[self->wanted[i]] = read[i];
  return status;
}

/* ---- Steps ---- */

seam_status fmu_part_add_integrals(fmu_part *self, seam_error *error) {
  if (self->is_integral == NULL)
    return SEAM_OK;
  const seam_status status = read_outputs(self, self->outputs_before, error);
  for (int i = 0; i < self->base.n_outputs; i++)
    self->integrals[i] += self->is_integral[i] ? self->outputs_before[i] : 0;
  return status;
}

/* Advances from one node to the next and reads outputs. */
static seam_status advance_to_node(fmu_part *self, const cosim_step *step, double from, double to, double *outputs,
                                   seam_error *error) {
  const double end = step->t + to * step->H;
  seam_error cause;
  seam_status status = fmu_part_step(self, step, from, to, error);
  if (status != SEAM_OK)
    return status;
  for (int i = 0; i < self->base.n_inputs; i++)
    self->values[i] = self->u[i] = self->is_connected[i] ? cosim_signal_value(&step->inputs[i], to) : self->u[i];
  status = fmu_part_set_inputs(self, &cause);
  THEN(status, read_wanted(self, outputs, &cause));
  if (status != SEAM_OK)
    return seam_fail(error, status, "t = %.9g s: %s", end, cause.message);
  for (int i = 0; i < self->base.n_outputs; i++) {
    if (self->is_integral != NULL && self->is_integral[i])
      outputs[i] = self->integrals[i];
    if (!isfinite(outputs[i]))
      return seam_fail(error, SEAM_NOT_FINITE, "t = %.9g s: its output '%s' is not finite", end, self->output_names[i]);
  }
  return SEAM_OK;
}

static seam_status advance(cosim_part *base, const cosim_step *step, double *outputs, double *derivatives,
                           seam_error *error) {
  fmu_part *self = (fmu_part *)base;
  const int degree = step->n_seeds > 0 && step->n_nodes == 0 ? fmu_part_choose_shapes(self, step) : -1;
  const bool at_once = degree >= 0;
  seam_status status = fmu_part_begin_macro_step(self, step, error);
  if (status == SEAM_OK && step->n_seeds > 0 && !at_once)
    status = fmu_part_try_derivatives(self, step, derivatives, error);
  if (status == SEAM_OK && self->exact.is_available)
    status = fmu_part_set_degree(self, degree, error);
  memset(self->integrals, 0, (size_t)base->n_outputs * sizeof *self->integrals);
  double from = 0;
  for (int k = 0; k <= step->n_nodes && status == SEAM_OK; k++, outputs += base->n_outputs) {
    const double to = k < step->n_nodes ? step->nodes[k] : 1;
    status = advance_to_node(self, step, from, to, outputs, error);
    from = to;
  }
  return status == SEAM_OK && at_once
             ? fmu_part_read_derivatives(self, step, 1, derivatives, (size_t)base->n_outputs, error)
             : status;
}

static void wait_at_events(cosim_part *base, double after) { ((fmu_part *)base)->handled_until = after; }

static cosim_part_events get_events(const cosim_part *base, double since) {
  const fmu_part *self = (const fmu_part *)base;
  cosim_part_events events = {.shortened = self->n_shortened,
                              .waits = self->is_event_pending,
                              .hides = !fmu_part_has_event_mode(self->description),
                              .ends = self->has_ended};
  for (int i = self->n_events - 1; i >= 0 && self->event[i] > since; i--) {
    events.n++;
    events.first = self->event[i];
  }
  return events;
}

/* Outputs that an FMU does not give in its initialization mode are zero there. */
static void get_outputs(cosim_part *base, double *outputs) {
  fmu_part *self = (fmu_part *)base;
  seam_error unknown = {0};
  const seam_status status = read_outputs(self, outputs, self->is_initializing ? &unknown : &self->calls->failed);
  for (int i = 0; i < base->n_outputs; i++)
    if (self->is_initializing)
      outputs[i] = status == SEAM_OK && isfinite(outputs[i]) ? outputs[i] : 0;
    else
      outputs[i] = status == SEAM_OK ? outputs[i] : NAN;
}

/* Some FMUs update outputs in steps only. If the outputs have not changed with the inputs, adds the effect of the
 * inputs' change from self->u by directional derivatives. */
static void follow_inputs(fmu_part *self, const cosim_signal *inputs, double *outputs) {
  const size_t n_out = (size_t)self->base.n_outputs;
  double *seed = self->values, *before = self->outputs_before, *changes = before + n_out;
  bool differs = false;
  if (read_outputs(self, before, &self->calls->failed) != SEAM_OK ||
      memcmp(before, outputs, n_out * sizeof *before) != 0)
    return;
  for (int i = 0; i < self->n_real_inputs; i++) {
    seed[i] = self->is_connected[i] ? cosim_signal_end(&inputs[i]) - self->u[i] : 0;
    differs = differs || seed[i] != 0;
  }
  if (!differs ||
      fmi_instance_differentiate(self->calls->instance, self->outputs, self->n_real_output_variables, self->inputs,
                                 self->n_real_input_variables, seed, (size_t)self->n_real_inputs, changes,
                                 (size_t)self->n_real_outputs, &self->calls->failed) != SEAM_OK)
    return;
  for (int i = 0; i < self->n_real_outputs; i++)
    outputs[i] += changes[i];
}

/* Evaluates the outputs under other inputs; afterwards the inputs are those of the last step again. */
static void evaluate_outputs(cosim_part *base, double t, const cosim_signal *inputs, double *outputs) {
  fmu_part *self = (fmu_part *)base;
  (void)t;
  for (int i = 0; i < base->n_inputs; i++)
    self->values[i] = self->is_connected[i] ? cosim_signal_end(&inputs[i]) : self->u[i];
  if (fmu_part_set_inputs(self, &self->calls->failed) == SEAM_OK)
    read_outputs(self, outputs, &self->calls->failed);
  memcpy(self->values, self->u, (size_t)base->n_inputs * sizeof *self->u);
  if (fmu_part_set_inputs(self, &self->calls->failed) == SEAM_OK &&
      self->description->capabilities.directional_derivatives && !self->is_initializing)
    follow_inputs(self, inputs, outputs);
}

#define FMU_ARRAYS(X)                                                                                                  \
  X(self, inputs, def->n_inputs)                                                                                       \
  X(self, outputs, def->n_outputs)                                                                                     \
  X(self, input_variables, def->n_inputs)                                                                              \
  X(self, output_variables, def->n_outputs)                                                                            \
  X(self, updated, def->n_inputs)                                                                                      \
  X(self, derived, COSIM_MAX_DEGREE *n_in)                                                                             \
  X(self, orders, COSIM_MAX_DEGREE *n_in)                                                                              \
  X(self, updated_value, n_in)                                                                                         \
  X(self, is_connected, n_in)                                                                                          \
  X(self, is_updated, n_in)                                                                                            \
  X(self, u, n_in)                                                                                                     \
  X(self, inputs_in_fmu, n_in)                                                                                         \
  X(self, values, (COSIM_MAX_DEGREE + 1) * n_in)                                                                       \
  X(self, now, n_in)                                                                                                   \
  X(self, tau, COSIM_MAX_PIECES *n_in)                                                                                 \
  X(self, stored, n_in + FMU_PART_N_HEADER)                                                                            \
  X(self, is_held, n_out)                                                                                              \
  X(self, output_names, n_out)                                                                                         \
  X(self, wanted, n_out)                                                                                               \
  X(self, wanted_outputs, n_out)                                                                                       \
  X(self, outputs_before, 2 * n_out)                                                                                   \
  X(self, integrals, n_out)

static void destroy(cosim_part *base) {
  fmu_part *self = (fmu_part *)base;
  fmu_calls *calls = self->calls;
  if (calls != NULL && calls->instance != NULL) {
    fmi_instance_free_state(calls->instance, &calls->state);
    fmi_instance_free_state(calls->instance, &calls->stored);
    fmi_instance_free_state(calls->instance, &self->exact.state);
    fmi_instance_free_state(calls->instance, &calls->before);
    for (int slot = 0; slot < N_SLOTS; slot++)
      fmi_instance_free_state(calls->instance, &calls->slot[slot]);
    fmi_instance_destroy(calls->instance);
  }
  for (int i = 0; i < base->n_outputs && self->output_names != NULL; i++)
    free(self->output_names[i]);
  for (size_t i = 0; i < self->n_given; i++)
    free(self->given[i].numbers);
  free(self->given);
  free(self->exact.row);
  free(self->exact.values);
  FMU_ARRAYS(FREE_ARRAY)
  free(self->feedthrough);
  free(calls);
  free(self);
}

/* ---- Creation ---- */

static seam_status no_memory(const cosim_fmu_def *def, seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory for the FMU of subsystem '%s'", def->name);
}

static size_t count_values(const fmi_description *in, const size_t *variables, size_t n) {
  size_t sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += fmi_n_values(&in->variables[variables[i]]);
  return sum;
}

static bool allocate(fmu_part *self, const cosim_fmu_def *def) {
  const size_t n_in = (size_t)self->base.n_inputs, n_out = (size_t)self->base.n_outputs;
  self->calls = calloc(1, sizeof *self->calls);
  const bool enough = self->calls != NULL FMU_ARRAYS(ALLOCATE_ARRAY);
  for (int i = 0; i < self->base.n_outputs && enough; i++)
    self->wanted[self->n_wanted++] = i;
  for (size_t i = 0; i < n_in && enough; i++)
    self->now[i].n_pieces = 1;
  return enough;
}

static double number_of(const cosim_fmu_value *value, size_t element) {
  return value->numbers != NULL ? value->numbers[element] : value->number;
}

static void list_inputs(fmu_part *self, const cosim_fmu_def *def) {
  int at = 0; /* index of a value among the part's inputs */
  for (size_t i = 0; i < def->n_inputs; i++) {
    const fmi_variable *variable = &self->description->variables[def->inputs[i]];
    const size_t n = fmi_n_values(variable);
    const bool is_real = variable->type == FMI_FLOAT64;
    const bool is_updated = self->input_method == COSIM_FMU_UPDATES && variable->intermediate_update && is_real;
    self->inputs[i] = variable->reference;
    self->input_variables[i] = def->inputs[i];
    self->n_real_input_variables += is_real;
    self->n_real_inputs += is_real ? (int)n : 0;
    if (is_updated)
      self->updated[self->n_updated++] = variable->reference;
    for (size_t k = 0; k < n; k++, at++) {
      self->is_connected[at] = def->is_connected[at];
      self->is_updated[at] = is_updated;
      if (is_updated)
        self->updated_value[self->n_updated_values++] = at;
      self->u[at] = variable->n_start > 0 ? variable->start[variable->n_start == n ? k : 0] : 0;
      for (size_t v = 0; v < def->n_values; v++)
        if (def->values[v].variable == def->inputs[i])
          self->u[at] = number_of(&def->values[v], k);
    }
  }
}

/* Returns false if memory is exhausted. */
static bool list_outputs(fmu_part *self, const cosim_fmu_def *def) {
  int at = 0; /* index of a value among the part's outputs */
  for (size_t i = 0; i < def->n_outputs; i++) {
    const fmi_variable *variable = &self->description->variables[def->outputs[i]];
    const size_t n = fmi_n_values(variable), size = strlen(variable->name) + 32;
    const bool is_real = variable->type == FMI_FLOAT64;
    self->outputs[i] = variable->reference;
    self->output_variables[i] = def->outputs[i];
    self->n_real_output_variables += is_real;
    self->n_real_outputs += is_real ? (int)n : 0;
    for (size_t k = 0; k < n; k++, at++) {
      char *name = self->output_names[at] = malloc(size);
      if (name == NULL)
        return false;
      if (variable->n_dimensions > 0)
        snprintf(name, size, "%s[%zu]", variable->name, k + 1);
      else
        snprintf(name, size, "%s", variable->name);
      self->is_held[at] =
          variable->variability == FMI_DISCRETE && (is_real || fmu_part_has_event_mode(self->description));
    }
  }
  return true;
}

static bool depends(const fmi_variable *output, size_t input) {
  bool depends = false;
  for (size_t k = 0; k < output->n_depends_on; k++)
    depends |= output->depends_on[k] == input;
  return depends;
}

/* Fills `feedthrough` if all outputs declare their dependence on inputs; outputs at macro points are then read in the
 * order of dependence. */
static bool find_feedthrough(fmu_part *self, const cosim_fmu_def *def) {
  const fmi_variable *variables = self->description->variables;
  bool declares_dependence = def->n_outputs > 0;
  for (size_t o = 0; o < def->n_outputs; o++)
    declares_dependence = declares_dependence && variables[def->outputs[o]].n_depends_on != SEAM_NONE;
  if (!declares_dependence)
    return true;
  bool *at = calloc((size_t)self->base.n_outputs * (size_t)self->base.n_inputs + 1, sizeof *at);
  self->feedthrough = at;
  for (size_t o = 0; o < def->n_outputs && at != NULL; o++)
    for (size_t k = 0; k < fmi_n_values(&variables[def->outputs[o]]); k++)
      for (size_t i = 0; i < def->n_inputs; i++)
        for (size_t l = 0; l < fmi_n_values(&variables[def->inputs[i]]); l++)
          *at++ = depends(&variables[def->outputs[o]], def->inputs[i]);
  self->base.feedthrough = self->feedthrough;
  self->base.is_algebraic = true;
  return at != NULL;
}

/* Copies the values that the definition gives, with one number for each element of an array. */
static seam_status copy_values(fmu_part *self, const cosim_fmu_def *def, seam_error *error) {
  self->given = calloc(def->n_values + 1, sizeof *self->given);
  for (size_t v = 0; v < def->n_values && self->given != NULL; v++) {
    const cosim_fmu_value *value = &def->values[v];
    const size_t n = fmi_n_values(&self->description->variables[value->variable]);
    cosim_fmu_value *given = &self->given[self->n_given++];
    *given = (cosim_fmu_value){.variable = value->variable, .text = value->text};
    if (value->text != NULL)
      continue;
    given->numbers = calloc(n + 1, sizeof *given->numbers);
    if (given->numbers == NULL)
      return no_memory(def, error);
    for (size_t i = 0; i < n; i++)
      given->numbers[i] = number_of(value, i);
  }
  return self->given != NULL ? SEAM_OK : no_memory(def, error);
}

static bool is_structural(const fmu_part *self, const cosim_fmu_value *value) {
  return self->description->variables[value->variable].causality == FMI_STRUCTURAL_PARAMETER;
}

static seam_status set_values(const fmu_part *self, bool of_structure, seam_error *error) {
  fmi_instance *instance = self->calls->instance;
  seam_status status = SEAM_OK;
  for (const cosim_fmu_value *value = self->given; value < self->given + self->n_given && status == SEAM_OK; value++) {
    const size_t n = fmi_n_values(&self->description->variables[value->variable]);
    if (is_structural(self, value) == of_structure)
      status = value->text != NULL ? fmi_instance_set_text(instance, value->variable, value->text, error)
                                   : fmi_instance_set(instance, value->variable, value->numbers, n, error);
  }
  return status;
}

/* Sets structural parameters, which are sizes of arrays. This comes before all other values. */
static seam_status set_structure(const fmu_part *self, seam_error *error) {
  bool has_some = false;
  for (size_t i = 0; i < self->n_given; i++)
    has_some = has_some || is_structural(self, &self->given[i]);
  if (!has_some)
    return SEAM_OK;
  seam_status status = fmi_instance_configure(self->calls->instance, true, error);
  THEN(status, set_values(self, true, error));
  return status == SEAM_OK ? fmi_instance_configure(self->calls->instance, false, error) : status;
}

/* Checks that the FMU has accepted the value of a numeric parameter; a parameter that cannot be read passes. */
static seam_status check_value(const fmu_part *self, const cosim_fmu_value *value, seam_error *error) {
  const fmi_variable *of = &self->description->variables[value->variable];
  const size_t n = fmi_n_values(of);
  seam_status status = SEAM_OK;
  if (value->numbers == NULL || (of->causality != FMI_PARAMETER && of->causality != FMI_STRUCTURAL_PARAMETER))
    return SEAM_OK;
  double *now = calloc(n + 1, sizeof *now);
  if (now == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for values of an FMU");
  const bool is_known = fmi_instance_get(self->calls->instance, value->variable, now, n, NULL) == SEAM_OK;
  for (size_t i = 0; i < n && is_known && status == SEAM_OK; i++) {
    const double wanted = value->numbers[i];
    if (fabs(now[i] - wanted) > cosim_same_parameter * fmax(fabs(wanted), fabs(now[i])))
      status = seam_fail(error, SEAM_BAD_INPUT,
                         "its parameter '%s' was set to %.9g and is %.9g after the initialization: the FMU ignores the "
                         "value; leave the parameter out, or ask the maker of the FMU",
                         of->name, wanted, now[i]);
  }
  free(now);
  return status;
}

/* Reads the start values of input arrays that were resized but not set: the description has no values for them. */
static void read_resized_inputs(fmu_part *self, const cosim_fmu_def *def) {
  double *first = self->u;
  for (size_t i = 0; i < def->n_inputs; i++) {
    const fmi_variable *of = &self->description->variables[def->inputs[i]];
    const size_t n = fmi_n_values(of);
    bool is_known = of->n_start <= 1 || of->n_start == n;
    for (size_t v = 0; v < def->n_values; v++)
      is_known = is_known || def->values[v].variable == def->inputs[i];
    if (!is_known)
      (void)fmi_instance_get(self->calls->instance, def->inputs[i], first, n, NULL);
    first += n;
  }
}

/* ---- Initialization ---- */

seam_status fmu_part_begin(fmu_part *self, seam_error *error) {
  seam_error cause = {0};
  if (!self->is_initializing)
    return SEAM_OK;
  self->is_initializing = false;
  seam_status status = fmi_instance_begin(self->calls->instance, &cause);
  if (status != SEAM_OK)
    return seam_fail(error, SEAM_BAD_INPUT, "it cannot be initialised: %s", cause.message);
  for (size_t i = 0; i < self->n_given && status == SEAM_OK; i++)
    status = check_value(self, &self->given[i], error);
  return status;
}

bool cosim_fmu_part_initializes(const cosim_part *part) {
  return part->ops->get_outputs == get_outputs && ((const fmu_part *)part)->is_initializing;
}

seam_status cosim_fmu_part_begin(cosim_part *part, const double *inputs, seam_error *error) {
  fmu_part *self = (fmu_part *)part;
  seam_error cause = {0};
  if (fmu_part_set_connected_inputs(self, inputs, &cause) != SEAM_OK)
    return seam_fail(error, SEAM_BAD_INPUT, "it cannot be initialised: %s", cause.message);
  return fmu_part_begin(self, error);
}

/* Creates the instance and enters its initialization mode, in which the part remains until its inputs are known. */
static seam_status initialize(fmu_part *self, const cosim_fmu_def *def, seam_error *error) {
  const fmi_instance_def instance = {.name = def->name,
                                     .update = self->n_updated > 0 ? update : NULL,
                                     .context = self,
                                     .updated = self->updated,
                                     .n_updated = self->n_updated,
                                     .defers_start_events = self->has_held,
                                     .origin = def->origin,
                                     .start = def->start,
                                     .stop = def->stop > def->start ? def->stop : NAN,
                                     .tolerance =
                                         def->tolerance > 0 ? def->tolerance : self->description->experiment.tolerance};
  seam_error cause = {0};
  seam_status status = fmi_instance_create(def->fmu, &instance, &self->calls->instance, error);
  THEN(status, set_structure(self, error));
  THEN(status, set_values(self, false, error));
  if (status != SEAM_OK)
    return status;
  if (fmi_instance_initialize(self->calls->instance, &cause) != SEAM_OK)
    return seam_fail(error, SEAM_BAD_INPUT, "it cannot be initialised: %s", cause.message);
  self->is_initializing = true;
  self->knows_inputs = false;
  self->reached = def->start;
  read_resized_inputs(self, def);
  return SEAM_OK;
}

/* Sets `capacity` to 1.5 times the size of the first serialised state, since states may grow later. */
static seam_status find_state_size(fmu_part *self, seam_error *error) {
  const fmi_capabilities *can = &self->description->capabilities;
  fmu_calls *calls = self->calls;
  size_t size = 0;
  self->base.n_state = fmu_part_n_header(self) + 1;
  if (!can->can_get_and_set_state)
    return SEAM_OK;
  seam_status status = fmi_instance_save(calls->instance, &calls->state, error);
  if (!can->can_serialize_state)
    return status;
  THEN(status, fmi_instance_state_size(calls->instance, calls->state, &size, error));
  self->capacity = (size + size / 2 + 64) / sizeof(double) * sizeof(double);
  self->base.n_state += self->capacity / sizeof(double);
  return status;
}

/* Removes the operations that save and restore states, so that the part cannot repeat steps. */
static void drop_states(fmu_part *self) {
  self->ops.save = NULL;
  self->ops.restore = NULL;
  self->ops.keep = NULL;
  self->ops.go_back = NULL;
  self->can_roll_back = false;
}

/* Finds the size of states in the initialization mode, or after this mode if the FMU cannot save states in it. If the
 * FMU saves no states at all, although its description promises this, starts it again as an FMU that cannot repeat
 * steps. */
static seam_status find_states(fmu_part *self, const cosim_fmu_def *def, seam_error *error) {
  seam_error cause = {0};
  if (find_state_size(self, &cause) == SEAM_OK)
    return SEAM_OK;
  const seam_status status = fmu_part_begin(self, error);
  if (status != SEAM_OK)
    return status;
  if (find_state_size(self, &cause) == SEAM_OK) {
    seam_note("subsystem '%s': its FMU saves no state in its initialization mode: it begins with the start values of "
              "its inputs, which are set after that mode",
              def->name);
    return SEAM_OK;
  }
  fmi_instance_free_state(self->calls->instance, &self->calls->state);
  fmi_instance_destroy(self->calls->instance);
  self->calls->instance = NULL;
  drop_states(self);
  self->capacity = 0;
  self->base.n_state = 0;
  seam_note("subsystem '%s': its FMU declares that it saves states, but fails to: it is coupled like an FMU that "
            "cannot save states (%s)",
            def->name, cause.message);
  return initialize(self, def, error);
}

static seam_status instantiate(fmu_part *self, const cosim_fmu_def *def, seam_error *error) {
  const double length = def->stop - def->start, n = round(length / self->fixed);
  if (self->fixed > 0 && length > 0 && !(n >= 1 && fabs(length / self->fixed - n) <= cosim_fixed_steps * n))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "the FMU takes steps of %.9g s only, and the end, %.9g s, is not a multiple of that: take a "
                     "multiple as the end",
                     self->fixed, def->stop);
  seam_status status = copy_values(self, def, error);
  THEN(status, initialize(self, def, error));
  THEN(status, find_states(self, def, error));
  return status == SEAM_OK ? fmu_part_find_derivatives(self, def, error) : status;
}

/* ---- Without an instance ---- */

/* NOLINTNEXTLINE(readability-non-const-parameter): the type is that of cosim_part_ops */
static seam_status refuse_step(cosim_part *base, const cosim_step *step, double *outputs, double *derivatives,
                               seam_error *error) {
  (void)step;
  (void)outputs;
  (void)derivatives;
  return seam_fail(error, SEAM_BAD_STATE, "the FMU of subsystem '%s' was read without its binary and takes no step",
                   base->name);
}

static void write_zeros(cosim_part *base, double *outputs) {
  memset(outputs, 0, (size_t)base->n_outputs * sizeof *outputs);
}

static void evaluate_zeros(cosim_part *base, double t, const cosim_signal *inputs, double *outputs) {
  (void)t;
  (void)inputs;
  write_zeros(base, outputs);
}

static void save_zeros(const cosim_part *base, double *state) { memset(state, 0, base->n_state * sizeof *state); }

static void restore_nothing(cosim_part *base, const double *state) {
  (void)base;
  (void)state;
}

/* Makes a part that takes no steps. It has save() and restore() if the FMU's description promises them. */
static seam_status describe(fmu_part *self) {
  const bool repeats = self->ops.restore != NULL;
  self->base.n_state = 1;
  self->ops = (cosim_part_ops){.advance = refuse_step,
                               .get_outputs = write_zeros,
                               .evaluate_outputs = evaluate_zeros,
                               .save = repeats ? save_zeros : NULL,
                               .restore = repeats ? restore_nothing : NULL,
                               .get_events = get_events,
                               .destroy = destroy};
  return SEAM_OK;
}

/* Divides the longest communication step, if there is one. Returns false, since the FMU chooses the steps inside
 * communication steps. */
static bool refine(cosim_part *base, double parts, double tighter) {
  fmu_part *self = (fmu_part *)base;
  (void)tighter;
  self->longest /= parts;
  return false;
}

/* ---- With or without an instance ---- */

seam_status cosim_fmu_part_create(const cosim_fmu_def *def, cosim_part **part, seam_error *error) {
  static const cosim_part_ops ops = {.advance = advance,
                                     .get_outputs = get_outputs,
                                     .evaluate_outputs = evaluate_outputs,
                                     .save = fmu_part_save,
                                     .restore = fmu_part_restore,
                                     .keep = fmu_part_store,
                                     .go_back = fmu_part_go_back,
                                     .get_events = get_events,
                                     .wait_at_events = wait_at_events,
                                     .pass_events = fmu_part_pass_events,
                                     .want_outputs = fmu_part_set_wanted_outputs,
                                     .refine = refine,
                                     .destroy = destroy};

  const fmi_description *description = fmi_fmu_description(def->fmu);
  fmu_part *self = calloc(1, sizeof *self);
  if (self == NULL)
    return no_memory(def, error);
  *self = (fmu_part){.base = {.name = def->name,
                              .n_inputs = (int)count_values(description, def->inputs, def->n_inputs),
                              .n_outputs = (int)count_values(description, def->outputs, def->n_outputs),
                              .has_fixed_steps = cosim_fmu_fixed_step(description) != 0},
                     .ops = ops,
                     .description = description,
                     .input_method = cosim_fmu_input_method(description),
                     .longest = def->communication_step,
                     .fixed = cosim_fmu_fixed_step(description),
                     .can_roll_back = cosim_fmu_fixed_step(description) == 0,
                     .handled_until = INFINITY,
                     .stored_at = -INFINITY,
                     .saved_at = -INFINITY,
                     .restores_earlier_steps = def->restores_earlier_steps,
                     .n_input_variables = def->n_inputs,
                     .n_output_variables = def->n_outputs};
  self->base.ops = &self->ops;
  if (!description->capabilities.can_get_and_set_state) {
    drop_states(self);
    self->ops.want_outputs = NULL;
  }
  for (int i = 0; i < self->base.n_outputs && def->is_integral != NULL; i++)
    if (def->is_integral[i])
      self->base.of_step = self->is_integral = def->is_integral;
  bool enough = allocate(self, def);
  if (enough)
    list_inputs(self, def);
  enough = enough && list_outputs(self, def) && find_feedthrough(self, def);
  seam_status status = enough ? SEAM_OK : no_memory(def, error);
  if (status == SEAM_OK)
    fmu_part_find_samples(self);
  THEN(status, def->is_described ? describe(self) : instantiate(self, def, error));
  if (status != SEAM_OK) {
    destroy(&self->base);
    return status;
  }
  *part = &self->base;
  return SEAM_OK;
}
