#include "app/stops.h"

#include <stdio.h>

#include "app/interrupt.h"

bool stops_exist(const mbs_model *model) {
  bool some = false;
  for (size_t i = 0; i < mbs_n_events(model); i++)
    some = some || mbs_event_stops(model, i);
  return some;
}

seam_status stops_advance(const mbs_model *model, mbs_integrator *integrator, mbs_events *events, double t,
                          mbs_state *state, mbs_event *event, seam_error *error) {
  seam_status status = SEAM_OK;
  do
    status = mbs_integrator_advance_to_event(integrator, events, t, state, event, error);
  while (status == SEAM_OK && event->number != SEAM_NONE && !mbs_event_stops(model, event->number));
  return status;
}

static bool ask(void *context, double t) {
  (void)context;
  (void)t;
  return interrupt_asked();
}

static seam_status find(const app_setup *setup, mbs_integrator *integrator, mbs_events *events, mbs_state *state,
                        double end, mbs_event *event, seam_error *error) {
  mbs_state_copy(state, setup->state);
  seam_status status = mbs_integrator_start(integrator, state, error);
  if (status == SEAM_OK)
    status = mbs_events_start(events, state, error);
  mbs_integrator_set_interrupt(integrator, ask, NULL);
  mbs_integrator_set_stop(integrator, end);
  return status == SEAM_OK ? stops_advance(setup->model, integrator, events, end, state, event, error) : status;
}

seam_status stops_shorten(const app_setup *setup, bool quiet, double *end, seam_error *error) {
  mbs_integrator *integrator = NULL;
  mbs_events *events = NULL;
  mbs_state *state = NULL;
  mbs_event event = {.number = SEAM_NONE};
  if (!stops_exist(setup->model))
    return SEAM_OK;
  seam_status status =
      mbs_integrator_create(setup->model, &seam_model_simulation(setup->file)->integrator, &integrator, error);
  if (status == SEAM_OK)
    status = mbs_events_create(setup->model, &events, error);
  if (status == SEAM_OK)
    status = mbs_state_create(setup->model, &state, error);
  if (status == SEAM_OK)
    status = find(setup, integrator, events, state, *end, &event, error);
  if (status == SEAM_OK && event.number != SEAM_NONE) {
    *end = event.time;
    if (!quiet)
      fprintf(stderr, "runs end at t = %.9g s, where '%s' stops the monolithic one\n", event.time,
              mbs_event_name(setup->model, event.number));
  }
  mbs_integrator_destroy(integrator);
  mbs_events_destroy(events);
  mbs_state_destroy(state);
  return status;
}
