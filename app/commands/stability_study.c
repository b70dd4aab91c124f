/* One scheme of `seam stability model`: its study about a state, with the picture; trials of predictions on the motion
 * of the model file; and --verify, runs with macro steps around each predicted limit. */
#include "app/commands/stability_study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/failure.h"
#include "app/interrupt.h"
#include "app/thresholds.h"
#include "base/number.h"
#include "base/then.h"

seam_status stability_interrupted(seam_error *error) {
  return seam_fail(error, SEAM_INTERRUPTED, "seam: interrupted; what was printed is kept");
}

/* ---- The picture: spectral radius and error over the macro step ---- */

enum { RADIUS, ERROR, N_PANELS };
static const double max_radius = 2, max_error = 10; /* largest ρ and largest error that are shown */

seam_status stability_start_picture(stability_study *study, seam_error *error) {
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

seam_status stability_draw_picture(const stability_study *study, seam_error *error) {
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

void stability_write_limit(const stability_study *study, const char *kind, double time, size_t scheme, double from,
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

seam_status stability_linearise(const stability_study *study, size_t number, seam_linearised **linear,
                                seam_error *error) {
  cosim_builder *builder = NULL;
  seam_status status = schemes_use(&study->base.schemes, number, &study->base.setup, false, &builder, error);
  THEN(status, seam_linearised_create_of(study->base.setup.model, study->base.setup.state, builder, linear, error));
  cosim_builder_destroy(builder);
  return status;
}

seam_status stability_analyse(stability_study *study, size_t number, seam_scheme_study *found, seam_error *error) {
  const seam_interrupt interrupt = {.is_requested = show_progress, .context = study};
  const char *scheme = study->base.schemes.names[number];
  const size_t n = study->n_samples;
  seam_scheme_point *points = calloc(n, sizeof *points); /* (n) results, one for each macro step */
  double *errors = calloc(n, sizeof *errors);
  seam_linearised *linear = NULL;
  seam_status status =
      points != NULL && errors != NULL ? stability_linearise(study, number, &linear, error) : out_of_memory(error);
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
    stability_write_limit(study, "state", study->base.setup.state->t, number, found->interval[k].from,
                          found->interval[k].to, found->interval[k].has_undecided);
  if (status == SEAM_OK && study->picture.n_panels > 0)
    add_curves(&study->picture, scheme, points, errors, n);
  fflush(NULL); /* keeps these rows if a later study is interrupted */
  study->n_studied++;
  progress_clear(&study->base.monitor.progress);
  seam_linearised_destroy(linear);
  free(points);
  free(errors);
  return status == SEAM_INTERRUPTED ? stability_interrupted(error) : status;
}

void stability_begin(stability_study *study, size_t n_states) {
  monitor_start(&study->base.monitor, false, seam_model_simulation(study->base.setup.file)->end);
  progress_phase(&study->base.monitor.progress, NULL, 1, 0);
  study->n_to_study = n_states * study->base.schemes.n;
}

/* ---- Trials ---- */

enum { TRIAL_RUNS = 4 }; /* runs of a trial: reference (normal, tight tolerances, check), co-simulation */

seam_status stability_trial_start(const app_setup *setup, mbs_state **start, seam_error *error) {
  TRY(mbs_state_create(setup->model, start, error));
  TRY(setup_read_start(setup, *start, NULL, error));
  return mbs_assemble(setup->workspace, *start, NULL, NULL, error);
}

seam_status stability_trial_run(stability_study *study, size_t scheme, seam_trial_def def, seam_trial *found,
                                seam_error *cause, seam_error *error) {
  const app_setup *setup = &study->base.setup;
  mbs_state *start = NULL;
  cosim_builder *builder = NULL;
  seam_error failure = {0};
  /* the number of trials is unknown: no time left is shown */
  monitor_phase(&study->base.monitor, study->base.schemes.names[scheme], TRIAL_RUNS, NAN, NAN);
  seam_status status = setup_check_end(setup, &failure);
  THEN(status, stability_trial_start(setup, &start, &failure));
  THEN(status, schemes_use(&study->base.schemes, scheme, setup, false, &builder, &failure));
  def.model = setup->model;
  def.start = start;
  def.integrator = &seam_model_simulation(setup->file)->integrator;
  def.builder = builder;
  def.end = seam_model_simulation(setup->file)->end;
  def.interrupt = &study->base.monitor.interrupt;
  THEN(status, seam_try_macro_step(&def, found, &failure));
  cosim_builder_destroy(builder);
  mbs_state_destroy(start);
  progress_clear(&study->base.monitor.progress);
  if (status == SEAM_INTERRUPTED || status == SEAM_NO_MEMORY)
    return seam_fail(error, status, "%s", failure.message);
  *cause = failure;
  return SEAM_OK;
}

/* ---- --verify ---- */

enum { NEAR_STEPS = 2000, MOTION_STEPS = 10000 };

typedef struct verification {
  stability_study *study;
  mbs_state *near;  /* studied state with small velocities added; NULL: the state is not at rest */
  mbs_state *start; /* start that the file specifies; NULL: the file has no end time, or assembly fails */
} verification;

seam_status stability_read_verify(stability_study *study, seam_error *error) {
  const char *given = options_value(study->base.parsed, "--verify");
  const char *text = given;
  while (text != NULL && study->n_factors < MAX_FACTORS) {
    char *end = NULL;
    const double factor = strtod(text, &end);
    if (end == text || !(factor > 0 && isfinite(factor)) || (*end != ',' && *end != '\0'))
      break;
    study->factors[study->n_factors++] = factor;
    text = *end == ',' ? end + 1 : NULL;
  }
  if (text == NULL)
    return SEAM_OK;
  return seam_fail(
      error, SEAM_BAD_INPUT,
      "seam: --verify takes up to %d positive numbers between commas, times the limit, such as 0.9,1.1, not '%s'",
      MAX_FACTORS, given);
}

/* Adds small velocities: the sum of all modes, with the same amplitude each. length: scale of length, m. */
static void set_velocities(const seam_modes *modes, size_t n_bodies, double length, mbs_state *state) {
  double largest = 0; /* change of an angle, or of a position divided by `length` */
  for (size_t k = 0; k < modes->n; k++)
    for (size_t i = 0; i < 3 * n_bodies; i++) {
      const double change = modes->mode[k].shape[0][i];
      largest = fmax(largest, fabs(change) / (i % 3 == 2 ? 1 : length));
      state->v[i] += change * hypot(modes->mode[k].s[0], modes->mode[k].s[1]);
    }
  for (size_t i = 0; i < 3 * n_bodies && largest > 0; i++)
    state->v[i] *= app_small_motion / (largest * fmax(1, (double)modes->n));
}

static seam_status start_near(verification *self, seam_error *error) {
  const app_setup *setup = &self->study->base.setup;
  const size_t n_bodies = mbs_n_bodies(setup->model);
  seam_modes *modes = NULL;
  for (size_t i = 0; i < 3 * n_bodies; i++)
    if (setup->state->v[i] != 0 || setup->state->a[i] != 0)
      return SEAM_OK; /* the state is not at rest */
  seam_status status = mbs_state_create(setup->model, &self->near, error);
  THEN(status, seam_modes_create(setup->model, setup->state, &modes, error));
  if (status == SEAM_OK) {
    mbs_state_copy(self->near, setup->state);
    self->near->t = 0;
    set_velocities(modes, n_bodies, mbs_scales_of(setup->model).length, self->near);
  }
  THEN(status, mbs_assemble(setup->workspace, self->near, NULL, NULL, error));
  seam_modes_destroy(modes);
  return status;
}

/* How far a run moves from the studied state. Positions are divided by the scale of length, so that the rounding of
 * coordinates that do not move counts as no motion. */
typedef struct distances {
  const mbs_state *from;
  size_t n_bodies;
  double length, end; /* m, scale of length; s, end of the run */
  double largest[2];  /* largest change of a coordinate, in each half of the run */
} distances;

static seam_status observe(void *context, const cosim_simulation *simulation, double t, seam_error *error) {
  distances *self = context;
  double *largest = &self->largest[t > self->end / 2];
  const mbs_state *now = cosim_state(simulation);
  (void)error;
  for (size_t i = 0; i < 3 * self->n_bodies; i++)
    *largest = fmax(*largest, fabs(now->q[i] - self->from->q[i]) / (i % 3 == 2 ? 1 : self->length));
  return SEAM_OK;
}

typedef struct observed {
  bool was_run, finished;
  double growth; /* largest distance in the second half of the run, divided by that in the first half */
  double rise;   /* the same distance, divided by the amplitude at the start */
  seam_word word;
  double error, time;
} observed;

static double ratio(double late, double early) { return early > 0 ? late / early : 0; }

static seam_status run_once(const verification *self, size_t scheme, const mbs_state *start, double H, double end,
                            observed *found, seam_error *error) {
  stability_study *study = self->study;
  const seam_interrupt *interrupt = &study->base.monitor.interrupt;
  cosim_builder *builder = NULL;
  seam_reference *reference = NULL;
  seam_comparison *run = NULL;
  seam_error cause = {0};
  distances changes = {.from = study->base.setup.state,
                       .n_bodies = mbs_n_bodies(study->base.setup.model),
                       .length = mbs_scales_of(study->base.setup.model).length,
                       .end = end};
  const seam_observer observer = {.see = observe, .context = &changes};
  monitor_phase(&study->base.monitor, study->base.schemes.names[scheme], TRIAL_RUNS, NAN, NAN);
  seam_status status = seam_model_begin_equations(study->base.setup.file, start, &cause);
  THEN(status, schemes_use(&study->base.schemes, scheme, &study->base.setup, false, &builder, &cause));
  THEN(status,
       seam_reference_create(study->base.setup.model, start, &seam_model_simulation(study->base.setup.file)->integrator,
                             H, end, interrupt, &reference, &cause));
  THEN(status, seam_comparison_create(reference, builder, interrupt, &observer, &run, &cause));
  progress_clear(&study->base.monitor.progress);
  if (status == SEAM_OK)
    *found = (observed){.was_run = true,
                        .finished = run->outcome == SEAM_RUN_FINISHED,
                        .word = run->word,
                        .growth = ratio(changes.largest[1], changes.largest[0]),
                        .rise = changes.largest[1] / app_small_motion,
                        .error = run->error_position,
                        .time = run->time};
  seam_comparison_destroy(run);
  seam_reference_destroy(reference);
  cosim_builder_destroy(builder);
  return status == SEAM_INTERRUPTED || status == SEAM_NO_MEMORY ? seam_fail(error, status, "%s", cause.message)
                                                                : SEAM_OK;
}

/* A motion may grow in the first half of the run and then remain large, as that of whirling rods. Such a run is
 * unstable too: the motion is far larger than at first, and its error is far larger than the motion of the reference.
 * Such an error alone may be that of the first macro steps, and decay. */
static const char *near_word(const observed *near) {
  const bool is_unstable = !near->finished || fmax(near->growth, fmin(near->rise, near->error)) >= app_unstable_growth;
  return !near->was_run ? "-" : is_unstable ? "unstable" : near->growth >= app_slow_growth ? "grows slowly" : "stable";
}

/* A relative error is undefined if the run finished but nothing moved. */
static bool has_error(const observed *motion) { return !motion->finished || isfinite(motion->error); }

static const char *motion_word(const observed *motion) {
  return !motion->was_run    ? "-"
         : !motion->finished ? "unstable"
         : has_error(motion) ? seam_word_text(motion->word)
                             : "not tried";
}

static seam_status verify_one(const verification *self, size_t scheme, double limit, double factor, seam_error *error) {
  const app_study *study = &self->study->base;
  const double H = factor * limit;
  const double end = seam_model_simulation(study->setup.file)->end;
  const char *predicted = factor < 1 ? "stable" : "unstable";
  observed near = {0};
  observed motion = {0};
  char near_text[64], motion_text[64];
  if (self->near != NULL)
    TRY(run_once(self, scheme, self->near, H, NEAR_STEPS * H, &near, error));
  if (self->start != NULL && H <= end)
    TRY(run_once(self, scheme, self->start, H, fmin(end, MOTION_STEPS * H), &motion, error));
  const char *const words[] = {near_word(&near), motion_word(&motion)};
  snprintf(near_text, sizeof near_text, near.was_run && !near.finished ? "%s, %.3g s" : "%s", words[0], near.time);
  if (motion.was_run && !motion.finished)
    snprintf(motion_text, sizeof motion_text, "%s, %.3g s", words[1], motion.time);
  else
    snprintf(motion_text, sizeof motion_text, has_error(&motion) && motion.was_run ? "%s, error %.1e" : "%s", words[1],
             motion.error);
  printf("%-*s  %9.4g  %5.4g  %9.4g  %-9s  %-16s  %s\n", study->schemes.width, study->schemes.names[scheme], limit,
         factor, H, predicted, near_text, motion_text);
  FILE *file = study->files[STABILITY_VERIFY].file;
  csv_write_text(file, study->schemes.names[scheme]);
  comparisons_write_number(file, limit);
  comparisons_write_number(file, factor);
  comparisons_write_number(file, H);
  fprintf(file, ",%s,%s,%s", predicted, words[0], words[1]);
  comparisons_write_number(file, motion.was_run ? motion.error : NAN);
  comparisons_write_number(file, motion.was_run ? motion.time : NAN);
  fputc('\n', file);
  return SEAM_OK;
}

seam_status stability_verify(stability_study *study, const double *limits, seam_error *error) {
  verification self = {.study = study};
  if (study->n_factors == 0)
    return SEAM_OK;
  seam_status status = study_open_file(&study->base, STABILITY_VERIFY, "verify.csv",
                                       "scheme,limit,times,macro_step,predicted,near_state,motion,error,time\n", error);
  THEN(status, start_near(&self, error));
  if (status == SEAM_OK && !isnan(seam_model_simulation(study->base.setup.file)->end) &&
      stability_trial_start(&study->base.setup, &self.start, &(seam_error){0}) != SEAM_OK) {
    mbs_state_destroy(self.start);
    self.start = NULL;
  }
  if (status == SEAM_OK) {
    printf("beside the limits: %d macro steps near the state, and the file's own motion\n", NEAR_STEPS);
    printf("%-*s  %9s  %5s  %9s  %-9s  %-16s  %s\n", study->base.schemes.width, "scheme", "limit [s]", "times", "H [s]",
           "predicted", "near the state", "own motion");
  }
  for (size_t i = 0; i < study->base.schemes.n && status == SEAM_OK; i++)
    for (size_t k = 0; k < study->n_factors && status == SEAM_OK; k++)
      if (limits[i] > 0 && limits[i] < study->to * (1 - app_range_tolerance))
        status = verify_one(&self, i, limits[i], study->factors[k], error);
  mbs_state_destroy(self.near);
  mbs_state_destroy(self.start);
  return status;
}
