/* Predictors through the inner nodes of the last step, (3.41), (4.67) of [Li] and below (3.42), beside those through
 * macro points: with one corrector they differ on nonlinear mechanisms. Both against a small co-simulation of its own.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cosim/schemes/scheme.h"
#include "tests/support/cosim_fixture.h"

enum { N_STEPS = 20, N_HALF = 40 };
static const double H = 0.05;

/* Masses of 1 and 2 kg on stiffening springs, coupled by 200 N/m and 3 Ns/m, or rigidly. */
static const char text[] =
    "seam: 2\ngravity: [0, 0]\npoints: {rest: [0, 0]}\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: 1, at: rest, velocity: [4, 0]}\n"
    "  b: {mass: 2, inertia: 1, at: rest, velocity: [4, 0]}\n"
    "forces:\n"
    "  of_a: {type: spring_damper, bodies: [ground, a], at: [rest, rest], axis: [1, 0], force: -100*s - 3000*s^3}\n"
    "  of_b: {type: spring_damper, bodies: [ground, b], at: [rest, rest], axis: [1, 0], force: -50*s - 2000*s^3}\n"
    "%s\n"
    "simulate: {end: 1}\n"
    "cosim: {subsystems: {A: [a], B: [b]}, macro_step: 0.05, scheme: %s, rtol: 1e-12, atol: 1e-12}\n";
static const char spring[] =
    "  K: {type: bushing, bodies: [a, b], at: rest, stiffness: [200, 0, 0], damping: [3, 0, 0]}";
static const char weld[] = "joints: {W: {type: fixed, bodies: [a, b], at: rest}}";

typedef struct own {
  int order;
  bool is_rigid, by_inner;
  double state[4];           /* x and v of both masses */
  double now, inner, before; /* λ at the macro point, at the middle of the last step, at the macro point before */
  int n_known;               /* steps taken */
} own;

static void rates(const double *y, double force, double *dy) {
  dy[0] = y[1];
  dy[1] = -100 * y[0] - 3000 * pow(y[0], 3) + force;
  dy[2] = y[3];
  dy[3] = (-50 * y[2] - 2000 * pow(y[2], 3) - force) / 2;
}

/* λ over the step by its values at τ = 0, 1/2 and 1: a parabola, two lines, or two constants. */
static double force_at(const own *self, double middle, double end, double tau, bool is_late) {
  if (self->order == 0)
    return is_late ? end : middle;
  if (self->order == 2)
    return self->now * (1 - tau) * (1 - 2 * tau) + 4 * middle * tau * (1 - tau) + end * tau * (2 * tau - 1);
  return tau < 0.5 ? self->now + 2 * tau * (middle - self->now) : middle + (2 * tau - 1) * (end - middle);
}

/* One macro step by Runge-Kutta steps of fourth order, with a break at the middle. */
static void integrate(const own *self, double middle, double end, double *y) {
  static const double part[4] = {0, 0.5, 0.5, 1};
  static const double weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  const double h = H / (2 * N_HALF);
  memcpy(y, self->state, sizeof self->state);
  for (int i = 0; i < 2 * N_HALF; i++) {
    double slope[4] = {0};
    double sum[4] = {0};
    for (int s = 0; s < 4; s++) {
      double at[4];
      for (int j = 0; j < 4; j++)
        at[j] = y[j] + part[s] * h * slope[j];
      rates(at, force_at(self, middle, end, (i + part[s]) / (2 * N_HALF), i >= N_HALF), slope);
      for (int j = 0; j < 4; j++)
        sum[j] += weight[s] * slope[j];
    }
    for (int j = 0; j < 4; j++)
      y[j] += h * sum[j];
  }
}

/* g and g', or λ - W and λ' - W'. */
static void conditions(const own *self, double middle, double end, double *r) {
  double y[4];
  double dy[4];
  integrate(self, middle, end, y);
  r[0] = y[2] - y[0];
  r[1] = y[3] - y[1];
  if (self->is_rigid)
    return;
  rates(y, end, dy);
  const double slope = self->order == 2 ? self->now - 4 * middle + 3 * end : 2 * (end - middle);
  const double gap = r[0];
  r[0] = end - 200 * gap - 3 * r[1];
  r[1] = slope / H - 200 * r[1] - 3 * (dy[3] - dy[1]);
}

/* At τ = 1/2 or 1 through the known values: of this step's beginning, and then the middle of the last one and its
 * beginning, or macro points. */
static double predicted(const own *self, double tau) {
  const double inner[3] = {0, -0.5, -1};
  const double macro[3] = {0, -1, -2};
  const double *node = self->by_inner ? inner : macro;
  const double value[3] = {self->now, self->by_inner ? self->inner : self->before, self->before};
  if (self->order == 0)
    return self->by_inner && self->n_known > 0 && tau > 0.5 ? 2 * self->now - self->inner : self->now;
  const int n = self->n_known == 0 ? 1 : self->order + 1;
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double basis = 1;
    for (int j = 0; j < n; j++)
      if (j != i)
        basis *= (tau - node[j]) / (node[i] - node[j]);
    sum += value[i] * basis;
  }
  return sum;
}

static void step(own *self) {
  double r[2];
  double up[2][2];
  double down[2][2];
  double J[2][2];
  const double middle = predicted(self, 0.5);
  const double end = predicted(self, 1);
  const double change = 1e-3;
  conditions(self, middle, end, r);
  for (int k = 0; k < 2; k++) {
    conditions(self, middle + (k == 0) * change, end + (k == 1) * change, up[k]);
    conditions(self, middle - (k == 0) * change, end - (k == 1) * change, down[k]);
    for (int i = 0; i < 2; i++)
      J[i][k] = (up[k][i] - down[k][i]) / (2 * change);
  }
  const double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
  const double new_middle = middle - (J[1][1] * r[0] - J[0][1] * r[1]) / det;
  const double new_end = end - (J[0][0] * r[1] - J[1][0] * r[0]) / det;
  double y[4];
  integrate(self, new_middle, new_end, y);
  memcpy(self->state, y, sizeof y);
  self->before = self->now;
  self->inner = new_middle;
  self->now = new_end;
  self->n_known++;
}

/* Positions after all steps, of the co-simulation and of the own one. */
static void run(const char *scheme, own self, double *found, double *expected) {
  char model[1500];
  snprintf(model, sizeof model, text, self.is_rigid ? weld : spring, scheme);
  cosim_fixture p = cosim_fixture_read(model, NULL);
  start(&p);
  advance(&p, N_STEPS);
  for (int i = 0; i < N_STEPS; i++)
    step(&self);
  for (int i = 0; i < 2; i++) {
    found[i] = cosim_state(p.run)->q[3 * i];
    expected[i] = self.state[2 * i];
  }
  cosim_fixture_free(&p);
}

static void expect_own(const char *name, bool is_rigid, int order) {
  double found[2][2];
  double expected[2][2];
  char scheme[40];
  for (int by_inner = order == 2; by_inner < 2; by_inner++) {
    snprintf(scheme, sizeof scheme, "ff-%s%s-k%d", name, by_inner ? "(inner=1)" : "", order);
    run(scheme, (own){.order = order, .is_rigid = is_rigid, .by_inner = by_inner, .state = {0, 4, 0, 4}},
        found[by_inner], expected[by_inner]);
    for (int i = 0; i < 2; i++)
      cr_expect_float_eq(found[by_inner][i], expected[by_inner][i], 1e-9, "%s: %.15g, not %.15g", scheme,
                         found[by_inner][i], expected[by_inner][i]);
  }
  if (order < 2)
    cr_expect_gt(fabs(found[0][0] - found[1][0]), 1e-7, "%s: %g", name, found[0][0] - found[1][0]);
}

/* C[2 λ_N - λ_N-1/2, λ_N]. */
Test(inner_predictor, constants_of_both_halves_go_on_like_those_of_the_last_step) {
  expect_own("index2", true, 0);
  expect_own("d", false, 0);
}

/* Index1 has three constants. Each is the value, where its third of the step begins, of the line through λ_N and the
 * node before; the last step is twice as long here. */
Test(inner_predictor, constants_of_index1_follow_the_line_through_the_last_inner_node) {
  cosim_scheme scheme;
  const cosim_history_nodes past = {1, {0}};
  cr_assert_eq(cosim_scheme_for("ff-index1(inner=1)-k0", true, &scheme, NULL), SEAM_OK);
  const cosim_rule corrector = cosim_corrector_rule(&scheme, COSIM_FORCE, &past);
  const cosim_rule rule = cosim_inner_predictor_rule(&scheme, &corrector, 2);
  for (int third = 0; third < 3; third++)
    for (int i = 1; i <= 3; i++) {
      const double tau = (third + i / 3.0) / 3;
      const double at = cosim_signal_value(&rule.of_history[0], tau) * 2 +
                        cosim_signal_value(&rule.of_new[0], tau) * (2 + 3 * -2.0 / 3);
      cr_expect_float_eq(at, 2 + 3 * third / 3.0, 1e-14, "%g: %g", tau, at);
    }
  const cosim_rule first = cosim_inner_predictor_rule(&scheme, &corrector, 0);
  cr_expect_eq(first.n_new, 0);
  cr_expect_eq(cosim_signal_value(&first.of_history[0], 0.7), 1);
}

Test(inner_predictor, linear_through_the_middle_of_the_last_step) {
  expect_own("index2", true, 1);
  expect_own("d", false, 1);
}

Test(inner_predictor, quadratic_through_the_middle_and_beginning_of_the_last_step) {
  expect_own("index2", true, 2);
  expect_own("d", false, 2);
}

/* 2 + 3 τ - τ² is continued by its values at 0, -2/3 and -4/3, where the last step was twice as long. */
Test(inner_predictor, goes_through_both_inner_nodes_of_index1) {
  cosim_scheme scheme;
  const cosim_history_nodes past = {1, {0}};
  cr_assert_eq(cosim_scheme_for("ff-index1(inner=1)-k2", true, &scheme, NULL), SEAM_OK);
  const cosim_rule corrector = cosim_corrector_rule(&scheme, COSIM_FORCE, &past);
  const cosim_rule rule = cosim_inner_predictor_rule(&scheme, &corrector, 2);
  cr_assert_eq(rule.n_new, 2);
  cr_assert_eq(rule.n_history, 1);
  const double node[2] = {-2.0 / 3, -4.0 / 3};
  const double at = cosim_signal_value(&rule.of_history[0], 0.7) * 2 +
                    cosim_signal_value(&rule.of_new[0], 0.7) * (2 + 3 * node[0] - node[0] * node[0]) +
                    cosim_signal_value(&rule.of_new[1], 0.7) * (2 + 3 * node[1] - node[1] * node[1]);
  cr_expect_float_eq(at, 2 + 3 * 0.7 - 0.7 * 0.7, 1e-14);
}
