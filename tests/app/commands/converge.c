/* `seam converge`: series of macro steps and their orders. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/command.h"

TestSuite(converge, .init = enter_scratch, .fini = leave_scratch);

/* The number behind the last occurrence of a name, and `skip` more numbers. */
static double number_behind(const char *text, const char *name, int skip) {
  const char *at = NULL;
  for (const char *next = strstr(text, name); next; next = strstr(next + 1, name))
    at = next + strlen(name);
  cr_assert_not_null(at, "no %s in %s", name, text);
  double number = NAN;
  for (; skip >= 0; skip--) {
    char *end = NULL;
    number = strtod(at, &end);
    cr_assert_neq(end, at, "no number in %s", at);
    at = end;
  }
  return number;
}

/* Of the table of orders: five numbers a kind of error. */
static double order_of(const char *text, const char *scheme, int skip) {
  char name[64];
  const char *table = strstr(text, "\norder");
  cr_assert_not_null(table, "%s", text);
  snprintf(name, sizeof name, "\n%s ", scheme);
  char *row = strdup(strstr(table, name));
  row[strcspn(row + 1, "\n") + 1] = '\0';
  const double found = number_behind(row, name, skip);
  free(row);
  return found;
}

Test(converge, a_row_for_each_run_and_an_order_for_each_scheme) {
  outcome result = expect_success(
      SEAM("converge", "four_bar_bushing", "--schemes", "ff-k0,ff-k1", "--macro-steps", "4e-3:1e-3:3", "--end", "0.2"));
  char *rows = read_text("results/four_bar_bushing/converge-end=0.2/converge.csv");
  cr_expect(has(rows, "scheme,macro_step,verdict,error_position,"));
  cr_expect(has(rows, "\nff-k0,0.004,rough,") && has(rows, "\nff-k1,0.001,accurate,"), "%s", rows);
  cr_expect_float_eq(order_of(result.out, "ff-k0", 0), 1, 0.1);
  cr_expect_float_eq(order_of(result.out, "ff-k1", 0), 2, 0.1);
  cr_expect_float_eq(order_of(result.out, "ff-k1", 8), 2, 0.1);
  free(rows);
  outcome_free(&result);
}

/* If there are more than 10 000 macro points, only those are compared between which the motion bends most. Each stands
 * for the dropped ones before it. */
Test(converge, orders_do_not_depend_on_the_number_of_macro_points) {
  outcome result = expect_success(SEAM("converge", "four_bar_bushing", "--schemes", "ff-k2", "--macro-steps",
                                       "2.5e-3:3.125e-4:4", "--end", "10", "-o", "out"));
  cr_expect_float_eq(order_of(result.out, "ff-k2", 0), 3, 0.03);
  cr_expect_float_eq(order_of(result.out, "ff-k2", 5), 3, 0.06);
  outcome_free(&result);
}

Test(converge, macro_steps_divide_the_end) {
  outcome result = expect_success(
      SEAM("converge", "--model", "constitutive", "--scheme", "ff-k1", "--macro-steps", "1e-3:0.9e-2:6", "-o", "out"));
  char *rows = read_text("out/converge.csv");
  double before = 1;
  int n = 0;
  for (const char *at = strstr(rows, "\nff-k1,"); at; at = strstr(at + 1, "\nff-k1,"), n++) {
    const double H = strtod(at + 7, NULL);
    cr_expect_float_eq(0.5 / H, round(0.5 / H), 1e-9);
    cr_expect_lt(H, before, "descending");
    before = H;
  }
  cr_expect_eq(n, 6);
  free(rows);
  outcome_free(&result);
}

Test(converge, equal_macro_steps_count_once) {
  outcome result = expect_success(
      SEAM("converge", "--model", "constitutive", "--scheme", "ff-k1", "--macro-steps", "0.5:0.25:9", "-o", "out"));
  char *rows = read_text("out/converge.csv");
  cr_expect(has(rows, "\nff-k1,0.5,") && has(rows, "\nff-k1,0.25,"));
  cr_expect(!strstr(strstr(rows, "\nff-k1,0.25,") + 1, "\nff-k1,"), "%s", rows);
  free(rows);
  outcome_free(&result);
}

/* [Li] 3.5.4: global order 4, local order 5. */
Test(converge, orders_of_the_textbook_models) {
  outcome result = expect_success(SEAM("converge", "--model", "constitutive", "--scheme", "ff-i-k1"));
  cr_expect(file_exists("results/constitutive/converge/converge.csv"));
  cr_expect_float_eq(order_of(result.out, "ff-i-k1", 3), 4, 0.05);
  cr_expect_float_eq(order_of(result.out, "ff-i-k1", 13), 5, 0.05);
  outcome_free(&result);
  result = expect_success(SEAM("converge", "--model", "constraint", "--scheme", "ff-index2-k0"));
  cr_expect_float_eq(order_of(result.out, "ff-index2-k0", 3), 4, 0.05);
  outcome_free(&result);
}

/* Raising the order step by step costs an explicit scheme of order 3 all but two orders (docs/conventions.md). */
Test(converge, history_decides_orders) {
  outcome exact = expect_success(SEAM("converge", "--model", "constitutive", "--scheme", "ff-k3-explicit"));
  outcome raised =
      expect_success(SEAM("converge", "--model", "constitutive", "--scheme", "ff-k3-explicit", "--history", "raise"));
  cr_expect_float_eq(order_of(exact.out, "ff-k3-explicit", 3), 4, 0.1);
  cr_expect_float_eq(order_of(raised.out, "ff-k3-explicit", 3), 2, 0.1);
  outcome_free(&exact);
  outcome_free(&raised);
}

/* ---- Orders and their picture ---- */

static bool gnuplot_exists(void) { return system("command -v gnuplot >/dev/null 2>&1") == 0; }

/* The file's own macro step is too long to follow the motion backwards. */
Test(converge, the_macro_step_of_the_file_does_not_matter) {
  outcome result = SEAM("converge", "double_pendulum", "--set", "cosim.history=exact", "--set", "cosim.macro_step=3",
                        "--end", "0.1", "--schemes", "ff-index2-k1", "--macro-steps", "1e-2:5e-3:2", "--quiet");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  outcome_free(&result);
}

Test(converge, orders_are_a_table_with_intervals) {
  outcome result = expect_success(SEAM("converge", "--model", "constitutive", "--schemes", "ff-k0,ff-k1", "-o", "out"));
  char *rows = read_text("out/orders.csv");
  cr_expect(has(rows, "scheme,error,macro_steps,count,order,interval\nff-k0,global_position,all,7,"), "%s", rows);
  cr_expect(has(rows, "\nff-k1,local_velocity,fine,3,2.9"), "%s", rows);
  const double order = number_behind(rows, "ff-k0,global_position,fine,3,", 0);
  cr_expect_float_eq(order, order_of(result.out, "ff-k0", 3), 0.005);
  cr_expect_gt(order_of(result.out, "ff-k0", 4), 0);
  cr_expect_lt(order_of(result.out, "ff-k0", 4), 0.1);
  free(rows);
  outcome_free(&result);
}

/* Multipliers of collocation are of order s + 1. */
Test(converge, forces_have_orders_too) {
  outcome result = expect_success(SEAM("converge", "--model", "constraint", "--scheme", "ff-colloc-s3", "--macro-steps",
                                       "5e-2:1e-2:5", "-o", "out"));
  char *rows = read_text("out/orders.csv");
  cr_expect_float_eq(number_behind(rows, "ff-colloc-s3,global_force,fine,3,", 0), 4, 0.1, "%s", rows);
  cr_expect_float_eq(number_behind(rows, "ff-colloc-s3,global_position,fine,3,", 0), 6, 0.1, "%s", rows);
  free(rows);
  outcome_free(&result);
}

Test(converge, two_points_have_no_order) {
  outcome result = expect_success(SEAM("converge", "four_bar_bushing", "--scheme", "ff-k1", "--macro-steps",
                                       "2e-3:1e-3:2", "--end", "0.1", "-o", "out"));
  char *rows = read_text("out/orders.csv");
  cr_expect(has(rows, "\nff-k1,error_position,all,2,,\nff-k1,error_position,fine,2,,\nff-k1,error_velocity,all,2,,"),
            "%s", rows);
  free(rows);
  outcome_free(&result);
}

/* Orders of schemes whose errors reach what the reference is confirmed to: [Li] 4.9, 4 and 4. */
Test(converge, errors_below_the_reference_are_left_out) {
  outcome result =
      expect_success(SEAM("converge", "double_pendulum", "--set", "parameters.d=0", "--schemes",
                          "ff-index2-k1,ff-colloc-s2", "--macro-steps", "1.6e-2:5e-4:6", "--end", "1", "-o", "out"));
  cr_expect_float_eq(order_of(result.out, "ff-colloc-s2", 0), 5, 1.1, "%s", result.out);
  cr_expect_lt(order_of(result.out, "ff-colloc-s2", 2), 6, "%s", result.out);
  cr_expect(has(result.out, "left out of ff-colloc-s2, position: H = ") && has(result.out, "0.0005 s (below "), "%s",
            result.out);
  char *script = read_text("out/converge.gp");
  cr_expect(has(script, " of 6'"), "%s", script);
  free(script);
  outcome_free(&result);
}

Test(converge, errors_are_drawn) {
  outcome result = expect_success(
      SEAM("converge", "--model", "constraint", "--schemes", "ff-index2-k0,ff-weighted(a=1,b=0)-k1", "-o", "out"));
  char *script = read_text("out/converge.gp");
  cr_expect(has(script, "title 'ff-index2-k0  4.0"), "%s", script);
  cr_expect(has(script, "set ylabel 'error of the local velocity'"));
  cr_expect(has(script, "set xlabel '{/:Italic H} / s'"));
  cr_expect(has(script, "'{/:Bold Convergence at the constraint test model}'"));
  cr_expect_str_empty(result.err);
  if (gnuplot_exists())
    cr_expect(file_exists("out/converge.svg") && file_exists("out/converge.png") && file_exists("out/converge.pdf"));
  free(script);
  outcome_free(&result);
}

/* Its three corners rise with the order that its label says. */
Test(converge, triangles_have_the_slopes_of_whole_orders) {
  outcome result = expect_success(SEAM("converge", "--model", "constitutive", "--schemes", "ff-k0,ff-k2", "-o", "out"));
  char *script = read_text("out/converge.gp");
  for (int i = 0; i < 2; i++) {
    char name[32];
    double x[4];
    double y[4];
    snprintf(name, sizeof name, "$curve0_%d << END\n", 2 + i);
    const char *at = strstr(script, name);
    cr_assert_not_null(at, "%s", name);
    cr_assert_eq(sscanf(at + strlen(name), "%lf %lf %lf %lf %lf %lf %lf %lf", &x[0], &y[0], &x[1], &y[1], &x[2], &y[2],
                        &x[3], &y[3]),
                 8);
    cr_expect_float_eq(log(y[2] / y[0]) / log(x[2] / x[0]), i == 0 ? 1 : 3, 1e-6);
    cr_expect(x[1] == x[2] && y[0] == y[1] && x[3] == x[0] && y[3] == y[0]);
  }
  cr_expect(has(script, "set label '1' at") && has(script, "set label '3' at"));
  free(script);
  outcome_free(&result);
}

Test(converge, where_nothing_is_stable_there_is_still_a_picture) {
  outcome result = expect_success(SEAM("converge", "double_pendulum", "--schemes", "ff-weighted-k2", "--macro-steps",
                                       "1e-3:5e-4:2", "--end", "0.3", "-o", "out"));
  cr_expect_str_empty(result.err);
  char *rows = read_text("out/orders.csv");
  cr_expect(has(rows, "\nff-weighted-k2,error_position,all,0,,\n"), "%s", rows);
  cr_expect(!gnuplot_exists() || file_exists("out/converge.png"));
  free(rows);
  outcome_free(&result);
}

Test(converge, without_gnuplot_the_numbers_stay) {
  setenv("PATH", "/nowhere", 1);
  outcome result = expect_success(SEAM("converge", "--model", "constitutive", "--scheme", "ff-k1", "-o", "out"));
  cr_expect(has(result.err, "gnuplot is not installed"), "%s", result.err);
  cr_expect(file_exists("out/converge.csv") && file_exists("out/orders.csv") && file_exists("out/converge.gp"));
  cr_expect_not(file_exists("out/converge.png"));
  outcome_free(&result);
}

/* ---- Runs that fail ---- */

Test(converge, unstable_runs_do_not_count_for_an_order) {
  outcome result = expect_success(SEAM("converge", "double_pendulum", "--schemes", "ff-weighted-k2", "--macro-steps",
                                       "2e-3:1e-3:2", "--end", "0.3", "-o", "out"));
  char *rows = read_text("out/converge.csv");
  cr_expect(has(rows, ",unstable,,,"), "%s", rows);
  cr_expect(has(result.out, "unstable: "), "%s", result.out);
  cr_expect(has(result.out, "left out of ff-weighted-k2: H = ") && has(result.out, " s (the run failed, or its error "),
            "%s", result.out);
  free(rows);
  outcome_free(&result);
}

Test(converge, a_diverging_textbook_run_has_empty_fields) {
  outcome result =
      expect_success(SEAM("converge", "--model", "constraint", "--scheme", "ff-weighted(a=1,b=0)-k1", "-o", "out"));
  char *rows = read_text("out/converge.csv");
  cr_expect(has(rows, "\n\"ff-weighted(a=1,b=0)-k1\",0.00015625,,,,,\n"), "%s", rows);
  free(rows);
  outcome_free(&result);
}

/* ---- The command line ---- */

Test(converge, quiet_prints_nothing) {
  outcome result = expect_success(SEAM("converge", "--model", "constraint", "--scheme", "ff-index2-k0", "--quiet"));
  cr_expect_str_empty(result.out);
  cr_expect_str_empty(result.err);
  outcome_free(&result);
}

Test(converge, what_makes_no_sense_is_refused) {
  expect_refused_untouched(SEAM("converge"), "either MODEL or --model");
  expect_refused_untouched(SEAM("converge", "double_pendulum", "--model", "constraint"), "either MODEL or --model");
  expect_refused_untouched(SEAM("converge", "--model", "unitary", "--scheme", "ff-k1"),
                           "--model must be constitutive, constraint or mbcorr, but is 'unitary'");
  expect_refused_untouched(SEAM("converge", "--model", "constraint"), "a scheme is needed");
  expect_refused_untouched(SEAM("converge", "--model", "constraint", "--scheme", "ff-k1"),
                           "this is a joint: take ff-index2-k1; 'ff-k1' is for force elements");
  expect_refused_untouched(SEAM("converge", "--model", "constitutive", "--scheme", "ff-k1", "--history", "none"),
                           "--history");
  expect_refused_untouched(SEAM("converge", "--model", "constitutive", "--scheme", "ff-k1", "--set", "m3=1"),
                           "the parameters of this model are m1 c1 d1 m2");
  expect_refused_untouched(SEAM("converge", "--model", "constitutive", "--scheme", "ff-k1", "--set", "m1=x"),
                           "write NAME=NUMBER");
  expect_refused_untouched(SEAM("converge", "--model", "constitutive", "--scheme", "ff-k1", "--set", "m1=-1"),
                           "must be positive");
  expect_refused_untouched(SEAM("converge", "--model", "mbcorr", "--scheme", "hold0", "--end", "1"),
                           "leave out --history and --end");
  expect_refused_untouched(SEAM("converge", "double_pendulum"), "--macro-steps FROM:TO:COUNT");
  expect_refused_untouched(
      SEAM("converge", "four_bar_bushing", "--macro-steps", "4e-3:1e-3:3", "--schemes", "ff-k1,all"),
      "'all' cannot be combined with names");
  write_text("unknown.yaml", "seam: 1\nbodies: {a: {mass: 1, inertia: 1, mas: 2}}\n");
  expect_refused_untouched(SEAM("converge", "unknown.yaml", "--macro-steps", "1e-3:4e-3:3"), "'mas'");
}

/* The position of two masses that nothing couples is exact, whatever the macro step; of coupled ones it is not. */
Test(converge, test_models_take_other_parameters_and_another_end) {
  outcome result =
      SEAM("converge", "--model", "constitutive", "--scheme", "ff-k1", "--set", "cc=0", "--set", "dc=0", "--set",
           "d1=200", "--set", "x2=2", "--end", "0.2", "--macro-steps", "0.1:0.025:3", "-o", "out");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  char *text = read_text("out/converge.csv");
  double H = 0;
  double error = 1;
  cr_assert_eq(sscanf(strstr(text, "\nff-k1,"), "\nff-k1,%lf,%lf", &H, &error), 2, "%s", text);
  cr_expect_float_eq(H, 0.1, 1e-12);
  cr_expect_lt(error, 1e-12);
  free(text);
  outcome_free(&result);
}

/* [Haid] 4.3: the correction raises the order by one. */
Test(converge, model_based_correction_has_orders) {
  outcome result = SEAM("converge", "--model", "mbcorr", "--schemes", "hold0,hold0-corrected", "--macro-steps",
                        "1e-4:1e-5:4", "-o", "out");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  char *text = read_text("out/orders.csv");
  double order = 0;
  cr_assert_eq(sscanf(strstr(text, "hold0,local,fine,3,"), "hold0,local,fine,3,%lf", &order), 1, "%s", text);
  cr_expect_float_eq(order, 1, 0.05);
  cr_assert_eq(sscanf(strstr(text, "hold0-corrected,local,fine,3,"), "hold0-corrected,local,fine,3,%lf", &order), 1);
  cr_expect_float_eq(order, 2, 0.05);
  free(text);
  outcome_free(&result);
}

/* The quarter car of signals alone converges with order 1 to its whole, and the spring-mass system, whose integrals
 * restart and which has no whole, with order 2 without its correction. */
Test(converge, files_without_bodies_have_orders) {
  double order = 0;
  outcome result = SEAM("converge", "quarter_car_signals_1", "--macro-steps", "2e-3:5e-4:3", "--end", "1", "-o", "out");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  char *text = read_text("out/orders.csv");
  cr_assert_eq(sscanf(strstr(text, "exchange,error,all,3,"), "exchange,error,all,3,%lf", &order), 1, "%s", text);
  cr_expect_float_eq(order, 1, 0.1);
  free(text);
  outcome_free(&result);
  result =
      SEAM("converge", "spring_mass", "--set", "cosim.corrections={}", "--macro-steps", "0.1:0.025:3", "-o", "two");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  text = read_text("two/orders.csv");
  cr_assert_eq(sscanf(strstr(text, "exchange,error,all,3,"), "exchange,error,all,3,%lf", &order), 1, "%s", text);
  cr_expect_float_eq(order, 2, 0.1);
  free(text);
  outcome_free(&result);
}

Test(converge, macro_steps_are_checked) {
  static const char *const wrong[] = {"",          "1e-2",         "1e-2:1e-3",  "1e-2:1e-3:1",   "1e-2:1e-3:101",
                                      "0:1e-3:3",  "-1e-2:1e-3:3", "1e-2:nan:3", "1e-2:1e-3:2.5", "1e-2:1e-3:3x",
                                      "inf:1e-3:3"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    expect_refused_untouched(SEAM("converge", "double_pendulum", "--macro-steps", wrong[i]), "is not FROM:TO:COUNT");
  expect_refused_untouched(SEAM("converge", "double_pendulum", "--end", "1", "--macro-steps", "2:1e-2:3"),
                           "longer than the run");
}

Test(converge, a_reference_that_is_not_confirmed_has_no_orders) {
  outcome result = SEAM("converge", "double_pendulum", "--set", "parameters.d=0", "--set", "simulate.rtol=1e-4",
                        "--set", "simulate.atol=1e-4", "--end", "60", "--macro-steps", "2e-2:1e-2:2", "--schemes",
                        "ff-index2-k1", "-o", "out");
  cr_expect_eq(result.exit_status, 3, "%s", result.err);
  cr_expect(has(result.err, "the reference is not confirmed"), "%s", result.err);
  outcome_free(&result);
  char *rows = read_text("out/converge.csv");
  cr_expect(has(rows, "\nff-index2-k1,0.01,not judged,,,") || has(rows, "\nff-index2-k1,0.01,unstable,,,"), "%s", rows);
  free(rows);
}

/* Steps end at the contact's switches: full orders where its force is linear; what limits them is said elsewhere. */
Test(converge, a_cut_contact_and_what_limits_orders) {
  static const char *const text =
      "seam: 1\nname: meeting\nparameters: {n: 1}\n"
      "bodies: {a: {mass: 1, inertia: 1, velocity: [1, 0]}, b: {mass: 2, inertia: 1, at: [1.1003, 0]}}\n"
      "forces: {c: {type: contact, bodies: [a, b], at: [[0, 0], [1.1003, 0]], radii: [0.5, 0.5], stiffness: 1e4, "
      "exponent: n}}\n"
      "simulate: {end: 0.2, rtol: 1e-10, atol: 1e-12}\n"
      "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 1e-3, rtol: 1e-10, atol: 1e-12}\n";
  write_text("meeting.yaml", text);
  outcome result = expect_success(SEAM("converge", "meeting.yaml", "--schemes", "ff-k1,ff-k2-implicit,ff-colloc-s2",
                                       "--macro-steps", "2e-3:5e-4:3"));
  cr_expect_float_eq(order_of(result.out, "ff-k1", 5), 2, 0.2);
  cr_expect_float_eq(order_of(result.out, "ff-k2-implicit", 5), 3, 0.3);
  cr_expect_gt(order_of(result.out, "ff-colloc-s2", 5), 3.5);
  cr_expect(!has(result.err, "note:"), "%s", result.err);
  outcome_free(&result);
  result = expect_success(SEAM("compare", "meeting.yaml", "--schemes", "ff-k1,ff-colloc-s2,dd-colloc-s2,fd-k1-exchange",
                               "--set", "parameters.n=1.5"));
  cr_expect(has(result.err, "note: ff-colloc-s2: macro steps end where 'c' switches, but its force, overlap^1.5, is no "
                            "polynomial there: errors of velocities are of an order between 2 and 2.5\n"),
            "%s", result.err);
  cr_expect(has(result.err, "note: fd-k1-exchange: 'c' switches inside 2 macro steps: "), "%s", result.err);
  cr_expect(!has(result.err, "note: ff-k1") && !has(result.err, "note: dd-"), "%s", result.err);
  outcome_free(&result);
}

Test(converge, a_cut_law_with_a_switch_is_said) {
  static const char *const text =
      "seam: 1\nname: play\n"
      "bodies: {a: {mass: 1, inertia: 1, velocity: [1, 0]}, b: {mass: 2, inertia: 1, at: [1.1, 0]}}\n"
      "forces: {c: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1.1, 0]], axis: [1, 0], length: 0,\n"
      "    force: \"if(s < 1, 1e4*(s - 1), 0)\"}}\n"
      "simulate: {end: 0.2}\ncosim: {subsystems: {l: [a], r: [b]}, macro_step: 1e-3}\n";
  write_text("play.yaml", text);
  outcome result = expect_success(SEAM("compare", "play.yaml", "--schemes", "ff-k1"));
  cr_expect(has(result.err, "note: ff-k1: macro steps do not end where the law of 'c' switches (if, abs, sign, floor, "
                            "min, max): errors of velocities are of order 2 at most at a kink, of order 1 at a jump"),
            "%s", result.err);
  outcome_free(&result);
}
