#include "cosim/parts/fmu_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/note.h"
#include "base/then.h"
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

/* ---- Saved states ----
 *
 * A state begins with a header: the inputs u, time, next event, and flags. The state of the FMU follows. */

enum { N_HEADER = 3 }; /* numbers in the header besides the inputs u */

/* Flags: an event is pending; events at the start are pending; the run has ended; the FMU initializes. */
enum { EVENT_PENDING = 1, AT_START = 2, HAS_ENDED = 4, INITIALIZES = 8 };

static size_t n_header(const fmu_part *self) { return (size_t)self->base.n_inputs + N_HEADER; }

static void save_header(const fmu_part *self, double *state) {
  const size_t n = (size_t)self->base.n_inputs;
  memcpy(state, self->u, n * sizeof *state);
  state[n] = self->reached;
  state[n + 1] = fmi_instance_next_event(self->instance);
  state[n + 2] = (self->is_event_pending ? EVENT_PENDING : 0) +
                 (fmi_instance_has_deferred_events(self->instance) ? AT_START : 0) + (self->has_ended ? HAS_ENDED : 0) +
                 (self->is_initializing ? INITIALIZES : 0);
}

static void restore_header(fmu_part *self, const double *state) {
  const size_t n = (size_t)self->base.n_inputs;
  const int flags = cosim_saved_count(state[n + 2], 0, EVENT_PENDING | AT_START | HAS_ENDED | INITIALIZES);
  if ((flags & INITIALIZES) == 0)
    fmu_part_begin(self, &self->failed);
  memcpy(self->u, state, n * sizeof *state);
  self->reached = state[n];
  fmi_instance_expect_event(self->instance, state[n + 1], (flags & AT_START) != 0);
  self->is_event_pending = (flags & EVENT_PENDING) != 0;
  self->has_ended = (flags & HAS_ENDED) != 0;
  self->is_initializing = (flags & INITIALIZES) != 0;
}

/* Writes the number of bytes, then the bytes of the FMU's serialised state. */
static void save_bytes(fmu_part *self, double *state) {
  size_t size = 0;
  memset(state, 0, self->capacity + sizeof *state);
  if (fmi_instance_save(self->instance, &self->state, &self->failed) != SEAM_OK ||
      fmi_instance_state_size(self->instance, self->state, &size, &self->failed) != SEAM_OK)
    return;
  if (size > self->capacity)
    seam_fail(
        &self->failed, SEAM_FMU_FAILED,
        "its state has grown from %zu to %zu bytes, which cannot be saved: take a scheme that ends in '-explicit'",
        self->capacity, size);
  else if (fmi_instance_write(self->instance, self->state, state + 1, size, &self->failed) == SEAM_OK)
    state[0] = (double)size;
}

static void restore_bytes(fmu_part *self, const double *state) {
  if (!(state[0] > 0 && state[0] <= (double)self->capacity)) {
    seam_fail(&self->failed, SEAM_BAD_STATE, "the state to restore was not saved by this FMU");
    return;
  }
  if (fmi_instance_read(self->instance, state + 1, (size_t)state[0], &self->state, &self->failed) == SEAM_OK)
    fmi_instance_restore(self->instance, self->state, &self->failed);
}

/* Saves a number in place of a state, which remains inside the FMU. */
static void save_number(fmu_part *self, double *state) {
  const int slot = (int)fmod(self->n_saved, N_SLOTS);
  state[0] = ++self->n_saved;
  if (fmi_instance_save(self->instance, &self->slot[slot], &self->failed) == SEAM_OK)
    self->number[slot] = state[0];
}

static void restore_number(fmu_part *self, const double *state) {
  for (int slot = 0; slot < N_SLOTS && state[0] > 0; slot++)
    if (self->number[slot] == state[0]) {
      fmi_instance_restore(self->instance, self->slot[slot], &self->failed);
      return;
    }
  seam_fail(&self->failed, SEAM_BAD_STATE,
            "the state to restore is no longer there: this FMU keeps only its latest states, in this process, because "
            "it does not serialise them");
}

static void save(const cosim_part *base, double *state) {
  fmu_part *self = (fmu_part *)base; /* not const: the part records its saves */
  save_header(self, state);
  self->saved_at = self->reached;
  (self->capacity > 0 ? save_bytes : save_number)(self, state + n_header(self));
}

static void restore(cosim_part *base, const double *state) {
  fmu_part *self = (fmu_part *)base;
  self->knows_inputs = false;
  restore_header(self, state);
  (self->capacity > 0 ? restore_bytes : restore_number)(self, state + n_header(self));
}

static void keep(cosim_part *base) {
  fmu_part *self = (fmu_part *)base;
  save_header(self, self->kept_header);
  self->kept_at = self->reached;
  fmi_instance_save(self->instance, &self->kept, &self->failed);
}

static void go_back(cosim_part *base) {
  fmu_part *self = (fmu_part *)base;
  self->knows_inputs = false;
  restore_header(self, self->kept_header);
  fmi_instance_restore(self->instance, self->kept, &self->failed);
}

/* ---- Memory ---- */

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
  X(self, input_unit, n_in)                                                                                            \
  X(self, output_unit, n_out)                                                                                          \
  X(self, u, n_in)                                                                                                     \
  X(self, inputs_in_fmu, n_in)                                                                                         \
  X(self, values, (COSIM_MAX_DEGREE + 1) * n_in)                                                                       \
  X(self, now, n_in)                                                                                                   \
  X(self, tau, COSIM_MAX_PIECES *n_in)                                                                                 \
  X(self, kept_header, n_in + N_HEADER)                                                                                \
  X(self, is_held, n_out)                                                                                              \
  X(self, wanted, n_out)                                                                                               \
  X(self, wanted_outputs, n_out)                                                                                       \
  X(self, outputs_before, 2 * n_out)                                                                                   \
  X(self, integrals, n_out)

static void destroy(cosim_part *base) {
  fmu_part *self = (fmu_part *)base;
  if (self->instance != NULL) {
    fmi_instance_free_state(self->instance, &self->state);
    fmi_instance_free_state(self->instance, &self->kept);
    fmi_instance_free_state(self->instance, &self->exact.state);
    fmi_instance_free_state(self->instance, &self->before);
    for (int slot = 0; slot < N_SLOTS; slot++)
      fmi_instance_free_state(self->instance, &self->slot[slot]);
    fmi_instance_destroy(self->instance);
  }
  for (size_t i = 0; i < self->n_given; i++)
    free(self->given[i].numbers);
  free(self->given);
  free(self->exact.row);
  free(self->exact.values);
  FMU_ARRAYS(FREE_ARRAY)
  free(self->feedthrough);
  free(self);
}

/* ---- Creation ---- */

static seam_status check_memory(const cosim_fmu_def *def, bool is_enough, seam_error *error) {
  return is_enough ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory for the FMU of subsystem '%s'", def->name);
}

static size_t count_values(const fmi_description *in, const size_t *variables, size_t n) {
  size_t sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += fmi_n_values(&in->variables[variables[i]]);
  return sum;
}

static bool allocate(fmu_part *self, const cosim_fmu_def *def) {
  const size_t n_in = (size_t)self->base.n_inputs, n_out = (size_t)self->base.n_outputs;
  const bool enough = true FMU_ARRAYS(ALLOCATE_ARRAY);
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
      if (def->input_in_si != NULL && def->input_in_si[at])
        self->input_unit[at] = fmi_unit_of(self->description, def->inputs[i]);
      self->u[at] = fmu_part_to_si(self->input_unit[at], self->u[at]);
    }
  }
}

static void list_outputs(fmu_part *self, const cosim_fmu_def *def) {
  int at = 0; /* index of a value among the part's outputs */
  for (size_t i = 0; i < def->n_outputs; i++) {
    const fmi_variable *variable = &self->description->variables[def->outputs[i]];
    const size_t n = fmi_n_values(variable);
    const bool is_real = variable->type == FMI_FLOAT64;
    self->outputs[i] = variable->reference;
    self->output_variables[i] = def->outputs[i];
    self->n_real_output_variables += is_real;
    self->n_real_outputs += is_real ? (int)n : 0;
    for (size_t k = 0; k < n; k++, at++) {
      if (def->output_in_si != NULL && def->output_in_si[at])
        self->output_unit[at] = fmi_unit_of(self->description, def->outputs[i]);
      self->is_held[at] =
          variable->variability == FMI_DISCRETE && (is_real || fmu_part_has_event_mode(self->description));
    }
  }
}

static bool depends(const fmi_variable *output, size_t input) {
  bool depends = false;
  for (size_t k = 0; k < output->n_depends_on; k++)
    depends |= output->depends_on[k] == input;
  return depends;
}

/* Fills `feedthrough` if all outputs declare their dependence on inputs. Outputs at macro points are then read in the
 * order of dependence. Returns false if memory is exhausted. */
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

static bool is_structural(const fmu_part *self, const cosim_fmu_value *value) {
  return self->description->variables[value->variable].causality == FMI_STRUCTURAL_PARAMETER;
}

static seam_status set_values(const fmu_part *self, bool of_structure, seam_error *error) {
  fmi_instance *instance = self->instance;
  for (const cosim_fmu_value *value = self->given; value < self->given + self->n_given; value++) {
    const size_t n = fmi_n_values(&self->description->variables[value->variable]);
    if (is_structural(self, value) == of_structure)
      TRY(value->text != NULL ? fmi_instance_set_text(instance, value->variable, value->text, error)
                              : fmi_instance_set(instance, value->variable, value->numbers, n, error));
  }
  return SEAM_OK;
}

/* Fails if the FMU has not accepted the value of a numeric parameter. A parameter that cannot be read passes. */
static seam_status check_value(const fmu_part *self, const cosim_fmu_value *value, seam_error *error) {
  const fmi_variable *of = &self->description->variables[value->variable];
  const size_t n = fmi_n_values(of);
  seam_status status = SEAM_OK;
  if (value->numbers == NULL || (of->causality != FMI_PARAMETER && of->causality != FMI_STRUCTURAL_PARAMETER))
    return SEAM_OK;
  double *now = calloc(n + 1, sizeof *now);
  if (now == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for values of an FMU");
  const bool is_known = fmi_instance_get(self->instance, value->variable, now, n, NULL) == SEAM_OK;
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

/* Reads start values of input arrays that were resized but not set: the description has none for them. */
static void read_resized_inputs(fmu_part *self, const cosim_fmu_def *def) {
  double *first = self->u;
  for (size_t i = 0; i < def->n_inputs; i++) {
    const fmi_variable *of = &self->description->variables[def->inputs[i]];
    const size_t n = fmi_n_values(of);
    bool is_known = of->n_start <= 1 || of->n_start == n;
    for (size_t v = 0; v < def->n_values; v++)
      is_known = is_known || def->values[v].variable == def->inputs[i];
    if (!is_known)
      (void)fmi_instance_get(self->instance, def->inputs[i], first, n, NULL);
    for (size_t k = 0; k < n && !is_known; k++)
      first[k] = fmu_part_to_si(self->input_unit[first + k - self->u], first[k]);
    first += n;
  }
}

/* ---- Initialization ---- */

seam_status fmu_part_begin(fmu_part *self, seam_error *error) {
  seam_error cause = {0};
  if (!self->is_initializing)
    return SEAM_OK;
  self->is_initializing = false;
  if (fmi_instance_begin(self->instance, &cause) != SEAM_OK)
    return seam_fail(error, SEAM_BAD_INPUT, "it cannot be initialised: %s", cause.message);
  for (size_t i = 0; i < self->n_given; i++)
    TRY(check_value(self, &self->given[i], error));
  return SEAM_OK;
}

bool cosim_fmu_part_initializes(const cosim_part *part) {
  return part->ops->get_outputs == fmu_part_get_outputs && ((const fmu_part *)part)->is_initializing;
}

seam_status cosim_fmu_part_begin(cosim_part *part, const double *inputs, seam_error *error) {
  fmu_part *self = (fmu_part *)part;
  seam_error cause = {0};
  if (fmu_part_set_connected_inputs(self, inputs, &cause) != SEAM_OK)
    return seam_fail(error, SEAM_BAD_INPUT, "subsystem '%s': it cannot be initialised: %s", part->name, cause.message);
  const seam_status status = fmu_part_begin(self, &cause);
  return status == SEAM_OK ? SEAM_OK : seam_fail(error, status, "subsystem '%s': %s", part->name, cause.message);
}

/* Creates the instance and enters its initialization mode, where the part remains until its inputs are known. */
static seam_status initialize(fmu_part *self, const cosim_fmu_def *def, seam_error *error) {
  const fmi_instance_def instance = {.name = def->name,
                                     .update = self->n_updated > 0 ? fmu_part_update : NULL,
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
  TRY(fmi_instance_create(def->fmu, &instance, &self->instance, error));
  bool has_structure = false;
  for (size_t i = 0; i < self->n_given; i++)
    has_structure = has_structure || is_structural(self, &self->given[i]);
  if (has_structure) { /* sets structural parameters (sizes of arrays) before all other values */
    TRY(fmi_instance_configure(self->instance, true, error));
    TRY(set_values(self, true, error));
    TRY(fmi_instance_configure(self->instance, false, error));
  }
  TRY(set_values(self, false, error));
  if (fmi_instance_initialize(self->instance, &cause) != SEAM_OK)
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
  size_t size = 0;
  self->base.n_state = n_header(self) + 1;
  if (!can->can_get_and_set_state)
    return SEAM_OK;
  self->base.stays_in_process = !can->can_serialize_state;
  TRY(fmi_instance_save(self->instance, &self->state, error));
  if (self->base.stays_in_process)
    return SEAM_OK;
  TRY(fmi_instance_state_size(self->instance, self->state, &size, error));
  self->capacity = (size + size / 2 + 64) / sizeof(double) * sizeof(double);
  self->base.n_state += self->capacity / sizeof(double);
  return SEAM_OK;
}

/* Removes the operations that save and restore states: the part cannot repeat steps then. */
static void drop_states(fmu_part *self) {
  self->ops.save = NULL;
  self->ops.restore = NULL;
  self->ops.keep = NULL;
  self->ops.go_back = NULL;
  self->can_roll_back = false;
}

/* Finds the size of states in the initialization mode or, if the FMU saves none in it, after it. If the FMU saves none
 * at all, although its description promises states, starts it again as one that cannot repeat steps. */
static seam_status find_states(fmu_part *self, const cosim_fmu_def *def, seam_error *error) {
  seam_error cause = {0};
  if (find_state_size(self, &cause) == SEAM_OK)
    return SEAM_OK;
  TRY(fmu_part_begin(self, error));
  if (find_state_size(self, &cause) == SEAM_OK) {
    seam_note("subsystem '%s': its FMU cannot save its state during initialization, so it is initialized with start "
              "values of its inputs, not with outputs of other subsystems; if that matters, give start values under "
              "'inputs' of this subsystem",
              def->name);
    return SEAM_OK;
  }
  fmi_instance_free_state(self->instance, &self->state);
  fmi_instance_destroy(self->instance);
  self->instance = NULL;
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
                     "the FMU takes steps of %.9g s only, and 'end', %.9g s, is not a multiple of this step: set 'end' "
                     "to a multiple",
                     self->fixed, def->stop);
  self->given = calloc(def->n_values + 1, sizeof *self->given);
  TRY(check_memory(def, self->given != NULL, error));
  for (size_t v = 0; v < def->n_values; v++) { /* copies the values, one number for each element of an array */
    const cosim_fmu_value *value = &def->values[v];
    const size_t n_elements = fmi_n_values(&self->description->variables[value->variable]);
    cosim_fmu_value *given = &self->given[self->n_given++];
    *given = (cosim_fmu_value){.variable = value->variable, .text = value->text};
    if (value->text != NULL)
      continue;
    given->numbers = calloc(n_elements + 1, sizeof *given->numbers);
    TRY(check_memory(def, given->numbers != NULL, error));
    for (size_t i = 0; i < n_elements; i++)
      given->numbers[i] = number_of(value, i);
  }
  TRY(initialize(self, def, error));
  TRY(find_states(self, def, error));
  return fmu_part_find_derivatives(self, def, error);
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

/* Makes a part that takes no steps. It has save() and restore() if the description promises states. */
static seam_status describe(fmu_part *self) {
  const bool repeats = self->ops.restore != NULL;
  self->base.n_state = 1;
  self->ops = (cosim_part_ops){.advance = refuse_step,
                               .get_outputs = write_zeros,
                               .evaluate_outputs = evaluate_zeros,
                               .save = repeats ? save_zeros : NULL,
                               .restore = repeats ? restore_nothing : NULL,
                               .get_events = fmu_part_get_events,
                               .destroy = destroy};
  return SEAM_OK;
}

/* Divides the longest communication step. Returns false, since the FMU chooses its own steps inside it. */
static bool refine(cosim_part *base, double parts, double tighter) {
  fmu_part *self = (fmu_part *)base;
  (void)tighter;
  self->longest /= parts;
  return false;
}

/* ---- With or without an instance ---- */

seam_status cosim_fmu_part_create(const cosim_fmu_def *def, cosim_part **part, seam_error *error) {
  static const cosim_part_ops ops = {.advance = fmu_part_advance,
                                     .get_outputs = fmu_part_get_outputs,
                                     .evaluate_outputs = fmu_part_evaluate_outputs,
                                     .save = save,
                                     .restore = restore,
                                     .keep = keep,
                                     .go_back = go_back,
                                     .get_events = fmu_part_get_events,
                                     .wait_at_events = fmu_part_wait_at_events,
                                     .pass_events = fmu_part_pass_events,
                                     .want_outputs = fmu_part_set_wanted_outputs,
                                     .refine = refine,
                                     .destroy = destroy};

  const fmi_description *description = fmi_fmu_description(def->fmu);
  fmu_part *self = calloc(1, sizeof *self);
  TRY(check_memory(def, self != NULL, error));
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
                     .kept_at = -INFINITY,
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
  seam_status status = check_memory(def, allocate(self, def) && find_feedthrough(self, def), error);
  if (status == SEAM_OK) {
    list_inputs(self, def);
    list_outputs(self, def);
    fmu_part_find_samples(self);
    status = def->is_described ? describe(self) : instantiate(self, def, error);
  }
  RETURN_CREATED(status, &self->base, part, destroy);
}
