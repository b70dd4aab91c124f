/* Unsymmetric sparse systems A x = b: solutions are compared with the x that gave b. */
#include "solvers/lu.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "tests/support/random.h"

enum { n = 60, MAX_ENTRIES = n * n };

/* ---- Systems ---- */

/* Every number is a pair of real and imaginary part when is_complex. */
typedef struct linear_system {
  bool is_complex;
  int start[n + 1];
  int row[MAX_ENTRIES];
  double value[2 * MAX_ENTRIES];
  double x[2 * n], b[2 * n];
} linear_system;

static int width(const linear_system *s) { return s->is_complex ? 2 : 1; }

/* About nine entries a column, the diagonal among them. */
static linear_system random_system(uint64_t *seed, bool is_complex) {
  linear_system s = {.is_complex = is_complex};
  int n_entries = 0;
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++)
      if (i == j || random_below(seed, 7) == 0)
        s.row[n_entries++] = i;
    s.start[j + 1] = n_entries;
  }
  return s;
}

static void fill(double *number, int count, uint64_t *seed) {
  for (int k = 0; k < count; k++)
    number[k] = random_between(seed, -1, 1);
}

static void multiply(linear_system *s) {
  const int w = width(s);
  memset(s->b, 0, sizeof s->b);
  for (int j = 0; j < n; j++)
    for (int k = s->start[j]; k < s->start[j + 1]; k++) {
      const double *a = s->value + w * k;
      const double *x = s->x + w * j;
      double *b = s->b + w * s->row[k];
      b[0] += a[0] * x[0] - (s->is_complex ? a[1] * x[1] : 0);
      if (s->is_complex)
        b[1] += a[0] * x[1] + a[1] * x[0];
    }
}

static void new_numbers(linear_system *s, uint64_t *seed) {
  fill(s->value, width(s) * s->start[n], seed);
  fill(s->x, width(s) * n, seed);
  multiply(s);
}

static seam_lu *create(linear_system *s) {
  seam_lu *lu = NULL;
  cr_assert_eq(seam_lu_create(n, s->start, s->row, s->is_complex, NULL, s->value, &lu, NULL), SEAM_OK);
  return lu;
}

/* Largest error of the solution, which replaces b. */
static double error_of(seam_lu *lu, linear_system *s) {
  double largest = 0;
  cr_assert_eq(seam_lu_factor(lu, s->value), SEAM_OK);
  seam_lu_solve(lu, s->b);
  for (int i = 0; i < width(s) * n; i++)
    largest = fmax(largest, fabs(s->b[i] - s->x[i]));
  return largest;
}

/* ---- Solutions ---- */

static void expect_solutions(bool is_complex) {
  uint64_t seed = 1;
  linear_system s = random_system(&seed, is_complex);
  new_numbers(&s, &seed);
  seam_lu *lu = create(&s);
  for (int i = 0; i < 100; i++) {
    const double error = error_of(lu, &s);
    cr_expect_lt(error, 1e-8, "matrix %d: %.2e", i, error);
    new_numbers(&s, &seed);
  }
  seam_lu_destroy(lu);
}

Test(lu, real_systems_are_solved) { expect_solutions(false); }

Test(lu, complex_systems_are_solved) { expect_solutions(true); }

/* The reference is all but diagonal; then the diagonal, on which its pivots lie, is all but gone. */
static seam_lu *create_with_other_pivots(linear_system *s, uint64_t *seed) {
  const int w = width(s);
  new_numbers(s, seed);
  for (int j = 0; j < n; j++)
    for (int k = s->start[j]; k < s->start[j + 1]; k++)
      for (int part = 0; part < w; part++)
        s->value[w * k + part] = s->row[k] == j ? 1 : 1e-3;
  seam_lu *lu = create(s);
  new_numbers(s, seed);
  for (int j = 0; j < n; j++)
    for (int k = s->start[j]; k < s->start[j + 1]; k++)
      for (int part = 0; part < w && s->row[k] == j; part++)
        s->value[w * k + part] *= 1e-14;
  multiply(s);
  return lu;
}

static void expect_own_pivots(bool is_complex) {
  uint64_t seed = 2;
  linear_system s = random_system(&seed, is_complex);
  seam_lu *lu = create_with_other_pivots(&s, &seed);
  const double error = error_of(lu, &s);
  cr_expect_lt(error, 1e-11, "%.2e", error);
  seam_lu_destroy(lu);
}

Test(lu, pivots_that_do_not_fit_are_replaced) { expect_own_pivots(false); }

Test(lu, complex_pivots_that_do_not_fit_are_replaced) { expect_own_pivots(true); }

static double untested_error(seam_lu *lu, linear_system *s) {
  double b[2 * n];
  double largest = 0;
  memcpy(b, s->b, sizeof b);
  seam_lu_solve(lu, b);
  for (int i = 0; i < width(s) * n; i++)
    largest = fmax(largest, fabs(b[i] - s->x[i]));
  return largest;
}

static void expect_test_to_replace(bool is_complex) {
  uint64_t seed = 2;
  linear_system s = random_system(&seed, is_complex);
  seam_lu *lu = create_with_other_pivots(&s, &seed);
  bool replaced = false;
  cr_assert_eq(seam_lu_factor_untested(lu, s.value), SEAM_OK);
  cr_expect_gt(untested_error(lu, &s), 1e-6);
  cr_assert_eq(seam_lu_test(lu, s.value, &replaced), SEAM_OK);
  cr_expect(replaced);
  cr_expect_lt(untested_error(lu, &s), 1e-11);
  cr_assert_eq(seam_lu_test(lu, s.value, &replaced), SEAM_OK);
  cr_expect_not(replaced, "own pivots are good");
  seam_lu_destroy(lu);
}

Test(lu, a_test_after_the_factorisation_replaces_pivots) { expect_test_to_replace(false); }

Test(lu, a_test_after_the_factorisation_replaces_complex_pivots) { expect_test_to_replace(true); }

/* Rows and columns between 2^-300 and 2^300, without which no digit would be left. */
static void expect_scaled_solutions(bool is_complex) {
  uint64_t seed = 4;
  double row[n];
  double column[n];
  linear_system s = random_system(&seed, is_complex);
  const int w = width(&s);
  new_numbers(&s, &seed);
  for (int i = 0; i < n; i++) {
    row[i] = ldexp(1, 300 - 40 * (i % 16));
    column[i] = ldexp(1, 40 * (i % 13) - 240);
  }
  seam_lu *lu = NULL;
  const seam_lu_scale scale = {row, column};
  cr_assert_eq(seam_lu_create(n, s.start, s.row, is_complex, &scale, s.value, &lu, NULL), SEAM_OK);
  new_numbers(&s, &seed);
  for (int j = 0; j < n; j++)
    for (int k = w * s.start[j]; k < w * s.start[j + 1]; k++)
      s.value[k] /= row[s.row[k / w]] * column[j];
  for (int i = 0; i < w * n; i++) {
    s.b[i] /= row[i / w];
    s.x[i] *= column[i / w];
  }
  cr_assert_eq(seam_lu_factor(lu, s.value), SEAM_OK);
  seam_lu_solve(lu, s.b);
  for (int i = 0; i < w * n; i++)
    cr_expect_float_eq(s.b[i] / column[i / w], s.x[i] / column[i / w], 1e-8);
  seam_lu_destroy(lu);
}

Test(lu, rows_and_columns_are_scaled) { expect_scaled_solutions(false); }

Test(lu, rows_and_columns_of_complex_systems_are_scaled) { expect_scaled_solutions(true); }

Test(lu, equal_values_give_equal_bits_whatever_came_before) {
  uint64_t seed = 3;
  linear_system s = random_system(&seed, false);
  linear_system other = s;
  double first[n];
  new_numbers(&s, &seed);
  seam_lu *lu = create(&s);
  error_of(lu, &s);
  memcpy(first, s.b, sizeof first);
  new_numbers(&other, &seed);
  for (int j = 0; j < n; j++)
    for (int k = other.start[j]; k < other.start[j + 1]; k++)
      if (other.row[k] == j)
        other.value[k] = 0;
  multiply(&other);
  error_of(lu, &other);
  multiply(&s);
  error_of(lu, &s);
  cr_expect_arr_eq(s.b, first, sizeof first);
  seam_lu_destroy(lu);
}

/* ---- Failures ---- */

static void scale_column(linear_system *s, int j, double factor) {
  for (int k = width(s) * s->start[j]; k < width(s) * s->start[j + 1]; k++)
    s->value[k] *= factor;
}

static void expect_refusal(bool is_complex, double factor) {
  uint64_t seed = 4;
  linear_system s = random_system(&seed, is_complex);
  new_numbers(&s, &seed);
  seam_lu *lu = create(&s);
  linear_system bad = s;
  scale_column(&bad, n / 2, factor);
  cr_expect_eq(seam_lu_factor(lu, bad.value), SEAM_SINGULAR);
  cr_expect_lt(error_of(lu, &s), 1e-8, "a good matrix after a bad one");
  seam_lu_destroy(lu);
}

Test(lu, a_singular_matrix_is_found) { expect_refusal(false, 0); }

Test(lu, a_singular_complex_matrix_is_found) { expect_refusal(true, 0); }

Test(lu, values_that_are_not_finite_are_found) {
  expect_refusal(false, NAN);
  expect_refusal(false, INFINITY);
}

Test(lu, complex_values_that_are_not_finite_are_found) {
  expect_refusal(true, NAN);
  expect_refusal(true, INFINITY);
}

Test(lu, a_zero_of_order_one_is_found) {
  double value = 1;
  seam_lu *lu = NULL;
  cr_assert_eq(seam_lu_create(1, (const int[]){0, 1}, (const int[]){0}, false, NULL, &value, &lu, NULL), SEAM_OK);
  value = 0;
  cr_expect_eq(seam_lu_factor(lu, &value), SEAM_SINGULAR);
  seam_lu_destroy(lu);
}

Test(lu, a_singular_reference_is_refused) {
  uint64_t seed = 5;
  linear_system s = random_system(&seed, false);
  seam_lu *lu = NULL;
  seam_error error = {0};
  new_numbers(&s, &seed);
  scale_column(&s, 7, 0);
  cr_expect_eq(seam_lu_create(n, s.start, s.row, false, NULL, s.value, &lu, &error), SEAM_SINGULAR);
  cr_expect_null(lu);
  cr_expect_not_null(strstr(error.message, "singular"), "%s", error.message);
}
