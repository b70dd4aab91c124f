/* Reduces the macro step until a run of the nonlinear model is as accurate as the linear analysis predicts
 * (<seam/analysis.h>). Errors of most schemes fall at least with H², so the next macro step H is chosen for errors that
 * fall with H². */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <seam/analysis.h>

#include "analysis/thresholds.h"
#include "base/argument.h"
#include "base/then.h"
#include "base/vector.h"

/* Makes one run with macro step H and compares it with a reference. */
static seam_status run_once(const seam_trial_def *def, double H, double end, seam_comparison **run, seam_error *error) {
  seam_reference *reference = NULL;
  seam_status status =
      seam_reference_create(def->model, def->start, def->integrator, H, end, def->interrupt, &reference, error);
  THEN(status, seam_reference_check(reference, def->interrupt, NULL, error));
  THEN(status, seam_comparison_create(reference, def->builder, def->interrupt, NULL, run, error));
  seam_reference_destroy(reference);
  return status;
}

/* Bisects between the macro step of *trial, which is accurate enough, and the longer `failing`, which is not, until
 * their ratio is at most def->ratio. */
static seam_status bisect_step(const seam_trial_def *def, double failing, seam_trial *trial, seam_error *error) {
  while (failing > def->ratio * trial->macro_step) {
    const double H = sqrt(failing * trial->macro_step);
    seam_comparison *run = NULL;
    const seam_status status = run_once(def, H, trial->end, &run, error);
    if (status != SEAM_OK)
      return status;
    if (run->error_position <= def->wanted)
      trial->macro_step = H, trial->error = run->error_position;
    else
      failing = H;
    seam_comparison_destroy(run);
  }
  return SEAM_OK;
}

seam_status seam_try_macro_step(const seam_trial_def *def, seam_trial *trial, seam_error *error) {
  ARGUMENTS(error, def, trial);
  ARGUMENTS(error, def->model, def->start, def->integrator, def->builder);
  if (!is_positive(def->macro_step) || !is_positive(def->end))
    return seam_fail(error, SEAM_BAD_INPUT, "a macro step of %g s in a run of %g s: both must be positive and finite",
                     def->macro_step, def->end);
  double H = fmin(def->macro_step, def->end);
  double before = H;
  *trial = (seam_trial){
      .end = fmin(def->end, analysis_trial_steps * H), .macro_step = NAN, .error = NAN, .first_error = NAN};
  while (isnan(trial->macro_step) && !trial->rests && trial->n_runs < SEAM_MAX_TRIALS &&
         H * analysis_last_trial_steps >= trial->end) {
    seam_comparison *run = NULL;
    const seam_status status = run_once(def, H, trial->end, &run, error);
    if (status != SEAM_OK)
      return status;
    before = trial->n_runs > 0 ? trial->last : H;
    const bool is_accurate = run->error_position <= def->wanted;
    if (trial->n_runs++ == 0) {
      trial->first_error = run->error_position;
      snprintf(trial->why, sizeof trial->why, "%s", run->why);
    }
    trial->rests = run->outcome == SEAM_RUN_FINISHED && isnan(run->error_position);
    trial->last = H;
    if (is_accurate) {
      trial->macro_step = H;
      trial->error = run->error_position;
    }
    const double ratio = analysis_step_reserve * sqrt(def->wanted / run->error_position);
    H *= run->outcome == SEAM_RUN_FINISHED && run->error_position > def->wanted
             ? fmin(fmax(ratio, analysis_shortest_cut), analysis_longest_cut)
             : analysis_failed_cut;
    seam_comparison_destroy(run);
  }
  return def->ratio > 1 && !isnan(trial->macro_step) ? bisect_step(def, before, trial, error) : SEAM_OK;
}
