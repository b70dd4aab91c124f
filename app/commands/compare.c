/* `seam compare`: one mechanism, monolithic and co-simulated under many schemes, side by side. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/commands/compare_keep.h"
#include "app/failure.h"
#include "app/interrupt.h"
#include "app/report/report.h"
#include "app/results/comparisons.h"
#include "app/results/output.h"
#include "app/stops.h"
#include "app/workload.h"
#include "base/shortest.h"

typedef struct comparing {
  const app_options *parsed;
  bool quiet, with_joints;
  bool may_control; /* collocation schemes choose their macro steps */
  app_setup setup, whole;
  app_schemes schemes;
  seam_reference *reference;
  seam_agreement agreement;
  seam_error refusal; /* of the reference; a status of SEAM_OK: there is none */
  double end, macro_step;
  char *directory, *runs_path, *errors_path;
  FILE *runs, *errors;
  app_monitor monitor;
  double whole_steps; /* of an integrator over the run */
  bool keeps;         /* the runs themselves */
  compare_keep keep;
} comparing;

/* ---- Schemes ---- */

static seam_status check_list(const char *list, seam_error *error) {
  app_schemes named = {0};
  seam_status status = schemes_split(list, &named, error);
  for (size_t i = 0; i < named.n && named.n > 1 && status == SEAM_OK; i++)
    if (strcmp(named.names[i], "all") == 0)
      status = seam_fail(error, SEAM_BAD_INPUT,
                         "seam: 'all' cannot be combined with names; write --schemes all, or names alone");
  schemes_free(&named);
  return status;
}

static bool is_listed(char *const names[], size_t n, const char *name) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(names[i], name) == 0)
      return true;
  return false;
}

static void drop_repeated(app_schemes *schemes) {
  const size_t n = schemes->n;
  schemes->n = 0;
  for (size_t i = 0; i < n; i++)
    if (is_listed(schemes->names, schemes->n, schemes->names[i]))
      free(schemes->names[i]);
    else
      schemes->names[schemes->n++] = schemes->names[i];
}

static seam_status read_schemes(comparing *self, seam_error *error) {
  const char *list = options_value(self->parsed, "--schemes");
  seam_status status = list ? check_list(list, error) : SEAM_OK;
  if (status == SEAM_OK)
    status = schemes_read(list, &self->setup, self->quiet, &self->schemes, error);
  self->may_control = schemes_may_choose_steps(&self->setup);
  if (!self->may_control)
    schemes_note_control(&self->setup, self->quiet);
  drop_repeated(&self->schemes);
  return status;
}

/* ---- Preparation ---- */

static seam_status prepare_keeping(comparing *self, seam_error *error) {
  static const char *const of_files[] = {"--format", "--names"};
  self->keeps = options_flag(self->parsed, "--keep") || options_flag(self->parsed, "--report");
  for (size_t i = 0; i < sizeof of_files / sizeof *of_files && !self->keeps; i++)
    if (options_flag(self->parsed, of_files[i]))
      return seam_fail(error, SEAM_BAD_INPUT, "seam: %s is for runs that are kept; add --keep", of_files[i]);
  return self->keeps ? compare_keep_create(&self->keep, self->parsed, &self->setup, &self->whole, error) : SEAM_OK;
}

static seam_status choose_directory(comparing *self, seam_error *error) {
  const char *given = options_value(self->parsed, "-o");
  self->keep.directory = self->directory =
      given ? strdup(given) : output_path("results", seam_model_name(self->setup.file));
  if (self->directory) {
    self->runs_path = output_path(self->directory, "compare.csv");
    self->errors_path = output_path(self->directory, "errors.csv");
  }
  if (!self->runs_path || !self->errors_path)
    return out_of_memory(error);
  return output_make_directory(self->directory, error);
}

static seam_status open_files(comparing *self, seam_error *error) {
  seam_status status = choose_directory(self, error);
  if (status == SEAM_OK)
    status = comparisons_open(self->runs_path, &self->runs, error);
  if (status == SEAM_OK)
    status = output_open(self->errors_path, &self->errors, error);
  if (status == SEAM_OK)
    fputs("scheme,column,nrmse,largest\n", self->errors);
  return status;
}

static seam_status prepare(comparing *self, seam_error *error) {
  seam_status status = setup_read(self->parsed, &self->setup, error);
  setup_take_from(&self->setup, self->parsed);
  self->setup.restarts = true;
  if (status == SEAM_OK)
    status = setup_assemble(&self->setup, error);
  if (status == SEAM_OK && self->setup.from != NULL && !self->quiet)
    setup_note_start(&self->setup);
  if (status == SEAM_OK)
    status = setup_whole_of(self->parsed, &self->setup, &self->whole, error);
  if (status == SEAM_OK)
    status = read_schemes(self, error);
  if (status != SEAM_OK)
    return status;
  const cosim_builder *builder = seam_model_cosim(self->setup.file);
  self->end = seam_model_simulation(self->setup.file)->end;
  self->macro_step = cosim_options_of(builder).macro_step;
  self->with_joints = cosim_has_couplings(builder, true);
  if (isnan(self->end))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: the model gives no end time; add 'simulate: {end: ...}' or --end TIME");
  return prepare_keeping(self, error);
}

static seam_status make_reference(comparing *self, seam_error *error) {
  enum { N_RUNS = 3 }; /* plain, tight, to check */
  app_monitor *monitor = &self->monitor;
  monitor_start(monitor, self->quiet, self->end);
  monitor_phase(monitor, "reference", N_RUNS, NAN, NAN);
  seam_status status =
      seam_reference_create(self->whole.model, self->whole.state, &seam_model_simulation(self->setup.file)->integrator,
                            self->macro_step, self->end, &monitor->interrupt, &self->reference, error);
  if (status == SEAM_OK)
    status = comparisons_check(self->reference, &monitor->interrupt, &self->agreement, &self->refusal, error);
  self->whole_steps = (double)monitor->steps / N_RUNS;
  progress_clear(&monitor->progress);
  if (self->refusal.status != SEAM_OK)
    print_failure(&self->refusal);
  return status;
}

/* ---- Runs ---- */

static void write_error(const comparing *self, const char *scheme, const char *element, const char *quantity,
                        const seam_column_error *column) {
  csv_put_text(self->errors, scheme);
  fprintf(self->errors, ",%s%s%s", element, *quantity != '\0' ? "." : "", quantity);
  comparisons_write_number(self->errors, column->nrmse);
  fputc(',', self->errors);
  shortest_print(self->errors, column->largest);
  fputc('\n', self->errors);
}

static seam_status write_measures(const comparing *self, const char *scheme, const seam_column_error *columns,
                                  seam_error *error) {
  const mbs_model *model = self->setup.model;
  const size_t n = seam_measured_quantities(model, NULL);
  mbs_quantity *list = calloc(n + 1, sizeof *list);
  if (list == NULL)
    return out_of_memory(error);
  seam_measured_quantities(model, list);
  for (size_t i = 0; i < n; i++) {
    const mbs_quantity_info info = mbs_quantity_of(model, list[i]);
    write_error(self, scheme, info.element, info.name, &columns[i]);
  }
  free(list);
  return SEAM_OK;
}

static seam_status write_errors(const comparing *self, const char *scheme, const seam_comparison *run,
                                seam_error *error) {
  static const char *const names[] = {"x", "y", "phi", "vx", "vy", "omega"};
  const size_t n = 3 * mbs_n_bodies(self->setup.model);
  if (run->columns == NULL)
    return SEAM_OK;
  for (size_t i = 0; i < 2 * n; i++)
    write_error(self, scheme, mbs_body_name(self->setup.model, i % n / 3), names[i / n * 3 + i % 3], &run->columns[i]);
  const seam_status status = write_measures(self, scheme, run->columns + 2 * n, error);
  return status != SEAM_OK || fflush(self->errors) == 0 ? status : output_failed(self->errors_path, error);
}

static void print_tolerance(double tolerance) {
  char text[16] = "-";
  if (!isnan(tolerance))
    snprintf(text, sizeof text, "%.1e", tolerance);
  printf("%-9s  ", text);
}

/* Under control macro steps are of the length of integrators' steps. */
static double workload_of(const comparing *self, size_t i) {
  const char *name = self->schemes.names[i];
  seam_scheme_words words;
  const bool is_controlled =
      self->may_control && seam_scheme_read(name, &words, NULL) == SEAM_OK && strcmp(words.method, "colloc") == 0;
  return workload_of_scheme(name, is_controlled ? 0 : self->end / self->macro_step, self->whole_steps);
}

static void begin_phase(comparing *self, size_t i) {
  double rest = 0;
  for (size_t k = i + 1; k < self->schemes.n; k++)
    rest += workload_of(self, k);
  monitor_phase(&self->monitor, self->schemes.names[i], 1, workload_of(self, i), rest);
}

static seam_status run_scheme(comparing *self, size_t i, seam_error *error) {
  const char *name = self->schemes.names[i];
  cosim_builder *builder = NULL;
  seam_comparison *run = NULL;
  seam_status status = schemes_use_with_control(&self->schemes, i, &self->setup, &builder, error);
  begin_phase(self, i);
  if (status == SEAM_OK && self->keeps)
    compare_keep_begin(&self->keep, name, self->macro_step, builder);
  if (status == SEAM_OK)
    status = seam_comparison_create(self->reference, builder, &self->monitor.interrupt,
                                    self->keeps ? &self->keep.observer : NULL, &run, error);
  progress_clear(&self->monitor.progress);
  if (self->keeps) {
    const seam_status kept = compare_keep_end(&self->keep, run, status == SEAM_OK ? error : NULL);
    status = status == SEAM_OK ? kept : status;
  }
  if (status == SEAM_OK && !self->quiet) {
    printf("%-*s  ", self->schemes.width, name);
    if (self->may_control)
      print_tolerance(run->tolerance);
    comparisons_print(run, self->with_joints);
    comparisons_note(name, run);
  }
  if (status == SEAM_OK)
    status = comparisons_write(self->runs, self->runs_path, name, self->macro_step, run, error);
  if (status == SEAM_OK)
    status = write_errors(self, name, run, error);
  seam_comparison_destroy(run);
  cosim_builder_destroy(builder);
  return status;
}

/* The reference is made, or refused, before a file is touched. */
static seam_status run_all(comparing *self, seam_error *error) {
  interrupt_catch();
  seam_status status = stops_shorten(&self->whole, self->quiet, &self->end, error);
  self->keep.options.end = self->end;
  if (status == SEAM_OK)
    status = make_reference(self, error);
  if (status == SEAM_OK)
    status = open_files(self, error);
  if (status == SEAM_OK && self->keeps)
    status = compare_keep_reference(&self->keep, self->reference, &self->refusal, self->quiet, error);
  if (status == SEAM_OK && !self->quiet) {
    printf("%s: %.9g s with %s %.9g s; monolithic run: %.3g s of CPU time", seam_model_name(self->setup.file),
           self->end, self->may_control ? "macro steps of collocation under control, of others" : "a macro step of",
           self->macro_step, seam_reference_cpu(self->reference));
    if (self->refusal.status == SEAM_OK && isfinite(self->agreement.share))
      printf("; reference confirmed to %.1e", self->agreement.share);
    if (self->refusal.status == SEAM_OK && self->agreement.why[0] != '\0')
      printf("; %s", self->agreement.why);
    if (seam_reference_tightness(self->reference) < 90)
      printf("; tolerances of the reference are tighter by %g, not by 100, with which it stops at a singular "
             "configuration",
             seam_reference_tightness(self->reference));
    putchar('\n');
    printf("%-*s  ", self->schemes.width, "scheme");
    if (self->may_control)
      printf("%-9s  ", "tolerance");
    comparisons_print_head(self->with_joints);
  }
  for (size_t i = 0; i < self->schemes.n && status == SEAM_OK; i++)
    status = run_scheme(self, i, error);
  return status;
}

/* ---- The command ---- */

static seam_status close_file(FILE *file, const char *path, seam_error *error) {
  return file == NULL || fclose(file) == 0 ? SEAM_OK : output_failed(path, error);
}

static seam_status close_files(comparing *self, seam_error *error) {
  const seam_status runs = close_file(self->runs, self->runs_path, error);
  const seam_status errors = close_file(self->errors, self->errors_path, error);
  return runs != SEAM_OK ? runs : errors;
}

static void free_all(comparing *self) {
  compare_keep_free(&self->keep);
  seam_reference_destroy(self->reference);
  schemes_free(&self->schemes);
  setup_free(&self->whole);
  setup_free(&self->setup);
  free(self->directory);
  free(self->runs_path);
  free(self->errors_path);
}

static int compare(const app_options *parsed) {
  comparing self = {.parsed = parsed, .quiet = options_flag(parsed, "--quiet")};
  seam_error error = {0};
  seam_status status = prepare(&self, &error);
  if (status == SEAM_OK)
    status = run_all(&self, &error);
  const seam_status closed = close_files(&self, status == SEAM_OK ? &error : NULL);
  if (status == SEAM_OK)
    status = closed;
  if (status == SEAM_OK)
    status = report_if_asked(parsed, self.directory, &error);
  if (status != SEAM_OK)
    print_failure(&error);
  free_all(&self);
  return seam_status_exit(status != SEAM_OK ? status : self.refusal.status);
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
    .least_operands = 1,
    .max_operands = 1,
    .run = compare,
};
