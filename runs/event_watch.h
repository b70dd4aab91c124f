/* The events of a run, with the one that ended it, and the impacts of hard contacts. */
#ifndef RUNS_EVENT_WATCH_H
#define RUNS_EVENT_WATCH_H

#include <seam/events.h>
#include <seam/mbs.h>

typedef struct event_watch {
  const mbs_model *model;
  mbs_events *watched;        /* NULL: the model has none */
  mbs_event end;              /* that ended the run; its number is SEAM_NONE before */
  size_t n_contacts;          /* that are hard */
  size_t *contacts;           /* (n_contacts) force elements */
  mbs_impact_record *impacts; /* (n_contacts) up to the last state that was noted */
  size_t n_undetermined;      /* hard contacts, at most, whose forces the motion did not determine in such a state */
  bool lists_impacts;         /* each has a row */
  mbs_state *struck;          /* scratch: behind an impact */
} event_watch;

/* Events begin without having started. is_whole: impacts will be reported, as those inside subsystems are not. Free
 * with event_watch_free(), whatever the result. SEAM_NO_MEMORY. */
seam_status event_watch_create(event_watch *self, const mbs_model *model, bool is_whole, seam_error *error);
void event_watch_free(event_watch *self);

/* Returns true if an event ended the run. */
bool event_watch_has_ended(const event_watch *self);

/* Returns true if the events of the run have rows. */
bool event_watch_has_rows(const event_watch *self);

/* Takes the impacts up to this state, counts the contacts whose forces it leaves open, and notes the first of them. */
void event_watch_note(event_watch *self, const mbs_state *state);

#endif
