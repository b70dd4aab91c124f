/* FMUs in discrete time. Outputs of variability "discrete" are constant between samples. At a macro point the FMU gets
 * the inputs at that point, which were not known in the step before.
 *
 *   with event mode      the FMU handles a pending event, such as a sample, with the inputs at the macro point; macro
 *                        steps end at the event times that the FMU gives
 *   without event mode   outputs are read again. They are exact if the FMU samples between steps. A sample inside a
 *                        step has used the inputs of that step, which are up to one macro step old */
#include <math.h>

#include "cosim/parts/fmu_internal.h"
#include "cosim/thresholds.h"

/* ---- Samples ---- */

static double next_event(const cosim_part *base) {
  const fmu_part *self = (const fmu_part *)base;
  const fmi_instance *instance = self->calls->instance;
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
  return fmu_part_set_inputs(self, error);
}

/* Sets the inputs. Without event mode this is a whole sample, after which the caller reads the outputs again. */
static seam_status take_inputs(cosim_part *base, double t, const double *inputs, seam_error *error) {
  seam_error cause = {0};
  const seam_status status = fmu_part_set_connected_inputs((fmu_part *)base, inputs, &cause);
  return status == SEAM_OK ? SEAM_OK : seam_fail(error, status, "t = %.9g s: %s", t, cause.message);
}

static seam_status pass_event(cosim_part *base, double t, const double *inputs, seam_error *error) {
  fmu_part *self = (fmu_part *)base;
  if (self->has_ended)
    return SEAM_OK;
  self->is_event_pending = false;
  if (fmi_instance_has_deferred_events(self->calls->instance))
    self->reached = t;
  const seam_status status = take_inputs(base, t, inputs, error);
  return status == SEAM_OK ? fmu_part_handle_events(self, self->reached, error) : status;
}

/* A sample is due at every macro point. */
static double always(const cosim_part *base) {
  (void)base;
  return -INFINITY;
}

/* ---- Choice ---- */

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
