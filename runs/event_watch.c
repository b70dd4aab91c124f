#include "runs/event_watch.h"

#include <stdlib.h>

#include "base/note.h"
#include "mbs/model/unilateral.h"

seam_status event_monitor_create(event_monitor *self, const mbs_model *model, bool is_monolithic, seam_error *error) {
  const size_t n = mbs_n_forces(model);
  seam_status status = SEAM_OK;
  *self = (event_monitor){.model = model,
                          .end = {.number = SEAM_NONE},
                          .contacts = calloc(n + 1, sizeof *self->contacts),
                          .impacts = calloc(n + 1, sizeof *self->impacts)};
  if (self->contacts == NULL || self->impacts == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "memory is exhausted");
  for (size_t i = 0; i < n; i++)
    if (mbs_force_of(model, i).has_impacts)
      self->contacts[self->n_contacts++] = i;
  self->lists_impacts = is_monolithic && self->n_contacts > 0;
  if (self->lists_impacts)
    status = mbs_state_create(model, &self->after_impact, error);
  return status == SEAM_OK && mbs_n_events(model) > 0 ? mbs_events_create(model, &self->model_events, error) : status;
}

void event_monitor_free(event_monitor *self) {
  mbs_events_destroy(self->model_events);
  mbs_state_destroy(self->after_impact);
  free(self->contacts);
  free(self->impacts);
}

bool event_monitor_has_rows(const event_monitor *self) { return self->model_events != NULL || self->lists_impacts; }

void event_monitor_update(event_monitor *self, const mbs_state *state) {
  const mbs_force *first = NULL;
  size_t n = 0; /* number of contacts whose forces the motion does not determine */
  for (int k = self->model->n_hard - 1; k >= 0; k--)
    if (state->undetermined[k] != 0) {
      first = &self->model->forces[self->model->hard[k]];
      n++;
    }
  if (n > 0 && self->n_undetermined == 0)
    seam_note("t = %.9g s: the motion does not determine the forces of %s '%s'%s: those of least norm are given",
              state->t, mbs_hard_noun(first), first->name, n > 1 ? " and others" : "");
  self->n_undetermined = n > self->n_undetermined ? n : self->n_undetermined;
  for (size_t i = 0; i < self->n_contacts; i++)
    self->impacts[i] = mbs_impact_record_of(self->model, state, self->contacts[i]);
}

bool event_monitor_has_ended(const event_monitor *self) {
  return self->model_events != NULL && self->end.number != SEAM_NONE;
}
