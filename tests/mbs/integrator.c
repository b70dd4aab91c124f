/* The integrator of mechanisms: references, orders, saved states, and what is refused. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/mbs/mechanisms.h"
#include "tests/mbs/reference.h"

static const int orders[] = {4, 5, 8};
enum { n_orders = sizeof orders / sizeof *orders };

/* ---- References ---- */

/* Largest errors over a whole reference. */
typedef struct comparison {
  double angle, rate; /* rad, rad/s */
  double multiplier;  /* part of the largest |λ| */
  double residual;    /* of g and G v */
} comparison;

static void wrench_of(mechanism *m, const char *element, double wrench[3]) {
  const size_t joint = mbs_find_joint(m->model, element);
  if (joint != MBS_GROUND)
    mbs_reaction(m->ws, m->state, joint, wrench);
  else
    mbs_force_wrench(m->ws, m->state, mbs_find_force(m->model, element), wrench);
}

/* Rows are t, angles, rates, and from column `first_lambda` on n_lambda components of the wrench of `element`. */
static comparison compare(mechanism m, const char *name, const char *element, size_t first_lambda, size_t n_lambda) {
  comparison worst = {0};
  double largest_lambda = 0;
  double lambda_error = 0;
  reference table = reference_read(name);
  const size_t n = mbs_n_bodies(m.model);
  mechanism_assemble(&m);
  mbs_integrator *integrator = mechanism_start(&m, 8, 1e-10, 0);
  for (size_t i = 0; i < table.n_rows; i++) {
    const double *row = reference_row(&table, i);
    double wrench[3];
    mechanism_advance(&m, integrator, row[0]);
    for (size_t b = 0; b < n; b++) {
      worst.angle = fmax(worst.angle, fabs(m.state->q[3 * b + 2] - row[1 + b]));
      worst.rate = fmax(worst.rate, fabs(m.state->v[3 * b + 2] - row[1 + n + b]));
    }
    wrench_of(&m, element, wrench);
    for (size_t k = 0; k < n_lambda; k++) {
      lambda_error = fmax(lambda_error, fabs(wrench[k] - row[first_lambda + k]));
      largest_lambda = fmax(largest_lambda, fabs(row[first_lambda + k]));
    }
    worst.residual = fmax(worst.residual, mechanism_residual(&m));
  }
  worst.multiplier = lambda_error / largest_lambda;
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
  reference_free(&table);
  return worst;
}

static void expect_reference(comparison worst) {
  cr_expect_lt(worst.angle, 1e-8, "angles: %.2e", worst.angle);
  cr_expect_lt(worst.rate, 1e-7, "rates: %.2e", worst.rate);
  cr_expect_lt(worst.multiplier, 1e-6, "multipliers: %.2e", worst.multiplier);
  cr_expect_lt(worst.residual, 1e-10, "residuals: %.2e", worst.residual);
}

Test(integrator, four_bar_with_bushing) {
  expect_reference(compare(four_bar_bushing(), "four_bar_bushing", "M", 9, 3));
}

Test(integrator, four_bar_with_fixed_joint) {
  expect_reference(compare(four_bar_fixed(), "four_bar_fixed", "M", 15, 3));
}

Test(integrator, two_links) { expect_reference(compare(double_pendulum(), "double_pendulum", "B", 5, 2)); }

/* Rows are body (from 1), x, y, phi. */
static double chain_error(int n, double end) {
  double worst = 0;
  char name[32];
  snprintf(name, sizeof name, "chain_%d", n);
  reference table = reference_read(name);
  mechanism m = chain(n);
  mechanism_assemble(&m);
  mbs_integrator *integrator = mechanism_start(&m, 8, 1e-8, 0);
  mbs_integrator_set_stop(integrator, end);
  mechanism_advance(&m, integrator, end);
  cr_assert_eq(table.n_rows, (size_t)n);
  for (size_t b = 0; b < table.n_rows; b++)
    for (size_t i = 0; i < 3; i++)
      worst = fmax(worst, fabs(m.state->q[3 * b + i] - reference_row(&table, b)[1 + i]));
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
  reference_free(&table);
  return worst;
}

static void expect_chain(int n, double end) {
  const double error = chain_error(n, end);
  cr_expect_lt(error, 1e-7, "%.2e", error);
}

Test(integrator, chain_of_10) { expect_chain(10, 1); }

Test(integrator, chain_of_100) { expect_chain(100, 1); }

Test(integrator, chain_of_1000) { expect_chain(1000, 0.2); }

/* ---- Orders ---- */

/* Poses q (3n) of a chain of n rods, let go horizontally, at time `end`. */
static void run_with_steps(int order, int n_steps, int n, double end, double *q) {
  mechanism m = chain(n);
  mechanism_assemble(&m);
  mbs_integrator *integrator = mechanism_start(&m, order, 1e-8, end / n_steps);
  mbs_integrator_set_stop(integrator, end);
  mechanism_advance(&m, integrator, end);
  cr_assert_eq(mbs_integrator_statistics(integrator).steps, (size_t)n_steps);
  memcpy(q, m.state->q, 3 * (size_t)n * sizeof *q);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

/* Slope of the error between the two finest steps whose errors stand above rounding. */
static double measured_order(int order, int n, double end) {
  enum { most = 9 };
  double exact[most];
  double slope = 0;
  double before = 0;
  run_with_steps(8, 2000, n, end, exact);
  for (int n_steps = 5; n_steps <= 2560; n_steps *= 2) {
    double q[most];
    double error = 0;
    run_with_steps(order, n_steps, n, end, q);
    for (int i = 0; i < 3 * n; i++)
      error = fmax(error, fabs(q[i] - exact[i]));
    if (error < 1e-12)
      break;
    slope = log2(before / error);
    before = error;
  }
  return slope;
}

Test(integrator, order_4) { cr_expect_float_eq(measured_order(4, 3, 0.5), 4, 0.1); }

Test(integrator, order_5) { cr_expect_float_eq(measured_order(5, 1, 1), 5, 0.1); }

Test(integrator, order_8) { cr_expect_float_eq(measured_order(8, 3, 0.5), 8, 0.1); }

/* ---- Times ---- */

static bool same_state(const mbs_state *a, const mbs_state *b) {
  return a->t == b->t && memcmp(a->q, b->q, a->n_values * sizeof *a->q) == 0;
}

Test(integrator, times_asked_for_change_no_bit_of_the_end) {
  for (int k = 0; k < n_orders; k++) {
    mechanism asked = four_bar_fixed();
    mechanism unasked = four_bar_fixed();
    mechanism_assemble(&asked);
    mechanism_assemble(&unasked);
    mbs_integrator *first = mechanism_start(&asked, orders[k], 1e-8, 0);
    mbs_integrator *second = mechanism_start(&unasked, orders[k], 1e-8, 0);
    for (int i = 1; i < 70; i++)
      mechanism_advance(&asked, first, 0.0123 * i);
    mechanism_advance(&asked, first, 1);
    mechanism_advance(&unasked, second, 1);
    cr_expect(same_state(asked.state, unasked.state), "order %d", orders[k]);
    mbs_integrator_destroy(first);
    mbs_integrator_destroy(second);
    mechanism_free(&asked);
    mechanism_free(&unasked);
  }
}

Test(integrator, two_in_turn_do_not_disturb_each_other) {
  mechanism alone = double_pendulum();
  mechanism one = double_pendulum();
  mechanism other = chain(3);
  mechanism_assemble(&alone);
  mechanism_assemble(&one);
  mechanism_assemble(&other);
  mbs_integrator *of_alone = mechanism_start(&alone, 8, 1e-9, 0);
  mbs_integrator *of_one = mechanism_start(&one, 8, 1e-9, 0);
  mbs_integrator *of_other = mechanism_start(&other, 5, 1e-6, 0);
  for (int i = 1; i <= 20; i++) {
    mechanism_advance(&one, of_one, 0.1 * i);
    mechanism_advance(&other, of_other, 0.05 * i);
  }
  mechanism_advance(&alone, of_alone, 2);
  cr_expect(same_state(alone.state, one.state));
  mbs_integrator_destroy(of_alone);
  mbs_integrator_destroy(of_one);
  mbs_integrator_destroy(of_other);
  mechanism_free(&alone);
  mechanism_free(&one);
  mechanism_free(&other);
}

/* Two states of one model under two integrators. */
Test(integrator, a_model_serves_several_states) {
  mechanism m = double_pendulum();
  mechanism_assemble(&m);
  mbs_state *second = mbs_state_create(m.model);
  mbs_state_copy(second, m.state);
  mbs_integrator *one = mechanism_start(&m, 8, 1e-9, 0);
  mbs_integrator *two = mechanism_start(&m, 8, 1e-9, 0);
  for (int i = 1; i <= 10; i++) {
    mechanism_advance(&m, one, 0.1 * i);
    cr_assert_eq(mbs_integrator_advance(two, 0.1 * i, second, NULL), SEAM_OK);
    cr_assert(same_state(m.state, second));
  }
  mbs_integrator_destroy(one);
  mbs_integrator_destroy(two);
  mbs_state_destroy(second);
  mechanism_free(&m);
}

Test(integrator, a_start_forgets_what_was_before) {
  mechanism m = double_pendulum();
  mechanism_assemble(&m);
  mbs_state *start = mbs_state_create(m.model);
  mbs_state *first = mbs_state_create(m.model);
  mbs_state_copy(start, m.state);
  mbs_integrator *integrator = mechanism_start(&m, 8, 1e-9, 0);
  mechanism_advance(&m, integrator, 1);
  mbs_state_copy(first, m.state);
  cr_assert_eq(mbs_integrator_start(integrator, start, NULL), SEAM_OK);
  mechanism_advance(&m, integrator, 1);
  cr_expect(same_state(first, m.state));
  mbs_state_destroy(start);
  mbs_state_destroy(first);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

/* ---- Saving and restoring ---- */

static void *saved(const mbs_integrator *integrator) {
  void *image = malloc(mbs_integrator_image_size(integrator));
  cr_assert_not_null(image);
  mbs_integrator_save(integrator, image);
  return image;
}

static void expect_same_bits(int order, double step) {
  mechanism m = four_bar_bushing();
  mechanism_assemble(&m);
  mbs_state *first = mbs_state_create(m.model);
  mbs_integrator *integrator = mechanism_start(&m, order, 1e-8, step);
  mechanism_advance(&m, integrator, 0.517);
  void *image = saved(integrator);
  mechanism_advance(&m, integrator, 1);
  mbs_state_copy(first, m.state);
  cr_assert_eq(mbs_integrator_restore(integrator, image, mbs_integrator_image_size(integrator), NULL), SEAM_OK);
  mechanism_advance(&m, integrator, 1);
  cr_expect(same_state(first, m.state), "order %d, step %g", order, step);
  free(image);
  mbs_integrator_destroy(integrator);
  mbs_state_destroy(first);
  mechanism_free(&m);
}

Test(integrator, restored_adaptive_runs_repeat_to_the_bit) {
  for (int k = 0; k < n_orders; k++)
    expect_same_bits(orders[k], 0);
}

Test(integrator, restored_fixed_runs_repeat_to_the_bit) {
  for (int k = 0; k < n_orders; k++)
    expect_same_bits(orders[k], 0.004);
}

Test(integrator, macro_steps_taken_again_repeat_to_the_bit) {
  mechanism m = four_bar_bushing();
  mechanism_assemble(&m);
  mbs_state *first = mbs_state_create(m.model);
  mbs_integrator *integrator = mechanism_start(&m, 8, 1e-8, 0);
  for (int i = 1; i <= 20; i++) {
    void *image = saved(integrator);
    mbs_integrator_set_stop(integrator, 0.01 * i);
    mechanism_advance(&m, integrator, 0.01 * i);
    mbs_state_copy(first, m.state);
    cr_assert_eq(mbs_integrator_restore(integrator, image, mbs_integrator_image_size(integrator), NULL), SEAM_OK);
    mbs_integrator_set_stop(integrator, 0.01 * i);
    mechanism_advance(&m, integrator, 0.01 * i);
    cr_assert(same_state(first, m.state), "macro step %d", i);
    free(image);
  }
  mbs_integrator_destroy(integrator);
  mbs_state_destroy(first);
  mechanism_free(&m);
}

Test(integrator, an_image_of_another_model_is_refused) {
  mechanism m = chain(3);
  mechanism n = double_pendulum();
  seam_error error = {0};
  mbs_integrator *of_m = mechanism_integrator(&m, 8, 1e-8, 0);
  mbs_integrator *of_n = mechanism_integrator(&n, 8, 1e-8, 0);
  void *image = saved(of_n);
  cr_expect_eq(mbs_integrator_restore(of_m, image, mbs_integrator_image_size(of_n), &error), SEAM_BAD_STATE);
  cr_expect_not_null(strstr(error.message, "another model"));
  free(image);
  mbs_integrator_destroy(of_m);
  mbs_integrator_destroy(of_n);
  mechanism_free(&m);
  mechanism_free(&n);
}

Test(integrator, a_torn_image_is_refused) {
  mechanism m = chain(3);
  mbs_integrator *integrator = mechanism_integrator(&m, 8, 1e-8, 0);
  const size_t size = mbs_integrator_image_size(integrator);
  char *image = saved(integrator);
  cr_expect_eq(mbs_integrator_restore(integrator, image, size - 1, NULL), SEAM_BAD_STATE);
  cr_expect_eq(mbs_integrator_restore(integrator, image, 0, NULL), SEAM_BAD_STATE);
  image[0] ^= 1;
  cr_expect_eq(mbs_integrator_restore(integrator, image, size, NULL), SEAM_BAD_STATE);
  free(image);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

/* ---- Failures ---- */

/* A force that is not finite from 0.5 s on. */
static double square_root(const void *data, const double x[2]) {
  (void)data;
  return sqrt(0.5 - x[0]);
}

Test(integrator, what_is_not_finite_is_named_with_its_time) {
  const char *bodies[2];
  mbs_builder *builder = mbs_builder_create();
  add_body(builder, "b", 1, 1, (double[3]){0, 0, 0});
  mbs_force_def force = force_between("push", MBS_POINT_FORCE, bodies, "b", NULL, (double[2]){0, 0});
  force.law.value = square_root;
  add_force(builder, &force);
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  mbs_integrator *integrator = mechanism_start(&m, 8, 1e-8, 0);
  cr_expect_eq(mbs_integrator_advance(integrator, 1, m.state, &m.error), SEAM_NOT_FINITE);
  cr_expect_not_null(strstr(m.error.message, "'push'"), "%s", m.error.message);
  cr_expect_not_null(strstr(m.error.message, "t = 0.5"), "%s", m.error.message);
  cr_expect_float_eq(m.state->t, 0.5, 1e-9);
  cr_expect(isfinite(m.state->q[0]) && isfinite(m.state->a[0]));
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

/* Three rods stretched between pivots: the loop loses a constraint there. */
Test(integrator, a_singular_start_is_refused) {
  mbs_builder *builder = mbs_builder_create();
  add_rod(builder, "left", (double[2]){0, 0}, (double[2]){1, 0}, 1);
  add_rod(builder, "middle", (double[2]){1, 0}, (double[2]){2, 0}, 1);
  add_rod(builder, "right", (double[2]){2, 0}, (double[2]){3, 0}, 1);
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "left", (double[2]){0, 0});
  add_joint(builder, "P", MBS_REVOLUTE, "left", "middle", (double[2]){1, 0});
  add_joint(builder, "Q", MBS_REVOLUTE, "middle", "right", (double[2]){2, 0});
  add_joint(builder, "B", MBS_REVOLUTE, "ground", "right", (double[2]){3, 0});
  mechanism m = mechanism_build(builder);
  mbs_integrator *integrator = mechanism_integrator(&m, 8, 1e-8, 0);
  cr_expect_eq(mbs_integrator_start(integrator, m.state, &m.error), SEAM_SINGULAR);
  cr_expect_not_null(strstr(m.error.message, "joint '"), "%s", m.error.message);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

/* Steps of half a turn throw the bodies too far off their joints. */
Test(integrator, steps_that_lose_a_joint_end_the_run_with_its_name) {
  mechanism m = chain(2);
  mechanism_assemble(&m);
  mbs_integrator *integrator = mechanism_start(&m, 4, 1e-8, 2);
  cr_expect_eq(mbs_integrator_advance(integrator, 10, m.state, &m.error), SEAM_CONSTRAINT_LOST);
  cr_expect_not_null(strstr(m.error.message, "cannot be held"), "%s", m.error.message);
  cr_expect_eq(m.state->t, 0);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

/* ---- Options ---- */

Test(integrator, defaults_set_every_option) {
  const mbs_integrator_options options = mbs_default_integrator_options();
  cr_expect_neq(options.cookie, 0);
  cr_expect_str_eq(options.method, "erk");
  cr_expect_eq(options.order, 8);
  cr_expect_eq(options.rtol, 1e-8);
  cr_expect_eq(options.atol, 1e-10);
  cr_expect_eq(options.step, 0);
  cr_expect_eq(options.largest_step, INFINITY);
}

static mbs_integrator_options options;
static mechanism of_options;

static void set_up(void) {
  options = mbs_default_integrator_options();
  of_options = chain(2);
}

static void tear_down(void) { mechanism_free(&of_options); }

TestSuite(integrator_options, .init = set_up, .fini = tear_down);

static void expect_refused(const char *words) {
  seam_error error = {0};
  mbs_integrator *integrator = NULL;
  cr_expect_eq(mbs_integrator_create(of_options.model, &options, &integrator, &error), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, words), "'%s' is not in: %s", words, error.message);
  cr_expect_null(integrator);
}

Test(integrator_options, defaults_are_accepted) {
  mbs_integrator *integrator = NULL;
  cr_expect_eq(mbs_integrator_create(of_options.model, &options, &integrator, NULL), SEAM_OK);
  mbs_integrator_destroy(integrator);
}

Test(integrator_options, uninitialised_options_are_refused) {
  options = (mbs_integrator_options){.method = "erk", .order = 8, .rtol = 1e-8, .atol = 1e-8, .largest_step = 1};
  expect_refused("not initialised");
}

Test(integrator_options, an_unknown_method_is_refused) {
  options.method = "euler";
  expect_refused("'euler' is unknown");
}

Test(integrator_options, an_unknown_order_is_refused) {
  options.order = 7;
  expect_refused("order 7");
}

Test(integrator_options, a_relative_tolerance_of_zero_is_refused) {
  options.rtol = 0;
  expect_refused("rtol 0");
}

Test(integrator_options, a_relative_tolerance_of_one_is_refused) {
  options.rtol = 1;
  expect_refused("rtol 1");
}

Test(integrator_options, a_tolerance_that_is_no_number_is_refused) {
  options.rtol = NAN;
  expect_refused("rtol nan");
}

Test(integrator_options, an_absolute_tolerance_of_zero_is_refused) {
  options.atol = 0;
  expect_refused("atol 0");
}

Test(integrator_options, a_negative_step_is_refused) {
  options.step = -0.1;
  expect_refused("step -0.1");
}

Test(integrator_options, a_largest_step_of_zero_is_refused) {
  options.largest_step = 0;
  expect_refused("largest step 0");
}
