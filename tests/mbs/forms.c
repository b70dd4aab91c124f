/* The forms in which implicit integrators see a mechanism: the stabilised index-2 form says the same as the index-1
 * form, and the matrices of both are derivatives of what they stand for. */
#include <criterion/criterion.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/ggl.h"
#include "mbs/dynamics/newton.h"
#include "tests/support/dense.h"
#include "tests/support/differences.h"
#include "tests/support/engine.h"
#include "tests/support/random.h"

enum { n_seeds = 40, MAX_VALUES = 128 };

/* A random mechanism in both forms, at a consistent state after mbs_accelerate(). */
typedef struct sample {
  mechanism m;
  mbs_ggl *ggl;
  const seam_dae *dae;
  int n, n_rows; /* coordinates, constraints */
  double y[MAX_VALUES];
} sample;

static sample sample_of(int seed) {
  sample s = {.m = random_mechanism((uint64_t)seed)};
  cr_assert_eq(mbs_accelerate(s.m.ws, s.m.state, NULL), SEAM_OK);
  cr_assert_eq(mbs_ggl_create(s.m.ws, s.m.state, &s.ggl, NULL), SEAM_OK);
  s.dae = mbs_ggl_dae(s.ggl);
  s.n = 3 * s.m.model->n_bodies;
  s.n_rows = s.m.model->n_rows;
  cr_assert_leq(s.dae->n + 2, MAX_VALUES);
  mbs_ggl_pack(s.ggl, s.m.state, s.y);
  return s;
}

static void sample_free(sample *s) {
  mbs_ggl_destroy(s->ggl);
  mechanism_free(&s->m);
}

static void at_random_states(void (*expect)(sample *s)) {
  for (int seed = 1; seed <= n_seeds; seed++) {
    sample s = sample_of(seed);
    expect(&s);
    sample_free(&s);
  }
}

static void evaluate(const sample *s, double t, const double *y, double *f) {
  cr_assert_eq(s->dae->f(s->dae->context, t, y, f, NULL, NULL), SEAM_OK);
}

/* ---- Stabilised form ---- */

static void expect_no_residual(sample *s) {
  const mbs_state *state = s->m.state;
  double f[MAX_VALUES];
  double expected[MAX_VALUES] = {0};
  evaluate(s, state->t, s->y, f);
  memcpy(expected, state->v, (size_t)s->n * sizeof *expected);
  for (int i = 0; i < s->n; i++)
    expected[s->n + i] = s->dae->mass[s->n + i] * state->a[i];
  expect_close(f, expected, s->dae->n, 1e-10, "f");
}

Test(forms, index_1_accelerations_and_multipliers_satisfy_the_stabilised_form) { at_random_states(expect_no_residual); }

static void stabilised_f(const void *context, const double *y, double *f) {
  const sample *s = context;
  evaluate(s, s->m.state->t, y, f);
}

static void stabilised_f_of_time(const void *context, const double *t, double *f) {
  const sample *s = context;
  evaluate(s, *t, s->y, f);
}

/* J (n x n, row by row) */
static void dense_jacobian(const sample *s, const double *y, double *J) {
  const size_t order = (size_t)s->dae->n;
  double *value = malloc((size_t)s->dae->start[order] * sizeof *value);
  cr_assert_not_null(value);
  cr_assert_eq(s->dae->jacobian(s->dae->context, s->m.state->t, y, value, NULL), SEAM_OK);
  memset(J, 0, order * order * sizeof *J);
  for (size_t j = 0; j < order; j++)
    for (int k = s->dae->start[j]; k < s->dae->start[j + 1]; k++)
      J[(size_t)s->dae->row[k] * order + j] = value[k];
  free(value);
}

/* Multipliers of redundant constraints are zero and stay so: what they would do is not in the Jacobian. */
static void forget_redundant(const sample *s, double *J) {
  const mbs_model *model = s->m.model;
  for (int k = 0; k < model->n_redundant; k++)
    for (int i = 0; i < 2 * s->n; i++) {
      double *row = J + i * s->dae->n + 2 * s->n;
      row[model->redundant[k]] = row[s->n_rows + model->redundant[k]] = 0;
    }
}

static void expect_jacobian(sample *s) {
  uint64_t seed = 1;
  const int order = s->dae->n;
  static double exact[MAX_VALUES * MAX_VALUES];
  static double differences[MAX_VALUES * MAX_VALUES];
  for (int i = 0; i < s->n_rows; i++)
    s->y[2 * s->n + s->n_rows + i] = random_between(&seed, -1, 1);
  dense_jacobian(s, s->y, exact);
  differentiate(stabilised_f, s, s->y, order, order, differences);
  forget_redundant(s, differences);
  expect_close(exact, differences, order * order, 1e-8, "Jacobian");
}

Test(forms, the_jacobian_of_the_stabilised_form_is_exact) { at_random_states(expect_jacobian); }

/* The stabilised form implies, of its velocity constraint c(t, q, v) = G v - f' = 0 once differentiated,
 *
 *   M a + Gᵀ λ = Q,   ∂c/∂v a = -∂c/∂q v - ∂c/∂t,
 *
 * with every matrix taken from its Jacobian; redundant constraints have λ = 0. */
static void solve_implied(const sample *s, double *solution) {
  const int n = s->n;
  const int order = n + s->n_rows;
  const int width = s->dae->n;
  double y[MAX_VALUES];
  double f[MAX_VALUES];
  double f_t[MAX_VALUES];
  lapack_int pivot[MAX_UNKNOWNS];
  static double J[MAX_VALUES * MAX_VALUES];
  static double A[MAX_UNKNOWNS * MAX_UNKNOWNS];
  memcpy(y, s->y, sizeof y);
  memset(y + 2 * n, 0, (size_t)s->n_rows * sizeof *y);
  evaluate(s, s->m.state->t, y, f);
  differentiate(stabilised_f_of_time, s, &s->m.state->t, 1, width, f_t);
  dense_jacobian(s, s->y, J);
  memset(A, 0, sizeof A);
  for (int i = 0; i < n; i++) {
    A[i * order + i] = s->dae->mass[n + i];
    solution[i] = f[n + i];
  }
  for (int k = 0; k < s->n_rows; k++) {
    const double *rate = J + (2 * n + s->n_rows + k) * width;
    const bool set_aside = J[(2 * n + k) * width + 2 * n + k] != 0;
    solution[n + k] = set_aside ? 0 : -f_t[2 * n + s->n_rows + k];
    A[(n + k) * order + n + k] = set_aside ? 1 : 0;
    for (int i = 0; i < n; i++) {
      A[i * order + n + k] = -J[(n + i) * width + 2 * n + k];
      A[(n + k) * order + i] = rate[n + i];
      solution[n + k] -= rate[i] * s->y[n + i];
    }
  }
  cr_assert_eq(LAPACKE_dgesv(LAPACK_ROW_MAJOR, order, 1, A, order, pivot, solution, 1), 0);
}

static void expect_implied_accelerations(sample *s) {
  double implied[MAX_UNKNOWNS];
  solve_implied(s, implied);
  expect_close(s->m.state->a, implied, s->n, 1e-10, "a");
  expect_close(s->m.state->lambda, implied + s->n, s->n_rows, 1e-10, "lambda");
}

Test(forms, the_stabilised_form_implies_the_accelerations_of_index_1) {
  at_random_states(expect_implied_accelerations);
}

Test(forms, quadratures_of_the_stabilised_form_are_the_powers_of_index_1) {
  for (int seed = 1; seed <= n_seeds; seed++) {
    sample s = sample_of(seed);
    double f[MAX_VALUES];
    double power[2];
    const mbs_power expected = s.m.ws->power;
    cr_assert_eq(s.dae->f(s.dae->context, s.m.state->t, s.y, f, power, NULL), SEAM_OK);
    expect_close(power, (double[2]){expected.dissipated, expected.driven}, 2, 1e-12, "power");
    sample_free(&s);
  }
}

/* ---- Newton's matrix of the index-1 form ---- */

/* (q, v)' */
static void index_1_f(const void *context, const double *x, double *f) {
  const sample *s = context;
  mbs_state *state = new_state(s->m.model);
  const size_t n = (size_t)s->n;
  state->t = s->m.state->t;
  memcpy(state->q, x, 2 * n * sizeof *x);
  cr_assert_eq(mbs_accelerate(s->m.ws, state, NULL), SEAM_OK);
  memcpy(f, x + n, n * sizeof *f);
  memcpy(f + n, state->a, n * sizeof *f);
  mbs_state_destroy(state);
}

/* b becomes x of (I - c ∂f/∂y) x = b by differences. */
static void solve_by_differences(const sample *s, double c, double *b) {
  const int order = 2 * s->n;
  lapack_int pivot[MAX_VALUES];
  static double A[MAX_VALUES * MAX_VALUES];
  differentiate(index_1_f, s, s->y, order, order, A);
  for (int i = 0; i < order; i++)
    for (int j = 0; j < order; j++)
      A[i * order + j] = (i == j ? 1 : 0) - c * A[i * order + j];
  cr_assert_eq(LAPACKE_dgesv(LAPACK_ROW_MAJOR, order, 1, A, order, pivot, b, 1), 0);
}

static void expect_newton(sample *s, double c) {
  uint64_t seed = 1;
  double x[MAX_VALUES];
  double expected[MAX_VALUES];
  mbs_newton *newton = NULL;
  cr_assert_eq(mbs_newton_create(s->m.ws, s->m.state, &newton, NULL), SEAM_OK);
  const seam_newton solver = mbs_newton_solver(newton);
  for (int i = 0; i < 2 * s->n; i++)
    x[i] = expected[i] = random_between(&seed, -1, 1);
  cr_assert_eq(solver.setup(solver.context, s->m.state->t, s->y, c, NULL), SEAM_OK);
  solver.solve(solver.context, x);
  solve_by_differences(s, c, expected);
  expect_close(x, expected, 2 * s->n, 1e-8, "x");
  mbs_newton_destroy(newton);
}

static void expect_newton_of_small_steps(sample *s) { expect_newton(s, 0.003); }

static void expect_newton_of_large_steps(sample *s) { expect_newton(s, 0.1); }

Test(forms, newton_solves_with_the_jacobian_of_index_1) { at_random_states(expect_newton_of_small_steps); }

Test(forms, newton_solves_with_it_for_large_steps) { at_random_states(expect_newton_of_large_steps); }
