/* The linearised equations of motion on random mechanisms: against differences of the accelerations, and as a linear
 * system that their solution satisfies. */
#include "mbs/dynamics/linearised.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/stages/stages.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/support/differences.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random.h"

enum { n_seeds = 40, MAX_VALUES = 128 };

/* A random mechanism after mbs_accelerate(), linearised there. */
typedef struct sample {
  mechanism m;
  mbs_linearised *linear;
  int n, n_rows; /* coordinates, constraints */
  double dq[MAX_VALUES], dv[MAX_VALUES];
} sample;

static void fill(uint64_t *seed, double *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = random_between(seed, -1, 1);
}

static sample sample_of(uint64_t seed) {
  sample s = {.m = random_mechanism(seed)};
  s.n = 3 * s.m.model->n_bodies;
  s.n_rows = s.m.model->n_rows;
  s.linear = new_linearised(s.m.model);
  cr_assert_not_null(s.linear);
  cr_assert_eq(mbs_accelerate(s.m.ws, s.m.state, NULL), SEAM_OK);
  mbs_linearise(s.linear, s.m.ws, s.m.state);
  fill(&seed, s.dq, s.n);
  fill(&seed, s.dv, s.n);
  return s;
}

static void sample_free(sample *s) {
  mbs_linearised_destroy(s->linear);
  mechanism_free(&s->m);
}

/* (a, λ) at q + x dq, v + y dv. */
static void accelerations(const void *context, const double *x, double *f) {
  const sample *s = context;
  mbs_workspace *ws = new_workspace(s->m.model);
  mbs_state *state = new_state(s->m.model);
  mbs_state_copy(state, s->m.state);
  for (int i = 0; i < s->n; i++) {
    state->q[i] += x[0] * s->dq[i];
    state->v[i] += x[1] * s->dv[i];
  }
  cr_assert_eq(mbs_accelerate(ws, state, NULL), SEAM_OK);
  memcpy(f, state->a, (size_t)s->n * sizeof *f);
  memcpy(f + s->n, state->lambda, (size_t)s->n_rows * sizeof *f);
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
}

/* To rounding: S of one of the mechanisms is nearly singular. */
Test(linearised, accelerations_and_multipliers_change_as_differences_say) {
  for (uint64_t seed = 1; seed <= n_seeds; seed++) {
    sample s = sample_of(seed);
    const int order = s.n + s.n_rows;
    double by_q[MAX_VALUES] = {0};
    double by_v[MAX_VALUES] = {0};
    double J[2 * MAX_VALUES];
    double expected[2][MAX_VALUES];
    differentiate(accelerations, &s, (double[2]){0}, 2, order, J);
    for (int i = 0; i < 2 * order; i++)
      expected[i % 2][i / 2] = J[i];
    mbs_linearised_solve(s.linear, s.m.ws, s.dq, NULL, NULL, by_q, by_q + s.n);
    mbs_linearised_solve(s.linear, s.m.ws, NULL, s.dv, NULL, by_v, by_v + s.n);
    expect_close(by_q, expected[0], order, 1e-6, "change with q");
    expect_close(by_v, expected[1], order, 1e-6, "change with v");
    sample_free(&s);
  }
}

Test(linearised, what_is_added_from_outside_solves_the_linear_system) {
  for (uint64_t seed = 1; seed <= n_seeds; seed++) {
    sample s = sample_of(seed);
    uint64_t numbers = seed;
    double dQ[MAX_VALUES];
    double dgamma[MAX_VALUES];
    double da[MAX_VALUES];
    double dlambda[MAX_VALUES];
    double Gda[MAX_VALUES];
    fill(&numbers, dQ, s.n);
    fill(&numbers, dgamma, s.n_rows);
    memcpy(da, dQ, sizeof da);
    memcpy(dlambda, dgamma, sizeof dlambda);
    mbs_linearised_solve(s.linear, s.m.ws, NULL, NULL, NULL, da, dlambda);
    mbs_multiply_G(s.m.ws, da, Gda);
    for (int i = 0; i < s.m.model->n_redundant; i++)
      Gda[s.m.model->redundant[i]] = dgamma[s.m.model->redundant[i]];
    expect_close(Gda, dgamma, s.n_rows, 1e-10, "constraints");
    for (int i = 0; i < s.n; i++)
      da[i] *= s.m.model->mass[3 + i];
    mbs_add_WGt(s.m.ws, s.m.model->unit_weight, 1, dlambda, da);
    expect_close(da, dQ, s.n, 1e-10, "forces");
    sample_free(&s);
  }
}

Test(linearised, changes_of_all_kinds_add_up) {
  for (uint64_t seed = 1; seed <= n_seeds; seed++) {
    sample s = sample_of(seed);
    const int order = s.n + s.n_rows;
    uint64_t numbers = seed;
    double all[MAX_VALUES];
    double sum[MAX_VALUES];
    double by_q[MAX_VALUES] = {0};
    double by_v[MAX_VALUES] = {0};
    fill(&numbers, all, order);
    memcpy(sum, all, sizeof sum);
    mbs_linearised_solve(s.linear, s.m.ws, s.dq, s.dv, NULL, all, all + s.n);
    mbs_linearised_solve(s.linear, s.m.ws, NULL, NULL, NULL, sum, sum + s.n);
    mbs_linearised_solve(s.linear, s.m.ws, s.dq, NULL, NULL, by_q, by_q + s.n);
    mbs_linearised_solve(s.linear, s.m.ws, NULL, s.dv, NULL, by_v, by_v + s.n);
    for (int i = 0; i < order; i++)
      sum[i] += by_q[i] + by_v[i];
    expect_close(all, sum, order, 1e-10, "sum");
    sample_free(&s);
  }
}

Test(linearised, redundant_constraints_have_no_multipliers) {
  for (uint64_t seed = 1; seed <= n_seeds; seed++) {
    sample s = sample_of(seed);
    double da[MAX_VALUES] = {0};
    double dlambda[MAX_VALUES] = {0};
    mbs_linearised_solve(s.linear, s.m.ws, s.dq, s.dv, NULL, da, dlambda);
    for (int i = 0; i < s.m.model->n_redundant; i++)
      cr_expect_eq(dlambda[s.m.model->redundant[i]], 0);
    sample_free(&s);
  }
}
