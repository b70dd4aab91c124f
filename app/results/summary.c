#include "app/results/summary.h"

#include <stdlib.h>

#include "app/failure.h"
#include "app/results/output.h"

seam_status summary_start(app_summary *self, const mbs_model *model, seam_error *error) {
  *self = (app_summary){0};
  self->residuals = calloc(2 * mbs_n_constraints(model) + 1, sizeof *self->residuals);
  return self->residuals ? SEAM_OK : out_of_memory(error);
}

void summary_free(app_summary *self) { free(self->residuals); }

seam_status summary_write(const seam_run_facts *facts, const char *path, seam_error *error) {
  app_replacement out;
  char *text = NULL;
  seam_status status = seam_run_summary(facts, &text, error);
  if (status == SEAM_OK)
    status = output_replace(path, &out, error);
  if (status == SEAM_OK) {
    fputs(text, out.file);
    status = output_commit(&out, error);
  }
  seam_text_free(text);
  return status;
}
