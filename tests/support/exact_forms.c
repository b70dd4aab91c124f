#include "tests/support/exact_forms.h"

#include <criterion/criterion.h>
#include <string.h>

#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/ggl.h"
#include "mbs/dynamics/linearised.h"
#include "mbs/dynamics/newton.h"
#include "tests/support/differences.h"
#include "tests/support/random.h"

enum { MAX_VALUES = 80 };

static size_t size_of(const mechanism *m) { return mbs_n_controlled(m->model); }

/* (q, v, z)' */
static void index_1_f(const void *context, const double *y, double *f) {
  const mechanism *m = context;
  const size_t n = 3 * mbs_n_bodies(m->model);
  mbs_state *state = new_state(m->model);
  state->t = m->state->t;
  memcpy(state->q, y, size_of(m) * sizeof *y);
  cr_assert_eq(mbs_accelerate(m->ws, state, NULL), SEAM_OK);
  memcpy(f, y + n, n * sizeof *f);
  memcpy(f + n, state->a, n * sizeof *f);
  memcpy(f + 2 * n, m->ws->z_rates, mbs_n_states(m->model) * sizeof *f);
  mbs_state_destroy(state);
}

/* f' of a direction y, by the equations linearised at m->state. */
static void linearised_f(const mechanism *m, const double *y, double *f) {
  const size_t n = 3 * mbs_n_bodies(m->model);
  double dlambda[MAX_VALUES] = {0};
  mbs_linearised *linear = new_linearised(m->model);
  cr_assert_eq(mbs_accelerate(m->ws, m->state, NULL), SEAM_OK);
  mbs_linearise(linear, m->ws, m->state);
  memset(f, 0, size_of(m) * sizeof *f);
  memcpy(f, y + n, n * sizeof *f);
  mbs_linearised_solve(linear, m->ws, y, y + n, y + 2 * n, f + n, dlambda);
  mbs_linearised_rates(linear, &(mbs_direction){y, y + n, f + n, dlambda, y + 2 * n, NULL}, f + 2 * n);
  mbs_linearised_destroy(linear);
}

static void fill(uint64_t *seed, double *y, size_t n) {
  for (size_t i = 0; i < n; i++)
    y[i] = random_between(seed, -1, 1);
}

void expect_exact_linearisation(mechanism *m) {
  uint64_t seed = 5;
  const int n = (int)size_of(m);
  static double J[MAX_VALUES * MAX_VALUES];
  double change[MAX_VALUES];
  double exact[MAX_VALUES];
  double sum[MAX_VALUES] = {0};
  cr_assert_leq(n, MAX_VALUES);
  differentiate(index_1_f, m, m->state->q, n, n, J);
  fill(&seed, change, (size_t)n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      sum[i] += J[i * n + j] * change[j];
  linearised_f(m, change, exact);
  expect_close(exact, sum, n, 1e-8, "change");
}

/* x - c ∂f/∂y x = b for the x that Newton's solver finds. */
void expect_exact_newton(mechanism *m, double c) {
  uint64_t seed = 7;
  double b[MAX_VALUES];
  double x[MAX_VALUES];
  double slope[MAX_VALUES];
  mbs_newton *newton = NULL;
  cr_assert_eq(mbs_newton_create(m->ws, m->state, &newton, NULL), SEAM_OK);
  const seam_newton solver = mbs_newton_solver(newton);
  fill(&seed, b, size_of(m));
  memcpy(x, b, sizeof x);
  cr_assert_eq(solver.setup(solver.context, m->state->t, m->state->q, c, NULL), SEAM_OK);
  solver.solve(solver.context, x);
  linearised_f(m, x, slope);
  for (size_t i = 0; i < size_of(m); i++)
    x[i] -= c * slope[i];
  expect_close(x, b, (int)size_of(m), 1e-12, "b");
  mbs_newton_destroy(newton);
}

typedef struct stabilised {
  const seam_dae *dae;
  double t;
} stabilised;

static void stabilised_f(const void *context, const double *y, double *f) {
  const stabilised *s = context;
  cr_assert_eq(s->dae->f(s->dae->context, s->t, y, f, NULL, NULL), SEAM_OK);
}

void expect_exact_stabilised_form(mechanism *m) {
  mbs_ggl *ggl = NULL;
  double y[MAX_VALUES];
  static double exact[MAX_VALUES * MAX_VALUES];
  static double differences[MAX_VALUES * MAX_VALUES];
  static double value[MAX_VALUES * MAX_VALUES];
  cr_assert_eq(mbs_ggl_create(m->ws, m->state, &ggl, NULL), SEAM_OK);
  const seam_dae *dae = mbs_ggl_dae(ggl);
  const stabilised s = {dae, m->state->t};
  cr_assert_leq(dae->n, MAX_VALUES);
  memset(exact, 0, sizeof exact);
  mbs_ggl_pack(ggl, m->state, y);
  cr_assert_eq(dae->jacobian(dae->context, s.t, y, value, NULL), SEAM_OK);
  for (int j = 0; j < dae->n; j++)
    for (int k = dae->start[j]; k < dae->start[j + 1]; k++)
      exact[dae->row[k] * dae->n + j] = value[k];
  differentiate(stabilised_f, &s, y, dae->n, dae->n, differences);
  expect_close(exact, differences, dae->n * dae->n, 1e-8, "Jacobian");
  mbs_ggl_destroy(ggl);
}
