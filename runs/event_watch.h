/* Events of a run, the event that ended it, and impacts of hard contacts. */
#ifndef RUNS_EVENT_WATCH_H
#define RUNS_EVENT_WATCH_H

#include <seam/events.h>
#include <seam/mbs.h>

typedef struct event_monitor {
  const mbs_model *model;
  mbs_events *model_events;   /* NULL: the model has no events */
  mbs_event end;              /* the event that ended the run; number SEAM_NONE: none */
  size_t n_contacts;          /* number of hard contacts */
  size_t *contacts;           /* (n_contacts) indices of their force elements */
  mbs_impact_record *impacts; /* (n_contacts) impacts up to the last state passed to event_monitor_update() */
  size_t n_undetermined; /* largest number, in any state, of hard contacts whose forces the motion does not determine */
  bool lists_impacts;    /* true: each impact gets a row in the events table */
  mbs_state *after_impact; /* scratch: state after an impact */
} event_monitor;

/* Creates the events, which are not started yet. is_monolithic: the run is monolithic and reports impacts. Call
 * event_monitor_free() whatever the status. Fails with SEAM_NO_MEMORY. */
seam_status event_monitor_create(event_monitor *self, const mbs_model *model, bool is_monolithic, seam_error *error);
void event_monitor_free(event_monitor *self);

bool event_monitor_has_ended(const event_monitor *self);

/* Returns true if events or impacts of the run get rows in the events table. */
bool event_monitor_has_rows(const event_monitor *self);

/* Stores the impacts up to this state. Counts contacts with undetermined forces, and writes a note when the first of
 * these occur. */
void event_monitor_update(event_monitor *self, const mbs_state *state);

#endif
