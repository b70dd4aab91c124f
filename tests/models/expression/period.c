/* Periods of expressions in their first variable, by hand and by their values. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "models/expression/expression.h"
#include "models/expression/lookup.h"

static const double pi = 3.14159265358979323846;

static lookup *wave(extrapolation beyond) {
  lookup *called = NULL;
  const lookup_def def = {.name = "wave",
                          .kind = INTERPOLATION_AKIMA,
                          .beyond = beyond,
                          .points = {3, (double[]){0, 0.1, 0.2}, (double[]){0, 300, 0}, true}};
  cr_assert_eq(lookup_create(&def, &called), SEAM_OK);
  return called;
}

static double period_of(const char *text, const lookup *called) {
  static const char *const variables[] = {"s", "v"};
  const function *functions[] = {called != NULL ? lookup_function(called) : NULL};
  expression_scope scope = {.function_list = functions};
  cr_assert(called == NULL || table_add(&scope.functions, "wave", strlen("wave"), 0));
  const expression_names names = {.variables = variables, .n_variables = 2, .scope = &scope};
  expression *e = NULL;
  expression_error error;
  cr_assert_eq(expression_compile(text, &names, &e, &error), SEAM_OK, "%s: %s", text, error.cause);
  const double period = expression_period(e);
  for (double s = -0.37; period > 0 && s < 1; s += 0.1)
    cr_expect_float_eq(expression_value(e, (double[2]){s + 3 * period, 0.7}), expression_value(e, (double[2]){s, 0.7}),
                       1e-10, "%s at %g", text, s);
  expression_destroy(e);
  table_release(&scope.functions);
  return period;
}

Test(period, of_functions_and_tables) {
  static const struct {
    const char *text;
    double period;
  } cases[] = {{"sin(s)", 2 * pi},
               {"3*cos(2*s - 1) + v", pi},
               {"-sin(-s/4)", 8 * pi},
               {"tan(s*0.5)", 2 * pi},
               {"wave(s)", 0.2},
               {"wave(2*(s - 0.3))*sign(v)", 0.1},
               {"wave(s) + wave(3*s)", 0.2},
               {"sin(s)^2*exp(cos(3*s))", 2 * pi},
               {"if(sin(s) < 0.5, cos(s), 1)", 2 * pi},
               {"if(v < 0, 2, 3)*sin(s)", 2 * pi}};
  lookup *called = wave(EXTRAPOLATION_PERIODIC);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    cr_expect_float_eq(period_of(cases[i].text, called), cases[i].period, 1e-15 * cases[i].period, "%s", cases[i].text);
  lookup_destroy(called);
}

Test(period, none_where_there_is_none_or_it_depends) {
  static const char *const texts[] = {
      "s",        "v",        "7",      "-5*s + sin(s)",        "sin(v*s)", "sin(s^2)",
      "s*sin(s)", "floor(s)", "abs(s)", "if(s < 1, sin(s), 0)", "exp(s)",   "sin(s)*wave(s)"};
  lookup *called = wave(EXTRAPOLATION_PERIODIC);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    cr_expect_eq(period_of(texts[i], called), 0, "%s", texts[i]);
  lookup_destroy(called);
  called = wave(EXTRAPOLATION_HOLD);
  cr_expect_eq(period_of("wave(s)", called), 0);
  lookup_destroy(called);
}
