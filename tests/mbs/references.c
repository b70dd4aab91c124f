/* Every adaptive method against trajectories that were computed independently of Seam. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "tests/support/mechanisms.h"
#include "tests/support/reference.h"

/* Largest errors over a whole reference. */
typedef struct comparison {
  double angle, rate; /* rad, rad/s */
  double multiplier;  /* part of the largest |λ| */
  double residual;    /* of g and G v */
} comparison;

static void wrench_of(mechanism *m, const char *element, double wrench[3]) {
  const size_t joint = mbs_find_joint(m->model, element);
  if (joint != SEAM_NONE)
    mbs_reaction(m->ws, m->state, joint, wrench);
  else
    mbs_force_wrench(m->ws, m->state, mbs_find_force(m->model, element), wrench);
}

/* Rows are t, angles, rates, and from column `first_lambda` on n_lambda components of the wrench of `element`. */
static comparison compare(mechanism m, const char *method, double tolerance, const char *name, const char *element,
                          size_t first_lambda, size_t n_lambda) {
  comparison worst = {0};
  double largest_lambda = 0;
  double lambda_error = 0;
  reference table = reference_read(name);
  const size_t n = mbs_n_bodies(m.model);
  mechanism_assemble(&m);
  mbs_integrator *integrator = mechanism_start_by(&m, method, tolerance, 0);
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

/* rtol = atol = tolerance; angles within `angle`, multipliers (part of the largest) within `multiplier`. */
typedef struct demand {
  const char *method;
  double tolerance, angle, multiplier;
} demand;

static void expect_reference(const demand *d, mechanism m, const char *name, const char *element, size_t first_lambda,
                             size_t n_lambda) {
  const comparison worst = compare(m, d->method, d->tolerance, name, element, first_lambda, n_lambda);
  cr_expect_lt(worst.angle, d->angle, "%s: angles: %.2e", name, worst.angle);
  cr_expect_lt(worst.rate, 10 * d->angle, "%s: rates: %.2e", name, worst.rate);
  cr_expect_lt(worst.multiplier, d->multiplier, "%s: multipliers: %.2e", name, worst.multiplier);
  cr_expect_lt(worst.residual, 1e-9, "%s: residuals: %.2e", name, worst.residual);
}

#define REFERENCES(test, ...)                                                                                          \
  static const demand test = {__VA_ARGS__};                                                                            \
  Test(references, four_bar_with_bushing_by_##test) {                                                                  \
    expect_reference(&test, four_bar_bushing(), "four_bar_bushing", "M", 9, 3);                                        \
  }                                                                                                                    \
  Test(references, four_bar_with_fixed_joint_by_##test) {                                                              \
    expect_reference(&test, four_bar_fixed(), "four_bar_fixed", "M", 15, 3);                                           \
  }                                                                                                                    \
  Test(references, two_links_by_##test) { expect_reference(&test, double_pendulum(), "double_pendulum", "B", 5, 2); }

REFERENCES(erk, "erk", 1e-10, 1e-8, 1e-6)
REFERENCES(radau, "radau", 1e-10, 1e-8, 1e-6)
REFERENCES(ida, "ida", 1e-10, 1e-6, 1e-5)
REFERENCES(ida_sharp, "ida", 1e-12, 1e-7, 1e-6)
REFERENCES(cvode, "cvode", 1e-10, 1e-6, 1e-5)
REFERENCES(cvode_sharp, "cvode", 1e-12, 1e-7, 1e-6)

/* ---- Chains ---- */

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

Test(references, chain_of_10) { expect_chain(10, 1); }

Test(references, chain_of_100) { expect_chain(100, 1); }

Test(references, chain_of_1000) { expect_chain(1000, 0.2); }
