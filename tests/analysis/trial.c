/* Macro steps tried on a motion. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include <seam/analysis.h>

#include "tests/support/cosim_fixture.h"

static seam_status try(const char *model, const char *const *overrides, double macro_step, double end, double wanted,
                       seam_trial *trial, seam_error *error) {
  cosim_fixture f = cosim_fixture_read(model, overrides);
  const seam_trial_def def = {.model = f.model,
                              .start = f.state,
                              .integrator = &seam_model_simulation(f.file)->integrator,
                              .builder = seam_model_cosim(f.file),
                              .macro_step = macro_step,
                              .end = end,
                              .wanted = wanted};
  const seam_status status = seam_try_macro_step(&def, trial, error);
  cosim_fixture_free(&f);
  return status;
}

Test(trial, a_promise_that_is_kept_costs_one_run) {
  seam_trial trial;
  cr_assert_eq(try("four_bar_bushing", NULL, 1e-3, 0.5, 1e-3, &trial, NULL), SEAM_OK);
  cr_expect_eq(trial.n_runs, 1);
  cr_expect_eq(trial.macro_step, 1e-3);
  cr_expect_eq(trial.error, trial.first_error);
  cr_expect_lt(trial.error, 1e-3);
  cr_expect_str_empty(trial.why);
}

Test(trial, one_that_is_not_kept_is_shortened_until_it_is) {
  seam_trial trial;
  cr_assert_eq(try("four_bar_bushing", NULL, 1e-2, 0.5, 1e-5, &trial, NULL), SEAM_OK);
  cr_expect_gt(trial.n_runs, 1);
  cr_expect_gt(trial.first_error, 1e-5);
  cr_expect_lt(trial.macro_step, 1e-2);
  cr_expect(trial.error <= 1e-5 && trial.error > 1e-8, "%.2e", trial.error);
}

/* ff-weighted-k2 is unstable at every macro step. */
Test(trial, one_that_cannot_be_kept_ends) {
  const char *const overrides[] = {"cosim.scheme=ff-weighted-k2", NULL};
  seam_trial trial;
  cr_assert_eq(try("double_pendulum", overrides, 1e-2, 2, 1, &trial, NULL), SEAM_OK);
  cr_expect(isnan(trial.macro_step));
  cr_expect_leq(trial.n_runs, SEAM_MAX_TRIALS);
  cr_expect(strlen(trial.why) > 0);
}

/* Beyond it, by no more than the ratio, the run does not keep it; without a ratio it is not looked for. */
Test(trial, the_longest_one_lies_between_two_runs) {
  static const double ratio = 1.05;
  seam_trial any, longest, beyond;
  cosim_fixture f = cosim_fixture_read("four_bar_bushing", NULL);
  seam_trial_def def = {.model = f.model,
                        .start = f.state,
                        .integrator = &seam_model_simulation(f.file)->integrator,
                        .builder = seam_model_cosim(f.file),
                        .macro_step = 5e-2,
                        .end = 0.5,
                        .wanted = 1e-4};
  cr_assert_eq(seam_try_macro_step(&def, &any, NULL), SEAM_OK);
  def.ratio = ratio;
  cr_assert_eq(seam_try_macro_step(&def, &longest, NULL), SEAM_OK);
  cr_expect(longest.macro_step >= any.macro_step && longest.error <= def.wanted, "%g", longest.macro_step);
  def.ratio = 0;
  def.macro_step = ratio * longest.macro_step;
  cr_assert_eq(seam_try_macro_step(&def, &beyond, NULL), SEAM_OK);
  cr_expect_gt(beyond.first_error, def.wanted);
  cosim_fixture_free(&f);
}

Test(trial, no_more_than_10000_macro_steps_are_tried_at_first) {
  seam_trial trial;
  cr_assert_eq(try("four_bar_bushing", NULL, 1e-6, 10, 1, &trial, NULL), SEAM_OK);
  cr_expect_float_eq(trial.end, 1e-2, 1e-12);
}

Test(trial, a_motion_that_is_not_known_is_not_tried) {
  const char *const overrides[] = {"parameters.d=0", "simulate.rtol=1e-4", "simulate.atol=1e-4", NULL};
  seam_trial trial;
  seam_error error = {0};
  cr_expect_eq(try("double_pendulum", overrides, 0.1, 60, 1, &trial, &error), SEAM_SUSPECT);
  cr_expect_not_null(strstr(error.message, "the reference"), "%s", error.message);
}
