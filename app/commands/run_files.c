#include "app/commands/run_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/failure.h"
#include "app/results/output.h"

/* ---- Rows ---- */

/* The slack keeps rounding in the quotient from making two rows of the last one. */
size_t run_last_row(const run_files *self) { return (size_t)ceil(self->end / self->output_step - 1e-9); }

double run_row_time(const run_files *self, size_t row) {
  return row < run_last_row(self) ? (double)row * self->output_step : self->end;
}

seam_status run_write_row(run_files *self, const mbs_state *state, seam_error *error) {
  mbs_workspace *workspace = self->setup->workspace;
  const seam_status status = trajectory_write(self->trajectory, workspace, state, error);
  if (status != SEAM_OK)
    return status;
  self->summary.time = state->t;
  self->summary.rows++;
  self->row++;
  return SEAM_OK;
}

void run_judge_state(run_files *self, const mbs_state *state) {
  app_summary *summary = &self->summary;
  seam_run_record_add(&summary->record, self->setup->model, self->setup->workspace, state, summary->residuals);
}

/* ---- Checkpoints ---- */

/* So many that a count holds them; more than one in a step are one. */
static size_t due_checkpoints(const run_files *self, double t) {
  return (size_t)(t / fmax(self->checkpoint_every, 1e-15 * self->end) + 1e-9);
}

bool run_checkpoint_is_due(run_files *self, double t) {
  const size_t due = due_checkpoints(self, t);
  const bool another = due > self->n_checkpoints;
  self->n_checkpoints = due;
  return another;
}

seam_status run_write_checkpoint(const run_files *self, app_checkpoint *checkpoint, seam_error *error) {
  const char *model = seam_model_json(self->setup->file);
  if (model == NULL)
    return out_of_memory(error);
  const seam_status status = table_file_store(self->trajectory, &checkpoint->position.trajectory, error);
  if (status != SEAM_OK)
    return status;
  checkpoint->n_arguments = self->options->n_arguments;
  checkpoint->arguments = self->options->arguments;
  checkpoint->model = (app_block){model, strlen(model) + 1};
  checkpoint->position.row = self->row;
  checkpoint->position.summary = self->summary;
  return checkpoint_write(self->checkpoint_path, checkpoint, error);
}

static bool is_possible(const seam_largest_residual *seen, const mbs_model *model) {
  return !(seen->value > 0) || seen->constraint < mbs_n_constraints(model);
}

/* What the checkpoint says of the run so far. */
static seam_status take_position(run_files *self, seam_error *error) {
  const app_position *position = &self->from->position;
  const app_summary *summary = &position->summary;
  const mbs_model *model = self->setup->model;
  if (position->row > run_last_row(self) + 1 || !(summary->time >= 0 && summary->time <= self->end) ||
      !is_possible(&summary->record.position, model) || !is_possible(&summary->record.velocity, model))
    return seam_fail(error, SEAM_BAD_STATE, "the checkpoint is not of this run: run the model again");
  double *scratch = self->summary.residuals;
  self->summary = position->summary;
  self->summary.residuals = scratch;
  self->row = position->row;
  self->n_checkpoints = due_checkpoints(self, position->summary.time);
  return SEAM_OK;
}

seam_status run_files_read_options(run_files *self, seam_error *error) {
  const char *text = options_value(self->options, "--checkpoint");
  self->checkpoint_every = INFINITY;
  if (text == NULL)
    return SEAM_OK;
  char *end = NULL;
  self->checkpoint_every = strtod(text, &end);
  if (end == text || *end != '\0' || !(self->checkpoint_every > 0 && isfinite(self->checkpoint_every)))
    return seam_fail(error, SEAM_BAD_INPUT, "seam: --checkpoint must be a positive time in s, but is '%s'", text);
  return SEAM_OK;
}

/* ---- The directory ---- */

/* A resumed run continues where its checkpoint is. */
static char *directory_of(const run_files *self, const char *resumed) {
  const char *slash = resumed != NULL ? strrchr(resumed, '/') : NULL;
  const char *given = options_value(self->options, "-o");
  if (resumed != NULL && slash == NULL)
    return strdup(".");
  if (resumed != NULL)
    return slash == resumed ? strdup("/") : strndup(resumed, (size_t)(slash - resumed));
  return given != NULL ? strdup(given) : output_path("results", seam_model_name(self->setup->file));
}

static seam_status check_continued(const run_files *self, const char *name, const char *path, const app_extent *kept,
                                   seam_error *error) {
  if (access(path, F_OK) == 0)
    return table_file_check(path, kept, error);
  return seam_fail(
      error, SEAM_BAD_INPUT,
      "%s is missing beside the checkpoint; put the one of the interrupted run into %s, or run the model again", name,
      self->directory);
}

/* Rows up to a checkpoint are in the tables beside it. */
static seam_status check_tables(const run_files *self, bool has_couplings, bool has_signals, seam_error *error) {
  const app_position *position = &self->from->position;
  seam_status status = SEAM_OK;
  if (mbs_n_bodies(self->setup->model) > 0)
    status = check_continued(self, "trajectory.csv", self->trajectory_path, &position->trajectory, error);
  if (status == SEAM_OK && has_couplings)
    status = check_continued(self, "couplings.csv", self->couplings_path, &position->couplings, error);
  if (status == SEAM_OK && has_signals)
    status = check_continued(self, "signals.csv", self->signals_path, &position->signals, error);
  return status;
}

static seam_status choose_directory(run_files *self, const char *resumed, seam_error *error) {
  const struct {
    const char *name;
    char **path;
  } files[] = {{"trajectory.csv", &self->trajectory_path},
               {"couplings.csv", &self->couplings_path},
               {"signals.csv", &self->signals_path},
               {"summary.json", &self->summary_path},
               {"checkpoint.seam", &self->checkpoint_path}};
  self->directory = directory_of(self, resumed);
  bool has_memory = self->directory != NULL;
  for (size_t i = 0; i < sizeof files / sizeof *files && has_memory; i++) {
    *files[i].path = output_path(self->directory, files[i].name);
    has_memory = *files[i].path != NULL;
  }
  return has_memory ? SEAM_OK : out_of_memory(error);
}

seam_status run_files_prepare(run_files *self, const char *resumed, bool has_couplings, bool has_signals,
                              seam_error *error) {
  seam_status status = choose_directory(self, resumed, error);
  if (status == SEAM_OK)
    status = summary_start(&self->summary, self->setup->model, error);
  if (status == SEAM_OK && self->from != NULL)
    status = take_position(self, error);
  if (status == SEAM_OK)
    status = output_make_directory(self->directory, error);
  if (status == SEAM_OK && self->from != NULL)
    status = check_tables(self, has_couplings, has_signals, error);
  return status;
}

/* ---- Opening and closing ---- */

static void remove_older(const run_files *self) {
  output_remove(self->summary_path);
  output_remove_torn(self->checkpoint_path);
  if (self->from != NULL)
    return;
  unlink(self->couplings_path);
  unlink(self->signals_path);
  unlink(self->checkpoint_path);
  if (self->trajectory == NULL)
    unlink(self->trajectory_path);
}

seam_status run_files_open(run_files *self, seam_error *error) {
  const app_extent *kept = self->from != NULL ? &self->from->position.trajectory : NULL;
  seam_status status = SEAM_OK;
  if (mbs_n_bodies(self->setup->model) > 0)
    status = trajectory_open(self->trajectory_path, self->setup->model, kept, &self->trajectory, error);
  if (status == SEAM_OK)
    remove_older(self);
  return status;
}

seam_status run_files_close(run_files *self, seam_error *error) {
  const seam_status status = table_file_close(self->trajectory, error);
  self->trajectory = NULL;
  return status;
}

void run_files_free(run_files *self) {
  summary_free(&self->summary);
  free(self->directory);
  free(self->trajectory_path);
  free(self->couplings_path);
  free(self->signals_path);
  free(self->summary_path);
  free(self->checkpoint_path);
}
