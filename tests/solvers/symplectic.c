/* The symplectic Euler method. */
#include "solvers/ode.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/implicit_problems.h"

/* ---- Equations ---- */

/* q'' = -q; w' = v. */
static seam_status oscillator(void *context, double t, const double *y, double *dy, seam_error *error) {
  (void)context, (void)t, (void)error;
  dy[0] = y[1];
  dy[1] = -y[0];
  dy[2] = y[1];
  return SEAM_OK;
}

/* q'' = t. */
static seam_status ramp(void *context, double t, const double *y, double *dy, seam_error *error) {
  (void)context, (void)error;
  dy[0] = y[1];
  dy[1] = t;
  return SEAM_OK;
}

/* A point on the unit circle, free of forces. */
static seam_status circle(void *context, double t, const double *y, double *dy, seam_error *error) {
  (void)context, (void)t, (void)error;
  const double inwards = y[2] * y[2] + y[3] * y[3];
  memcpy(dy, (double[4]){y[2], y[3], -inwards * y[0], -inwards * y[1]}, 4 * sizeof *dy);
  return SEAM_OK;
}

static seam_status onto_circle(void *context, double t, double *y, seam_error *error) {
  (void)context, (void)t, (void)error;
  const double r = hypot(y[0], y[1]);
  y[0] /= r;
  y[1] /= r;
  const double outwards = y[0] * y[2] + y[1] * y[3];
  y[2] -= outwards * y[0];
  y[3] -= outwards * y[1];
  return SEAM_OK;
}

/* |p - μ q| = 1 for the end p of a step from q. */
static seam_status held_on_circle(void *context, double t, double h, const double *y, double *end, seam_error *error) {
  (void)context, (void)t, (void)error;
  const double b = end[0] * y[0] + end[1] * y[1];
  const double mu = b - sqrt(b * b + 1 - end[0] * end[0] - end[1] * end[1]);
  for (int i = 0; i < 2; i++) {
    end[i] -= mu * y[i];
    end[2 + i] -= mu * y[i] / h;
  }
  return SEAM_OK;
}

static seam_status fails_at_half(void *context, double t, const double *y, double *dy, seam_error *error) {
  return t < 0.5 ? oscillator(context, t, y, dy, error) : seam_fail(error, SEAM_NOT_FINITE, "no force at %g", t);
}

static const seam_ode of_oscillator = {.n = 3, .n_controlled = 2, .n_positions = 1, .rhs = oscillator};
static const double at_rest[3] = {1, 0, 0};

/* ---- Short ways ---- */

static seam_integrator *begun(const seam_ode *ode, double step, double t, const double *y) {
  const seam_tolerances tolerances = {.step = step, .largest_step = INFINITY};
  seam_integrator *integrator = NULL;
  cr_assert_eq(seam_symplectic_create(ode, &tolerances, &integrator, NULL), SEAM_OK);
  cr_assert_eq(seam_integrator_start(integrator, t, y, NULL), SEAM_OK);
  return integrator;
}

/* Error of q = cos t at t = 2. */
static double error_of_run_with(int n_steps) {
  double y[3];
  seam_integrator *integrator = begun(&of_oscillator, 2.0 / n_steps, 0, at_rest);
  seam_integrator_set_stop(integrator, 2);
  advance_to(integrator, 2, y);
  seam_integrator_destroy(integrator);
  return fabs(y[0] - cos(2));
}

/* ---- Steps ---- */

Test(symplectic, one_step_by_hand) {
  const double h = 0.25;
  double y[3];
  seam_integrator *integrator = begun(&of_oscillator, h, 0, (double[3]){1, 2, 3});
  advance_to(integrator, h, y);
  cr_expect_eq(y[1], 2 - h * 1);
  cr_expect_eq(y[0], 1 + h * (2 - h * 1));
  cr_expect_eq(y[2], 3 + h * 2);
  seam_integrator_destroy(integrator);
}

Test(symplectic, forces_are_taken_at_the_beginning) {
  const seam_ode ode = {.n = 2, .n_controlled = 2, .n_positions = 1, .rhs = ramp};
  double y[2];
  seam_integrator *integrator = begun(&ode, 0.5, 4, (double[2]){0, 0});
  advance_to(integrator, 4.5, y);
  cr_expect_eq(y[1], 2);
  cr_expect_eq(y[0], 1);
  seam_integrator_destroy(integrator);
}

Test(symplectic, order_1) {
  const double slope = log2(error_of_run_with(1000) / error_of_run_with(2000));
  cr_expect_float_eq(slope, 1, 0.01, "%g", slope);
}

Test(symplectic, a_step_takes_one_evaluation) {
  double y[3];
  seam_integrator *integrator = begun(&of_oscillator, 0.5, 0, at_rest);
  advance_to(integrator, 10, y);
  cr_expect_eq(seam_integrator_statistics(integrator).steps, 20);
  cr_expect_eq(seam_integrator_statistics(integrator).evaluations, 20);
  seam_integrator_destroy(integrator);
}

/* q² + v² - h q v stays exactly: each step is a linear map that keeps it. */
Test(symplectic, the_energy_of_an_oscillator_does_not_drift) {
  const double h = 0.1;
  double y[3];
  double largest = 0;
  seam_integrator *integrator = begun(&of_oscillator, h, 0, at_rest);
  for (int i = 1; i <= 100; i++) {
    advance_to(integrator, 100 * h * i, y);
    largest = fmax(largest, fabs(y[0] * y[0] + y[1] * y[1] - h * y[0] * y[1] - 1));
  }
  cr_expect_lt(largest, 1e-12, "%.2e", largest);
  seam_integrator_destroy(integrator);
}

Test(symplectic, every_state_is_projected) {
  const seam_ode ode = {.n = 4, .n_controlled = 4, .n_positions = 2, .rhs = circle, .project = onto_circle};
  seam_integrator *integrator = begun(&ode, 0.1, 0, (double[4]){1, 0, 0, 1});
  for (int i = 1; i <= 50; i++) {
    double y[4];
    advance_to(integrator, 0.17 * i, y);
    cr_assert_float_eq(hypot(y[0], y[1]), 1, 1e-15, "t = %g", 0.17 * i);
    cr_assert_float_eq(y[0] * y[2] + y[1] * y[3], 0, 1e-15, "t = %g", 0.17 * i);
  }
  seam_integrator_destroy(integrator);
}

/* By projection alone it would become slower by 0.5 % in each step. */
Test(symplectic, a_free_point_on_a_circle_keeps_its_speed) {
  const seam_ode ode = {
      .n = 4, .n_controlled = 4, .n_positions = 2, .rhs = circle, .project = onto_circle, .shake = held_on_circle};
  seam_integrator *integrator = begun(&ode, 0.1, 0, (double[4]){1, 0, 0, 1});
  for (int i = 1; i <= 50; i++) {
    double y[4];
    advance_to(integrator, i, y);
    cr_assert_float_eq(hypot(y[0], y[1]), 1, 1e-14, "t = %d", i);
    cr_assert_float_eq(hypot(y[2], y[3]), 1, 1e-13, "t = %d", i);
  }
  seam_integrator_destroy(integrator);
}

/* ---- Saving and restoring ---- */

Test(symplectic, restored_runs_repeat_to_the_bit) {
  double first[3];
  double second[3];
  seam_integrator *integrator = begun(&of_oscillator, 0.01, 0, at_rest);
  void *image = malloc(seam_integrator_image_size(integrator));
  cr_assert_not_null(image);
  advance_to(integrator, 1.234, first);
  seam_integrator_save(integrator, image);
  advance_to(integrator, 3, first);
  seam_integrator_restore(integrator, image, NULL);
  advance_to(integrator, 3, second);
  cr_expect_arr_eq(first, second, sizeof first);
  free(image);
  seam_integrator_destroy(integrator);
}

/* ---- Failures ---- */

static void expect_refusal(const seam_ode *ode, double step, const char *reason) {
  const seam_tolerances tolerances = {.rtol = 1e-6, .atol = 1e-6, .step = step, .largest_step = INFINITY};
  seam_integrator *integrator = NULL;
  seam_error error = {0};
  cr_expect_eq(seam_symplectic_create(ode, &tolerances, &integrator, &error), SEAM_BAD_INPUT);
  cr_expect_null(integrator);
  cr_expect_not_null(strstr(error.message, reason), "%s", error.message);
}

Test(symplectic, adaptive_steps_are_refused) { expect_refusal(&of_oscillator, 0, "give a step"); }

Test(symplectic, equations_of_first_order_are_refused) {
  const seam_ode ode = {.n = 3, .n_controlled = 2, .rhs = oscillator};
  expect_refusal(&ode, 0.1, "needs positions");
}

Test(symplectic, what_the_equation_says_is_passed_on) {
  const seam_ode ode = {.n = 3, .n_controlled = 2, .n_positions = 1, .rhs = fails_at_half};
  double y[3];
  seam_error error = {0};
  seam_integrator *integrator = begun(&ode, 0.125, 0, at_rest);
  cr_expect_eq(fail_before(integrator, 1, y, SEAM_NOT_FINITE, &error), 0.5);
  cr_expect_str_eq(error.message, "no force at 0.5");
  seam_integrator_destroy(integrator);
}
