/* Co-simulations of mechanisms that [Li] shows and docs/conventions.md gives figures of: stiff bushings (3.6),
 * weighted multipliers (4.6), extended multipliers at joints (4.10) and their nodes (4.8). */
#include <criterion/criterion.h>
#include <math.h>
#include <seam/analysis.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/cosim_fixture.h"
#include "tests/support/data_table.h"
#include "tests/support/reference.h"

enum { n_bars = 4 };

static cosim_fixture read_with(const char *model, const char *override, double macro_step) {
  cosim_fixture p = cosim_fixture_read(model, (const char *const[]){override, NULL});
  p.definition.options.macro_step = macro_step;
  return p;
}

/* ---- Stability ---- */

static bool is_beyond_bounds(const cosim_fixture *p) {
  const mbs_state *state = cosim_state(p->run);
  double wrench[2][3];
  double largest = 0;
  cosim_coupling_wrenches(p->run, 0, wrench);
  for (size_t i = 0; i < 6 * mbs_n_bodies(p->model); i++)
    largest = fmax(largest, fabs(state->q[i]));
  for (int i = 0; i < 3; i++)
    largest = fmax(largest, fabs(wrench[0][i]));
  return !(largest < 1e6);
}

/* The time is held to two macro steps or 20 %. */
static void expect_unstable(cosim_fixture p, const char *scheme, double time) {
  use_scheme(&p, scheme);
  start(&p);
  while (cosim_state(p.run)->t < 1 && !is_beyond_bounds(&p))
    advance(&p, 1);
  const double t = cosim_state(p.run)->t;
  cr_expect_leq(fabs(t - time), fmax(2 * p.definition.options.macro_step, 0.2 * time) + 1e-9, "%s: %g, listed %g",
                scheme, t, time);
  cosim_fixture_free(&p);
}

Test(published_runs, stiff_bushings_make_high_orders_unstable) {
  expect_unstable(read_with("four_bar_bushing", "parameters.c=1e5", 5e-3), "ff-k1", 0.070);
  expect_unstable(read_with("four_bar_bushing", "parameters.c=1e5", 5e-3), "ff-k2", 0.055);
  expect_unstable(read_with("four_bar_bushing", "parameters.c=1e6", 5e-3), "ff-k1", 0.050);
  expect_unstable(read_with("four_bar_bushing", "parameters.c=1e6", 5e-3), "ff-k2", 0.040);
  expect_unstable(read_with("four_bar_bushing", "parameters.c=1e6", 5e-3), "ff-i-k1", 0.035);
  expect_unstable(read_with("four_bar_bushing", "parameters.c=1e6", 5e-3), "ff-i-k2", 0.035);
}

Test(published_runs, weighted_multipliers_of_order_2_are_unstable_at_the_double_pendulum) {
  expect_unstable(read_with("double_pendulum", NULL, 1e-3), "ff-weighted-k2", 0.181);
  expect_unstable(read_with("double_pendulum", NULL, 1e-3), "fd-weighted-k2", 0.189);
}

/* ---- Stiffness study: H = 5e-3, 5 s ---- */

enum { n_study = 1000 };

typedef double bar_angles[n_bars];

static void take_angles(const mbs_state *state, double *angle) {
  for (int b = 0; b < n_bars; b++)
    angle[b] = state->q[3 * b + 2];
}

/* Of the monolithic run, at all macro points. */
static void find_angles(const cosim_fixture *p, bar_angles *angle) {
  seam_error error = {0};
  mbs_state *state = new_state(p->model);
  mbs_integrator *integrator = start_monolithic(p, state);
  for (int i = 1; i <= n_study; i++) {
    cr_assert_eq(mbs_integrator_advance(integrator, i * p->definition.options.macro_step, state, &error), SEAM_OK, "%s",
                 error.message);
    take_angles(state, angle[i]);
  }
  mbs_integrator_destroy(integrator);
  mbs_state_destroy(state);
}

static void hold_angles(cosim_fixture *p, const char *scheme, bar_angles *angle, const double *listed) {
  deviation error[n_bars] = {0};
  bar_angles now;
  use_scheme(p, scheme);
  start(p);
  for (int i = 1; i <= n_study; i++) {
    advance(p, 1);
    take_angles(cosim_state(p->run), now);
    for (int b = 0; b < n_bars; b++)
      deviation_add(&error[b], now[b], angle[i][b]);
  }
  for (int b = 0; b < n_bars; b++)
    expect_error_near(scheme, deviation_of(&error[b]), listed[b]);
}

static void hold_study(const char *stiffness, int n_expected) {
  static bar_angles angle[n_study + 1];
  char override[32];
  int n = 0;
  snprintf(override, sizeof override, "parameters.c=%s", stiffness);
  cosim_fixture p = read_with("four_bar_bushing", override, 5e-3);
  find_angles(&p, angle);
  for (data_table t = data_table_open("li_runs.csv"); data_table_next(&t) == 2 + n_bars;)
    if (strcmp(t.word[0], stiffness) == 0) {
      hold_angles(&p, t.word[1], angle, t.number + 2);
      n++;
    }
  cr_expect_eq(n, n_expected);
  cosim_fixture_free(&p);
}

Test(published_runs, errors_with_a_stiffness_of_1e4) { hold_study("1e4", 9); }
Test(published_runs, errors_with_a_stiffness_of_1e5) { hold_study("1e5", 7); }
Test(published_runs, errors_with_a_stiffness_of_1e6) { hold_study("1e6", 5); }

/* ---- Extended multipliers: residuals of the cut joint ---- */

typedef struct residuals {
  double g, gd, gdd;
} residuals;

static void add_residuals(const cosim_fixture *p, residuals *largest) {
  double g[3];
  double gd[3];
  double gdd[3];
  const size_t n = cosim_coupling_residuals(p->run, 0, g, gd, gdd);
  for (size_t i = 0; i < n; i++) {
    largest->g = fmax(largest->g, fabs(g[i]));
    largest->gd = fmax(largest->gd, fabs(gd[i]));
    largest->gdd = fmax(largest->gdd, fabs(gdd[i]));
  }
}

/* ---- Four-bar with a fixed joint, H = 1e-3 ---- */

/* Listed errors of the angles and of λx over 3 s, and the largest g'' over 10 s; INFINITY holds nothing. */
typedef struct fixed_run {
  const char *scheme;
  double angle, force, gdd;
} fixed_run;

/* Listed errors have one digit. */
static const double one_digit = 1.25;

static void hold_fixed_run(const fixed_run *row) {
  enum { column_of_force = 15, per_row = 10, n_rows = 300 };
  cosim_fixture p = read_with("four_bar_fixed", NULL, 1e-3);
  reference exact = reference_read("four_bar_fixed");
  deviation angle[n_bars] = {0};
  deviation force = {0};
  residuals largest = {0};
  use_scheme(&p, row->scheme);
  start(&p);
  for (size_t i = 1; i <= 10000; i++) {
    advance(&p, 1);
    add_residuals(&p, &largest);
    if (i % per_row != 0 || i > per_row * n_rows)
      continue;
    const double *at = reference_row(&exact, i / per_row);
    double wrench[2][3];
    cosim_coupling_wrenches(p.run, 0, wrench);
    deviation_add(&force, wrench[0][0], at[column_of_force]);
    for (int b = 0; b < n_bars; b++)
      deviation_add(&angle[b], cosim_state(p.run)->q[3 * b + 2], at[1 + b]);
  }
  for (int b = 0; b < n_bars; b++)
    cr_expect_leq(deviation_of(&angle[b]), one_digit * row->angle, "%s: bar %d: %g", row->scheme, b + 1,
                  deviation_of(&angle[b]));
  cr_expect_leq(deviation_of(&force), one_digit * row->force, "%s: force: %g", row->scheme, deviation_of(&force));
  cr_expect_lt(largest.g, 1e-9, "%s: %g", row->scheme, largest.g);
  cr_expect_lt(largest.gd, 1e-9, "%s: %g", row->scheme, largest.gd);
  cr_expect_lt(largest.gdd, row->gdd, "%s: %g", row->scheme, largest.gdd);
  reference_free(&exact);
  cosim_fixture_free(&p);
}

Test(published_runs, four_bar_fixed_index_2) {
  hold_fixed_run(&(fixed_run){"ff-index2-k0", 1e-10, 2e-3, INFINITY});
  hold_fixed_run(&(fixed_run){"ff-index2-k1", 1e-10, 4e-6, INFINITY});
  hold_fixed_run(&(fixed_run){"ff-index2-k2", 1e-10, 4e-6, INFINITY});
}

Test(published_runs, four_bar_fixed_index_1) {
  hold_fixed_run(&(fixed_run){"ff-index1-k0", 2e-7, INFINITY, 1e-4});
  hold_fixed_run(&(fixed_run){"ff-index1-k1", 1e-11, INFINITY, 1e-8});
}

Test(published_runs, four_bar_fixed_index_1_of_order_2_or_implicit) {
  hold_fixed_run(&(fixed_run){"ff-index1-k2", 1e-10, INFINITY, 1e-8});
  hold_fixed_run(&(fixed_run){"ff-index1-k0-implicit", 2e-7, INFINITY, 1e-8});
}

/* ---- Two masses against a soft stop ---- */

/* x of the first mass over 1 s. */
static double error_at_stop(const char *scheme, double H, residuals *largest) {
  cosim_fixture p = read_with("two_mass_soft_contact", NULL, H);
  seam_error error = {0};
  deviation x = {0};
  mbs_state *whole = new_state(p.model);
  mbs_integrator *integrator = start_monolithic(&p, whole);
  use_scheme(&p, scheme);
  start(&p);
  while (cosim_state(p.run)->t < 1 - H / 2) {
    advance(&p, 1);
    add_residuals(&p, largest);
    const mbs_state *now = cosim_state(p.run);
    cr_assert_eq(mbs_integrator_advance(integrator, now->t, whole, &error), SEAM_OK, "%s", error.message);
    deviation_add(&x, now->q[0], whole->q[0]);
  }
  mbs_integrator_destroy(integrator);
  mbs_state_destroy(whole);
  cosim_fixture_free(&p);
  return deviation_of(&x);
}

/* The error with H = 1e-4, where the gaps are held; H = 1e-3 is stable too. */
static double fine_error_at_stop(const char *scheme) {
  residuals fine = {0};
  residuals coarse = {0};
  cr_expect_lt(error_at_stop(scheme, 1e-3, &coarse), 0.1, "%s", scheme);
  const double error = error_at_stop(scheme, 1e-4, &fine);
  cr_expect_leq(fine.g, 7e-11, "%s: %g", scheme, fine.g);
  cr_expect_leq(fine.gd, 1.5e-8, "%s: %g", scheme, fine.gd);
  return error;
}

Test(published_runs, two_masses_against_a_soft_stop_index_2) {
  cr_expect_leq(fine_error_at_stop("ff-index2-k0"), 3e-9);
  cr_expect_leq(fine_error_at_stop("ff-index2-k1"), 3e-9);
  cr_expect_leq(fine_error_at_stop("ff-index2-k2"), 3e-9);
}

Test(published_runs, two_masses_against_a_soft_stop_index_1) {
  expect_error_near("ff-index1-k0", fine_error_at_stop("ff-index1-k0"), 1.5e-6);
  expect_error_near("ff-index1-k1", fine_error_at_stop("ff-index1-k1"), 6.5e-10);
}

/* ---- Nodes of the extended multiplier: the linear test model ---- */

static double error_of_nodes(const char *scheme, double H) {
  seam_test_errors errors;
  seam_error error = {0};
  cr_assert_eq(seam_constraint_errors(scheme, true, H, &errors, &error), SEAM_OK, "%s: %s", scheme, error.message);
  return errors.global_position;
}

static double order_of_nodes(const char *scheme) {
  return log2(error_of_nodes(scheme, 5e-3) / error_of_nodes(scheme, 2.5e-3));
}

static double radius(const char *scheme, double lambda_r, double lambda_i) {
  const seam_test_model model = {lambda_r, lambda_i, 2.5, 1.4, 0.6, 1, 1};
  seam_stability_point point;
  cr_assert_eq(seam_constraint_stability(&model, scheme, &point, NULL), SEAM_OK);
  return point.rho;
}

/* Index 1: Gauss's nodes, (1 - 1/√3) / 2 and its mirror, for constants; Lobatto's for lines. */
Test(published_runs, nodes_of_quadratures_raise_the_order_of_index_1) {
  cr_expect_float_eq(order_of_nodes("ff-index1-k0"), 3, 0.1);
  cr_expect_float_eq(order_of_nodes("ff-index1(nodes=0.788675134594813)-k0"), 4, 0.1);
  cr_expect_float_eq(order_of_nodes("ff-index1-k1"), 4, 0.1);
  cr_expect_gt(order_of_nodes("ff-index1(nodes=0.7236)-k1"), 5);
  cr_expect_lt(50 * error_of_nodes("ff-index1(nodes=0.7236)-k1", 2.5e-3), error_of_nodes("ff-index1-k1", 2.5e-3));
}

Test(published_runs, nodes_of_index_2_are_best_at_the_middle) {
  cr_expect_float_eq(order_of_nodes("ff-index2-k0"), 4, 0.1);
  cr_expect_float_eq(order_of_nodes("ff-index2(nodes=0.4)-k0"), 3, 0.1);
  cr_expect_float_eq(order_of_nodes("ff-index2(nodes=0.6)-k0"), 3, 0.1);
  cr_expect_gt(error_of_nodes("ff-index2(nodes=0.4)-k1", 2.5e-3), 3 * error_of_nodes("ff-index2-k1", 2.5e-3));
  cr_expect_lt(radius("ff-index2-k1", -0.01, 0.1), 1);
  cr_expect_gt(radius("ff-index2(nodes=0.55)-k1", -0.01, 0.1), 1.2);
}

Test(published_runs, nodes_of_one_polynomial_do_not_matter) {
  static const double at[][2] = {{-0.3, 1.2}, {-1, 5}, {-0.01, 0.1}};
  for (int i = 0; i < 3; i++) {
    cr_expect_float_eq(radius("ff-index2(nodes=0.3)-k2", at[i][0], at[i][1]),
                       radius("ff-index2-k2", at[i][0], at[i][1]), 1e-9);
    cr_expect_float_eq(radius("ff-index1(nodes=0.8)-k2", at[i][0], at[i][1]),
                       radius("ff-index1-k2", at[i][0], at[i][1]), 1e-9);
  }
}

/* ---- A scheme that is undefined at a point ---- */

static void expect_undefined(const char *scheme) {
  const seam_test_model model = {.lambda_r = -1, .alpha_m21 = 1, .alpha_r21 = 1, .alpha_i21 = 1};
  seam_stability_point point;
  seam_error error = {0};
  cr_expect_eq(seam_constraint_stability(&model, scheme, &point, &error), SEAM_SINGULAR, "%s", scheme);
  cr_expect_not_null(strstr(error.message, "undefined"), "%s", error.message);
}

/* A held force leaves the accelerations at the end of the macro step as they are, but for rounding. */
Test(published_runs, a_gradient_of_rounding_is_none) {
  expect_undefined("ff-projection-k0");
  expect_undefined("ff-weighted-k0");
}
