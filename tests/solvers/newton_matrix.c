/* Newton matrices by blocks: solutions are compared with the x that gave the right-hand side, and with single pivots.
 */
#include "solvers/newton_matrix.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "solvers/pattern.h"
#include "tests/support/random.h"

/* A chain: n_bodies of three q and three v, between them joints of one to three λ and μ, and a state at each end. */
enum { n_bodies = 12, n_joints = n_bodies, MAX_ROWS = 3 * n_joints, MAX_N = 6 * n_bodies + 2 * MAX_ROWS + 2 };
enum { n_blocks = n_bodies + n_joints + 2 };

typedef struct chain {
  seam_dae dae;
  seam_dae_block_pattern blocks;
  seam_pattern pattern;
  int n, n_rows, first_row[n_joints + 1];
  double mass[MAX_N];
  int index[MAX_N], rates[MAX_N], of[MAX_N], velocity_of[MAX_N], sequence[n_blocks];
  double J[MAX_N * MAX_N];
} chain;

/* Row k of joint j at one of its bodies. */
static void put_row(chain *c, int j, int k, int body, uint64_t *seed) {
  const int row = c->first_row[j] + k;
  const int lambda = 6 * n_bodies + row;
  const int mu = lambda + c->n_rows;
  for (int i = 0; i < 3; i++) {
    const int q = 3 * body + i;
    const int v = 3 * n_bodies + q;
    const double G = i == k ? 1 + random_between(seed, 0, 1) : random_between(seed, -0.3, 0.3);
    seam_pattern_add(&c->pattern, q, mu, -G);
    seam_pattern_add(&c->pattern, v, lambda, -G);
    seam_pattern_add(&c->pattern, lambda, q, G);
    seam_pattern_add(&c->pattern, mu, q, random_between(seed, -1, 1));
    seam_pattern_add(&c->pattern, mu, v, G);
  }
}

static void put_all(chain *c, uint64_t seed) {
  const int z = 6 * n_bodies + 2 * c->n_rows;
  for (int i = 0; i < c->n; i++)
    seam_pattern_add(&c->pattern, i, i, 0);
  for (int i = 0; i < 3 * n_bodies; i++) {
    seam_pattern_add(&c->pattern, i, 3 * n_bodies + i, 1);
    seam_pattern_add(&c->pattern, 3 * n_bodies + i, i, random_between(&seed, -20, 0));
    for (int k = -3; k <= 3; k += 3) /* springs and dampers to the neighbours */
      if (i + k >= 0 && i + k < 3 * n_bodies)
        seam_pattern_add(&c->pattern, 3 * n_bodies + i, 3 * n_bodies + i + k, random_between(&seed, -1, 1));
  }
  for (int j = 0; j < n_joints; j++)
    for (int k = 0; k < c->first_row[j + 1] - c->first_row[j]; k++) {
      put_row(c, j, k, j, &seed);
      if (j > 0)
        put_row(c, j, k, j - 1, &seed);
    }
  for (int i = 0; i < 2; i++) {
    seam_pattern_add(&c->pattern, z + i, z + i, -1);
    seam_pattern_add(&c->pattern, z + i, 3 * n_bodies + i, 2);
    seam_pattern_add(&c->pattern, 6 * n_bodies - 1 - i, z + i, 3);
  }
}

static void name_unknowns(chain *c) {
  for (int i = 0; i < c->n; i++)
    c->velocity_of[i] = -1;
  for (int i = 0; i < 3 * n_bodies; i++) {
    c->mass[i] = 1;
    c->mass[3 * n_bodies + i] = 1 + i % 3;
    c->rates[3 * n_bodies + i] = 1;
    c->of[i] = c->of[3 * n_bodies + i] = i / 3;
    c->velocity_of[i] = i / 3 == 3 ? -1 : 3 * n_bodies + i; /* a body that keeps its velocities */
  }
  for (int j = 0; j < n_joints; j++)
    for (int row = c->first_row[j]; row < c->first_row[j + 1]; row++) {
      const int lambda = 6 * n_bodies + row;
      c->of[lambda] = c->of[lambda + c->n_rows] = n_bodies + j;
      c->index[lambda] = c->index[lambda + c->n_rows] = 2;
      c->rates[lambda] = 2;
      c->rates[lambda + c->n_rows] = 1;
    }
  for (int i = 0; i < 2; i++) {
    c->of[c->n - 2 + i] = n_bodies + n_joints + i;
    c->mass[c->n - 2 + i] = 1;
  }
  for (int i = 0; i < n_bodies; i++) { /* the joint to the body before follows the body */
    c->sequence[2 * i] = i;
    c->sequence[2 * i + 1] = n_bodies + i;
  }
  for (int i = 0; i < 2; i++)
    c->sequence[2 * n_bodies + i] = n_bodies + n_joints + i;
}

static void create(chain *c) {
  *c = (chain){0};
  for (int j = 0; j < n_joints; j++)
    c->first_row[j + 1] = c->first_row[j] + 1 + j % 3;
  c->n_rows = c->first_row[n_joints];
  c->n = 6 * n_bodies + 2 * c->n_rows + 2;
  c->pattern = seam_pattern_create(c->n);
  put_all(c, 1);
  cr_assert(seam_pattern_finish(&c->pattern));
  name_unknowns(c);
  c->blocks = (seam_dae_block_pattern){n_blocks, c->of, c->velocity_of, c->sequence};
  c->dae = (seam_dae){.n = c->n,
                      .mass = c->mass,
                      .index = c->index,
                      .rates = c->rates,
                      .start = c->pattern.start,
                      .row = c->pattern.row,
                      .blocks = &c->blocks};
}

static void evaluate(chain *c, uint64_t seed) {
  seam_pattern_begin(&c->pattern, c->J);
  put_all(c, seed);
}

/* b = (c B - J) x, pairs. */
static void multiply(const chain *c, double re, double im, const double *x, double *b) {
  for (int i = 0; i < c->n; i++) {
    b[2 * i] = c->mass[i] * (re * x[2 * i] - im * x[2 * i + 1]);
    b[2 * i + 1] = c->mass[i] * (re * x[2 * i + 1] + im * x[2 * i]);
  }
  for (int j = 0; j < c->n; j++)
    for (int k = c->dae.start[j]; k < c->dae.start[j + 1]; k++)
      for (int part = 0; part < 2; part++)
        b[2 * c->dae.row[k] + part] -= c->J[k] * x[2 * j + part];
}

/* The largest error of a solution over the largest x. */
static double error_of(const chain *c, seam_newton_matrix *matrix, bool is_complex, double re, double im,
                       uint64_t *seed) {
  double x[2 * MAX_N] = {0};
  double b[2 * MAX_N];
  double largest = 0;
  for (int i = 0; i < 2 * c->n; i++)
    x[i] = is_complex || i % 2 == 0 ? random_between(seed, -1, 1) : 0;
  multiply(c, re, im, x, b);
  for (int i = 0; i < c->n && !is_complex; i++)
    b[i] = b[2 * i];
  seam_newton_matrix_solve(matrix, b);
  for (int i = 0; i < (is_complex ? 2 : 1) * c->n; i++)
    largest = fmax(largest, fabs(b[i] - x[is_complex ? i : 2 * i]));
  return largest;
}

static void expect_solutions(bool is_complex, bool by_blocks) {
  chain c;
  seam_dae_blocks *blocks = NULL;
  seam_newton_matrix *matrix = NULL;
  uint64_t seed = 7;
  create(&c);
  evaluate(&c, 2);
  if (by_blocks)
    cr_assert_eq(seam_dae_blocks_create(&c.dae, &blocks, NULL), SEAM_OK);
  cr_assert_eq(seam_newton_matrix_create(&c.dae, blocks, is_complex, c.J, 100, is_complex ? 100 : 0, &matrix, NULL),
               SEAM_OK);
  for (int turn = 0; turn < 50; turn++) {
    const double re = pow(10, 1 + turn % 3);
    const double im = is_complex ? 1.3 * re : 0;
    bool replaced = false;
    evaluate(&c, (uint64_t)turn);
    if (by_blocks)
      seam_dae_blocks_set_jacobian(blocks, c.J);
    cr_assert_eq(seam_newton_matrix_factor(matrix, c.J, re, im), SEAM_OK);
    cr_assert_eq(seam_newton_matrix_is_by_blocks(matrix), by_blocks);
    const double error = error_of(&c, matrix, is_complex, re, im, &seed);
    cr_expect_lt(error, 1e-6, "turn %d: %.2e", turn, error);
    cr_assert_eq(seam_newton_matrix_test(matrix, c.J, &replaced), SEAM_OK);
    cr_expect_not(replaced);
  }
  seam_newton_matrix_destroy(matrix);
  seam_dae_blocks_destroy(blocks);
  seam_pattern_destroy(&c.pattern);
}

Test(newton_matrix, real_systems_are_solved_by_blocks) { expect_solutions(false, true); }

Test(newton_matrix, complex_systems_are_solved_by_blocks) { expect_solutions(true, true); }

Test(newton_matrix, real_systems_are_solved_by_single_pivots) { expect_solutions(false, false); }

Test(newton_matrix, complex_systems_are_solved_by_single_pivots) { expect_solutions(true, false); }

/* Mass and stiffness of a body cancel but for rounding, and its joints hold it. */
static void expect_test_to_replace(bool is_complex) {
  chain c;
  seam_dae_blocks *blocks = NULL;
  seam_newton_matrix *matrix = NULL;
  bool replaced = false;
  create(&c);
  evaluate(&c, 2);
  cr_assert_eq(seam_dae_blocks_create(&c.dae, &blocks, NULL), SEAM_OK);
  cr_assert_eq(seam_newton_matrix_create(&c.dae, blocks, is_complex, c.J, 100, is_complex ? 100 : 0, &matrix, NULL),
               SEAM_OK);
  const int q = 3 * 5;
  evaluate(&c, 3);
  for (int j = q; j < q + 3; j++)
    for (int k = c.dae.start[j]; k < c.dae.start[j + 1]; k++)
      if (c.dae.row[k] >= 3 * n_bodies && c.dae.row[k] < 6 * n_bodies)
        c.J[k] = c.dae.row[k] == 3 * n_bodies + j ? c.mass[3 * n_bodies + j] * 1e4 * (1 + 1e-13) : 0;
  for (int j = 3 * n_bodies + q; j < 3 * n_bodies + q + 3; j++)
    for (int k = c.dae.start[j]; k < c.dae.start[j + 1]; k++)
      if (c.dae.row[k] >= 3 * n_bodies && c.dae.row[k] < 6 * n_bodies)
        c.J[k] = 0;
  seam_dae_blocks_set_jacobian(blocks, c.J);
  cr_assert_eq(seam_newton_matrix_factor(matrix, c.J, 100, 0), SEAM_OK);
  cr_assert(seam_newton_matrix_is_by_blocks(matrix));
  cr_assert_eq(seam_newton_matrix_test(matrix, c.J, &replaced), SEAM_OK);
  cr_expect(replaced);
  cr_expect_not(seam_newton_matrix_is_by_blocks(matrix));
  uint64_t seed = 9;
  const double error = error_of(&c, matrix, is_complex, 100, 0, &seed);
  cr_expect_lt(error, 1e-6, "%.2e", error);
  seam_newton_matrix_destroy(matrix);
  seam_dae_blocks_destroy(blocks);
  seam_pattern_destroy(&c.pattern);
}

Test(newton_matrix, blocks_that_lose_accuracy_are_replaced) { expect_test_to_replace(false); }

Test(newton_matrix, complex_blocks_that_lose_accuracy_are_replaced) { expect_test_to_replace(true); }

/* A block that is zero cannot be inverted: single pivots take over at once. */
Test(newton_matrix, a_block_that_is_zero_is_no_failure) {
  chain c;
  seam_dae_blocks *blocks = NULL;
  seam_newton_matrix *matrix = NULL;
  create(&c);
  for (int i = 0; i < 2; i++) { /* joints before their bodies */
    c.sequence[2 * i] = n_bodies + i;
    c.sequence[2 * i + 1] = i;
  }
  evaluate(&c, 2);
  cr_assert_eq(seam_dae_blocks_create(&c.dae, &blocks, NULL), SEAM_OK);
  cr_assert_eq(seam_newton_matrix_create(&c.dae, blocks, false, c.J, 100, 0, &matrix, NULL), SEAM_OK);
  seam_dae_blocks_set_jacobian(blocks, c.J);
  cr_assert_eq(seam_newton_matrix_factor(matrix, c.J, 100, 0), SEAM_OK);
  cr_expect_not(seam_newton_matrix_is_by_blocks(matrix));
  uint64_t seed = 9;
  const double error = error_of(&c, matrix, false, 100, 0, &seed);
  cr_expect_lt(error, 1e-6, "%.2e", error);
  seam_newton_matrix_destroy(matrix);
  seam_dae_blocks_destroy(blocks);
  seam_pattern_destroy(&c.pattern);
}
