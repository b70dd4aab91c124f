/* Functions through points: what each interpolation reproduces, its order, its smoothness, what lies outside. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/models.h>

#include "models/expression/lookup.h"
#include "tests/support/random.h"

enum { MAX_POINTS = 4096 };

static const double pi = 3.14159265358979323846;
static const char *const names[] = {"linear", "pchip", "akima", "spline"};

typedef struct points {
  size_t n;
  double x[MAX_POINTS], y[MAX_POINTS];
} points;

static lookup *through(const points *p, interpolation kind, extrapolation beyond) {
  lookup *made = NULL;
  const lookup_def def = {"f", kind, beyond, {p->n, p->x, p->y, beyond == EXTRAPOLATION_PERIODIC}};
  cr_assert_eq(lookup_create(&def, &made), SEAM_OK);
  return made;
}

/* n points of f, at distances that vary. */
static points sample(double (*f)(double), double from, double to, size_t n) {
  points p = {.n = n};
  for (size_t i = 0; i < n; i++) {
    const double s = (double)i / (double)(n - 1);
    p.x[i] = from + (to - from) * (s + 0.1 * sin(2 * pi * s) / pi);
    p.y[i] = f(p.x[i]);
  }
  p.x[n - 1] = to;
  p.y[n - 1] = f(to);
  return p;
}

static double largest_error(const lookup *f, double (*exact)(double), double from, double to) {
  double largest = 0;
  for (int i = 0; i <= 5000; i++) {
    const double u = from + (to - from) * i / 5000;
    largest = fmax(largest, fabs(lookup_value(f, u) - exact(u)));
  }
  return largest;
}

static double slope_at(const lookup *f, double u) {
  partials d = {0};
  lookup_slopes(f, u, &d);
  return d.u;
}

static double bend_at(const lookup *f, double u) {
  partials d = {0};
  lookup_slopes(f, u, &d);
  return d.uu;
}

/* ---- Exactness and order ---- */

static double line(double u) { return 3 - 2 * u; }
static double parabola(double u) { return 1 - 2 * u + 3 * u * u; }
static double cubic(double u) { return 1 - 2 * u + 3 * u * u - 0.5 * u * u * u; }
static double wave(double u) { return sin(u); }

Test(lookup, polynomials_are_reproduced) {
  static const struct {
    interpolation kind;
    double (*f)(double);
    size_t n;
  } exact[] = {{INTERPOLATION_LINEAR, line, 2},  {INTERPOLATION_PCHIP, line, 9},   {INTERPOLATION_AKIMA, line, 2},
               {INTERPOLATION_AKIMA, line, 9},   {INTERPOLATION_SPLINE, line, 2},  {INTERPOLATION_SPLINE, parabola, 3},
               {INTERPOLATION_SPLINE, cubic, 4}, {INTERPOLATION_SPLINE, cubic, 5}, {INTERPOLATION_SPLINE, cubic, 30}};
  for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) {
    const points p = sample(exact[i].f, -1, 2, exact[i].n);
    lookup *f = through(&p, exact[i].kind, EXTRAPOLATION_NONE);
    cr_expect_lt(largest_error(f, exact[i].f, -1, 2), 3e-14, "%s through %zu points", names[exact[i].kind], p.n);
    lookup_destroy(f);
  }
}

Test(lookup, errors_have_the_order_of_the_interpolation) {
  static const double orders[] = {2, 2, 2, 4, 1};
  for (int kind = 0; kind < N_INTERPOLATIONS; kind++) {
    double errors[2];
    for (int i = 0; i < 2; i++) {
      const points p = sample(wave, 0, 10, i == 0 ? 401 : 1601);
      lookup *f = through(&p, (interpolation)kind, EXTRAPOLATION_NONE);
      errors[i] = largest_error(f, wave, 0, 10);
      lookup_destroy(f);
    }
    const double order = log(errors[0] / errors[1]) / log(4);
    cr_expect_gt(order, orders[kind] - 0.1, "%s: %g, order %g", names[kind], errors[1], order);
  }
}

Test(lookup, points_are_hit) {
  uint64_t seed = 7;
  points p = {.n = 200};
  for (size_t i = 0; i < p.n; i++) {
    p.x[i] = (i > 0 ? p.x[i - 1] : 0) + random_between(&seed, 1e-3, 1);
    p.y[i] = random_between(&seed, -1, 1);
  }
  for (int kind = 0; kind < N_INTERPOLATIONS; kind++) {
    lookup *f = through(&p, (interpolation)kind, EXTRAPOLATION_HOLD);
    for (size_t i = 0; i < p.n; i++)
      cr_expect_float_eq(lookup_value(f, p.x[i]), p.y[i], 1e-13, "%s, point %zu", names[kind], i);
    lookup_destroy(f);
  }
}

/* ---- Smoothness ---- */

/* Random points, of which the last is the first where they are periodic. */
static points random_points(uint64_t *seed, size_t n) {
  points p = {.n = n};
  for (size_t i = 0; i < n; i++) {
    p.x[i] = (i > 0 ? p.x[i - 1] : -1) + random_between(seed, 0.1, 1);
    p.y[i] = random_between(seed, -1, 1);
  }
  p.y[n - 1] = p.y[0];
  return p;
}

static void expect_smooth_at(const lookup *f, double knot, int kind) {
  const double before = nextafter(knot, -INFINITY);
  cr_expect_float_eq(lookup_value(f, before), lookup_value(f, knot), 1e-13, "%s", names[kind]);
  if (kind != INTERPOLATION_LINEAR)
    cr_expect_float_eq(slope_at(f, before), slope_at(f, knot), 1e-11, "%s: slope at %g", names[kind], knot);
  if (kind == INTERPOLATION_SPLINE)
    cr_expect_float_eq(bend_at(f, before), bend_at(f, knot), 1e-9, "spline: second derivative at %g", knot);
}

Test(lookup, first_and_second_derivatives_are_continuous) {
  uint64_t seed = 11;
  for (int trial = 0; trial < 50; trial++) {
    const points p = random_points(&seed, (size_t)(4 + trial % 20));
    for (int kind = 0; kind < INTERPOLATION_HOLD; kind++) {
      lookup *f = through(&p, (interpolation)kind, EXTRAPOLATION_PERIODIC);
      const double period = p.x[p.n - 1] - p.x[0];
      for (size_t i = 0; i + 1 < p.n; i++) {
        expect_smooth_at(f, p.x[i] + (i == 0 ? 0 : 3 * period), kind);
        cr_expect_float_eq(lookup_value(f, p.x[i] - 5 * period), p.y[i], 1e-11);
      }
      lookup_destroy(f);
    }
  }
}

Test(lookup, slopes_are_those_of_the_values) {
  uint64_t seed = 13;
  const points p = random_points(&seed, 12);
  for (int kind = 0; kind < INTERPOLATION_HOLD; kind++) {
    lookup *f = through(&p, (interpolation)kind, EXTRAPOLATION_LINEAR);
    for (int i = 0; i < 400; i++) {
      const double u = p.x[0] - 1.003 + (p.x[p.n - 1] - p.x[0] + 2) * i / 399;
      const double h = 1e-5;
      if (lookup_state(f, u - h) != lookup_state(f, u + h))
        continue;
      const double slope = (lookup_value(f, u + h) - lookup_value(f, u - h)) / (2 * h);
      cr_expect_float_eq(slope_at(f, u), slope, 1e-7, "%s at %g", names[kind], u);
      const double bend = (slope_at(f, u + h) - slope_at(f, u - h)) / (2 * h);
      cr_expect_float_eq(bend_at(f, u), bend, 1e-5, "%s at %g", names[kind], u);
    }
    lookup_destroy(f);
  }
}

Test(lookup, pchip_rises_where_its_points_rise) {
  uint64_t seed = 17;
  points p = {.n = 300};
  for (size_t i = 1; i < p.n; i++) {
    p.x[i] = p.x[i - 1] + random_between(&seed, 0.01, 1);
    p.y[i] = p.y[i - 1] + (i % 5 == 0 ? 0 : pow(random_between(&seed, 0, 1), 6));
  }
  lookup *f = through(&p, INTERPOLATION_PCHIP, EXTRAPOLATION_HOLD);
  double last = 0;
  for (int i = 0; i < 50000; i++) {
    const double u = p.x[p.n - 1] * i / 50000;
    const double value = lookup_value(f, u);
    cr_assert_geq(value, last - 1e-14, "it falls at %g", u);
    last = value;
  }
  lookup_destroy(f);
}

/* ---- Outside ---- */

Test(lookup, outside_is_what_the_table_says) {
  const points p = {.n = 3, .x = {0, 1, 3}, .y = {2, 4, -2}};
  lookup *f = through(&p, INTERPOLATION_LINEAR, EXTRAPOLATION_HOLD);
  cr_expect_eq(lookup_value(f, -7), 2);
  cr_expect_eq(lookup_value(f, 100), -2);
  cr_expect_eq(slope_at(f, 100), 0);
  cr_expect(isnan(lookup_value(f, NAN)));
  lookup_destroy(f);
  f = through(&p, INTERPOLATION_LINEAR, EXTRAPOLATION_LINEAR);
  cr_expect_eq(lookup_value(f, -2), -2);
  cr_expect_eq(lookup_value(f, 5), -8);
  lookup_destroy(f);
  f = through(&p, INTERPOLATION_LINEAR, EXTRAPOLATION_NONE);
  cr_expect(isnan(lookup_value(f, -1e-6)));
  cr_expect(isnan(lookup_value(f, 3.1)));
  cr_expect_eq(lookup_value(f, 3), -2);
  cr_expect_float_eq(lookup_value(f, 3 * (1 + 1e-15)), -2, 1e-13, "rounding in the argument is not outside");
  lookup_destroy(f);
}

Test(lookup, kinks_are_where_it_bends) {
  static const struct {
    interpolation kind;
    extrapolation beyond;
    bool bends;
  } cases[] = {
      {INTERPOLATION_LINEAR, EXTRAPOLATION_NONE, true},    {INTERPOLATION_AKIMA, EXTRAPOLATION_NONE, false},
      {INTERPOLATION_AKIMA, EXTRAPOLATION_LINEAR, false},  {INTERPOLATION_SPLINE, EXTRAPOLATION_HOLD, true},
      {INTERPOLATION_SPLINE, EXTRAPOLATION_LINEAR, false}, {INTERPOLATION_LINEAR, EXTRAPOLATION_PERIODIC, true}};
  uint64_t seed = 19;
  const points p = random_points(&seed, 6);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    lookup *f = through(&p, cases[i].kind, cases[i].beyond);
    cr_expect_eq(lookup_function(f)->has_kinks, cases[i].bends, "case %zu", i);
    lookup_destroy(f);
  }
}

/* ---- Enclosures ---- */

Test(lookup, enclosures_hold_every_value_and_shrink) {
  uint64_t seed = 23;
  for (int trial = 0; trial < 400; trial++) {
    const points p = random_points(&seed, (size_t)(4 + trial % 40));
    const extrapolation beyond = (extrapolation)(trial % N_EXTRAPOLATIONS);
    lookup *f = through(&p, (interpolation)(trial / 7 % N_INTERPOLATIONS), beyond);
    const double width = pow(10, random_between(&seed, -6, 1.5));
    const double from = random_between(&seed, p.x[0] - 2, p.x[p.n - 1] + 2);
    const range all = lookup_enclose(f, (range){from, from + width});
    for (int i = 0; i <= 100; i++) {
      const double value = lookup_value(f, from + width * i / 100);
      cr_expect(isnan(value) || (value >= all.low - 1e-12 && value <= all.high + 1e-12), "trial %d", trial);
    }
    if (width < 1e-4 && isfinite(all.high) && beyond != EXTRAPOLATION_PERIODIC)
      cr_expect_lt(all.high - all.low, 1e3 * width, "trial %d: %g wide", trial, all.high - all.low);
    lookup_destroy(f);
  }
}

Test(lookup, numbers_too_large_are_refused) {
  const points p = {.n = 3, .x = {0, 1e-300, 1}, .y = {0, 1e300, 0}};
  for (int kind = 0; kind < INTERPOLATION_HOLD; kind++) {
    lookup *made = NULL;
    const lookup_def def = {"f", (interpolation)kind, EXTRAPOLATION_HOLD, {p.n, p.x, p.y, false}};
    cr_expect_eq(lookup_create(&def, &made), SEAM_NOT_FINITE, "%s", names[kind]);
  }
}
