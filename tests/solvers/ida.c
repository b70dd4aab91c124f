/* IDAS on equations with exact solutions. */
#include "solvers/dae.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/implicit_problems.h"

enum { n_stiff = 2, n_motion = 4 }; /* unknowns under test: of the stiff problem; positions and rates */

/* ---- Accuracy ---- */

Test(ida, the_error_of_a_stiff_equation_follows_the_tolerance) {
  for (int digits = 4; digits <= 12; digits++) {
    const double tolerance = pow(10, -digits);
    const double error = error_of_run(seam_ida_create, &stiff_problem, 0, n_stiff, tolerance, 0, 10);
    cr_expect_lt(error, 100 * tolerance, "tolerance %g: %.2e", tolerance, error);
  }
}

Test(ida, the_error_of_a_pendulum_follows_the_tolerance) {
  for (int digits = 4; digits <= 12; digits++) {
    const double tolerance = pow(10, -digits);
    const double error = error_of_run(seam_ida_create, &pendulum_problem, 0, n_motion, tolerance, 0, 3);
    cr_expect_lt(error, 2000 * tolerance, "tolerance %g: %.2e", tolerance, error);
  }
}

Test(ida, rounding_in_multipliers_stops_no_run) {
  const double error = error_of_run(seam_ida_create, &pendulum_problem, 0, n_motion, 1e-13, 0, 1);
  cr_expect_lt(error, 1e-10, "%.2e", error);
}

Test(ida, multipliers_are_found) {
  double largest = 0;
  seam_integrator *ida = started(seam_ida_create, &pendulum_problem, 1e-10, 0);
  for (int i = 1; i <= 300; i++)
    largest = fmax(largest, error_at(ida, &pendulum_problem, PENDULUM_LAMBDA, PENDULUM_MU + 1, 0.01 * i));
  cr_expect_lt(largest, 1e-5, "%.2e of 59", largest);
  seam_integrator_destroy(ida);
}

Test(ida, states_between_steps_keep_the_constraints) {
  const double largest = largest_residual(seam_ida_create, 1e-10);
  cr_expect_lt(largest, 1e-9, "%.2e", largest);
}

/* ---- Quadratures ---- */

Test(ida, quadratures_are_as_accurate_as_unknowns) {
  const double of_stiff = error_of_run(seam_ida_create, &stiff_problem, n_stiff, n_stiff + 1, 1e-9, 0, 10);
  const double of_pendulum =
      error_of_run(seam_ida_create, &pendulum_problem, PENDULUM_HEIGHT, PENDULUM_HEIGHT + 2, 1e-9, 0, 3);
  cr_expect_lt(of_stiff, 5e-7, "%.2e", of_stiff);
  cr_expect_lt(of_pendulum, 5e-7, "%.2e", of_pendulum);
}

Test(ida, quadratures_stay_accurate_where_steps_are_cut_short) {
  double largest = 0;
  seam_integrator *ida = started(seam_ida_create, &stiff_problem, 1e-12, 0);
  for (int i = 1; i <= 300; i++) {
    seam_integrator_set_stop(ida, i / 30.0);
    largest = fmax(largest, error_at(ida, &stiff_problem, n_stiff, n_stiff + 1, i / 30.0));
  }
  cr_expect_lt(largest, 5e-10, "%.2e", largest);
  seam_integrator_destroy(ida);
}

/* ---- Steps ---- */

Test(ida, a_stiff_equation_takes_few_steps) {
  seam_integrator *ida = started(seam_ida_create, &stiff_problem, 1e-6, 0);
  error_at(ida, &stiff_problem, 0, n_stiff, 10);
  const seam_statistics count = seam_integrator_statistics(ida);
  cr_expect_lt(count.steps, 200, "%zu", count.steps);
  cr_expect_lt(count.factorisations, count.steps);
  cr_expect_gt(count.evaluations, count.steps);
  seam_integrator_destroy(ida);
}

Test(ida, asking_for_states_changes_no_step) { expect_steps_of_their_own(seam_ida_create); }

Test(ida, restarts_repeat_starts) { expect_restarts(seam_ida_create); }

Test(ida, no_step_is_longer_than_the_largest) { expect_largest_step_kept(seam_ida_create); }

/* The stiff equation, keeping the latest time it was asked for. */
static seam_status recorded_f(void *context, double t, const double *y, double *f, double *quadrature,
                              seam_error *error) {
  double *latest = context;
  *latest = fmax(*latest, t);
  return stiff_problem.dae.f(NULL, t, y, f, quadrature, error);
}

Test(ida, the_stop_time_is_reached_and_never_passed) {
  double latest = 0;
  problem recorded = stiff_problem;
  recorded.dae.f = recorded_f;
  recorded.dae.context = &latest;
  seam_integrator *ida = started(seam_ida_create, &recorded, 1e-6, 0);
  for (int i = 1; i <= 30; i++) {
    seam_integrator_set_stop(ida, 0.1 * i);
    cr_expect_lt(error_at(ida, &recorded, 0, n_stiff, 0.1 * i), 1e-4);
    cr_assert_leq(latest, 0.1 * i);
  }
  seam_integrator_destroy(ida);
}

Test(ida, a_stop_time_next_to_the_present_is_reached) {
  seam_integrator *ida = started(seam_ida_create, &stiff_problem, 1e-6, 0);
  const double t = 0.3;
  for (int i = 0; i < 3; i++) {
    const double stop = t * (1 + i * 4e-16);
    seam_integrator_set_stop(ida, stop);
    cr_expect_lt(error_at(ida, &stiff_problem, 0, n_stiff, stop), 1e-4);
  }
  seam_integrator_destroy(ida);
}

/* ---- Saving and restoring ---- */

static void *saved(const seam_integrator *ida) {
  void *image = malloc(seam_integrator_image_size(ida));
  cr_assert_not_null(image);
  seam_integrator_save(ida, image);
  return image;
}

Test(ida, saving_changes_nothing) {
  double y[MAX_VALUES];
  double reference[MAX_VALUES];
  seam_integrator *ida = started(seam_ida_create, &pendulum_problem, 1e-8, 0);
  seam_integrator *unsaved = started(seam_ida_create, &pendulum_problem, 1e-8, 0);
  advance_to(ida, 1.234, y);
  free(saved(ida));
  advance_to(ida, 3, y);
  advance_to(unsaved, 3, reference);
  cr_expect_arr_eq(y, reference, sizeof y);
  seam_integrator_destroy(ida);
  seam_integrator_destroy(unsaved);
}

Test(ida, restored_runs_are_equal_to_the_bit) {
  double first[MAX_VALUES];
  double second[MAX_VALUES];
  seam_integrator *ida = started(seam_ida_create, &pendulum_problem, 1e-8, 0);
  seam_integrator *other = started(seam_ida_create, &pendulum_problem, 1e-8, 0);
  advance_to(ida, 1.234, first);
  advance_to(other, 2.5, second);
  void *image = saved(ida);
  seam_integrator_restore(ida, image, NULL);
  seam_integrator_restore(other, image, NULL);
  advance_to(ida, 3, first);
  advance_to(other, 3, second);
  cr_expect_arr_eq(first, second, sizeof first);
  const seam_statistics count = seam_integrator_statistics(ida);
  seam_integrator_restore(ida, image, NULL);
  advance_to(ida, 3, second);
  cr_expect_arr_eq(first, second, sizeof first);
  cr_expect_eq(seam_integrator_statistics(ida).steps, count.steps);
  cr_expect_eq(seam_integrator_statistics(ida).rejected, count.rejected);
  free(image);
  seam_integrator_destroy(ida);
  seam_integrator_destroy(other);
}

/* A restored run goes on as one that starts there, and counts what was before. */
Test(ida, statistics_go_on_through_an_image) {
  double y[MAX_VALUES];
  seam_integrator *ida = started(seam_ida_create, &van_der_pol_problem, 1e-6, 0);
  seam_integrator *later = started(seam_ida_create, &van_der_pol_problem, 1e-6, 0);
  advance_to(ida, 1, y);
  const seam_statistics before = seam_integrator_statistics(ida);
  cr_assert_gt(before.rejected, 0);
  void *image = saved(ida);
  cr_assert_eq(seam_integrator_restore(ida, image, NULL), SEAM_OK);
  cr_assert_eq(seam_integrator_start(later, 1, y, NULL), SEAM_OK);
  advance_to(ida, 2, y);
  advance_to(later, 2, y);
  const seam_statistics both = seam_integrator_statistics(ida);
  const seam_statistics second = seam_integrator_statistics(later);
  cr_expect_eq(both.rejected, before.rejected + second.rejected);
  cr_expect_eq(both.steps, before.steps + second.steps);
  cr_expect_eq(both.evaluations, before.evaluations + second.evaluations);
  cr_expect_eq(both.factorisations, before.factorisations + second.factorisations);
  free(image);
  seam_integrator_destroy(ida);
  seam_integrator_destroy(later);
}

Test(ida, an_image_is_of_the_state_asked_for_last) {
  double before[MAX_VALUES];
  double after[MAX_VALUES];
  seam_integrator *ida = started(seam_ida_create, &pendulum_problem, 1e-8, 0);
  advance_to(ida, 1.234, before);
  void *image = saved(ida);
  advance_to(ida, 2, after);
  seam_integrator_restore(ida, image, NULL);
  advance_to(ida, 1.234, after);
  cr_expect_arr_eq(before, after, sizeof before);
  free(image);
  seam_integrator_destroy(ida);
}

Test(ida, a_restart_costs_little_accuracy) {
  seam_integrator *ida = started(seam_ida_create, &pendulum_problem, 1e-8, 0);
  double largest = 0;
  for (int i = 1; i <= 30; i++) {
    largest = fmax(largest, error_at(ida, &pendulum_problem, 0, n_motion, 0.1 * i));
    void *image = saved(ida);
    seam_integrator_restore(ida, image, NULL);
    free(image);
  }
  cr_expect_lt(largest, 1e-5, "%.2e", largest);
  seam_integrator_destroy(ida);
}

/* ---- Failures ---- */

Test(ida, refused_settings_are_not_reported_as_missing_memory) {
  const seam_tolerances tolerances = {.rtol = 1e-6, .atol = 1e-6, .largest_step = -1};
  seam_integrator *ida = NULL;
  seam_error error = {0};
  cr_expect_eq(seam_ida_create(&stiff_problem.dae, &tolerances, &ida, &error), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, "check rtol, atol and the largest step"), "%s", error.message);
}

Test(ida, fixed_steps_are_refused) {
  const seam_tolerances tolerances = {.rtol = 1e-6, .atol = 1e-6, .step = 0.01, .largest_step = INFINITY};
  seam_integrator *ida = NULL;
  seam_error error = {0};
  cr_expect_eq(seam_ida_create(&stiff_problem.dae, &tolerances, &ida, &error), SEAM_BAD_INPUT);
  cr_expect_null(ida);
  cr_expect_not_null(strstr(error.message, "take radau"), "%s", error.message);
}

Test(ida, a_pole_ends_the_run_where_it_is, .init = cr_redirect_stderr) {
  double y[MAX_VALUES];
  seam_error error = {0};
  seam_integrator *ida = started(seam_ida_create, &pole_problem, 1e-8, 0);
  const double reached = fail_before(ida, 2, y, SEAM_STEP_FAILED, &error);
  cr_expect_float_eq(reached, 1, 1e-5, "t = %.9f", reached);
  cr_expect(isfinite(y[0]));
  cr_expect_not_null(strstr(error.message, "t = "), "%s", error.message);
  cr_expect_stderr_eq_str("");
  seam_integrator_destroy(ida);
}

Test(ida, what_the_equation_says_is_passed_on, .init = cr_redirect_stderr) {
  double y[MAX_VALUES];
  seam_error error = {0};
  seam_integrator *ida = started(seam_ida_create, &ending_problem, 1e-6, 0);
  const double reached = fail_before(ida, 2, y, SEAM_NOT_FINITE, &error);
  cr_expect_float_eq(reached, 0.5, 1e-9, "t = %.12f", reached);
  cr_expect_eq(strncmp(error.message, "no law at t = 0.5", 17), 0, "%s", error.message);
  cr_expect_float_eq(y[0], 1, 1e-12);
  cr_expect_gt(seam_integrator_statistics(ida).rejected, 0);
  cr_expect_stderr_eq_str("");
  seam_integrator_destroy(ida);
}

Test(ida, a_singular_matrix_is_said, .init = cr_redirect_stderr) {
  double y[MAX_VALUES];
  seam_error error = {0};
  seam_integrator *ida = started(seam_ida_create, &fading_problem, 1e-6, 0);
  const double reached = fail_before(ida, 2, y, SEAM_SINGULAR, &error);
  cr_expect_float_eq(reached, 0.5, 0.1, "t = %.9f", reached);
  cr_expect_not_null(strstr(error.message, "singular configuration"), "%s", error.message);
  cr_expect_stderr_eq_str("");
  seam_integrator_destroy(ida);
}

Test(ida, a_singular_reference_is_refused) {
  const seam_tolerances tolerances = {.rtol = 1e-6, .atol = 1e-6, .largest_step = INFINITY};
  seam_dae dae = fading_problem.dae;
  seam_integrator *ida = NULL;
  seam_error error = {0};
  dae.t_reference = 1;
  cr_expect_eq(seam_ida_create(&dae, &tolerances, &ida, &error), SEAM_SINGULAR);
  cr_expect_null(ida);
  cr_expect_not_null(strstr(error.message, "singular"), "%s", error.message);
}

Test(ida, an_integrator_that_failed_can_start_again) {
  double y[MAX_VALUES];
  seam_error error = {0};
  seam_integrator *ida = started(seam_ida_create, &ending_problem, 1e-6, 0);
  fail_before(ida, 2, y, SEAM_NOT_FINITE, &error);
  cr_expect_eq(seam_integrator_start(ida, 0, y, &error), SEAM_OK);
  advance_to(ida, 0.4, y);
  cr_expect_float_eq(y[0], 1, 1e-12);
  seam_integrator_destroy(ida);
}

Test(ida, a_start_where_the_equation_fails_is_said) {
  double y[MAX_VALUES] = {1};
  seam_error error = {0};
  seam_integrator *ida = started(seam_ida_create, &ending_problem, 1e-6, 0);
  seam_integrator_start(ida, 0.7, y, &error);
  cr_expect_eq(fail_before(ida, 2, y, SEAM_NOT_FINITE, &error), 0.7);
  cr_expect_eq(y[0], 1);
  seam_integrator_destroy(ida);
}

Test(ida, the_worst_entry_is_not_a_multiplier) {
  double y[MAX_VALUES];
  seam_integrator *ida = started(seam_ida_create, &pendulum_problem, 1e-8, 0);
  advance_to(ida, 1, y);
  cr_expect_lt(seam_integrator_worst_entry(ida), PENDULUM_LAMBDA);
  seam_integrator_destroy(ida);
}
