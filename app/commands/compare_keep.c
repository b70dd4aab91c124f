#include "app/commands/compare_keep.h"

#include <stdlib.h>

#include "app/clock.h"
#include "app/commands/run_monolithic.h"
#include "app/failure.h"
#include "app/results/output.h"
#include "app/schemes.h"

static const char reference_folder[] = "reference";

/* ---- Files of one run ---- */

static seam_status open_files(compare_keep *self, const char *folder, const cosim_simulation *simulation,
                              seam_error *error) {
  self->files = self->options;
  if (simulation == NULL)
    self->files.setup = self->whole;
  const seam_status status = run_files_prepare(&self->files, output_path(self->directory, folder), simulation, error);
  return status == SEAM_OK ? run_files_open(&self->files, error) : status;
}

static seam_status summarise(compare_keep *self, const app_cosim_run *cosim, const mbs_integrator_options *options,
                             app_ending *ending, seam_error *error) {
  run_files_judge(&self->files, cosim != NULL ? cosim->simulation : NULL, options, ending);
  ending->exit_status = seam_status_exit(ending->error.status);
  return run_files_summarise(&self->files, cosim, ending, error);
}

/* Nothing is open afterwards. */
static void drop_files(compare_keep *self) {
  cosim_rows_end(&self->rows);
  run_files_free(&self->files);
  self->files = (run_files){0};
}

/* ---- The reference ---- */

static seam_status run_reference(compare_keep *self, const mbs_integrator_options *options, bool quiet,
                                 seam_error *error) {
  mbs_integrator *integrator = NULL;
  mbs_state *state = NULL;
  const double wall = clock_wall();
  const double cpu = clock_cpu();
  seam_status status = mbs_integrator_create(self->whole->model, options, &integrator, error);
  if (status == SEAM_OK)
    status = mbs_state_create(self->whole->model, &state, error);
  if (status == SEAM_OK) {
    mbs_state_copy(state, self->whole->state);
    status = run_monolithic(integrator, &self->files, state, quiet, error);
  }
  mbs_state_destroy(state);
  mbs_integrator_destroy(integrator);
  self->files.summary.wall = clock_wall() - wall;
  self->files.summary.cpu = clock_cpu() - cpu;
  const seam_status closed = run_files_close(&self->files, status == SEAM_OK ? error : NULL);
  return status == SEAM_OK ? closed : status;
}

seam_status compare_keep_reference(compare_keep *self, const seam_reference *reference, const seam_error *refusal,
                                   bool quiet, seam_error *error) {
  const mbs_integrator_options options = seam_reference_options(reference);
  app_ending ending = {.error = *refusal};
  seam_status status = open_files(self, reference_folder, NULL, error);
  if (status == SEAM_OK)
    status = run_reference(self, &options, quiet, error);
  if (status == SEAM_OK)
    status = summarise(self, NULL, &options, &ending, error);
  drop_files(self);
  return status;
}

/* ---- Schemes ---- */

static seam_status open_scheme(compare_keep *self, const cosim_simulation *simulation, seam_error *error) {
  char *folder = schemes_folder(self->scheme);
  seam_status status = folder != NULL ? open_files(self, folder, simulation, error) : out_of_memory(error);
  self->files.passes_stops = true;
  free(folder);
  return status == SEAM_OK
             ? cosim_rows_start(&self->rows, &self->files, simulation, self->scratch, self->macro_step, error)
             : status;
}

static seam_status see(void *context, const cosim_simulation *simulation, double t, seam_error *error) {
  compare_keep *self = context;
  const seam_status status = self->rows.peaks == NULL ? open_scheme(self, simulation, error) : SEAM_OK;
  self->t = t;
  return status == SEAM_OK ? cosim_rows_write(&self->rows, t, error) : status;
}

void compare_keep_begin(compare_keep *self, const char *scheme, double macro_step) {
  self->scheme = scheme;
  self->macro_step = macro_step;
  self->wall = clock_wall();
}

/* A run that the reference refutes is suspect, whatever it says of itself. */
static void take_ending(const seam_comparison *run, app_ending *ending) {
  if (!run->finished)
    seam_fail(&ending->error, SEAM_BECAME_UNSTABLE, "%s", run->why);
  else if (run->is_judged && !run->stable)
    seam_fail(&ending->error, SEAM_SUSPECT, "suspect: not accurate: %s", run->why);
}

static seam_status close_scheme(compare_keep *self, const seam_comparison *run, const cosim_builder *builder,
                                seam_error *error) {
  const app_cosim_run cosim = {run->simulation, builder, self->rows.peaks};
  app_summary *summary = &self->files.summary;
  app_ending ending = {0};
  if (!run->finished)
    (void)cosim_rows_write_last(&self->rows, self->t, NULL);
  const seam_status status = run_files_close(&self->files, error);
  summary->statistics = cosim_statistics_of(run->simulation).integrators;
  summary->wall = clock_wall() - self->wall;
  summary->cpu = run->cpu;
  take_ending(run, &ending);
  return status == SEAM_OK ? summarise(self, &cosim, NULL, &ending, error) : status;
}

seam_status compare_keep_end(compare_keep *self, const seam_comparison *run, const cosim_builder *builder,
                             seam_error *error) {
  seam_status status = SEAM_OK;
  if (run != NULL && self->rows.peaks != NULL)
    status = close_scheme(self, run, builder, error);
  else
    run_files_close(&self->files, NULL);
  drop_files(self);
  return status;
}

/* ---- All ---- */

seam_status compare_keep_create(compare_keep *self, const app_options *parsed, const app_setup *setup,
                                const app_setup *whole, seam_error *error) {
  *self = (compare_keep){.whole = whole, .options = {.options = parsed, .setup = setup}, .observer = {see, self}};
  seam_status status = run_files_read_options(&self->options, error);
  if (status == SEAM_OK)
    status = run_files_read_times(&self->options, error);
  return status == SEAM_OK ? mbs_state_create(setup->model, &self->scratch, error) : status;
}

void compare_keep_free(compare_keep *self) {
  drop_files(self);
  mbs_state_destroy(self->scratch);
}
