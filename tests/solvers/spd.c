/* Symmetric positive definite systems: sparse against dense, on patterns from diagonal to full. */
#include "solvers/spd.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/random.h"

enum { largest_order = 60 };

typedef bool in_pattern(int i, int j);

static bool diagonal(int i, int j) { return i == j; }
static bool chain_of_pairs(int i, int j) { return abs(i / 2 - j / 2) <= 1; }
static bool arrow(int i, int j) { return i == j || i == 0 || j == 0; }
static bool ring(int i, int j) { return abs(i - j) <= 1 || abs(i - j) == largest_order - 1; }
static bool scattered(int i, int j) { return i == j || (i * j + 3 * (i + j)) % 7 == 0; }
static bool full(int i, int j) { return i >= 0 && j >= 0; }

static in_pattern *const patterns[] = {diagonal, chain_of_pairs, arrow, ring, scattered, full};
enum { n_patterns = sizeof patterns / sizeof *patterns };

typedef struct matrix {
  int n;
  double entry[largest_order][largest_order];
} matrix;

/* Diagonally dominant with entries of the pattern. */
static matrix random_matrix(int n, in_pattern *pattern, uint64_t *seed) {
  matrix A = {.n = n};
  for (int i = 0; i < n; i++) {
    A.entry[i][i] += 1;
    for (int j = 0; j < i; j++) {
      if (!pattern(i, j))
        continue;
      A.entry[i][j] = A.entry[j][i] = random_between(seed, -1, 1);
      A.entry[i][i] += fabs(A.entry[i][j]);
      A.entry[j][j] += fabs(A.entry[i][j]);
    }
  }
  return A;
}

static seam_spd_plan *plan_of(int n, in_pattern *pattern, seam_spd_method method) {
  int start[largest_order + 1] = {0};
  int row[largest_order * largest_order] = {0};
  for (int j = 0; j < n; j++) {
    start[j + 1] = start[j];
    for (int i = 0; i < n; i++)
      if (pattern(i, j))
        row[start[j + 1]++] = i;
  }
  seam_spd_plan *plan = NULL;
  cr_assert_eq(seam_spd_plan_create(n, start, row, method, &plan, NULL), SEAM_OK);
  return plan;
}

/* Factorises A; what seam_spd_factor() says. */
static int factor(const seam_spd_plan *plan, seam_spd *solver, const matrix *A) {
  double *values = calloc((size_t)seam_spd_n_values(plan) + 1, sizeof *values);
  cr_assert_not_null(values);
  for (int i = 0; i < A->n; i++)
    for (int j = 0; j < A->n; j++)
      if (A->entry[i][j] != 0)
        values[seam_spd_slot(plan, i, j)] = A->entry[i][j];
  const int lost = seam_spd_factor(solver, values);
  free(values);
  return lost;
}

/* x with A x = b by one method. */
static void solve(const matrix *A, in_pattern *pattern, seam_spd_method method, const double *b, double *x) {
  seam_spd_plan *plan = plan_of(A->n, pattern, method);
  seam_spd *solver = seam_spd_create(plan);
  cr_assert_not_null(solver);
  cr_assert_eq(factor(plan, solver, A), -1);
  memcpy(x, b, (size_t)A->n * sizeof *x);
  seam_spd_solve(solver, x);
  seam_spd_destroy(solver);
  seam_spd_plan_destroy(plan);
}

static void random_vector(int n, uint64_t *seed, double *b) {
  for (int i = 0; i < n; i++)
    b[i] = random_between(seed, -1, 1);
}

Test(spd, sparse_is_dense) {
  static const int orders[] = {1, 2, 9, 31, largest_order};
  uint64_t seed = 1;
  for (int p = 0; p < n_patterns; p++)
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
      const int n = orders[k];
      const matrix A = random_matrix(n, patterns[p], &seed);
      double b[largest_order];
      double sparse[largest_order];
      double dense[largest_order];
      random_vector(n, &seed, b);
      solve(&A, patterns[p], SEAM_SPD_SPARSE, b, sparse);
      solve(&A, patterns[p], SEAM_SPD_DENSE, b, dense);
      for (int i = 0; i < n; i++)
        cr_assert_float_eq(sparse[i], dense[i], 1e-13, "pattern %d, order %d, x[%d]", p, n, i);
    }
}

Test(spd, the_solution_solves) {
  uint64_t seed = 2;
  for (int p = 0; p < n_patterns; p++) {
    const matrix A = random_matrix(largest_order, patterns[p], &seed);
    double b[largest_order];
    double x[largest_order];
    random_vector(A.n, &seed, b);
    solve(&A, patterns[p], SEAM_SPD_CHOOSE, b, x);
    for (int i = 0; i < A.n; i++) {
      double residual = -b[i];
      for (int j = 0; j < A.n; j++)
        residual += A.entry[i][j] * x[j];
      cr_assert_float_eq(residual, 0, 1e-13, "pattern %d, row %d", p, i);
    }
  }
}

Test(spd, full_matrices_are_dense_and_chains_sparse) {
  seam_spd_plan *of_full = plan_of(largest_order, full, SEAM_SPD_CHOOSE);
  seam_spd_plan *of_chain = plan_of(largest_order, chain_of_pairs, SEAM_SPD_CHOOSE);
  cr_expect(seam_spd_is_dense(of_full));
  cr_expect_not(seam_spd_is_dense(of_chain));
  seam_spd_plan_destroy(of_full);
  seam_spd_plan_destroy(of_chain);
}

/* A solver that has seen other numbers, badly scaled ones too, gives the bits of a new one. */
static void expect_no_history(seam_spd_method method) {
  uint64_t seed = 3;
  for (int p = 0; p < n_patterns; p++) {
    seam_spd_plan *plan = plan_of(largest_order, patterns[p], method);
    seam_spd *old = seam_spd_create(plan);
    seam_spd *new = seam_spd_create(plan);
    double x[largest_order];
    double y[largest_order];
    for (int k = 0; k < 3; k++) {
      matrix other = random_matrix(largest_order, patterns[p], &seed);
      other.entry[k][k] *= pow(10, 4 * k);
      cr_assert_eq(factor(plan, old, &other), -1);
    }
    const matrix A = random_matrix(largest_order, patterns[p], &seed);
    random_vector(largest_order, &seed, x);
    memcpy(y, x, sizeof x);
    cr_assert_eq(factor(plan, old, &A), -1);
    cr_assert_eq(factor(plan, new, &A), -1);
    seam_spd_solve(old, x);
    seam_spd_solve(new, y);
    cr_expect_arr_eq(x, y, sizeof x, "pattern %d", p);
    seam_spd_destroy(old);
    seam_spd_destroy(new);
    seam_spd_plan_destroy(plan);
  }
}

Test(spd, sparse_solvers_have_no_history) { expect_no_history(SEAM_SPD_SPARSE); }

Test(spd, dense_solvers_have_no_history) { expect_no_history(SEAM_SPD_DENSE); }

Test(spd, a_failed_factorisation_leaves_no_trace) {
  uint64_t seed = 4;
  seam_spd_plan *plan = plan_of(largest_order, chain_of_pairs, SEAM_SPD_SPARSE);
  seam_spd *failed = seam_spd_create(plan);
  seam_spd *new = seam_spd_create(plan);
  const matrix zero = {.n = largest_order};
  cr_expect_geq(factor(plan, failed, &zero), 0);
  const matrix A = random_matrix(largest_order, chain_of_pairs, &seed);
  cr_expect_eq(factor(plan, failed, &A), -1);
  cr_expect_eq(factor(plan, new, &A), -1);
  double x[largest_order] = {1, 2, 3};
  double y[largest_order] = {1, 2, 3};
  seam_spd_solve(failed, x);
  seam_spd_solve(new, y);
  cr_expect_arr_eq(x, y, sizeof x);
  seam_spd_destroy(failed);
  seam_spd_destroy(new);
  seam_spd_plan_destroy(plan);
}

/* G Gᵀ of random rows, of which row 5 is that of 2 turned around: one of the two depends on the other. */
static int lost_row(seam_spd_method method, uint64_t seed) {
  enum { n = 8 };
  double G[n][n];
  matrix A = {.n = n};
  for (int i = 0; i < n; i++)
    random_vector(n, &seed, G[i]);
  for (int k = 0; k < n; k++)
    G[5][k] = -2 * G[2][k];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        A.entry[i][j] += G[i][k] * G[j][k];
  seam_spd_plan *plan = plan_of(n, full, method);
  seam_spd *solver = seam_spd_create(plan);
  const int lost = factor(plan, solver, &A);
  seam_spd_destroy(solver);
  seam_spd_plan_destroy(plan);
  return lost;
}

Test(spd, dense_names_the_later_of_two_dependent_rows) {
  for (uint64_t seed = 1; seed <= 30; seed++)
    cr_expect_eq(lost_row(SEAM_SPD_DENSE, seed), 5);
}

Test(spd, sparse_names_one_of_two_dependent_rows) {
  for (uint64_t seed = 1; seed <= 30; seed++) {
    const int lost = lost_row(SEAM_SPD_SPARSE, seed);
    cr_expect(lost == 2 || lost == 5, "row %d", lost);
  }
}

Test(spd, nan_is_a_lost_pivot) {
  for (int method = SEAM_SPD_DENSE; method <= SEAM_SPD_SPARSE; method++) {
    uint64_t seed = 6;
    matrix A = random_matrix(12, chain_of_pairs, &seed);
    A.entry[7][7] = NAN;
    seam_spd_plan *plan = plan_of(A.n, chain_of_pairs, (seam_spd_method)method);
    seam_spd *solver = seam_spd_create(plan);
    cr_expect_geq(factor(plan, solver, &A), 0, "method %d", method);
    seam_spd_destroy(solver);
    seam_spd_plan_destroy(plan);
  }
}

Test(spd, order_zero) {
  const matrix none = {.n = 0};
  seam_spd_plan *plan = plan_of(0, full, SEAM_SPD_CHOOSE);
  seam_spd *solver = seam_spd_create(plan);
  cr_assert_not_null(solver);
  cr_expect_eq(seam_spd_n_values(plan), 0);
  cr_expect_eq(factor(plan, solver, &none), -1);
  seam_spd_solve(solver, NULL);
  seam_spd_destroy(solver);
  seam_spd_plan_destroy(plan);
}
