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
  summary_add(&self->summary, self->setup->model, workspace, state);
  self->row++;
  return SEAM_OK;
}

/* ---- Checkpoints ---- */

static size_t due_checkpoints(const run_files *self, double t) { return (size_t)(t / self->checkpoint_every + 1e-9); }

bool run_checkpoint_is_due(run_files *self, double t) {
  const size_t due = due_checkpoints(self, t);
  const bool another = due > self->n_checkpoints;
  self->n_checkpoints = due;
  return another;
}

seam_status run_write_checkpoint(const run_files *self, app_checkpoint *checkpoint, seam_error *error) {
  const char *model = seam_model_json(self->setup->file);
  checkpoint->n_arguments = self->options->n_arguments;
  checkpoint->arguments = self->options->arguments;
  checkpoint->model = (app_block){model, strlen(model) + 1};
  checkpoint->position.row = self->row;
  checkpoint->position.trajectory_length = table_file_length(self->trajectory);
  checkpoint->position.summary = self->summary;
  return checkpoint_write(self->checkpoint_path, checkpoint, error);
}

/* What the checkpoint says of the run so far. */
static void take_position(run_files *self) {
  const app_position *position = &self->from->position;
  double *scratch = self->summary.residuals;
  self->summary = position->summary;
  self->summary.residuals = scratch;
  self->row = position->row;
  self->n_checkpoints = due_checkpoints(self, position->summary.time);
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

static seam_status check_continued(const run_files *self, const char *name, const char *path, seam_error *error) {
  if (access(path, F_OK) == 0)
    return SEAM_OK;
  return seam_fail(
      error, SEAM_BAD_INPUT,
      "%s is missing beside the checkpoint; put the one of the interrupted run into %s, or run the model again", name,
      self->directory);
}

/* Rows up to a checkpoint are in the tables beside it. */
static seam_status choose_directory(run_files *self, const char *resumed, bool has_couplings, bool has_signals,
                                    seam_error *error) {
  const struct {
    const char *name;
    char **path;
    bool is_table;
  } files[] = {{"trajectory.csv", &self->trajectory_path, mbs_n_bodies(self->setup->model) > 0},
               {"couplings.csv", &self->couplings_path, has_couplings},
               {"signals.csv", &self->signals_path, has_signals},
               {"summary.json", &self->summary_path, false},
               {"checkpoint.seam", &self->checkpoint_path, false}};
  self->directory = directory_of(self, resumed);
  seam_status status = self->directory != NULL ? SEAM_OK : out_of_memory(error);
  for (size_t i = 0; i < sizeof files / sizeof *files && status == SEAM_OK; i++) {
    *files[i].path = output_path(self->directory, files[i].name);
    if (*files[i].path == NULL)
      status = out_of_memory(error);
    else if (resumed != NULL && files[i].is_table)
      status = check_continued(self, files[i].name, *files[i].path, error);
  }
  return status;
}

seam_status run_files_prepare(run_files *self, const char *resumed, bool has_couplings, bool has_signals,
                              seam_error *error) {
  seam_status status = choose_directory(self, resumed, has_couplings, has_signals, error);
  if (status == SEAM_OK)
    status = summary_start(&self->summary, self->setup->model, error);
  if (status == SEAM_OK && self->from != NULL)
    take_position(self);
  return status == SEAM_OK ? output_make_directory(self->directory, error) : status;
}

/* ---- Opening and closing ---- */

static void remove_older(const run_files *self) {
  unlink(self->summary_path);
  if (self->from != NULL)
    return;
  unlink(self->couplings_path);
  unlink(self->signals_path);
  unlink(self->checkpoint_path);
  if (self->trajectory == NULL)
    unlink(self->trajectory_path);
}

seam_status run_files_open(run_files *self, seam_error *error) {
  const size_t kept = self->from != NULL ? self->from->position.trajectory_length : 0;
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
