/* Symmetric quasi-definite systems of blocks: against Gaussian elimination, on patterns from diagonal to full. */
#include "solvers/ldl.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/ldl_plan.h"
#include "tests/support/random.h"

enum { n_blocks = 30, largest = 3 * n_blocks };

typedef bool in_pattern(int i, int j);

static bool diagonal(int i, int j) { return i == j; }
static bool chain(int i, int j) { return abs(i - j) <= 1; }
static bool arrow(int i, int j) { return i == j || i == 0 || j == 0; }
static bool ring(int i, int j) { return abs(i - j) <= 1 || abs(i - j) == n_blocks - 1; }
static bool scattered(int i, int j) { return i == j || (i * j + 3 * (i + j)) % 7 == 0; }
static bool full(int i, int j) { return i >= 0 && j >= 0; }

static in_pattern *const patterns[] = {diagonal, chain, arrow, ring, scattered, full};
enum { n_patterns = sizeof patterns / sizeof *patterns };

/* ---- Matrices ---- */

typedef struct matrix {
  int order[n_blocks];
  int first[n_blocks + 1]; /* unknown of each block */
  double entry[largest][largest];
} matrix;

/* Blocks of order 1 to 3; quasi-definite: rows dominated by their diagonal, which is negative in blocks that a mark
 * says. */
static void fill_random(matrix *A, in_pattern *pattern, bool indefinite, uint64_t *seed) {
  *A = (matrix){.first = {0}};
  for (int b = 0; b < n_blocks; b++) {
    A->order[b] = 1 + random_below(seed, 3);
    A->first[b + 1] = A->first[b] + A->order[b];
  }
  for (int b = 0; b < n_blocks; b++)
    for (int c = 0; c <= b; c++)
      for (int i = A->first[b]; i < A->first[b + 1]; i++)
        for (int k = A->first[c]; k < A->first[c + 1] && k < i; k++)
          if (pattern(b, c))
            A->entry[i][k] = A->entry[k][i] = random_between(seed, -1, 1);
  for (int b = 0; b < n_blocks; b++) {
    const double sign = indefinite && random_below(seed, 3) == 0 ? -1 : 1;
    for (int i = A->first[b]; i < A->first[b + 1]; i++) {
      double sum = 0.1;
      for (int k = 0; k < A->first[n_blocks]; k++)
        sum += fabs(A->entry[i][k]);
      A->entry[i][i] = sign * sum;
    }
  }
}

/* A x = b by Gaussian elimination with row exchanges. */
static void solve_dense(const matrix *A, double *x) {
  const int n = A->first[n_blocks];
  matrix U = *A;
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k; i < n; i++)
      if (fabs(U.entry[i][k]) > fabs(U.entry[pivot][k]))
        pivot = i;
    for (int j = 0; j < n; j++) {
      const double held = U.entry[k][j];
      U.entry[k][j] = U.entry[pivot][j];
      U.entry[pivot][j] = held;
    }
    const double held = x[k];
    x[k] = x[pivot];
    x[pivot] = held;
    for (int i = k + 1; i < n; i++) {
      const double l = U.entry[i][k] / U.entry[k][k];
      for (int j = k; j < n; j++)
        U.entry[i][j] -= l * U.entry[k][j];
      x[i] -= l * x[k];
    }
  }
  for (int i = n; i-- > 0;) {
    for (int j = i + 1; j < n; j++)
      x[i] -= U.entry[i][j] * x[j];
    x[i] /= U.entry[i][i];
  }
}

/* ---- Plans and solvers of them ---- */

static int list_edges(in_pattern *pattern, int (*edge)[2]) {
  int n = 0;
  for (int i = 0; i < n_blocks; i++)
    for (int j = 0; j < i; j++)
      if (pattern(i, j)) {
        edge[n][i % 2] = i;
        edge[n++][1 - i % 2] = j;
      }
  return n;
}

/* A sequence of NULL: the one of least fill. */
static seam_ldl_plan *make_plan(const matrix *A, in_pattern *pattern, const int *sequence, bool in_jobs) {
  int edge[n_blocks * n_blocks][2];
  int ordered[n_blocks];
  const int n_edges = list_edges(pattern, edge);
  const int(*edges)[2] = (const int(*)[2])edge;
  seam_ldl_plan *plan = NULL;
  if (sequence == NULL)
    cr_assert_eq(seam_ldl_order(n_blocks, n_edges, edges, 2, ordered, NULL), SEAM_OK);
  const seam_ldl_pattern of = {.n_blocks = n_blocks,
                               .order = A->order,
                               .n_edges = n_edges,
                               .edge = edges,
                               .sequence = sequence == NULL ? ordered : sequence,
                               .in_jobs = in_jobs};
  cr_assert_eq(seam_ldl_plan_create(&of, &plan, NULL), SEAM_OK);
  return plan;
}

static seam_ldl_plan *plan_of(const matrix *A, in_pattern *pattern, const int *sequence) {
  return make_plan(A, pattern, sequence, false);
}

static seam_ldl *solver_of(const seam_ldl_plan *plan) {
  seam_ldl *solver = seam_ldl_create(plan);
  cr_assert_not_null(solver);
  return solver;
}

static void fill(const seam_ldl_plan *plan, seam_ldl *solver, const matrix *A, in_pattern *pattern) {
  memset(seam_ldl_values(solver), 0, (size_t)seam_ldl_n_values(plan) * sizeof(double));
  for (int b = 0; b < n_blocks; b++)
    for (int c = 0; c < n_blocks; c++) {
      if (!pattern(b, c) || (b != c && !seam_ldl_is_before(plan, c, b)))
        continue;
      double *value = seam_ldl_values(solver) + seam_ldl_block(plan, b, c);
      for (int i = A->first[b]; i < A->first[b + 1]; i++)
        for (int k = A->first[c]; k < A->first[c + 1]; k++)
          *value++ = A->entry[i][k];
    }
  for (int b = 0; b < n_blocks; b++)
    for (int i = A->first[b]; i < A->first[b + 1]; i++)
      seam_ldl_references(solver)[seam_ldl_reference_of(plan, b) + i - A->first[b]] = A->entry[i][i];
}

static int factor(const seam_ldl_plan *plan, seam_ldl *solver, const matrix *A, in_pattern *pattern) {
  fill(plan, solver, A, pattern);
  return seam_ldl_factor(solver);
}

static void random_vector(int n, uint64_t *seed, double *b) {
  for (int i = 0; i < n; i++)
    b[i] = random_between(seed, -1, 1);
}

/* Of the first half of the unknowns too. */
static void expect_the_same_at_once(const seam_ldl_plan *plan, seam_ldl *solver, const matrix *A, in_pattern *pattern,
                                    const double *b, const double *x) {
  const int n = A->first[n_blocks];
  double at_once[largest] = {0};
  double half[largest] = {0};
  memcpy(at_once, b, (size_t)n * sizeof *b);
  memcpy(half, b, (size_t)n * sizeof *b);
  fill(plan, solver, A, pattern);
  cr_assert_eq(seam_ldl_factor_and_solve(solver, n, at_once), -1);
  cr_assert_arr_eq(at_once, x, (size_t)n * sizeof *x);
  seam_ldl_solve(solver, n / 2, half);
  memcpy(at_once, b, (size_t)n * sizeof *b);
  fill(plan, solver, A, pattern);
  cr_assert_eq(seam_ldl_factor_and_solve(solver, n / 2, at_once), -1);
  cr_assert_arr_eq(at_once, half, (size_t)n * sizeof *half);
}

static void expect_solution(const matrix *A, in_pattern *pattern, const int *sequence, uint64_t *seed) {
  const int n = A->first[n_blocks];
  double b[largest] = {0};
  double x[largest] = {0};
  seam_ldl_plan *plan = plan_of(A, pattern, sequence);
  seam_ldl *solver = solver_of(plan);
  random_vector(n, seed, b);
  memcpy(x, b, sizeof x);
  cr_assert_eq(factor(plan, solver, A, pattern), -1);
  seam_ldl_solve(solver, n, x);
  expect_the_same_at_once(plan, solver, A, pattern, b, x);
  solve_dense(A, b);
  for (int i = 0; i < n; i++)
    cr_assert_float_eq(x[i], b[i], 1e-12, "x[%d] is %g, not %g", i, x[i], b[i]);
  seam_ldl_destroy(solver);
  seam_ldl_plan_destroy(plan);
}

/* ---- Solutions ---- */

static matrix M; /* too large for a stack */

Test(ldl, the_solution_is_that_of_gaussian_elimination) {
  uint64_t seed = 1;
  for (int p = 0; p < n_patterns; p++)
    for (int turn = 0; turn < 10; turn++) {
      fill_random(&M, patterns[p], turn % 2, &seed);
      expect_solution(&M, patterns[p], NULL, &seed);
    }
}

Test(ldl, any_sequence_will_do) {
  uint64_t seed = 2;
  for (int p = 0; p < n_patterns; p++)
    for (int turn = 0; turn < 10; turn++) {
      int sequence[n_blocks] = {0};
      for (int i = 0; i < n_blocks; i++) {
        const int k = random_below(&seed, i + 1);
        sequence[i] = sequence[k];
        sequence[k] = i;
      }
      fill_random(&M, patterns[p], true, &seed);
      expect_solution(&M, patterns[p], sequence, &seed);
    }
}

Test(ldl, unknowns_beyond_the_first_n_have_zeros_on_the_right) {
  uint64_t seed = 3;
  double x[largest] = {0};
  double all[largest] = {0};
  const int n = 7;
  fill_random(&M, arrow, true, &seed);
  seam_ldl_plan *plan = plan_of(&M, arrow, NULL);
  seam_ldl *solver = solver_of(plan);
  cr_assert_eq(factor(plan, solver, &M, arrow), -1);
  random_vector(n, &seed, all);
  memcpy(x, all, sizeof x);
  x[n] = 17;
  seam_ldl_solve(solver, M.first[n_blocks], all);
  seam_ldl_solve(solver, n, x);
  cr_expect_arr_eq(x, all, (size_t)n * sizeof *x);
  cr_expect_eq(x[n], 17);
  seam_ldl_destroy(solver);
  seam_ldl_plan_destroy(plan);
}

Test(ldl, order_zero) {
  seam_ldl_plan *plan = NULL;
  const seam_ldl_pattern none = {0};
  cr_assert_eq(seam_ldl_order(0, 0, NULL, 2, NULL, NULL), SEAM_OK);
  cr_assert_eq(seam_ldl_plan_create(&none, &plan, NULL), SEAM_OK);
  seam_ldl *solver = solver_of(plan);
  cr_expect_eq(seam_ldl_n_values(plan), 0);
  cr_expect_eq(seam_ldl_factor(solver), -1);
  seam_ldl_solve(solver, 0, NULL);
  seam_ldl_destroy(solver);
  seam_ldl_plan_destroy(plan);
}

/* ---- Order of elimination ---- */

Test(ldl, chains_and_arrows_fill_nothing_in) {
  static in_pattern *const thin[] = {diagonal, chain, arrow};
  for (int p = 0; p < 3; p++) {
    int n_values = 0;
    uint64_t seed = 4;
    fill_random(&M, thin[p], false, &seed);
    for (int b = 0; b < n_blocks; b++)
      for (int c = 0; c <= b; c++)
        n_values += thin[p](b, c) ? M.order[b] * M.order[c] : 0;
    seam_ldl_plan *plan = plan_of(&M, thin[p], NULL);
    cr_expect_eq(seam_ldl_n_values(plan), n_values, "pattern %d", p);
    seam_ldl_plan_destroy(plan);
  }
}

Test(ldl, a_chain_is_eliminated_from_both_ends) {
  uint64_t seed = 5;
  fill_random(&M, chain, false, &seed);
  seam_ldl_plan *plan = plan_of(&M, chain, NULL);
  cr_expect(seam_ldl_is_before(plan, 0, n_blocks / 2 - 2));
  cr_expect(seam_ldl_is_before(plan, n_blocks - 1, n_blocks / 2 + 2));
  seam_ldl_plan_destroy(plan);
}

/* ---- Bits ---- */

/* A solver that has seen other numbers, badly scaled and singular ones too, gives the bits of a new one. */
Test(ldl, solvers_have_no_history) {
  uint64_t seed = 6;
  for (int p = 0; p < n_patterns; p++) {
    static matrix zero;
    double x[largest] = {0};
    double y[largest];
    fill_random(&M, patterns[p], true, &seed);
    memcpy(&zero, &M, sizeof zero);
    memset(zero.entry, 0, sizeof zero.entry);
    seam_ldl_plan *plan = plan_of(&M, patterns[p], NULL);
    seam_ldl *old = solver_of(plan);
    seam_ldl *new = solver_of(plan);
    cr_expect_geq(factor(plan, old, &zero, patterns[p]), 0);
    random_vector(largest, &seed, x);
    memcpy(y, x, sizeof x);
    cr_assert_eq(factor(plan, old, &M, patterns[p]), -1);
    cr_assert_eq(factor(plan, new, &M, patterns[p]), -1);
    seam_ldl_solve(old, M.first[n_blocks], x);
    seam_ldl_solve(new, M.first[n_blocks], y);
    cr_expect_arr_eq(x, y, sizeof x, "pattern %d", p);
    seam_ldl_destroy(old);
    seam_ldl_destroy(new);
    seam_ldl_plan_destroy(plan);
  }
}

/* ---- Rows that depend on others ---- */

/* Makes an unknown's row and column those of another one times -2: one of the two depends on the other. */
static void make_dependent(int unknown, int on) {
  for (int i = 0; i < M.first[n_blocks]; i++)
    M.entry[unknown][i] = -2 * M.entry[on][i];
  for (int i = 0; i < M.first[n_blocks]; i++)
    M.entry[i][unknown] = -2 * M.entry[i][on];
}

Test(ldl, the_lost_pivot_is_that_of_a_row_that_depends_on_another) {
  uint64_t seed = 7;
  for (int turn = 0; turn < 60; turn++) {
    double quotient;
    fill_random(&M, full, false, &seed);
    const int on = random_below(&seed, M.first[n_blocks]);
    const int unknown = random_below(&seed, M.first[n_blocks]);
    if (unknown == on)
      continue;
    make_dependent(unknown, on);
    seam_ldl_plan *plan = plan_of(&M, full, NULL);
    seam_ldl *solver = solver_of(plan);
    const int lost = factor(plan, solver, &M, full);
    cr_expect(lost == unknown || lost == on, "row %d, not %d or %d", lost, unknown, on);
    double b[largest] = {17};
    fill(plan, solver, &M, full);
    cr_expect_eq(seam_ldl_factor_and_solve(solver, M.first[n_blocks], b), lost);
    cr_expect_eq(b[0], 17);
    M.entry[lost][lost] *= 1 + 1e-6;
    cr_expect_eq(factor(plan, solver, &M, full), -1);
    cr_expect_eq(seam_ldl_smallest_quotient(solver, &quotient), lost);
    cr_expect_float_eq(quotient, 1e-6, 1e-8, "%g", quotient);
    seam_ldl_destroy(solver);
    seam_ldl_plan_destroy(plan);
  }
}

/* Of the columns of M⁻¹, the first n entries of the first n. */
static double inverse_norm(int n) {
  double norm = 0;
  for (int k = 0; k < n; k++) {
    double x[largest] = {0};
    double sum = 0;
    x[k] = 1;
    solve_dense(&M, x);
    for (int i = 0; i < n; i++)
      sum += fabs(x[i]);
    norm = fmax(norm, sum);
  }
  return norm;
}

static void expect_inverse_norm(in_pattern *pattern, int n) {
  double scratch[2 * largest];
  seam_ldl_plan *plan = plan_of(&M, pattern, NULL);
  seam_ldl *solver = solver_of(plan);
  cr_assert_eq(factor(plan, solver, &M, pattern), -1);
  const double estimate = seam_ldl_inverse_norm(solver, n, scratch);
  const double exact = inverse_norm(n);
  cr_expect(estimate > exact / 3 && estimate < exact * (1 + 1e-8), "%g of %g", estimate, exact);
  seam_ldl_destroy(solver);
  seam_ldl_plan_destroy(plan);
}

Test(ldl, the_norm_of_the_inverse_is_estimated_within_a_third) {
  uint64_t seed = 10;
  for (int i = 0; i < 10 * n_patterns; i++) {
    fill_random(&M, patterns[i % n_patterns], i % 2 == 1, &seed);
    expect_inverse_norm(patterns[i % n_patterns], i % 3 == 0 ? M.first[n_blocks] : M.first[n_blocks] / 2);
  }
}

Test(ldl, the_norm_of_the_inverse_sees_a_row_that_almost_depends_on_another) {
  uint64_t seed = 11;
  for (int i = 0; i < 30; i++) {
    fill_random(&M, full, false, &seed);
    const int on = random_below(&seed, M.first[n_blocks] - 1);
    make_dependent(on + 1, on);
    M.entry[on + 1][on + 1] *= 1 + 1e-5;
    expect_inverse_norm(full, M.first[n_blocks]);
  }
}

Test(ldl, nan_is_a_lost_pivot) {
  uint64_t seed = 8;
  for (int i = 0; i < 20; i++) {
    fill_random(&M, chain, true, &seed);
    M.entry[i][i] = NAN;
    seam_ldl_plan *plan = plan_of(&M, chain, NULL);
    seam_ldl *solver = solver_of(plan);
    cr_expect_geq(factor(plan, solver, &M, chain), 0);
    seam_ldl_destroy(solver);
    seam_ldl_plan_destroy(plan);
  }
}

/* The couplings hold NaN until they are cleared: a forgotten one would spoil the solution. */
Test(ldl, rows_without_their_couplings_stand_alone) {
  uint64_t seed = 9;
  bool marked[largest] = {false};
  int values[largest * largest];
  double x[largest] = {0};
  double b[largest] = {0};
  fill_random(&M, ring, false, &seed);
  const int n = M.first[n_blocks];
  seam_ldl_plan *plan = plan_of(&M, ring, NULL);
  seam_ldl *solver = solver_of(plan);
  marked[3] = marked[n - 2] = true;
  const int n_couplings = seam_ldl_couplings(plan, n, marked, values);
  cr_expect_eq(seam_ldl_couplings(plan, n, marked, NULL), n_couplings);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      if (i != k && (marked[i] || marked[k]) && M.entry[i][k] != 0)
        M.entry[i][k] = NAN;
  fill(plan, solver, &M, ring);
  for (int i = 0; i < n_couplings; i++)
    seam_ldl_values(solver)[values[i]] = 0;
  cr_assert_eq(seam_ldl_factor(solver), -1);
  random_vector(n, &seed, x);
  memcpy(b, x, sizeof b);
  seam_ldl_solve(solver, n, x);
  for (int i = 0; i < n; i++) {
    double residual = -b[i];
    for (int k = 0; k < n; k++)
      residual += isnan(M.entry[i][k]) ? 0 : M.entry[i][k] * x[k];
    cr_expect_float_eq(residual, 0, 1e-13, "row %d: %g", i, residual);
  }
  seam_ldl_destroy(solver);
  seam_ldl_plan_destroy(plan);
}

/* ---- Jobs ---- */

/* Two chains that meet at the last block, and two full halves that meet at three. */
static bool forked(int i, int j) {
  const int last = n_blocks - 1;
  return i == j || ((i == last || j == last) && abs(i - j) > 0) || (abs(i - j) == 1 && i / 15 == j / 15);
}
static bool halved(int i, int j) { return i / 13 == j / 13 || i >= 26 || j >= 26; }

/* Solutions by factors of this solve, and at once, with the threads of a pool. */
static void solve_by(int n_threads, const seam_ldl_plan *plan, const matrix *A, in_pattern *pattern, const double *b,
                     double *x, double *at_once) {
  worker_group workers = worker_group_of(n_threads, n_threads);
  seam_ldl *solver = solver_of(plan);
  const int n = A->first[n_blocks];
  worker_group_begin(&workers);
  seam_ldl_set_workers(solver, &workers);
  memcpy(x, b, (size_t)n * sizeof *x);
  memcpy(at_once, b, (size_t)n * sizeof *x);
  cr_assert_eq(factor(plan, solver, A, pattern), -1);
  seam_ldl_solve(solver, n, x);
  fill(plan, solver, A, pattern);
  cr_assert_eq(seam_ldl_factor_and_solve(solver, n, at_once), -1);
  seam_ldl_destroy(solver);
  worker_group_release(&workers);
}

Test(ldl, jobs_solve_the_same_with_the_same_bits_by_any_number_of_threads) {
  static in_pattern *const in_parts[] = {diagonal, chain, ring, scattered, forked, halved};
  uint64_t seed = 11;
  int n_divided = 0;
  for (size_t p = 0; p < sizeof in_parts / sizeof *in_parts; p++) {
    double b[largest] = {0};
    double one[largest] = {0};
    fill_random(&M, in_parts[p], true, &seed);
    seam_ldl_plan *plan = make_plan(&M, in_parts[p], NULL, true);
    const int n = M.first[n_blocks];
    n_divided += plan->n_jobs > 0;
    random_vector(n, &seed, b);
    for (int n_threads = 1; n_threads <= 4; n_threads++) {
      double x[largest] = {0};
      double at_once[largest] = {0};
      solve_by(n_threads, plan, &M, in_parts[p], b, x, at_once);
      cr_assert_arr_eq(x, at_once, sizeof x);
      if (n_threads == 1)
        memcpy(one, x, sizeof one);
      cr_assert_arr_eq(x, one, sizeof x, "pattern %zu, %d threads", p, n_threads);
    }
    solve_dense(&M, b);
    for (int i = 0; i < n; i++)
      cr_assert_float_eq(one[i], b[i], 1e-12, "pattern %zu: x[%d] is %g, not %g", p, i, one[i], b[i]);
    seam_ldl_plan_destroy(plan);
  }
  cr_expect_geq(n_divided, 4);
}

/* In the first job, in the second one, in the rest: of two lost pivots the first one is named. */
Test(ldl, jobs_name_the_first_lost_pivot) {
  static const int lost[] = {0, 14, 27};
  uint64_t seed = 12;
  for (int k = 0; k < 3; k++) {
    fill_random(&M, halved, false, &seed);
    seam_ldl_plan *plan = make_plan(&M, halved, NULL, true);
    cr_assert_eq(plan->n_jobs, 2);
    const int row = M.first[lost[k]];
    for (int i = 0; i < M.first[n_blocks]; i++)
      M.entry[row][i] = M.entry[i][row] = 0;
    seam_ldl *solver = solver_of(plan);
    fill(plan, solver, &M, halved);
    seam_ldl_references(solver)[seam_ldl_reference_of(plan, lost[k])] = 1;
    cr_expect_eq(seam_ldl_factor(solver), row);
    seam_ldl_destroy(solver);
    seam_ldl_plan_destroy(plan);
  }
}

Test(ldl, couplings_of_jobs_are_all_entries_of_their_rows) {
  uint64_t seed = 13;
  bool marked[largest] = {false};
  int values[largest * largest];
  fill_random(&M, halved, false, &seed);
  seam_ldl_plan *plan = make_plan(&M, halved, NULL, true);
  seam_ldl *solver = solver_of(plan);
  const int row = M.first[28];
  marked[row] = true;
  const int n_couplings = seam_ldl_couplings(plan, M.first[n_blocks], marked, values);
  for (int i = 0; i < M.first[n_blocks]; i++)
    if (i != row)
      M.entry[row][i] = M.entry[i][row] = NAN;
  fill(plan, solver, &M, halved);
  for (int i = 0; i < n_couplings; i++)
    seam_ldl_values(solver)[values[i]] = 0;
  cr_expect_eq(seam_ldl_factor(solver), -1);
  seam_ldl_destroy(solver);
  seam_ldl_plan_destroy(plan);
}
