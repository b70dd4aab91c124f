/* `seam compare`: runs a co-simulation with each scheme, and compares it with the reference, the monolithic run. --keep
 * writes the files of each run into a folder of its own. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/commands/run_files.h"
#include "app/failure.h"
#include "app/interrupt.h"
#include "app/study.h"
#include "base/clock.h"
#include "base/number.h"
#include "base/then.h"

enum { RUNS, ERRORS }; /* indices in app_study.files */

typedef struct comparing {
  app_study study;
  bool with_joints;
  bool may_control; /* the file lets collocation schemes choose their macro steps */
  double macro_step;
  seam_reference *reference;
  seam_agreement agreement;
  bool saves_runs;   /* --keep; the members below are for the files */
  run_files options; /* options of all runs, without open files */
  mbs_state *scratch;
  /* members about the current run: */
  run_files files;
  const char *scheme;
  const cosim_builder *builder;
  double t;    /* s, last macro point of the run */
  double wall; /* s, wall time when the run began */
} comparing;

/* ---- Saved files ---- */

static seam_status open_files(comparing *self, const char *folder, const seam_run_def *def, seam_error *error) {
  self->files = self->options;
  self->files.directory = output_path(self->study.directory, folder);
  if (def->seen == NULL)
    self->files.setup = &self->study.monolithic;
  const seam_status status = run_files_prepare(&self->files, def, error);
  return status == SEAM_OK ? run_files_open(&self->files, error) : status;
}

static seam_status summarise(run_files *files, seam_error *ending, seam_error *error) {
  files->exit_status = seam_status_exit(seam_run_conclude(files->run, ending));
  return run_files_summarise(files, error);
}

/* Integrates the reference again to write its rows. If its check failed, the summary has the message,
 * study.refusal. */
static seam_status save_reference(comparing *self, seam_error *error) {
  const mbs_integrator_options options = seam_reference_options(self->reference);
  const app_setup *monolithic = &self->study.monolithic;
  seam_error ending = self->study.refusal;
  mbs_state *state = NULL;
  seam_status status = mbs_state_create(monolithic->model, &state, error);
  if (status == SEAM_OK) {
    mbs_state_copy(state, monolithic->state);
    status = open_files(self, "reference",
                        &(seam_run_def){.integrator = &options, .state = state, .check = SEAM_CHECK_NEVER}, error);
  }
  self->files.quiet = self->study.quiet;
  THEN(status, run_files_carry_out(&self->files, error));
  THEN(status, summarise(&self->files, &ending, error));
  run_files_free(&self->files);
  mbs_state_destroy(state);
  return status;
}

/* Writes a row at a macro point. The first macro point opens the files. */
static seam_status observe(void *context, const cosim_simulation *simulation, double t, seam_error *error) {
  comparing *self = context;
  seam_status status = SEAM_OK;
  if (self->files.run == NULL) {
    const seam_run_def def = {
        .seen = simulation, .builder = self->builder, .macro_step = self->macro_step, .state = self->scratch};
    char *folder = schemes_folder(self->scheme);
    mbs_state_copy(self->scratch, self->study.setup.state);
    status = folder != NULL ? open_files(self, folder, &def, error) : out_of_memory(error);
    free(folder);
  }
  self->t = t;
  return status == SEAM_OK ? seam_run_see(self->files.run, &self->files.sink, t, error) : status;
}

static seam_status save_result(comparing *self, const seam_comparison *run, seam_error *error) {
  run_files *files = &self->files;
  seam_error ending = {0};
  if (run->outcome != SEAM_RUN_FINISHED)
    (void)seam_run_see_last(files->run, &files->sink, self->t, NULL);
  seam_status status = run_files_close(files, error);
  files->wall = clock_wall() - self->wall;
  files->cpu = run->cpu;
  if (run->outcome == SEAM_RUN_FINISHED)
    seam_run_take_error(files->run, &run->error);
  else
    seam_fail(&ending, run->status, "%s", run->why);
  THEN(status, summarise(files, &ending, error));
  return status;
}

/* Reads the options, the model and the schemes. */
static seam_status prepare(comparing *self, seam_error *error) {
  static const char *const options_of_files[] = {"--format", "--names"};
  app_study *study = &self->study;
  seam_status status = study_read(study, error);
  THEN(status, study_use_monolithic(study, error));
  THEN(status,
       schemes_read(options_value(study->parsed, "--schemes"), &study->setup, study->quiet, &study->schemes, error));
  if (status != SEAM_OK)
    return status;
  const cosim_builder *builder = seam_model_cosim(study->setup.file);
  self->macro_step = cosim_builder_definition(builder)->options.macro_step;
  self->with_joints = cosim_has_couplings(builder, true);
  self->may_control = schemes_may_choose_steps(&study->setup);
  if (!self->may_control)
    schemes_note_control(&study->setup, study->quiet);
  self->saves_runs = options_flag(study->parsed, "--keep") || options_flag(study->parsed, "--report");
  for (size_t i = 0; i < sizeof options_of_files / sizeof *options_of_files && !self->saves_runs; i++)
    if (options_flag(study->parsed, options_of_files[i]))
      return seam_fail(error, SEAM_BAD_INPUT, "seam: %s is for runs that are kept; add --keep", options_of_files[i]);
  if (!self->saves_runs)
    return SEAM_OK;
  self->options = (run_files){.options = study->parsed, .setup = &study->setup};
  status = run_files_read_options(&self->options, error);
  THEN(status, run_files_read_times(&self->options, error));
  THEN(status, mbs_state_create(study->setup.model, &self->scratch, error));
  return status;
}

/* ---- Runs ---- */

/* Writes a row for each coordinate of each body, each rate and each measure. */
static seam_status write_errors(const comparing *self, const char *scheme, const seam_comparison *run,
                                seam_error *error) {
  static const char *const names[] = {"x", "y", "phi", "vx", "vy", "omega"};
  const mbs_model *model = self->study.setup.model;
  const output_file *to = &self->study.files[ERRORS];
  const size_t n = 3 * mbs_n_bodies(model);
  const size_t n_measured = seam_measured_quantities(model, NULL);
  if (run->columns == NULL)
    return SEAM_OK;
  mbs_quantity *measured = calloc(n_measured + 1, sizeof *measured);
  if (measured == NULL)
    return out_of_memory(error);
  seam_measured_quantities(model, measured);
  for (size_t i = 0; i < 2 * n + n_measured; i++) {
    const mbs_quantity_info info =
        i < 2 * n ? (mbs_quantity_info){.element = mbs_body_of(model, i % n / 3).name, .name = names[i / n * 3 + i % 3]}
                  : mbs_quantity_of(model, measured[i - 2 * n]);
    csv_write_text(to->file, scheme);
    fprintf(to->file, ",%s%s%s", info.element, *info.name != '\0' ? "." : "", info.name);
    comparisons_write_number(to->file, run->columns[i].nrmse);
    fputc(',', to->file);
    shortest_print(to->file, run->columns[i].largest);
    fputc('\n', to->file);
  }
  free(measured);
  return output_flush(to, error);
}

/* Predicts the work of run i. If the run chooses its macro steps, their number is unknown: only integrator steps
 * count. */
static double workload_of(const comparing *self, size_t i) {
  const char *name = self->study.schemes.names[i];
  seam_scheme_words words;
  const bool is_controlled =
      self->may_control && seam_scheme_read(name, &words, NULL) == SEAM_OK && strcmp(words.method, "colloc") == 0;
  return workload_of_scheme(name, is_controlled ? 0 : self->study.end / self->macro_step, self->study.monolithic_steps);
}

static seam_status run_scheme(comparing *self, size_t i, seam_error *error) {
  app_study *study = &self->study;
  const char *name = study->schemes.names[i];
  const seam_observer observer = {observe, self};
  cosim_builder *builder = NULL;
  seam_comparison *run = NULL;
  double later_work = 0;
  for (size_t k = i + 1; k < study->schemes.n; k++)
    later_work += workload_of(self, k);
  seam_status status = schemes_use(&study->schemes, i, &study->setup, true, &builder, error);
  monitor_phase(&study->monitor, name, 1, workload_of(self, i), later_work);
  self->scheme = name;
  self->builder = builder;
  self->wall = clock_wall();
  THEN(status, seam_comparison_create(self->reference, builder, &study->monitor.interrupt,
                                      self->saves_runs ? &observer : NULL, &run, error));
  progress_clear(&study->monitor.progress);
  if (run != NULL && self->files.run != NULL)
    status = save_result(self, run, error);
  run_files_free(&self->files);
  if (status == SEAM_OK && !study->quiet) {
    char tolerance[16] = "-";
    if (!isnan(run->tolerance))
      snprintf(tolerance, sizeof tolerance, "%.1e", run->tolerance);
    printf("%-*s  ", study->schemes.width, name);
    if (self->may_control)
      printf("%-9s  ", tolerance);
    comparisons_print(run, self->with_joints);
    comparisons_note(name, run);
  }
  THEN(status, comparisons_write(&study->files[RUNS], name, self->macro_step, run, error));
  THEN(status, write_errors(self, name, run, error));
  seam_comparison_destroy(run);
  cosim_builder_destroy(builder);
  return status;
}

static void print_head(const comparing *self) {
  const app_study *study = &self->study;
  const bool is_judged = study->refusal.status == SEAM_OK;
  printf("%s: %.9g s with %s %.9g s; monolithic run: %.3g s of CPU time", seam_model_name(study->setup.file),
         study->end, self->may_control ? "macro steps of collocation under control, of others" : "a macro step of",
         self->macro_step, seam_reference_cpu(self->reference));
  if (is_judged && isfinite(self->agreement.share))
    printf("; reference confirmed to %.1e", self->agreement.share);
  if (is_judged && self->agreement.why[0] != '\0')
    printf("; %s", self->agreement.why);
  if (seam_reference_tightness(self->reference) < 90)
    printf(
        "; tolerances of the reference are tighter by %g only: by 100 the reference stops at a singular configuration",
        seam_reference_tightness(self->reference));
  putchar('\n');
  comparisons_print_meaning(self->with_joints);
  printf("%-*s  ", study->schemes.width, "scheme");
  if (self->may_control)
    printf("%-9s  ", "tolerance");
  comparisons_print_head(self->with_joints);
}

/* The reference is the first run: if it fails, no file has been touched. */
static int compare(const app_options *parsed, seam_error *error) {
  comparing self = {.study = study_begin(parsed)};
  app_study *study = &self.study;
  seam_status status = prepare(&self, error);
  interrupt_catch();
  monitor_start(&study->monitor, study->quiet, study->end);
  THEN(status, study_make_reference(study, self.macro_step, NAN, NAN, &self.agreement, &self.reference, error));
  THEN(status, study_open(study, seam_model_name(study->setup.file), "compare", error));
  THEN(status, study_open_file(study, RUNS, "compare.csv", comparisons_head, error));
  THEN(status, study_open_file(study, ERRORS, "errors.csv", "scheme,column,nrmse,largest\n", error));
  self.options.end = study->end;
  if (self.saves_runs)
    THEN(status, save_reference(&self, error));
  if (status == SEAM_OK && !study->quiet)
    print_head(&self);
  for (size_t i = 0; i < study->schemes.n && status == SEAM_OK; i++)
    status = run_scheme(&self, i, error);
  mbs_state_destroy(self.scratch);
  seam_reference_destroy(self.reference);
  return study_end(study, status, error);
}

static const app_option table[] = {
    OPTION_SCHEMES,
    {.name = "--macro-step", .value = "TIME", .help = "macro step, s", .override_key = "cosim.macro_step"},
    OPTION_END,
    OPTION_FROM,
    OPTION_DIRECTORY,
    {.name = "--keep", .help = "keep every run: DIR/SCHEME and DIR/reference, as 'seam run' writes them"},
    OPTION_FORMAT,
    OPTION_NAMES,
    OPTION_AS,
    OPTION_REPORT,
    OPTION_SET,
    OPTION_QUIET,
    OPTION_HELP,
    {0},
};

const app_command compare_command = {
    .name = "compare",
    .summary = "set co-simulations beside the monolithic run",
    .operands = "MODEL",
    .details =
        "Runs a model whole at 100 times tighter tolerances, then co-simulated under each scheme, and prints a line a\n"
        "scheme: normalised root mean square errors of positions and velocities over all macro points, largest\n"
        "residuals of cut joints (g, its first and second rate), drift of energy over the largest kinetic energy, CPU\n"
        "time, verdict. DIR/compare.csv has the lines with all digits, DIR/errors.csv the error of every column.\n"
        "Unstable runs are results: the exit status is 0. The whole run is checked by another one first; where they\n"
        "differ no errors are judged: status 3.\n"
        "\n"
        "With --keep each run leaves its files, as of 'seam run --cosim', in DIR/SCHEME, the reference in\n"
        "DIR/reference; --report keeps them too, and shows them in DIR/report.html.\n"
        "\n"
        "A scheme is used at all couplings of its kind, at force elements or at joints; those of the other kind stay\n"
        "as the file says.\n"
        "\n"
        "  seam compare four_bar_bushing --schemes ff-k0,ff-k1,ff-d-k2 --end 3\n"
        "  seam compare double_pendulum --schemes all --end 3 -o results/all --keep",
    .options = table,
    .n_operands = {1, 1},
    .run = compare,
};
