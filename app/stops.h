/* Runs that end at the first event that stops them; other events pass. */
#ifndef APP_STOPS_H
#define APP_STOPS_H

#include <seam/events.h>

#include "app/setup.h"

bool stops_exist(const mbs_model *model);

/* Brings *state to time t, or to an event before that stops a run; else event->number is SEAM_NONE. */
seam_status stops_advance(const mbs_model *model, mbs_integrator *integrator, mbs_events *events, double t,
                          mbs_state *state, mbs_event *event, seam_error *error);

/* Runs that are compared have one end: *end (s), or where an event stops the monolithic run before, which is said
 * unless `quiet`. */
seam_status stops_shorten(const app_setup *setup, bool quiet, double *end, seam_error *error);

#endif
