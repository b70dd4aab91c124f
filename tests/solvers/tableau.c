/* Coefficients of explicit Runge-Kutta methods against the conditions of their orders ([Hairer-Norsett-Wanner] II.2).
 */
#include "solvers/erk.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const struct {
  const char *name;
  int order, of_interpolant;
} methods[] = {{"euler", 1, 0}, {"rk2", 2, 0}, {"rk4", 4, 3}, {"erk4", 4, 3}, {"erk5", 5, 5}, {"erk8", 8, 7}};
enum { n_methods = sizeof methods / sizeof *methods };

/* The method with the slope at its end as a stage of its own. */
static seam_tableau with_end(const char *name) {
  seam_tableau table = *seam_tableau_of(name);
  if (table.n_slopes > 0) {
    table.c[table.n_sum] = 1;
    for (int j = 0; j < table.n_sum; j++)
      table.A[table.n_sum][j] = table.b[j];
  }
  return table;
}

static double sum(const double *weight, const double *x) {
  double all = 0;
  for (int i = 0; i < SEAM_MAX_STAGES; i++)
    all += weight[i] * x[i];
  return all;
}

/* Conditions of trees that branch at the root and next to it, and of those without branches, up to an order:
 *
 *   Σ w_i c_i^m Σ a_ij c_j^l = θ^(m+l+2) / ((l+1)(m+l+2)),   Σ w_i c_i^m = θ^(m+1) / (m+1),   w A ... A 1 = θ^k / k! */
static void expect_conditions(const char *name, const seam_tableau *table, const double *w, double theta, int order) {
  double ones[SEAM_MAX_STAGES];
  for (int i = 0; i < SEAM_MAX_STAGES; i++)
    ones[i] = 1;
  for (int m = 0; m < order; m++) {
    double x[SEAM_MAX_STAGES];
    for (int i = 0; i < SEAM_MAX_STAGES; i++)
      x[i] = pow(table->c[i], m);
    cr_expect_float_eq(sum(w, x), pow(theta, m + 1) / (m + 1), 1e-13, "%s: %d", name, m);
  }
  for (int m = 0; m <= order - 2; m++)
    for (int l = 0; m + l + 2 <= order; l++) {
      double x[SEAM_MAX_STAGES];
      double inner[SEAM_MAX_STAGES];
      for (int i = 0; i < SEAM_MAX_STAGES; i++)
        x[i] = pow(table->c[i], l);
      for (int i = 0; i < SEAM_MAX_STAGES; i++)
        inner[i] = pow(table->c[i], m) * sum(table->A[i], x);
      cr_expect_float_eq(sum(w, inner), pow(theta, m + l + 2) / ((l + 1) * (m + l + 2)), 1e-13, "%s: %d, %d", name, m,
                         l);
    }
  for (int k = 1; k <= order; k++) {
    cr_expect_float_eq(sum(w, ones), pow(theta, k) / tgamma(k + 1), 1e-13, "%s: %d in a row", name, k);
    double next[SEAM_MAX_STAGES];
    for (int i = 0; i < SEAM_MAX_STAGES; i++)
      next[i] = sum(table->A[i], ones);
    for (int i = 0; i < SEAM_MAX_STAGES; i++)
      ones[i] = next[i];
  }
}

Test(tableau, stages_are_where_their_rows_lead) {
  for (int k = 0; k < n_methods; k++) {
    const seam_tableau table = with_end(methods[k].name);
    double ones[SEAM_MAX_STAGES];
    for (int i = 0; i < SEAM_MAX_STAGES; i++)
      ones[i] = 1;
    for (int i = 0; i < SEAM_MAX_STAGES; i++)
      cr_expect_float_eq(sum(table.A[i], ones), table.c[i], 1e-14, "%s: stage %d", methods[k].name, i);
  }
}

Test(tableau, ends_meet_the_conditions_of_their_order) {
  for (int k = 0; k < n_methods; k++) {
    const seam_tableau table = with_end(methods[k].name);
    expect_conditions(methods[k].name, &table, table.b, 1, methods[k].order);
  }
}

/* Σ e_i c_i^m: zero below the order of the estimate; at it an error in f(t) is seen. */
static void expect_estimate(const char *name, const double *e, const double *c, int order) {
  for (int m = 0; m <= order; m++) {
    double x[SEAM_MAX_STAGES];
    for (int i = 0; i < SEAM_MAX_STAGES; i++)
      x[i] = pow(c[i], m);
    if (m < order)
      cr_expect_float_eq(sum(e, x), 0, 1e-14, "%s: %d", name, m);
    else
      cr_expect_gt(fabs(sum(e, x)), 1e-5, "%s: %d", name, m);
  }
}

Test(tableau, estimates_see_what_is_above_their_order) {
  const seam_tableau *table = seam_tableau_of("erk8");
  expect_estimate("erk8", table->e, table->c, 5);
  expect_estimate("erk8, second", table->e3, table->c, 3);
  table = seam_tableau_of("erk5");
  expect_estimate("erk5", table->e, table->c, 4);
  table = seam_tableau_of("erk4");
  expect_estimate("erk4", table->e, table->c, 3);
}

/* w: the state at theta as y + h Σ w_i k_i, from the terms of solvers/erk.c. */
static void weights_at(const seam_tableau *table, double theta, double *w) {
  for (int i = 0; i < SEAM_MAX_STAGES; i++) {
    const double first = i == 0;
    const double last = i == table->n_sum;
    const double F[3] = {table->b[i], first - table->b[i], 2 * table->b[i] - first - last};
    double product = 1;
    w[i] = 0;
    for (int j = 0; j < table->n_terms; j++) {
      product *= j % 2 == 0 ? theta : 1 - theta;
      w[i] += product * (j < 3 ? F[j] : table->D[j - 3][i]);
    }
  }
}

Test(tableau, interpolants_meet_the_conditions_of_their_order) {
  for (int k = 0; k < n_methods; k++)
    for (int j = 0; methods[k].of_interpolant > 0 && j <= 8; j++) {
      const double theta = 0.125 * j;
      const seam_tableau table = with_end(methods[k].name);
      double w[SEAM_MAX_STAGES];
      weights_at(&table, theta, w);
      expect_conditions(methods[k].name, &table, w, theta, methods[k].of_interpolant);
    }
}

/* w A ... A 1 = θ⁸ / 8!: order 8 for linear equations. */
Test(tableau, the_interpolant_of_order_7_has_order_8_for_linear_equations) {
  const seam_tableau table = with_end("erk8");
  double product[SEAM_MAX_STAGES];
  for (int i = 0; i < SEAM_MAX_STAGES; i++)
    product[i] = 1;
  for (int k = 1; k < 8; k++) {
    double next[SEAM_MAX_STAGES];
    for (int i = 0; i < SEAM_MAX_STAGES; i++)
      next[i] = sum(table.A[i], product);
    memcpy(product, next, sizeof product);
  }
  for (int j = 0; j <= 8; j++) {
    double w[SEAM_MAX_STAGES];
    weights_at(&table, 0.125 * j, w);
    cr_expect_float_eq(sum(w, product), pow(0.125 * j, 8) / tgamma(9), 1e-16, "%d", j);
  }
}
