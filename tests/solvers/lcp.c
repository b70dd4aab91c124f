/* Lemke's method: solutions that are known, degenerate problems, problems without solution, and P-matrices against all
 * complementary bases. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "solvers/lcp.h"
#include "tests/support/random.h"

enum { MOST = 12 };

static seam_lcp_end solve(int n, const double *M, const double *q, double *z) {
  seam_lcp *lcp = NULL;
  cr_assert_eq(seam_lcp_create(MOST, &lcp, NULL), SEAM_OK);
  const seam_lcp_end end = seam_lcp_solve(lcp, n, M, q);
  for (int i = 0; i < n && end == SEAM_LCP_SOLVED; i++) {
    double w = q[i];
    z[i] = seam_lcp_z(lcp)[i];
    for (int j = 0; j < n; j++)
      w += M[i + j * n] * seam_lcp_z(lcp)[j];
    cr_expect_float_eq(seam_lcp_w(lcp)[i], w, 1e-12);
    cr_expect_geq(seam_lcp_z(lcp)[i], 0);
    cr_expect_geq(seam_lcp_w(lcp)[i], 0);
    cr_expect_eq(fmin(seam_lcp_z(lcp)[i], seam_lcp_w(lcp)[i]), 0);
    cr_expect(seam_lcp_is_basic(lcp, i) || seam_lcp_z(lcp)[i] == 0);
  }
  seam_lcp_destroy(lcp);
  return end;
}

Test(lcp, known_solutions_are_found) {
  double z[3];
  /* Three balls in a row, the first of which arrives: Newton's law with e = 1. */
  cr_assert_eq(solve(2, (double[]){2, -1, -1, 2}, (double[]){-2, 0}, z), SEAM_LCP_SOLVED);
  cr_expect_float_eq(z[0], 4.0 / 3, 1e-14);
  cr_expect_float_eq(z[1], 2.0 / 3, 1e-14);
  /* M (2, 1, 3) = -q. */
  cr_assert_eq(solve(3, (double[]){1, 2, 0, 0, 1, 2, 2, 0, 1}, (double[]){-8, -5, -5}, z), SEAM_LCP_SOLVED);
  cr_expect_float_eq(z[0], 2, 1e-13);
  cr_expect_float_eq(z[1], 1, 1e-13);
  cr_expect_float_eq(z[2], 3, 1e-13);
  /* Nothing is to be done. */
  cr_assert_eq(solve(2, (double[]){-1, 0, 0, -1}, (double[]){0, 3}, z), SEAM_LCP_SOLVED);
  cr_expect_eq(z[0] + z[1], 0);
  cr_expect_eq(solve(0, NULL, NULL, z), SEAM_LCP_SOLVED);
}

Test(lcp, degenerate_problems_do_not_cycle) {
  double z[MOST];
  double M[MOST * MOST];
  double q[MOST];
  /* A block on many points, which carry one load: M has rank 1, all ratios tie. */
  for (int i = 0; i < MOST * MOST; i++)
    M[i] = 1;
  for (int i = 0; i < MOST; i++)
    q[i] = -1;
  cr_assert_eq(solve(MOST, M, q, z), SEAM_LCP_SOLVED);
  double sum = 0;
  for (int i = 0; i < MOST; i++)
    sum += z[i];
  cr_expect_float_eq(sum, 1, 1e-14);
  /* A cyclic P-matrix, whose rows tie as well. */
  cr_assert_eq(solve(3, (double[]){1, 0, 2, 2, 1, 0, 0, 2, 1}, (double[]){-1, -1, -1}, z), SEAM_LCP_SOLVED);
  for (int i = 0; i < 3; i++)
    cr_expect_float_eq(z[i], 1.0 / 3, 1e-14);
}

Test(lcp, problems_without_solution_end_on_a_ray) {
  double z[2];
  /* Nothing that pushes moves what falls: w = -1. */
  cr_expect_eq(solve(1, (double[]){0}, (double[]){-1}, z), SEAM_LCP_RAY);
  /* Painlevé: what pushes draws nearer. */
  cr_expect_eq(solve(1, (double[]){-0.5}, (double[]){-1}, z), SEAM_LCP_RAY);
  /* w1 = z1 - z2 - 1, w2 = -z1 + z2 - 1: their sum is -2. */
  cr_expect_eq(solve(2, (double[]){1, -1, -1, 1}, (double[]){-1, -1}, z), SEAM_LCP_RAY);
}

/* The solution of one complementary basis by elimination; false: it is singular or has negative values. */
static bool solve_set(int n, const double *M, const double *q, unsigned set, double *z) {
  double A[MOST][MOST + 1];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      A[i][j] = set >> j & 1 ? -M[i + j * n] : i == j;
    A[i][n] = q[i];
  }
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k; i < n; i++)
      best = fabs(A[i][k]) > fabs(A[best][k]) ? i : best;
    for (int j = 0; j <= n; j++) {
      const double other = A[k][j];
      A[k][j] = A[best][j];
      A[best][j] = other;
    }
    for (int i = 0; i < n; i++)
      for (int j = n; j >= k && i != k; j--)
        A[i][j] -= A[i][k] / A[k][k] * A[k][j];
  }
  for (int k = 0; k < n; k++) {
    if (!(A[k][n] / A[k][k] >= 0))
      return false;
    z[k] = set >> k & 1 ? A[k][n] / A[k][k] : 0;
  }
  return true;
}

/* One freedom between two contacts, which press on it from both sides: by rounding there is no solution. */
Test(lcp, rows_that_oppose_each_other_may_be_off_by_rounding) {
  const double M[] = {2, -2, -2, 2};
  double z[2] = {0};
  cr_expect_eq(solve(2, M, (double[]){-1, 1 - 1e-15}, z), SEAM_LCP_SOLVED);
  cr_expect_float_eq(z[0] - z[1], 0.5, 1e-12);
  cr_expect_eq(solve(2, M, (double[]){-1, 1}, z), SEAM_LCP_SOLVED);
  cr_expect_eq(solve(2, M, (double[]){-1, 1 - 1e-8}, z), SEAM_LCP_RAY);
}

Test(lcp, random_p_matrices_have_the_one_solution_of_all_bases) {
  uint64_t seed = 7;
  for (int trial = 0; trial < 300; trial++) {
    const int n = 1 + trial % 8;
    double B[MOST * MOST];
    double M[MOST * MOST];
    double q[MOST];
    double z[MOST];
    double expected[MOST];
    for (int i = 0; i < n * n; i++)
      B[i] = random_between(&seed, -1, 1);
    /* Positive definite and unsymmetric: BᵀB + 0.1 + a skew part. */
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        M[i + j * n] = (i == j) * 0.1 + (B[i + j * n] - B[j + i * n]);
        for (int k = 0; k < n; k++)
          M[i + j * n] += B[k + i * n] * B[k + j * n];
      }
    for (int i = 0; i < n; i++)
      q[i] = random_between(&seed, -1, 1);
    cr_assert_eq(solve(n, M, q, z), SEAM_LCP_SOLVED);
    int found = 0;
    for (unsigned set = 0; set < 1U << n; set++)
      if (solve_set(n, M, q, set, expected)) {
        found++;
        for (int i = 0; i < n; i++)
          cr_expect_float_eq(z[i], expected[i], 1e-10, "trial %d", trial);
      }
    cr_expect_eq(found, 1, "trial %d: %d solutions", trial, found);
  }
}

/* Bodies of masses 1, q, q², ... fall on each other and the floor at 1 m/s, with e = 0: impulses are those of all
 * above, with rows and columns scaled to a diagonal of 1. The least pivot is about q^(1 - n). */
Test(lcp, heavy_bodies_fall_on_light_ones) {
  static const struct {
    int n;
    double q;
  } cases[] = {{2, 1e6}, {2, 1e9}, {3, 1e4}, {3, 1e5}, {4, 1e3}, {5, 100}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    const int n = cases[c].n;
    double M[MOST * MOST] = {0};
    double q[MOST] = {-1};
    double scale[MOST];
    seam_lcp *lcp = NULL;
    cr_assert_eq(seam_lcp_create(MOST, &lcp, NULL), SEAM_OK);
    for (int i = 0; i < n; i++)
      scale[i] = 1 / sqrt(pow(cases[c].q, -i) + (i > 0 ? pow(cases[c].q, 1 - i) : 0));
    for (int i = 0; i < n; i++) {
      M[i + i * n] = 1;
      if (i > 0)
        M[i - 1 + i * n] = M[i + (i - 1) * n] = -pow(cases[c].q, 1 - i) * scale[i] * scale[i - 1];
    }
    cr_assert_eq(seam_lcp_solve(lcp, n, M, q), SEAM_LCP_SOLVED, "%d bodies, ratio %g", n, cases[c].q);
    double above = 0;
    for (int i = n - 1; i >= 0; i--) {
      above += pow(cases[c].q, i);
      cr_expect_float_eq(seam_lcp_z(lcp)[i] * scale[i] / above, 1, 1e-4, "%d: %.15g", i,
                         seam_lcp_z(lcp)[i] * scale[i] / above);
    }
    seam_lcp_destroy(lcp);
  }
}
