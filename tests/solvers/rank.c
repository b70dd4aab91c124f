/* Rank of sparse matrices whose dependent columns are known. */
#include "solvers/rank.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "tests/support/random.h"

enum { n_rows = 12, MAX_COLUMNS = 10 };

typedef struct matrix {
  int n_columns;
  double column[MAX_COLUMNS][n_rows];
} matrix;

/* Half of the entries of every column are zero. */
static matrix random_matrix(int n_columns) {
  uint64_t seed = 1;
  matrix A = {.n_columns = n_columns};
  for (int j = 0; j < n_columns; j++)
    for (int i = j % 2; i < n_rows; i += 2)
      A.column[j][i] = random_between(&seed, -1, 1);
  return A;
}

static int rank_of(const matrix *A, int *dependent) {
  int start[MAX_COLUMNS + 1] = {0};
  int row[MAX_COLUMNS * n_rows];
  double value[MAX_COLUMNS * n_rows];
  int n = 0;
  for (int j = 0; j < A->n_columns; j++) {
    for (int i = 0; i < n_rows; i++) {
      if (A->column[j][i] == 0)
        continue;
      row[n] = i;
      value[n++] = A->column[j][i];
    }
    start[j + 1] = n;
  }
  int rank = -1;
  cr_assert_eq(seam_column_rank(n_rows, A->n_columns, start, row, value, &rank, dependent, NULL), SEAM_OK);
  return rank;
}

Test(rank, random_columns_are_independent) {
  const matrix A = random_matrix(MAX_COLUMNS);
  int dependent[MAX_COLUMNS];
  cr_expect_eq(rank_of(&A, dependent), MAX_COLUMNS);
}

Test(rank, of_two_equal_columns_the_later_is_named) {
  matrix A = random_matrix(8);
  int dependent[MAX_COLUMNS];
  for (int i = 0; i < n_rows; i++)
    A.column[6][i] = A.column[3][i];
  cr_expect_eq(rank_of(&A, dependent), 7);
  cr_expect_eq(dependent[0], 6);
}

Test(rank, a_combination_of_columns_before_is_named) {
  matrix A = random_matrix(8);
  int dependent[MAX_COLUMNS];
  for (int i = 0; i < n_rows; i++)
    A.column[5][i] = 2 * A.column[0][i] - 0.3 * A.column[2][i] + A.column[4][i];
  cr_expect_eq(rank_of(&A, dependent), 7);
  cr_expect_eq(dependent[0], 5);
}

Test(rank, a_zero_column_is_named) {
  matrix A = random_matrix(6);
  int dependent[MAX_COLUMNS];
  for (int i = 0; i < n_rows; i++)
    A.column[2][i] = 0;
  cr_expect_eq(rank_of(&A, dependent), 5);
  cr_expect_eq(dependent[0], 2);
}

Test(rank, dependent_columns_come_in_ascending_order) {
  matrix A = random_matrix(10);
  int dependent[MAX_COLUMNS];
  for (int i = 0; i < n_rows; i++) {
    A.column[7][i] = -A.column[1][i];
    A.column[4][i] = A.column[2][i] + A.column[3][i];
    A.column[9][i] = 0;
  }
  cr_expect_eq(rank_of(&A, dependent), 7);
  cr_expect_eq(dependent[0], 4);
  cr_expect_eq(dependent[1], 7);
  cr_expect_eq(dependent[2], 9);
}

Test(rank, large_entries_do_not_overflow) {
  matrix A = random_matrix(4);
  for (int j = 0; j < 4; j++)
    for (int i = 0; i < n_rows; i++)
      A.column[j][i] *= 1e200;
  cr_expect_eq(rank_of(&A, NULL), 4);
}

Test(rank, the_list_may_be_left_out) {
  const matrix A = random_matrix(5);
  cr_expect_eq(rank_of(&A, NULL), 5);
}

/* Comparisons with NaN are false: without a check the rank would be 0. */
Test(rank, entries_that_are_not_finite_are_refused) {
  const int start[] = {0, 1, 2};
  const int row[] = {0, 1};
  const double wrong[] = {NAN, INFINITY};
  for (int i = 0; i < 2; i++) {
    const double value[] = {1, wrong[i]};
    int rank = 7;
    seam_error error = {0};
    cr_expect_eq(seam_column_rank(2, 2, start, row, value, &rank, NULL, &error), SEAM_NOT_FINITE);
    cr_expect_eq(rank, 7);
    cr_expect_not_null(strstr(error.message, "not finite"));
  }
}

Test(rank, no_columns_have_rank_zero) {
  const matrix none = {.n_columns = 0};
  cr_expect_eq(rank_of(&none, NULL), 0);
}

/* Gaps between neighbours in a row of a thousand, every tenth held twice. */
Test(rank, a_long_chain_with_doubled_links) {
  enum { n_links = 999, n_doubled = 100, n = n_links + n_doubled };
  int start[n + 1] = {0};
  int row[2 * n];
  double value[2 * n];
  int doubled[n_doubled];
  int dependent[n];
  int column = 0;
  for (int link = 0; link < n_links; link++)
    for (int copy = 0; copy < (link % 10 == 0 ? 2 : 1); copy++) {
      if (copy == 1)
        doubled[link / 10] = column;
      row[2 * column] = link;
      row[2 * column + 1] = link + 1;
      value[2 * column] = -1;
      value[2 * column + 1] = 1;
      column++;
      start[column] = 2 * column;
    }
  int rank = -1;
  cr_assert_eq(seam_column_rank(n_links + 1, n, start, row, value, &rank, dependent, NULL), SEAM_OK);
  cr_expect_eq(rank, n_links);
  cr_expect_arr_eq(dependent, doubled, sizeof doubled);
}

/* As a body with many arms gives it: each arm has two columns in three rows of its own and in those of the hub. */
enum { n_arms = 60, hub_rows = 3, hub_columns = 2, n_again = 2, arm_columns = 2 };
enum { all_rows = hub_rows + 3 * n_arms, all_columns = hub_columns + arm_columns * n_arms + n_again };

/* Column k of an arm. */
static void fill_arm(double column[all_rows], int arm, int k) {
  uint64_t seed = 1 + (uint64_t)arm_columns * (uint64_t)arm + (uint64_t)k;
  for (int i = 0; i < 3; i++) {
    column[i] = random_between(&seed, -1, 1);
    column[hub_rows + 3 * arm + i] = random_between(&seed, -1, 1);
  }
}

Test(rank, columns_that_share_long_rows_are_named_too) {
  static double column[all_columns][all_rows];
  int start[all_columns + 1] = {0};
  static int row[all_columns * all_rows];
  static double value[all_columns * all_rows];
  int dependent[all_columns];
  int rank = 0;
  int n = 0;
  for (int j = 0; j < hub_columns; j++)
    column[j][j] = 1;
  for (int j = 0; j < arm_columns * n_arms; j++)
    fill_arm(column[hub_columns + j], j / arm_columns, j % arm_columns);
  fill_arm(column[all_columns - 2], 17, 1);                        /* once more */
  column[all_columns - 1][0] = 2, column[all_columns - 1][1] = -1; /* of the hub's */
  for (int i = 0; i < all_rows; i++)                               /* of three arms */
    column[hub_columns + 80][i] = column[hub_columns][i] - column[hub_columns + 31][i] + 2 * column[hub_columns + 6][i];
  for (int j = 0; j < all_columns; j++) {
    for (int i = 0; i < all_rows; i++)
      if (column[j][i] != 0) {
        row[n] = i;
        value[n++] = column[j][i];
      }
    start[j + 1] = n;
  }
  cr_assert_eq(seam_column_rank(all_rows, all_columns, start, row, value, &rank, dependent, NULL), SEAM_OK);
  cr_assert_eq(rank, all_columns - 3);
  cr_expect_eq(dependent[0], hub_columns + 80);
  cr_expect_eq(dependent[1], all_columns - 2);
  cr_expect_eq(dependent[2], all_columns - 1);
}
