/* Steps of an FMU over a macro step. On a piece of the inputs, each input is one polynomial. An FMU step covers one
 * piece, or one communication step if these divide the piece. Exceptions:
 *
 *   the FMU ends it early, or     the step ends there, the event is handled, and a new step goes to the planned end. An
 *   an event is due inside it     event at the end of a macro step waits: other parts first read the outputs before it
 *   the FMU ends the simulation   the macro step and the run end there
 *   the FMU discards the step     the FMU's state is restored. The next step goes up to the time that the FMU reports.
 *                                 If it reports none or discards this step too, the next one is half as long
 *
 * FMUs in discrete time have outputs of variability "discrete", constant between samples. At a macro point the FMU gets
 * the inputs at that point, which were not known in the step before.
 *
 *   with event mode      the FMU handles a pending event, such as a sample, with the inputs at the macro point. Macro
 *                        steps end at the event times that the FMU gives
 *   without event mode   outputs are read again. They are exact if the FMU samples between steps. A sample inside a
 *                        step has used the inputs of that step, which are up to one macro step old */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/then.h"
#include "cosim/parts/fmu_internal.h"
#include "cosim/parts/signal.h"
#include "cosim/thresholds.h"

/* ---- Failures ---- */

/* Returns the status. If it is a failure, puts the time before the message of its cause. */
static seam_status name_time(seam_status status, double t, const seam_error *cause, seam_error *error) {
  return status == SEAM_OK ? SEAM_OK : seam_fail(error, status, "t = %.9g s: %s", t, cause->message);
}

/* Reports the failure of a call that returned no status, if there was one. */
static seam_status report_failure(fmu_part *self, double t, seam_error *error) {
  const seam_error failed = self->failed;
  self->failed = (seam_error){0};
  return name_time(failed.status, t, &failed, error);
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

/* Sets the time derivatives of inputs, to zero if are_zero. Sets all orders up to the highest one ever set: an FMU may
 * keep derivatives that are not set again. */
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
      self->values[n] = are_zero ? 0 : factor * self->now[i].c[0][k] / fmu_part_factor(self->input_unit[i]);
    }
  }
  return fmi_instance_set_derivatives(self->instance, self->derived, self->orders, self->values, n, error);
}

/* Sets self->values, unless the FMU has them: doubles together, other numbers and booleans variable by variable. */
static seam_status set_inputs(fmu_part *self, seam_error *error) {
  const size_t size = (size_t)self->base.n_inputs * sizeof *self->values;
  double *values = self->values + self->base.n_inputs;
  if (self->knows_inputs && memcmp(self->inputs_in_fmu, self->values, size) == 0)
    return SEAM_OK;
  for (int i = 0; i < self->base.n_inputs; i++)
    values[i] = fmu_part_from_si(self->input_unit[i], self->values[i]);
  seam_status status = fmi_instance_set_reals(self->instance, self->inputs, self->n_real_input_variables, values,
                                              (size_t)self->n_real_inputs, error);
  values += self->n_real_inputs;
  for (size_t i = self->n_real_input_variables; i < self->n_input_variables && status == SEAM_OK; i++) {
    const size_t n = fmi_n_values(&self->description->variables[self->input_variables[i]]);
    status = fmi_instance_set(self->instance, self->input_variables[i], values, n, error);
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
  TRY(set_inputs(self, error));
  if (self->exact.has_input_degree)
    TRY(fmu_part_set_input_degree(self, follows, error));
  return self->input_method == COSIM_FMU_DERIVATIVES ? set_derivatives(self, !follows, error) : SEAM_OK;
}

void fmu_part_update(void *context, double t) {
  fmu_part *self = context;
  const double tau = fmin(fmax((t - self->t) / self->H, 0), 1);
  if (!is_polynomial(self) || self->failed.status != SEAM_OK)
    return;
  for (size_t i = 0; i < self->n_updated_values; i++) {
    const int input = self->updated_value[i];
    self->values[i] = self->is_connected[input] ? cosim_signal_value(&self->now[input], tau) : self->u[input];
    self->inputs_in_fmu[input] = self->values[i];
    self->values[i] = fmu_part_from_si(self->input_unit[input], self->values[i]);
  }
  fmi_instance_set_reals(self->instance, self->updated, self->n_updated, self->values, self->n_updated_values,
                         &self->failed);
}

/* ---- Outputs ---- */

/* Reads all outputs: variables of type double together, others one variable at a time. */
static seam_status read_outputs(fmu_part *self, double *outputs, seam_error *error) {
  double *all = outputs;
  seam_status status = fmi_instance_get_reals(self->instance, self->outputs, self->n_real_output_variables, outputs,
                                              (size_t)self->n_real_outputs, error);
  outputs += self->n_real_outputs;
  for (size_t i = self->n_real_output_variables; i < self->n_output_variables && status == SEAM_OK; i++) {
    const size_t n = fmi_n_values(&self->description->variables[self->output_variables[i]]);
    status = fmi_instance_get(self->instance, self->output_variables[i], outputs, n, error);
    outputs += n;
  }
  for (int i = 0; i < self->base.n_outputs; i++)
    all[i] = fmu_part_to_si(self->output_unit[i], all[i]);
  return status;
}

/* Reads the wanted outputs; the others become zeros. */
static seam_status read_wanted(fmu_part *self, double *outputs, seam_error *error) {
  double *read = self->outputs_before;
  const size_t n = (size_t)self->n_wanted;
  if (self->n_wanted == self->base.n_outputs)
    return read_outputs(self, outputs, error);
  const seam_status status = fmi_instance_get_reals(self->instance, self->wanted_outputs, n, read, n, error);
  memset(outputs, 0, (size_t)self->base.n_outputs * sizeof *outputs);
  for (int i = 0; i < self->n_wanted; i++)
    outputs[self->wanted[i]] = fmu_part_to_si(self->output_unit[self->wanted[i]], read[i]);
  return status;
}

/* Lets the FMU update its discrete states; the FMU may then end the run. */
static seam_status handle_events(fmu_part *self, double t, seam_error *error) {
  const seam_status status = fmi_instance_handle_events(self->instance, t, error);
  if (status == SEAM_OK && fmi_instance_has_ended(self->instance))
    self->has_ended = self->is_event_pending = true;
  return status;
}

/* ---- A piece of the inputs, or a section of it ---- */

typedef struct piece {
  const cosim_step *step;
  double at, to;   /* τ that the FMU has reached; τ at which the piece or its section ends */
  double limit;    /* longest step in τ, after discarded steps */
  double reported; /* `limit`, if it follows from a time that the FMU has reported; else 0 */
  int n_stalled;   /* steps without progress */
  int n_events;
} piece;

static double time_of(const piece *of, double tau) { return of->step->t + tau * of->step->H; }
static double tau_of(const piece *of, double t) { return (t - of->step->t) / of->step->H; }

/* Restores the state before a step that the FMU has discarded, and limits the next step. The discarded step was to end
 * at τ = `end`; the FMU reports that it reached the time `reached` (s). */
static seam_status restore_before(fmu_part *self, piece *of, double end, double reached, seam_error *error) {
  const double length = end - of->at;
  const double progress = tau_of(of, reached) - of->at;
  const char *log = fmi_instance_discard_log(self->instance);
  seam_error cause = {0};
  if (!self->can_roll_back)
    return seam_fail(error, SEAM_FMU_FAILED, "t = %.9g s: the FMU discards its step of %g s at t = %.9g s, and %s%s%s",
                     self->t, self->H, reached,
                     self->base.has_fixed_steps ? "takes no shorter one, as its steps have one fixed length"
                                                : "cannot go back, as it restores no state: take a shorter macro step",
                     log[0] != '\0' ? "; it says: " : "", log);
  const bool is_as_reported =
      progress > cosim_shortest_piece && progress < length - cosim_shortest_piece && of->limit != of->reported;
  of->reported = is_as_reported ? progress : 0;
  of->limit = is_as_reported ? progress : length / 2;
  if (of->limit < cosim_shortest_piece)
    return seam_fail(error, SEAM_FMU_FAILED,
                     "t = %.9g s: the FMU discards its step, and shorter ones down to %.2g s%s%s", self->t, self->H,
                     log[0] != '\0' ? ": " : "", log);
  self->n_shortened++;
  if (++self->n_discarded > COSIM_MAX_FMU_DISCARDED)
    return seam_fail(error, SEAM_FMU_FAILED,
                     "t = %.9g s: the FMU discards more than %d steps within a macro step of %g s, the last one of "
                     "%.2g s: take a shorter macro step",
                     self->t, COSIM_MAX_FMU_DISCARDED, of->step->H, self->H);
  self->knows_inputs = false;
  const seam_status status =
      self->exact.restores_discarded ? SEAM_OK : fmi_instance_restore(self->instance, self->before, &cause);
  return name_time(status, self->t, &cause, error);
}

/* A step planned up to τ = `end` has ended as *at says. Sets of->at to the τ reached, and records an event there.
 * Unless the event remains pending, updates discrete states with the inputs at its time. */
static seam_status end_step(fmu_part *self, piece *of, double end, const fmi_step_end *at, seam_error *error) {
  const double tau = tau_of(of, at->reached);
  const bool is_early = tau < end - cosim_same_time;
  const bool has_event =
      at->is_early || at->needs_events || fmi_instance_next_event(self->instance) <= time_of(of, end + cosim_same_time);
  of->n_stalled = is_early && tau <= of->at + cosim_same_time ? of->n_stalled + 1 : 0;
  if (of->n_stalled > COSIM_MAX_FMU_STALLED)
    return seam_fail(error, SEAM_FMU_FAILED,
                     "t = %.9g s: the FMU makes no progress: its last %d steps ended at the time at which they began",
                     self->t, of->n_stalled);
  self->reached = at->reached;
  of->at = is_early ? fmax(tau, of->at) : end;
  of->limit *= 2;
  self->has_ended = at->has_ended;
  self->is_event_pending = at->has_ended || (has_event && (of->at >= 1 || at->reached > self->handled_until));
  if (has_event || at->has_ended) {
    if (self->n_events == MAX_EVENT_TIMES)
      memmove(self->event, self->event + 1, (size_t)--self->n_events * sizeof *self->event);
    self->event[self->n_events++] = at->reached;
  }
  if (!has_event || self->is_event_pending)
    return SEAM_OK;
  if (++of->n_events > COSIM_MAX_FMU_EVENTS)
    return seam_fail(error, SEAM_FMU_FAILED,
                     "t = %.9g s: the FMU has more than %d events within a step of %g s: take a shorter macro step",
                     at->reached, COSIM_MAX_FMU_EVENTS, of->step->H);
  seam_error cause = {0};
  const double event_tau = fmin(fmax((at->reached - self->t) / self->H, 0), 1); /* τ of the FMU's step */
  for (int i = 0; i < self->base.n_inputs; i++)
    self->values[i] = self->is_connected[i] ? cosim_signal_value(&self->now[i], event_tau) : self->u[i];
  TRY(name_time(set_inputs(self, &cause), at->reached, &cause, error));
  return handle_events(self, at->reached, error);
}

static seam_status try_step(fmu_part *self, piece *of, seam_error *error) {
  const cosim_step *step = of->step;
  const double longest = fmin(of->to, of->at + of->limit);
  const double event = tau_of(of, fmi_instance_next_event(self->instance));
  const bool ends_at_event = event > of->at + cosim_same_time && event < longest - cosim_same_time;
  const double end = ends_at_event ? event : longest;
  seam_error cause;
  fmi_step_end at;
  const double t = time_of(of, of->at);
  const bool is_entire = of->at == 0 && end == 1;
  self->t = fabs(t - self->reached) <= 2 * cosim_same_time * step->H ? self->reached : t;
  self->H = time_of(of, end) - self->t;
  for (int i = 0; i < self->base.n_inputs; i++)
    if (self->is_connected[i])
      self->now[i] = is_entire ? step->inputs[i] : cosim_signal_between(&step->inputs[i], of->at, end);
  TRY(name_time(fmu_part_set_step_inputs(self, &cause), self->t, &cause, error));
  if (self->can_roll_back && !self->exact.restores_discarded)
    TRY(name_time(fmi_instance_save(self->instance, &self->before, &cause), self->t, &cause, error));
  self->knows_inputs =
      self->knows_inputs && self->input_method != COSIM_FMU_DERIVATIVES; /* derivatives change inputs in the FMU */
  TRY(fmi_instance_step(self->instance, self->t, self->H, fmu_part_is_final(self, step->t, self->t), &at, error));
  TRY(report_failure(self, self->t, error));
  if (at.is_discarded)
    return restore_before(self, of, end, at.reached, error);
  if (self->is_integral != NULL)
    TRY(read_outputs(self, self->outputs_before, error));
  for (int i = 0; i < self->base.n_outputs && self->is_integral != NULL; i++)
    self->integrals[i] += self->is_integral[i] ? self->outputs_before[i] : 0;
  return end_step(self, of, end, &at, error);
}

/* ---- The macro step ---- */

/* Takes n equal communication steps from τ = `from` to τ = `to`. Events and discarded steps divide them further. */
static seam_status take_steps(fmu_part *self, const cosim_step *step, double from, double to, double n,
                              seam_error *error) {
  if (!(n <= COSIM_MAX_FMU_STEPS))
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "t = %.9g s: %g communication steps in a macro step are too many: set a longer 'communication_step'", step->t,
        n);
  for (int k = 0; k < (int)n; k++) {
    const double end = k + 1 == (int)n ? to : from + (to - from) * (k + 1) / n;
    piece over = {.step = step, .at = from + (to - from) * k / n, .to = end, .limit = INFINITY};
    while (over.at < end && !self->is_event_pending)
      TRY(try_step(self, &over, error));
  }
  return SEAM_OK;
}

/* Takes all steps of the FMU from τ = `begin` to τ = `end`, up to an event that the part does not handle at once. */
static seam_status take_section(fmu_part *self, const cosim_step *step, double begin, double end, seam_error *error) {
  if (self->fixed != 0) {
    if (self->first == 0)
      self->first = step->H;
    const double length = isnan(self->fixed) ? self->first : self->fixed;
    const double n = round(step->H / length);
    if (!(n >= 1 && fabs(step->H / length - n) <= cosim_fixed_steps * n))
      return seam_fail(error, SEAM_BAD_INPUT,
                       "t = %.9g s: the FMU takes steps of %.9g s only, and %.9g s is not a multiple of this step: set "
                       "'macro_step' and 'end' to multiples, and leave out 'step_control'",
                       step->t, length, step->H);
    return take_steps(self, step, 0, 1, n, error);
  }
  const int n_pieces = cosim_list_ends(self->tau, step, self->base.n_inputs, 0);
  double from = begin;
  for (int p = 0; p < n_pieces && from < end; p++) {
    const double to = fmin(p + 1 < n_pieces ? self->tau[p] : 1, end);
    const double length = (to - from) * step->H;
    const double steps = self->longest > 0 ? fmax(1, ceil(length / self->longest - cosim_slack_of_steps)) : 1;
    if (to > from)
      TRY(take_steps(self, step, from, to, steps, error));
    from = fmax(from, to);
  }
  return SEAM_OK;
}

/* Handles the event at which the last step ended. If this fails, the next step reports it. */
void fmu_part_pass_events(cosim_part *base) {
  fmu_part *self = (fmu_part *)base;
  fmi_instance *instance = self->instance;
  if (self->has_ended)
    return;
  const bool was_pending = self->is_event_pending || fmi_instance_has_deferred_events(instance);
  self->is_event_pending = false;
  if (was_pending && self->failed.status == SEAM_OK)
    handle_events(self, self->reached, &self->failed);
}

static seam_status fail_output(const fmu_part *self, double t, int output, seam_error *error) {
  const size_t *variable = self->output_variables;
  size_t element = (size_t)output;
  char index[32] = "";
  for (; element >= fmi_n_values(&self->description->variables[*variable]); variable++)
    element -= fmi_n_values(&self->description->variables[*variable]);
  const fmi_variable *of = &self->description->variables[*variable];
  if (of->n_dimensions > 0)
    snprintf(index, sizeof index, "[%zu]", element + 1);
  return seam_fail(error, SEAM_NOT_FINITE, "t = %.9g s: its output '%s%s' is not finite", t, of->name, index);
}

/* Advances from one node to the next and reads outputs. */
static seam_status advance_to_node(fmu_part *self, const cosim_step *step, double from, double to, double *outputs,
                                   seam_error *error) {
  const double end = step->t + to * step->H;
  seam_error cause;
  TRY(take_section(self, step, from, to, error));
  for (int i = 0; i < self->base.n_inputs; i++)
    self->values[i] = self->u[i] = self->is_connected[i] ? cosim_signal_value(&step->inputs[i], to) : self->u[i];
  TRY(name_time(set_inputs(self, &cause), end, &cause, error));
  TRY(name_time(read_wanted(self, outputs, &cause), end, &cause, error));
  for (int i = 0; i < self->base.n_outputs; i++) {
    if (self->is_integral != NULL && self->is_integral[i])
      outputs[i] = self->integrals[i];
    if (!isfinite(outputs[i]))
      return fail_output(self, end, i, error);
  }
  return SEAM_OK;
}

seam_status fmu_part_advance(cosim_part *base, const cosim_step *step, double *outputs, double *derivatives,
                             seam_error *error) {
  fmu_part *self = (fmu_part *)base;
  const int degree = step->n_seeds > 0 && step->n_nodes == 0 ? fmu_part_choose_shapes(self, step) : -1;
  const bool at_once = degree >= 0;
  self->n_discarded = 0;
  TRY(fmu_part_begin(self, error));
  const bool is_later = step->t > self->reached + 2 * cosim_same_time * step->H; /* begins after the pending event */
  if (!self->is_event_pending || !is_later) {
    fmu_part_pass_events(base);
    while (self->n_events > 0 && self->event[self->n_events - 1] > step->t + cosim_same_time * step->H)
      self->n_events--; /* an event of a step that is repeated */
  }
  self->length = step->H;
  self->end = step->t + step->H;
  TRY(report_failure(self, step->t, error));
  if (step->n_seeds > 0 && !at_once)
    TRY(fmu_part_try_derivatives(self, step, derivatives, error));
  if (self->exact.is_available)
    TRY(fmu_part_set_degree(self, degree, error));
  memset(self->integrals, 0, (size_t)base->n_outputs * sizeof *self->integrals);
  double from = 0;
  for (int k = 0; k <= step->n_nodes; k++, outputs += base->n_outputs) {
    const double to = k < step->n_nodes ? step->nodes[k] : 1;
    TRY(advance_to_node(self, step, from, to, outputs, error));
    from = to;
  }
  return at_once ? fmu_part_read_derivatives(self, step, 1, derivatives, (size_t)base->n_outputs, error) : SEAM_OK;
}

/* ---- Events and samples ---- */

void fmu_part_wait_at_events(cosim_part *base, double after) { ((fmu_part *)base)->handled_until = after; }

cosim_part_events fmu_part_get_events(const cosim_part *base, double since) {
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

static double next_event(const cosim_part *base) {
  const fmu_part *self = (const fmu_part *)base;
  const fmi_instance *instance = self->instance;
  if (self->has_ended)
    return INFINITY;
  if (fmi_instance_has_deferred_events(instance) ||
      (self->is_event_pending && self->reached >= self->end - cosim_fmu_event_at_end * self->length))
    return -INFINITY;
  return self->is_event_pending || base->has_fixed_steps ? INFINITY : fmi_instance_next_event(instance);
}

seam_status fmu_part_set_connected_inputs(fmu_part *self, const double *inputs, seam_error *error) {
  for (int i = 0; i < self->base.n_inputs; i++)
    self->values[i] = self->u[i] = self->is_connected[i] ? inputs[i] : self->u[i];
  return set_inputs(self, error);
}

/* Sets the inputs at t. An FMU without event mode samples them by that; the caller then reads the outputs again. */
static seam_status take_inputs(cosim_part *base, double t, const double *inputs, seam_error *error) {
  seam_error cause = {0};
  return name_time(fmu_part_set_connected_inputs((fmu_part *)base, inputs, &cause), t, &cause, error);
}

static seam_status pass_event(cosim_part *base, double t, const double *inputs, seam_error *error) {
  fmu_part *self = (fmu_part *)base;
  if (self->has_ended)
    return SEAM_OK;
  self->is_event_pending = false;
  if (fmi_instance_has_deferred_events(self->instance))
    self->reached = t;
  TRY(take_inputs(base, t, inputs, error));
  return handle_events(self, self->reached, error);
}

/* A sample is due at every macro point. */
static double always(const cosim_part *base) {
  (void)base;
  return -INFINITY;
}

void fmu_part_find_samples(fmu_part *self) {
  const bool has_events = fmu_part_has_event_mode(self->description);
  for (int i = 0; i < self->base.n_outputs; i++)
    self->has_held |= self->is_held[i];
  if (!self->has_held && !has_events)
    return;
  self->base.held = self->is_held;
  self->ops.next_sample = has_events ? next_event : always;
  self->ops.sample = has_events ? pass_event : take_inputs;
}

/* ---- Outputs at the present state ---- */

/* Outputs that an FMU does not give in its initialization mode are zero there. */
void fmu_part_get_outputs(cosim_part *base, double *outputs) {
  fmu_part *self = (fmu_part *)base;
  seam_error unknown = {0};
  const seam_status status = read_outputs(self, outputs, self->is_initializing ? &unknown : &self->failed);
  for (int i = 0; i < base->n_outputs; i++)
    if (status != SEAM_OK || (self->is_initializing && !isfinite(outputs[i])))
      outputs[i] = self->is_initializing ? 0 : NAN;
}

/* Some FMUs compute outputs in steps only, so that `outputs` has not followed the inputs. Then adds the effect of the
 * change of inputs from self->u, by directional derivatives. */
static void follow_inputs(fmu_part *self, const cosim_signal *inputs, double *outputs) {
  const size_t n_out = (size_t)self->base.n_outputs;
  double *seed = self->values, *before = self->outputs_before, *changes = before + n_out;
  bool differs = false;
  if (read_outputs(self, before, &self->failed) != SEAM_OK || memcmp(before, outputs, n_out * sizeof *before) != 0)
    return;
  for (int i = 0; i < self->n_real_inputs; i++) {
    seed[i] = self->is_connected[i] ? cosim_signal_end(&inputs[i]) - self->u[i] : 0;
    seed[i] /= fmu_part_factor(self->input_unit[i]);
    differs = differs || seed[i] != 0;
  }
  if (!differs || fmi_instance_differentiate(self->instance, self->outputs, self->n_real_output_variables, self->inputs,
                                             self->n_real_input_variables, seed, (size_t)self->n_real_inputs, changes,
                                             (size_t)self->n_real_outputs, &self->failed) != SEAM_OK)
    return;
  for (int i = 0; i < self->n_real_outputs; i++)
    outputs[i] += fmu_part_factor(self->output_unit[i]) * changes[i];
}

/* Afterwards the inputs are those of the last step again. */
void fmu_part_evaluate_outputs(cosim_part *base, double t, const cosim_signal *inputs, double *outputs) {
  fmu_part *self = (fmu_part *)base;
  (void)t;
  for (int i = 0; i < base->n_inputs; i++)
    self->values[i] = self->is_connected[i] ? cosim_signal_end(&inputs[i]) : self->u[i];
  if (set_inputs(self, &self->failed) == SEAM_OK)
    read_outputs(self, outputs, &self->failed);
  memcpy(self->values, self->u, (size_t)base->n_inputs * sizeof *self->u);
  if (set_inputs(self, &self->failed) == SEAM_OK && self->description->capabilities.directional_derivatives &&
      !self->is_initializing)
    follow_inputs(self, inputs, outputs);
}
