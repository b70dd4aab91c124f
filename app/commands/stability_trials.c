/* Runs of `seam stability model`: trials of predictions on the motion of the model file; and --verify, runs with macro
 * steps around each predicted limit. */
#include "app/commands/stability_trials.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/failure.h"
#include "app/thresholds.h"
#include "base/then.h"

/* ---- Trials ---- */

enum { TRIAL_RUNS = 4 }; /* runs of a trial: reference (normal, tight tolerances, check), co-simulation */

seam_status stability_trial_start(const app_setup *setup, mbs_state **start, seam_error *error) {
  TRY(mbs_state_create(setup->model, start, error));
  TRY(setup_read_start(setup, *start, NULL, error));
  return mbs_assemble(setup->workspace, *start, NULL, NULL, error);
}

seam_status stability_trial_run(app_study *study, size_t scheme, seam_trial_def def, seam_trial *found,
                                seam_error *cause, seam_error *error) {
  const app_setup *setup = &study->setup;
  mbs_state *start = NULL;
  cosim_builder *builder = NULL;
  seam_error failure = {0};
  /* the number of trials is unknown: no time left is shown */
  monitor_phase(&study->monitor, study->schemes.names[scheme], TRIAL_RUNS, NAN, NAN);
  seam_status status = setup_check_end(setup, &failure);
  THEN(status, stability_trial_start(setup, &start, &failure));
  THEN(status, schemes_use(&study->schemes, scheme, setup, false, &builder, &failure));
  def.model = setup->model;
  def.start = start;
  def.integrator = &seam_model_simulation(setup->file)->integrator;
  def.builder = builder;
  def.end = seam_model_simulation(setup->file)->end;
  def.interrupt = &study->monitor.interrupt;
  THEN(status, seam_try_macro_step(&def, found, &failure));
  cosim_builder_destroy(builder);
  mbs_state_destroy(start);
  progress_clear(&study->monitor.progress);
  if (status == SEAM_INTERRUPTED || status == SEAM_NO_MEMORY)
    return seam_fail(error, status, "%s", failure.message);
  *cause = failure;
  return SEAM_OK;
}

/* ---- --verify ---- */

enum { MAX_FACTORS = 8, NEAR_STEPS = 2000, MOTION_STEPS = 10000 };

typedef struct verification {
  app_study *study;
  mbs_state *near;  /* studied state with small velocities added; NULL: the state is not at rest */
  mbs_state *start; /* start that the file specifies; NULL: the file has no end time, or assembly fails */
} verification;

/* Returns the number of factors; 0: --verify has another value, or is not given. */
static size_t read_factors(const app_options *parsed, double factors[MAX_FACTORS]) {
  const char *given = options_value(parsed, "--verify");
  const size_t n = given != NULL ? options_numbers(given, 1, MAX_FACTORS, factors) : 0;
  for (size_t i = 0; i < n; i++)
    if (!(factors[i] > 0 && isfinite(factors[i])))
      return 0;
  return n;
}

seam_status stability_check_verify(const app_options *parsed, seam_error *error) {
  double factors[MAX_FACTORS];
  if (!options_flag(parsed, "--verify") || read_factors(parsed, factors) > 0)
    return SEAM_OK;
  return seam_fail(
      error, SEAM_BAD_INPUT,
      "seam: --verify takes up to %d positive numbers between commas, times the limit, such as 0.9,1.1, not '%s'",
      MAX_FACTORS, options_value(parsed, "--verify"));
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
  const app_setup *setup = &self->study->setup;
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

/* A run, and how far it moves from the studied state. Positions are divided by the scale of length, so that the
 * rounding of coordinates that do not move counts as no motion. */
typedef struct observed {
  seam_comparison *run; /* NULL: none was made */
  const mbs_state *from;
  size_t n_bodies;
  double length, end; /* m, scale of length; s, end of the run */
  double largest[2];  /* largest change of a coordinate, in each half of the run */
} observed;

static seam_status observe(void *context, const cosim_simulation *simulation, double t, seam_error *error) {
  observed *self = context;
  double *largest = &self->largest[t > self->end / 2];
  const mbs_state *now = cosim_state(simulation);
  (void)error;
  for (size_t i = 0; i < 3 * self->n_bodies; i++)
    *largest = fmax(*largest, fabs(now->q[i] - self->from->q[i]) / (i % 3 == 2 ? 1 : self->length));
  return SEAM_OK;
}

static bool has_finished(const observed *of) { return of->run->outcome == SEAM_RUN_FINISHED; }

static seam_status run_once(const verification *self, size_t scheme, const mbs_state *start, double H, double end,
                            observed *found, seam_error *error) {
  app_study *study = self->study;
  const app_setup *setup = &study->setup;
  const seam_interrupt *interrupt = &study->monitor.interrupt;
  const seam_observer observer = {.see = observe, .context = found};
  cosim_builder *builder = NULL;
  seam_reference *reference = NULL;
  seam_error cause = {0};
  *found = (observed){.from = setup->state,
                      .n_bodies = mbs_n_bodies(setup->model),
                      .length = mbs_scales_of(setup->model).length,
                      .end = end};
  monitor_phase(&study->monitor, study->schemes.names[scheme], TRIAL_RUNS, NAN, NAN);
  seam_status status = seam_model_begin_equations(setup->file, start, &cause);
  THEN(status, schemes_use(&study->schemes, scheme, setup, false, &builder, &cause));
  THEN(status, seam_reference_create(setup->model, start, &seam_model_simulation(setup->file)->integrator, H, end,
                                     interrupt, &reference, &cause));
  THEN(status, seam_comparison_create(reference, builder, interrupt, &observer, &found->run, &cause));
  progress_clear(&study->monitor.progress);
  seam_reference_destroy(reference);
  cosim_builder_destroy(builder);
  return status == SEAM_INTERRUPTED || status == SEAM_NO_MEMORY ? seam_fail(error, status, "%s", cause.message)
                                                                : SEAM_OK;
}

/* A motion may grow in the first half of the run and then remain large, as that of whirling rods. Such a run is
 * unstable too: the motion is far larger than at first, and its error is far larger than the motion of the reference.
 * Such an error alone may be that of the first macro steps, and decay. */
static const char *near_word(const observed *near) {
  const double growth = near->largest[0] > 0 ? near->largest[1] / near->largest[0] : 0;
  const double rise = near->largest[1] / app_small_motion; /* beside the amplitude at the start */
  if (near->run == NULL)
    return "-";
  if (!has_finished(near) || fmax(growth, fmin(rise, near->run->error_position)) >= app_unstable_growth)
    return "unstable";
  return growth >= app_slow_growth ? "grows slowly" : "stable";
}

/* A relative error is undefined if the run finished but nothing moved. */
static bool has_error(const observed *motion) {
  return motion->run != NULL && (!has_finished(motion) || isfinite(motion->run->error_position));
}

static const char *motion_word(const observed *motion) {
  return motion->run == NULL     ? "-"
         : !has_finished(motion) ? "unstable"
         : has_error(motion)     ? seam_word_text(motion->run->word)
                                 : "not tried";
}

/* Prints what was predicted and found with the macro step limit x factor, and writes its row of verify.csv. */
static void print_verified(const app_study *study, size_t scheme, double limit, double factor, const observed *near,
                           const observed *motion) {
  const char *predicted = factor < 1 ? "stable" : "unstable";
  const char *const words[] = {near_word(near), motion_word(motion)};
  const double error = motion->run != NULL ? motion->run->error_position : NAN;
  const double time = motion->run != NULL ? motion->run->time : NAN;
  char near_text[64], motion_text[64];
  if (near->run != NULL && !has_finished(near))
    snprintf(near_text, sizeof near_text, "%s, %.3g s", words[0], near->run->time);
  else
    snprintf(near_text, sizeof near_text, "%s", words[0]);
  if (motion->run != NULL && !has_finished(motion))
    snprintf(motion_text, sizeof motion_text, "%s, %.3g s", words[1], time);
  else
    snprintf(motion_text, sizeof motion_text, has_error(motion) ? "%s, error %.1e" : "%s", words[1], error);
  printf("%-*s  %9.4g  %5.4g  %9.4g  %-9s  %-16s  %s\n", study->schemes.width, study->schemes.names[scheme], limit,
         factor, factor * limit, predicted, near_text, motion_text);
  FILE *file = study->files[STABILITY_VERIFY].file;
  csv_write_text(file, study->schemes.names[scheme]);
  comparisons_write_number(file, limit);
  comparisons_write_number(file, factor);
  comparisons_write_number(file, factor * limit);
  fprintf(file, ",%s,%s,%s", predicted, words[0], words[1]);
  comparisons_write_number(file, error);
  comparisons_write_number(file, time);
  fputc('\n', file);
}

static seam_status verify_one(const verification *self, size_t scheme, double limit, double factor, seam_error *error) {
  const double H = factor * limit;
  const double end = seam_model_simulation(self->study->setup.file)->end;
  observed near = {.run = NULL}, motion = {.run = NULL};
  seam_status status = SEAM_OK;
  if (self->near != NULL)
    status = run_once(self, scheme, self->near, H, NEAR_STEPS * H, &near, error);
  if (self->start != NULL && H <= end)
    THEN(status, run_once(self, scheme, self->start, H, fmin(end, MOTION_STEPS * H), &motion, error));
  if (status == SEAM_OK)
    print_verified(self->study, scheme, limit, factor, &near, &motion);
  seam_comparison_destroy(near.run);
  seam_comparison_destroy(motion.run);
  return status;
}

seam_status stability_verify(app_study *study, const double *limits, double longest, seam_error *error) {
  verification self = {.study = study};
  double factors[MAX_FACTORS];
  const size_t n_factors = read_factors(study->parsed, factors);
  if (n_factors == 0)
    return SEAM_OK;
  seam_status status = study_open_file(study, STABILITY_VERIFY, "verify.csv",
                                       "scheme,limit,times,macro_step,predicted,near_state,motion,error,time\n", error);
  THEN(status, start_near(&self, error));
  if (status == SEAM_OK && !isnan(seam_model_simulation(study->setup.file)->end) &&
      stability_trial_start(&study->setup, &self.start, &(seam_error){0}) != SEAM_OK) {
    mbs_state_destroy(self.start);
    self.start = NULL;
  }
  if (status == SEAM_OK) {
    printf("beside the limits: %d macro steps near the state, and the file's own motion\n", NEAR_STEPS);
    printf("%-*s  %9s  %5s  %9s  %-9s  %-16s  %s\n", study->schemes.width, "scheme", "limit [s]", "times", "H [s]",
           "predicted", "near the state", "own motion");
  }
  for (size_t i = 0; i < study->schemes.n && status == SEAM_OK; i++)
    for (size_t k = 0; k < n_factors && status == SEAM_OK; k++)
      if (limits[i] > 0 && limits[i] < longest * (1 - app_range_tolerance))
        status = verify_one(&self, i, limits[i], factors[k], error);
  mbs_state_destroy(self.near);
  mbs_state_destroy(self.start);
  return status;
}
