/* CVODES behind our interface, on equations with exact solutions. */
#include "solvers/ode.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <lapacke.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/cvode_equations.h"
#include "tests/support/implicit_problems.h"
/* ---- Newton's systems, dense ---- */

typedef struct dense {
  int n;
  void (*jacobian)(double t, const double *y, double *J);
  double A[MAX_CONTROLLED * MAX_CONTROLLED];
  lapack_int pivots[MAX_CONTROLLED];
  bool wrong; /* x goes far the wrong way */
} dense;

static seam_status set_up(void *context, double t, const double *y, double gamma, seam_error *error) {
  dense *self = context;
  const int n = self->n;
  self->jacobian(t, y, self->A);
  for (int i = 0; i < n * n; i++)
    self->A[i] = (i % (n + 1) == 0 ? 1 : 0) - gamma * self->A[i];
  return LAPACKE_dgetrf(LAPACK_ROW_MAJOR, n, n, self->A, n, self->pivots) == 0
             ? SEAM_OK
             : seam_fail(error, SEAM_SINGULAR, "t = %g: singular", t);
}

static void solve(void *context, double *b) {
  const dense *self = context;
  LAPACKE_dgetrs(LAPACK_ROW_MAJOR, 'N', self->n, 1, self->A, self->n, self->pivots, b, 1);
  for (int i = 0; i < self->n && self->wrong; i++)
    b[i] *= -1e12;
}

/* ---- Short ways ---- */

static seam_integrator *create_by(seam_formulas formulas, const equation *e, dense *matrix, double tolerance) {
  const seam_tolerances tolerances = {.rtol = tolerance, .atol = tolerance, .largest_step = INFINITY};
  const seam_newton newton = {.setup = set_up, .solve = solve, .context = matrix};
  seam_integrator *integrator = NULL;
  *matrix = (dense){.n = (int)e->ode.n_controlled, .jacobian = e->jacobian};
  cr_assert_eq(seam_cvode_create(&e->ode, formulas, &newton, &tolerances, &integrator, NULL), SEAM_OK);
  return integrator;
}

static seam_integrator *create(const equation *e, dense *matrix, double tolerance) {
  return create_by(SEAM_BDF, e, matrix, tolerance);
}

static seam_integrator *begun(const equation *e, dense *matrix, double tolerance) {
  seam_integrator *integrator = create(e, matrix, tolerance);
  cr_assert_eq(seam_integrator_start(integrator, 0, e->start, NULL), SEAM_OK);
  return integrator;
}

/* Largest error of the pendulum's position and velocity at time t. */
static double pendulum_error(seam_integrator *integrator, double t) {
  double y[5];
  double exact[MAX_VALUES];
  double largest = 0;
  advance_to(integrator, t, y);
  pendulum_problem.exact(t, exact);
  for (int i = 0; i < 4; i++)
    largest = fmax(largest, fabs(y[i] - exact[i]));
  return largest;
}

/* ---- Accuracy ---- */

Test(cvode, a_stiff_equation_takes_the_steps_of_its_solution) {
  dense matrix;
  double y[2];
  seam_integrator *integrator = begun(&of_stiff, &matrix, 1e-8);
  advance_to(integrator, 10, y);
  cr_expect_float_eq(y[0], cos(10), 1e-7);
  cr_expect_float_eq(y[1], sin(10), 1e-6);
  cr_expect_lt(seam_integrator_statistics(integrator).steps, 600);
  seam_integrator_destroy(integrator);
}

Test(cvode, the_error_follows_the_tolerance) {
  for (int k = 6; k <= 12; k += 2) {
    dense matrix;
    const double tolerance = pow(10, -k);
    seam_integrator *integrator = begun(&of_pendulum, &matrix, tolerance);
    const double error = pendulum_error(integrator, 3);
    cr_expect_lt(error, 3000 * tolerance, "tolerance %g: %.2e", tolerance, error);
    cr_expect_gt(error, tolerance, "tolerance %g: %.2e", tolerance, error);
    seam_integrator_destroy(integrator);
  }
}

Test(cvode, quadratures_are_as_accurate) {
  for (int k = 6; k <= 12; k += 2) {
    dense matrix;
    double y[5];
    const double tolerance = pow(10, -k);
    seam_integrator *integrator = begun(&of_pendulum, &matrix, tolerance);
    advance_to(integrator, 3, y);
    cr_expect_float_eq(y[4], y[1], 3000 * tolerance, "tolerance %g: %.2e", tolerance, y[4] - y[1]);
    seam_integrator_destroy(integrator);
  }
}

Test(cvode, quadratures_change_no_step) {
  dense matrix;
  double with[5];
  double without[4];
  equation plain = of_pendulum;
  plain.ode.n = 4;
  seam_integrator *integrator = begun(&of_pendulum, &matrix, 1e-8);
  advance_to(integrator, 3, with);
  seam_integrator_destroy(integrator);
  integrator = begun(&plain, &matrix, 1e-8);
  advance_to(integrator, 3, without);
  cr_expect_arr_eq(with, without, sizeof without);
  seam_integrator_destroy(integrator);
}

/* A point on the unit circle, and the angle as quadrature. */
static seam_status turn(void *context, double t, const double *y, double *dy, seam_error *error) {
  (void)context, (void)t, (void)error;
  dy[0] = -y[1];
  dy[1] = y[0];
  dy[2] = 1;
  return SEAM_OK;
}

static void turn_jacobian(double t, const double *y, double *J) {
  (void)t, (void)y;
  memcpy(J, (const double[4]){0, -1, 1, 0}, 4 * sizeof *J);
}

/* Steps until t = 20, and the largest error there. */
static size_t turn_by(seam_formulas formulas, double tolerance, double *error) {
  static const equation e = {{.n = 3, .n_controlled = 2, .rhs = turn}, turn_jacobian, {1, 0, 0}};
  dense matrix;
  double y[3];
  seam_integrator *integrator = create_by(formulas, &e, &matrix, tolerance);
  cr_assert_eq(seam_integrator_start(integrator, 0, e.start, NULL), SEAM_OK);
  advance_to(integrator, 20, y);
  *error = fmax(fmax(fabs(y[0] - cos(20)), fabs(y[1] - sin(20))), fabs(y[2] - 20));
  const size_t steps = seam_integrator_statistics(integrator).steps;
  seam_integrator_destroy(integrator);
  return steps;
}

/* Errors c h^(q + 1) of steps at a millionth of the tolerance take 10^(6 / (q + 1)) times as many: 10 by BDF of
 * order 5. Adams of higher orders takes less than 10^(6 / 8). */
Test(cvode, adams_has_higher_orders_than_bdf) {
  double error[2][2];
  size_t steps[2][2];
  for (int by = SEAM_BDF; by <= SEAM_ADAMS; by++)
    for (int k = 0; k < 2; k++) {
      const double tolerance = k == 0 ? 1e-6 : 1e-12;
      steps[by][k] = turn_by((seam_formulas)by, tolerance, &error[by][k]);
      cr_expect_lt(error[by][k], 1000 * tolerance, "%d, %g: %g", by, tolerance, error[by][k]);
    }
  const double more_bdf = (double)steps[SEAM_BDF][1] / (double)steps[SEAM_BDF][0];
  const double more_adams = (double)steps[SEAM_ADAMS][1] / (double)steps[SEAM_ADAMS][0];
  cr_expect_gt(more_bdf, 8, "%g", more_bdf);
  cr_expect_lt(more_adams, pow(10, 6.0 / 8), "%g", more_adams);
}

/* ---- Work ---- */

Test(cvode, matrices_are_kept_over_several_steps) {
  dense matrix;
  double y[5];
  seam_integrator *integrator = begun(&of_pendulum, &matrix, 1e-8);
  advance_to(integrator, 3, y);
  const seam_statistics count = seam_integrator_statistics(integrator);
  cr_expect_lt(5 * count.factorisations, count.steps);
  seam_integrator_destroy(integrator);
}

Test(cvode, a_step_takes_little_more_than_one_evaluation) {
  dense matrix;
  double y[5];
  seam_integrator *integrator = begun(&of_pendulum, &matrix, 1e-8);
  advance_to(integrator, 3, y);
  const seam_statistics count = seam_integrator_statistics(integrator);
  cr_expect_lt((double)count.evaluations, 1.3 * (double)count.steps);
  seam_integrator_destroy(integrator);
}

Test(cvode, no_step_is_longer_than_the_largest) {
  const seam_tolerances tolerances = {.rtol = 1e-4, .atol = 1e-4, .largest_step = 0.01};
  dense matrix = {.n = 4, .jacobian = equation_pendulum_jacobian};
  const seam_newton newton = {.setup = set_up, .solve = solve, .context = &matrix};
  double y[5];
  seam_integrator *integrator = NULL;
  cr_assert_eq(seam_cvode_create(&of_pendulum.ode, SEAM_BDF, &newton, &tolerances, &integrator, NULL), SEAM_OK);
  seam_integrator_start(integrator, 0, of_pendulum.start, NULL);
  advance_to(integrator, 1, y);
  const seam_statistics count = seam_integrator_statistics(integrator);
  cr_expect_leq(count.largest_step, 0.01 * (1 + 1e-12));
  cr_expect_gt(count.smallest_step, 0);
  seam_integrator_destroy(integrator);
}

Test(cvode, the_entry_with_the_largest_error_is_named) {
  const equation e = {.ode = {.n = 3, .n_controlled = 3, .rhs = equation_fast_and_slow},
                      .jacobian = equation_no_jacobian};
  dense matrix;
  double y[3];
  seam_integrator *integrator = begun(&e, &matrix, 1e-6);
  cr_expect_eq(seam_integrator_worst_entry(integrator), 0);
  advance_to(integrator, 1, y);
  cr_expect_eq(seam_integrator_worst_entry(integrator), 2);
  seam_integrator_destroy(integrator);
}

/* ---- States ---- */

Test(cvode, the_invariant_is_kept_at_steps_and_between) {
  dense matrix;
  seam_integrator *integrator = begun(&of_pendulum, &matrix, 1e-4);
  for (int i = 1; i <= 300; i++) {
    double y[5];
    advance_to(integrator, 0.01 * i, y);
    cr_assert_float_eq(hypot(y[0], y[1]), 1, 1e-15, "t = %g", 0.01 * i);
    cr_assert_float_eq(y[0] * y[2] + y[1] * y[3], 0, 1e-14, "t = %g", 0.01 * i);
  }
  seam_integrator_destroy(integrator);
}

Test(cvode, the_projection_does_not_strain_stiff_elements) {
  dense matrix;
  double y[8];
  double exact[MAX_VALUES];
  seam_integrator *integrator = begun(&of_halves, &matrix, 1e-6);
  advance_to(integrator, 1, y);
  pendulum_problem.exact(1, exact);
  const size_t steps = seam_integrator_statistics(integrator).steps;
  cr_expect_lt(steps, 600, "%zu", steps);
  cr_expect_float_eq(y[2], exact[0], 1e-3, "%.2e", y[2] - exact[0]);
  cr_expect_float_eq(y[3], exact[1], 1e-3, "%.2e", y[3] - exact[1]);
  seam_integrator_destroy(integrator);
}

Test(cvode, asking_for_states_changes_no_step) {
  dense matrix;
  double asked[5];
  double unasked[5];
  seam_integrator *integrator = begun(&of_pendulum, &matrix, 1e-8);
  for (int i = 1; i <= 100; i++)
    advance_to(integrator, 0.03 * i, asked);
  seam_integrator_destroy(integrator);
  integrator = begun(&of_pendulum, &matrix, 1e-8);
  advance_to(integrator, 0.03 * 100, unasked);
  cr_expect_arr_eq(asked, unasked, sizeof asked);
  seam_integrator_destroy(integrator);
}

Test(cvode, states_between_steps_are_as_accurate_as_steps) {
  dense matrix;
  double largest = 0;
  seam_integrator *integrator = begun(&of_pendulum, &matrix, 1e-10);
  for (int i = 1; i <= 300; i++)
    largest = fmax(largest, pendulum_error(integrator, 0.01 * i));
  cr_expect_lt(largest, 3000e-10, "%.2e", largest);
  seam_integrator_destroy(integrator);
}

Test(cvode, the_state_at_the_start_is_the_one_given) {
  dense matrix;
  double y[5];
  seam_integrator *integrator = begun(&of_pendulum, &matrix, 1e-8);
  advance_to(integrator, 0, y);
  cr_expect_arr_eq(y, of_pendulum.start, sizeof y);
  seam_integrator_destroy(integrator);
}

Test(cvode, states_before_the_last_step_are_refused) {
  dense matrix;
  double y[5];
  double reached = NAN;
  seam_error error = {0};
  seam_integrator *integrator = begun(&of_pendulum, &matrix, 1e-8);
  advance_to(integrator, 1, y);
  cr_expect_eq(seam_integrator_advance(integrator, 0.5, y, &reached, &error), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, "ascending order"), "%s", error.message);
  seam_integrator_destroy(integrator);
}

/* ---- Stop times ---- */

Test(cvode, the_stop_time_is_reached_and_never_passed) {
  double latest = 0;
  dense matrix;
  const equation e = {.ode = {.n = 1, .n_controlled = 1, .rhs = equation_recorded_wave, .context = &latest},
                      .jacobian = equation_no_jacobian};
  seam_integrator *integrator = begun(&e, &matrix, 1e-6);
  for (int i = 1; i <= 30; i++) {
    double y = 0;
    const double stop = 0.1 * i;
    seam_integrator_set_stop(integrator, stop);
    advance_to(integrator, stop, &y);
    cr_assert_leq(latest, stop, "passed %g", stop);
    cr_assert_float_eq(y, sin(stop), 1e-4);
  }
  seam_integrator_destroy(integrator);
}

Test(cvode, a_stop_time_next_to_the_present_is_reached) {
  dense matrix;
  double y[5];
  seam_integrator *integrator = create(&of_pendulum, &matrix, 1e-8);
  seam_integrator_start(integrator, 0.3, of_pendulum.start, NULL);
  for (int i = 0; i < 3; i++) {
    const double stop = 0.3 + 0.5 * i;
    seam_integrator_set_stop(integrator, stop);
    advance_to(integrator, stop, y);
    seam_integrator_set_stop(integrator, nextafter(stop, 10));
    advance_to(integrator, nextafter(stop, 10), y);
  }
  seam_integrator_destroy(integrator);
}

Test(cvode, going_beyond_the_stop_time_is_refused) {
  dense matrix;
  double y[5];
  seam_error error = {0};
  seam_integrator *integrator = begun(&of_pendulum, &matrix, 1e-8);
  seam_integrator_set_stop(integrator, 0.5);
  cr_expect_eq(fail_before(integrator, 1, y, SEAM_BAD_INPUT, &error), 0.5);
  cr_expect_not_null(strstr(error.message, "set a later one"), "%s", error.message);
  seam_integrator_destroy(integrator);
}

/* ---- Saving and restoring ---- */

typedef struct run {
  double y[5];
  seam_statistics count;
} run;

static run run_from(seam_integrator *integrator, const void *image, double t) {
  run r = {.y = {0}};
  cr_assert_eq(seam_integrator_restore(integrator, image, NULL), SEAM_OK);
  advance_to(integrator, t, r.y);
  r.count = seam_integrator_statistics(integrator);
  return r;
}

static void *image_at(seam_integrator *integrator, double t, double *y) {
  void *image = malloc(seam_integrator_image_size(integrator));
  cr_assert_not_null(image);
  advance_to(integrator, t, y);
  seam_integrator_save(integrator, image);
  return image;
}

Test(cvode, restores_of_one_image_repeat_each_other_to_the_bit) {
  dense matrix;
  dense other_matrix;
  double y[5];
  seam_integrator *integrator = begun(&of_pendulum, &matrix, 1e-8);
  seam_integrator *other = create(&of_pendulum, &other_matrix, 1e-8);
  void *image = image_at(integrator, 1.234, y);
  advance_to(integrator, 2, y);
  const run first = run_from(integrator, image, 3);
  const run second = run_from(integrator, image, 3);
  const run third = run_from(other, image, 3);
  cr_expect_arr_eq(first.y, second.y, sizeof first.y);
  cr_expect_arr_eq(first.y, third.y, sizeof first.y);
  cr_expect_eq(first.count.steps, second.count.steps);
  cr_expect_eq(first.count.evaluations, third.count.evaluations);
  free(image);
  seam_integrator_destroy(integrator);
  seam_integrator_destroy(other);
}

Test(cvode, the_image_holds_the_state_handed_out) {
  dense matrix;
  double y[5];
  seam_integrator *integrator = begun(&of_pendulum, &matrix, 1e-8);
  void *image = image_at(integrator, 1.234, y);
  const size_t steps = seam_integrator_statistics(integrator).steps;
  const run r = run_from(integrator, image, 1.234);
  cr_expect_arr_eq(r.y, y, sizeof y);
  cr_expect_eq(r.count.steps, steps);
  free(image);
  seam_integrator_destroy(integrator);
}

Test(cvode, the_image_holds_the_stop_time) {
  dense matrix;
  double y[5];
  seam_error error = {0};
  seam_integrator *integrator = begun(&of_pendulum, &matrix, 1e-8);
  seam_integrator_set_stop(integrator, 2);
  void *image = image_at(integrator, 1, y);
  seam_integrator_set_stop(integrator, 3);
  run_from(integrator, image, 1.5);
  cr_expect_eq(fail_before(integrator, 3, y, SEAM_BAD_INPUT, &error), 2);
  free(image);
  seam_integrator_destroy(integrator);
}

/* The figures of cvode.h. */
Test(cvode, a_restore_costs_what_is_said) {
  dense matrix;
  double y[5];
  for (int k = 6; k <= 12; k += 6) {
    const double tolerance = pow(10, -k);
    seam_integrator *straight = begun(&of_pendulum, &matrix, tolerance);
    advance_to(straight, 3, y);
    const size_t evaluations = seam_integrator_statistics(straight).evaluations;
    seam_integrator_destroy(straight);
    seam_integrator *integrator = begun(&of_pendulum, &matrix, tolerance);
    void *image = malloc(seam_integrator_image_size(integrator));
    for (int i = 1; i < 30; i++) {
      advance_to(integrator, 0.1 * i, y);
      seam_integrator_save(integrator, image);
      seam_integrator_restore(integrator, image, NULL);
    }
    const double error = pendulum_error(integrator, 3);
    const size_t more = seam_integrator_statistics(integrator).evaluations - evaluations;
    cr_expect_lt(more, 29 * 75, "tolerance %g: %zu", tolerance, more / 29);
    cr_expect_lt(error, 6000 * tolerance, "tolerance %g: %.2e", tolerance, error);
    free(image);
    seam_integrator_destroy(integrator);
  }
}

/* ---- Failures ---- */

Test(cvode, fixed_steps_are_refused) {
  const seam_tolerances tolerances = {.rtol = 1e-6, .atol = 1e-6, .step = 0.01};
  const seam_newton newton = {.setup = set_up, .solve = solve};
  seam_integrator *integrator = NULL;
  seam_error error = {0};
  cr_expect_eq(seam_cvode_create(&of_pole.ode, SEAM_BDF, &newton, &tolerances, &integrator, &error), SEAM_BAD_INPUT);
  cr_expect_null(integrator);
  cr_expect_not_null(strstr(error.message, "leave out 'step' (0.01 s)"), "%s", error.message);
}

Test(cvode, a_pole_ends_the_run_where_it_is) {
  dense matrix;
  double y = 0;
  seam_error error = {0};
  seam_integrator *integrator = begun(&of_pole, &matrix, 1e-8);
  const double reached = fail_before(integrator, 2, &y, SEAM_STEP_FAILED, &error);
  cr_expect_float_eq(reached, 1, 1e-4, "t = %.9f", reached);
  cr_expect(isfinite(y));
  cr_expect_not_null(strstr(error.message, "too small"), "%s", error.message);
  seam_integrator_destroy(integrator);
}

Test(cvode, what_the_equation_says_is_passed_on) {
  dense matrix;
  double y = 0;
  seam_error error = {0};
  seam_integrator *integrator = begun(&of_wave_until_half, &matrix, 1e-6);
  const double reached = fail_before(integrator, 2, &y, SEAM_NOT_FINITE, &error);
  cr_expect_eq(error.status, SEAM_NOT_FINITE);
  cr_expect_eq(strncmp(error.message, "no wave at", 10), 0, "%s", error.message);
  cr_expect_leq(reached, 0.5);
  cr_expect_geq(reached, 0.45);
  cr_expect_float_eq(y, sin(reached), 1e-4);
  seam_integrator_destroy(integrator);
}

Test(cvode, an_interruption_ends_the_run_at_once) {
  int n_calls = 0;
  const equation e = {.ode = {.n = 1, .n_controlled = 1, .rhs = equation_interrupted_wave, .context = &n_calls},
                      .jacobian = equation_no_jacobian};
  dense matrix;
  double y = 0;
  seam_error error = {0};
  seam_integrator *integrator = begun(&e, &matrix, 1e-6);
  fail_before(integrator, 2, &y, SEAM_INTERRUPTED, &error);
  cr_expect_eq(n_calls, 1);
  seam_integrator_destroy(integrator);
}

Test(cvode, a_first_evaluation_that_fails_is_passed_on) {
  dense matrix;
  double y = 1;
  double reached = NAN;
  seam_error error = {0};
  seam_integrator *integrator = create(&of_wave_until_half, &matrix, 1e-6);
  seam_integrator_start(integrator, 1, &y, NULL);
  cr_expect_eq(seam_integrator_advance(integrator, 2, &y, &reached, &error), SEAM_NOT_FINITE);
  cr_expect_eq(reached, 1);
  cr_expect_eq(y, 1);
  seam_integrator_destroy(integrator);
}

Test(cvode, newton_not_converging_is_said) {
  dense matrix;
  double y[5];
  seam_error error = {0};
  seam_integrator *integrator = begun(&of_pendulum, &matrix, 1e-8);
  matrix.wrong = true;
  cr_expect_eq(fail_before(integrator, 2, y, SEAM_STEP_FAILED, &error), 0);
  cr_expect_not_null(strstr(error.message, "Newton's iteration"), "%s", error.message);
  cr_expect_arr_eq(y, of_pendulum.start, sizeof y);
  seam_integrator_destroy(integrator);
}

Test(cvode, failures_of_the_projection_are_passed_on) {
  equation e = of_pendulum;
  e.ode.project = equation_off_the_circle;
  dense matrix;
  double y[5];
  seam_error error = {0};
  seam_integrator *integrator = begun(&e, &matrix, 1e-6);
  cr_expect_eq(fail_before(integrator, 1, y, SEAM_CONSTRAINT_LOST, &error), 0);
  cr_expect_arr_eq(y, e.start, sizeof y);
  seam_integrator_destroy(integrator);
}

Test(cvode, the_library_below_prints_nothing, .init = cr_redirect_stderr) {
  dense matrix;
  double y = 0;
  seam_error error = {0};
  seam_integrator *integrator = begun(&of_wave_until_half, &matrix, 1e-6);
  fail_before(integrator, 2, &y, SEAM_NOT_FINITE, &error);
  seam_integrator_destroy(integrator);
  fflush(stderr);
  cr_expect_stderr_eq_str("");
}

/* ---- Restarts ---- */

Test(cvode, a_restart_repeats_the_start_and_goes_on_counting) {
  dense matrix;
  double y[5];
  double expected[5];
  seam_integrator *integrator = begun(&of_pendulum, &matrix, 1e-8);
  advance_to(integrator, 1, expected);
  const size_t n_steps = seam_integrator_statistics(integrator).steps;
  cr_assert_eq(seam_integrator_restart(integrator, 0, of_pendulum.start, 5, &(seam_step_memory){0}, NULL), SEAM_OK);
  advance_to(integrator, 1, y);
  cr_expect_arr_eq(y, expected, sizeof y);
  cr_expect_eq(seam_integrator_statistics(integrator).steps, 2 * n_steps);
  cr_expect_eq(seam_integrator_restart(integrator, 1, y, 4, &(seam_step_memory){0}, NULL), SEAM_BAD_INPUT);
  seam_integrator_destroy(integrator);
}
