/* The driver of one-step methods with the explicit methods of fixed steps. */
#include "solvers/onestep.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/erk.h"
#include "tests/support/implicit_problems.h"

/* ---- Equations ---- */

/* y = exp(sin t); w' = t³. */
static seam_status growth(void *context, double t, const double *y, double *dy, seam_error *error) {
  (void)context, (void)error;
  dy[0] = y[0] * cos(t);
  dy[1] = t * t * t;
  return SEAM_OK;
}

/* y' = y. */
static seam_status exponential(void *context, double t, const double *y, double *dy, seam_error *error) {
  (void)context, (void)t, (void)error;
  dy[0] = y[0];
  return SEAM_OK;
}

static const seam_ode of_growth = {.n = 2, .n_controlled = 1, .rhs = growth};
static const seam_ode of_exponential = {.n = 1, .n_controlled = 1, .rhs = exponential};

/* ---- Short ways ---- */

static seam_integrator *begun(const seam_ode *ode, const char *name, double step) {
  const seam_tolerances tolerances = {.step = step, .largest_step = INFINITY};
  const double y[2] = {1, 0};
  seam_integrator *integrator = NULL;
  cr_assert_eq(seam_erk_create(ode, name, &tolerances, &integrator, NULL), SEAM_OK);
  cr_assert_eq(seam_integrator_start(integrator, 0, y, NULL), SEAM_OK);
  return integrator;
}

static double growth_error(const char *name, int n_steps) {
  double y[2];
  seam_integrator *integrator = begun(&of_growth, name, 3.0 / n_steps);
  seam_integrator_set_stop(integrator, 3);
  advance_to(integrator, 3, y);
  seam_integrator_destroy(integrator);
  return fabs(y[0] - exp(sin(3)));
}

static void expect_order(double order, const char *name) {
  const double slope = log2(growth_error(name, 512) / growth_error(name, 1024));
  cr_expect_float_eq(slope, order, 0.05, "%s: %g", name, slope);
}

/* One step of y' = y from 1 gives the method's stability function. */
static void expect_growth(double expected, const char *name, double step) {
  double y = 0;
  seam_integrator *integrator = begun(&of_exponential, name, step);
  advance_to(integrator, step, &y);
  cr_expect_float_eq(y, expected, 1e-15, "%s: %.17g", name, y);
  seam_integrator_destroy(integrator);
}

/* ---- Methods ---- */

Test(onestep, euler_has_order_1) { expect_order(1, "euler"); }

Test(onestep, rk2_has_order_2) { expect_order(2, "rk2"); }

Test(onestep, rk4_has_order_4) { expect_order(4, "rk4"); }

Test(onestep, one_step_is_the_polynomial_of_its_order) {
  expect_growth(1 + 0.5, "euler", 0.5);
  expect_growth(1 + 0.5 + 1.0 / 8, "rk2", 0.5);
  expect_growth(1 + 0.5 + 1.0 / 8 + 1.0 / 48 + 1.0 / 384, "rk4", 0.5);
}

Test(onestep, rk4_integrates_cubics_exactly) {
  double y[2];
  seam_integrator *integrator = begun(&of_growth, "rk4", 0.5);
  advance_to(integrator, 2, y);
  cr_expect_float_eq(y[1], 4, 1e-15);
  seam_integrator_destroy(integrator);
}

Test(onestep, a_step_takes_as_many_evaluations_as_stages) {
  static const struct {
    const char *name;
    size_t n_stages;
  } methods[] = {{"euler", 1}, {"rk2", 2}, {"rk4", 4}};
  for (size_t i = 0; i < 3; i++) {
    double y[2];
    seam_integrator *integrator = begun(&of_growth, methods[i].name, 0.25);
    advance_to(integrator, 5, y);
    cr_expect_eq(seam_integrator_statistics(integrator).evaluations, 20 * methods[i].n_stages, "%s", methods[i].name);
    seam_integrator_destroy(integrator);
  }
}

/* ---- The driver ---- */

Test(onestep, fixed_steps_lie_on_a_grid) {
  double y[2];
  seam_integrator *integrator = begun(&of_growth, "rk4", 0.1);
  advance_to(integrator, 10, y);
  const seam_statistics count = seam_integrator_statistics(integrator);
  cr_expect_eq(count.steps, 100);
  cr_expect_float_eq(count.smallest_step, count.largest_step, 1e-14);
  seam_integrator_destroy(integrator);
}

Test(onestep, the_grid_begins_anew_at_a_stop_time) {
  double y[2];
  seam_integrator *integrator = begun(&of_growth, "rk4", 0.4);
  seam_integrator_set_stop(integrator, 1);
  advance_to(integrator, 1, y);
  cr_expect_eq(seam_integrator_statistics(integrator).steps, 3);
  seam_integrator_set_stop(integrator, 2.2);
  advance_to(integrator, 2.2, y);
  cr_expect_eq(seam_integrator_statistics(integrator).steps, 6);
  seam_integrator_destroy(integrator);
}

/* No step leads there: a search for one would not end. */
Test(onestep, nothing_is_beyond_the_stop_time, .timeout = 60) {
  for (int i = 0; i < 2; i++) {
    const seam_tolerances tolerances = {.rtol = 1e-8, .atol = 1e-8, .step = 0.4 * i, .largest_step = INFINITY};
    double y[2] = {1, 0};
    double reached = 0;
    seam_error error = {0};
    seam_integrator *integrator = NULL;
    cr_assert_eq(seam_erk_create(&of_growth, i == 0 ? "erk5" : "rk4", &tolerances, &integrator, NULL), SEAM_OK);
    cr_assert_eq(seam_integrator_start(integrator, 0, y, NULL), SEAM_OK);
    seam_integrator_set_stop(integrator, 1);
    cr_expect_eq(seam_integrator_advance(integrator, 1, y, &reached, NULL), SEAM_OK);
    cr_expect_eq(seam_integrator_advance(integrator, 1.5, y, &reached, &error), SEAM_BAD_INPUT);
    cr_expect_not_null(strstr(error.message, "is not before the stop time 1 s"), "%s", error.message);
    cr_expect_eq(reached, 1);
    seam_integrator_destroy(integrator);
  }
}

Test(onestep, states_between_steps_are_steps_of_the_same_method) {
  double y = 0;
  seam_integrator *integrator = begun(&of_exponential, "rk2", 0.5);
  advance_to(integrator, 0.25, &y);
  cr_expect_float_eq(y, 1 + 0.25 + 1.0 / 32, 1e-15);
  advance_to(integrator, 0.5, &y);
  cr_expect_float_eq(y, 1 + 0.5 + 1.0 / 8, 1e-15);
  seam_integrator_destroy(integrator);
}

Test(onestep, restored_runs_repeat_to_the_bit) {
  double first[2];
  double second[2];
  seam_integrator *integrator = begun(&of_growth, "rk4", 0.1);
  void *image = malloc(seam_integrator_image_size(integrator));
  cr_assert_not_null(image);
  advance_to(integrator, 1.234, first);
  seam_integrator_save(integrator, image);
  advance_to(integrator, 3, first);
  const seam_statistics count = seam_integrator_statistics(integrator);
  seam_integrator_restore(integrator, image, NULL);
  advance_to(integrator, 3, second);
  cr_expect_arr_eq(first, second, sizeof first);
  cr_expect_eq(seam_integrator_statistics(integrator).steps, count.steps);
  free(image);
  seam_integrator_destroy(integrator);
}

/* Rates at the beginning of a step that is tried again are at hand; those of another run are not this one's. */
Test(onestep, an_image_of_the_start_repeats_the_run_to_the_bit) {
  static const char *const methods[] = {"euler", "rk2", "rk4"};
  for (size_t i = 0; i < 3; i++) {
    double first[2];
    double second[2];
    seam_integrator *integrator = begun(&of_growth, methods[i], 0.25);
    void *image = malloc(seam_integrator_image_size(integrator));
    cr_assert_not_null(image);
    seam_integrator_save(integrator, image);
    advance_to(integrator, 2, first);
    seam_integrator_restore(integrator, image, NULL);
    advance_to(integrator, 2, second);
    cr_expect_arr_eq(first, second, sizeof first, "%s", methods[i]);
    free(image);
    seam_integrator_destroy(integrator);
  }
}

/* ---- Restarts ---- */

static void restart(seam_integrator *integrator, double t, const double *y, size_t n, seam_step_memory step_memory) {
  cr_assert_eq(seam_integrator_restart(integrator, t, y, n, &step_memory, NULL), SEAM_OK);
}

Test(onestep, a_restart_begins_anew_and_goes_on_counting) {
  double y[2];
  double expected[2];
  seam_integrator *integrator = begun(&of_growth, "rk4", 0.25);
  advance_to(integrator, 2, expected);
  restart(integrator, 0, (double[2]){1, 0}, 2, (seam_step_memory){0});
  advance_to(integrator, 2, y);
  cr_expect_arr_eq(y, expected, sizeof y);
  cr_expect_eq(seam_integrator_statistics(integrator).steps, 16);
  seam_integrator_start(integrator, 0, y, NULL);
  cr_expect_eq(seam_integrator_statistics(integrator).steps, 0);
  seam_integrator_destroy(integrator);
}

Test(onestep, a_restart_forgets_the_step_that_was_under_way) {
  static const double times[] = {0.1, 0.3, 2};
  seam_integrator *integrator = begun(&of_growth, "rk4", 0.25);
  seam_integrator *anew = begun(&of_growth, "rk4", 0.25);
  double y[2];
  double expected[2];
  advance_to(integrator, 0.6, y);
  restart(integrator, 0, (double[2]){1, 0}, 2, (seam_step_memory){0});
  for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
    advance_to(integrator, times[i], y);
    advance_to(anew, times[i], expected);
    cr_expect_arr_eq(y, expected, sizeof y, "t = %g", times[i]);
  }
  seam_integrator_destroy(integrator);
  seam_integrator_destroy(anew);
}

/* ---- Repetition ---- */

/* From y at 0 to 1 with adaptive steps of erk8, of which the first attempt is too long. */
static seam_integrator *controlled(double y) {
  const seam_tolerances tolerances = {.rtol = 1e-10, .atol = 1e-12, .largest_step = INFINITY};
  const seam_step_memory memory = {.next_step = 1};
  const double start[2] = {y, 0};
  double end[2];
  seam_integrator *integrator = NULL;
  cr_assert_eq(seam_erk_create(&of_growth, "erk8", &tolerances, &integrator, NULL), SEAM_OK);
  cr_assert_eq(seam_integrator_start(integrator, 0, start, NULL), SEAM_OK);
  cr_assert_eq(seam_integrator_restart(integrator, 0, start, 2, &memory, NULL), SEAM_OK);
  seam_integrator_set_stop(integrator, 1);
  advance_to(integrator, 1, end);
  return integrator;
}

/* The equation is linear: twice the start gives twice the end by the same steps. */
Test(onestep, a_repetition_takes_the_same_steps_with_fewer_evaluations) {
  const double twice[2] = {2, 0};
  double y[2];
  double again[2];
  double reached;
  seam_integrator *integrator = controlled(1);
  const seam_statistics first = seam_integrator_statistics(integrator);
  const seam_step_memory memory = seam_integrator_step_memory(integrator);
  cr_assert_gt(first.rejected, 0);
  cr_assert_eq(seam_integrator_advance(integrator, 1, y, &reached, NULL), SEAM_OK);
  for (int k = 1; k <= 2; k++) {
    cr_assert(seam_integrator_repeat(integrator, 0, twice, 2, 1));
    seam_integrator_set_stop(integrator, 1);
    advance_to(integrator, 1, again);
    const seam_statistics all = seam_integrator_statistics(integrator);
    cr_expect_float_eq(again[0], 2 * y[0], 1e-14, "%.17g", again[0] - 2 * y[0]);
    cr_expect_eq(all.steps, (size_t)(k + 1) * first.steps);
    cr_expect_eq(all.rejected, first.rejected);
    cr_expect_lt(all.evaluations - first.evaluations, (size_t)k * first.evaluations);
    cr_expect_eq(seam_integrator_step_memory(integrator).next_step, memory.next_step);
  }
  seam_integrator_destroy(integrator);
}

Test(onestep, nothing_else_is_repeated) {
  const double y[2] = {1, 0};
  double end[2];
  const seam_step_memory memory = {.next_step = 0.2};
  seam_integrator *integrator = controlled(1);
  cr_expect_not(seam_integrator_repeat(integrator, 0.5, y, 2, 1), "from another time");
  cr_expect_not(seam_integrator_repeat(integrator, 0, y, 2, 0.5), "to another time");
  cr_expect_not(seam_integrator_repeat(integrator, 0, y, 3, 1), "of another length");
  cr_assert(seam_integrator_repeat(integrator, 0, y, 2, 1));
  seam_integrator_set_stop(integrator, 2);
  advance_to(integrator, 2, end); /* steps behind are judged again, and are no longer those of the first way */
  cr_expect_float_eq(end[0], exp(sin(2)), 1e-9);
  cr_expect_not(seam_integrator_repeat(integrator, 0, y, 2, 1), "after another way");
  cr_assert_eq(seam_integrator_restart(integrator, 0, y, 2, &memory, NULL), SEAM_OK);
  cr_expect_not(seam_integrator_repeat(integrator, 0, y, 2, 1), "without a step");
  seam_integrator_destroy(integrator);
}

Test(onestep, a_restart_may_leave_quadratures_out) {
  double whole[2];
  double y[2] = {0, 7};
  seam_integrator *integrator = begun(&of_growth, "rk4", 0.25);
  advance_to(integrator, 2, whole);
  restart(integrator, 0, (double[1]){1}, 1, (seam_step_memory){0});
  advance_to(integrator, 2.1, y);
  advance_to(integrator, 2, y);
  cr_expect_eq(y[0], whole[0]);
  cr_expect_eq(y[1], 7);
  seam_integrator_start(integrator, 0, (double[2]){1, 0}, NULL);
  advance_to(integrator, 2, y);
  cr_expect_arr_eq(y, whole, sizeof y);
  seam_integrator_destroy(integrator);
}

Test(onestep, an_image_knows_what_was_left_out) {
  double y[2] = {0, 7};
  double expected = 0;
  seam_integrator *integrator = begun(&of_growth, "rk4", 0.25);
  void *image = malloc(seam_integrator_image_size(integrator));
  cr_assert_not_null(image);
  restart(integrator, 0, (double[1]){1}, 1, (seam_step_memory){0});
  advance_to(integrator, 1, y);
  seam_integrator_save(integrator, image);
  advance_to(integrator, 2, &expected);
  seam_integrator_start(integrator, 0, (double[2]){1, 0}, NULL);
  cr_assert_eq(seam_integrator_restore(integrator, image, NULL), SEAM_OK);
  advance_to(integrator, 2, y);
  cr_expect_eq(y[0], expected);
  cr_expect_eq(y[1], 7);
  free(image);
  seam_integrator_destroy(integrator);
}

Test(onestep, controlled_entries_cannot_be_left_out) {
  seam_error error = {0};
  seam_integrator *integrator = begun(&of_growth, "rk4", 0.25);
  const double y[3] = {1, 0, 0};
  cr_expect_eq(seam_integrator_restart(integrator, 0, y, 0, &(seam_step_memory){0}, &error), SEAM_BAD_INPUT);
  cr_expect_eq(seam_integrator_restart(integrator, 0, y, 3, &(seam_step_memory){0}, &error), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, "from 1 to 2"), "%s", error.message);
  seam_integrator_destroy(integrator);
}

Test(onestep, a_step_cut_short_keeps_the_step_size) {
  const seam_tolerances tolerances = {.rtol = 1e-6, .atol = 1e-6, .largest_step = INFINITY};
  double y[2] = {1, 0};
  seam_integrator *integrator = NULL;
  cr_assert_eq(seam_erk_create(&of_growth, "erk5", &tolerances, &integrator, NULL), SEAM_OK);
  seam_integrator_start(integrator, 0, y, NULL);
  advance_to(integrator, 1, y);
  const double usual = seam_integrator_step_memory(integrator).next_step;
  for (int i = 1; i <= 10; i++) {
    restart(integrator, 1 + 1e-3 * (i - 1), y, 2, seam_integrator_step_memory(integrator));
    seam_integrator_set_stop(integrator, 1 + 1e-3 * i);
    advance_to(integrator, 1 + 1e-3 * i, y);
  }
  cr_expect_geq(seam_integrator_step_memory(integrator).next_step, usual);
  seam_integrator_destroy(integrator);
}
