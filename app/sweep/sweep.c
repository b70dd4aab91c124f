#include "app/sweep/sweep.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/commands/run_files.h"
#include "app/failure.h"
#include "app/interrupt.h"
#include "app/plots/sweep_plot.h"
#include "app/progress.h"
#include "app/results/output.h"
#include "app/sweep/results.h"
#include "base/clock.h"
#include "base/pool.h"
#include "base/then.h"

/* ---- One run, as by 'seam run' but without files ---- */

typedef struct one_run {
  const sweep_plan *plan;
  app_setup setup;
  run_files files;
  mbs_quantity *quantities; /* (n_quantities) quantities of the plan, in this model */
} one_run;

static seam_status read_one(one_run *self, size_t run, seam_error *error) {
  const sweep_plan *plan = self->plan;
  const bool is_cosimulated = options_flag(&plan->run, "--cosim");
  self->files.options = &plan->run;
  self->files.setup = &self->setup;
  TRY(sweep_plan_read_model(plan, run, &self->setup, error));
  self->setup.restarts = is_cosimulated;
  TRY(run_files_read_times(&self->files, error));
  TRY(is_cosimulated ? setup_check_bodies(&self->setup, error) : setup_use_monolithic(&self->setup, false, error));
  self->quantities = calloc(plan->n_quantities + 1, sizeof *self->quantities);
  TRY(check_memory(self->quantities != NULL, error));
  for (size_t i = 0; i < plan->n_quantities; i++) /* varied values may change indices of elements */
    TRY(mbs_find_quantity(self->setup.model, plan->quantities[i], &self->quantities[i], error));
  return SEAM_OK;
}

static seam_status create_cosim(one_run *self, seam_error *error) {
  return options_flag(self->files.options, "--cosim") ? run_files_create_cosim(&self->files, error) : SEAM_OK;
}

static void free_one(one_run *self) {
  run_files_free(&self->files);
  setup_free(&self->setup);
  free(self->quantities);
}

/* Checks a run without its motion: creates its co-simulation and its integrator. SEAM_BAD_INPUT: it is refused. */
static seam_status one_run_check(const sweep_plan *plan, size_t run, seam_error *error) {
  one_run self = {.plan = plan};
  mbs_integrator *integrator = NULL;
  cosim_step_plan steps;
  seam_error failure = {0};
  seam_status status = read_one(&self, run, error);
  if (status == SEAM_OK) {
    seam_status created = create_cosim(&self, &failure);
    if (created == SEAM_OK && self.files.simulation != NULL)
      created = cosim_step_plan_make(cosim_builder_definition(self.files.builder)->options.macro_step, self.files.end,
                                     &steps, &failure);
    THEN(created, mbs_integrator_create(self.setup.model, &seam_model_simulation(self.setup.file)->integrator,
                                        &integrator, &failure));
    mbs_integrator_destroy(integrator);
    if (created == SEAM_BAD_INPUT)
      status = seam_fail(error, created, "%s", failure.message);
  }
  free_one(&self);
  return status;
}

static seam_status fill_row(const one_run *self, double *row, seam_error *error) {
  const sweep_plan *plan = self->plan;
  mbs_readout *readout = NULL;
  double *last = calloc(plan->n_quantities + 1, sizeof *last);
  const seam_status status =
      last != NULL ? mbs_readout_create(self->setup.model, self->quantities, plan->n_quantities, &readout, error)
                   : out_of_memory(error);
  if (status == SEAM_OK) {
    const seam_run_facts facts = seam_run_facts_of(self->files.run);
    mbs_read(readout, self->setup.workspace, self->setup.state, last);
    for (size_t i = 0; i < plan->n_figures; i++) {
      const sweep_figure *figure = &plan->figures[i];
      if (figure->statistic == SWEEP_LAST) {
        row[figure->column] = last[figure->quantity];
        continue;
      }
      const seam_run_figure found =
          seam_over_run_of(facts.over_run, figure->quantity, (seam_statistic)figure->statistic);
      row[figure->column] = found.value;
      row[figure->column + 1] = found.uncertainty;
    }
    row[plan->status + 1] = fabs(facts.record->imbalance);
  }
  mbs_readout_destroy(readout);
  free(last);
  return status;
}

/* Makes a run and fills its row (n_columns). *ending: its status and message. Figures of a failed run are NaN.
 * SEAM_INTERRUPTED, SEAM_NO_MEMORY: the row is not filled. */
static seam_status one_run_carry_out(const sweep_plan *plan, size_t run, double *row, seam_error *ending) {
  one_run self = {.plan = plan};
  *ending = (seam_error){0};
  for (size_t i = 0; i < plan->n_columns; i++)
    row[i] = NAN;
  row[SWEEP_RUN] = (double)(run + 1);
  for (size_t i = 0; i < seam_design_n_varied(plan->design); i++)
    row[SWEEP_VARIED + i] = seam_design_value(plan->design, run, i);
  seam_status status = read_one(&self, run, ending);
  THEN(status, setup_assemble(&self.setup, ending));
  THEN(status, create_cosim(&self, ending));
  const seam_run_def def = {.simulation = self.files.simulation,
                            .builder = self.files.builder,
                            .quantities = self.quantities,
                            .n_quantities = plan->n_quantities};
  THEN(status, run_files_create_unsaved(&self.files, &def, ending));
  THEN(status, run_files_carry_out(&self.files, ending));
  if (status == SEAM_OK)
    seam_run_conclude(self.files.run, ending);
  if (ending->status == SEAM_OK || ending->status == SEAM_WRONG) {
    seam_error failure = {0};
    if (fill_row(&self, row, &failure) != SEAM_OK)
      *ending = failure;
  }
  row[plan->status] = seam_status_exit(ending->status);
  free_one(&self);
  return ending->status == SEAM_INTERRUPTED || ending->status == SEAM_NO_MEMORY ? ending->status : SEAM_OK;
}

/* ---- The sweep ---- */

typedef struct sweep {
  const app_options *parsed;
  const sweep_workers *workers;
  bool quiet;
  run_files formats; /* options --format and --names */
  size_t shard, n_shards;
  int n_threads;
  sweep_plan plan;
  sweep_rows rows;
  char *directory;
  size_t n_before; /* runs found in journals */
  size_t *todo;    /* (n_todo) indices of the runs of this process */
  size_t n_todo;
  journal journal;
  double wall;
  bool is_quiet_failure; /* another process prints the failure */
  /* lock protects the members below. */
  pthread_mutex_t lock;
  size_t n_ended;
  size_t first_failed; /* first run whose check failed; SIZE_MAX: none */
  seam_error error;    /* failed check of that run, or failure that ended the sweep */
  app_progress progress;
} sweep;

/* ---- Options ---- */

static seam_status read_options(sweep *self, seam_error *error) {
  self->formats.options = self->parsed;
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  self->n_threads = self->workers->size > 1 || cores < 1 ? 1 : (int)cores;
  self->shard = self->n_shards = 1;
  const char *text = options_value(self->parsed, "--shard");
  char end = '\0';
  TRY(run_files_read_options(&self->formats, error));
  TRY(options_threads(self->parsed, &self->n_threads, error));
  if (text == NULL)
    return SEAM_OK;
  if (sscanf(text, "%zu/%zu%c", &self->shard, &self->n_shards, &end) != 2 || self->shard < 1 ||
      self->shard > self->n_shards || self->n_shards > SEAM_MAX_RUNS)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: --shard must be I/N with I from 1 to N, as in 1/2, but is '%s'",
                     text);
  return SEAM_OK;
}

static seam_status choose_directory(sweep *self, seam_error *error) {
  const char *given = options_value(self->parsed, "-o");
  self->directory =
      given != NULL ? strdup(given) : study_folder(self->parsed, seam_model_name(self->plan.base.file), "sweep");
  TRY(check_memory(self->directory != NULL, error));
  return self->workers->number == 0 ? output_make_directory(self->directory, error) : SEAM_OK;
}

/* ---- Processes ---- */

/* Returns the smallest number that any process passes. */
static uint64_t minimum(const sweep *self, uint64_t number) {
  return self->workers->minimum != NULL ? self->workers->minimum(number) : number;
}

/* Exchanges the status of all processes; returns true if all succeeded. Else the first failed process prints its
 * message, and the others set is_quiet_failure. */
static bool all_succeeded(sweep *self, seam_status status) {
  const uint64_t first = minimum(self, status == SEAM_OK ? UINT64_MAX : self->workers->number);
  self->is_quiet_failure = first != UINT64_MAX && first != self->workers->number;
  return first == UINT64_MAX;
}

/* ---- Journals ---- */

/* Reads all journals in a folder. *length: bytes of complete records in the journal of this process. */
static seam_status read_journals(sweep *self, const char *directory, uint64_t *length, seam_error *error) {
  bool is_there = true;
  for (size_t process = 0; is_there || process <= self->workers->size; process++) {
    uint64_t end = 0;
    char path[FILENAME_MAX];
    journal_path(directory, process, path);
    TRY(journal_read(path, &self->plan, &self->rows, &end, error));
    is_there = end > 0;
    if (process == self->workers->number && length != NULL)
      *length = end;
  }
  return SEAM_OK;
}

/* Replaces all journals in the folder by one. */
static seam_status close_journals(const sweep *self, seam_error *error) {
  char path[FILENAME_MAX];
  journal_path(self->directory, 0, path);
  TRY(journal_write(path, &self->plan, &self->rows, error));
  bool is_there = true;
  for (size_t process = 1; is_there; process++) {
    journal_path(self->directory, process, path);
    is_there = output_unlink(path) || process < self->workers->size;
  }
  return SEAM_OK;
}

/* ---- Runs of this process ---- */

/* Chooses the runs of this process: every n-th run of the shard that is in no journal, for n processes. */
static seam_status choose_runs(sweep *self, seam_error *error) {
  size_t n = 0;
  self->n_before = self->rows.n_done;
  self->todo = calloc(self->rows.n_runs, sizeof *self->todo);
  TRY(check_memory(self->todo != NULL, error));
  for (size_t run = self->shard - 1; run < self->rows.n_runs; run += self->n_shards)
    if (!self->rows.is_done[run] && n++ % self->workers->size == self->workers->number)
      self->todo[self->n_todo++] = run;
  return SEAM_OK;
}

/* Returns the run of a job. A pool of several threads takes the last job first. Reversed jobs let runs begin in the
 * order of their numbers. */
static size_t run_of(const sweep *self, int job) {
  return self->todo[self->n_threads > 1 ? self->n_todo - 1 - (size_t)job : (size_t)job];
}

static void count_run(sweep *self) {
  self->n_ended++;
  progress_count(&self->progress, (double)self->n_ended / (double)self->n_todo, self->n_ended, "runs");
}

static void check(void *context, int job) {
  sweep *self = context;
  const size_t run = run_of(self, job);
  seam_error error = {0};
  const seam_status status = interrupt_poll() ? SEAM_OK : one_run_check(&self->plan, run, &error);
  pthread_mutex_lock(&self->lock);
  if (status != SEAM_OK && run < self->first_failed) {
    self->first_failed = run;
    self->error = error;
  }
  count_run(self);
  pthread_mutex_unlock(&self->lock);
}

static void carry_out(void *context, int job) {
  sweep *self = context;
  const size_t run = run_of(self, job);
  seam_error ending;
  pthread_mutex_lock(&self->lock);
  const bool has_failed = self->error.status != SEAM_OK;
  pthread_mutex_unlock(&self->lock);
  if (interrupt_poll() || has_failed)
    return;
  const seam_status status = one_run_carry_out(&self->plan, run, sweep_rows_at(&self->rows, run), &ending);
  pthread_mutex_lock(&self->lock);
  if (status == SEAM_OK && sweep_rows_end_run(&self->rows, run, ending.message, &ending) == SEAM_OK)
    journal_add(&self->journal, &self->rows, run, &self->error);
  else if (status != SEAM_INTERRUPTED)
    self->error = ending;
  count_run(self);
  pthread_mutex_unlock(&self->lock);
}

static seam_status run_jobs(sweep *self, const char *label, void (*job)(void *context, int number), seam_error *error) {
  thread_pool *pool = thread_pool_create(self->n_threads);
  TRY(check_memory(pool != NULL, error));
  self->n_ended = 0;
  progress_phase(&self->progress, label, 1, 0);
  thread_pool_run(pool, (int)self->n_todo, job, self);
  progress_clear(&self->progress);
  thread_pool_destroy(pool);
  return SEAM_OK;
}

/* Checks all runs. Only the process with the first failed run prints its failure. The reader of models calls a varied
 * value "--set KEY:"; the message says "--vary". */
static seam_status check_runs(sweep *self, seam_error *error) {
  static const char set[] = "--set ";
  self->first_failed = SIZE_MAX;
  const seam_status status = run_jobs(self, "checks", check, error);
  if (status != SEAM_OK)
    self->first_failed = 0;
  const uint64_t first = minimum(self, self->first_failed);
  self->is_quiet_failure = first != self->first_failed;
  if (status != SEAM_OK || first == SIZE_MAX)
    return status;
  if (self->is_quiet_failure)
    return SEAM_BAD_INPUT;
  const char *message = self->error.message;
  const char *option = "";
  char name[512];
  for (size_t i = 0; i < seam_design_n_varied(self->plan.design) && strncmp(message, set, sizeof set - 1) == 0; i++) {
    const char *given = message + sizeof set - 1;
    const char *key = seam_design_key(self->plan.design, i);
    if (strncmp(given, key, strlen(key)) == 0 && given[strlen(key)] == ':') {
      message = given;
      option = "--vary ";
    }
  }
  sweep_plan_name_run(&self->plan, self->first_failed, name, sizeof name);
  return seam_fail(error, self->error.status, "%s%.700s\nthis is %.250s; nothing was run", option, message, name);
}

static seam_status run_all(sweep *self, seam_error *error) {
  TRY(run_jobs(self, NULL, carry_out, error));
  if (self->error.status != SEAM_OK) {
    *error = self->error;
    return error->status;
  }
  if (interrupt_poll())
    return seam_fail(error, SEAM_INTERRUPTED,
                     "interrupted after %zu of %zu runs; they are kept: the same command continues after them",
                     self->rows.n_done, self->rows.n_runs);
  return SEAM_OK;
}

/* ---- The whole sweep ---- */

/* Writes all files. Runs of other processes are read from their journals. */
static seam_status write_all(sweep *self, seam_error *error) {
  /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): sweep_run() frees self->directory */
  TRY(self->workers->size > 1 ? read_journals(self, self->directory, NULL, error) : SEAM_OK);
  TRY(sweep_write_results(&self->plan, &self->rows, self->directory, self->formats.has_format,
                          self->formats.has_identifiers, error));
  TRY(close_journals(self, error));
  return sweep_plot(&self->plan, &self->rows, self->directory, error);
}

/* All processes begin each step together. If one fails, all end. */
static seam_status sweep_all(sweep *self, seam_error *error) {
  uint64_t length = 0;
  char path[FILENAME_MAX];
  seam_status status = read_options(self, error);
  THEN(status, sweep_plan_make(self->parsed, &self->plan, error));
  THEN(status, sweep_rows_create(&self->plan, &self->rows, error));
  THEN(status, choose_directory(self, error));
  if (!all_succeeded(self, status))
    return status != SEAM_OK ? status : SEAM_BAD_INPUT;
  /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): sweep_run() frees self->directory */
  status = read_journals(self, self->directory, &length, error);
  THEN(status, choose_runs(self, error));
  if (!all_succeeded(self, status))
    return status != SEAM_OK ? status : SEAM_BAD_INPUT;
  TRY(check_runs(self, error));
  journal_path(self->directory, self->workers->number, path);
  status = journal_open(path, &self->plan, length, &self->journal, error);
  THEN(status, run_all(self, error));
  journal_close(&self->journal);
  if (!all_succeeded(self, status))
    return status != SEAM_OK ? status : SEAM_INTERRUPTED;
  return self->workers->number == 0 ? write_all(self, error) : SEAM_OK;
}

/* ---- Merging ---- */

static seam_status fail_no_journal(const char *directory, seam_error *error) {
  return seam_fail(error, SEAM_NO_FILE, "%s: there is no sweep.journal in it; give folders that 'seam sweep' wrote",
                   directory);
}

/* Checks the options of a merge. The journals define the sweep, so that few options are allowed. */
static seam_status check_merge(const app_options *parsed, seam_error *error) {
  const char *other = options_beside(parsed, "--merge -o --format --names --quiet --accept-wrong --accept-suspect");
  if (other != NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: --merge takes folders, -o and --format; leave out %s", other);
  if (!options_flag(parsed, "-o"))
    return seam_fail(error, SEAM_BAD_INPUT, "seam: --merge needs a folder of its own; add -o DIR");
  return SEAM_OK;
}

static seam_status merge(sweep *self, seam_error *error) {
  const app_options *parsed = self->parsed;
  char *bytes = NULL;
  const char *header = NULL;
  size_t size = 0;
  char path[FILENAME_MAX];
  journal_path(parsed->operands[0], 0, path);
  TRY(check_merge(parsed, error));
  TRY(read_options(self, error));
  seam_status status = journal_read_header(path, &bytes, &header, &size, error);
  if (status == SEAM_OK && bytes == NULL)
    status = fail_no_journal(parsed->operands[0], error);
  THEN(status, sweep_plan_make_from_header(parsed->table, header, size, &self->plan, error));
  free(bytes);
  TRY(status);
  TRY(sweep_rows_create(&self->plan, &self->rows, error));
  for (size_t i = 0; i < parsed->n_operands; i++) {
    uint64_t length = 0;
    TRY(read_journals(self, parsed->operands[i], &length, error));
    if (length == 0)
      return fail_no_journal(parsed->operands[i], error);
  }
  const sweep_rows *rows = &self->rows;
  size_t first = 0;
  while (first < rows->n_runs && rows->is_done[first])
    first++;
  if (first < rows->n_runs)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: %zu of %zu runs are in none of the folders, the first is run %zu; run their shards first",
                     rows->n_runs - rows->n_done, rows->n_runs, first + 1);
  TRY(choose_directory(self, error));
  return write_all(self, error);
}

static int conclude(const sweep *self, seam_status status, seam_error *error) {
  if (self->is_quiet_failure)
    *error = (seam_error){0};
  if (status != SEAM_OK || self->workers->number != 0)
    return seam_status_exit(status);
  if (!self->quiet) {
    print_name(seam_model_name(self->plan.base.file));
    fprintf(stderr, ": %zu of %zu runs", self->rows.n_done, self->rows.n_runs);
    if (self->n_before > 0)
      fprintf(stderr, ", %zu of them done before", self->n_before);
    fprintf(stderr, ", in %.3g s\n", clock_wall() - self->wall);
    fprintf(stderr,
            "note: a sweep does not check errors of its runs; its uncertainties come only from the distance of rows; "
            "to check a run, give 'seam run%s' its values\n",
            options_flag(&self->plan.run, "--cosim") ? " --cosim" : "");
  }
  const int exit_status = sweep_print_verdict(&self->plan, &self->rows, self->directory);
  const bool accepts_wrong =
      options_flag(self->parsed, "--accept-wrong") || options_flag(self->parsed, "--accept-suspect");
  return exit_status == 3 && accepts_wrong ? 0 : exit_status;
}

int sweep_run(const app_options *parsed, const sweep_workers *workers, seam_error *error) {
  sweep self = {.parsed = parsed,
                .workers = workers,
                .quiet = options_flag(parsed, "--quiet"),
                .journal = {.descriptor = -1},
                .wall = clock_wall()};
  self.progress = progress_start(self.quiet || workers->number != 0);
  pthread_mutex_init(&self.lock, NULL);
  interrupt_catch();
  const seam_status status = options_flag(parsed, "--merge") ? merge(&self, error) : sweep_all(&self, error);
  const int exit_status = conclude(&self, status, error);
  pthread_mutex_destroy(&self.lock);
  sweep_rows_free(&self.rows);
  sweep_plan_free(&self.plan);
  free(self.todo);
  free(self.directory);
  return exit_status;
}
