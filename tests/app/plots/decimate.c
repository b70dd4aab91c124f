/* What is left out of a long curve is not seen. */
#include "app/plots/decimate.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "tests/support/random.h"

enum { N = 20000, N_CELLS = 100 };

static void expect_ascending(const size_t *kept, size_t n_kept, size_t n) {
  cr_assert_eq(kept[0], 0);
  cr_assert_eq(kept[n_kept - 1], n - 1);
  for (size_t i = 1; i < n_kept; i++)
    cr_assert_lt(kept[i - 1], kept[i]);
}

static double largest_kept(const double *y, const size_t *kept, size_t n_kept, double sign, size_t from, size_t to) {
  double largest = -INFINITY;
  for (size_t i = 0; i < n_kept; i++)
    if (kept[i] >= from && kept[i] < to)
      largest = fmax(largest, sign * y[kept[i]]);
  return largest;
}

/* Single points that stick out, at random times that stand still now and then. */
Test(decimate, every_column_of_pixels_keeps_its_extremes_and_ends) {
  double *x = calloc(N, sizeof *x);
  double *y = calloc(N, sizeof *y);
  size_t *kept = calloc(N, sizeof *kept);
  uint64_t seed = 1;
  for (int trial = 0; trial < 50; trial++) {
    for (size_t i = 0; i < N; i++) {
      x[i] = (i > 0 ? x[i - 1] : -3) + (random_below(&seed, 10) > 0 ? random_between(&seed, 0, 1) : 0);
      y[i] = sin(x[i] / 1000) + (random_below(&seed, 100) == 0 ? random_between(&seed, -9, 9) : 0);
    }
    const size_t n_kept = decimate(x, y, N, N_CELLS, kept);
    cr_assert_leq(n_kept, 4 * N_CELLS);
    expect_ascending(kept, n_kept, N);
    const double width = (x[N - 1] - x[0]) / N_CELLS;
    size_t from = 0;
    for (int cell = 1; cell <= N_CELLS; cell++) {
      size_t to = from;
      double largest[2] = {-INFINITY, -INFINITY};
      for (; to < N && (cell == N_CELLS || x[to] < x[0] + cell * width); to++) {
        largest[0] = fmax(largest[0], y[to]);
        largest[1] = fmax(largest[1], -y[to]);
      }
      cr_assert_eq(largest_kept(y, kept, n_kept, 1, from, to), largest[0], "cell %d", cell);
      cr_assert_eq(largest_kept(y, kept, n_kept, -1, from, to), largest[1], "cell %d", cell);
      from = to;
    }
  }
  free(x);
  free(y);
  free(kept);
}

Test(decimate, a_path_loses_no_point_that_is_far_from_those_kept) {
  double *x = calloc(N, sizeof *x);
  double *y = calloc(N, sizeof *y);
  size_t *kept = calloc(N, sizeof *kept);
  uint64_t seed = 2;
  for (int trial = 0; trial < 20; trial++) {
    for (size_t i = 0; i < N; i++) {
      x[i] = 5 * cos((double)i / 900) + (random_below(&seed, 500) == 0 ? random_between(&seed, -9, 9) : 0);
      y[i] = 1e-3 * sin((double)i / 700);
    }
    const size_t n_kept = decimate(x, y, N, N_CELLS, kept);
    expect_ascending(kept, n_kept, N);
    cr_expect_lt(n_kept, N / 2);
    double least[2] = {INFINITY, INFINITY};
    double greatest[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < N; i++) {
      least[0] = fmin(least[0], x[i]);
      greatest[0] = fmax(greatest[0], x[i]);
      least[1] = fmin(least[1], y[i]);
      greatest[1] = fmax(greatest[1], y[i]);
    }
    for (size_t k = 1; k < n_kept; k++)
      for (size_t i = kept[k - 1]; i < kept[k]; i++) {
        cr_assert_leq(fabs(x[i] - x[kept[k - 1]]), (greatest[0] - least[0]) / N_CELLS);
        cr_assert_leq(fabs(y[i] - y[kept[k - 1]]), (greatest[1] - least[1]) / N_CELLS);
      }
    cr_assert_eq(largest_kept(x, kept, n_kept, 1, 0, N), greatest[0]);
    cr_assert_eq(largest_kept(x, kept, n_kept, -1, 0, N), -least[0]);
    cr_assert_eq(largest_kept(y, kept, n_kept, 1, 0, N), greatest[1]);
    cr_assert_eq(largest_kept(y, kept, n_kept, -1, 0, N), -least[1]);
  }
  free(x);
  free(y);
  free(kept);
}

Test(decimate, short_curves_stay_whole) {
  const double x[] = {0, 1, 1, 2};
  size_t kept[4];
  cr_expect_eq(decimate(x, x, 4, 1, kept), 4);
  cr_expect_eq(decimate(x, x, 0, 1, kept), 0);
}

Test(decimate, curves_that_stand_still) {
  double x[100] = {0};
  size_t kept[100];
  cr_expect_eq(decimate(x, x, 100, 10, kept), 2);
}
