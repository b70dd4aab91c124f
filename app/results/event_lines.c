#include "app/results/event_lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"

static size_t longest_label(const mbs_model *model) {
  size_t longest = 0;
  for (size_t i = 0; i < mbs_n_events(model); i++) {
    const size_t length = strlen(mbs_event_of(model, i).name);
    longest = length > longest ? length : longest;
  }
  for (size_t i = 0; i < mbs_n_forces(model); i++) {
    const size_t length = mbs_force_of(model, i).has_impacts ? strlen(mbs_force_of(model, i).name) : 0;
    longest = length > longest ? length : longest;
  }
  return longest + strlen(",falling,,,,") + 3 * strlen("-1.2345678901234567e-300");
}

seam_status event_label_create(event_label *self, const mbs_model *model, bool lists_impacts, seam_error *error) {
  const char *head = lists_impacts ? "event,direction,impulse,friction_impulse,energy_lost," : "event,direction,";
  *self = (event_label){.lists_impacts = lists_impacts, .form = {head, longest_label(model)}};
  self->text = calloc(self->form.room + 1, 1);
  return self->text != NULL ? SEAM_OK : out_of_memory(error);
}

const char *event_label_write(event_label *self, const seam_run_label *label) {
  const size_t size = self->form.room + 1;
  if (isnan(label->impulse))
    snprintf(self->text, size, "%s,%s,%s", label->event, label->direction, self->lists_impacts ? ",,," : "");
  else
    snprintf(self->text, size, "%s,%s,%.17g,%.17g,%.17g,", label->event, label->direction, label->impulse,
             label->friction_impulse, label->energy_lost);
  return self->text;
}

void event_label_free(event_label *self) { free(self->text); }

/* Prints the count and the times of an event. */
static void print_count(const char *kind, const char *name, size_t count, double first, double last) {
  fprintf(stderr, "  %s '%s': ", kind, name);
  if (count == 0)
    fputs("never", stderr);
  else if (count == 1)
    fprintf(stderr, "at t = %.9g s", first);
  else
    fprintf(stderr, "%zu times, first at t = %.9g s, last at t = %.9g s", count, first, last);
}

void event_lines_print(const seam_run_facts *facts) {
  const mbs_impact_record *of = facts->impacts;
  for (size_t i = 0; i < mbs_n_events(facts->model); i++) {
    const mbs_event_record record = mbs_event_record_of(facts->watched, i);
    print_count("event", mbs_event_of(facts->model, i).name, record.count, record.first, record.last);
    fputc('\n', stderr);
  }
  for (size_t i = 0; i < mbs_n_forces(facts->model); i++) {
    const mbs_force_info force = mbs_force_of(facts->model, i);
    if (force.has_impacts && of->count > 0) {
      print_count("impacts of", force.name, of->count, of->first, of->last);
      fprintf(stderr, "; they took %.6g J", of->loss);
      if (facts->simulation == NULL && of->count > SEAM_MAX_LISTED_IMPACTS)
        fprintf(stderr, "; events.csv has the first %d", SEAM_MAX_LISTED_IMPACTS);
      fputc('\n', stderr);
    }
    of += force.has_impacts;
  }
}
