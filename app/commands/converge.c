/* `seam converge`: errors over macro steps and their orders, of a mechanism or of the textbook models. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/failure.h"
#include "app/interrupt.h"
#include "app/plots/orders.h"
#include "app/plots/run_label.h"
#include "app/report/report.h"
#include "app/results/comparisons.h"
#include "app/results/output.h"
#include "app/stops.h"
#include "app/workload.h"

/* What both kinds of studies have. */
typedef struct study {
  const app_options *parsed;
  bool quiet;
  app_orders found;
  char *directory, *path;
  FILE *file;
  app_monitor monitor; /* of runs of a mechanism */
  double end;          /* s, of runs of a mechanism */
  double whole_steps;  /* of an integrator over the run */
  seam_error refusal;  /* of a mechanism's reference; a status of SEAM_OK: there is none */
  double own;          /* s, macro step of the runs that stand in for a monolithic reference; 0: there is one */
} study;

/* ---- Preparation and results ---- */

static const char *scheme_list(const study *self) {
  const char *list = options_value(self->parsed, "--schemes");
  return list ? list : options_value(self->parsed, "--scheme");
}

static seam_status read_steps(study *self, const char *usual, double end, seam_error *error) {
  const char *text = options_value(self->parsed, "--macro-steps");
  if (text == NULL && usual == NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: macro steps are needed; give --macro-steps FROM:TO:COUNT, such as 1e-2:1e-4:5");
  return macro_steps_read(text ? text : usual, end, &self->found.steps, error);
}

static seam_status open_results(study *self, const char *name, seam_error *error) {
  const char *given = options_value(self->parsed, "-o");
  self->directory = given ? strdup(given) : output_path("results", name);
  if (self->directory)
    self->path = output_path(self->directory, "converge.csv");
  if (!self->path)
    return out_of_memory(error);
  const seam_status status = orders_allocate(&self->found, error);
  return status == SEAM_OK ? output_make_directory(self->directory, error) : status;
}

static seam_status close_results(study *self, seam_error *error) {
  const bool closed = self->file == NULL || fclose(self->file) == 0;
  return closed ? SEAM_OK : output_failed(self->path, error);
}

static void free_results(study *self) {
  orders_free(&self->found);
  free(self->directory);
  free(self->path);
}

/* Orders of the errors, and their picture. */
static seam_status conclude(const study *self, seam_error *error) {
  if (!self->quiet)
    orders_print(&self->found);
  const seam_status status = orders_write(&self->found, self->directory, error);
  return status == SEAM_OK ? orders_plot(&self->found, self->directory, error) : status;
}

/* ---- A mechanism ---- */

enum { n_mechanism_errors = 2 };
static const app_error_kind mechanism_errors[n_mechanism_errors] = {{"error_position", "position"},
                                                                    {"error_velocity", "velocity"}};

enum { N_RUNS = 2, N_FIRST_RUNS }; /* of a reference: plain, tight; the first is checked by another one */

static double macro_steps_of(const study *self, size_t step) { return self->monitor.end / self->found.steps.H[step]; }

static double workload_of(const study *self, size_t scheme, size_t step) {
  return workload_of_scheme(self->found.schemes.names[scheme], macro_steps_of(self, step), self->whole_steps);
}

/* Of all runs behind one of a scheme, in the order in which they are made. */
static double workload_behind(const study *self, size_t scheme, size_t step) {
  double work = 0;
  for (size_t k = step; k < self->found.steps.n; k++) {
    work += k > step ? workload_of_reference(macro_steps_of(self, k), self->whole_steps) : 0;
    for (size_t i = k > step ? 0 : scheme + 1; i < self->found.schemes.n; i++)
      work += workload_of(self, i, k);
  }
  return work;
}

/* What runs cost is known after the first reference. */
static void begin_reference(study *self, size_t step) {
  if (step == 0)
    monitor_phase(&self->monitor, "reference", N_FIRST_RUNS, NAN, NAN);
  else
    monitor_phase(&self->monitor, "reference", N_RUNS,
                  workload_of_reference(macro_steps_of(self, step), self->whole_steps),
                  workload_of(self, 0, step) + workload_behind(self, 0, step));
}

static seam_status run_scheme(study *self, const app_setup *setup, const seam_reference *reference, size_t i,
                              size_t step, seam_error *error) {
  const double H = self->found.steps.H[step];
  cosim_builder *builder = NULL;
  seam_comparison *run = NULL;
  seam_status status = schemes_use(&self->found.schemes, i, setup, &builder, error);
  monitor_phase(&self->monitor, self->found.schemes.names[i], 1, workload_of(self, i, step),
                workload_behind(self, i, step));
  if (status == SEAM_OK)
    status = seam_comparison_create(reference, builder, &self->monitor.interrupt, NULL, &run, error);
  progress_clear(&self->monitor.progress);
  if (status == SEAM_OK)
    status = comparisons_write(self->file, self->path, self->found.schemes.names[i], H, run, error);
  if (status == SEAM_OK && !self->quiet) {
    printf("%-*s  %-10.6g  ", self->found.schemes.width, self->found.schemes.names[i], H);
    comparisons_print(run, cosim_has_couplings(seam_model_cosim(setup->file), true));
    if (step + 1 == self->found.steps.n)
      comparisons_note(self->found.schemes.names[i], run);
  }
  const bool is_stable = run != NULL && run->outcome == SEAM_RUN_FINISHED && run->error_position <= 0.1;
  orders_errors(&self->found, i, 0)[step] = is_stable ? run->error_position : NAN;
  orders_errors(&self->found, i, 1)[step] = is_stable ? run->error_velocity : NAN;
  seam_comparison_destroy(run);
  cosim_builder_destroy(builder);
  return status;
}

/* Errors below what the reference is confirmed to say nothing of a macro step. */
static void take_floors(study *self, seam_agreement agreement) {
  const double floors[n_mechanism_errors] = {agreement.share, agreement.share};
  self->found.floor_is = "what the reference is confirmed to";
  self->found.floor_is_level = true;
  for (size_t j = 0; j < n_mechanism_errors; j++)
    for (size_t k = 0; k < self->found.steps.n; k++)
      orders_floors(&self->found, j)[k] = isfinite(floors[j]) ? floors[j] : 0;
}

/* All macro steps have the same motion as reference: what was confirmed once stays so. */
static seam_status check_reference(study *self, seam_reference *reference, const seam_interrupt *interrupt, size_t step,
                                   seam_error *error) {
  const bool was_refused = self->refusal.status != SEAM_OK;
  if (step > 0 && !was_refused)
    return SEAM_OK;
  seam_agreement agreement = {.share = NAN};
  const seam_status status = comparisons_check(reference, interrupt, &agreement, &self->refusal, error);
  take_floors(self, agreement);
  if (self->refusal.status != SEAM_OK && !was_refused)
    print_failure(&self->refusal);
  return status;
}

/* All schemes with one macro step, which share the reference. */
static seam_status run_step(study *self, const app_setup *setup, const app_setup *whole, size_t step,
                            seam_error *error) {
  const seam_simulation *simulation = seam_model_simulation(setup->file);
  seam_reference *reference = NULL;
  begin_reference(self, step);
  seam_status status =
      seam_reference_create(whole->model, whole->state, &simulation->integrator, self->found.steps.H[step], self->end,
                            &self->monitor.interrupt, &reference, error);
  if (status == SEAM_OK)
    status = check_reference(self, reference, &self->monitor.interrupt, step, error);
  if (step == 0)
    self->whole_steps = (double)self->monitor.steps / N_FIRST_RUNS;
  progress_clear(&self->monitor.progress);
  for (size_t i = 0; i < self->found.schemes.n && status == SEAM_OK; i++)
    status = run_scheme(self, setup, reference, i, step, error);
  seam_reference_destroy(reference);
  return status;
}

/* Each scheme against a run of its own with a shorter macro step. */
static seam_status run_own_step(study *self, const app_setup *setup, size_t step, seam_error *error) {
  const double H = self->found.steps.H[step];
  seam_status status = SEAM_OK;
  for (size_t i = 0; i < self->found.schemes.n && status == SEAM_OK; i++) {
    cosim_builder *builder = NULL;
    seam_reference *reference = NULL;
    status = schemes_use(&self->found.schemes, i, setup, &builder, error);
    monitor_phase(&self->monitor, self->found.schemes.names[i], 1, NAN, NAN);
    if (status == SEAM_OK)
      status = seam_reference_of_run(builder, setup->state, &seam_model_simulation(setup->file)->integrator, self->own,
                                     H, self->end, &self->monitor.interrupt, &reference, error);
    if (status == SEAM_OK)
      status = run_scheme(self, setup, reference, i, step, error);
    seam_reference_destroy(reference);
    cosim_builder_destroy(builder);
  }
  return status;
}

/* A file whose FMUs or couplings have no equations, and that names no other one that is the whole. */
static bool lacks_whole(const app_setup *setup, seam_error *why) {
  const mbs_model *whole = NULL;
  return seam_model_reference(setup->file) == NULL && mbs_n_bodies(setup->model) > 0 &&
         seam_model_whole(setup->file, &whole, why) != SEAM_OK;
}

/* An eighth of the shortest macro step, where errors of order 1 then come out an eighth too small. */
static void begin_own(study *self, const seam_error *why) {
  const double share = 1.0 / 8;
  self->own = INFINITY;
  for (size_t k = 0; k < self->found.steps.n; k++)
    self->own = fmin(self->own, share * self->found.steps.H[k]);
  if (!self->quiet)
    fprintf(stderr,
            "note: %s: errors are those against a run of the same scheme with a macro step of %.9g s; what all runs "
            "have wrong is not seen. Where the whole is another file, name it: cosim: {reference: FILE}\n",
            why->message, self->own);
}

static void name_mechanism(app_orders *orders, const seam_model_file *file) {
  label_add(&orders->heading, "Convergence of ");
  label_add(&orders->heading, seam_model_name(file));
  run_label_add_parameters_of(&orders->details, seam_model_json(file));
}

static seam_status prepare_mechanism(study *self, app_setup *setup, app_setup *whole, seam_error *error) {
  self->found.kinds = mechanism_errors;
  self->found.n_kinds = n_mechanism_errors;
  seam_status status = setup_read(self->parsed, setup, error);
  if (status != SEAM_OK)
    return status;
  setup->restarts = true;
  self->end = seam_model_simulation(setup->file)->end;
  if (isnan(self->end))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: the model gives no end time; add 'simulate: {end: ...}' or --end TIME");
  seam_error why = {0};
  status = setup_assemble(setup, error);
  const bool is_own = status == SEAM_OK && lacks_whole(setup, &why);
  if (status == SEAM_OK && !is_own)
    status = setup_whole_of(self->parsed, setup, whole, error);
  if (status == SEAM_OK && !is_own)
    status = stops_shorten(whole, self->quiet, &self->end, error);
  if (status == SEAM_OK)
    status = read_steps(self, NULL, self->end, error);
  if (status == SEAM_OK && is_own)
    begin_own(self, &why);
  schemes_note_control(setup, self->quiet);
  if (status == SEAM_OK)
    status = schemes_read(scheme_list(self), setup, self->quiet, &self->found.schemes, error);
  if (status == SEAM_OK) {
    name_mechanism(&self->found, setup->file);
    status = open_results(self, seam_model_name(setup->file), error);
  }
  return status == SEAM_OK ? comparisons_open(self->path, &self->file, error) : status;
}

static seam_status study_mechanism(study *self, seam_error *error) {
  app_setup setup = {0};
  app_setup whole = {0};
  seam_status status = prepare_mechanism(self, &setup, &whole, error);
  interrupt_catch();
  if (status == SEAM_OK && !self->quiet) {
    printf("%-*s  %-10s  ", self->found.schemes.width, "scheme", "macro step");
    comparisons_print_head(cosim_has_couplings(seam_model_cosim(setup.file), true));
  }
  if (status == SEAM_OK)
    monitor_start(&self->monitor, self->quiet, self->end);
  for (size_t step = 0; step < self->found.steps.n && status == SEAM_OK; step++)
    status = self->own > 0 ? run_own_step(self, &setup, step, error) : run_step(self, &setup, &whole, step, error);
  if (status == SEAM_OK)
    status = conclude(self, error);
  setup_free(&whole);
  setup_free(&setup);
  return status;
}

/* ---- The textbook models ---- */

enum { n_textbook_errors = 5 };
static const app_error_kind textbook_errors[n_textbook_errors] = {{"global_position", "global position"},
                                                                  {"global_velocity", "global velocity"},
                                                                  {"local_position", "local position"},
                                                                  {"local_velocity", "local velocity"},
                                                                  {"global_force", "global force"}};
static const char *const usual_steps = "1e-2:1.5625e-4:7";

/* Which model, and how it starts. */
typedef struct textbook {
  const char *name;
  bool at_constraint, exact_history;
} textbook;

static seam_status run_textbook(const textbook *book, const char *scheme, double H, seam_test_errors *errors,
                                seam_error *error) {
  return book->at_constraint ? seam_constraint_errors(scheme, book->exact_history, H, errors, error)
                             : seam_constitutive_errors(scheme, book->exact_history, H, errors, error);
}

static seam_status read_textbook(const study *self, textbook *book, seam_error *error) {
  const char *history = options_value(self->parsed, "--history");
  book->name = options_value(self->parsed, "--model");
  book->at_constraint = strcmp(book->name, "constraint") == 0;
  book->exact_history = history == NULL || strcmp(history, "exact") == 0;
  if (!book->at_constraint && strcmp(book->name, "constitutive") != 0)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: --model '%s' is neither constitutive nor constraint", book->name);
  if (!book->exact_history && strcmp(history, "raise") != 0)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: --history '%s' is neither exact nor raise", history);
  return SEAM_OK;
}

/* Each takes one long step, so that nothing is refused later. */
static seam_status read_textbook_schemes(study *self, const textbook *book, seam_error *error) {
  const char *list = scheme_list(self);
  seam_test_errors errors;
  if (list == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: a scheme is needed; write --scheme NAME, such as --scheme ff-k1");
  seam_status status = strcmp(list, "all") == 0 ? schemes_add_all(book->at_constraint, &self->found.schemes, error)
                                                : schemes_split(list, &self->found.schemes, error);
  for (size_t i = 0; i < self->found.schemes.n && status == SEAM_OK; i++)
    status = run_textbook(book, self->found.schemes.names[i], SEAM_TEST_MODEL_END, &errors, error);
  return status;
}

static void name_textbook(app_orders *orders, const textbook *book) {
  label_add(&orders->heading, "Convergence at the ");
  label_add(&orders->heading, book->name);
  label_add(&orders->heading, " test model");
  label_add(&orders->details, book->exact_history ? "exact history" : "order raised step by step");
}

static seam_status prepare_textbook(study *self, textbook *book, seam_error *error) {
  self->found.floor_is = "the rounding of double precision";
  self->found.kinds = textbook_errors;
  self->found.n_kinds = n_textbook_errors;
  seam_status status = read_textbook(self, book, error);
  if (status == SEAM_OK)
    status = read_textbook_schemes(self, book, error);
  if (status == SEAM_OK)
    status = read_steps(self, usual_steps, SEAM_TEST_MODEL_END, error);
  if (status == SEAM_OK) {
    name_textbook(&self->found, book);
    status = open_results(self, book->name, error);
  }
  return status == SEAM_OK ? output_open(self->path, &self->file, error) : status;
}

static void take_errors(study *self, size_t scheme, size_t step, const seam_test_errors *found) {
  const double errors[n_textbook_errors] = {found->global_position, found->global_velocity, found->local_position,
                                            found->local_velocity, found->global_force};
  csv_put_text(self->file, self->found.schemes.names[scheme]);
  comparisons_write_number(self->file, self->found.steps.H[step]);
  if (!self->quiet)
    printf("%-*s  %-10.6g", self->found.schemes.width, self->found.schemes.names[scheme], self->found.steps.H[step]);
  for (size_t j = 0; j < n_textbook_errors; j++) {
    orders_errors(&self->found, scheme, j)[step] = errors[j];
    orders_floors(&self->found, j)[step] = j == 2 || j == 3 ? found->local_rounding : found->global_rounding;
    comparisons_write_number(self->file, isfinite(errors[j]) ? errors[j] : NAN);
    if (!self->quiet)
      printf("  %-15.2e", errors[j]);
  }
  fputc('\n', self->file);
  if (!self->quiet)
    putchar('\n');
}

static seam_status study_textbook(study *self, seam_error *error) {
  textbook book;
  seam_status status = prepare_textbook(self, &book, error);
  if (status == SEAM_OK)
    fputs("scheme,macro_step,global_position,global_velocity,local_position,local_velocity,global_force\n", self->file);
  if (status == SEAM_OK && !self->quiet) {
    printf("%-*s  %-10s", self->found.schemes.width, "scheme", "macro step");
    for (size_t j = 0; j < n_textbook_errors; j++)
      printf("  %-15s", textbook_errors[j].title);
    putchar('\n');
  }
  app_progress bar = progress_start(self->quiet);
  progress_phase(&bar, NULL, 1, 0);
  for (size_t i = 0; i < self->found.schemes.n; i++)
    for (size_t step = 0; step < self->found.steps.n && status == SEAM_OK; step++) {
      seam_test_errors found;
      progress_count(&bar, (double)i / (double)self->found.schemes.n, i, "schemes");
      status = run_textbook(&book, self->found.schemes.names[i], self->found.steps.H[step], &found, error);
      progress_clear(&bar);
      if (status == SEAM_OK)
        take_errors(self, i, step, &found);
    }
  if (status == SEAM_OK)
    status = conclude(self, error);
  return status == SEAM_OK && fflush(self->file) != 0 ? output_failed(self->path, error) : status;
}

/* ---- The command ---- */

static int converge(const app_options *parsed) {
  const char *model = options_value(parsed, "--model");
  study self = {.parsed = parsed, .quiet = options_flag(parsed, "--quiet")};
  seam_error error = {0};
  seam_status status = SEAM_OK;
  if ((model != NULL) == (parsed->n_operands > 0))
    status = seam_fail(&error, SEAM_BAD_INPUT, "seam: give either MODEL or --model constitutive|constraint");
  else if (model && (options_flag(parsed, "--set") || options_flag(parsed, "--end")))
    status = seam_fail(&error, SEAM_BAD_INPUT, "seam: --set and --end are for a MODEL, not for --model");
  else
    status = model ? study_textbook(&self, &error) : study_mechanism(&self, &error);
  const seam_status closed = close_results(&self, status == SEAM_OK ? &error : NULL);
  if (status == SEAM_OK)
    status = closed;
  if (status == SEAM_OK)
    status = report_if_asked(parsed, self.directory, &error);
  if (status != SEAM_OK)
    print_failure(&error);
  free_results(&self);
  return seam_status_exit(status != SEAM_OK ? status : self.refusal.status);
}

static const app_option table[] = {
    OPTION_SCHEMES,
    {.name = "--scheme", .value = "NAME", .help = "the scheme, if it is one", .words = "@schemes"},
    {.name = "--macro-steps",
     .value = "FROM:TO:COUNT",
     .help = "s, in geometric progression, moved so that they divide the end"},
    {.name = "--history",
     .value = "KIND",
     .help = "exact, or raise: order raised step by step",
     .override_key = "cosim.history",
     .words = "exact raise"},
    {.name = "--model",
     .value = "NAME",
     .help = "instead of MODEL: one of the textbook models, constitutive or constraint",
     .words = "constitutive constraint"},
    OPTION_END,
    OPTION_DIRECTORY,
    OPTION_REPORT,
    OPTION_SET,
    OPTION_QUIET,
    OPTION_HELP,
    {0},
};

const app_command converge_command = {
    .name = "converge",
    .summary = "errors over the macro step, and their order",
    .operands = "MODEL | --model NAME",
    .details =
        "Runs a model whole and co-simulated under each scheme with each macro step, and prints errors and the order\n"
        "in which they fall: slopes by least squares over all macro steps that count ('of': so many) and over the\n"
        "three smallest of these ('fine'), each with the half width of its 95 % confidence interval (+-). Runs that\n"
        "failed, errors below what the reference is confirmed to, and those that fall no more do not count; fewer\n"
        "than three have no order. DIR/converge.csv has a row a run, as compare.csv, DIR/orders.csv the orders;\n"
        "converge.png, .svg, .pdf (gnuplot) show errors over the macro step. Errors of a MODEL are global ones.\n"
        "\n"
        "With --model: the two masses of the textbook against their exact solution; global errors, and local ones of\n"
        "single steps. Errors at the rounding of double precision do not count. Default: exact history,\n"
        "macro steps 1e-2 to 1e-2/64.\n"
        "\n"
        "  seam converge four_bar_bushing --schemes ff-k0,ff-k1 --macro-steps 4e-3:5e-4:4 --end 1\n"
        "  seam converge --model constitutive --scheme ff-i-k1",
    .options = table,
    .least_operands = 0,
    .max_operands = 1,
    .run = converge,
};
