/* The ITP method: zeros to the resolution, no more values than one beyond bisection, few where the function is smooth.
 */
#include <criterion/criterion.h>
#include <math.h>

#include "solvers/root.h"

typedef struct counted {
  double (*f)(double x);
  int n;
} counted;

static seam_status count(void *context, double x, double *f, seam_error *error) {
  (void)error;
  counted *of = context;
  of->n++;
  *f = of->f(x);
  return SEAM_OK;
}

static double line(double x) { return x - 0.3; }
static double cubic(double x) { return x * x * x - x - 2; }
static double flat(double x) { return pow(x - 0.7, 9); }
static double wave(double x) { return cos(x) - x; }
static double jump(double x) { return x < 1 / 3.0 ? -1e-3 : 1e3; }
static double steep(double x) { return exp(50 * x) - 1e10; }

static const struct {
  double (*f)(double x);
  double from, to, zero;
  int most; /* values that it takes */
} cases[] = {{line, 0, 1, 0.3, 10},
             {cubic, 1, 2, 1.5213797068045675697, 12},
             {wave, 0, 1, 0.73908513321516064166, 10},
             {steep, 0, 1, 0.46051701859880913680, 51},
             {flat, 0, 1, 0.7, 51},
             {jump, 0, 1, 1 / 3.0, 51}};

Test(root, zeros_are_met_to_the_resolution_with_few_values) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const double resolution = 1e-15;
    counted of = {cases[i].f, 0};
    seam_bracket in = {cases[i].from, cases[i].to, cases[i].f(cases[i].from), cases[i].f(cases[i].to)};
    cr_assert_eq(seam_find_root(&(seam_root_function){count, &of}, resolution, &in, NULL), SEAM_OK);
    cr_expect_lt(in.a, in.b);
    cr_expect_leq(in.b - in.a, resolution, "case %zu: %g", i, in.b - in.a);
    cr_expect(in.fa * in.fb <= 0);
    cr_expect_leq(in.a, cases[i].zero + (cases[i].f == flat ? 1e-9 : resolution), "case %zu", i);
    cr_expect_geq(in.b, cases[i].zero - (cases[i].f == flat ? 1e-9 : resolution), "case %zu", i);
    cr_expect_leq(of.n, cases[i].most, "case %zu: %d values", i, of.n);
  }
}

static seam_status refuse(void *context, double x, double *f, seam_error *error) {
  (void)context;
  *f = NAN;
  return seam_fail(error, SEAM_NOT_FINITE, "none at %g", x);
}

Test(root, what_the_function_returns_ends_it) {
  seam_error error = {0};
  seam_bracket in = {0, 1, -1, 1};
  cr_expect_eq(seam_find_root(&(seam_root_function){refuse, NULL}, 1e-9, &in, &error), SEAM_NOT_FINITE);
  cr_expect_str_eq(error.message, "none at 0.5");
}
