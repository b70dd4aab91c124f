/* Radau IIA on equations with exact solutions. */
#include "solvers/dae.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/implicit_problems.h"

enum { n_stiff = 2, n_motion = 4 }; /* unknowns under test: of the stiff problem; positions and rates */

/* ---- Fixed steps ---- */

/* Of the pendulum's entries first to last (not included). */
static double measured_order(int first, int last) {
  const double coarse = error_of_run(seam_radau_create, &pendulum_problem, first, last, 1e-12, 1.0 / 64, 1);
  const double fine = error_of_run(seam_radau_create, &pendulum_problem, first, last, 1e-12, 1.0 / 128, 1);
  return log2(coarse / fine);
}

Test(radau, positions_and_rates_are_of_order_5) { cr_expect_float_eq(measured_order(0, n_motion), 5, 0.1); }

Test(radau, multipliers_are_of_order_3) {
  cr_expect_float_eq(measured_order(PENDULUM_LAMBDA, PENDULUM_MU + 1), 3, 0.2);
}

Test(radau, quadratures_are_of_order_5) {
  cr_expect_float_eq(measured_order(PENDULUM_HEIGHT, PENDULUM_HEIGHT + 2), 5, 0.1);
}

Test(radau, fixed_steps_end_exactly_at_the_stop_time) {
  double y[MAX_VALUES];
  seam_integrator *radau = started(seam_radau_create, &stiff_problem, 1e-8, 0.3);
  seam_integrator_set_stop(radau, 1);
  advance_to(radau, 1, y);
  const seam_statistics count = seam_integrator_statistics(radau);
  cr_expect_eq(count.steps, 4);
  cr_expect_float_eq(count.smallest_step, 0.1, 1e-15);
  seam_integrator_destroy(radau);
}

/* ---- Adaptive steps ---- */

static void expect_within(const problem *p, int n, double n_tolerances, double end) {
  for (int digits = 4; digits <= 13; digits++) {
    const double tolerance = pow(10, -digits);
    const double error = error_of_run(seam_radau_create, p, 0, n, tolerance, 0, end);
    cr_expect_lt(error, n_tolerances * tolerance, "tolerance %g: %.2e", tolerance, error);
  }
}

Test(radau, the_error_of_a_stiff_equation_follows_the_tolerance) { expect_within(&stiff_problem, n_stiff, 2, 10); }

Test(radau, the_error_of_a_pendulum_follows_the_tolerance) { expect_within(&pendulum_problem, n_motion, 50, 3); }

Test(radau, the_error_of_van_der_pols_equation_follows_the_tolerance) {
  expect_within(&van_der_pol_problem, n_stiff, 10, 2);
}

Test(radau, a_stiff_equation_takes_few_steps) {
  double y[MAX_VALUES];
  seam_integrator *radau = started(seam_radau_create, &van_der_pol_problem, 1e-6, 0);
  seam_integrator_set_stop(radau, 2);
  advance_to(radau, 2, y);
  const seam_statistics count = seam_integrator_statistics(radau);
  cr_expect_lt(count.steps, 1000, "%zu", count.steps);
  cr_expect_leq(count.factorisations, count.steps + count.rejected);
  seam_integrator_destroy(radau);
}

Test(radau, no_step_is_longer_than_the_largest) { expect_largest_step_kept(seam_radau_create); }

/* ---- States between steps ---- */

Test(radau, asking_for_states_changes_no_step) { expect_steps_of_their_own(seam_radau_create); }

Test(radau, restarts_repeat_starts) { expect_restarts(seam_radau_create); }

Test(radau, states_between_steps_are_as_accurate_as_steps) {
  double largest = 0;
  seam_integrator *radau = started(seam_radau_create, &pendulum_problem, 1e-10, 0);
  for (int i = 1; i <= 300; i++)
    largest = fmax(largest, error_at(radau, &pendulum_problem, 0, n_motion, 0.01 * i));
  cr_expect_lt(largest, 3e-9, "%.2e", largest);
  seam_integrator_destroy(radau);
}

Test(radau, states_between_steps_keep_the_constraints) {
  const double largest = largest_residual(seam_radau_create, 1e-8);
  cr_expect_lt(largest, 1e-10, "%.2e", largest);
}

/* ---- Saving and restoring ---- */

static void expect_same_bits(double step) {
  double first[MAX_VALUES];
  double second[MAX_VALUES];
  seam_integrator *radau = started(seam_radau_create, &pendulum_problem, 1e-8, step);
  seam_integrator *other = started(seam_radau_create, &pendulum_problem, 1e-8, step);
  void *image = malloc(seam_integrator_image_size(radau));
  cr_assert_not_null(image);
  advance_to(radau, 1.234, first);
  advance_to(other, 2.5, second);
  seam_integrator_save(radau, image);
  advance_to(radau, 3, first);
  const seam_statistics count = seam_integrator_statistics(radau);
  seam_integrator_restore(radau, image, NULL);
  advance_to(radau, 3, second);
  cr_expect_arr_eq(first, second, sizeof first);
  cr_expect_eq(seam_integrator_statistics(radau).steps, count.steps);
  seam_integrator_restore(other, image, NULL);
  advance_to(other, 3, second);
  cr_expect_arr_eq(first, second, sizeof first);
  free(image);
  seam_integrator_destroy(radau);
  seam_integrator_destroy(other);
}

Test(radau, restored_adaptive_runs_repeat_to_the_bit) { expect_same_bits(0); }

Test(radau, restored_fixed_runs_repeat_to_the_bit) { expect_same_bits(0.01); }

/* Another integrator takes over again and again, in the middle of what was kept, and finds the same to the last bit of
 * what it hands on. */
static void expect_kept_matrices_found(double step) {
  double y[MAX_VALUES];
  seam_integrator *radau = started(seam_radau_create, &pendulum_problem, 1e-8, step);
  seam_integrator *other = started(seam_radau_create, &pendulum_problem, 1e-8, step);
  const size_t size = seam_integrator_image_size(radau);
  unsigned char *image = malloc(2 * size);
  cr_assert_not_null(image);
  for (int k = 0; k < 100; k++) {
    seam_integrator_save(radau, image);
    seam_integrator_restore(other, image, NULL);
    advance_to(radau, 0.03 * (k + 1), y);
    advance_to(other, 0.03 * (k + 1), y);
    seam_integrator_save(radau, image);
    seam_integrator_save(other, image + size);
    cr_assert_arr_eq(image, image + size, size, "from %g s", 0.03 * k);
    advance_to(other, 0.03 * (k + 4), y); /* and goes elsewhere */
  }
  const seam_statistics count = seam_integrator_statistics(radau);
  cr_expect_lt(count.factorisations, 19 * count.steps / 20, "%zu in %zu steps", count.factorisations, count.steps);
  free(image);
  seam_integrator_destroy(radau);
  seam_integrator_destroy(other);
}

Test(radau, restored_adaptive_runs_find_kept_matrices) { expect_kept_matrices_found(0); }

Test(radau, restored_fixed_runs_find_kept_matrices) { expect_kept_matrices_found(0.01); }

/* ---- Failures ---- */

Test(radau, a_fixed_step_too_long_for_newton_is_said) {
  double y[MAX_VALUES];
  seam_error error = {0};
  seam_integrator *radau = started(seam_radau_create, &van_der_pol_problem, 1e-6, 0.1);
  fail_before(radau, 2, y, SEAM_NOT_CONVERGED, &error);
  cr_expect_not_null(strstr(error.message, "does not converge in a step of 0.1 s"), "%s", error.message);
  seam_integrator_destroy(radau);
}

Test(radau, a_pole_ends_the_run_where_it_is) {
  double y[MAX_VALUES];
  seam_error error = {0};
  seam_integrator *radau = started(seam_radau_create, &pole_problem, 1e-8, 0);
  const double reached = fail_before(radau, 2, y, SEAM_STEP_FAILED, &error);
  cr_expect_float_eq(reached, 1, 1e-5, "t = %.9f", reached);
  cr_expect(isfinite(y[0]));
  seam_integrator_destroy(radau);
}

static void expect_failure_at_half(double step, double allowance) {
  double y[MAX_VALUES];
  seam_error error = {0};
  seam_integrator *radau = started(seam_radau_create, &ending_problem, 1e-6, step);
  const double reached = fail_before(radau, 2, y, SEAM_NOT_FINITE, &error);
  cr_expect_leq(reached, 0.5);
  cr_expect_geq(reached, 0.5 - allowance);
  cr_expect_eq(strncmp(error.message, "no law at t = 0.5", 17), 0, "%s", error.message);
  seam_integrator_destroy(radau);
}

Test(radau, adaptive_steps_pass_on_what_the_equation_says) { expect_failure_at_half(0, 1e-12); }

Test(radau, fixed_steps_pass_on_what_the_equation_says) { expect_failure_at_half(0.03, 0.03); }

Test(radau, a_singular_matrix_is_said) {
  double y[MAX_VALUES];
  seam_error error = {0};
  seam_integrator *radau = started(seam_radau_create, &fading_problem, 1e-6, 0);
  const double reached = fail_before(radau, 2, y, SEAM_SINGULAR, &error);
  cr_expect_float_eq(reached, 0.5, 0.2, "t = %.9f", reached);
  cr_expect_not_null(strstr(error.message, "singular configuration"), "%s", error.message);
  seam_integrator_destroy(radau);
}

Test(radau, a_singular_reference_is_refused) {
  const seam_tolerances tolerances = {.rtol = 1e-6, .atol = 1e-6, .largest_step = INFINITY};
  seam_dae dae = fading_problem.dae;
  seam_integrator *radau = NULL;
  seam_error error = {0};
  dae.t_reference = 1;
  cr_expect_eq(seam_radau_create(&dae, &tolerances, &radau, &error), SEAM_SINGULAR);
  cr_expect_null(radau);
  cr_expect_not_null(strstr(error.message, "singular"), "%s", error.message);
}
