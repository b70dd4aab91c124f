/* Integrates to the first event that stops a run, and continues past other events (<seam/analysis.h>). */
#include <seam/analysis.h>

#include "base/argument.h"
#include "base/then.h"

bool seam_has_stops(const mbs_model *model) {
  bool some = false;
  for (size_t i = 0; i < mbs_n_events(model); i++)
    some = some || mbs_event_of(model, i).stops;
  return some;
}

seam_status seam_find_stop(const mbs_model *model, const mbs_state *start, const mbs_integrator_options *options,
                           const seam_interrupt *interrupt, double end, mbs_event *event, seam_error *error) {
  ARGUMENTS(error, model, start, options, event);
  mbs_integrator *integrator = NULL;
  mbs_events *events = NULL;
  mbs_state *state = NULL;
  *event = (mbs_event){.number = SEAM_NONE, .time = end, .sense = MBS_EITHER};
  if (!seam_has_stops(model))
    return SEAM_OK;
  seam_status status = mbs_integrator_create(model, options, &integrator, error);
  THEN(status, mbs_events_create(model, &events, error));
  THEN(status, mbs_state_create(model, &state, error));
  if (status == SEAM_OK) {
    mbs_state_copy(state, start);
    status = mbs_integrator_start(integrator, state, error);
    THEN(status, mbs_events_start(events, state, error));
    if (interrupt != NULL)
      mbs_integrator_set_interrupt(integrator, interrupt->is_requested, interrupt->context);
    mbs_integrator_set_stop(integrator, end);
    while (status == SEAM_OK) {
      status = mbs_integrator_advance_to_event(integrator, events, end, state, event, error);
      if (event->number == SEAM_NONE || mbs_event_of(model, event->number).stops)
        break;
    }
  }
  mbs_state_destroy(state);
  mbs_integrator_destroy(integrator);
  mbs_events_destroy(events);
  return status;
}
