/* `seam converge`: errors as functions of the macro step and their orders, for a mechanism or a textbook model. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/command.h"
#include "app/failure.h"
#include "app/interrupt.h"
#include "app/options.h"
#include "app/plots/plot.h"
#include "app/results/output.h"
#include "app/schemes.h"
#include "app/study.h"
#include "app/thresholds.h"
#include "base/then.h"

/* ---- Errors and orders ---- */

typedef struct error_kind {
  const char *column; /* name in converge.csv and orders.csv */
  const char *title;
} error_kind;

typedef struct converging {
  app_study study;
  double fine_step;       /* s, macro step of runs that are references; 0: the reference is monolithic */
  label heading, details; /* heading of the picture: model and parameters */
  app_macro_steps steps;
  const error_kind *kinds; /* (n_kinds) */
  size_t n_kinds;
  double *errors;            /* (n_schemes x n_kinds x n_steps) not finite: the run failed, or its error is too large */
  double *floors;            /* (n_kinds x n_steps) an error up to the floor does not count */
  const char *floor_meaning; /* meaning of the floor, in words */
  bool floor_is_constant;    /* the floor is the same for all macro steps, and is drawn as a line */
} converging;

/* Errors (n_steps) of a scheme and kind. */
static double *errors_of(const converging *self, size_t scheme, size_t kind) {
  return self->errors + (scheme * self->n_kinds + kind) * self->steps.n;
}

/* Floors (n_steps) of a kind. */
static double *floors_of(const converging *self, size_t kind) { return self->floors + kind * self->steps.n; }

static seam_orders find_orders(const converging *self, size_t scheme, size_t kind) {
  return seam_orders_fit(self->steps.H, errors_of(self, scheme, kind), floors_of(self, kind), self->steps.n);
}

static void print_order(const seam_order *order) {
  if (isnan(order->slope))
    printf("  %5s", "-");
  else
    printf("  %5.2f", order->slope);
  if (isnan(order->interval))
    printf(" %6s", "-");
  else
    printf(" %6.2g", order->interval);
}

/* Prints a line with macro steps that do not count for the order of a scheme. failed true: those with an error that is
 * not finite. failed false: those with an error up to the floor, or up to the plateau of seam_orders. If there are
 * none, prints nothing and returns false. */
static bool print_left_out(const converging *self, size_t scheme, size_t kind, bool failed) {
  const double *errors = errors_of(self, scheme, kind);
  const double *floors = floors_of(self, kind);
  const double plateau = find_orders(self, scheme, kind).plateau;
  double limit = 0; /* largest error that does not count, at the last of these steps */
  size_t n = 0;
  for (size_t i = 0; i < self->steps.n; i++) {
    if (failed ? isfinite(errors[i]) : !(errors[i] <= fmax(plateau, floors[i])))
      continue;
    if (n == 0)
      printf("left out of %s%s%s: H = ", self->study.schemes.names[scheme], failed ? "" : ", ",
             failed ? "" : self->kinds[kind].title);
    printf("%s%.4g", n++ > 0 ? ", " : "", self->steps.H[i]);
    limit = fmax(plateau, floors[i]);
  }
  if (n > 0 && failed)
    puts(" s (the run failed, or its error is above 0.1)");
  else if (n > 0)
    printf(" s (below %.1e)\n", limit);
  return n > 0;
}

/* Prints a line with the orders of each scheme, then the macro steps that do not count. */
static void print_orders(const converging *self) {
  const int width = self->study.schemes.width;
  bool any = false;
  printf("\n%-*s", width, "order");
  for (size_t j = 0; j < self->n_kinds; j++)
    printf("  %29s", self->kinds[j].title);
  printf("\n%-*s", width, "");
  for (size_t j = 0; j < self->n_kinds; j++)
    printf("  %5s %6s %2s  %5s %6s", "all", "+-", "of", "fine", "+-");
  putchar('\n');
  for (size_t i = 0; i < self->study.schemes.n; i++) {
    printf("%-*s", width, self->study.schemes.names[i]);
    for (size_t j = 0; j < self->n_kinds; j++) {
      const seam_orders orders = find_orders(self, i, j);
      print_order(&orders.all);
      printf(" %2zu", orders.all.n);
      print_order(&orders.fine);
    }
    putchar('\n');
  }
  for (size_t i = 0; i < self->study.schemes.n; i++) {
    print_left_out(self, i, 0, true);
    for (size_t j = 0; j < self->n_kinds; j++)
      any |= print_left_out(self, i, j, false);
  }
  if (any)
    printf("(below %s, or errors that fall no more)\n", self->floor_meaning);
}

static void write_order(FILE *file, const char *scheme, const char *error, const char *steps, const seam_order *order) {
  csv_write_text(file, scheme);
  fprintf(file, ",%s,%s,%zu", error, steps, order->n);
  comparisons_write_number(file, order->slope);
  comparisons_write_number(file, order->interval);
  fputc('\n', file);
}

/* Writes orders.csv. Each scheme and kind of error has two rows. `macro_steps` is "all" (all that count) or "fine" (the
 * three smallest of these). `count`: number of errors in the fit; `interval`: half width of the order's confidence
 * interval. Unknown numbers are empty. SEAM_NO_FILE. */
static seam_status write_orders(const converging *self, seam_error *error) {
  output_file out = {.path = NULL};
  TRY(output_begin(&out, self->study.directory, "orders.csv", error));
  fputs("scheme,error,macro_steps,count,order,interval\n", out.file);
  for (size_t i = 0; i < self->study.schemes.n * self->n_kinds; i++) {
    const size_t scheme = i / self->n_kinds;
    const size_t kind = i % self->n_kinds;
    const seam_orders orders = find_orders(self, scheme, kind);
    write_order(out.file, self->study.schemes.names[scheme], self->kinds[kind].column, "all", &orders.all);
    write_order(out.file, self->study.schemes.names[scheme], self->kinds[kind].column, "fine", &orders.fine);
  }
  return output_end(&out, SEAM_OK, error);
}

/* ---- The picture ---- */

enum { MAX_SLOPES = 3 }; /* largest number of triangles in a panel */
/* Larger errors, of runs that diverge, are not drawn: they would make all others look equal. */
static const double max_drawn_error = 10;
/* Left and right end of a triangle, as shares of the range of macro steps on its logarithmic axis. */
static const double triangle_from = 0.55, triangle_to = 0.8;
static const double triangle_gap = 2; /* error of the curve at the left end, divided by that of the triangle */

static bool is_drawn(double error) { return isfinite(error) && error > 0; }

/* Appends the title of a curve, as "ff-k1 2.00 (2.01), 3 of 5": the order over all macro steps that count, the order
 * over the fine ones, and how many count. */
static void name_curve(const converging *self, size_t scheme, size_t kind, label *title) {
  const seam_orders orders = find_orders(self, scheme, kind);
  label_add(title, self->study.schemes.names[scheme]);
  if (!isnan(orders.all.slope))
    label_print(title, "  %.2f", orders.all.slope);
  if (!isnan(orders.fine.slope))
    label_print(title, " (%.2f)", orders.fine.slope);
  if (orders.all.n < self->steps.n)
    label_print(title, ", %zu of %zu", orders.all.n, self->steps.n);
}

/* Interpolates the error at macro step H, linearly in logarithms. NaN: an error beside H is not drawn. */
static double error_at(const converging *self, const double *errors, double H) {
  for (size_t i = 0; i + 1 < self->steps.n; i++) {
    const double *steps = &self->steps.H[i];
    if ((H - steps[0]) * (H - steps[1]) <= 0 && is_drawn(errors[i]) && is_drawn(errors[i + 1]))
      return errors[i] * pow(errors[i + 1] / errors[i], log(H / steps[0]) / log(steps[1] / steps[0]));
  }
  return NAN;
}

static void add_triangle(plot *result, plot_panel *panel, const converging *self, size_t scheme, size_t kind,
                         int order) {
  const double *H = self->steps.H;
  const double ratio = H[0] / H[self->steps.n - 1];
  const double left = H[self->steps.n - 1] * pow(ratio, triangle_from);
  const double right = H[self->steps.n - 1] * pow(ratio, triangle_to);
  const double low = error_at(self, errors_of(self, scheme, kind), left) / triangle_gap;
  const double high = low * pow(right / left, order);
  if (!is_drawn(low) || high > max_drawn_error)
    return;
  plot_layer *layer = plot_add(result, panel, PLOT_SLOPE);
  plot_point(result, layer, left, low);
  plot_point(result, layer, right, low);
  plot_point(result, layer, right, high);
  plot_point(result, layer, left, low);
  label_add_number(&layer->title, order);
}

static void fill_panel(plot *result, plot_panel *panel, const converging *self, size_t kind) {
  label_add_enhanced(&panel->x.text, "{/:Italic H}");
  label_add_unit(&panel->x.text, "s");
  panel->x.is_log = panel->y.is_log = true;
  panel->cap = max_drawn_error;
  if (self->floor_is_constant)
    panel->level = floors_of(self, kind)[0];
  label_print(&panel->y.text, "error of the %s", self->kinds[kind].title);
  for (size_t scheme = 0; scheme < self->study.schemes.n; scheme++) {
    const double *errors = errors_of(self, scheme, kind);
    plot_layer *layer = NULL;
    for (size_t i = 0; i < self->steps.n; i++)
      if (is_drawn(errors[i])) {
        layer = layer != NULL ? layer : plot_add(result, panel, PLOT_MARKED);
        plot_point(result, layer, self->steps.H[i], errors[i]);
      }
    if (layer != NULL)
      name_curve(self, scheme, kind, &layer->title);
  }
  int shown[MAX_SLOPES] = {0}; /* orders that have a triangle already */
  int n = 0;
  for (size_t scheme = 0; scheme < self->study.schemes.n && n < MAX_SLOPES; scheme++) {
    const double slope = find_orders(self, scheme, kind).fine.slope;
    const int order = isfinite(slope) ? (int)lround(slope) : 0;
    bool is_new = order > 0 && fabs(slope - order) < 0.3;
    for (int i = 0; i < n; i++)
      is_new = is_new && shown[i] != order;
    if (!is_new)
      continue;
    shown[n++] = order;
    add_triangle(result, panel, self, scheme, kind, order);
  }
}

/* Writes converge.gp, from which gnuplot draws a panel for each kind of error, with a curve for each scheme. The legend
 * has the orders; triangles show the slopes of integer orders. Errors of plot_draw(). */
static seam_status draw_orders(const converging *self, seam_error *error) {
  plot result = {.what = "Errors over the macro step, with triangles of their orders.",
                 .title = {self->heading, self->details}};
  label_add(&result.title[2], "orders over all macro steps that count (over the three smallest of these)");
  plot_start(&result, self->n_kinds);
  for (size_t kind = 0; kind < result.n_panels; kind++)
    fill_panel(&result, &result.panels[kind], self, kind);
  const seam_status status = plot_draw(&result, self->study.directory, "converge", PLOT_ALL, error);
  plot_free(&result);
  return status;
}

/* ---- Preparation and results ---- */

static seam_status read_steps(converging *self, const char *usual, double end, seam_error *error) {
  const char *text = options_value(self->study.parsed, "--macro-steps");
  if (text == NULL && usual == NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: macro steps are needed; give --macro-steps FROM:TO:COUNT, such as 1e-2:1e-4:5");
  return macro_steps_read(text ? text : usual, end, &self->steps, error);
}

static seam_status open_results(converging *self, const char *name, const char *head, seam_error *error) {
  const size_t n = self->n_kinds * self->steps.n;
  self->errors = arena_allocate(&self->study.memory, self->study.schemes.n * n * sizeof *self->errors);
  self->floors = arena_allocate(&self->study.memory, n * sizeof *self->floors);
  TRY(check_memory(self->errors != NULL && self->floors != NULL, error));
  TRY(study_open(&self->study, name, "converge", error));
  return study_open_file(&self->study, 0, "converge.csv", head, error);
}

/* ---- A mechanism ---- */

static const error_kind mechanism_errors[] = {{"error_position", "position"}, {"error_velocity", "velocity"}};
/* A model without bodies has one error: the largest of a signal or state, divided by its range. */
static const error_kind signal_errors[] = {{"error", "signals"}};

static double workload_of(const converging *self, size_t scheme, size_t step) {
  return workload_of_scheme(self->study.schemes.names[scheme], self->study.end / self->steps.H[step],
                            self->study.monolithic_steps);
}

/* Predicts the work of all runs after this one. */
static double workload_after(const converging *self, size_t scheme, size_t step) {
  double work = 0;
  for (size_t k = step; k < self->steps.n; k++) {
    if (k > step)
      work += workload_of_reference(self->study.end / self->steps.H[k], self->study.monolithic_steps);
    for (size_t i = k > step ? 0 : scheme + 1; i < self->study.schemes.n; i++)
      work += workload_of(self, i, k);
  }
  return work;
}

static seam_status run_scheme(converging *self, const seam_reference *reference, const cosim_builder *builder, size_t i,
                              size_t step, seam_error *error) {
  app_study *study = &self->study;
  const char *name = study->schemes.names[i];
  const double H = self->steps.H[step];
  seam_comparison *run = NULL;
  seam_status status = seam_comparison_create(reference, builder, &study->monitor.interrupt, NULL, &run, error);
  progress_clear(&study->monitor.progress);
  if (status == SEAM_OK && !study->quiet) {
    printf("%-*s  %-10.6g  ", study->schemes.width, name, H);
    comparisons_print(run, cosim_has_couplings(seam_model_cosim(study->setup.file), true));
    if (step + 1 == self->steps.n)
      comparisons_note(name, run);
  }
  THEN(status, comparisons_write(&study->files[0], name, H, run, error));
  if (run != NULL) { /* NaN: the run failed, or its first error exceeds 0.1 */
    const bool has_bodies = self->kinds == mechanism_errors;
    const double first = has_bodies ? run->error_position : run->error.of_travel;
    const bool is_stable = run->outcome == SEAM_RUN_FINISHED && first <= 0.1;
    errors_of(self, i, 0)[step] = is_stable ? first : NAN;
    if (has_bodies)
      errors_of(self, i, 1)[step] = is_stable ? run->error_velocity : NAN;
  }
  seam_comparison_destroy(run);
  return status;
}

/* Makes the reference for macro step number `step`. All references have the same motion, at other macro points. A
 * second run checks each one, until one passes. The difference of these two runs is the floor: smaller errors do not
 * count. */
static seam_status make_reference(converging *self, size_t step, seam_reference **reference, seam_error *error) {
  app_study *study = &self->study;
  const double H = self->steps.H[step];
  const bool is_known = study->monolithic_steps > 0; /* the first reference counts them */
  const double work = is_known ? workload_of_reference(study->end / H, study->monolithic_steps) : NAN;
  const double later_work = is_known ? workload_of(self, 0, step) + workload_after(self, 0, step) : NAN;
  const bool is_checked = step == 0 || study->refusal.status != SEAM_OK;
  seam_agreement agreement = {.share = NAN};
  const seam_status status =
      study_make_reference(study, H, work, later_work, is_checked ? &agreement : NULL, reference, error);
  if (is_checked) {
    self->floor_meaning = "what the reference is confirmed to";
    self->floor_is_constant = true;
    for (size_t j = 0; j < self->n_kinds; j++)
      for (size_t k = 0; k < self->steps.n; k++)
        floors_of(self, j)[k] = isfinite(agreement.share) ? agreement.share : 0;
  }
  if (agreement.why[0] != '\0' && !study->quiet)
    fprintf(stderr, "note: %s\n", agreement.why);
  return status;
}

/* Runs all schemes with one macro step. The reference is monolithic or, for each scheme, its run with the macro step
 * self->fine_step. */
static seam_status run_step(converging *self, size_t step, seam_error *error) {
  app_study *study = &self->study;
  const bool uses_fine_runs = self->fine_step > 0;
  seam_reference *reference = NULL;
  seam_status status = uses_fine_runs ? SEAM_OK : make_reference(self, step, &reference, error);
  for (size_t i = 0; i < study->schemes.n && status == SEAM_OK; i++) {
    cosim_builder *builder = NULL;
    status = schemes_use(&study->schemes, i, &study->setup, false, &builder, error);
    monitor_phase(&study->monitor, study->schemes.names[i], 1, uses_fine_runs ? NAN : workload_of(self, i, step),
                  workload_after(self, i, step));
    if (status == SEAM_OK && uses_fine_runs) {
      seam_reference_destroy(reference);
      reference = NULL;
      status = seam_reference_of_run(builder, study->setup.state, &seam_model_simulation(study->setup.file)->integrator,
                                     self->fine_step, self->steps.H[step], study->end, &study->monitor.interrupt,
                                     &reference, error);
    }
    THEN(status, run_scheme(self, reference, builder, i, step, error));
    cosim_builder_destroy(builder);
  }
  seam_reference_destroy(reference);
  return status;
}

static seam_status prepare_mechanism(converging *self, seam_error *error) {
  app_study *study = &self->study;
  const app_setup *setup = &study->setup;
  const mbs_model *monolithic = NULL;
  seam_error why = {0};
  TRY(study_read(study, error));
  const bool has_bodies = mbs_n_bodies(setup->model) > 0;
  self->kinds = has_bodies ? mechanism_errors : signal_errors;
  self->n_kinds = has_bodies ? 2 : 1;
  /* Equations of FMUs and user parts are unknown: without a reference in the file there is no monolithic model. */
  const bool uses_fine_runs =
      seam_model_reference(setup->file) == NULL && seam_model_whole(setup->file, &monolithic, &why) != SEAM_OK;
  if (!uses_fine_runs)
    TRY(study_use_monolithic(study, error));
  TRY(read_steps(self, NULL, study->end, error));
  self->fine_step = uses_fine_runs ? INFINITY : 0;
  for (size_t k = 0; k < self->steps.n; k++) /* at order 1, H/8 makes errors at most an eighth too small */
    self->fine_step = fmin(self->fine_step, self->steps.H[k] / 8);
  if (uses_fine_runs && !study->quiet)
    fprintf(
        stderr,
        "note: %s; so the reference is a run of the same scheme with a macro step of %.9g s, which hides errors that "
        "all runs have in common; if another file has the undivided mechanism, add 'reference: FILE' under 'cosim'\n",
        why.message, self->fine_step);
  schemes_note_control(setup, study->quiet);
  TRY(schemes_read(schemes_given(study->parsed), setup, study->quiet, &study->schemes, error));
  label_print(&self->heading, "Convergence of %s", seam_model_name(setup->file));
  label_add_parameters(&self->details, seam_model_json(setup->file));
  return open_results(self, seam_model_name(setup->file), comparisons_head, error);
}

static seam_status study_mechanism(converging *self, seam_error *error) {
  app_study *study = &self->study;
  seam_status status = prepare_mechanism(self, error);
  interrupt_catch();
  if (status == SEAM_OK && !study->quiet) {
    const bool with_joints = cosim_has_couplings(seam_model_cosim(study->setup.file), true);
    comparisons_print_meaning(with_joints);
    printf("%-*s  %-10s  ", study->schemes.width, "scheme", "macro step");
    comparisons_print_head(with_joints);
  }
  monitor_start(&study->monitor, study->quiet, study->end);
  for (size_t step = 0; step < self->steps.n && status == SEAM_OK; step++)
    status = run_step(self, step, error);
  return status;
}

/* ---- The textbook models ---- */

static const error_kind textbook_errors[] = {{"global_position", "global position"},
                                             {"global_velocity", "global velocity"},
                                             {"local_position", "local position"},
                                             {"local_velocity", "local velocity"},
                                             {"global_force", "global force"}};
static const error_kind mbcorr_kinds[] = {{"global", "global"}, {"local", "local"}};
enum { MAX_TEXTBOOK_ERRORS = sizeof textbook_errors / sizeof *textbook_errors };

typedef struct textbook textbook;
struct textbook {
  const char *name;
  seam_status (*run)(const textbook *book, const char *scheme, double H, double *errors, double *floors,
                     seam_error *error);
  bool is_mbcorr, at_constraint, exact_history;
  const app_options *parsed;
  double end; /* s */
};

/* Reads each --set NAME=NUMBER into *values[i], where names[i] is NAME. SEAM_BAD_INPUT: `names` (n) lacks NAME. */
static seam_status read_parameters(const textbook *book, const char *const *names, size_t n, double *const *values,
                                   seam_error *error) {
  const char *text = NULL;
  for (size_t i = 0; (text = options_nth(book->parsed, "--set", i)) != NULL; i++) {
    char name[OPTIONS_MAX_NAME], list[160] = "";
    double number = 0;
    size_t k = 0;
    TRY(options_assignment("--set", text, name, &number, NULL, error));
    for (; k < n && strcmp(names[k], name) != 0; k++)
      snprintf(list + strlen(list), sizeof list - strlen(list), " %s", names[k]);
    if (k == n)
      return seam_fail(error, SEAM_BAD_INPUT, "seam: --set %s: the parameters of this model are%s", text, list);
    *values[k] = number;
  }
  return SEAM_OK;
}

static seam_status run_oscillators(const textbook *book, const char *scheme, double H, double *errors, double *floors,
                                   seam_error *error) {
  seam_oscillators model;
  seam_test_errors found;
  static const char *const names[] = {"m1", "c1", "d1", "m2", "c2", "d2", "cc", "dc", "x1", "v1", "x2", "v2"};
  double *const values[] = {&model.m1, &model.c1, &model.d1, &model.m2, &model.c2, &model.d2,
                            &model.cc, &model.dc, &model.x1, &model.v1, &model.x2, &model.v2};
  TRY(seam_oscillators_default(book->at_constraint, scheme, &model, error));
  model.end = book->end;
  TRY(read_parameters(book, names, sizeof names / sizeof *names, values, error));
  TRY(seam_oscillators_errors(&model, book->at_constraint, scheme, book->exact_history, H, &found, error));
  const double all[] = {found.global_position, found.global_velocity, found.local_position, found.local_velocity,
                        found.global_force};
  for (size_t i = 0; i < MAX_TEXTBOOK_ERRORS; i++) {
    errors[i] = all[i];
    floors[i] = i == 2 || i == 3 ? found.local_rounding : found.global_rounding;
  }
  return SEAM_OK;
}

static seam_status run_mbcorr(const textbook *book, const char *scheme, double H, double *errors, double *floors,
                              seam_error *error) {
  static const char *const names[] = {"ck", "dk"};
  seam_mbcorr_model model = {.stiffness = 2e5, .damping = 500, .macro_step = H};
  double *const values[] = {&model.stiffness, &model.damping};
  seam_mbcorr_nrmse found;
  TRY(read_parameters(book, names, 2, values, error));
  TRY(seam_mbcorr_errors(&model, scheme, &found, error));
  errors[0] = found.global;
  errors[1] = found.local;
  floors[0] = DBL_EPSILON * book->end / H;
  floors[1] = app_step_rounding;
  return SEAM_OK;
}

static seam_status read_textbook(const app_options *parsed, textbook *book, seam_error *error) {
  enum { CONSTITUTIVE, CONSTRAINT, MBCORR }; /* words of --model */
  size_t model = CONSTITUTIVE;
  size_t history = 0; /* 0: exact, 1: raise */
  TRY(options_word(parsed, "--model", &model, error));
  TRY(options_word(parsed, "--history", &history, error));
  book->parsed = parsed;
  book->name = options_value(parsed, "--model");
  book->is_mbcorr = model == MBCORR;
  book->at_constraint = model == CONSTRAINT;
  book->exact_history = history == 0;
  book->end = book->is_mbcorr ? SEAM_MBCORR_END : SEAM_TEST_MODEL_END;
  book->run = book->is_mbcorr ? run_mbcorr : run_oscillators;
  if (book->is_mbcorr && (options_flag(parsed, "--history") || options_flag(parsed, "--end")))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: mbcorr has an exact history and ends at %g s: leave out --history and --end",
                     SEAM_MBCORR_END);
  return options_number(parsed, "--end", DBL_MIN, DBL_MAX, &book->end, error);
}

/* Reads the test model and the schemes, and tries each scheme over one macro step, so that none is refused later. */
static seam_status prepare_textbook(converging *self, textbook *book, seam_error *error) {
  app_schemes *schemes = &self->study.schemes;
  const char *list = schemes_given(self->study.parsed);
  const bool is_all = list != NULL && strcmp(list, "all") == 0;
  double errors[MAX_TEXTBOOK_ERRORS], floors[MAX_TEXTBOOK_ERRORS];
  TRY(read_textbook(self->study.parsed, book, error));
  self->floor_meaning = "the rounding of double precision";
  self->kinds = book->is_mbcorr ? mbcorr_kinds : textbook_errors;
  self->n_kinds = book->is_mbcorr ? 2 : MAX_TEXTBOOK_ERRORS;
  if (list == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: a scheme is needed; write --scheme NAME, such as --scheme ff-k1");
  if (is_all && book->is_mbcorr)
    TRY(schemes_split("hold0,hold0-corrected,hold1,hold1-corrected,hold2,hold2-corrected,hold3,"
                      "hold3-corrected,hold4,hold4-corrected",
                      schemes, error));
  else
    TRY(is_all ? schemes_add_all(book->at_constraint, schemes, error) : schemes_split(list, schemes, error));
  for (size_t i = 0; i < schemes->n; i++)
    TRY(book->run(book, schemes->names[i], book->end, errors, floors, error));
  TRY(read_steps(self, book->is_mbcorr ? "1e-3:1e-5:7" : "1e-2:1.5625e-4:7", book->end, error));
  label_print(&self->heading, "Convergence at the %s test model", book->name);
  label_add(&self->details, book->exact_history ? "exact history" : "order raised step by step");
  return open_results(self, book->name,
                      book->is_mbcorr
                          ? "scheme,macro_step,global,local\n"
                          : "scheme,macro_step,global_position,global_velocity,local_position,local_velocity,"
                            "global_force\n",
                      error);
}

static void write_errors(converging *self, size_t scheme, size_t step, const double *errors, const double *floors) {
  const app_study *study = &self->study;
  FILE *file = study->files[0].file;
  csv_write_text(file, study->schemes.names[scheme]);
  comparisons_write_number(file, self->steps.H[step]);
  if (!study->quiet)
    printf("%-*s  %-10.6g", study->schemes.width, study->schemes.names[scheme], self->steps.H[step]);
  for (size_t j = 0; j < self->n_kinds; j++) {
    errors_of(self, scheme, j)[step] = errors[j];
    floors_of(self, j)[step] = floors[j];
    comparisons_write_number(file, isfinite(errors[j]) ? errors[j] : NAN);
    if (!study->quiet)
      printf("  %-15.2e", errors[j]);
  }
  fputc('\n', file);
  if (!study->quiet)
    putchar('\n');
}

static seam_status study_textbook(converging *self, seam_error *error) {
  const app_study *study = &self->study;
  textbook book;
  TRY(prepare_textbook(self, &book, error));
  if (!study->quiet) {
    printf("%-*s  %-10s", study->schemes.width, "scheme", "macro step");
    for (size_t j = 0; j < self->n_kinds; j++)
      printf("  %-15s", self->kinds[j].title);
    putchar('\n');
  }
  app_progress bar = progress_start(study->quiet);
  progress_phase(&bar, NULL, 1, 0);
  for (size_t i = 0; i < study->schemes.n; i++)
    for (size_t step = 0; step < self->steps.n; step++) {
      double errors[MAX_TEXTBOOK_ERRORS], floors[MAX_TEXTBOOK_ERRORS];
      progress_count(&bar, (double)i / (double)study->schemes.n, i, "schemes");
      const seam_status status = book.run(&book, study->schemes.names[i], self->steps.H[step], errors, floors, error);
      progress_clear(&bar);
      TRY(status);
      write_errors(self, i, step, errors, floors);
    }
  return SEAM_OK;
}

/* ---- The command ---- */

static int converge(const app_options *parsed, seam_error *error) {
  const char *model = options_value(parsed, "--model");
  converging self = {.study = study_begin(parsed)};
  seam_status status =
      (model != NULL) == (parsed->n_operands > 0)
          ? seam_fail(error, SEAM_BAD_INPUT, "seam: give either MODEL or --model constitutive|constraint|mbcorr")
          : options_word(parsed, "--as", NULL, error);
  THEN(status, model != NULL ? study_textbook(&self, error) : study_mechanism(&self, error));
  if (status == SEAM_OK && !self.study.quiet)
    print_orders(&self);
  THEN(status, write_orders(&self, error));
  THEN(status, draw_orders(&self, error));
  return study_end(&self.study, status, error);
}

static const app_option table[] = {
    OPTION_SCHEMES,
    {"--scheme", "NAME", .help = "the scheme, if it is one", .words = "@schemes"},
    {"--macro-steps", "FROM:TO:COUNT", .help = "s, in geometric progression, moved so that they divide the end"},
    {"--history", "KIND", .help = "exact, or raise: order raised step by step", .override_key = "cosim.history",
     .words = "exact raise"},
    {"--model", "NAME", .help = "instead of MODEL: a textbook model, constitutive, constraint or mbcorr",
     .words = "constitutive constraint mbcorr"},
    OPTION_END,
    OPTION_DIRECTORY,
    OPTION_AS,
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
        "macro steps 1e-2 to 1e-2/64. --set changes its parameters: m1, c1, d1, m2, c2, d2, cc, dc, x1, v1, x2, v2;\n"
        "of mbcorr ck and dk.\n"
        "\n"
        "  seam converge four_bar_bushing --schemes ff-k0,ff-k1 --macro-steps 4e-3:5e-4:4 --end 1\n"
        "  seam converge --model constitutive --scheme ff-i-k1",
    .options = table,
    .n_operands = {0, 1},
    .run = converge,
};
