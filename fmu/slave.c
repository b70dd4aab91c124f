#include "fmu/slave.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/checksum.h"
#include "base/then.h"
#include "base/vector.h"
#include "cosim/parts/signal.h"
#include "fmu/thresholds.h"
#include "mbs/model/event.h"
#include "models/model_file.h"

static const model_fmu *listed(const fmu_slave *self) { return &self->unit->file->fmu; }
static size_t n_inputs(const fmu_slave *self) { return (size_t)self->unit->part->n_inputs; }
static size_t n_outputs(const fmu_slave *self) { return (size_t)self->unit->part->n_outputs; }
static size_t n_state(const fmu_slave *self) { return self->unit->part->n_state; }
/* Returns the number of values in the image of the events. */
static size_t n_of_events(const fmu_slave *self) { return mbs_events_image_size(self->unit->events) / sizeof(double); }

/* Arrays of a slave, and their lengths; n_listed must be set before their use. */
#define SLAVE_ARRAYS(X)                                                                                                \
  X(self, parameters, listed(self)->n_parameters)                                                                      \
  X(self, defaults, listed(self)->n_parameters)                                                                        \
  X(self, of_unit, listed(self)->n_parameters)                                                                         \
  X(self, starts, listed(self)->n_inputs)                                                                              \
  X(self, settings, listed(self)->n_parameters + listed(self)->n_inputs)                                               \
  X(self, inputs, n_inputs(self))                                                                                      \
  X(self, is_set, n_inputs(self))                                                                                      \
  X(self, rates, n_inputs(self) * COSIM_MAX_DEGREE)                                                                    \
  X(self, signals, n_inputs(self))                                                                                     \
  X(self, pieces, n_inputs(self))                                                                                      \
  X(self, outputs, 3 * n_outputs(self))                                                                                \
  X(self, seeds, COSIM_MAX_SEEDS_PER_INPUT *n_inputs(self))                                                            \
  X(self, derivatives, COSIM_MAX_SEEDS_PER_INPUT *n_inputs(self) * n_outputs(self))                                    \
  X(self, listed_indices, self->n_listed[0] + self->n_listed[1])                                                       \
  X(self, of_accelerations, self->n_listed[1])                                                                         \
  X(self, wanted, self->n_listed[1])                                                                                   \
  X(self, slopes, n_outputs(self))                                                                                     \
  X(self, scratch, n_state(self))                                                                                      \
  X(self, before, n_state(self))                                                                                       \
  X(self, first, n_state(self))                                                                                        \
  X(self, events_before, n_of_events(self))

/* ---- Derivatives of the outputs of a step by its input polynomials (docs/fmi.md) ---- */

/* Makes steps give derivatives by c_ik for k = 0 to `degree`; -1: no derivatives. */
static seam_status set_degree(fmu_slave *self, double degree, seam_error *error) {
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

static seam_status set_shapes(fmu_slave *self, const double *shapes, seam_error *error) {
  for (int k = 0; k < FMU_N_SHAPES; k++)
    if (!isfinite(shapes[k]))
      return seam_fail(error, SEAM_BAD_INPUT, "'%s' is set to a value that is not finite", COSIM_FMU_SHAPES);
  memcpy(self->shapes, shapes, sizeof self->shapes);
  self->n_shapes = 0;
  return set_degree(self, self->degree, error);
}

/* Makes the part compute accelerations in steps if a wanted output depends on them. */
static void apply_wanted(fmu_slave *self) {
  const fmu_unit *unit = self->unit;
  const double *wanted = self->wanted;
  bool follows = false;
  for (size_t i = 0; i < unit->n_variables; i++)
    if (unit->variables[i].role == FMU_OUTPUT)
      follows = (*wanted++ != 0 && unit->variables[i].depends_on_accelerations) || follows;
  if (unit->model != NULL)
    cosim_multibody_set_accelerations_wanted(unit->part, follows);
}

static seam_status set_wanted(fmu_slave *self, const double *wanted, seam_error *error) {
  for (size_t i = 0; i < self->n_listed[1]; i++)
    if (wanted[i] != 0 && wanted[i] != 1)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "number %zu of %s must be 1 (the output is read) or 0 (it is not), but is %g", i + 1,
                       COSIM_FMU_WANTED, wanted[i]);
  memcpy(self->wanted, wanted, self->n_listed[1] * sizeof *wanted);
  apply_wanted(self);
  return SEAM_OK;
}

/* Returns true if a law of the mechanism reads the input: steps give no derivatives by it. */
static bool is_of_law(const fmu_unit *unit, int input) {
  if (unit->model == NULL)
    return false;
  const cosim_multibody_view view = cosim_multibody_view_of(unit->part);
  for (int p = 0; p < view.sub->model->n_ports; p++)
    if (view.ports[p].def.kind == MBS_PORT_QUANTITY && view.ports[p].input == input)
      return true;
  return false;
}

/* Sets self->listed_indices and self->of_accelerations. */
static void number_derivatives(fmu_slave *self) {
  const fmu_unit *unit = self->unit;
  int *input = self->listed_indices, *output = self->listed_indices + self->n_listed[0];
  bool *of_accelerations = self->of_accelerations;
  for (size_t i = 0; i < unit->n_variables; i++) {
    const fmu_variable *variable = &unit->variables[i];
    if (variable->role == FMU_INPUT)
      *input++ = is_of_law(unit, variable->number) ? -1 : variable->number;
    if (variable->role == FMU_OUTPUT) {
      *output++ = variable->number;
      *of_accelerations++ = variable->depends_on_accelerations;
    }
  }
}

static void get_derivatives(const fmu_slave *self, double *values) {
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
        row[o] = self->has_complete_derivatives || !self->of_accelerations[o] ? from[output[o]] : NAN;
    }
  }
}

/* ---- Creation ---- */

/* Makes a unit with self->parameters and self->starts; the first one with the values of the model file. */
static seam_status make_unit(fmu_slave *self, fmu_unit **unit, seam_error *error) {
  seam_model_file *file = NULL;
  size_t n = 0;
  for (size_t i = 0; self->unit != NULL && i < listed(self)->n_parameters; i++)
    self->settings[n++] = (fmu_setting){"parameters", listed(self)->parameters[i], self->parameters[i]};
  for (size_t i = 0; self->unit != NULL && i < listed(self)->n_inputs; i++)
    if (!isnan(self->starts[i]))
      self->settings[n++] = (fmu_setting){"fmu.inputs", listed(self)->inputs[i], self->starts[i]};
  TRY(fmu_resources_model(&self->resources, self->settings, n, &file, error));
  return fmu_unit_create(file, self->resources.subsystem, unit, error);
}

static void read_starts(fmu_slave *self) {
  memcpy(self->parameters, self->defaults, listed(self)->n_parameters * sizeof *self->parameters);
  memset(self->is_set, 0, n_inputs(self));
  memset(self->rates, 0, n_inputs(self) * COSIM_MAX_DEGREE * sizeof *self->rates);
  memset(self->inputs, 0, n_inputs(self) * sizeof *self->inputs);
  memcpy(self->shapes, fmu_unit_shapes, sizeof self->shapes);
  self->n_shapes = 0;
  self->degree = -1;
  self->input_degree = COSIM_MAX_DEGREE;
  for (size_t i = 0; i < self->n_listed[1]; i++)
    self->wanted[i] = 1;
  apply_wanted(self);
}

seam_status fmu_slave_create(const char *folder, fmu_slave **created, seam_error *error) {
  fmu_slave *self = calloc(1, sizeof *self);
  TRY(fmu_check_memory(self != NULL, error));
  seam_status status = fmu_resources_read(folder, &self->resources, error);
  THEN(status, make_unit(self, &self->unit, error));
  if (status == SEAM_OK) {
    self->n_listed[0] = fmu_unit_count(self->unit, FMU_INPUT);
    self->n_listed[1] = fmu_unit_count(self->unit, FMU_OUTPUT);
    const bool enough = true SLAVE_ARRAYS(ALLOCATE_ARRAY);
    status = fmu_check_memory(enough, error);
  }
  if (status != SEAM_OK) {
    fmu_slave_destroy(self);
    return status;
  }
  memcpy(self->defaults, listed(self)->values, listed(self)->n_parameters * sizeof *self->defaults);
  memcpy(self->of_unit, self->defaults, listed(self)->n_parameters * sizeof *self->of_unit);
  for (size_t i = 0; i < listed(self)->n_inputs; i++)
    self->starts[i] = NAN;
  self->stop = INFINITY;
  read_starts(self);
  number_derivatives(self);
  uint64_t sum = 0; /* checksum of the names of variables */
  for (size_t i = 0; i < self->unit->n_variables; i++)
    sum = checksum_add(sum, self->unit->variables[i].name, strlen(self->unit->variables[i].name) + 1);
  self->fingerprint = (double)(sum >> 12);
  self->unit->part->ops->save(self->unit->part, self->first);
  *created = self;
  return SEAM_OK;
}

void fmu_slave_destroy(fmu_slave *self) {
  if (self == NULL)
    return;
  fmu_unit_destroy(self->unit);
  arena_release(&self->resources.memory);
  SLAVE_ARRAYS(FREE_ARRAY)
  free(self);
}

/* ---- Events: a step may end at an event of the model ---- */

bool fmu_slave_has_stops(const fmu_slave *self) {
  bool has = false;
  for (size_t i = 0; self->unit->events != NULL && i < mbs_n_events(self->unit->model); i++)
    has = has || mbs_event_of(self->unit->model, i).stops;
  return has;
}

/* The search for events needs states within the step. A separate step from the beginning gives each of them: costly but
 * exact, and taken only if steps are to end at events (ends_at_events). */
typedef struct search {
  fmu_slave *slave;
  double t, H;
  const cosim_signal *signals;
} search;

/* Computes the state at t, by a step from s->t. The FMU's inputs are variables of the mechanism. */
static seam_status state_at(void *context, double t, mbs_state *state, seam_error *error) {
  const search *s = context;
  fmu_slave *slave = s->slave;
  const fmu_unit *unit = slave->unit;
  cosim_part *part = unit->part;
  const model_fmu *fmu = &unit->file->fmu;
  const cosim_multibody_view view = cosim_multibody_view_of(part);
  const double length = t - s->t;
  seam_status status = SEAM_OK;
  part->ops->restore(part, slave->before);
  if (length > 0) {
    for (size_t i = 0; i < n_inputs(slave); i++)
      slave->pieces[i] = cosim_signal_between(&s->signals[i], 0, fmin(length / s->H, 1));
    const cosim_step step = {.t = s->t, .H = length, .inputs = slave->pieces};
    status = part->ops->advance(part, &step, slave->outputs, NULL, error);
  } else
    memcpy(view.inputs, slave->inputs, n_inputs(slave) * sizeof *slave->inputs);
  if (status == SEAM_OK && cosim_multibody_is_sample_due(part))
    status = cosim_multibody_sample(part, error);
  memset(state->work, 0, 2 * sizeof *state->work);
  if (status == SEAM_OK)
    cosim_multibody_write(part, state);
  for (size_t i = 0; i < fmu->n_inputs; i++)
    state->z[mbs_variable_of(unit->model, mbs_find_variable(unit->model, fmu->inputs[i])).state] = view.inputs[i];
  state->t = t;
  return status;
}

/* Finds the first event up to `end`; event->number SEAM_NONE: there is none. */
static seam_status find_first(const search *s, double end, mbs_event *event, seam_error *error) {
  mbs_events *events = s->slave->unit->events;
  const mbs_model *model = s->slave->unit->model;
  const mbs_known_motion motion = {state_at, (void *)s};
  const double shortest = fmu_event_at_begin * s->H; /* an event up to s->t + shortest is one of the previous step */
  mbs_events_extend(events, end);
  for (;;) {
    TRY(mbs_events_find_next(events, end, event, error));
    const bool is_found = event->number != SEAM_NONE;
    if (is_found && s->slave->ends_at_stops_only && !mbs_event_of(model, event->number).stops)
      continue;
    if ((is_found && event->time - s->t > shortest) || (!is_found && mbs_events_searched(events) >= end))
      break;
    if (!is_found)
      TRY(mbs_events_check(events, &motion, error));
  }
  if (event->number == SEAM_NONE)
    return SEAM_OK;
  const double until = event->time + shortest; /* an event up to this time that stops the run replaces *event */
  while (mbs_events_searched(events) < fmin(until, end))
    TRY(mbs_events_check(events, &motion, error));
  for (mbs_event other = *event; other.number != SEAM_NONE;) {
    TRY(mbs_events_find_next(events, until, &other, error));
    if (other.number != SEAM_NONE && mbs_event_of(model, other.number).stops)
      event->number = other.number;
  }
  return mbs_events_rewind(events, &motion, event->time, error);
}

static void restore_events(fmu_slave *self) {
  mbs_events *events = self->unit->events;
  if (events != NULL)
    (void)mbs_events_restore(events, self->events_before, mbs_events_image_size(events), NULL);
}

static seam_status find_event(fmu_slave *self, double t, double H, const cosim_signal *signals, mbs_event *event,
                              seam_error *error) {
  const search s = {self, t, H, signals};
  cosim_part *part = self->unit->part;
  *event = (mbs_event){.number = SEAM_NONE, .time = t + H};
  if (self->unit->events == NULL)
    return SEAM_OK;
  part->ops->save(part, self->before);
  mbs_events_save(self->unit->events, self->events_before);
  double end = t + H;
  seam_status status = find_first(&s, end, event, error);
  /* The event's time may show that another condition has changed before. */
  while (status == SEAM_OK && event->number != SEAM_NONE && mbs_events_have_missed(self->unit->events) &&
         event->time + fmu_event_at_begin * H < end) {
    end = event->time + fmu_event_at_begin * H;
    restore_events(self);
    status = find_first(&s, end, event, error);
  }
  if (status == SEAM_OK && event->number == SEAM_NONE && end < t + H) { /* the event only touches zero, at `end` */
    restore_events(self);
    status = find_first(&s, t + H, event, error);
  }
  part->ops->restore(part, self->before);
  if (status != SEAM_OK)
    restore_events(self);
  return status;
}

/* ---- Start ---- */

/* Sets self->starts to the inputs that the importer has set; NaN: not set, so that the value in the file counts. The
 * initial state may depend on them. Returns true if one differs from its value in the present unit. */
static bool update_start_inputs(fmu_slave *self) {
  bool differs = false;
  for (size_t i = 0; i < listed(self)->n_inputs; i++) {
    const char *name = listed(self)->inputs[i];
    const table_slot *slot = table_find(&self->unit->names, name, strlen(name));
    const fmu_variable *found = slot != NULL ? &self->unit->variables[slot->value] : NULL;
    const bool is_set = found != NULL && found->role == FMU_INPUT && self->is_set[found->number];
    const double start = is_set ? self->inputs[found->number] : NAN;
    differs = differs || !(start == self->starts[i] || (isnan(start) && isnan(self->starts[i])));
    self->starts[i] = start;
  }
  return differs;
}

/* Replaces the unit if parameters have changed, or if `inputs_differ`. */
static seam_status update_unit(fmu_slave *self, bool inputs_differ, seam_error *error) {
  const size_t size = listed(self)->n_parameters * sizeof *self->parameters;
  fmu_unit *unit = NULL;
  if (memcmp(self->parameters, self->of_unit, size) == 0 && !inputs_differ)
    return SEAM_OK;
  TRY(make_unit(self, &unit, error));
  if (unit->part->n_inputs != self->unit->part->n_inputs || unit->part->n_outputs != self->unit->part->n_outputs ||
      unit->part->n_state != self->unit->part->n_state) {
    fmu_unit_destroy(unit);
    return seam_fail(error, SEAM_BAD_INPUT,
                     "parameters change the number of bodies, inputs or outputs: export an FMU for each number");
  }
  fmu_unit_destroy(self->unit);
  self->unit = unit;
  apply_wanted(self);
  memcpy(self->of_unit, self->parameters, size);
  unit->part->ops->save(unit->part, self->first);
  return SEAM_OK;
}

static void set_constant_inputs(fmu_slave *self) {
  for (size_t i = 0; i < n_inputs(self); i++)
    self->signals[i] = (cosim_signal){.n_pieces = 1, .c = {{self->inputs[i]}}};
}

static void evaluate(fmu_slave *self) {
  set_constant_inputs(self);
  fmu_unit_outputs(self->unit, self->t, self->signals, self->scratch, self->outputs);
  self->is_current = self->is_complete = true;
  self->is_stale = false;
}

/* Computes the outputs that the last step left out. */
static void complete(fmu_slave *self) {
  self->unit->part->ops->get_outputs(self->unit->part, self->outputs);
  self->is_complete = true;
}

static seam_status assemble(fmu_slave *self, double t, seam_error *error) {
  TRY(update_unit(self, update_start_inputs(self), error));
  if (self->unit->model == NULL)
    self->unit->part->ops->restore(self->unit->part, self->first);
  TRY(fmu_unit_start(self->unit, t, error));
  self->t = t;
  for (size_t i = 0; i < n_inputs(self) && self->unit->model != NULL; i++)
    if (!self->is_set[i]) /* starts with its value in the mechanism without cuts */
      self->inputs[i] = cosim_multibody_view_of(self->unit->part).inputs[i];
  evaluate(self);
  return SEAM_OK;
}

seam_status fmu_slave_start(fmu_slave *self, double t, seam_error *error) {
  seam_status status = assemble(self, t, error);
  const fmu_unit *unit = self->unit;
  if (status == SEAM_OK && self->ends_at_events && unit->events != NULL) {
    search s = {.slave = self, .t = t, .H = 1};
    unit->part->ops->save(unit->part, self->before);
    status = state_at(&s, t, unit->start, error);
    THEN(status, mbs_events_start(unit->events, unit->start, error));
  }
  self->has_started = status == SEAM_OK;
  return status;
}

void fmu_slave_reset(fmu_slave *self) {
  read_starts(self);
  self->stop = INFINITY;
  self->has_stopped = false;
  self->has_started = self->is_current = false;
}

/* ---- Values ---- */

/* Returns the variable with this value reference; NULL, with a message in *error: there is none. */
static const fmu_variable *find(const fmu_slave *self, size_t reference, seam_error *error) {
  if (reference < self->unit->n_variables)
    return &self->unit->variables[reference];
  (void)seam_fail(error, SEAM_BAD_INPUT, "there is no variable with the value reference %zu: the highest is %zu",
                  reference, self->unit->n_variables - 1);
  return NULL;
}

/* After a change above round-off, outputs are computed again when they are read. */
static void set_input(fmu_slave *self, int number, double value) {
  const double before = self->inputs[number];
  self->inputs[number] = value;
  self->is_set[number] = true;
  if (fabs(value - before) > fmu_same_input * fabs(value))
    self->is_stale = self->unit->part->ops->evaluate_outputs != NULL;
}

static seam_status set_input_degree(fmu_slave *self, double degree, seam_error *error) {
  if (!(degree >= 0 && degree <= COSIM_MAX_DEGREE && degree == floor(degree)))
    return seam_fail(error, SEAM_BAD_INPUT, "%s = %g: take a whole number from 0, inputs are constant, to %d",
                     COSIM_FMU_INPUT_DEGREE, degree, COSIM_MAX_DEGREE);
  self->input_degree = degree;
  return SEAM_OK;
}

static seam_status set_one(fmu_slave *self, const fmu_variable *variable, const double *values, seam_error *error) {
  switch (variable->role) {
  case FMU_DEGREE:
    return set_degree(self, *values, error);
  case FMU_INPUT_DEGREE:
    return set_input_degree(self, *values, error);
  case FMU_SHAPES:
    return set_shapes(self, values, error);
  case FMU_WANTED:
    return set_wanted(self, values, error);
  case FMU_INPUT:
  case FMU_PARAMETER:
    break;
  default:
    return seam_fail(error, SEAM_BAD_INPUT, "'%s' is %s and cannot be set", variable->name,
                     variable->role == FMU_TIME ? "the time" : "an output");
  }
  if (!isfinite(*values))
    return seam_fail(error, SEAM_BAD_INPUT, "t = %.9g s: '%s' is set to a value that is not finite", self->t,
                     variable->name);
  self->is_current = self->is_current && self->has_started;
  if (variable->role == FMU_PARAMETER && self->has_started)
    return seam_fail(error, SEAM_BAD_INPUT, "parameter '%s' can be set before the end of the initialization only",
                     variable->name);
  if (variable->role == FMU_PARAMETER)
    self->parameters[variable->number] = *values;
  else
    set_input(self, variable->number, *values);
  return SEAM_OK;
}

/* Checks that a call has at least the number of values of a variable. */
static seam_status check_size(const fmu_variable *variable, size_t n_values, seam_error *error) {
  return variable->n <= n_values ? SEAM_OK
                                 : seam_fail(error, SEAM_BAD_INPUT, "'%s' has %zu values: pass all of them in one call",
                                             variable->name, variable->n);
}

seam_status fmu_slave_set(fmu_slave *self, const uint32_t *references, size_t n, const double *values, size_t n_values,
                          seam_error *error) {
  for (size_t i = 0; i < n; i++) {
    const fmu_variable *variable = find(self, references[i], error);
    if (variable == NULL)
      return SEAM_BAD_INPUT;
    TRY(check_size(variable, n_values, error));
    TRY(set_one(self, variable, values, error));
    values += variable->n;
    n_values -= variable->n;
  }
  return n_values == 0 ? SEAM_OK
                       : seam_fail(error, SEAM_BAD_INPUT, "%zu values too many for the variables to set", n_values);
}

seam_status fmu_slave_set_rate(fmu_slave *self, size_t reference, int order, double value, seam_error *error) {
  const fmu_variable *variable = find(self, reference, error);
  if (variable == NULL)
    return SEAM_BAD_INPUT;
  if (variable->role != FMU_INPUT)
    return seam_fail(error, SEAM_BAD_INPUT, "'%s' is not an input: it has no derivatives to set", variable->name);
  if (order < 1 || order > COSIM_MAX_DEGREE || !isfinite(value))
    return seam_fail(error, SEAM_BAD_INPUT, "derivative %d of '%s' is %g: take orders 1 to %d and finite values", order,
                     variable->name, value, COSIM_MAX_DEGREE);
  self->rates[variable->number * COSIM_MAX_DEGREE + order - 1] = value;
  self->has_rates = true;
  return SEAM_OK;
}

/* Returns the values of a variable that is not an output. */
static const double *values_of(const fmu_slave *self, const fmu_variable *variable) {
  const double *const of_role[] = {
      [FMU_TIME] = &self->t,        [FMU_PARAMETER] = self->parameters, [FMU_INPUT] = self->inputs,
      [FMU_DEGREE] = &self->degree, [FMU_SHAPES] = self->shapes,        [FMU_INPUT_DEGREE] = &self->input_degree,
      [FMU_WANTED] = self->wanted};
  return of_role[variable->role] + variable->number;
}

static seam_status get_one(fmu_slave *self, const fmu_variable *variable, double *values, seam_error *error) {
  if (variable->role == FMU_OUTPUT) {
    if (self->is_stale)
      evaluate(self);
    if (!self->is_complete && variable->depends_on_accelerations)
      complete(self);
    *values = self->outputs[variable->number];
  } else if (variable->role == FMU_DERIVATIVES) {
    get_derivatives(self, values);
    return SEAM_OK;
  } else
    memcpy(values, values_of(self, variable), variable->n * sizeof *values);
  return isfinite(*values)
             ? SEAM_OK
             : seam_fail(error, SEAM_NOT_FINITE, "t = %.9g s: output '%s' is not finite with the inputs at this time",
                         self->t, variable->name);
}

seam_status fmu_slave_get(fmu_slave *self, const uint32_t *references, size_t n, double *values, size_t n_values,
                          seam_error *error) {
  for (size_t i = 0; i < n; i++) {
    const fmu_variable *variable = find(self, references[i], error);
    if (variable == NULL)
      return SEAM_BAD_INPUT;
    TRY(check_size(variable, n_values, error));
    if (!self->is_current && (variable->role == FMU_OUTPUT || variable->role == FMU_INPUT)) {
      TRY(assemble(self, self->t, error));
      variable = &self->unit->variables[references[i]]; /* the unit may have been replaced */
    }
    TRY(get_one(self, variable, values, error));
    values += variable->n;
    n_values -= variable->n;
  }
  return SEAM_OK;
}

/* ---- Steps ---- */

/* Sets self->signals to the Taylor polynomials u(t + τ H) = Σ_k u^(k)(t) H^k / k! τ^k of the inputs. */
static void extrapolate_inputs(fmu_slave *self, double H) {
  set_constant_inputs(self);
  for (size_t i = 0; i < n_inputs(self); i++) {
    double factor = 1;
    for (int k = 1; k <= COSIM_MAX_DEGREE && self->has_rates; k++) {
      factor *= H / k;
      self->signals[i].c[0][k] = factor * self->rates[i * COSIM_MAX_DEGREE + (size_t)k - 1];
    }
  }
}

static seam_status check_step(const fmu_slave *self, double t, double H, seam_error *error) {
  if (!self->has_started)
    return seam_fail(error, SEAM_BAD_STATE, "a step was called before the end of the initialization");
  if (!isfinite(H) || !(H > 0))
    return seam_fail(error, SEAM_BAD_INPUT, "t = %.9g s: a step of %g s: a step must be positive and finite", self->t,
                     H);
  if (self->has_stopped)
    return seam_fail(error, SEAM_BAD_STATE, "t = %.9g s: the model has stopped the simulation here: no step follows",
                     self->t);
  if (t + H > self->stop + fmu_same_time * fmax(fabs(self->stop), H))
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "a step from t = %.9g s to %.9g s, but the master gave %.9g s as the stop time: give a later one, or none", t,
        t + H, self->stop);
  if (!(fabs(t - self->t) <= fmu_same_time * fmax(fabs(t), H)))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "a step from t = %.17g s, but the last one ended at %.17g s: set an earlier state to go back", t,
                     self->t);
  return SEAM_OK;
}

/* Takes a step. SEAM_NOT_FINITE: an output is not finite. A failed step leaves state and outputs unchanged. At a kink,
 * a time at which a law is not smooth, also computes the outputs that the step left out: they may change there. */
static seam_status advance(fmu_slave *self, double t, double H, const cosim_signal *signals, seam_error *error) {
  const fmu_unit *unit = self->unit;
  cosim_part *part = unit->part;
  double *outputs = self->outputs + n_outputs(self);
  part->ops->save(part, self->before);
  const cosim_step step = {
      .t = t, .H = H, .inputs = signals, .n_seeds = ((int)self->degree + 1) * part->n_inputs, .seeds = self->seeds};
  seam_status status = part->ops->advance(part, &step, outputs, self->derivatives, error);
  const bool is_complete = unit->model == NULL || cosim_multibody_knows_accelerations(part);
  const bool are_finite = status != SEAM_OK || finite_all(outputs, (int)n_outputs(self));
  for (size_t i = 0; i < unit->n_variables && !are_finite && status == SEAM_OK; i++) {
    const fmu_variable *variable = &unit->variables[i];
    const bool is_known = variable->role == FMU_OUTPUT && (is_complete || !variable->depends_on_accelerations);
    if (is_known && !isfinite(outputs[variable->number]))
      status = seam_fail(error, SEAM_NOT_FINITE, "t = %.9g s: output '%s' is not finite", t + H, variable->name);
  }
  if (status != SEAM_OK) {
    part->ops->restore(part, self->before);
    return status;
  }
  memcpy(self->outputs, outputs, n_outputs(self) * sizeof *outputs);
  self->is_complete = self->has_complete_derivatives = is_complete;
  if (!is_complete && cosim_multibody_is_before_kink(part))
    complete(self);
  return SEAM_OK;
}

seam_status fmu_slave_step(fmu_slave *self, double t, double H, const cosim_signal *signals, mbs_event *event,
                           seam_error *error) {
  *event = (mbs_event){.number = SEAM_NONE};
  TRY(check_step(self, t, H, error));
  if (signals == NULL) {
    extrapolate_inputs(self, H);
    signals = self->signals;
  }
  if (self->ends_at_events)
    TRY(find_event(self, t, H, signals, event, error));
  if (event->number != SEAM_NONE) { /* the step ends at the event */
    const double length = event->time - t;
    for (size_t i = 0; i < n_inputs(self); i++)
      self->pieces[i] = cosim_signal_between(&signals[i], 0, length / H);
    signals = self->pieces;
    H = length;
  }
  const seam_status status = advance(self, t, H, signals, error);
  if (status != SEAM_OK) {
    if (self->ends_at_events)
      restore_events(self);
    return status;
  }
  if (self->has_rates)
    memset(self->rates, 0, n_inputs(self) * COSIM_MAX_DEGREE * sizeof *self->rates);
  self->has_rates = false;
  for (size_t i = 0; i < n_inputs(self); i++)
    self->inputs[i] = cosim_signal_value(&signals[i], 1);
  self->t = t + H;
  self->has_stopped = event->number != SEAM_NONE && mbs_event_of(self->unit->model, event->number).stops;
  self->is_stale = fmu_slave_is_sample_due(self);
  return SEAM_OK;
}

bool fmu_slave_is_sample_due(const fmu_slave *self) {
  return self->unit->model != NULL && cosim_multibody_is_sample_due(self->unit->part);
}

seam_status fmu_slave_sample(fmu_slave *self, seam_error *error) {
  if (!fmu_slave_is_sample_due(self))
    return SEAM_OK;
  cosim_part *part = self->unit->part;
  memcpy(cosim_multibody_view_of(part).inputs, self->inputs, n_inputs(self) * sizeof *self->inputs);
  TRY(cosim_multibody_sample(part, error));
  evaluate(self);
  return SEAM_OK;
}

/* Finds derivatives by central differences: those of parts that give none, and those by inputs that laws read. */
static void take_differences(fmu_slave *self, int input, double *changes) {
  const double at = self->inputs[input];
  const size_t n = n_outputs(self);
  double *middle = self->outputs + n, *before = middle + n, *after = changes;
  bool are_done = false;
  set_constant_inputs(self);
  fmu_unit_outputs(self->unit, self->t, self->signals, self->scratch, middle);
  for (size_t i = 0; i < n; i++)
    self->slopes[i] = difference_begin();
  for (int level = 0; level < SEAM_DIFFERENCES && !are_done; level++) {
    const double h = difference_width(at, level);
    self->signals[input].c[0][0] = at + h;
    fmu_unit_outputs(self->unit, self->t, self->signals, self->scratch, after);
    self->signals[input].c[0][0] = at - h;
    fmu_unit_outputs(self->unit, self->t, self->signals, self->scratch, before);
    are_done = true;
    for (size_t i = 0; i < n; i++) {
      difference_add_slope(&self->slopes[i], before[i], middle[i], after[i], h);
      are_done = are_done && self->slopes[i].is_done;
    }
  }
  for (size_t i = 0; i < n; i++)
    changes[i] = self->slopes[i].found;
}

seam_status fmu_slave_differentiate(fmu_slave *self, int input, double *changes, seam_error *error) {
  TRY(self->is_current ? SEAM_OK : assemble(self, self->t, error));
  if (self->is_stale) /* the part may still have earlier inputs */
    evaluate(self);
  cosim_part *part = self->unit->part;
  if (self->unit->model != NULL && cosim_multibody_differentiate(part, input, changes))
    return SEAM_OK;
  part->ops->save(part, self->before);
  take_differences(self, input, changes);
  part->ops->restore(part, self->before);
  return SEAM_OK;
}

/* ---- Images: t, flags, parameters, inputs, their derivatives, outputs, state, events ---- */

enum { HEAD = 8 }; /* number of values before the parameters: fingerprint, length, t and 5 flags */

size_t fmu_slave_image_length(const fmu_slave *self) {
  return HEAD + listed(self)->n_parameters + n_inputs(self) * (2 + COSIM_MAX_DEGREE) + n_outputs(self) + n_state(self) +
         n_of_events(self);
}

static double *store(double *to, const double *from, size_t n) {
  memcpy(to, from, n * sizeof *to);
  return to + n;
}

static const double *load(double *to, const double *from, size_t n) {
  memcpy(to, from, n * sizeof *to);
  return from + n;
}

void fmu_slave_save(const fmu_slave *self, double *image) {
  const double head[HEAD] = {self->fingerprint, (double)fmu_slave_image_length(self),
                             self->t,           self->has_started,
                             self->is_current,  self->is_stale,
                             self->is_complete, self->has_stopped};
  image = store(image, head, HEAD);
  image = store(image, self->parameters, listed(self)->n_parameters);
  image = store(image, self->inputs, n_inputs(self));
  for (size_t i = 0; i < n_inputs(self); i++)
    *image++ = self->is_set[i];
  image = store(image, self->rates, n_inputs(self) * COSIM_MAX_DEGREE);
  image = store(image, self->outputs, n_outputs(self));
  self->unit->part->ops->save(self->unit->part, image);
  mbs_events_save(self->unit->events, image + n_state(self));
}

seam_status fmu_slave_restore(fmu_slave *self, const double *image, size_t length, seam_error *error) {
  if (length != fmu_slave_image_length(self) || image[0] != self->fingerprint || image[1] != (double)length)
    return seam_fail(error, SEAM_BAD_STATE, "the state is damaged, or of another FMU");
  const double *at = load(self->parameters, image + HEAD, listed(self)->n_parameters);
  TRY(update_unit(self, false, error));
  self->t = image[2];
  self->has_started = image[3] != 0;
  self->is_current = image[4] != 0;
  self->is_stale = image[5] != 0;
  self->is_complete = image[6] != 0;
  self->has_stopped = image[7] != 0;
  at = load(self->inputs, at, n_inputs(self));
  for (size_t i = 0; i < n_inputs(self); i++)
    self->is_set[i] = *at++ != 0;
  at = load(self->rates, at, n_inputs(self) * COSIM_MAX_DEGREE);
  self->has_rates = true; /* some rates may differ from 0 */
  at = load(self->outputs, at, n_outputs(self));
  self->unit->part->ops->restore(self->unit->part, at);
  return n_of_events(self) > 0
             ? mbs_events_restore(self->unit->events, at + n_state(self), n_of_events(self) * sizeof *at, error)
             : SEAM_OK;
}
