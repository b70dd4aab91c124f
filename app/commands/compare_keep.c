#include "app/commands/compare_keep.h"

#include <stdlib.h>

#include "app/clock.h"
#include "app/failure.h"
#include "app/results/output.h"
#include "app/schemes.h"
#include "base/then.h"

static const char reference_folder[] = "reference";

/* ---- Files of one run ---- */

static seam_status open_files(compare_keep *self, const char *folder, const seam_run_def *def, seam_error *error) {
  self->files = self->options;
  if (def->seen == NULL)
    self->files.setup = self->whole;
  const seam_status status = run_files_prepare(&self->files, output_path(self->directory, folder), def, error);
  return status == SEAM_OK ? run_files_open(&self->files, error) : status;
}

static seam_status summarise(compare_keep *self, seam_error *ending, seam_error *error) {
  self->files.exit_status = seam_status_exit(seam_run_conclude(self->files.run, ending));
  return run_files_summarise(&self->files, error);
}

/* Frees the files; nothing is open afterwards. */
static void drop_files(compare_keep *self) {
  run_files_free(&self->files);
  self->files = (run_files){0};
}

/* ---- The reference ---- */

static seam_status run_reference(compare_keep *self, seam_error *error) {
  const double wall = clock_wall();
  const double cpu = clock_cpu();
  const seam_status status = run_files_carry_out(&self->files, error);
  self->files.wall = clock_wall() - wall;
  self->files.cpu = clock_cpu() - cpu;
  const seam_status closed = run_files_close(&self->files, status == SEAM_OK ? error : NULL);
  return status == SEAM_OK ? closed : status;
}

seam_status compare_keep_reference(compare_keep *self, const seam_reference *reference, const seam_error *refusal,
                                   bool quiet, seam_error *error) {
  const mbs_integrator_options options = seam_reference_options(reference);
  seam_error ending = *refusal;
  mbs_state *state = NULL;
  seam_status status = mbs_state_create(self->whole->model, &state, error);
  if (status == SEAM_OK) {
    mbs_state_copy(state, self->whole->state);
    status = open_files(self, reference_folder,
                        &(seam_run_def){.integrator = &options, .state = state, .check = SEAM_CHECK_NEVER}, error);
  }
  self->files.quiet = quiet;
  THEN(status, run_reference(self, error));
  THEN(status, summarise(self, &ending, error));
  drop_files(self);
  mbs_state_destroy(state);
  return status;
}

/* ---- Schemes ---- */

static seam_status open_scheme(compare_keep *self, const cosim_simulation *simulation, seam_error *error) {
  const seam_run_def def = {
      .seen = simulation, .builder = self->builder, .macro_step = self->macro_step, .state = self->scratch};
  char *folder = schemes_folder(self->scheme);
  mbs_state_copy(self->scratch, self->options.setup->state);
  const seam_status status = folder != NULL ? open_files(self, folder, &def, error) : out_of_memory(error);
  free(folder);
  return status;
}

static seam_status see(void *context, const cosim_simulation *simulation, double t, seam_error *error) {
  compare_keep *self = context;
  const seam_status status = self->files.run == NULL ? open_scheme(self, simulation, error) : SEAM_OK;
  self->t = t;
  return status == SEAM_OK ? seam_run_see(self->files.run, &self->files.sink, t, error) : status;
}

void compare_keep_begin(compare_keep *self, const char *scheme, double macro_step, const cosim_builder *builder) {
  self->scheme = scheme;
  self->macro_step = macro_step;
  self->builder = builder;
  self->wall = clock_wall();
}

static void take_ending(const seam_comparison *run, seam_run *kept, seam_error *ending) {
  if (run->outcome != SEAM_RUN_FINISHED)
    seam_fail(ending, run->outcome == SEAM_RUN_NOT_CONVERGED ? SEAM_NOT_CONVERGED : SEAM_BECAME_UNSTABLE, "%s",
              run->why);
  else
    seam_run_take_error(kept, &run->error);
}

static seam_status close_scheme(compare_keep *self, const seam_comparison *run, seam_error *error) {
  run_files *files = &self->files;
  seam_error ending = {0};
  if (run->outcome != SEAM_RUN_FINISHED)
    (void)seam_run_see_last(files->run, &files->sink, self->t, NULL);
  const seam_status status = run_files_close(files, error);
  files->wall = clock_wall() - self->wall;
  files->cpu = run->cpu;
  take_ending(run, files->run, &ending);
  return status == SEAM_OK ? summarise(self, &ending, error) : status;
}

seam_status compare_keep_end(compare_keep *self, const seam_comparison *run, seam_error *error) {
  seam_status status = SEAM_OK;
  if (run != NULL && self->files.run != NULL)
    status = close_scheme(self, run, error);
  else
    run_files_close(&self->files, NULL);
  drop_files(self);
  return status;
}

/* ---- Creation ---- */

seam_status compare_keep_create(compare_keep *self, const app_options *parsed, const app_setup *setup,
                                const app_setup *whole, seam_error *error) {
  *self = (compare_keep){.whole = whole, .options = {.options = parsed, .setup = setup}, .observer = {see, self}};
  seam_status status = run_files_read_options(&self->options, error);
  THEN(status, run_files_read_times(&self->options, error));
  return status == SEAM_OK ? mbs_state_create(setup->model, &self->scratch, error) : status;
}

void compare_keep_free(compare_keep *self) {
  drop_files(self);
  mbs_state_destroy(self->scratch);
}
