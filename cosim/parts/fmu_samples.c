/* FMUs in discrete time. Outputs of variability "discrete" are held between samples. At a macro point the FMU gets the
 * inputs there, which the step before did not know, and then
 *
 *   with event mode   an event that waits passes under them: a sample, or what else the FMU does there. Macro steps end
 *                     at the times that it names
 *   without           outputs are read anew. They follow where the FMU has its sample between steps. Where one was
 *                     inside of the step, held outputs have changed, and do not follow inputs that are moved a little:
 *                     it was by inputs as they were held, and acts late, by up to a macro step. That is counted
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

static seam_status read_anew(cosim_part *base, double t, const double *inputs, seam_error *error) {
  const double some = 1e-6;
  fmu_part *self = (fmu_part *)base;
  double *now = self->outputs_before, *pushed = now + base->n_outputs;
  seam_error cause = {0};
  seam_status status = read_under(self, inputs, 0, now, &cause);
  const bool has_sampled = self->length > 0 && differ(self, now, self->held_values);
  if (status == SEAM_OK && has_sampled)
    status = read_under(self, inputs, some, pushed, &cause);
  if (status == SEAM_OK && has_sampled && !differ(self, now, pushed))
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
  self->base.held = self->is_held;
  self->ops.next_sample = has_events ? next_event : always;
  self->ops.sample = has_events ? pass_event : read_anew;
}
