/* Kinks in time: where an expression of t changes its branch, against times that are known in closed form. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/expression/expression.h"
#include "models/expression/functions.h"
#include "tests/support/random.h"

static const double pi = 3.14159265358979323846;
static const char *const variables[] = {"t", "u"};
static const expression_names names = {.variables = variables, .n_variables = 2};

static expression *compile(const char *text) {
  expression *e = NULL;
  expression_error error;
  cr_assert_eq(expression_compile(text, &names, &e, &error), SEAM_OK, "%s: %s", text, error.cause);
  return e;
}

/* Kinks after `from`, those that no step fits between as one. */
static int find_kinks(const expression *e, double from, double to, double *kinks, int most) {
  int n = 0;
  for (seam_kink kink = expression_next_kink(e, from); kink.at <= to && n < most;
       kink = expression_next_kink(e, kink.at)) {
    cr_assert_leq(kink.before, kink.at);
    if (n == 0 || kink.at - kinks[n - 1] > 1e-13)
      kinks[n++] = kink.at;
  }
  return n;
}

static void expect_kinks(const char *text, double from, double to, const double *expected, int n) {
  double kinks[64];
  expression *e = compile(text);
  const int found = find_kinks(e, from, to, kinks, 64);
  cr_expect_eq(found, n, "%s: %d kinks, not %d", text, found, n);
  for (int i = 0; i < found && i < n; i++)
    cr_expect_float_eq(kinks[i], expected[i], 1e-13 * fmax(1, expected[i]), "%s: %.17g, not %.17g", text, kinks[i],
                       expected[i]);
  expression_destroy(e);
}

#define KINKS(text, from, to, ...)                                                                                     \
  expect_kinks(text, from, to, (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))
#define NO_KINKS(text, from, to) expect_kinks(text, from, to, NULL, 0)

Test(kinks, every_kind_of_switch) {
  KINKS("if(t < 3.3, 0, 2*(t - 3.3))", 0, 1e9, 3.3);
  KINKS("if(t <= 3.3, 0, 1)", 0, 1e9, 3.3);
  KINKS("if(3.3 > t, 0, 1)", 0, 1e9, 3.3);
  KINKS("if(3.3 >= t, 0, 1)", 0, 1e9, 3.3);
  KINKS("abs(t - 2)", 0, 1e9, 2);
  KINKS("sign(t - 2)", 0, 1e9, 2);
  KINKS("floor(t/3)", 0, 10, 3, 6, 9);
  KINKS("min(t, 4 - t)", 0, 1e9, 2);
  KINKS("max(0, t - 1)", 0, 1e9, 1);
  KINKS("t/2 - floor(t/2)", 0, 5, 2, 4);
}

Test(kinks, nested_and_combined) {
  KINKS("if(t < 4, 0, if(t < 5, t - 4, 1))", 0, 1e9, 4, 5);
  KINKS("max(0, 1 - abs(t - 3)/0.5)", 0, 1e9, 2.5, 3, 3.5);
  KINKS("min(max(t, 1), 2)", 0, 1e9, 1, 2);
  KINKS("if(abs(t - 5) < 1e-3, 1, 0)", 0, 1e9, 4.999, 5, 5.001);
}

Test(kinks, of_any_argument) {
  KINKS("abs(sin(t))", 1, 10, pi, 2 * pi, 3 * pi);
  KINKS("max(0, cos(2*pi*t))", 0, 1.1, 0.25, 0.75);
  KINKS("if(t^3 - 8 < 0, 0, 1)", 0, 1e9, 2);
  KINKS("if(exp(-t) < 0.25, 0, 1)", 0, 10, log(4));
  KINKS("if(sqrt(t) + log(1 + t) < 2 + log(5), 0, 1)", 0, 1e9, 4);
  KINKS("if(atan2(t - 1, 2) < pi/4, 0, 1)", 0, 1e9, 3);
  KINKS("if(tanh(t - 2) < 0, 0, 1)", 0, 10, 2);
  KINKS("if(cosh(t - 3) < cosh(1), 0, 1)", 0, 10, 2, 4);
  KINKS("if(1/(1 + t^2) < 0.1, 0, 1)", 0, 1e9, 3);
  KINKS("if(tan(t) < 1, 0, 1)", 0, 4, pi / 4, pi / 2, 5 * pi / 4);
}

/* Where nothing is left of it, 2e-9 of its scale: a pulse lies between two of them. */
Test(kinks, ends_of_exponentials) {
  KINKS("exp(-((t - 5)/1e-5)^2)", 0, 1e9, 5 - sqrt(20) * 1e-5, 5 + sqrt(20) * 1e-5);
  KINKS("1/cosh((t - 5)/1e-3)^2", 0, 1e9, 4.98, 5.02);
  KINKS("tanh((t - 5)/1e-3)", 0, 1e9, 4.98, 5.02);
  KINKS("exp(-2*t)", 0, 1e9, 10);
  KINKS("1/exp(((t - 5)/1e-5)^2)", 0, 1e9, 5 - sqrt(20) * 1e-5, 5 + sqrt(20) * 1e-5);
  KINKS("e^(-((t - 5)/1e-5)^2)", 0, 1e9, 5 - sqrt(20) * 1e-5, 5 + sqrt(20) * 1e-5);
  KINKS("0.5^(2*t)", 0, 1e9, 10 / log(2));
  KINKS("1/(1 + sinh((t - 5)/1e-3)^2)", 0, 1e9, 4.98, 5.02);
  NO_KINKS("t^2.5 + (1 + t)^t + 1^t", 0, 1e9);
  NO_KINKS("exp(t/10)", 0, 100);
}

Test(kinks, none_where_it_is_smooth) {
  NO_KINKS("sin(t) + t^2", 0, 1e9);
  NO_KINKS("abs(2 + sin(t))", 0, 1e9);
  NO_KINKS("if(t < -1, 0, 1)", 0, 1e9);
  NO_KINKS("if(t < 3.3, 0, 1)", 4, 1e9);
}

/* An argument that touches zero, one that is zero for a while, and one that is undecided for ever: no kink or one more
 * than there is, but an end. */
Test(kinks, arguments_that_stay_close_to_their_switch) {
  expression *touching = compile("max(0, t^2 - 4*t + 4)");
  expression *zero = compile("abs(max(0, t - 1))");
  expression *undecided = compile("abs(sin(t) - sin(t))");
  cr_expect_gt(expression_next_kink(touching, 0).at, 1.9);
  cr_expect_float_eq(expression_next_kink(zero, 0).at, 1, 1e-13);
  cr_expect_gt(expression_next_kink(undecided, 1).at, 1.5);
  expression_destroy(touching);
  expression_destroy(zero);
  expression_destroy(undecided);
}

Test(kinks, each_search_goes_on_behind_its_start) {
  expression *e = compile("if(t < 2, 0, 1) + sign(t - 3)");
  const seam_kink first = expression_next_kink(e, 0);
  cr_expect_eq(first.at, 2);
  cr_expect_eq(first.before, nextafter(2, 0));
  cr_expect_eq(expression_next_kink(e, first.at).at, 3);
  cr_expect_eq(expression_next_kink(e, first.before).at, 2);
  expression_destroy(e);
}

/* Found to the last number: zero has no exponent, and the next number below it is subnormal. */
Test(kinks, a_kink_at_zero_is_found_from_before_it) {
  expression *e = compile("abs(t)");
  const seam_kink found = expression_next_kink(e, -1);
  cr_expect_eq(found.at, 0);
  cr_expect_lt(found.before, 0);
  cr_expect_gt(found.before, -DBL_MIN);
  expression_destroy(e);
}

/* Arguments of t alone count inside of what is not of t alone, and only they. */
Test(kinks, beside_other_variables) {
  KINKS("if(u < t, if(t < 2, 0, u), abs(t - 3)*u)", 0, 1e9, 2, 3);
  KINKS("u*max(0, t - 1) + abs(u*t - 5)", 0, 1e9, 1);
  NO_KINKS("sign(u) + floor(t + u) + if(u < 0, u, -u)", 0, 1e9);
}

/* ---- Pulses, however narrow ---- */

Test(kinks, narrow_pulses_are_found) {
  for (int i = 0; i < 13; i++) {
    const double width = pow(10, -i);
    char text[128];
    snprintf(text, sizeof text, "if(t < 5, 0, if(t < 5 + %.17g, 1, 0))", width);
    expression *e = compile(text);
    const seam_kink first = expression_next_kink(e, 0);
    cr_expect_eq(first.at, 5);
    cr_expect_float_eq(expression_next_kink(e, first.at).at, 5 + width, 1e-15);
    expression_destroy(e);
  }
}

/* ---- Random sums of terms with known kinks ---- */

enum { n_terms = 4, MAX_KINKS = 4000 };

static int add(double *kinks, int n, double t, double end) {
  if (t > 0 && t < end)
    kinks[n++] = t;
  return n;
}

/* Both times in each period at which sin(w t) passes c. */
static int add_crossings(double *kinks, int n, double w, double c, double end) {
  for (int k = -1; 2 * pi * k / w < end + 2 * pi / w; k++) {
    n = add(kinks, n, (asin(c) + 2 * pi * k) / w, end);
    n = add(kinks, n, (pi - asin(c) + 2 * pi * k) / w, end);
  }
  return n;
}

/* Appends a random term to the text and its kinks to the list. */
static int add_term(uint64_t *seed, char *text, double *kinks, int n, double end) {
  const double w = random_between(seed, 0.5, 20);
  const double c = random_between(seed, -0.9, 0.9);
  const double a = random_between(seed, 0, end);
  char *at = text + strlen(text);
  const size_t size = 1024 - strlen(text);
  switch (random_below(seed, 5)) {
  case 0:
    snprintf(at, size, " + abs(sin(%.17g*t) - (%.17g))", w, c);
    return add_crossings(kinks, n, w, c, end);
  case 1:
    snprintf(at, size, " + max(sin(t*%.17g), %.17g)*t", w, c);
    return add_crossings(kinks, n, w, c, end);
  case 2:
    snprintf(at, size, " + floor(%.17g*t)", w);
    for (int k = 1; k < w * end; k++)
      n = add(kinks, n, k / w, end);
    return n;
  case 3:
    snprintf(at, size, " + if(t < %.17g, sign(t - %.17g), 7)", a, a / 2);
    n = add(kinks, n, a / 2, end);
    return add(kinks, n, a, end);
  default:
    snprintf(at, size, " + min(exp(t/%.17g), %.17g)", a, exp(c * c));
    n = add(kinks, n, 20 * a, end); /* from there on its reciprocal would be negligible */
    return add(kinks, n, a * c * c, end);
  }
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a;
  const double y = *(const double *)b;
  return (x > y) - (x < y);
}

Test(kinks, random_sums_have_all_their_kinks) {
  uint64_t seed = 13;
  const double end = 10;
  for (int trial = 0; trial < 200; trial++) {
    char text[1024] = "0";
    double expected[MAX_KINKS];
    double found[MAX_KINKS];
    int n = 0;
    for (int i = 0; i < n_terms; i++)
      n = add_term(&seed, text, expected, n, end);
    qsort(expected, (size_t)n, sizeof *expected, ascending);
    expression *e = compile(text);
    const int n_found = find_kinks(e, 0, end, found, MAX_KINKS);
    cr_assert_eq(n_found, n, "%s: %d kinks, not %d", text, n_found, n);
    for (int i = 0; i < n; i++)
      cr_assert_float_eq(found[i], expected[i], 1e-12, "%s: %.17g, not %.17g", text, found[i], expected[i]);
    expression_destroy(e);
  }
}

/* ---- Enclosures ---- */

static void expect_enclosed(const function *f, range u, range v, uint64_t *seed) {
  const range all = range_apply(f, u, v);
  for (int i = 0; i < 20; i++) {
    const double x = random_between(seed, u.low, u.high);
    const double y = random_between(seed, v.low, v.high);
    const double value = f->of_one != NULL ? f->of_one(x) : f->of_two(x, y);
    cr_assert(isnan(value) || (value >= all.low && value <= all.high), "%s of %.17g, %.17g is %.17g, not in %g .. %g",
              f->name, x, y, value, all.low, all.high);
  }
}

static range random_range(uint64_t *seed) {
  const double middle = random_between(seed, -4, 4);
  const double half = random_below(seed, 4) == 0 ? 0 : pow(10, random_between(seed, -3, 1));
  const range r = {middle - half, middle + half};
  return random_below(seed, 4) == 0 ? (range){floor(r.low), floor(r.low) + floor(r.high - r.low)} : r;
}

Test(kinks, ranges_enclose_all_values) {
  static const char *const all[] = {"+",    "-",     "*",     "/",    "^",    "sin",  "cos",  "tan",
                                    "asin", "acos",  "atan",  "sinh", "cosh", "tanh", "sqrt", "exp",
                                    "log",  "atan2", "floor", "abs",  "min",  "max",  "sign"};
  uint64_t seed = 5;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    for (int trial = 0; trial < 2000; trial++) {
      const function *f = operator_find(all[i], strlen(all[i]));
      if (f == NULL)
        f = function_find(all[i], strlen(all[i]));
      const range u = random_range(&seed);
      const range v = random_range(&seed);
      const bool jumps = function_has_states(f) && !range_is_one_state(f, u, v);
      if (!jumps)
        expect_enclosed(f, u, v, &seed);
    }
}
