/* FMUs in discrete time. Outputs of variability "discrete" are held between samples. At a macro point the FMU gets the
 * inputs there, which the step before did not know, and then
 *
 *   with event mode   an event that waits passes under them: a sample, or what else the FMU does there. Macro steps end
 *                     at the times that it names
 *   without           outputs are read anew. They follow where the FMU has its sample between steps. Where held outputs
 *                     have changed, and do not follow inputs that are moved a little, a sample was by inputs as they
 *                     were held. Not so at a limit, nor where a second one was inside of the step: the step is repeated
 *                     up to just before its end, and under the inputs that are known now; an FMU that restores no state
 *                     counts as late at a limit. It acts late, by up to a macro step, which is counted
 */
#include <math.h>
#include <string.h>

#include "cosim/parts/fmu_internal.h"

/* Of a macro step: an event that is this close to its end is there. */
static const double near_end = 1e-8;

void fmu_part_count_late(fmu_part *self) { self->late += self->has_held ? self->length : 0; }

double fmu_part_late_share(const fmu_part *self) {
  return self->late > 0 ? fmin(self->late / (self->end - self->began), 1) : 0;
}

/* ---- With event mode ---- */

static double next_event(const cosim_part *base) {
  const fmu_part *self = (const fmu_part *)base;
  const fmi_instance *instance = self->calls->instance;
  if (fmi_instance_waits_at_start(instance) || (self->waits && self->reached >= self->end - near_end * self->length))
    return -INFINITY;
  return self->waits || base->has_fixed_steps ? INFINITY : fmi_instance_next_event(instance);
}

static seam_status take_inputs(fmu_part *self, const double *inputs, seam_error *error) {
  for (int i = 0; i < self->base.n_inputs; i++)
    self->values[i] = self->u[i] = self->is_connected[i] ? inputs[i] : self->u[i];
  return fmu_part_set_inputs(self, error);
}

static seam_status pass_event(cosim_part *base, double t, const double *inputs, seam_error *error) {
  fmu_part *self = (fmu_part *)base;
  seam_error cause = {0};
  self->waits = false;
  if (fmi_instance_waits_at_start(self->calls->instance))
    self->reached = t;
  const seam_status status = take_inputs(self, inputs, &cause);
  return status == SEAM_OK ? fmi_instance_handle_events(self->calls->instance, self->reached, error)
                           : seam_fail(error, status, "t = %.9g s: %s", t, cause.message);
}

/* ---- Without ---- */

/* At every macro point. */
static double always(const cosim_part *base) {
  (void)base;
  return -INFINITY;
}

/* By more than rounding of inputs makes, of the largest value so far. */
static bool differ(const fmu_part *self, const double *a, const double *b) {
  const double rounding = 1e-10;
  bool some = false;
  for (int i = 0; i < self->base.n_outputs; i++)
    some |= self->base.held[i] && fabs(a[i] - b[i]) > rounding * self->held_largest[i];
  return some;
}

static void remember(fmu_part *self, const double *outputs) {
  for (int i = 0; i < self->base.n_outputs; i++) {
    self->held_values[i] = outputs[i];
    self->held_largest[i] = fmax(self->held_largest[i], fabs(outputs[i]));
  }
}

/* Under the inputs, each `push` of its size beside, at least of 1. */
static seam_status read_under(fmu_part *self, const double *inputs, double push, double *outputs, seam_error *error) {
  for (int i = 0; i < self->base.n_inputs; i++) {
    self->u[i] = self->is_connected[i] ? inputs[i] : self->u[i];
    self->values[i] = self->u[i] + (self->is_connected[i] ? push * fmax(fabs(self->u[i]), 1) : 0);
  }
  const seam_status status = fmu_part_set_inputs(self, error);
  return status == SEAM_OK ? fmu_part_read_outputs(self, outputs, error) : status;
}

seam_status fmu_part_keep_begin(fmu_part *self, const cosim_step *step, seam_error *error) {
  seam_error cause = {0};
  if (!self->keeps_begin)
    return SEAM_OK;
  memcpy(self->over, step->inputs, (size_t)self->base.n_inputs * sizeof *self->over);
  const seam_status status = fmi_instance_save(self->calls->instance, &self->calls->begin, &cause);
  return status == SEAM_OK ? SEAM_OK : seam_fail(error, status, "t = %.9g s: %s", step->t, cause.message);
}

/* Held outputs where the last macro step is repeated up to τ under `over`. */
static seam_status repeat_step(fmu_part *self, double tau, double *outputs, seam_error *error) {
  const cosim_step step = {.t = self->end - self->length, .H = self->length, .inputs = self->over};
  const fmu_part before = *self;
  seam_status status = fmi_instance_restore(self->calls->instance, self->calls->begin, error);
  self->is_given = false;
  self->reached = step.t;
  if (status == SEAM_OK)
    status = fmu_part_take(self, &step, 0, tau, error);
  if (status == SEAM_OK)
    status = fmu_part_read_outputs(self, outputs, error);
  *self = before;
  self->is_given = false;
  return status;
}

/* Held outputs are `now`. They had changed before the end of the step already, or are others where inputs run straight
 * to those that are known now. */
static seam_status look_inside(fmu_part *self, const double *inputs, const double *now, bool follows, bool *is_late,
                               seam_error *error) {
  const double just_before = 1 - 1e-6;
  fmu_calls *calls = self->calls;
  double *other = self->outputs_before + self->base.n_outputs;
  seam_status status = fmi_instance_save(calls->instance, &calls->state, error);
  if (status == SEAM_OK)
    status = repeat_step(self, just_before, other, error);
  *is_late = status == SEAM_OK && differ(self, other, self->held_values);
  for (int i = 0; i < self->base.n_inputs; i++) {
    const double begin = cosim_signal_value(&self->over[i], 0);
    self->over[i] = (cosim_signal){.n_pieces = 1, .c = {{begin, inputs[i] - begin}}};
  }
  const bool is_unsure = status == SEAM_OK && !*is_late && !follows;
  if (is_unsure)
    status = repeat_step(self, 1, other, error);
  if (is_unsure && status == SEAM_OK)
    *is_late = differ(self, other, now);
  const seam_status back = fmi_instance_restore(calls->instance, calls->state, status == SEAM_OK ? error : NULL);
  return status == SEAM_OK ? back : status;
}

static seam_status read_anew(cosim_part *base, double t, const double *inputs, seam_error *error) {
  const double some = 1e-6;
  fmu_part *self = (fmu_part *)base;
  double *now = self->outputs_before, *pushed = now + base->n_outputs;
  seam_error cause = {0};
  seam_status status = read_under(self, inputs, 0, now, &cause);
  const bool has_sampled = self->length > 0 && differ(self, now, self->held_values);
  if (status == SEAM_OK && has_sampled)
    status = read_under(self, inputs, some, pushed, &cause);
  const bool follows = status == SEAM_OK && has_sampled && differ(self, now, pushed);
  bool is_late = status == SEAM_OK && has_sampled && !follows;
  if (status == SEAM_OK && has_sampled && self->keeps_begin)
    status = look_inside(self, inputs, now, follows, &is_late, &cause);
  if (is_late)
    fmu_part_count_late(self);
  if (status == SEAM_OK && has_sampled)
    status = read_under(self, inputs, 0, now, &cause);
  remember(self, now);
  return status == SEAM_OK ? SEAM_OK : seam_fail(error, status, "t = %.9g s: %s", t, cause.message);
}

/* ---- Which of them ---- */

bool fmu_part_has_event_mode(const fmi_description *of) { return of->version == FMI_3 && of->capabilities.event_mode; }

void fmu_part_find_samples(fmu_part *self) {
  const bool has_events = fmu_part_has_event_mode(self->description);
  for (int i = 0; i < self->base.n_outputs; i++)
    self->has_held |= self->is_held[i];
  if (!self->has_held && !has_events)
    return;
  self->keeps_begin = !has_events && self->fixed == 0 && self->description->capabilities.can_get_and_set_state;
  self->base.held = self->is_held;
  self->ops.next_sample = has_events ? next_event : always;
  self->ops.sample = has_events ? pass_event : read_anew;
}
