/* The region that is filled holds the points where the function is not positive, and no others. */
#include "app/plots/region.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "tests/support/random.h"

/* Whether a ray to the right crosses the loops an odd number of times. */
static bool is_inside(const region *of, double x, double y) {
  bool inside = false;
  for (size_t i = 0; i < of->n_loops; i++) {
    const region_loop *loop = &of->loops[i];
    for (size_t k = loop->first, l = loop->end - 1; k < loop->end; l = k++)
      if ((of->y[k] > y) != (of->y[l] > y) &&
          x < of->x[k] + (of->x[l] - of->x[k]) * (y - of->y[k]) / (of->y[l] - of->y[k]))
        inside = !inside;
  }
  return inside;
}

/* Points on the sides of the grid are looked at a little inside of them, nearer than the limit may come. */
static double nudged(const double *x, size_t i, size_t n) {
  const double width = x[1] - x[0];
  return x[i] + 1e-3 * width * ((i == 0) - (i == n - 1));
}

static void expect_points(const double *x, size_t n_x, const double *y, size_t n_y, const double *f,
                          const region *found) {
  for (size_t j = 0; j < n_y; j++)
    for (size_t i = 0; i < n_x; i++)
      cr_assert_eq(is_inside(found, nudged(x, i, n_x), nudged(y, j, n_y)), f[j * n_x + i] <= 0, "(%zu, %zu): %g", i, j,
                   f[j * n_x + i]);
}

enum { MAX_SIDE = 20 };

Test(region, random_values) {
  uint64_t seed = 1;
  for (int trial = 0; trial < 2000; trial++) {
    double x[MAX_SIDE];
    double y[MAX_SIDE];
    double f[MAX_SIDE * MAX_SIDE];
    const size_t n_x = 2 + (size_t)random_below(&seed, MAX_SIDE - 1);
    const size_t n_y = 2 + (size_t)random_below(&seed, MAX_SIDE - 1);
    for (size_t i = 0; i < MAX_SIDE; i++) {
      x[i] = -2 + 0.1 * (double)i;
      y[i] = 5 * (double)i;
    }
    const double level = random_between(&seed, -1.2, 1.2);
    for (size_t i = 0; i < n_x * n_y; i++)
      f[i] = random_below(&seed, 30) > 0 ? random_between(&seed, -1, 1) - level : random_below(&seed, 2) ? NAN : 0;
    region found;
    cr_assert_eq(region_find(x, n_x, y, n_y, f, &found, NULL), SEAM_OK);
    expect_points(x, n_x, y, n_y, f, &found);
    region_free(&found);
  }
}

/* f falls linearly: the limit is where it is zero. */
Test(region, the_limit_is_where_the_function_is_zero) {
  const double x[] = {0, 1, 2};
  const double y[] = {0, 1};
  const double f[] = {0.7, -0.3, -1.3, 0.7, -0.3, -1.3};
  region found;
  cr_assert_eq(region_find(x, 3, y, 2, f, &found, NULL), SEAM_OK);
  cr_assert_eq(found.n_loops, 1);
  cr_expect_float_eq(found.loops[0].area, 1.3, 1e-12);
  size_t n_inside = 0;
  for (size_t k = 0; k < found.n_points; k++)
    if (!found.is_border[k]) {
      n_inside++;
      cr_expect_float_eq(found.x[k], 0.7, 1e-12);
    }
  cr_expect_eq(n_inside, 1);
  region_free(&found);
}

Test(region, a_hole_comes_after_what_it_is_in) {
  double x[5];
  double f[25];
  for (int i = 0; i < 5; i++)
    x[i] = i;
  for (int i = 0; i < 25; i++)
    f[i] = i == 12 ? 1 : -1;
  region found;
  cr_assert_eq(region_find(x, 5, x, 5, f, &found, NULL), SEAM_OK);
  cr_assert_eq(found.n_loops, 2);
  cr_expect_float_eq(found.loops[0].area, 16, 1e-12);
  cr_expect_float_eq(found.loops[1].area, -0.5, 1e-12);
  region_free(&found);
}

Test(region, all_and_nothing) {
  const double x[] = {0, 1};
  const double inside[] = {-1, -1, 0, -1};
  const double outside[] = {1, NAN, INFINITY, 1};
  region found;
  cr_assert_eq(region_find(x, 2, x, 2, inside, &found, NULL), SEAM_OK);
  cr_expect_float_eq(found.loops[0].area, 1, 1e-12);
  for (size_t k = 0; k < found.n_points; k++)
    cr_expect(found.is_border[k]);
  region_free(&found);
  cr_assert_eq(region_find(x, 2, x, 2, outside, &found, NULL), SEAM_OK);
  cr_expect_eq(found.n_loops, 0);
  region_free(&found);
}
