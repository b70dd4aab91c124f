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
  for (size_t i = 0; i < mbs_n_forces(model); i++) {
    const size_t length = mbs_has_impacts(model, i) ? strlen(mbs_force_name(model, i)) : 0;
    longest = length > longest ? length : longest;
  }
  return longest + strlen(",falling,,,,") + 3 * strlen("-1.2345678901234567e-300");
}

static seam_status list_contacts(event_list *self, seam_error *error) {
  const size_t n = mbs_n_forces(self->model);
  self->contacts = calloc(n + 1, sizeof *self->contacts);
  self->impacts = calloc(n + 1, sizeof *self->impacts);
  if (self->contacts == NULL || self->impacts == NULL)
    return out_of_memory(error);
  for (size_t i = 0; i < n; i++)
    if (mbs_has_impacts(self->model, i))
      self->contacts[self->n_contacts++] = i;
  return SEAM_OK;
}

static seam_status make_label(event_list *self, seam_error *error) {
  const char *head = self->lists_impacts ? "event,direction,impulse,friction_impulse,energy_lost," : "event,direction,";
  self->labels = (row_label){head, longest_label(self->model)};
  self->label = calloc(self->labels.room + 1, 1);
  if (self->label == NULL)
    return out_of_memory(error);
  return self->lists_impacts ? mbs_state_create(self->model, &self->struck, error) : SEAM_OK;
}

seam_status event_list_create(event_list *self, const mbs_model *model, bool is_whole, const void *image, size_t size,
                              seam_error *error) {
  *self = (event_list){.model = model, .end = {.number = SEAM_NONE}};
  seam_status status = list_contacts(self, error);
  self->lists_impacts = is_whole && self->n_contacts > 0;
  if (status == SEAM_OK)
    status = make_label(self, error);
  if (status != SEAM_OK || mbs_n_events(model) == 0)
    return status;
  status = mbs_events_create(model, &self->watched, error);
  return status == SEAM_OK && image != NULL ? mbs_events_restore(self->watched, image, size, error) : status;
}

void event_list_free(event_list *self) {
  mbs_events_destroy(self->watched);
  mbs_state_destroy(self->struck);
  free(self->contacts);
  free(self->impacts);
  free(self->label);
}

bool event_list_has_rows(const event_list *self) { return self->watched != NULL || self->lists_impacts; }

void event_list_note(event_list *self, const mbs_state *state) {
  for (size_t i = 0; i < self->n_contacts; i++)
    self->impacts[i] = mbs_impact_record_of(self->model, state, self->contacts[i]);
}

bool event_list_has_ended(const event_list *self) { return self->watched != NULL && self->end.number != SEAM_NONE; }

const char *event_list_label(event_list *self, const mbs_event *event) {
  snprintf(self->label, self->labels.room + 1, "%s,%s,%s", mbs_event_name(self->model, event->number),
           mbs_sense_text(event->sense), self->lists_impacts ? ",,," : "");
  return self->label;
}

const char *event_list_impact_label(event_list *self, const mbs_impact_event *impact) {
  snprintf(self->label, self->labels.room + 1, "%s,impact,%.17g,%.17g,%.17g,",
           mbs_force_name(self->model, impact->force), impact->normal, impact->tangential, impact->loss);
  return self->label;
}

/* A line of what has happened `count` times. */
static void print_count(const char *kind, const char *name, size_t count, double first, double last) {
  fprintf(stderr, "  %s '%s': ", kind, name);
  if (count == 0)
    fputs("never", stderr);
  else if (count == 1)
    fprintf(stderr, "at t = %.9g s", first);
  else
    fprintf(stderr, "%zu times, first at t = %.9g s, last at t = %.9g s", count, first, last);
}

static void print_impacts(const event_list *self) {
  for (size_t i = 0; i < self->n_contacts; i++) {
    const mbs_impact_record *of = &self->impacts[i];
    if (of->count == 0)
      continue;
    print_count("impacts of", mbs_force_name(self->model, self->contacts[i]), of->count, of->first, of->last);
    fprintf(stderr, "; they took %.6g J", of->loss);
    if (self->lists_impacts && of->count > MAX_LISTED_IMPACTS)
      fprintf(stderr, "; events.csv has the first %d", MAX_LISTED_IMPACTS);
    fputc('\n', stderr);
  }
}

void event_list_print(const event_list *self) {
  for (size_t i = 0; i < mbs_n_events(self->model); i++) {
    const char *name = mbs_event_name(self->model, i);
    const mbs_event_record record = mbs_event_record_of(self->watched, i);
    print_count("event", name, record.count, record.first, record.last);
    fputc('\n', stderr);
  }
  print_impacts(self);
}
