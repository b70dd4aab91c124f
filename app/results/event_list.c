#include "app/results/event_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"

static size_t longest_label(const mbs_model *model) {
  size_t longest = 0;
  for (size_t i = 0; i < mbs_n_events(model); i++) {
    const size_t length = strlen(mbs_event_name(model, i));
    longest = length > longest ? length : longest;
  }
  return longest + strlen(",falling,");
}

seam_status event_list_create(event_list *self, const mbs_model *model, const void *image, size_t size,
                              seam_error *error) {
  *self = (event_list){.model = model, .end = {.number = SEAM_NONE}};
  if (mbs_n_events(model) == 0)
    return SEAM_OK;
  self->labels = (row_label){"event,direction,", longest_label(model)};
  self->label = calloc(self->labels.room + 1, 1);
  if (self->label == NULL)
    return out_of_memory(error);
  const seam_status status = mbs_events_create(model, &self->watched, error);
  return status == SEAM_OK && image != NULL ? mbs_events_restore(self->watched, image, size, error) : status;
}

void event_list_free(event_list *self) {
  mbs_events_destroy(self->watched);
  free(self->label);
}

bool event_list_has_ended(const event_list *self) { return self->watched != NULL && self->end.number != SEAM_NONE; }

const char *event_list_label(event_list *self, const mbs_event *event) {
  snprintf(self->label, self->labels.room + 1, "%s,%s,", mbs_event_name(self->model, event->number),
           mbs_sense_text(event->sense));
  return self->label;
}

void event_list_write(const event_list *self, json_writer *json) {
  if (event_list_has_ended(self)) {
    json_open(json, "ended", '{');
    json_string(json, "event", mbs_event_name(self->model, self->end.number));
    json_number(json, "t", self->end.time);
    json_close(json, '}');
  }
  json_open(json, "events", '{');
  for (size_t i = 0; i < mbs_n_events(self->model); i++) {
    const mbs_event_record record = mbs_event_record_of(self->watched, i);
    json_open(json, mbs_event_name(self->model, i), '{');
    json_count(json, "count", record.count);
    if (record.count > 0) {
      json_number(json, "first", record.first);
      json_number(json, "last", record.last);
    }
    json_close(json, '}');
  }
  json_close(json, '}');
}

void event_list_print(const event_list *self) {
  for (size_t i = 0; i < mbs_n_events(self->model); i++) {
    const char *name = mbs_event_name(self->model, i);
    const mbs_event_record record = mbs_event_record_of(self->watched, i);
    if (record.count == 0)
      fprintf(stderr, "  event '%s': never\n", name);
    else if (record.count == 1)
      fprintf(stderr, "  event '%s': at t = %.9g s\n", name, record.first);
    else
      fprintf(stderr, "  event '%s': %zu times, first at t = %.9g s, last at t = %.9g s\n", name, record.count,
              record.first, record.last);
  }
}
