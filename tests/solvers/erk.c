/* The explicit Runge-Kutta integrator on equations with exact solutions. */
#include "solvers/erk.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int orders[] = {4, 5, 8};
enum { n_orders = sizeof orders / sizeof *orders };

/* ---- Equations ---- */

/* An equation with its exact solution from t = 0. */
typedef struct problem {
  size_t n;
  seam_status (*rhs)(void *context, double t, const double *y, double *dy, seam_error *error);
  void (*exact)(double t, double *y);
} problem;

/* A planet on an ellipse of eccentricity 0.5 (units of its half axis and period over 2π), from the perihelion. */
static seam_status planet(void *context, double t, const double *y, double *dy, seam_error *error) {
  (void)context, (void)t, (void)error;
  const double r = hypot(y[0], y[1]);
  memcpy(dy, (double[4]){y[2], y[3], -y[0] / (r * r * r), -y[1] / (r * r * r)}, 4 * sizeof *dy);
  return SEAM_OK;
}

static void planet_exact(double t, double *y) {
  const double e = 0.5;
  double E = t; /* Kepler's equation E - e sin E = t */
  for (int k = 0; k < 50; k++)
    E -= (E - e * sin(E) - t) / (1 - e * cos(E));
  const double rate = 1 / (1 - e * cos(E));
  const double minor = sqrt(1 - e * e);
  memcpy(y, (double[4]){cos(E) - e, minor * sin(E), -sin(E) * rate, minor * cos(E) * rate}, 4 * sizeof *y);
}

static void circle_exact(double t, double *y) {
  memcpy(y, (double[4]){cos(t), sin(t), -sin(t), cos(t)}, 4 * sizeof *y);
}

/* y = exp(sin t). */
static seam_status growth(void *context, double t, const double *y, double *dy, seam_error *error) {
  (void)context, (void)error;
  dy[0] = y[0] * cos(t);
  return SEAM_OK;
}

static void growth_exact(double t, double *y) { y[0] = exp(sin(t)); }

/* Right-hand sides of time alone. */
static seam_status wave(void *context, double t, const double *y, double *dy, seam_error *error) {
  (void)context, (void)y, (void)error;
  dy[0] = sin(20 * t);
  return SEAM_OK;
}

static void wave_exact(double t, double *y) { y[0] = (1 - cos(20 * t)) / 20; }

static const double pulse_width = 0.1;
static const double pulse_time = 1;

static seam_status pulse(void *context, double t, const double *y, double *dy, seam_error *error) {
  (void)context, (void)y, (void)error;
  const double c = cosh((t - pulse_time) / pulse_width);
  dy[0] = 1 / (c * c);
  return SEAM_OK;
}

static void pulse_exact(double t, double *y) {
  y[0] = pulse_width * (tanh((t - pulse_time) / pulse_width) + tanh(pulse_time / pulse_width));
}

static const problem of_planet = {4, planet, planet_exact};
static const problem of_circle = {4, planet, circle_exact};
static const problem of_growth = {1, growth, growth_exact};
static const problem of_wave = {1, wave, wave_exact};
static const problem of_pulse = {1, pulse, pulse_exact};

/* ---- Short ways ---- */

static seam_integrator *create(const seam_ode *ode, int order, double tolerance, double step) {
  const seam_tolerances tolerances = {.rtol = tolerance, .atol = tolerance, .step = step, .largest_step = INFINITY};
  seam_integrator *erk = NULL;
  char name[16];
  snprintf(name, sizeof name, "erk%d", order);
  cr_assert_eq(seam_erk_create(ode, name, &tolerances, &erk, NULL), SEAM_OK);
  return erk;
}

static seam_integrator *started(const problem *p, int order, double tolerance, double step) {
  const seam_ode ode = {.n = p->n, .n_controlled = p->n, .rhs = p->rhs};
  double y[4];
  seam_integrator *erk = create(&ode, order, tolerance, step);
  p->exact(0, y);
  cr_assert_eq(seam_integrator_start(erk, 0, y, NULL), SEAM_OK);
  return erk;
}

static void advance(seam_integrator *erk, double t, double *y) {
  double reached = NAN;
  cr_assert_eq(seam_integrator_advance(erk, t, y, &reached, NULL), SEAM_OK);
  cr_assert_eq(reached, t);
}

/* Largest error at time t. */
static double error_at(seam_integrator *erk, const problem *p, double t) {
  double y[4];
  double exact[4];
  double largest = 0;
  advance(erk, t, y);
  p->exact(t, exact);
  for (size_t i = 0; i < p->n; i++)
    largest = fmax(largest, fabs(y[i] - exact[i]));
  return largest;
}

static double error_of_run(const problem *p, int order, double tolerance, double step, double end) {
  seam_integrator *erk = started(p, order, tolerance, step);
  seam_integrator_set_stop(erk, end);
  const double error = error_at(erk, p, end);
  seam_integrator_destroy(erk);
  return error;
}

/* ---- Fixed steps ---- */

/* Slope of the error between the two finest steps whose errors stand above rounding. */
static double measured_order(const problem *p, int order) {
  const double end = 3;
  double slope = 0;
  double before = 0;
  for (int n = 8; n <= 4096; n *= 2) {
    const double error = error_of_run(p, order, 1, end / n, end);
    if (error < 1e-12)
      break;
    slope = log2(before / error);
    before = error;
  }
  return slope;
}

Test(erk, order_4) { cr_expect_float_eq(measured_order(&of_growth, 4), 4, 0.1); }

Test(erk, order_5) { cr_expect_float_eq(measured_order(&of_growth, 5), 5, 0.1); }

Test(erk, order_8) { cr_expect_float_eq(measured_order(&of_circle, 8), 8, 0.1); }

Test(erk, fixed_steps_end_exactly_at_the_stop_time) {
  double y[4];
  seam_integrator *erk = started(&of_planet, 5, 1, 0.3);
  seam_integrator_set_stop(erk, 1);
  advance(erk, 1, y);
  const seam_statistics statistics = seam_integrator_statistics(erk);
  cr_expect_eq(statistics.steps, 4);
  cr_expect_float_eq(statistics.smallest_step, 0.1, 1e-15);
  seam_integrator_destroy(erk);
}

Test(erk, fixed_steps_that_fit_leave_no_sliver) {
  double y[4];
  seam_integrator *erk = started(&of_planet, 5, 1, 0.1);
  seam_integrator_set_stop(erk, 1);
  advance(erk, 1, y);
  cr_expect_eq(seam_integrator_statistics(erk).steps, 10);
  seam_integrator_destroy(erk);
}

/* ---- Adaptive steps ---- */

/* Over two periods. */
Test(erk, the_error_follows_the_tolerance) {
  for (int k = 0; k < n_orders; k++) {
    const double coarse = error_of_run(&of_planet, orders[k], 1e-8, 0, 12);
    const double fine = error_of_run(&of_planet, orders[k], 1e-12, 0, 12);
    cr_expect_float_eq(log10(coarse / fine), 4, 0.8, "order %d: from %.2e to %.2e", orders[k], coarse, fine);
    cr_expect_lt(fine, 1e-10, "order %d", orders[k]);
  }
}

static void expect_within(double n_tolerances, const problem *p) {
  static const double tolerances[] = {1e-4, 1e-6, 1e-8, 1e-10};
  for (int k = 0; k < n_orders; k++)
    for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++) {
      const double error = error_of_run(p, orders[k], tolerances[i], 0, 3);
      cr_expect_lt(error, n_tolerances * tolerances[i], "order %d, tolerance %g: %.2e", orders[k], tolerances[i],
                   error);
    }
}

Test(erk, a_wave_in_time_is_seen) { expect_within(1, &of_wave); }

Test(erk, a_pulse_in_time_is_seen) { expect_within(10, &of_pulse); }

Test(erk, no_step_is_longer_than_the_largest) {
  const seam_ode ode = {.n = 4, .n_controlled = 4, .rhs = planet};
  const seam_tolerances tolerances = {.rtol = 1e-4, .atol = 1e-4, .largest_step = 0.01};
  double y[4];
  seam_integrator *erk = NULL;
  cr_assert_eq(seam_erk_create(&ode, "erk8", &tolerances, &erk, NULL), SEAM_OK);
  planet_exact(0, y);
  cr_assert_eq(seam_integrator_start(erk, 0, y, NULL), SEAM_OK);
  advance(erk, 3, y);
  cr_expect_leq(seam_integrator_statistics(erk).largest_step, 0.01 * (1 + 1e-12));
  seam_integrator_destroy(erk);
}

/* A second entry that is rough but not controlled. */
static seam_status with_rough_entry(void *context, double t, const double *y, double *dy, seam_error *error) {
  dy[1] = sin(1000 * t);
  return wave(context, t, y, dy, error);
}

Test(erk, entries_that_are_not_controlled_do_not_choose_steps) {
  const double zero[2] = {0};
  double y[2];
  double reference[2];
  const seam_ode ode = {.n = 2, .n_controlled = 1, .rhs = with_rough_entry};
  seam_integrator *erk = create(&ode, 5, 1e-6, 0);
  seam_integrator *without = started(&of_wave, 5, 1e-6, 0);
  cr_assert_eq(seam_integrator_start(erk, 0, zero, NULL), SEAM_OK);
  advance(erk, 1, y);
  advance(without, 1, reference);
  cr_expect_eq(y[0], reference[0]);
  cr_expect_eq(seam_integrator_statistics(erk).steps, seam_integrator_statistics(without).steps);
  seam_integrator_destroy(erk);
  seam_integrator_destroy(without);
}

/* ---- States between steps ---- */

Test(erk, asking_for_states_changes_no_step) {
  for (int k = 0; k < n_orders; k++) {
    double y[4];
    double reference[4];
    seam_integrator *asked = started(&of_planet, orders[k], 1e-8, 0);
    seam_integrator *unasked = started(&of_planet, orders[k], 1e-8, 0);
    for (int i = 1; i < 100; i++)
      advance(asked, 0.03 * i, y);
    advance(asked, 3, y);
    advance(unasked, 3, reference);
    cr_expect_arr_eq(y, reference, sizeof y, "order %d", orders[k]);
    cr_expect_eq(seam_integrator_statistics(asked).steps, seam_integrator_statistics(unasked).steps);
    seam_integrator_destroy(asked);
    seam_integrator_destroy(unasked);
  }
}

Test(erk, states_between_steps_are_as_accurate_as_steps) {
  for (int k = 0; k < n_orders; k++) {
    double largest = 0;
    seam_integrator *erk = started(&of_planet, orders[k], 1e-10, 0);
    for (int i = 1; i <= 300; i++)
      largest = fmax(largest, error_at(erk, &of_planet, 0.01 * i));
    cr_expect_lt(largest, 1e-9, "order %d: %.2e", orders[k], largest);
    seam_integrator_destroy(erk);
  }
}

/* Largest error of a single step of length h and of states inside it. */
static double error_inside_a_step(const problem *p, int order, double h) {
  double largest = 0;
  seam_integrator *erk = started(p, order, 1, h);
  seam_integrator_set_stop(erk, h);
  for (int i = 0; i < 10; i++)
    largest = fmax(largest, error_at(erk, p, (1 - 0.1 * i) * h));
  seam_integrator_destroy(erk);
  return largest;
}

/* One order above that of the interpolant, as nothing accumulates. */
Test(erk, states_between_steps_have_the_order_of_the_interpolant) {
  static const int order_of_interpolant[] = {3, 5, 7};
  for (int k = 0; k < n_orders; k++) {
    const double h = orders[k] == 8 ? 0.2 : 0.05;
    const double slope =
        log2(error_inside_a_step(&of_circle, orders[k], h) / error_inside_a_step(&of_circle, orders[k], h / 2));
    cr_expect_float_eq(slope, order_of_interpolant[k] + 1, 0.1, "order %d: %.3f", orders[k], slope);
  }
}

static size_t evaluations_of(const problem *p, int order, int n_rows) {
  double y[4];
  seam_integrator *erk = started(p, order, 1, 0.25);
  seam_integrator_set_stop(erk, 3);
  for (int i = 1; i <= n_rows; i++)
    advance(erk, 3.0 * i / n_rows, y);
  const size_t n = seam_integrator_statistics(erk).evaluations;
  seam_integrator_destroy(erk);
  return n;
}

/* 12 steps. The slope at the end of one is that at the beginning of the next. */
Test(erk, states_between_steps_cost_at_most_four_evaluations_a_step) {
  static const size_t added[] = {0, 2, 4};
  for (int k = 0; k < n_orders; k++) {
    const size_t unasked = evaluations_of(&of_planet, orders[k], 1);
    cr_expect_eq(evaluations_of(&of_planet, orders[k], 1000), unasked + 12 * added[k] + 1, "order %d", orders[k]);
  }
}

/* φ'' = -p sin φ with ∂φ/∂p, ∂φ'/∂p, which nothing controls. */
static seam_status pendulum(void *context, double t, const double *y, double *dy, seam_error *error) {
  const double *p = context;
  (void)t, (void)error;
  dy[0] = y[1];
  dy[1] = -*p * sin(y[0]);
  dy[2] = y[3];
  dy[3] = -*p * cos(y[0]) * y[2] - sin(y[0]);
  return SEAM_OK;
}

static void pendulum_at(int order, double p, double t, double *y) {
  const seam_ode ode = {.n = 4, .n_controlled = 2, .rhs = pendulum, .context = &p};
  const double start[4] = {2, 0, 0, 0};
  seam_integrator *erk = create(&ode, order, 1, 0.8); /* so long that it is far from exact */
  cr_assert_eq(seam_integrator_start(erk, 0, start, NULL), SEAM_OK);
  advance(erk, t, y);
  seam_integrator_destroy(erk);
}

Test(erk, derivatives_between_steps_are_those_of_the_states_there) {
  const double change = 1e-5;
  for (int k = 0; k < n_orders; k++)
    for (int j = 1; j < 20; j++) {
      const double t = 0.12 * j;
      double y[4];
      double more[4];
      double less[4];
      pendulum_at(orders[k], 1, t, y);
      pendulum_at(orders[k], 1 + change, t, more);
      pendulum_at(orders[k], 1 - change, t, less);
      for (int i = 0; i < 2; i++)
        cr_expect_float_eq(y[2 + i], (more[i] - less[i]) / (2 * change), 1e-9, "order %d, t = %g", orders[k], t);
    }
}

/* The circle, not to be evaluated at t = 1 as long as *context. */
static seam_status broken_circle(void *context, double t, const double *y, double *dy, seam_error *error) {
  const bool *is_broken = context;
  return t == 1 && *is_broken ? seam_fail(error, SEAM_NOT_FINITE, "not at %g", t) : planet(NULL, t, y, dy, error);
}

/* They are shorter steps then. */
Test(erk, states_before_an_end_that_cannot_be_evaluated_are_at_hand) {
  for (int k = 0; k < n_orders; k++) {
    bool is_broken = false;
    const seam_ode ode = {.n = 4, .n_controlled = 4, .rhs = broken_circle, .context = &is_broken};
    double y[4];
    double expected[4];
    seam_integrator *erk = create(&ode, orders[k], 1, 1);
    seam_integrator *shorter = started(&of_circle, orders[k], 1, 0.5);
    circle_exact(0, y);
    cr_assert_eq(seam_integrator_start(erk, 0, y, NULL), SEAM_OK);
    advance(erk, 1, y);
    is_broken = true;
    advance(shorter, 0.5, expected);
    for (int i = 0; i < 2; i++) {
      advance(erk, 0.5, y);
      cr_expect_arr_eq(y, expected, sizeof y, "order %d", orders[k]);
    }
    seam_integrator_destroy(erk);
    seam_integrator_destroy(shorter);
  }
}

/* ---- Stop times ---- */

/* The wave, keeping the latest time it was asked for. */
static seam_status recorded_wave(void *context, double t, const double *y, double *dy, seam_error *error) {
  double *latest = context;
  *latest = fmax(*latest, t);
  return wave(NULL, t, y, dy, error);
}

Test(erk, the_stop_time_is_reached_and_never_passed) {
  for (int k = 0; k < n_orders; k++) {
    double latest = 0;
    double y = 0;
    const seam_ode ode = {.n = 1, .n_controlled = 1, .rhs = recorded_wave, .context = &latest};
    seam_integrator *erk = create(&ode, orders[k], 1e-6, 0);
    cr_assert_eq(seam_integrator_start(erk, 0, &y, NULL), SEAM_OK);
    for (int i = 1; i <= 30; i++) {
      const double stop = 0.1 * i;
      seam_integrator_set_stop(erk, stop);
      advance(erk, stop, &y);
      cr_assert_leq(latest, stop, "order %d passed %g", orders[k], stop);
    }
    seam_integrator_destroy(erk);
  }
}

/* ---- Saving and restoring ---- */

static void expect_same_bits(double step) {
  for (int k = 0; k < n_orders; k++) {
    double first[4];
    double second[4];
    seam_integrator *erk = started(&of_planet, orders[k], 1e-8, step);
    void *image = malloc(seam_integrator_image_size(erk));
    cr_assert_not_null(image);
    advance(erk, 1.234, first);
    seam_integrator_save(erk, image);
    advance(erk, 3, first);
    const size_t steps = seam_integrator_statistics(erk).steps;
    cr_assert_eq(seam_integrator_restore(erk, image, NULL), SEAM_OK);
    advance(erk, 3, second);
    cr_expect_arr_eq(first, second, sizeof first, "order %d", orders[k]);
    cr_expect_eq(seam_integrator_statistics(erk).steps, steps);
    free(image);
    seam_integrator_destroy(erk);
  }
}

Test(erk, restored_adaptive_runs_repeat_to_the_bit) { expect_same_bits(0); }

Test(erk, restored_fixed_runs_repeat_to_the_bit) { expect_same_bits(0.01); }

/* Steps of 0.5: what was found out about the one that is under way is in the image. */
Test(erk, a_run_that_is_restored_inside_a_step_has_the_same_image_at_its_end) {
  for (int k = 0; k < n_orders; k++) {
    double y[4];
    seam_integrator *erk = started(&of_planet, orders[k], 1, 0.5);
    seam_integrator *other = started(&of_planet, orders[k], 1, 0.5);
    const size_t size = seam_integrator_image_size(erk);
    char *image = malloc(size);
    char *again = malloc(size);
    cr_assert(image != NULL && again != NULL);
    advance(erk, 1.1, y);
    seam_integrator_save(erk, image);
    cr_assert_eq(seam_integrator_restore(other, image, NULL), SEAM_OK);
    for (int i = 0; i < 2; i++) {
      seam_integrator *run = i == 0 ? erk : other;
      advance(run, 1.2, y);
      advance(run, 1.4, y);
      advance(run, 2.9, y);
      seam_integrator_save(run, i == 0 ? image : again);
    }
    cr_expect_arr_eq(image, again, size, "order %d", orders[k]);
    free(image);
    free(again);
    seam_integrator_destroy(erk);
    seam_integrator_destroy(other);
  }
}

Test(erk, an_image_fits_another_integrator_of_the_same_equation) {
  double first[4];
  double second[4];
  seam_integrator *erk = started(&of_planet, 8, 1e-8, 0);
  seam_integrator *other = started(&of_planet, 8, 1e-8, 0);
  void *image = malloc(seam_integrator_image_size(erk));
  cr_assert_not_null(image);
  advance(other, 2.5, second);
  advance(erk, 1, first);
  seam_integrator_save(erk, image);
  cr_assert_eq(seam_integrator_restore(other, image, NULL), SEAM_OK);
  advance(erk, 3, first);
  advance(other, 3, second);
  cr_expect_arr_eq(first, second, sizeof first);
  free(image);
  seam_integrator_destroy(erk);
  seam_integrator_destroy(other);
}

/* ---- Failures ---- */

/* y = 1 / (1 - t). */
static seam_status explosion(void *context, double t, const double *y, double *dy, seam_error *error) {
  (void)context, (void)t, (void)error;
  dy[0] = y[0] * y[0];
  return SEAM_OK;
}

Test(erk, a_pole_ends_the_run_where_it_is) {
  const seam_ode ode = {.n = 1, .n_controlled = 1, .rhs = explosion};
  for (int k = 0; k < n_orders; k++) {
    double y = 1;
    double reached = NAN;
    seam_integrator *erk = create(&ode, orders[k], 1e-8, 0);
    cr_assert_eq(seam_integrator_start(erk, 0, &y, NULL), SEAM_OK);
    cr_expect_eq(seam_integrator_advance(erk, 2, &y, &reached, NULL), SEAM_STEP_FAILED, "order %d", orders[k]);
    cr_expect_float_eq(reached, 1, 1e-6, "order %d: t = %.9f", orders[k], reached);
    cr_expect(isfinite(y), "order %d", orders[k]);
    seam_integrator_destroy(erk);
  }
}

static seam_status wave_until_half(void *context, double t, const double *y, double *dy, seam_error *error) {
  return t > 0.5 ? seam_fail(error, SEAM_NOT_FINITE, "no wave at %g", t) : wave(context, t, y, dy, error);
}

static void expect_failure_at_half(double step, double allowance) {
  const seam_ode ode = {.n = 1, .n_controlled = 1, .rhs = wave_until_half};
  double y = 0;
  double reached = NAN;
  seam_error error = {0};
  seam_integrator *erk = create(&ode, 5, 1e-6, step);
  cr_assert_eq(seam_integrator_start(erk, 0, &y, NULL), SEAM_OK);
  cr_expect_eq(seam_integrator_advance(erk, 2, &y, &reached, &error), SEAM_NOT_FINITE);
  cr_expect_eq(error.status, SEAM_NOT_FINITE);
  cr_expect_eq(strncmp(error.message, "no wave at", 10), 0, "%s", error.message);
  cr_expect_leq(reached, 0.5);
  cr_expect_geq(reached, 0.5 - allowance);
  seam_integrator_destroy(erk);
}

Test(erk, adaptive_steps_pass_on_what_the_equation_says) { expect_failure_at_half(0, 1e-12); }

Test(erk, fixed_steps_pass_on_what_the_equation_says) { expect_failure_at_half(0.03, 0.03); }

/* ---- Projection ---- */

static seam_status turn(void *context, double t, const double *y, double *dy, seam_error *error) {
  (void)context, (void)t, (void)error;
  dy[0] = -y[1];
  dy[1] = y[0];
  return SEAM_OK;
}

static seam_status onto_circle(void *context, double t, double *y, seam_error *error) {
  (void)context, (void)t, (void)error;
  const double r = hypot(y[0], y[1]);
  y[0] /= r;
  y[1] /= r;
  return SEAM_OK;
}

static double farthest_off_the_circle(const seam_ode *ode) {
  double y[2] = {1, 0};
  double farthest = 0;
  seam_integrator *erk = create(ode, 4, 1e-3, 0);
  cr_assert_eq(seam_integrator_start(erk, 0, y, NULL), SEAM_OK);
  for (int i = 1; i <= 50; i++) {
    advance(erk, 0.2 * i, y);
    farthest = fmax(farthest, fabs(hypot(y[0], y[1]) - 1));
  }
  seam_integrator_destroy(erk);
  return farthest;
}

Test(erk, every_state_is_projected_or_those_at_ends_of_steps) {
  seam_ode ode = {.n = 2, .n_controlled = 2, .rhs = turn, .project = onto_circle};
  const double off = farthest_off_the_circle(&ode);
  ode.project_inside = onto_circle;
  cr_expect(off > 1e-8 && off < 1e-3, "%g", off);
  cr_expect_leq(farthest_off_the_circle(&ode), 1e-15);
}

static seam_status off_the_circle(void *context, double t, double *y, seam_error *error) {
  (void)context;
  y[0] = NAN; /* must not be seen */
  return seam_fail(error, SEAM_CONSTRAINT_LOST, "lost at %g", t);
}

Test(erk, failures_of_the_projection_are_passed_on) {
  const seam_ode ode = {.n = 2, .n_controlled = 2, .rhs = turn, .project = off_the_circle};
  double y[2] = {1, 0};
  double reached = NAN;
  seam_integrator *erk = create(&ode, 4, 1e-3, 0);
  cr_assert_eq(seam_integrator_start(erk, 0, y, NULL), SEAM_OK);
  cr_expect_eq(seam_integrator_advance(erk, 1, y, &reached, NULL), SEAM_CONSTRAINT_LOST);
  cr_expect_eq(reached, 0);
  cr_expect_eq(y[0], 1);
  seam_integrator_destroy(erk);
}

/* ---- Projection ---- */

static seam_status unit_rate(void *context, double t, const double *y, double *dy, seam_error *error) {
  (void)context, (void)t, (void)y, (void)error;
  dy[0] = 1;
  return SEAM_OK;
}

/* An invariant y = t that jumps by 1 at 0.5. */
static seam_status jump(void *context, double t, double *y, seam_error *error) {
  (void)context, (void)error;
  y[0] = t < 0.5 ? t : t + 1;
  return SEAM_OK;
}

/* y' = 1 has no error that an embedded formula could see. */
Test(erk, what_projection_moves_is_error) {
  const seam_ode ode = {.n = 1, .n_controlled = 1, .rhs = unit_rate, .project = jump};
  for (int k = 0; k < n_orders; k++) {
    const double start = 0;
    double y = 0;
    double reached = 0;
    seam_integrator *erk = create(&ode, orders[k], 1e-8, 0);
    cr_assert_eq(seam_integrator_start(erk, 0, &start, NULL), SEAM_OK);
    cr_expect_eq(seam_integrator_advance(erk, 1, &y, &reached, NULL), SEAM_STEP_FAILED);
    cr_expect_float_eq(reached, 0.5, 1e-9);
    seam_integrator_destroy(erk);
  }
}
