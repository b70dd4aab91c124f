#include "app/sweep/rows.h"

#include <stdlib.h>
#include <string.h>

#include "app/failure.h"

seam_status sweep_rows_create(const sweep_plan *plan, sweep_rows *created, seam_error *error) {
  const size_t n = seam_design_n_runs(plan->design);
  *created = (sweep_rows){.n_runs = n,
                          .n_columns = plan->n_columns,
                          .values = calloc(n * plan->n_columns, sizeof *created->values),
                          .messages = calloc(n, sizeof *created->messages),
                          .is_done = calloc(n, sizeof *created->is_done)};
  return created->values != NULL && created->messages != NULL && created->is_done != NULL ? SEAM_OK
                                                                                          : out_of_memory(error);
}

void sweep_rows_free(sweep_rows *self) {
  for (size_t i = 0; i < self->n_runs && self->messages != NULL; i++)
    free(self->messages[i]);
  free(self->messages);
  free(self->values);
  free(self->is_done);
}

double *sweep_rows_at(const sweep_rows *self, size_t run) { return &self->values[run * self->n_columns]; }

seam_status sweep_rows_end_run(sweep_rows *self, size_t run, const char *message, seam_error *error) {
  char *copy = *message != '\0' ? strdup(message) : NULL;
  if (*message != '\0' && copy == NULL)
    return out_of_memory(error);
  free(self->messages[run]);
  self->messages[run] = copy;
  self->n_done += !self->is_done[run];
  self->is_done[run] = true;
  return SEAM_OK;
}
