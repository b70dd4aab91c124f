/* Initialisation, steps and events of an instance ([FMI 2.0.4] 4.2.1, [FMI 3.0.2] 4.2.1).
 *
 *   FMI 2   a step is done or discarded; for a discarded step the FMU gives the time it could reach
 *   FMI 3   a step may also end early, at an event; event mode then updates discrete states until the FMU needs no more
 *           updates. The FMU may also give the time of its next event; the caller ends a step then */
#include <math.h>
#include <stdio.h>

#include "base/then.h"
#include "fmi/library_internal.h"
#include "fmi/thresholds.h"

/* ---- Events ---- */

typedef struct update {
  bool again, terminates, nominals, values, is_known;
  double next;
} update;

static int update_once(fmi_instance *self, update *to) {
  int code = (int)FMI3_OK;
  FMI_CALL_3(self, code, false, UpdateDiscreteStates,
             (self->handle, &to->again, &to->terminates, &to->nominals, &to->values, &to->is_known, &to->next));
  return code;
}

static seam_status update_states(fmi_instance *self, double t, seam_error *error) {
  update last = {.again = true};
  for (int n = 0; last.again && !self->has_ended; n++) {
    if (n == FMI_MAX_UPDATES)
      return seam_fail(error, SEAM_FMU_FAILED, "t = %.9g s: its discrete states do not settle in %d updates", t,
                       FMI_MAX_UPDATES);
    last = (update){.next = INFINITY};
    seam_error cause = {0};
    if (fmi_end_call(self, update_once(self, &last), "UpdateDiscreteStates", &cause) != SEAM_OK)
      return seam_fail(error, SEAM_FMU_FAILED, "t = %.9g s: %s", t, cause.message);
    self->has_ended = last.terminates;
    self->next_event = last.is_known && !isnan(last.next) ? last.next - self->def.origin : INFINITY;
  }
  return SEAM_OK;
}

/* Completes event mode and enters step mode. */
static seam_status leave_event_mode(fmi_instance *self, double t, seam_error *error) {
  int code = (int)FMI3_OK;
  const seam_status status = update_states(self, t, error);
  if (status != SEAM_OK)
    return status;
  const double length = self->def.stop - self->def.start; /* NaN: unknown */
  const double reach = fmi_stalled_events * (isnan(length) ? fmax(fabs(t), self->stagnation.step) : length);
  const bool has_progress = !(t >= self->stagnation.t && t <= self->stagnation.t + reach);
  self->stagnation.n = has_progress ? 1 : self->stagnation.n + 1;
  self->stagnation.t = has_progress ? t : self->stagnation.t;
  if (self->stagnation.n > FMI_MAX_STALLED_EVENTS) /* a run would never end */
    return seam_fail(
        error, SEAM_FMU_FAILED,
        "t = %.9g s: %d of its events come to no more than %.3g s behind the first of them, the next one is at "
        "%.17g s: it stands still",
        t, self->stagnation.n, t - self->stagnation.t, self->next_event);
  if (self->has_ended)
    return SEAM_OK;
  if (self->next_event <= t)
    return seam_fail(error, SEAM_FMU_FAILED, "t = %.9g s: its next event is at %.9g s, which is not later", t,
                     self->next_event);
  self->is_in_event_mode = false;
  FMI_CALL_3(self, code, false, EnterStepMode, (self->handle));
  return fmi_end_call(self, code, "EnterStepMode", error);
}

static int enter_event_mode(fmi_instance *self) {
  int code = (int)FMI3_OK;
  if (!self->is_in_event_mode)
    FMI_CALL_3(self, code, false, EnterEventMode, (self->handle));
  return code;
}

seam_status fmi_instance_handle_events(fmi_instance *self, double t, seam_error *error) {
  seam_error cause = {0};
  if (!fmi_has_events(self) || self->has_ended)
    return SEAM_OK;
  if (fmi_end_call(self, enter_event_mode(self), "EnterEventMode", &cause) != SEAM_OK)
    return seam_fail(error, SEAM_FMU_FAILED, "t = %.9g s: %s", t, cause.message);
  return leave_event_mode(self, t, error);
}

double fmi_instance_next_event(const fmi_instance *self) { return self->next_event; }
bool fmi_instance_has_ended(const fmi_instance *self) { return self->has_ended; }
bool fmi_instance_has_deferred_events(const fmi_instance *self) { return self->is_in_event_mode; }

void fmi_instance_expect_event(fmi_instance *self, double t, bool defers_start_events) {
  self->next_event = t;
  self->is_in_event_mode = defers_start_events;
  self->has_ended = false;
}

/* ---- Initialisation ---- */

seam_status fmi_instance_configure(fmi_instance *self, bool begins, seam_error *error) {
  const fmi3_functions *call = &self->of->call.three;
  int code = (int)FMI3_OK;
  if (call->EnterConfigurationMode == NULL || call->ExitConfigurationMode == NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s: its program has no configuration mode, in which structural "
                     "parameters are set",
                     self->of->path);
  if (begins)
    FMI_CALL_3(self, code, false, EnterConfigurationMode, (self->handle));
  else
    FMI_CALL_3(self, code, false, ExitConfigurationMode, (self->handle));
  return fmi_end_call(self, code, begins ? "EnterConfigurationMode" : "ExitConfigurationMode", error);
}

seam_status fmi_instance_initialize(fmi_instance *self, seam_error *error) {
  const fmi_instance_def *def = &self->def;
  const double tolerance = isnan(def->tolerance) ? 0 : def->tolerance,
               stop = isnan(def->stop) ? 0 : def->origin + def->stop;
  int code = (int)FMI2_OK;
  self->next_event = INFINITY;
  self->stagnation.t = NAN;
  FMI_CALL(self, code, true, EnterInitializationMode, (self->handle), EnterInitializationMode,
           (self->handle, !isnan(def->tolerance), tolerance, def->origin + def->start, !isnan(def->stop), stop));
  return fmi_end_call(self, code, "EnterInitializationMode", error);
}

seam_status fmi_instance_begin(fmi_instance *self, seam_error *error) {
  int code = (int)FMI2_OK;
  FMI_CALL(self, code, true, ExitInitializationMode, (self->handle), ExitInitializationMode, (self->handle));
  const seam_status status = fmi_end_call(self, code, "ExitInitializationMode", error);
  self->has_begun = status == SEAM_OK;
  self->is_in_event_mode = status == SEAM_OK && fmi_has_events(self);
  return self->is_in_event_mode && !self->def.defers_start_events ? leave_event_mode(self, self->def.start, error)
                                                                  : status;
}

/* ---- Steps ---- */

/* Returns true if the FMU, which discarded a step, says that it has ended the simulation. */
static bool has_terminated(fmi_instance *self) {
  int ends = 0, code = (int)FMI2_ERROR;
  if (self->of->call.two.GetBooleanStatus != NULL)
    FMI_CALL_2(self, code, false, GetBooleanStatus, (self->handle, FMI2_TERMINATED, &ends));
  return code == (int)FMI2_OK && ends;
}

/* Returns the time reached by a discarded step; NaN: the FMU does not give it. */
static double last_successful_time(fmi_instance *self) {
  double reached = NAN;
  int code = (int)FMI2_ERROR;
  if (self->of->call.two.GetRealStatus != NULL)
    FMI_CALL_2(self, code, false, GetRealStatus, (self->handle, FMI2_LAST_SUCCESSFUL_TIME, &reached));
  return code == (int)FMI2_OK ? reached - self->def.origin : NAN;
}

static seam_status fail_step(fmi_instance *self, int code, double t, seam_error *error) {
  seam_error cause;
  if (fmi_end_call(self, code, "DoStep", &cause) == SEAM_OK)
    return SEAM_OK;
  return seam_fail(error, SEAM_FMU_FAILED, "t = %.9g s: %s", t, cause.message);
}

static int do_step_2(fmi_instance *self, double t, double H, bool is_final) {
  int code = (int)FMI2_OK;
  FMI_CALL_2(self, code, !self->has_stepped, DoStep,
             (self->handle, self->def.origin + t, H, is_final ? FMI2_TRUE : FMI2_FALSE));
  return code;
}

static seam_status step_2(fmi_instance *self, double t, double H, bool is_final, fmi_step_end *end, seam_error *error) {
  const int code = do_step_2(self, t, H, is_final);
  if (code == (int)FMI2_DISCARD) { /* perhaps the last step of the simulation */
    const double reached = last_successful_time(self);
    end->has_ended = has_terminated(self);
    end->is_discarded = !end->has_ended;
    end->reached = isnan(reached) ? t : reached;
    return SEAM_OK;
  }
  if (code == (int)FMI2_PENDING)
    return seam_fail(error, SEAM_FMU_FAILED, "t = %.9g s: it steps asynchronously, which it was not asked for", t);
  return fail_step(self, code, t, error);
}

static int do_step_3(fmi_instance *self, double t, double H, bool is_final, fmi_step_end *end) {
  int code = (int)FMI3_OK;
  FMI_CALL_3(self, code, !self->has_stepped, DoStep,
             (self->handle, self->def.origin + t, H, is_final, &end->needs_events, &end->has_ended, &end->is_early,
              &end->reached));
  return code;
}

static seam_status step_3(fmi_instance *self, double t, double H, bool is_final, fmi_step_end *end, seam_error *error) {
  const int code = do_step_3(self, t, H, is_final, end);
  end->is_discarded = code == (int)FMI3_DISCARD;
  const seam_status status = end->is_discarded ? SEAM_OK : fail_step(self, code, t, error);
  end->reached -= self->def.origin;
  if (!end->is_early)
    end->reached = end->is_discarded ? t : t + H;
  return status;
}

seam_status fmi_instance_step(fmi_instance *self, double t, double H, bool is_final, fmi_step_end *end,
                              seam_error *error) {
  self->logged[0] = '\0';
  self->t = t;
  self->stagnation.step = fmax(self->stagnation.step, H);
  *end = (fmi_step_end){.reached = t + H};
  const seam_status status =
      fmi_is_two(self) ? step_2(self, t, H, is_final, end, error) : step_3(self, t, H, is_final, end, error);
  fmi_guard_check_streams();
  self->has_stepped = true;
  self->has_ended = end->has_ended;
  if (status != SEAM_OK ||
      (end->reached >= t - fmi_step_end_error * H && end->reached <= t + (1 + fmi_step_end_error) * H))
    return status;
  return seam_fail(error, SEAM_FMU_FAILED, "t = %.9g s: the FMU says that its step of %g s ended at t = %.9g s", t, H,
                   end->reached);
}

const char *fmi_instance_log(const fmi_instance *self) { return self->logged; }
