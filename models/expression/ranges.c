/* Interval arithmetic ([Moore-Kearfott-Cloud]). A function that is monotonic in each argument has its extremes at
 * corners of the box of arguments. For other functions, this file adds the extremes inside the box. */
#include "models/expression/ranges.h"

#include <math.h>

#include "models/expression/lookup.h"
#include "models/thresholds.h"

static const range all_reals = {-INFINITY, INFINITY};
static const double pi = 3.14159265358979323846;

static bool is_point(range u) { return u.low == u.high; }
static bool has_zero(range u) { return u.low <= 0 && u.high >= 0; }

/* Widens a range by the error of library functions, which is a few units in the last place. */
static range widened(range u) {
  if (isnan(u.low) || isnan(u.high))
    return all_reals;
  return (range){u.low - (isinf(u.low) ? 0 : models_function_error * fabs(u.low)),
                 u.high + (isinf(u.high) ? 0 : models_function_error * fabs(u.high))};
}

static range hull(const double *x, int n) {
  range all = {INFINITY, -INFINITY};
  for (int i = 0; i < n; i++) {
    if (isnan(x[i]))
      return all_reals;
    all.low = fmin(all.low, x[i]);
    all.high = fmax(all.high, x[i]);
  }
  return all;
}

static range corners(double (*f)(double, double), range u, range v) {
  return hull((double[4]){f(u.low, v.low), f(u.low, v.high), f(u.high, v.low), f(u.high, v.high)}, 4);
}

range range_apply(const function *f, range u, range v) {
  range values;
  if (is_point(u) && (f->arity == 1 || is_point(v))) {
    const double value = function_value(f, u.low, v.low);
    return (range){value, value};
  }
  if (f->caller != NULL)
    return (range){-INFINITY, INFINITY};
  if (f->table != NULL)
    return widened(lookup_enclose(f->table, u));
  if (f->enclose != NULL && f->enclose(u, v, &values))
    return widened(values);
  if (f->of_one != NULL)
    return widened(hull((double[2]){f->of_one(u.low), f->of_one(u.high)}, 2));
  return widened(corners(f->of_two, u, v));
}

bool range_is_one_state(const function *f, range u, range v) {
  const double states[4] = {function_state(f, u.low, v.low), function_state(f, u.low, v.high),
                            function_state(f, u.high, v.low), function_state(f, u.high, v.high)};
  return is_point(hull(states, 4));
}

/* Returns u v, but 0 for 0 times an infinite bound, since all numbers in an unbounded range are finite. */
static double product(double u, double v) { return u == 0 || v == 0 ? 0 : u * v; }

bool range_product(range u, range v, range *values) {
  *values = corners(product, u, v);
  return true;
}

bool range_quotient(range u, range v, range *values) {
  (void)u;
  *values = all_reals;
  return has_zero(v);
}

/* For u > 0, u^v is monotonic in each argument. For an integer v it is monotonic in u with two exceptions: an even
 * power has a minimum at u = 0, and a negative power has a pole there. */
bool range_power(range u, range v, range *values) {
  const bool is_integer = is_point(v) && v.low == floor(v.low);
  *values = all_reals;
  if (u.low > 0 || (u.low == 0 && is_point(v) && v.low > 0))
    return false;
  if (!is_integer || (v.low < 0 && has_zero(u)))
    return true;
  if (fmod(v.low, 2) != 0 || !has_zero(u))
    return false;
  *values = (range){0, fmax(pow(u.low, v.low), pow(u.high, v.low))};
  return true;
}

/* Returns true if x contains a point first + k period with an integer k, or if such a point lies outside only by
 * rounding. */
static bool contains_point(range x, double first, double period) {
  const double slack = models_extreme_slack * (1 + fabs(x.low) + fabs(x.high));
  const double k = ceil((x.low - slack - first) / period);
  return !(first + k * period > x.high + slack);
}

static bool range_wave(double (*f)(double), range u, double top, range *values) {
  *values = (range){-1, 1};
  if (!isfinite(u.low) || !isfinite(u.high))
    return true;
  const bool has_top = contains_point(u, top, 2 * pi);
  const bool has_bottom = contains_point(u, top + pi, 2 * pi);
  const range ends = hull((double[2]){f(u.low), f(u.high)}, 2);
  *values = (range){has_bottom ? -1 : ends.low, has_top ? 1 : ends.high};
  return true;
}

bool range_sine(range u, range v, range *values) {
  (void)v;
  return range_wave(sin, u, pi / 2, values);
}

bool range_cosine(range u, range v, range *values) {
  (void)v;
  return range_wave(cos, u, 0, values);
}

bool range_tangent(range u, range v, range *values) {
  (void)v;
  *values = all_reals;
  return !isfinite(u.low) || !isfinite(u.high) || contains_point(u, pi / 2, pi);
}

bool range_cosh(range u, range v, range *values) {
  (void)v;
  *values = (range){1, cosh(fmax(fabs(u.low), fabs(u.high)))};
  return has_zero(u);
}

/* atan2 is monotonic in each argument, except at the cut u = 0, v <= 0. */
bool range_atan2(range u, range v, range *values) {
  *values = (range){-pi, pi};
  return has_zero(u) && v.low <= 0;
}
