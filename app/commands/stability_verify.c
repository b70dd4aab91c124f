/* `seam stability model --verify`: makes runs with macro steps around each predicted stability limit, for
 * comparison. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/commands/stability_study.h"
#include "app/thresholds.h"
#include "base/then.h"

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

/* Adds small velocities: a sum over all modes, each with its shape and the same amplitude. */
static void set_velocities(const seam_modes *modes, size_t n_bodies, mbs_state *state) {
  double largest_angle = 0;
  double box[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY};
  for (size_t k = 0; k < modes->n; k++)
    for (size_t i = 0; i < 3 * n_bodies; i++) {
      const double rate = modes->mode[k].shape[0][i];
      largest_angle = i % 3 == 2 ? fmax(largest_angle, fabs(rate)) : largest_angle;
      state->v[i] += rate * hypot(modes->mode[k].s[0], modes->mode[k].s[1]);
    }
  for (size_t b = 0; b < n_bodies; b++)
    for (size_t i = 0; i < 2; i++) {
      box[i] = fmin(box[i], state->q[3 * b + i]);
      box[2 + i] = fmax(box[2 + i], state->q[3 * b + i]);
    }
  const double distance = hypot(box[2] - box[0], box[3] - box[1]);
  const double scale = app_small_motion *
                       (largest_angle > 0 ? 1 / largest_angle
                        : distance > 0    ? distance
                                          : 1) /
                       fmax(1, (double)modes->n);
  for (size_t i = 0; i < 3 * n_bodies; i++)
    state->v[i] *= scale;
}

static seam_status start_near(verification *self, seam_error *error) {
  const app_setup *setup = &self->study->base.setup;
  seam_modes *modes = NULL;
  for (size_t i = 0; i < 3 * mbs_n_bodies(setup->model); i++)
    if (setup->state->v[i] != 0 || setup->state->a[i] != 0)
      return SEAM_OK; /* the state is not at rest */
  seam_status status = mbs_state_create(setup->model, &self->near, error);
  THEN(status, seam_modes_create(setup->model, setup->state, &modes, error));
  if (status == SEAM_OK) {
    mbs_state_copy(self->near, setup->state);
    self->near->t = 0;
    set_velocities(modes, mbs_n_bodies(setup->model), self->near);
    status = mbs_assemble(setup->workspace, self->near, NULL, NULL, error);
  }
  seam_modes_destroy(modes);
  return status;
}

/* Largest changes of coordinates from the studied state, as absolute values: largest[half][kind]. half: 0 or 1, half of
 * the run; kind: 0 for x and y, m; 1 for angles, rad. */
typedef struct distances {
  const mbs_state *from;
  size_t n_bodies;
  double half; /* s, half of the length of the run */
  double largest[2][2];
} distances;

static seam_status observe(void *context, const cosim_simulation *simulation, double t, seam_error *error) {
  distances *self = context;
  double *largest = self->largest[t > self->half];
  const mbs_state *now = cosim_state(simulation);
  (void)error;
  for (size_t i = 0; i < 3 * self->n_bodies; i++)
    largest[i % 3 == 2] = fmax(largest[i % 3 == 2], fabs(now->q[i] - self->from->q[i]));
  return SEAM_OK;
}

typedef struct observed {
  bool was_run, finished;
  double growth; /* largest distance in the second half of the run, divided by that in the first half; for positions or
                    for angles, whichever ratio is larger */
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
  distances changes = {
      .from = study->base.setup.state, .n_bodies = mbs_n_bodies(study->base.setup.model), .half = end / 2};
  const seam_observer observer = {.see = observe, .context = &changes};
  monitor_phase(&study->base.monitor, study->base.schemes.names[scheme], STABILITY_TRIAL_RUNS, NAN, NAN);
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
                        .growth = fmax(ratio(changes.largest[1][0], changes.largest[0][0]),
                                       ratio(changes.largest[1][1], changes.largest[0][1])),
                        .error = run->error_position,
                        .time = run->time};
  seam_comparison_destroy(run);
  seam_reference_destroy(reference);
  cosim_builder_destroy(builder);
  return status == SEAM_INTERRUPTED || status == SEAM_NO_MEMORY ? seam_fail(error, status, "%s", cause.message)
                                                                : SEAM_OK;
}

/* Returns the word for a run near the state. A motion may grow in the first half and then remain large, as that of
 * whirling rods. This run is also unstable, although its motion does not grow in the second half. Its error shows the
 * instability: it is far larger than the motion of the reference. */
static const char *near_word(const observed *near) {
  const bool is_unstable = !near->finished || fmax(near->growth, near->error) >= app_unstable_growth;
  return !near->was_run ? "-" : is_unstable ? "unstable" : near->growth >= app_slow_growth ? "grows slowly" : "stable";
}

/* Returns false if the run finished but nothing moved: the relative error is then undefined. */
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
  seam_status status = SEAM_OK;
  if (self->near != NULL)
    status = run_once(self, scheme, self->near, H, NEAR_STEPS * H, &near, error);
  if (status == SEAM_OK && self->start != NULL && H <= end)
    status = run_once(self, scheme, self->start, H, fmin(end, MOTION_STEPS * H), &motion, error);
  if (status != SEAM_OK)
    return status;
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
