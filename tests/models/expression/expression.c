/* Expressions: values, derivatives against differences of the derivatives' own order, grammar, messages. */
#include "models/expression/expression.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/models.h>

static const char *const variables[] = {"s", "v"};
static const expression_names names = {.variables = variables, .n_variables = 2};

static double number(const char *text) {
  double value = NAN;
  expression_error error;
  cr_assert_eq(expression_number(text, &names, &value, &error), SEAM_OK, "%s: %s", text, error.cause);
  return value;
}

static expression *compile(const char *text) {
  expression *e = NULL;
  expression_error error;
  cr_assert_eq(expression_compile(text, &names, &e, &error), SEAM_OK, "%s: %s", text, error.cause);
  return e;
}

static double value_at(const char *text, double s, double v) {
  expression *e = compile(text);
  const double value = expression_value(e, (double[2]){s, v});
  expression_destroy(e);
  return value;
}

static seam_jet jet_at(const char *text, double s, double v) {
  expression *e = compile(text);
  seam_jet jet;
  expression_jet(e, (double[2]){s, v}, &jet);
  expression_destroy(e);
  return jet;
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

Test(expression, power_binds_tighter_than_minus) { cr_expect_eq(number("-2^2"), -4); }
Test(expression, power_associates_to_the_right) { cr_expect_eq(number("2^3^2"), 512); }
Test(expression, power_takes_a_negative_exponent) { cr_expect_eq(number("2^-1"), 0.5); }
Test(expression, minus_associates_to_the_left) { cr_expect_eq(number("10 - 4 - 3"), 3); }
Test(expression, division_associates_to_the_left) { cr_expect_eq(number("24/4/2"), 3); }
Test(expression, product_before_sum) { cr_expect_eq(number("2 + 3*4"), 14); }
Test(expression, brackets) { cr_expect_eq(number("(2 + 3)*4"), 20); }
Test(expression, signs_repeat) { cr_expect_eq(number("--+-2"), -2); }
Test(expression, minus_after_an_operator) { cr_expect_eq(number("2*-3"), -6); }
Test(expression, numbers_of_all_forms) { cr_expect_eq(number("1. + .5 + 2e1 + 3.5E-1 + 1e+2"), 121.85); }
Test(expression, digits_are_rounded_correctly) { cr_expect_eq(number("0.1"), 0.1); }

Test(expression, constants) {
  cr_expect_eq(number("pi"), acos(-1));
  cr_expect_eq(number("e"), exp(1));
  cr_expect_eq(number("180*deg"), acos(-1));
}

Test(expression, functions_are_those_of_the_c_library) {
  cr_expect_eq(number("sin(0.3)"), sin(0.3));
  cr_expect_eq(number("cos(0.3)"), cos(0.3));
  cr_expect_eq(number("tan(0.3)"), tan(0.3));
  cr_expect_eq(number("asin(0.3)"), asin(0.3));
  cr_expect_eq(number("acos(0.3)"), acos(0.3));
  cr_expect_eq(number("atan(0.3)"), atan(0.3));
  cr_expect_eq(number("atan2(-0.3, -2)"), atan2(-0.3, -2));
  cr_expect_eq(number("sinh(0.3)"), sinh(0.3));
  cr_expect_eq(number("cosh(0.3)"), cosh(0.3));
  cr_expect_eq(number("tanh(0.3)"), tanh(0.3));
  cr_expect_eq(number("sqrt(0.3)"), sqrt(0.3));
  cr_expect_eq(number("exp(0.3)"), exp(0.3));
  cr_expect_eq(number("log(0.3)"), log(0.3));
  cr_expect_eq(number("abs(-0.3)"), 0.3);
  cr_expect_eq(number("sign(-0.3)"), -1);
  cr_expect_eq(number("sign(0)"), 0);
  cr_expect_eq(number("min(2, 1)"), 1);
  cr_expect_eq(number("max(2, 1)"), 2);
  cr_expect_eq(number("floor(-0.3)"), -1);
}

Test(expression, comparisons) {
  cr_expect_eq(number("if(1 < 1, 2, 3)"), 3);
  cr_expect_eq(number("if(1 <= 1, 2, 3)"), 2);
  cr_expect_eq(number("if(1 > 1, 2, 3)"), 3);
  cr_expect_eq(number("if(1 >= 1, 2, 3)"), 2);
}

Test(expression, variables) { cr_expect_eq(value_at("s - 2*v", 3, 4), -5); }
Test(expression, branch_by_a_variable) { cr_expect_eq(value_at("if(s > v, 1, 2) + 10", 3, 4), 12); }
Test(expression, nested_branches) { cr_expect_eq(value_at("if(s < 0, -1, if(s > 0, 1, 0))", 2, 0), 1); }
Test(expression, branch_not_taken_may_be_undefined) { cr_expect_eq(value_at("if(s > 0, sqrt(s), 0)", -1, 0), 0); }
Test(expression, constant_branch_not_taken_may_divide_by_zero) { cr_expect_eq(number("if(0 > 1, 1/0, 7)"), 7); }
Test(expression, integer_power_of_a_negative_number) { cr_expect_eq(value_at("s^3", -2, 0), -8); }
Test(expression, extremes_hide_nothing_that_is_no_number) {
  static const char *const texts[] = {"max(0, sqrt(s))", "max(sqrt(s), 0)", "min(0, sqrt(s))", "min(sqrt(s), 0)"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    cr_expect(isnan(value_at(texts[i], -1, 0)), "%s", texts[i]);
}
Test(expression, division_by_zero_at_run_time_is_not_finite) { cr_expect(isinf(value_at("1/s", 0, 0))); }

/* ---- Derivatives ------------------------------------------------------------------------------------------------- */

/* d against central differences of the value, dd against central differences of d, at random places. */
static void expect_exact_derivatives(const char *text, double low, double high) {
  expression *e = compile(text);
  srand(1);
  for (int trial = 0; trial < 50; trial++) {
    double x[2];
    for (int i = 0; i < 2; i++)
      x[i] = low + (high - low) * rand() / RAND_MAX;
    seam_jet jet;
    expression_jet(e, x, &jet);
    cr_expect_eq(jet.value, expression_value(e, x), "%s: two values", text);
    for (int j = 0; j < 2; j++) {
      const double h = 6e-6;
      double above[2] = {x[0], x[1]};
      double below[2] = {x[0], x[1]};
      above[j] += h;
      below[j] -= h;
      seam_jet up, down;
      expression_jet(e, above, &up);
      expression_jet(e, below, &down);
      const double d = (up.value - down.value) / (2 * h);
      const double tolerance = 2e-8 * (1 + fabs(jet.value) + fabs(jet.d[j]) + fabs(jet.dd[2 * j]));
      cr_expect_float_eq(jet.d[j], d, tolerance, "%s: d[%d] at (%g, %g): %g, %g", text, j, x[0], x[1], jet.d[j], d);
      for (int i = 0; i < 2; i++) {
        const double dd = (up.d[i] - down.d[i]) / (2 * h);
        const double size = 1 + fabs(jet.d[i]) + fabs(jet.dd[i + j]) + fabs(jet.value);
        cr_expect_float_eq(jet.dd[i + j], dd, 2e-7 * size, "%s: dd[%d] at (%g, %g): %g, %g", text, i + j, x[0], x[1],
                           jet.dd[i + j], dd);
      }
    }
  }
  expression_destroy(e);
}

#define EXACT_DERIVATIVES(name, text, low, high)                                                                       \
  Test(expression, derivatives_of_##name) { expect_exact_derivatives(text, low, high); }

EXACT_DERIVATIVES(sums, "2*s - v + 3", -2, 2)
EXACT_DERIVATIVES(products, "s*v*s", -2, 2)
EXACT_DERIVATIVES(quotients, "s/v", 1, 2)
EXACT_DERIVATIVES(constant_powers, "s^2 - v^3 + s^-1.5", 0.5, 2)
EXACT_DERIVATIVES(powers_of_negative_numbers, "s^2*v^3", -2, -1)
EXACT_DERIVATIVES(variable_powers, "s^v", 0.5, 2)
EXACT_DERIVATIVES(exponentials, "2^(s*v) + exp(-s*v)", -1, 1)
EXACT_DERIVATIVES(sine_and_cosine, "sin(s*v)*cos(s - v)", -2, 2)
EXACT_DERIVATIVES(tangent, "tan(s*v)", -1, 1)
EXACT_DERIVATIVES(inverse_sine_and_cosine, "asin(s*v) + acos(s)", -0.7, 0.7)
EXACT_DERIVATIVES(inverse_tangent, "atan(s*v)", -2, 2)
EXACT_DERIVATIVES(inverse_tangent_of_two, "atan2(s, v) + atan2(s*v, s - v^2)", 0.5, 0.9)
EXACT_DERIVATIVES(hyperbolic_functions, "sinh(s)*cosh(v) + tanh(s*v)", -1, 1)
EXACT_DERIVATIVES(root_and_logarithm, "sqrt(s*v) + log(s + v)", 1, 2)
EXACT_DERIVATIVES(absolute_value, "abs(s)*v^2", -2, -1)
EXACT_DERIVATIVES(minimum_and_maximum, "min(s^2, v + 5) + max(s*v, -5)", -1, 1)
EXACT_DERIVATIVES(branches, "if(s < 10, s^2*v, 1/(v - v))", -1, 1)
EXACT_DERIVATIVES(nested_functions, "exp(sin(s)*cosh(v)^2)/(1 + s^2)", -1, 1)
EXACT_DERIVATIVES(contact_law, "0.01*exp(10*(s - 1)) + 5*v*abs(s)", 0.5, 1.5)

Test(expression, derivatives_of_a_square_at_zero) {
  const seam_jet jet = jet_at("s^2", 0, 0);
  cr_expect_eq(jet.value, 0);
  cr_expect_eq(jet.d[0], 0);
  cr_expect_eq(jet.dd[0], 2);
}

Test(expression, first_power_at_zero) {
  const seam_jet jet = jet_at("s^1", 0, 0);
  cr_expect_eq(jet.d[0], 1);
  cr_expect_eq(jet.dd[0], 0);
}

Test(expression, derivative_of_the_absolute_value_at_zero_is_zero) {
  const seam_jet jet = jet_at("abs(s)", 0, 0);
  cr_expect_eq(jet.d[0], 0);
  cr_expect_eq(jet.dd[0], 0);
}

Test(expression, derivative_that_is_not_finite_is_taken_as_zero) {
  const seam_jet jet = jet_at("sqrt(s) + 3*v", 0, 1);
  cr_expect_eq(jet.value, 3);
  cr_expect_eq(jet.d[0], 0);
  cr_expect_eq(jet.d[1], 3);
  cr_expect_eq(jet.dd[0], 0);
}

static void keep_note(void *context, const char *note) { snprintf(context, 200, "%s", note); }

Test(expression, the_first_derivative_that_is_not_finite_makes_a_note) {
  char note[200] = "";
  expression *e = compile("sqrt(s)");
  seam_jet jet;
  const double x[2] = {0, 0};
  seam_set_note_handler(keep_note, note);
  expression_jet(e, x, &jet);
  cr_expect_str_eq(note, "a derivative of 'sqrt(s)' is not finite at (0, 0) and is taken as 0");
  note[0] = '\0';
  expression_jet(e, x, &jet);
  cr_expect_str_empty(note);
  seam_set_note_handler(NULL, NULL);
  expression_destroy(e);
}

Test(expression, second_derivative_that_is_not_finite_leaves_the_first) {
  const seam_jet jet = jet_at("s^1.5 + s", 0, 0);
  cr_expect_eq(jet.d[0], 1);
  cr_expect_eq(jet.dd[0], 0);
}

Test(expression, branch_not_taken_leaks_nothing) {
  const seam_jet jet = jet_at("if(s > 0, sqrt(s), v)", -1, 2);
  cr_expect_eq(jet.value, 2);
  cr_expect_eq(jet.d[0], 0);
  cr_expect_eq(jet.d[1], 1);
}

Test(expression, law_owns_its_expression) {
  const seam_law law = expression_law(compile("3*s"));
  const double x[2] = {2, 0};
  seam_jet jet;
  law.jet(law.data, x, &jet);
  cr_expect_eq(law.value(law.data, x), 6);
  cr_expect_eq(jet.d[0], 3);
  law.destroy(law.data);
}

/* ---- Changes along a direction ---- */

Test(expression, change_is_the_derivative_along_a_direction) {
  static const char *const texts[] = {"s*v", "sin(s)/v + s^3", "if(s < v, s, v^2)", "atan2(s, v)*exp(-v)", "-sqrt(s)",
                                      "7"};
  const double x[2] = {0.7, 1.3};
  const double dx[2] = {2, -0.5};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    expression *e = compile(texts[i]);
    seam_jet jet;
    expression_jet(e, x, &jet);
    const double expected = jet.d[0] * dx[0] + jet.d[1] * dx[1];
    cr_expect_float_eq(expression_change(e, x, dx), expected, 1e-15, "%s", texts[i]);
    expression_destroy(e);
  }
}

Test(expression, slope_that_is_not_finite_changes_nothing) {
  expression *e = compile("v + sqrt(s)");
  cr_expect_eq(expression_change(e, (double[2]){0, 1}, (double[2]){1, 3}), 3);
  cr_expect_eq(expression_change(e, (double[2]){0, 1}, (double[2]){0, 3}), 3);
  expression_destroy(e);
}

Test(expression, more_than_two_variables) {
  static const char *const four[] = {"t", "u", "x", "y"};
  const expression_names many = {.variables = four, .n_variables = 4};
  arena memory = {0};
  expression *e = NULL;
  expression_error error;
  cr_assert_eq(expression_compile("t + 10*u + 100*x*y", &many, &e, &error), SEAM_OK);
  const expression *kept = expression_move(e, &memory);
  cr_assert_not_null(kept);
  cr_expect_eq(expression_value(kept, (double[4]){1, 2, 3, 4}), 1221);
  cr_expect_eq(expression_change(kept, (double[4]){1, 2, 3, 4}, (double[4]){0, 1, 1, 0}), 410);
  arena_release(&memory);
}

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

static void expect_error(const char *text, size_t column, const char *cause) {
  expression *e = NULL;
  expression_error error;
  cr_assert_eq(expression_compile(text, &names, &e, &error), SEAM_BAD_INPUT, "%s", text);
  cr_expect_eq(error.column, column, "%s: column %zu", text, error.column);
  cr_expect_str_eq(error.cause, cause, "%s: %s", text, error.cause);
}

#define WRONG(name, text, column, cause)                                                                               \
  Test(expression, wrong_##name) { expect_error(text, column, cause); }

WRONG(empty_text, "", 0, "expected a number, a name or '(', found the end of the expression")
WRONG(bracket, "2*(s + 1", 8, "expected ')', found the end of the expression")
WRONG(two_operands, "2 s", 2, "expected an operator or the end, found 's'")
WRONG(operator, "2**3", 2, "expected a number, a name or '(', found '*'")
WRONG(character, "s $ 2", 2, "expected an operator or the end, found '$'")
WRONG(hexadecimal, "0x10", 1, "expected an operator or the end, found 'x10'")
WRONG(name, "s + w", 4, "unknown name 'w'")
WRONG(function, "2*sinn(s)", 2, "unknown function 'sinn'")
WRONG(function_without_brackets, "sin + 1", 0, "'sin' is a function: its arguments follow in brackets")
WRONG(number_of_arguments, "atan2(s)", 7, "expected ',' and a second argument, found ')'")
WRONG(condition, "if(s, 1, 2)", 4, "expected a comparison (<, <=, >, >=), found ','")
WRONG(comparison_elsewhere, "s < 1", 2, "expected an operator or the end, found '<'")
WRONG(division_by_zero, "s + 1/0", 5, "division by zero")
WRONG(logarithm, "log(0)", 0, "log(0) is not a finite number")
WRONG(overflow, "1e999", 0, "the number is too large")

Test(expression, hint_for_a_misspelt_function) {
  expression *e = NULL;
  expression_error error;
  cr_assert_eq(expression_compile("sinus(s)", &names, &e, &error), SEAM_BAD_INPUT);
  cr_expect_str_eq(error.fix, "did you mean 'sin'?");
}

/* Following the fix to the letter gives what is meant, or at least no other value. */
Test(expression, what_other_languages_write_has_a_fix) {
  static const char comparison[] =
      "'if' and conditions of events have one comparison: if(a > b, c, d) is c where a > b, else d";
  static const char *const cases[][2] = {
      {"sgn(s)", "did you mean 'sign'?"},
      {"ln(2)", "did you mean 'log'?"},
      {"pow(s, 2)", "powers are written a^b"},
      {"mod(s, 2)", "write a - b*floor(a/b)"},
      {"ceil(s)", "write -floor(-a)"},
      {"step(s)", "write if(a > 0, 1, 0)"},
      {"foo(s)", ""},
      {"s*(s > 0)", comparison},
      {"(s <= 0)", comparison},
      {"s ? 1 : 2", "for a > b ? c : d write if(a > b, c, d)"},
      {"1 if s", "for c if a > b else d write if(a > b, c, d)"},
      {"s^2 s", "units are SI and not written: 30 degrees are 30*deg, 100 mm 0.1, 60 rpm 60*2*pi/60"},
      {"-s s", "products are written a*b"},
      {"(s + 1) s", "products are written a*b"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    expression *e = NULL;
    expression_error error;
    cr_expect_eq(expression_compile(cases[i][0], &names, &e, &error), SEAM_BAD_INPUT);
    cr_expect_str_eq(error.fix, cases[i][1], "%s: %s", cases[i][0], error.fix);
  }
  expression *e = NULL;
  expression_error error;
  cr_expect_eq(expression_compile("yes", &names, &e, &error), SEAM_BAD_INPUT);
  cr_expect_null(strstr(error.fix, "did you mean"), "'e' is no misspelling: %s", error.fix);
}

static char *repeated(const char *part, size_t n, const char *end) {
  const size_t length = strlen(part);
  const size_t size = n * length + strlen(end) + 1;
  char *text = malloc(size);
  cr_assert_not_null(text);
  for (size_t i = 0; i < n; i++)
    snprintf(text + i * length, size - i * length, "%s", part);
  snprintf(text + n * length, size - n * length, "%s", end);
  return text;
}

static void expect_refused_when_repeated(const char *part, const char *end) {
  char *text = repeated(part, 2000, end);
  expression *e = NULL;
  expression_error error;
  cr_expect_eq(expression_compile(text, &names, &e, &error), SEAM_BAD_INPUT, "%.20s...", text);
  free(text);
}

Test(expression, nesting_is_bounded) {
  expect_refused_when_repeated("(", "s");
  expect_refused_when_repeated("s + (", "s");
  expect_refused_when_repeated("sin(", "s");
  expect_refused_when_repeated("s^", "s");
  expect_refused_when_repeated("if(s < ", "s");
  expect_refused_when_repeated("if(1 < 2, ", "s");
}

Test(expression, length_is_not_bounded) {
  char *text = repeated("s + ", 2000, "s");
  expression *e = compile(text);
  cr_expect_eq(expression_value(e, (double[2]){1, 0}), 2001);
  expression_destroy(e);
  free(text);
}
