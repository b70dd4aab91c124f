/* `seam stability model`: linearises a mechanism about a state, and finds the stable macro steps of each scheme.
 * Recommends a scheme and a macro step for a wanted error, and tries them on the motion of the model file. --along
 * finds limits of this motion itself, and limits with coefficients frozen at states along it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/equations.h>

#include "app/command.h"
#include "app/commands/stability_trials.h"
#include "app/failure.h"
#include "app/interrupt.h"
#include "app/operating_point.h"
#include "app/plots/plot.h"
#include "app/thresholds.h"
#include "base/number.h"
#include "base/then.h"

/* The study of the command, about one state or states along a motion. */
typedef struct stability_study {
  app_study base;
  double from, to;              /* range of macro steps, s */
  size_t n_samples;             /* number of macro steps studied in this range */
  double n_times;               /* number of states along the motion */
  double wanted;                /* largest error of a recommended scheme and macro step */
  const char *turning_joint;    /* first cut joint whose reaction rotates with its bodies; NULL: there is none */
  size_t n_studied, n_to_study; /* studies of a scheme about a state: done, and in all */
  plot picture;                 /* of the study about one state */
} stability_study;

static seam_status interrupted(seam_error *error) {
  return seam_fail(error, SEAM_INTERRUPTED, "seam: interrupted; what was printed is kept");
}

/* ---- The picture: spectral radius and error over the macro step ---- */

enum { RADIUS, ERROR, N_PANELS };
static const double max_radius = 2, max_error = 10; /* largest ρ and largest error that are shown */

static seam_status start_picture(stability_study *study, seam_error *error) {
  const seam_model_file *file = study->base.setup.file;
  plot *result = &study->picture;
  *result = (plot){.what = "Spectral radius and error over the macro step."};
  plot_start(result, N_PANELS);
  TRY(check_memory(!result->lacks_memory, error));
  plot_panel *radius = &result->panels[RADIUS];
  plot_panel *errors = &result->panels[ERROR];
  label_print(&result->title[0], "Stability of %s", seam_model_name(file));
  label_add_parameters(&result->title[1], seam_model_json(file));
  label_add_enhanced(&result->title[2], "small motions;  black lines: {/:Italic ρ} = 1 and the wanted error");
  label_add_enhanced(&radius->y.text, "{/:Italic ρ}");
  radius->level = 1;
  radius->cap = max_radius;
  label_add(&errors->y.text, "error over one period");
  errors->y.is_log = true;
  errors->level = study->wanted;
  errors->cap = max_error;
  label_add_enhanced(&radius->x.text, "{/:Italic H}");
  label_add_unit(&radius->x.text, "s");
  radius->x.is_log = radius->x.is_tight = true;
  errors->x = radius->x;
  return SEAM_OK;
}

/* Adds the curves of ρ, where it is finite, and of the error, where it is finite and positive. */
static void add_curves(plot *to, const char *scheme, const seam_scheme_point *points, const double *errors, size_t n) {
  plot_layer *radius = plot_add(to, &to->panels[RADIUS], PLOT_LINES);
  plot_layer *error = plot_add(to, &to->panels[ERROR], PLOT_LINES);
  label_add(&radius->title, scheme);
  label_add(&error->title, scheme);
  for (size_t i = 0; i < n; i++) {
    if (isfinite(points[i].rho))
      plot_point(to, radius, points[i].macro_step, points[i].rho);
    if (isfinite(errors[i]) && errors[i] > 0)
      plot_point(to, error, points[i].macro_step, errors[i]);
  }
}

/* A panel without points is left out. */
static bool is_empty(const plot_panel *panel) {
  size_t n = 0;
  for (const plot_layer *layer = panel->layers; layer != NULL; layer = layer->next)
    n += layer->n_rows;
  return n == 0;
}

static seam_status draw_picture(const stability_study *study, seam_error *error) {
  plot drawn = study->picture;
  if (is_empty(&drawn.panels[ERROR]))
    drawn.n_panels = ERROR;
  return is_empty(&drawn.panels[RADIUS]) ? SEAM_OK
                                         : plot_draw(&drawn, study->base.directory, "stability", PLOT_ALL, error);
}

/* ---- One scheme in one state ---- */

static void write_point(const stability_study *study, const char *scheme, const seam_scheme_point *point,
                        double error) {
  FILE *file = study->base.files[STABILITY_POINTS].file;
  shortest_print(file, study->base.setup.state->t);
  fputc(',', file);
  csv_write_text(file, scheme);
  comparisons_write_number(file, point->macro_step);
  comparisons_write_number(file, isfinite(point->rho) ? point->rho : NAN);
  fputc(',', file);
  if (isfinite(point->rho))
    fprintf(file, "%.3g", point->uncertainty);
  fprintf(file, ",%s,", seam_verdict_text(point->verdict));
  if (isfinite(error))
    fprintf(file, "%.9g", error);
  fputc('\n', file);
}

static const double trial_work = 4; /* estimated work of all trials, in studies of one scheme */

static bool show_progress(void *context, double macro_step) {
  (void)macro_step;
  stability_study *study = context;
  progress_count(&study->base.monitor.progress, (double)study->n_studied / ((double)study->n_to_study + trial_work),
                 study->n_studied, study->n_studied == 1 ? "scheme studied" : "schemes studied");
  return interrupt_poll();
}

static void write_limit(const stability_study *study, const char *kind, double time, size_t scheme, double from,
                        double to, bool has_undecided) {
  FILE *file = study->base.files[STABILITY_LIMITS].file;
  fputs(kind, file);
  comparisons_write_number(file, time);
  fputc(',', file);
  csv_write_text(file, study->base.schemes.names[scheme]);
  comparisons_write_number(file, from);
  comparisons_write_number(file, to);
  fprintf(file, ",%d\n", has_undecided);
}

static seam_status linearise(const stability_study *study, size_t number, seam_linearised **linear, seam_error *error) {
  cosim_builder *builder = NULL;
  seam_status status = schemes_use(&study->base.schemes, number, &study->base.setup, false, &builder, error);
  THEN(status, seam_linearised_create_of(study->base.setup.model, study->base.setup.state, builder, linear, error));
  cosim_builder_destroy(builder);
  return status;
}

static seam_status analyse(stability_study *study, size_t number, seam_scheme_study *found, seam_error *error) {
  const seam_interrupt interrupt = {.is_requested = show_progress, .context = study};
  const char *scheme = study->base.schemes.names[number];
  const size_t n = study->n_samples;
  seam_scheme_point *points = calloc(n, sizeof *points); /* (n) results, one for each macro step */
  double *errors = calloc(n, sizeof *errors);
  seam_linearised *linear = NULL;
  seam_status status =
      points != NULL && errors != NULL ? linearise(study, number, &linear, error) : out_of_memory(error);
  THEN(status, seam_linearised_study(linear, study->from, study->to, n, study->wanted, &interrupt, points, errors,
                                     found, error));
  /* errors are not predicted if bodies move or accelerate, or if a loaded cut joint's reaction turns with its bodies */
  const seam_advice advice =
      seam_recommend(study->base.setup.model, study->base.setup.state, study->turning_joint != NULL, NULL, 0).advice;
  if (status == SEAM_OK && (advice == SEAM_STATE_MOVES || advice == SEAM_DIRECTION_TURNS)) {
    found->macro_step = found->error = NAN;
    for (size_t i = 0; i < n; i++)
      errors[i] = NAN;
  }
  for (size_t i = 0; i < n && status == SEAM_OK; i++)
    write_point(study, scheme, &points[i], errors[i]);
  for (size_t k = 0; status == SEAM_OK && k < found->n_intervals; k++)
    write_limit(study, "state", study->base.setup.state->t, number, found->interval[k].from, found->interval[k].to,
                found->interval[k].has_undecided);
  if (status == SEAM_OK && study->picture.n_panels > 0)
    add_curves(&study->picture, scheme, points, errors, n);
  fflush(NULL); /* keeps these rows if a later study is interrupted */
  study->n_studied++;
  progress_clear(&study->base.monitor.progress);
  seam_linearised_destroy(linear);
  free(points);
  free(errors);
  return status == SEAM_INTERRUPTED ? interrupted(error) : status;
}

/* ---- Growth of the mechanism itself ---- */

static bool has_samples(const stability_study *study) {
  for (size_t i = 0; i < mbs_n_variables(study->base.setup.model); i++)
    if (mbs_variable_of(study->base.setup.model, i).sample > 0)
      return true;
  return false;
}

/* Finds the largest growth rate of motions of the mechanism itself, 1/s. 0: none grows, or the rate is unknown.
 * SEAM_NO_MEMORY. */
static seam_status find_growth(const stability_study *study, double *growth, seam_error *error) {
  const app_setup *setup = &study->base.setup;
  seam_equilibrium_stability found = {0}; /* growth 0 also if samples have several periods: it is then unknown */
  seam_modes *modes = NULL;
  seam_status status = SEAM_OK;
  if (has_samples(study))
    status = seam_equilibrium_stability_find(setup->model, setup->state, &found, error);
  else
    status = seam_modes_create(setup->model, setup->state, &modes, error);
  *growth = modes != NULL ? seam_modes_growth(modes) : found.growth;
  seam_modes_destroy(modes);
  return status == SEAM_NO_MEMORY ? status : SEAM_OK;
}

static void print_growth(double growth, const char *where) {
  if (growth > 0)
    printf("motions of the mechanism itself grow %s, at %.6g 1/s: a scheme is called stable if nothing grows faster\n",
           where, growth);
}

/* ---- All schemes in one state ---- */

/* Returns the stability limit, s: no macro step of the range up to it is unstable. 0: the smallest is not stable. */
static double limit_of(const stability_study *study, const seam_scheme_study *found) {
  return found->n_intervals > 0 && found->interval[0].from <= study->from ? found->interval[0].to : 0;
}

/* Prints a scheme with its intervals of stable macro steps, without limits that are ends of the range. Returns true if
 * points of an interval are undecided. */
static bool print_scheme(const stability_study *study, size_t number, const seam_scheme_study *found) {
  bool has_undecided = false;
  printf("%-*s  ", study->base.schemes.width, study->base.schemes.names[number]);
  if (isnan(found->macro_step))
    printf("%12s  %10s  ", "-", "-");
  else
    printf("%12.4g  %10.2e  ", found->macro_step, found->error);
  if (found->n_intervals == 0)
    fputs("none", stdout);
  for (size_t i = 0; i < found->n_intervals; i++) {
    const seam_stable_interval *interval = &found->interval[i];
    const bool has_start = interval->from <= study->from;
    const bool has_end = interval->to >= study->to * (1 - app_range_tolerance);
    fputs(i > 0 ? ", " : "", stdout);
    if (has_start && has_end)
      fputs("all", stdout);
    else if (has_start)
      printf("up to %.4g", interval->to);
    else if (has_end)
      printf("from %.4g", interval->from);
    else
      printf("%.4g to %.4g", interval->from, interval->to);
    fputs(interval->has_undecided ? " (partly undecided)" : "", stdout);
    has_undecided |= interval->has_undecided;
  }
  putchar('\n');
  return has_undecided;
}

static void write_advice(const stability_study *study, size_t scheme, const seam_scheme_study *predicted,
                         const seam_trial *tried) {
  FILE *file = study->base.files[STABILITY_ADVICE].file;
  const bool was_tried = tried != NULL && !tried->rests;
  csv_write_text(file, study->base.schemes.names[scheme]);
  comparisons_write_number(file, predicted->macro_step);
  comparisons_write_number(file, study->turning_joint == NULL ? predicted->error : NAN);
  comparisons_write_number(file, was_tried ? tried->macro_step : NAN);
  comparisons_write_number(file, was_tried ? tried->error : NAN);
  comparisons_write_number(file, was_tried ? tried->end : NAN);
  fprintf(file, ",%s\n",
          tried == NULL              ? "not tried"
          : tried->rests             ? "nothing moves"
          : isnan(tried->macro_step) ? "not kept"
          : tried->n_runs == 1       ? "kept"
                                     : "shortened");
}

/* Prints how far the start of the file's own motion is from the studied state. */
static seam_status print_distance(const app_setup *setup, seam_error *error) {
  mbs_state *start = NULL;
  double rotation = 0;
  double displacement = 0;
  const seam_status status = stability_trial_start(setup, &start, error);
  for (size_t i = 0; status == SEAM_OK && i < mbs_n_bodies(setup->model); i++) {
    const double *a = start->q + 3 * i;
    const double *b = setup->state->q + 3 * i;
    displacement = fmax(displacement, hypot(a[0] - b[0], a[1] - b[1]));
    rotation = fmax(rotation, fabs(a[2] - b[2]));
  }
  mbs_state_destroy(start);
  if (status == SEAM_OK)
    printf(" (it starts %.3g m and %.3g rad from this state)", displacement, rotation);
  return status;
}

/* Prints the result of a trial with the macro step `predicted`, and a command that repeats the run. */
static void print_trial(const stability_study *study, const char *scheme, double predicted, const seam_trial *found) {
  const char *quote = strpbrk(scheme, "(,") ? "\"" : "";
  const bool is_confirmed = found->n_runs == 1 && !isnan(found->macro_step);
  if (found->rests) {
    puts(", nothing moves: the recommendation could not be tried");
    return;
  }
  fputs(is_confirmed ? ":" : ": not ", stdout);
  if (!is_confirmed && *found->why == '\0')
    printf("H = %.4g s (its position error is %.3g)", predicted, found->first_error);
  else if (!is_confirmed)
    printf("H = %.4g s (%s)", predicted, found->why);
  if (isnan(found->macro_step)) {
    printf(", nor any of %zu macro steps down to %.2g s\n", found->n_runs, found->last);
    return;
  }
  printf("%s H = %.4g s, with a position error of %.3g\n", is_confirmed ? "" : ", but", found->macro_step,
         found->error);
  printf("confirm with 'seam compare %s", study->base.parsed->operands[0]);
  if (!study->base.schemes.from_file)
    printf(" --schemes %s%s%s", quote, scheme, quote);
  printf(" --macro-step %.4g", found->macro_step);
  if (found->end < seam_model_simulation(study->base.setup.file)->end)
    printf(" --end %.4g", found->end);
  options_print_overrides(study->base.parsed);
  puts("'");
}

/* Prints the predicted scheme and macro step, and tries them on the file's own motion. *has_failed: no macro step gave
 * the wanted error there. */
static seam_status recommend(stability_study *study, size_t number, const seam_scheme_study *found, bool *has_failed,
                             seam_error *error) {
  const char *scheme = study->base.schemes.names[number];
  const seam_trial_def def = {.macro_step = found->macro_step, .wanted = study->wanted};
  seam_trial trial;
  seam_error cause = {0};
  if (study->turning_joint == NULL)
    printf("small motions about this state, one period: %s with H = %.4g s keeps the error below %g\n", scheme,
           found->macro_step, study->wanted);
  else
    printf("errors cannot be predicted, because '%s' turns under load: %s is tried with H = %.4g s, at which this "
           "scheme is stable\n",
           study->turning_joint, scheme, found->macro_step);
  TRY(stability_trial_run(&study->base, number, def, &trial, &cause, error));
  const bool was_tried = cause.status == SEAM_OK;
  write_advice(study, number, found, was_tried ? &trial : NULL);
  *has_failed = was_tried && !trial.rests && isnan(trial.macro_step);
  printf("%son the file's own motion", was_tried ? "" : "not tried ");
  if (was_tried)
    printf(", 0 to %.4g s", trial.end);
  TRY(print_distance(&study->base.setup, error));
  if (was_tried)
    print_trial(study, scheme, found->macro_step, &trial);
  else
    printf(": %s\n", cause.message);
  return SEAM_OK;
}

/* Finds the longest period of the modes of the present state, s; 0: there is none. oscillates false: a mode that
 * neither oscillates nor is neutral counts too, with the period 1/|λ|; λ is its eigenvalue. Errors of
 * seam_modes_create(). */
static seam_status find_slowest(const stability_study *study, bool oscillates, double *slowest, seam_error *error) {
  seam_modes *modes = NULL;
  const seam_status status = seam_modes_create(study->base.setup.model, study->base.setup.state, &modes, error);
  *slowest = 0;
  for (size_t k = 0; status == SEAM_OK && k < modes->n; k++) {
    const seam_mode *mode = &modes->mode[k];
    if (mode->s[1] > 0 || !(mode->neutral || oscillates))
      *slowest = fmax(*slowest, mode->s[1] > 0 ? 2 * acos(-1) / mode->s[1] : 1 / fabs(mode->s[0]));
  }
  seam_modes_destroy(modes);
  return status;
}

static seam_recommendation best_of(const stability_study *study, const seam_scheme_study *studies) {
  return seam_recommend(study->base.setup.model, study->base.setup.state, study->turning_joint != NULL, studies,
                        study->base.schemes.n);
}

/* ---- Cut joints whose reactions rotate with their bodies ---- */

/* Ranks schemes by their errors at cut joints with long macro steps (docs/choosing.md, At a joint); 0: least error. */
static size_t rank_at_joints(const char *scheme) {
  enum { ANY_ORDER = -1 };
  static const struct {
    const char *method;
    int order;
  } by_error[] = {{"colloc", 3}, {"colloc", 4}, {"colloc", 2}, {"colloc", 5}, {"index1", 2},
                  {"index2", 2}, {"index1", 1}, {"index2", 1}, {"colloc", 1}, {"baumgarte", ANY_ORDER}};
  const size_t n = sizeof by_error / sizeof *by_error;
  seam_scheme_words words;
  size_t rank = 0;
  if (seam_scheme_read(scheme, &words, NULL) != SEAM_OK)
    return n;
  while (rank < n && (strcmp(words.method, by_error[rank].method) != 0 ||
                      (by_error[rank].order != ANY_ORDER && words.order != by_error[rank].order)))
    rank++;
  return rank;
}

/* Tries at most three schemes on the file's own motion, until one keeps the wanted error. Begins with the best one by
 * predicted errors or, if at_joints, by rank_at_joints(). */
static seam_status try_schemes(stability_study *study, seam_scheme_study *studies, bool at_joints, seam_error *error) {
  enum { MAX_TRIED = 3 };
  char **names = study->base.schemes.names;
  const size_t n = study->base.schemes.n;
  bool has_failed = true;
  for (int tried = 0; tried < MAX_TRIED && has_failed; tried++) {
    const seam_recommendation predicted = best_of(study, studies);
    size_t best = !at_joints && predicted.advice == SEAM_TAKE_SCHEME ? predicted.scheme : SEAM_NONE;
    for (size_t i = 0; i < n && at_joints; i++)
      if (studies[i].macro_step > 0 && (best == SEAM_NONE || rank_at_joints(names[i]) < rank_at_joints(names[best])))
        best = i;
    if (best == SEAM_NONE)
      break;
    TRY(recommend(study, best, &studies[best], &has_failed, error));
    studies[best].macro_step = NAN;
  }
  return SEAM_OK;
}

/* Tries schemes without predicted errors, each at its stability limit. A macro step is at most a share of the slowest
 * period and of the run. */
static seam_status try_at_joints(stability_study *study, seam_scheme_study *studies, seam_error *error) {
  const double share = 0.1; /* longest macro step, divided by the period or the run */
  const double end = seam_model_simulation(study->base.setup.file)->end;
  double slowest = 0;
  TRY(find_slowest(study, true, &slowest, error));
  const double longest = share * (slowest > 0 ? fmin(slowest, end) : end);
  for (size_t i = 0; i < study->base.schemes.n; i++) {
    const double limit = limit_of(study, &studies[i]);
    studies[i].macro_step = limit > 0 ? fmin(limit, longest) : NAN;
  }
  return try_schemes(study, studies, true, error);
}

/* Prints why there are no predicted errors and thus no recommendation. */
static seam_status print_reason(const stability_study *study, seam_error *error) {
  const app_setup *setup = &study->base.setup;
  const cosim_definition *of = cosim_builder_definition(seam_model_cosim(setup->file));
  double slowest = 0;
  if (has_samples(study)) {
    puts("no recommendation: errors are predicted for continuous time only, but the model has sampled equations");
    return SEAM_OK;
  }
  if (of->n_energy_corrections + of->n_balance_corrections > 0 || of->model_based != NULL) {
    puts("no recommendation: errors cannot be predicted for schemes with 'corrections': look at stable macro steps "
         "only, and compare runs ('seam converge')");
    return SEAM_OK;
  }
  for (size_t s = 0; s < of->n_subsystems; s++)
    if (of->subsystems[s].user != NULL && setup->model == seam_model_mechanism(setup->file)) {
      printf("no recommendation: the motion of subsystem '%s' is not known, because its equations are not in the "
             "undivided model\n",
             of->subsystems[s].name);
      return SEAM_OK;
    }
  if (mbs_n_bodies(setup->model) == 0) {
    puts("no recommendation: errors are predicted for motions of bodies, but the model has none: look at stable macro "
         "steps only, and compare runs ('seam converge')");
    return SEAM_OK;
  }
  TRY(find_slowest(study, false, &slowest, error));
  const double shortest = app_min_predicted_step * slowest;
  if (slowest == 0)
    puts("no recommendation: no force resists small motions, and errors have no size to be compared with;\na motion "
         "with speed may be unstable where small motions are stable: try --along");
  else if (study->from > slowest || study->to < shortest)
    printf("no recommendation: errors are predicted over a period of the slowest motion, %.4g s, with macro steps from "
           "%.4g s to this period: give some of these macro steps\n",
           slowest, shortest);
  else
    puts("no recommendation: the motion of a subsystem that is given by matrices ('linear') or has integrals is not "
         "known between macro points");
  return SEAM_OK;
}

static seam_status print_advice(stability_study *study, seam_scheme_study *studies, seam_error *error) {
  switch (best_of(study, studies).advice) {
  case SEAM_TAKE_SCHEME:
    return try_schemes(study, studies, false, error);
  case SEAM_STATE_MOVES:
    puts("no recommendation: the state moves or accelerates, and errors are predicted for small motions about an "
         "equilibrium");
    puts("these limits are for frozen coefficients; the motion itself may need much shorter macro steps: try --along");
    break;
  case SEAM_DIRECTION_TURNS:
    if (!isnan(seam_model_simulation(study->base.setup.file)->end))
      return try_at_joints(study, studies, error);
    printf("no recommendation: errors at '%s' cannot be predicted, because this joint turns under load and the "
           "linearisation leaves that out; with 'simulate: {end: ...}' schemes are tried on the motion\n",
           study->turning_joint);
    break;
  case SEAM_NONE_STABLE:
    puts("no scheme is stable with any of these macro steps");
    break;
  case SEAM_NO_PREDICTION:
    return print_reason(study, error);
  case SEAM_NONE_ACCURATE:
    printf("no scheme reaches an error of %g with these macro steps: look at smaller ones\n", study->wanted);
    break;
  }
  return SEAM_OK;
}

/* Notes signals of order 0, which are constant between macro points: the study neglects their delay. */
static void note_signals(const stability_study *study) {
  const cosim_definition *of = cosim_builder_definition(seam_model_cosim(study->base.setup.file));
  const char *example = NULL;
  for (size_t i = 0; i < of->n_signals && example == NULL; i++)
    if (of->signals[i].order == 0 && of->signals[i].rate == NULL)
      example = of->signals[i].to;
  for (size_t i = 0; i < of->n_subsystems && example == NULL; i++)
    if (of->subsystems[i].n_equations > 0 && of->subsystems[i].signal_order == 0)
      example = of->subsystems[i].name;
  if (example != NULL)
    printf("signals of order 0, such as to '%s', lag by up to a macro step unless they are sampled, and stability does "
           "not show this: 'seam run --cosim' prints their error and a better order\n",
           example);
}

static seam_status study_state(stability_study *study, seam_error *error) {
  const size_t n = study->base.schemes.n;
  seam_scheme_study *studies = arena_allocate(&study->base.memory, (n + 1) * sizeof *studies);
  double *limits = arena_allocate(&study->base.memory, (n + 1) * sizeof *limits);
  bool has_undecided = false;
  TRY(check_memory(studies != NULL && limits != NULL, error));
  TRY(start_picture(study, error));
  printf("%-*s  %12s  %10s  stable macro steps [s], of %.4g to %.4g\n", study->base.schemes.width, "scheme", "H [s]",
         "error", study->from, study->to);
  for (size_t i = 0; i < n; i++) {
    TRY(analyse(study, i, &studies[i], error));
    has_undecided |= print_scheme(study, i, &studies[i]);
  }
  TRY(draw_picture(study, error));
  if (has_undecided)
    puts("(partly undecided): at some of these macro steps rho is so near 1 that rounding hides which side it is on");
  TRY(print_advice(study, studies, error));
  for (size_t i = 0; i < n; i++)
    limits[i] = limit_of(study, &studies[i]);
  TRY(stability_verify(&study->base, limits, study->to, error));
  note_signals(study);
  return SEAM_OK;
}

/* ---- Along the motion ---- */

/* Stability limits of the macro step of each scheme, s; 0: the smallest macro step is not stable. */
typedef struct limits {
  size_t n;
  double *time;        /* (n) times of the states, s */
  double *frozen;      /* (n x n_schemes) with coefficients frozen at each state */
  double *least;       /* (n_schemes) the smallest of the frozen limits */
  double *motion;      /* (n_schemes) found by runs of the motion itself */
  double growth, when; /* 1/s, largest growth rate of the mechanism itself; s, its time */
} limits;

static int column_width(const stability_study *study) {
  return study->base.schemes.width > 10 ? study->base.schemes.width : 10;
}

static void print_row(const stability_study *study, const double *row) {
  for (size_t i = 0; i < study->base.schemes.n; i++) {
    const int width = column_width(study);
    if (row[i] == 0)
      printf("  %*s", width, "none");
    else
      printf("  %s%*.4g", row[i] >= study->to * (1 - app_range_tolerance) ? ">" : " ", width - 1, row[i]);
  }
  putchar('\n');
}

/* Prints the limits of all schemes, and writes each as a row of limits.csv. */
static void print_limits(const stability_study *study, const char *kind, const double *row) {
  printf("%10s", kind);
  print_row(study, row);
  for (size_t i = 0; i < study->base.schemes.n; i++)
    write_limit(study, kind, NAN, i, NAN, row[i] > 0 ? row[i] : NAN, false);
}

static seam_status find_frozen_limits(stability_study *study, limits *found, mbs_integrator *integrator,
                                      seam_error *error) {
  mbs_state *state = study->base.setup.state;
  const double end = seam_model_simulation(study->base.setup.file)->end;
  const size_t n_times = (size_t)study->n_times;
  const size_t n = study->base.schemes.n;
  TRY(mbs_integrator_start(integrator, state, error));
  mbs_integrator_set_stop(integrator, end);
  mbs_integrator_set_interrupt(integrator, interrupt_requested, NULL);
  for (size_t k = 0; k < n_times; k++) {
    double *row = found->frozen + found->n * n;
    double growth = 0;
    const seam_status status =
        mbs_integrator_advance(integrator, n_times > 1 ? end * (double)k / (double)(n_times - 1) : 0, state, error);
    TRY(status == SEAM_INTERRUPTED ? interrupted(error) : status);
    TRY(find_growth(study, &growth, error));
    if (growth > found->growth) {
      found->growth = growth;
      found->when = state->t;
    }
    for (size_t i = 0; i < n; i++) {
      seam_scheme_study one;
      TRY(analyse(study, i, &one, error));
      row[i] = limit_of(study, &one);
    }
    for (size_t i = 0; i < n; i++)
      found->least[i] = fmin(found->least[i], row[i]);
    found->time[found->n++] = state->t;
  }
  return SEAM_OK;
}

/* Finds by co-simulated runs the macro step up to which each scheme is stable along the motion itself. The search
 * begins at the smallest frozen limit or, if that is 0, at the largest macro step of the study. *first: why the first
 * scheme that failed could not be tried. */
static seam_status try_motion(stability_study *study, limits *found, seam_error *first, seam_error *error) {
  static const double stable = 1; /* wanted error: a smaller one counts as stable */
  for (size_t i = 0; i < study->base.schemes.n; i++) {
    const seam_trial_def def = {
        .macro_step = found->least[i] > 0 ? found->least[i] : study->to, .wanted = stable, .ratio = app_limit_ratio};
    seam_trial trial = {.macro_step = NAN};
    seam_error cause = {0};
    TRY(stability_trial_run(&study->base, i, def, &trial, &cause, error));
    if (first->status == SEAM_OK)
      *first = cause;
    found->motion[i] = trial.macro_step > 0 ? trial.macro_step : 0;
  }
  return SEAM_OK;
}

/* Prints limits of the motion first: only they include the effect of its velocity. */
static seam_status study_motion(stability_study *study, seam_error *error) {
  const app_setup *setup = &study->base.setup;
  const size_t n = study->base.schemes.n;
  const size_t n_times = (size_t)study->n_times;
  limits found = {.time = arena_allocate(&study->base.memory, ((n_times + 2) * n + n_times + 1) * sizeof *found.time)};
  seam_error cause = {0};
  char where[64];
  mbs_integrator *integrator = NULL;
  TRY(check_memory(found.time != NULL, error));
  found.least = found.time + n_times;
  found.motion = found.least + n;
  found.frozen = found.motion + n;
  for (size_t i = 0; i < n; i++)
    found.least[i] = INFINITY;
  seam_status status =
      mbs_integrator_create(setup->model, &seam_model_simulation(setup->file)->integrator, &integrator, error);
  THEN(status, find_frozen_limits(study, &found, integrator, error));
  mbs_integrator_destroy(integrator);
  THEN(status, try_motion(study, &found, &cause, error));
  printf("largest stable macro steps [s] along the motion%s\n%10s",
         mbs_n_contact_states(setup->model) > 0 ? ": contacts and strands are frozen too" : "", "time [s]");
  for (size_t i = 0; i < n; i++)
    printf("  %*s", column_width(study), study->base.schemes.names[i]);
  putchar('\n');
  if (status == SEAM_OK) {
    print_limits(study, "motion", found.motion);
    puts("(tried, from the least below on: up to it the file's own motion stays bounded, with an error below its size, "
         "over\n"
         "at most 10000 macro steps; below: coefficients are frozen at each time, which holds for small motions near "
         "rest)");
    if (cause.status != SEAM_OK)
      printf("not tried: %s\n", cause.message);
  }
  for (size_t k = 0; k < found.n; k++) {
    printf("%10.4g", found.time[k]);
    print_row(study, found.frozen + k * n);
  }
  if (found.n > 0) {
    print_limits(study, "least", found.least);
    snprintf(where, sizeof where, "on the way, most of all at t = %.4g s", found.when);
    print_growth(found.growth, where);
  }
  TRY(status);
  return stability_verify(&study->base, found.least, study->to, error);
}

/* ---- The command ---- */

enum { MAX_SAMPLES = 1000, MAX_TIMES = 1000 };

static seam_status read_range(stability_study *study, seam_error *error) {
  const char *text = options_value(study->base.parsed, "--macro-steps");
  const double usual = cosim_builder_definition(seam_model_cosim(study->base.setup.file))->options.macro_step;
  const char *tail = "";
  study->from = usual / 10;
  study->to = usual * 100;
  study->n_samples = 61;
  if (text != NULL)
    tail = range_read(text, &study->from, &study->to, &study->n_samples);
  if (tail != NULL && *tail == '\0' && study->from > 0 && study->to > study->from && isfinite(study->to) &&
      study->to / study->from <= app_max_step_ratio && study->n_samples >= 2 && study->n_samples <= MAX_SAMPLES)
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT,
                   "seam: --macro-steps '%s' is not FROM:TO:COUNT, two times with 0 < FROM < TO <= %g FROM and a "
                   "number from 2 to %d, such as 1e-4:1e-1:61",
                   text != NULL ? text : "", app_max_step_ratio, MAX_SAMPLES);
}

/* Finds study->turning_joint. Without --schemes also sets the printed name: that of the only scheme in the file, or "as
 * in the file" for several. */
static seam_status read_couplings(stability_study *study, seam_error *error) {
  const app_setup *setup = &study->base.setup;
  app_schemes *schemes = &study->base.schemes;
  cosim_builder *builder = NULL;
  cosim_simulation *simulation = NULL;
  const char *name = NULL;
  seam_status status = schemes_use(schemes, 0, setup, false, &builder, error);
  THEN(status, setup_cut(setup, builder, &simulation, error));
  for (size_t k = 0; status == SEAM_OK && k < cosim_n_couplings(simulation); k++) {
    const cosim_coupling_info coupling = cosim_coupling_of(simulation, k);
    if (coupling.is_joint && !mbs_joint_of(setup->model, coupling.element).is_affine && study->turning_joint == NULL)
      study->turning_joint = mbs_joint_of(setup->model, coupling.element).name;
    name = name == NULL || strcmp(name, coupling.scheme) == 0 ? coupling.scheme : "as in the file";
  }
  if (status == SEAM_OK && schemes->from_file) {
    char *copy = strdup(name != NULL ? name : "as in the file");
    if (copy != NULL) {
      free(schemes->names[0]);
      schemes->names[0] = copy;
      schemes->width = (int)strlen(copy) > schemes->width ? (int)strlen(copy) : schemes->width;
    } else
      status = out_of_memory(error);
  }
  cosim_destroy(simulation);
  cosim_builder_destroy(builder);
  return status;
}

/* Fails if the co-simulation cannot be linearised, before anything is computed or printed. With --schemes, schemes of
 * single couplings are not checked: they are replaced. */
static seam_status check_linearisable(const stability_study *study, seam_error *error) {
  const seam_model_file *file = study->base.setup.file;
  cosim_builder *builder = NULL;
  if (seam_model_cosim(file) == NULL)
    return SEAM_OK; /* schemes_read() reports this */
  TRY(cosim_builder_copy(seam_model_cosim(file), &builder, error));
  if (options_value(study->base.parsed, "--schemes") != NULL)
    cosim_clear_couplings(builder);
  seam_status status = seam_linearised_check(builder, error);
  cosim_builder_destroy(builder);
  if (status != SEAM_OK)
    seam_model_place(file, error);
  return status;
}

static seam_status prepare(stability_study *study, bool along, seam_error *error) {
  static const char *const files[][2] = {
      [STABILITY_POINTS] = {"stability.csv", "time,scheme,macro_step,rho,uncertainty,verdict,error\n"},
      [STABILITY_LIMITS] = {"limits.csv", "kind,time,scheme,from,to,undecided\n"},
      [STABILITY_ADVICE] = {"recommendation.csv", "scheme,macro_step,error,on_motion,error_on_motion,end,outcome\n"}};
  const app_options *parsed = study->base.parsed;
  app_setup *setup = &study->base.setup;
  app_schemes *schemes = &study->base.schemes;
  const char *at = options_value(parsed, "--at");
  seam_status status = setup_read(parsed, setup, error);
  THEN(status, check_linearisable(study, error));
  if (status == SEAM_OK && setup_has_signals(setup))
    status = setup_use_monolithic(setup, false, error);
  if (status == SEAM_OK && along && at)
    status = seam_fail(error, SEAM_BAD_INPUT, "seam: --along starts at the initial state; leave out --at");
  if (status == SEAM_OK && !along && options_value(parsed, "--times"))
    status = seam_fail(error, SEAM_BAD_INPUT,
                       "seam: --times counts the states of --along; add --along, or leave out --times");
  THEN(status, operating_point_find(setup, along ? "initial" : at, error));
  schemes_note_control(setup, false);
  TRY(status);
  TRY(schemes_read(options_value(parsed, "--schemes"), setup, false, schemes, error));
  TRY(read_couplings(study, error));
  TRY(read_range(study, error));
  TRY(options_number(parsed, "--error", app_min_wanted_error, 1, &study->wanted, error));
  TRY(options_number(parsed, "--times", 1, MAX_TIMES, &study->n_times, error));
  if (along)
    TRY(setup_check_end(setup, error));
  TRY(stability_check_verify(parsed, error));
  for (size_t i = 0; i < schemes->n; i++) { /* each scheme must allow linearisation */
    seam_linearised *linear = NULL;
    status = linearise(study, i, &linear, error);
    seam_linearised_destroy(linear);
    TRY(status);
  }
  TRY(study_open(&study->base, seam_model_name(setup->file), "stability", error));
  for (size_t i = 0; i < STABILITY_VERIFY; i++)
    TRY(study_open_file(&study->base, i, files[i][0], files[i][1], error));
  monitor_start(&study->base.monitor, false, seam_model_simulation(setup->file)->end);
  progress_phase(&study->base.monitor.progress, NULL, 1, 0);
  study->n_to_study = (along ? (size_t)study->n_times : 1) * schemes->n;
  return SEAM_OK;
}

static int run(const app_options *parsed, seam_error *error) {
  stability_study study = {.base = study_begin(parsed), .n_times = 11, .wanted = app_default_wanted_error};
  const app_setup *setup = &study.base.setup;
  const bool along = options_flag(parsed, "--along");
  double growth = 0;
  if (study.base.quiet && freopen("/dev/null", "w", stdout) == NULL) /* --quiet discards text; files have the numbers */
    return seam_status_exit(output_failed("/dev/null", error));
  seam_status status = prepare(&study, along, error);
  interrupt_catch();
  if (status == SEAM_OK)
    printf("model: %s%s", seam_model_name(setup->file), along ? "\n" : ", ");
  if (status == SEAM_OK && along)
    status = study_motion(&study, error);
  else if (status == SEAM_OK) {
    operating_point_print(setup, options_value(parsed, "--at"));
    operating_point_print_contacts(setup);
    status = find_growth(&study, &growth, error);
    if (status == SEAM_OK)
      print_growth(growth, "there");
    THEN(status, study_state(&study, error));
  }
  plot_free(&study.picture);
  return study_end(&study.base, status, error);
}

static const app_option table[] = {
    OPTION_SCHEMES,
    {"--macro-steps", "FROM:TO:COUNT",
     .help = "in a geometric sequence, s; default: a tenth to 100 times the file's, 61 of them"},
    OPTION_AT,
    {"--error", "NUMBER", .help = "the wanted error; default 1e-3"},
    {"--along", .help = "follow the motion instead of one state"},
    {"--times", "COUNT", .help = "of --along: equally spaced from 0 to the end; default 11"},
    OPTION_END,
    {"--verify", "LIST", .help = "run with these times each limit, such as 0.9,1.1"},
    OPTION_AS,
    OPTION_REPORT,
    OPTION_SET,
    OPTION_DIRECTORY,
    OPTION_QUIET,
    OPTION_HELP,
    {0}};

const app_command stability_model_command = {
    .name = "model",
    .group = "stability ",
    .summary = "stable macro steps of schemes for your own mechanism",
    .operands = "MODEL",
    .details =
        "Linearises the subsystems of a model about a state, finds the macro steps with which each scheme is stable\n"
        "and those that keep a wanted error, and recommends one: DIR/stability.csv, limits.csv, recommendation.csv "
        "and\n"
        "a picture (gnuplot).\n"
        "\n"
        "  seam stability model four_bar_bushing --schemes ff-k0,ff-k1,ff-d-k2 --error 1e-4\n"
        "  seam stability model four_bar_bushing --schemes ff-k1,ff-k2 --verify 0.9,1.1",
    .options = table,
    .n_operands = {1, 1},
    .run = run,
};
