/* Events of a run, the event that ended it, and impacts of hard contacts. */
#ifndef RUNS_EVENT_WATCH_H
#define RUNS_EVENT_WATCH_H

#include <seam/events.h>
#include <seam/mbs.h>

typedef struct event_watch {
  const mbs_model *model;
  mbs_events *watched;        /* NULL: the model has no events */
  mbs_event end;              /* event that ended the run; number SEAM_NONE: none so far */
  size_t n_contacts;          /* number of hard contacts */
  size_t *contacts;           /* (n_contacts) their force elements */
  mbs_impact_record *impacts; /* (n_contacts) impacts up to the last noted state */
  size_t n_undetermined;      /* largest number, in one state, of hard contacts with undetermined forces */
  bool lists_impacts;         /* each impact has a row */
  mbs_state *struck;          /* scratch: state after an impact */
} event_watch;

/* Creates the events, which are not started yet. is_whole: the run is monolithic and reports impacts. Free with
 * event_watch_free(), also after a failure. SEAM_NO_MEMORY. */
seam_status event_watch_create(event_watch *self, const mbs_model *model, bool is_whole, seam_error *error);
void event_watch_free(event_watch *self);

bool event_watch_has_ended(const event_watch *self);

/* Returns true if events or impacts of the run get rows. */
bool event_watch_has_rows(const event_watch *self);

/* Stores the impacts up to this state, and counts contacts with undetermined forces, with a note on the first ones. */
void event_watch_note(event_watch *self, const mbs_state *state);

#endif
