/* Finds events within the steps of an integrator. Each smooth part of the motion (see events.c) is one of these: a
 * step; the part of a step up to the next kink or switch; an extrapolation through a singular configuration. At a kink
 * or switch the motion may jump. Also sets inputs, at which events are searched anew. */
#include <math.h>

#include "base/argument.h"
#include "base/then.h"
#include "mbs/contact/switches.h"
#include "mbs/dynamics/responses.h"
#include "mbs/integrate/integrator_internal.h"
#include "mbs/model/event.h"

static double same_time(double t) { return 10 * mbs_same_time(t); }

static seam_status state_at(void *context, double t, mbs_state *state, seam_error *error) {
  return mbs_integrator_reach(context, t, state, NULL, true, error);
}

/* Finds the state at t in the smooth part before the next kink or switch; t must not be after this kink or switch. If t
 * is the time of a sample up to round-off, an integrator that reaches t takes the sample. So for such a t this function
 * finds the state just before the sample. */
static seam_status state_before(void *context, double t, mbs_state *state, seam_error *error) {
  const mbs_integrator *self = context;
  const double at = self->times.next.at;
  const double early = at - 2 * mbs_same_time(at);
  const bool is_at_sample = t > early && t <= at && mbs_integrator_is_sample_at(self, early);
  const seam_status status = mbs_integrator_reach(context, is_at_sample ? early : t, state, NULL, true, error);
  state->t = t;
  return status;
}

/* ---- The next smooth part ---- */

/* Finds the next smooth part after the time `searched`: a step of the method towards t, or an extrapolation through a
 * singular configuration. If the extrapolation has been searched already, the method restarts at its end. *end: end of
 * the smooth part, s. */
static seam_status next_smooth_part(mbs_integrator *self, double searched, double t, mbs_state *state, double *end,
                                    seam_error *error) {
  const double known = seam_integrator_end(self->integrator);
  seam_status status = known > searched ? SEAM_OK : mbs_integrator_step(self, t, error);
  if (status == SEAM_BECAME_SINGULAR && mbs_integrator_is_crossing(self, known)) {
    *end = mbs_crossing_end(self->crossing);
    if (searched < *end)
      return SEAM_OK;
    status = mbs_integrator_reach(self, *end + 4 * mbs_same_time(*end), state, NULL, false, error);
  } else if (status != SEAM_OK) {
    (void)mbs_integrator_reach(self, searched, state, NULL, true, NULL);
    return mbs_integrator_explain(self, status, state, error);
  }
  *end = seam_integrator_end(self->integrator);
  return status;
}

/* Continues after a smooth part that has been searched to its end: extends the search by the next smooth part, or
 * across a kink or switch. */
static seam_status search_next_part(mbs_integrator *self, mbs_events *events, double t, mbs_state *state,
                                    seam_error *error) {
  const mbs_known_motion motion = {state_at, self};
  const double searched = mbs_events_searched(events);
  double end = searched;
  seam_status status = SEAM_OK;
  if (searched >= self->times.next.before)
    status = mbs_events_check_jump(events, &motion, self->times.next.at, error);
  else {
    self->events_rotation_rate = mbs_events_rotation_rate(events);
    status = next_smooth_part(self, searched, t, state, &end, error);
  }
  end = fmin(end, self->times.next.before);
  if (status == SEAM_OK && end > searched) { /* conditions are smooth up to the next kink of watched functions */
    const seam_kink kink = mbs_integrator_watched_kink(self, searched, end);
    if (kink.before <= searched)
      status = mbs_events_check_jump(events, &motion, kink.at, error);
    else
      mbs_events_extend(events, fmin(end, kink.before));
  }
  *mbs_events_mark(events) = seam_integrator_end(self->integrator);
  return status;
}

/* ---- Advancing to an event ---- */

/* Checks that the events have been started and searched up to the time that the integrator has returned. The integrator
 * may no longer have the step in which events were searched, for example because it was restored. Then the search goes
 * back to the returned time. */
static seam_status check(mbs_integrator *self, mbs_events *events, seam_error *error) {
  const mbs_known_motion motion = {state_at, self};
  const char *function = "mbs_integrator_advance_to_event";
  if (!mbs_events_have_started(events))
    return seam_fail(error, SEAM_BAD_STATE, "%s(): the events have no state: start or restore them first", function);
  if (mbs_events_searched(events) < self->reached - same_time(self->reached))
    return seam_fail(error, SEAM_BAD_STATE,
                     "%s(): the integrator is at %.17g s, but events were searched only up to %.17g s: start the "
                     "events at the integrator's time",
                     function, self->reached, mbs_events_searched(events));
  if (*mbs_events_mark(events) == seam_integrator_end(self->integrator))
    return SEAM_OK;
  *mbs_events_mark(events) = seam_integrator_end(self->integrator);
  return mbs_events_rewind(events, &motion, self->reached, error);
}

/* Searches the motion until it finds an event up to t, or has searched up to t. *event: the first event; event->number
 * is SEAM_NONE if there is no event. After an error, event->time is the time up to which the search has come. */
static seam_status find_event(mbs_integrator *self, mbs_events *events, double t, mbs_state *state, mbs_event *event,
                              seam_error *error) {
  const mbs_known_motion motion = {state_before, self};
  for (;;) {
    seam_status status = mbs_events_find_next(events, t, event, error);
    const double searched = mbs_events_searched(events);
    const bool is_before_kink = searched >= self->times.next.before && t < self->times.next.at;
    if (status != SEAM_OK || event->number != SEAM_NONE || searched >= t - same_time(t) || is_before_kink)
      return status;
    if (searched < mbs_events_end(events))
      status = mbs_events_check(events, &motion, error);
    else
      status = search_next_part(self, events, t, state, error);
    if (status != SEAM_OK) {
      event->time = searched;
      return status;
    }
  }
}

seam_status mbs_integrator_advance_to_event(mbs_integrator *self, mbs_events *events, double t, mbs_state *state,
                                            mbs_event *event, seam_error *error) {
  ARGUMENTS(error, self, events, state, event);
  *event = (mbs_event){SEAM_NONE, t, MBS_EITHER};
  seam_status status = mbs_state_check(__func__, self->model, state, error);
  THEN(status, mbs_integrator_check_time(self, __func__, t, error));
  THEN(status, check(self, events, error));
  if (status != SEAM_OK)
    return status;
  const double stop = self->times.stop;
  if (!(t <= stop + mbs_same_time(stop)))
    return seam_fail(error, SEAM_BAD_INPUT, "t = %.9g s is beyond the stop time %.9g s: set a later one", t, stop);
  status = find_event(self, events, fmin(t, stop), state, event, error);
  event->time = fmax(event->time, self->reached);
  const seam_status reached =
      mbs_integrator_reach(self, event->time, state, NULL, true, status == SEAM_OK ? error : NULL);
  self->reached = state->t;
  return status == SEAM_OK ? reached : status;
}

/* ---- Inputs ----
 *
 * Variables that are set from outside during a run are constant between the times at which they are set. When a
 * variable is set, the functions that read it jump, as laws of time do at a kink, and the method restarts. */

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

static seam_status check_setting(const mbs_integrator *self, const mbs_events *events, const mbs_state *state,
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

static seam_status after_jump(void *context, double t, mbs_state *state, seam_error *error) {
  (void)t;
  (void)error;
  mbs_state_copy(state, context);
  return SEAM_OK;
}

seam_status mbs_integrator_set_inputs(mbs_integrator *self, mbs_events *events, const size_t *variables,
                                      const double *values, size_t n, mbs_state *state, seam_error *error) {
  ARGUMENTS(error, self, variables, values, state);
  seam_status status = check_setting(self, events, state, error);
  THEN(status, mbs_check_inputs(self->model, variables, values, n, state->t, error));
  /* The search for events may have gone beyond the present time, to the end of a step. The new values change the motion
   * from the present time on, so events found after it are discarded. */
  if (status == SEAM_OK && events != NULL && mbs_events_searched(events) > self->reached)
    status = mbs_events_rewind(events, &(mbs_known_motion){state_at, self}, self->reached, error);
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
