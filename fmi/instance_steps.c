/* Initialisation, steps and events of an instance ([FMI 2.0.4] 4.2.1, [FMI 3.0.2] 4.2.1).
 *
 *   FMI 2   a step is done, or discarded: the FMU says how far it would have come
 *   FMI 3   a step may end early, at an event. In event mode discrete states become their new ones, until the FMU asks
 *           for no more; it may also say when the next event is, where a step ends then */
#include <math.h>
#include <stdio.h>

#include "fmi/library_internal.h"
#include "fmi/thresholds.h"

/* ---- The end that it asks for ---- */

static seam_status asks_for_end(const fmi_instance *self, double t, seam_error *error) {
  return seam_fail(error, SEAM_STEP_FAILED, "t = %.9g s: it asks for the end of the simulation%s%s", t,
                   self->logged[0] != '\0' ? ": " : "", self->logged);
}

/* ---- Events ---- */

static seam_status update_states(fmi_instance *self, double t, seam_error *error) {
  const fmi3_functions *call = &self->of->call.three;
  bool again = true;
  for (int n = 0; again; n++) {
    bool terminates = false, nominals = false, values = false, is_known = false;
    double next = INFINITY;
    if (n == FMI_MAX_UPDATES)
      return seam_fail(error, SEAM_STEP_FAILED, "t = %.9g s: its discrete states do not settle in %d updates", t,
                       FMI_MAX_UPDATES);
    const int code =
        (int)call->UpdateDiscreteStates(self->handle, &again, &terminates, &nominals, &values, &is_known, &next);
    seam_error cause = {0};
    if (fmi_end_call(self, code, "UpdateDiscreteStates", &cause) != SEAM_OK)
      return seam_fail(error, SEAM_STEP_FAILED, "t = %.9g s: %s", t, cause.message);
    if (terminates)
      return asks_for_end(self, t, error);
    self->next_event = is_known && !isnan(next) ? next : INFINITY;
  }
  return SEAM_OK;
}

/* From event mode on. */
static seam_status settle(fmi_instance *self, double t, seam_error *error) {
  const seam_status status = update_states(self, t, error);
  if (status != SEAM_OK)
    return status;
  if (self->next_event <= t)
    return seam_fail(error, SEAM_STEP_FAILED, "t = %.9g s: its next event is at %.9g s, which is not later", t,
                     self->next_event);
  self->is_in_event_mode = false;
  return fmi_end_call(self, (int)self->of->call.three.EnterStepMode(self->handle), "EnterStepMode", error);
}

static seam_status enter_event_mode(fmi_instance *self, seam_error *error) {
  if (self->is_in_event_mode)
    return SEAM_OK;
  return fmi_end_call(self, (int)self->of->call.three.EnterEventMode(self->handle), "EnterEventMode", error);
}

seam_status fmi_instance_handle_events(fmi_instance *self, double t, seam_error *error) {
  seam_error cause = {0};
  if (!fmi_has_events(self))
    return SEAM_OK;
  if (enter_event_mode(self, &cause) != SEAM_OK)
    return seam_fail(error, SEAM_STEP_FAILED, "t = %.9g s: %s", t, cause.message);
  return settle(self, t, error);
}

double fmi_instance_next_event(const fmi_instance *self) { return self->next_event; }
bool fmi_instance_waits_at_start(const fmi_instance *self) { return self->is_in_event_mode; }

void fmi_instance_expect_event(fmi_instance *self, double t, bool waits_at_start) {
  self->next_event = t;
  self->is_in_event_mode = waits_at_start;
}

/* ---- Initialisation ---- */

static int begin_2(fmi_instance *self, double start, double stop, double tolerance) {
  const fmi2_functions *call = &self->of->call.two;
  int code = (int)call->SetupExperiment(self->handle, !isnan(tolerance), isnan(tolerance) ? 0 : tolerance, start,
                                        !isnan(stop), isnan(stop) ? 0 : stop);
  if (code <= (int)FMI2_WARNING)
    code = (int)call->EnterInitializationMode(self->handle);
  return code <= (int)FMI2_WARNING ? (int)call->ExitInitializationMode(self->handle) : code;
}

static int begin_3(fmi_instance *self, double start, double stop, double tolerance) {
  const fmi3_functions *call = &self->of->call.three;
  const int code = (int)call->EnterInitializationMode(self->handle, !isnan(tolerance), isnan(tolerance) ? 0 : tolerance,
                                                      start, !isnan(stop), isnan(stop) ? 0 : stop);
  return code <= (int)FMI3_WARNING ? (int)call->ExitInitializationMode(self->handle) : code;
}

seam_status fmi_instance_begin(fmi_instance *self, double start, double stop, double tolerance, seam_error *error) {
  const int code = fmi_is_two(self) ? begin_2(self, start, stop, tolerance) : begin_3(self, start, stop, tolerance);
  self->next_event = INFINITY;
  self->has_begun = code <= (int)FMI2_WARNING;
  const seam_status status = fmi_end_call(self, code, "EnterInitializationMode", error);
  self->is_in_event_mode = status == SEAM_OK && fmi_has_events(self);
  return self->is_in_event_mode && !self->def.waits_at_start ? settle(self, start, error) : status;
}

/* ---- Steps ---- */

/* Of a discarded step. */
static seam_status discard_2(fmi_instance *self, double t, fmi_step_end *end, seam_error *error) {
  const fmi2_functions *call = &self->of->call.two;
  double reached = t;
  int terminates = 0;
  end->is_discarded = true;
  if (call->GetBooleanStatus != NULL && call->GetBooleanStatus(self->handle, FMI2_TERMINATED, &terminates) == FMI2_OK &&
      terminates)
    return asks_for_end(self, t, error);
  if (call->GetRealStatus == NULL || call->GetRealStatus(self->handle, FMI2_LAST_SUCCESSFUL_TIME, &reached) != FMI2_OK)
    reached = t;
  end->reached = reached;
  return SEAM_OK;
}

static seam_status fail_step(fmi_instance *self, int code, double t, seam_error *error) {
  seam_error cause;
  if (fmi_end_call(self, code, "DoStep", &cause) == SEAM_OK)
    return SEAM_OK;
  return seam_fail(error, SEAM_STEP_FAILED, "t = %.9g s: %s", t, cause.message);
}

static seam_status step_2(fmi_instance *self, double t, double H, fmi_step_end *end, seam_error *error) {
  const int code = (int)self->of->call.two.DoStep(self->handle, t, H, FMI2_FALSE);
  if (code == (int)FMI2_DISCARD)
    return discard_2(self, t, end, error);
  if (code == (int)FMI2_PENDING)
    return seam_fail(error, SEAM_STEP_FAILED, "t = %.9g s: it steps asynchronously, which it was not asked for", t);
  return fail_step(self, code, t, error);
}

static seam_status step_3(fmi_instance *self, double t, double H, fmi_step_end *end, seam_error *error) {
  bool terminates = false, is_early = false;
  double reached = t + H;
  const int code =
      (int)self->of->call.three.DoStep(self->handle, t, H, false, &end->needs_events, &terminates, &is_early, &reached);
  end->is_discarded = code == (int)FMI3_DISCARD;
  const seam_status status = end->is_discarded ? SEAM_OK : fail_step(self, code, t, error);
  if (status != SEAM_OK)
    return status;
  if (terminates)
    return asks_for_end(self, is_early ? reached : t + H, error);
  end->is_early = is_early;
  end->reached = end->is_discarded && !is_early ? t : is_early ? reached : t + H;
  return SEAM_OK;
}

seam_status fmi_instance_step(fmi_instance *self, double t, double H, fmi_step_end *end, seam_error *error) {
  self->logged[0] = '\0';
  *end = (fmi_step_end){.reached = t + H};
  const seam_status status = fmi_is_two(self) ? step_2(self, t, H, end, error) : step_3(self, t, H, end, error);
  if (status != SEAM_OK || (end->reached >= t - fmi_beyond_step * H && end->reached <= t + (1 + fmi_beyond_step) * H))
    return status;
  return seam_fail(error, SEAM_STEP_FAILED, "t = %.9g s: it says that its step of %g s came to t = %.9g s", t, H,
                   end->reached);
}

const char *fmi_instance_log(const fmi_instance *self) { return self->logged; }
