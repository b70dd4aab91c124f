/* Steps of an FMU over a macro step. On a piece of the inputs, each input is one polynomial. Each FMU step covers one
 * piece or, if the piece is divided, one communication step, unless the FMU
 *
 *   ends a step early, or names     the step ends there, the event is handled, and a further step goes to the planned
 *   an event inside it              end. An event at the end of the macro step waits: other parts first read the
 *                                   outputs before the event
 *   ends the simulation             the macro step and the run end there
 *   discards a step                 the FMU's state is restored. The next step goes up to the time that the FMU
 *                                   reports. If it reports none or discards this step as well, the next one is half
 *                                   as long as the discarded one */
#include <math.h>
#include <string.h>

#include "base/then.h"
#include "cosim/parts/fmu_internal.h"
#include "cosim/parts/signal.h"
#include "cosim/thresholds.h"

static seam_status return_failure(fmu_part *self, double t, seam_error *error) {
  if (self->calls->failed.status == SEAM_OK)
    return SEAM_OK;
  const seam_error failed = self->calls->failed;
  self->calls->failed = (seam_error){0};
  return seam_fail(error, failed.status, "t = %.9g s: %s", t, failed.message);
}

seam_status fmu_part_handle_events(fmu_part *self, double t, seam_error *error) {
  const seam_status status = fmi_instance_handle_events(self->calls->instance, t, error);
  if (status == SEAM_OK && fmi_instance_has_ended(self->calls->instance))
    self->has_ended = self->is_event_pending = true;
  return status;
}

/* ---- A piece of the inputs, or a section of it ---- */

typedef struct piece {
  const cosim_step *step;
  double at, to;   /* τ that the FMU has reached; τ at which the piece or its section ends */
  double limit;    /* longest step in τ, after discarded steps */
  double reported; /* equals `limit` if the FMU has reported a time that gives this limit; else 0 */
  int n_stalled;   /* steps without progress */
  int n_events;
} piece;

static double time_of(const piece *of, double tau) { return of->step->t + tau * of->step->H; }
static double tau_of(const piece *of, double t) { return (t - of->step->t) / of->step->H; }

/* Called after the FMU has discarded a step up to τ = `end`: restores the state before this step, and limits the length
 * of the next one. `reached`: s, the time that the FMU reports. */
static seam_status restore_before(fmu_part *self, piece *of, double end, double reached, seam_error *error) {
  const double length = end - of->at;
  const double progress = tau_of(of, reached) - of->at;
  const char *log = fmi_instance_log(self->calls->instance);
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
  const seam_status status = self->exact.restores_discarded
                                 ? SEAM_OK
                                 : fmi_instance_restore(self->calls->instance, self->calls->before, &cause);
  return status == SEAM_OK ? SEAM_OK : seam_fail(error, status, "t = %.9g s: %s", self->t, cause.message);
}

/* Called after a step that was planned up to τ = `end`; *at says how it ended. Sets of->at to the τ reached and records
 * an event there. Unless the event remains pending, updates discrete states with the inputs at its time. */
static seam_status end_step(fmu_part *self, piece *of, double end, const fmi_step_end *at, seam_error *error) {
  const double tau = tau_of(of, at->reached);
  const bool is_early = tau < end - cosim_same_time;
  const bool has_event = at->is_early || at->needs_events ||
                         fmi_instance_next_event(self->calls->instance) <= time_of(of, end + cosim_same_time);
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
  const seam_status status = fmu_part_set_inputs(self, &cause);
  return status == SEAM_OK ? fmu_part_handle_events(self, at->reached, error)
                           : seam_fail(error, status, "t = %.9g s: %s", at->reached, cause.message);
}

static seam_status try_step(fmu_part *self, piece *of, seam_error *error) {
  const cosim_step *step = of->step;
  const double longest = fmin(of->to, of->at + of->limit);
  const double event = tau_of(of, fmi_instance_next_event(self->calls->instance));
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
  seam_status status = fmu_part_set_step_inputs(self, &cause);
  if (status == SEAM_OK && self->can_roll_back && !self->exact.restores_discarded)
    status = fmi_instance_save(self->calls->instance, &self->calls->before, &cause);
  if (status != SEAM_OK)
    return seam_fail(error, status, "t = %.9g s: %s", self->t, cause.message);
  status =
      fmi_instance_step(self->calls->instance, self->t, self->H, fmu_part_is_final(self, step->t, self->t), &at, error);
  self->knows_inputs =
      self->knows_inputs && self->input_method != COSIM_FMU_DERIVATIVES; /* derivatives change inputs in the FMU */
  THEN(status, return_failure(self, self->t, error));
  if (status != SEAM_OK)
    return status;
  if (at.is_discarded)
    return restore_before(self, of, end, at.reached, error);
  status = fmu_part_add_integrals(self, error);
  return status == SEAM_OK ? end_step(self, of, end, &at, error) : status;
}

/* ---- The macro step ---- */

/* Takes n equal communication steps from τ = `from` to τ = `to`. Each consists of as many steps as the FMU needs after
 * events and discarded steps. */
static seam_status take_steps(fmu_part *self, const cosim_step *step, double from, double to, double n,
                              seam_error *error) {
  seam_status status = SEAM_OK;
  if (!(n <= COSIM_MAX_FMU_STEPS))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "t = %.9g s: %g communication steps in a macro step are too many: take longer ones", step->t, n);
  for (int k = 0; k < (int)n && status == SEAM_OK; k++) {
    const double end = k + 1 == (int)n ? to : from + (to - from) * (k + 1) / n;
    piece over = {.step = step, .at = from + (to - from) * k / n, .to = end, .limit = INFINITY};
    while (status == SEAM_OK && over.at < end && !self->is_event_pending)
      status = try_step(self, &over, error);
  }
  return status;
}

static seam_status take_fixed_steps(fmu_part *self, const cosim_step *step, seam_error *error) {
  if (self->first == 0)
    self->first = step->H;
  const double length = isnan(self->fixed) ? self->first : self->fixed;
  const double n = round(step->H / length);
  if (!(n >= 1 && fabs(step->H / length - n) <= cosim_fixed_steps * n))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "t = %.9g s: the FMU takes steps of %.9g s only, and %.9g s is not a multiple of that: take "
                     "multiples for the macro step and the end, and no step control",
                     step->t, length, step->H);
  return take_steps(self, step, 0, 1, n, error);
}

seam_status fmu_part_step(fmu_part *self, const cosim_step *step, double begin, double end, seam_error *error) {
  seam_status status = SEAM_OK;
  int n = 1;
  if (self->fixed != 0)
    return take_fixed_steps(self, step, error);
  self->tau[0] = 1;
  for (int i = 0; i < self->base.n_inputs; i++)
    if (self->is_connected[i])
      n = cosim_add_ends(self->tau, n, &step->inputs[i]);
  double from = begin;
  for (int p = 0; p < n && from < end && status == SEAM_OK; p++) {
    const double to = fmin(p + 1 < n ? self->tau[p] : 1, end);
    const double length = (to - from) * step->H;
    const double steps = self->longest > 0 ? fmax(1, ceil(length / self->longest - cosim_slack_of_steps)) : 1;
    if (to > from)
      status = take_steps(self, step, from, to, steps, error);
    from = fmax(from, to);
  }
  return status;
}

void fmu_part_pass_events(cosim_part *base) {
  fmu_part *self = (fmu_part *)base;
  fmi_instance *instance = self->calls->instance;
  if (self->has_ended)
    return;
  const bool was_pending = self->is_event_pending || fmi_instance_has_deferred_events(instance);
  self->is_event_pending = false;
  if (was_pending && self->calls->failed.status == SEAM_OK)
    fmu_part_handle_events(self, self->reached, &self->calls->failed);
}

seam_status fmu_part_begin_macro_step(fmu_part *self, const cosim_step *step, seam_error *error) {
  self->n_discarded = 0;
  const seam_status status = fmu_part_begin(self, error);
  if (status != SEAM_OK)
    return status;
  const bool is_later = step->t > self->reached + 2 * cosim_same_time * step->H; /* begins after the pending event */
  if (!self->is_event_pending || !is_later) {
    fmu_part_pass_events(&self->base);
    while (self->n_events > 0 && self->event[self->n_events - 1] > step->t + cosim_same_time * step->H)
      self->n_events--;
  }
  self->length = step->H;
  self->end = step->t + step->H;
  return return_failure(self, step->t, error);
}
