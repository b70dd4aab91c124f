/* The events of a run: which have happened, which one ended it; impacts of hard contacts; labels of rows of events.csv.
 */
#ifndef APP_RESULTS_EVENT_LIST_H
#define APP_RESULTS_EVENT_LIST_H

#include <seam/events.h>

#include "app/results/row_file.h"

enum { MAX_LISTED_IMPACTS = 1000 }; /* of each contact: later ones are counted */

typedef struct event_list {
  const mbs_model *model;
  mbs_events *watched;        /* NULL: the model has none */
  mbs_event end;              /* that ended the run; its number is SEAM_NONE before */
  size_t n_contacts;          /* that are hard */
  size_t *contacts;           /* (n_contacts) force elements */
  mbs_impact_record *impacts; /* (n_contacts) up to the last state that was noted */
  bool lists_impacts;         /* each has a row */
  mbs_state *struck;          /* scratch: behind an impact */
  char *label;                /* of the last row */
  row_label labels;
} event_list;

/* Goes on from an image of mbs_events_save(), or begins (NULL) without having started. is_whole: impacts will be
 * reported, as those inside subsystems are not. Free with event_list_free(), whatever the result. SEAM_BAD_STATE,
 * SEAM_NO_MEMORY. */
seam_status event_list_create(event_list *self, const mbs_model *model, bool is_whole, const void *image, size_t size,
                              seam_error *error);
void event_list_free(event_list *self);

/* Whether an event ended the run. */
bool event_list_has_ended(const event_list *self);

/* "NAME,rising,", which lives until the next one. */
const char *event_list_label(event_list *self, const mbs_event *event);
/* "NAME,impact," and its impulses and energy. */
const char *event_list_impact_label(event_list *self, const mbs_impact_event *impact);

/* Whether there is something to write rows of. */
bool event_list_has_rows(const event_list *self);

/* Takes the impacts up to this state. */
void event_list_note(event_list *self, const mbs_state *state);

/* A line for each event. */
void event_list_print(const event_list *self);

#endif
