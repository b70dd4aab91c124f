#include "app/study.h"

#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/interrupt.h"
#include "app/report/report.h"
#include "app/results/study_folder.h"
#include "app/results/table_text.h"
#include "base/then.h"

app_study study_begin(const app_options *parsed) {
  return (app_study){.parsed = parsed, .quiet = options_flag(parsed, "--quiet")};
}

seam_status study_read(app_study *self, seam_error *error) {
  seam_status status = setup_read(self->parsed, &self->setup, error);
  THEN(status, table_text_check(self->parsed, error));
  setup_take_from(&self->setup, self->parsed);
  self->setup.restarts = true;
  THEN(status, setup_check_end(&self->setup, error));
  THEN(status, setup_assemble(&self->setup, error));
  if (status != SEAM_OK)
    return status;
  self->end = seam_model_simulation(self->setup.file)->end;
  if (self->setup.from != NULL && !self->quiet)
    setup_note_start(&self->setup);
  return SEAM_OK;
}

seam_status study_take_whole(app_study *self, seam_error *error) {
  const app_setup *whole = &self->whole;
  const seam_interrupt interrupt = {.is_requested = interrupt_requested};
  mbs_event event = {.number = SEAM_NONE};
  seam_status status = setup_whole_of(self->parsed, &self->setup, &self->whole, error);
  THEN(status, seam_find_stop(whole->model, whole->state, &seam_model_simulation(whole->file)->integrator, &interrupt,
                              self->end, &event, error));
  if (status != SEAM_OK || event.number == SEAM_NONE)
    return status;
  self->end = event.time;
  if (!self->quiet)
    fprintf(stderr, "note: runs end at t = %.9g s, where '%s' stops the monolithic one\n", event.time,
            mbs_event_of(whole->model, event.number).name);
  return SEAM_OK;
}

seam_status study_open(app_study *self, const char *model, const char *study, seam_error *error) {
  const char *json = self->setup.file != NULL ? seam_model_json(self->setup.file) : NULL;
  seam_status status = study_folder_make(self->parsed, model, study, &self->directory, error);
  char *path = status == SEAM_OK ? output_path(self->directory, "model.json") : NULL;
  if (path != NULL && json != NULL)
    status = output_text(path, json, error);
  free(path);
  return status;
}

seam_status study_open_file(app_study *self, size_t which, const char *name, const char *head, seam_error *error) {
  const seam_status status = output_begin(&self->files[which], self->directory, name, error);
  if (status == SEAM_OK)
    fputs(head, self->files[which].file);
  return status;
}

seam_status study_make_reference(app_study *self, double H, double work, double rest, seam_agreement *agreement,
                                 seam_reference **made, seam_error *error) {
  const size_t n_runs = agreement != NULL ? 3 : 2; /* runs: plain, tight, check */
  const bool was_refused = self->refusal.status != SEAM_OK;
  app_monitor *monitor = &self->monitor;
  monitor_phase(monitor, "reference", n_runs, work, rest);
  seam_status status =
      seam_reference_create(self->whole.model, self->whole.state, &seam_model_simulation(self->setup.file)->integrator,
                            H, self->end, &monitor->interrupt, made, error);
  if (status == SEAM_OK && agreement != NULL)
    status = comparisons_check(*made, &monitor->interrupt, agreement, &self->refusal, error);
  if (self->whole_steps == 0)
    self->whole_steps = (double)monitor->steps / (double)n_runs;
  progress_clear(&monitor->progress);
  if (self->refusal.status != SEAM_OK && !was_refused)
    print_failure(&self->refusal);
  return status;
}

seam_status study_run(app_study *self, const cosim_builder *builder, const seam_reference *reference,
                      const seam_observer *observer, seam_comparison **run, seam_error *error) {
  const seam_status status = seam_comparison_create(reference, builder, &self->monitor.interrupt, observer, run, error);
  progress_clear(&self->monitor.progress);
  return status;
}

int study_end(app_study *self, seam_status status, seam_error *error) {
  for (size_t i = 0; i < MAX_STUDY_FILES; i++) {
    char *path = self->files[i].path != NULL ? strdup(self->files[i].path) : NULL;
    status = output_end(&self->files[i], status, error);
    if (path != NULL)
      THEN(status, table_text_write(self->parsed, path, error));
    free(path);
  }
  THEN(status, report_if_asked(self->parsed, self->directory, error));
  if (status == SEAM_OK)
    *error = (seam_error){0}; /* error of a failed run that did not end the study */
  schemes_free(&self->schemes);
  setup_free(&self->whole);
  setup_free(&self->setup);
  free(self->directory);
  return seam_status_exit(status != SEAM_OK ? status : self->refusal.status);
}
