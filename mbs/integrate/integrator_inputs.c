/* Variables that are set from outside during a run (inputs). They are constant between the times at which they are set.
 * When a variable is set, the functions that read it jump, as laws of time do at a kink, and the method restarts. */
#include <math.h>

#include "base/argument.h"
#include "base/then.h"
#include "mbs/contact/switches.h"
#include "mbs/dynamics/responses.h"
#include "mbs/integrate/integrator_internal.h"
#include "mbs/model/event.h"

/* ---- Checks ---- */

seam_status mbs_check_inputs(const mbs_model *model, const size_t *variables, const double *values, size_t n, double t,
                             seam_error *error) {
  for (size_t i = 0; i < n; i++) {
    if (variables[i] >= mbs_n_variables(model))
      return seam_fail(error, SEAM_BAD_INPUT,
                       "t = %.9g s: cannot set variable %zu: the model has %zu variables, numbered from 0", t,
                       variables[i], mbs_n_variables(model));
    const char *name = mbs_variable_of(model, variables[i]).name;
    if (!mbs_variable_of(model, variables[i]).is_input)
      return seam_fail(
          error, SEAM_BAD_INPUT,
          "t = %.9g s: '%s' cannot be set, since an equation determines it: set one of the inputs under 'fmu: inputs'",
          t, name);
    if (!isfinite(values[i]))
      return seam_fail(error, SEAM_BAD_INPUT, "t = %.9g s: '%s' is set to %g, which is not finite", t, name, values[i]);
  }
  return SEAM_OK;
}

static seam_status check(const mbs_integrator *self, const mbs_events *events, const mbs_state *state,
                         seam_error *error) {
  const char *function = "mbs_integrator_set_inputs";
  seam_status status = mbs_state_check(function, self->model, state, error);
  THEN(status, mbs_integrator_check_time(self, function, self->reached, error));
  if (status != SEAM_OK)
    return status;
  if (state->t != self->reached)
    return seam_fail(error, SEAM_BAD_INPUT, "%s(): the state is at %.17g s, but the integrator reached %.17g s",
                     function, state->t, self->reached);
  if (events != NULL &&
      !(mbs_events_have_started(events) && mbs_events_searched(events) >= self->reached - mbs_same_time(self->reached)))
    return seam_fail(error, SEAM_BAD_STATE, "%s(): take the events up to %.9g s first", function, self->reached);
  if (mbs_integrator_is_crossing(self, self->reached))
    return seam_fail(error, SEAM_BAD_STATE,
                     "t = %.9g s: the mechanism is passing a singular configuration: set inputs at a later time",
                     self->reached);
  return SEAM_OK;
}

/* ---- Setting inputs ---- */

static seam_status before_jump(void *context, double t, mbs_state *state, seam_error *error) {
  return mbs_integrator_reach(context, t, state, NULL, true, error);
}

static seam_status after_jump(void *context, double t, mbs_state *state, seam_error *error) {
  (void)t;
  (void)error;
  mbs_state_copy(state, context);
  return SEAM_OK;
}

seam_status mbs_integrator_set_inputs(mbs_integrator *self, mbs_events *events, const size_t *variables,
                                      const double *values, size_t n, mbs_state *state, seam_error *error) {
  ARGUMENTS(error, self, variables, values, state);
  seam_status status = check(self, events, state, error);
  THEN(status, mbs_check_inputs(self->model, variables, values, n, state->t, error));
  /* The search for events may have gone beyond the present time, to the end of a step. The new values change the motion
   * from the present time on, so events found after it are discarded. */
  if (status == SEAM_OK && events != NULL && mbs_events_searched(events) > self->reached)
    status = mbs_events_rewind(events, &(mbs_known_motion){before_jump, self}, self->reached, error);
  if (status != SEAM_OK)
    return status;
  for (size_t i = 0; i < n; i++)
    state->z[mbs_variable_of(self->model, variables[i]).state] = values[i];
  self->has_inside = false;
  self->evaluated.in_workspace = false;
  const double stop = self->times.stop;
  const seam_step_memory memory = mbs_integrator_step_memory(self);
  status = mbs_resolve_friction_modes(self->ws, state, error);
  THEN(status, mbs_integrator_restart(self, state, 0, NULL, &memory, error));
  mbs_integrator_set_stop(self, stop);
  THEN(status, mbs_evaluate(self->ws, state, error));
  if (status == SEAM_OK && events != NULL)
    status = mbs_events_check_jump(events, &(mbs_known_motion){after_jump, state}, state->t, error);
  if (status == SEAM_OK && events != NULL)
    *mbs_events_mark(events) = seam_integrator_end(self->integrator);
  if (status != SEAM_OK)
    self->reached = NAN;
  return status;
}
