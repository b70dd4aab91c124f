/* The events of a run: which have happened, which one ended it; labels of rows of events.csv. */
#ifndef APP_RESULTS_EVENT_LIST_H
#define APP_RESULTS_EVENT_LIST_H

#include <seam/events.h>

#include "app/results/row_file.h"
#include "base/json.h"

typedef struct event_list {
  const mbs_model *model;
  mbs_events *watched; /* NULL: the model has none */
  mbs_event end;       /* that ended the run; its number is SEAM_NONE before */
  char *label;         /* of the last row */
  row_label labels;
} event_list;

/* Goes on from an image of mbs_events_save(), or begins (NULL) without having started. Free with event_list_free(),
 * whatever the result. SEAM_BAD_STATE, SEAM_NO_MEMORY. */
seam_status event_list_create(event_list *self, const mbs_model *model, const void *image, size_t size,
                              seam_error *error);
void event_list_free(event_list *self);

/* Whether an event ended the run. */
bool event_list_has_ended(const event_list *self);

/* "NAME,rising,", which lives until the next one. */
const char *event_list_label(event_list *self, const mbs_event *event);

/* `"ended": {"event": NAME, "t": ...}`, where one ended the run, and `"events": {NAME: {"count": ..., ...}}`. */
void event_list_write(const event_list *self, json_writer *json);

/* A line for each event. */
void event_list_print(const event_list *self);

#endif
