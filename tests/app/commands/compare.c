/* `seam compare`: what a user sees and finds on disk. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/command.h"
#include "tests/support/run_results.h"

TestSuite(compare, .init = enter_scratch, .fini = leave_scratch);

static const char head[] = "scheme,macro_step,verdict,error_position,error_velocity,max_g,max_gd,max_gdd,energy_drift,"
                           "macro_steps,cpu_s,cpu_monolithic_s,error,quantity,time,why,tolerance\n";

static size_t count_lines(const char *text) {
  size_t n = 0;
  for (; *text; text++)
    n += *text == '\n';
  return n;
}

/* error_position in the row of a scheme. */
static double position_error(const char *rows, const char *scheme) {
  char start[64];
  snprintf(start, sizeof start, "\n%s,", scheme);
  const char *at = strstr(rows, start);
  cr_assert_not_null(at, "no row of %s in %s", scheme, rows);
  for (int column = 0; column < 3; column++)
    at = strchr(at, ',') + 1;
  return strtod(at, NULL);
}

/* The rows of compare.csv, with heads in words and what the language escapes. */
Test(compare, tables_for_papers) {
  outcome result = expect_success(SEAM("compare", "four_bar_bushing", "--schemes", "ff-k1", "--end", "0.02", "-o", "c",
                                       "--as", "latex", "--quiet"));
  outcome_free(&result);
  char *text = read_text("c/compare.tex");
  cr_expect(strstr(text, "\\begin{tabular}{*{17}{l}}\nscheme & macro step & verdict & ") == text, "%s", text);
  cr_expect(has(text, " & tolerance \\\\\n\\hline\nff-k1 & 0.001 & accurate & ") && has(text, "\n\\end{tabular}\n"),
            "%s", text);
  free(text);
  result = expect_success(SEAM("compare", "four_bar_bushing", "--schemes", "ff-k1", "--end", "0.02", "-o", "c", "--as",
                               "markdown", "--quiet"));
  outcome_free(&result);
  text = read_text("c/compare.md");
  cr_expect(has(text, " | tolerance |\n| --- | --- ") && has(text, "| --- |\n| ff-k1 | 0.001 | accurate | "), "%s",
            text);
  free(text);
  cr_expect(file_exists("c/errors.md"));
  expect_refused_untouched(SEAM("compare", "four_bar_bushing", "--as", "word"),
                           "seam: --as must be markdown or latex, but is 'word'");
}

Test(compare, a_row_and_a_line_for_each_scheme) {
  outcome result =
      expect_success(SEAM("compare", "four_bar_bushing", "--schemes", "ff-k0,ff-k1,dd-i-k1", "--end", "0.2"));
  char *rows = read_text("results/four_bar_bushing/compare-end=0.2/compare.csv");
  cr_expect_eq(strncmp(rows, head, strlen(head)), 0, "%s", rows);
  cr_expect_eq(count_lines(rows), 4);
  cr_expect(has(rows, "\nff-k0,0.001,accurate,") && has(rows, "\nff-k1,0.001,accurate,") &&
            has(rows, "\ndd-i-k1,0.001,accurate,"));
  cr_expect_eq(count_lines(result.out), 8);
  cr_expect(has(result.out, "ff-k1") && has(result.out, "accurate"), "%s", result.out);
  free(rows);
  outcome_free(&result);
}

/* The field of the row of a scheme. */
static char *field(const char *rows, const char *scheme, int column) {
  char start[64];
  snprintf(start, sizeof start, "\n%s,", scheme);
  const char *at = strstr(rows, start);
  cr_assert_not_null(at, "no row of %s in %s", scheme, rows);
  at++;
  for (int i = 0; i < column; i++)
    at = strchr(at, ',') + 1;
  return strndup(at, strcspn(at, ",\n"));
}

static double largest_position_error(const char *rows, const char *scheme) {
  const size_t length = strlen(scheme);
  double largest = 0;
  for (const char *row = rows; row != NULL && *row != '\0'; row = strchr(row, '\n') + 1) {
    const char *column = row + length + 1;
    if (strncmp(row, scheme, length) != 0 || row[length] != ',')
      continue;
    const char *name = strchr(column, '.') + 1;
    const char *error = strchr(strchr(column, ',') + 1, ',') + 1;
    if (strncmp(name, "x,", 2) == 0 || strncmp(name, "y,", 2) == 0 || strncmp(name, "phi,", 4) == 0)
      largest = fmax(largest, strtod(error, NULL));
  }
  return largest;
}

/* The tolerance is one of positions; that of another scheme has no control. */
Test(compare, collocation_without_macro_step_runs_under_its_control) {
  write_without_macro_step("free.yaml", "four_bar_bushing");
  outcome result = expect_success(SEAM("compare", "free.yaml", "--set", "cosim.scheme=ff-colloc-s2", "--schemes",
                                       "ff-colloc-s2,ff-colloc-s3,ff-d-k2", "--end", "2", "-o", "out"));
  char *rows = read_text("out/compare.csv");
  char *errors = read_text("out/errors.csv");
  static const char *const controlled[] = {"ff-colloc-s2", "ff-colloc-s3"};
  for (int i = 0; i < 2; i++) {
    char *macro_step = field(rows, controlled[i], 1);
    char *macro_steps = field(rows, controlled[i], 9);
    char *tolerance = field(rows, controlled[i], 16);
    const double error = largest_position_error(errors, controlled[i]);
    cr_expect_str_eq(macro_step, "");
    cr_expect(strtod(macro_steps, NULL) > 10 && strtod(macro_steps, NULL) < 500, "%s", rows);
    cr_expect_eq(strtod(tolerance, NULL), 1e-6);
    cr_expect(error > 1e-9 && error <= 10 * 1e-6, "%s: %g", controlled[i], error);
    cr_expect_lt(position_error(rows, controlled[i]), 10 * 1e-6);
    free(macro_step);
    free(macro_steps);
    free(tolerance);
  }
  cr_expect(has(rows, "\nff-d-k2,0.002,accurate,"), "%s", rows);
  cr_expect(has(result.out, "scheme        tolerance  error     position"), "%s", result.out);
  cr_expect(has(result.out, "ff-colloc-s3  1.0e-06    "), "%s", result.out);
  cr_expect(has(result.out, "ff-d-k2       -          "), "%s", result.out);
  cr_expect(!has(result.err, "is not used"), "%s", result.err);
  free(rows);
  free(errors);
  outcome_free(&result);
}

Test(compare, a_macro_step_in_the_file_stays_fixed) {
  outcome result = expect_success(SEAM("compare", "four_bar_bushing", "--schemes", "ff-colloc-s2", "--set",
                                       "cosim.scheme=ff-colloc-s3", "--set", "cosim.step_control.method=error", "--end",
                                       "0.2", "-o", "out"));
  char *rows = read_text("out/compare.csv");
  cr_expect(has(rows, "\nff-colloc-s2,0.001,accurate,"), "%s", rows);
  cr_expect(has(result.err, "'step_control' of the file is not used"), "%s", result.err);
  free(rows);
  outcome_free(&result);
}

Test(compare, every_column_has_its_error) {
  outcome result =
      expect_success(SEAM("compare", "four_bar_bushing", "--schemes", "ff-k0,ff-k1", "--end", "0.05", "-o", "out"));
  char *rows = read_text("out/errors.csv");
  cr_expect_eq(strncmp(rows, "scheme,column,nrmse,largest\nff-k0,bar1.x,", 41), 0, "%s", rows);
  cr_expect_eq(count_lines(rows), 1 + 2 * 4 * 6);
  cr_expect(has(rows, "\nff-k1,bar4.omega,"));
  free(rows);
  outcome_free(&result);
}

Test(compare, a_column_that_rests_has_an_empty_field) {
  outcome result = expect_success(SEAM("compare", "two_mass_oscillator", "--end", "0.05", "-o", "out"));
  char *rows = read_text("out/errors.csv");
  cr_expect(has(rows, "\nff-k1,m1.y,,"), "%s", rows);
  free(rows);
  outcome_free(&result);
}

/* Two bodies swing on a spring, b.x up to 1.1. A law ends shortly above that; a co-simulation that overshoots a little
 * meets the end of the law, and is not unstable. */
Test(compare, a_run_that_leaves_the_range_of_a_law_has_failed) {
  write_text("swing.yaml", "seam: 1\nname: swing\nbodies:\n"
                           "  a: {mass: 1, inertia: 1, at: [0, 0], velocity: [1, 0]}\n"
                           "  b: {mass: 1, inertia: 1, at: [1, 0], velocity: [-1, 0]}\n"
                           "forces:\n"
                           "  k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], stiffness: 50}\n"
                           "  flow: {type: force, body: b, at: [1, 0], x: '-1e-3*sqrt(1.10005 - b.x)'}\n"
                           "cosim: {subsystems: {one: [a], two: [b]}, scheme: ff-k1, macro_step: 0.02}\n"
                           "simulate: {end: 3}\n");
  outcome result = expect_success(SEAM("compare", "swing.yaml", "--keep", "-o", "out"));
  char *rows = read_text("out/compare.csv");
  char *summary = read_text("out/ff-k1/summary.json");
  cr_expect(has(rows, "\nff-k1,0.02,failed,"), "%s", rows);
  cr_expect(has(result.out, "failed: t = 0.46 s") && has(result.out, "the law of force 'flow' is not finite"), "%s",
            result.out);
  cr_expect(has(summary, "\"status\": \"a value is not finite\""), "%s", summary);
  free(rows);
  free(summary);
  outcome_free(&result);
}

Test(compare, unstable_runs_are_results) {
  outcome result = expect_success(
      SEAM("compare", "double_pendulum", "--schemes", "ff-weighted-k2,ff-projection-k1", "--end", "0.3", "-o", "out"));
  char *rows = read_text("out/compare.csv");
  cr_expect(has(rows, "\nff-weighted-k2,0.001,unstable,,,"), "%s", rows);
  cr_expect(has(rows, "\nff-projection-k1,0.001,accurate,"), "%s", rows);
  cr_expect(has(result.out, "unstable: t = 0.1"), "%s", result.out);
  cr_expect(has(result.out, "link"), "%s", result.out);
  free(rows);
  outcome_free(&result);
}

Test(compare, without_schemes_the_file_decides) {
  outcome result = expect_success(SEAM("compare", "double_pendulum", "--end", "0.02", "-o", "out"));
  char *rows = read_text("out/compare.csv");
  cr_expect_eq(count_lines(rows), 2);
  cr_expect(has(rows, "\nff-index2-k1,"), "%s", rows);
  free(rows);
  outcome_free(&result);
}

Test(compare, names_with_commas_are_quoted) {
  outcome result =
      expect_success(SEAM("compare", "double_pendulum", "--schemes",
                          "ff-weighted(a=1,b=2)-k1,ff-baumgarte(index=2,mu=5)-k0", "--end", "0.02", "-o", "out"));
  char *rows = read_text("out/compare.csv");
  cr_expect(has(rows, "\n\"ff-weighted(a=1,b=2)-k1\",0.001,"), "%s", rows);
  cr_expect(has(rows, "\n\"ff-baumgarte(index=2,mu=5)-k0\",0.001,"), "%s", rows);
  free(rows);
  outcome_free(&result);
}

Test(compare, all_means_all_that_are_possible) {
  outcome result = expect_success(SEAM("compare", "double_pendulum", "--schemes", "all", "--end", "0.01", "-o", "out"));
  char *rows = read_text("out/compare.csv");
  cr_expect_eq(count_lines(rows), 1 + 56 - 22, "the accelerations of a pinned link cannot be prescribed");
  cr_expect(has(result.err, "schemes that do not fit this model: df-baumgarte-k0"), "%s", result.err);
  cr_expect(has(result.err, "dd-colloc-s5; "), "%s", result.err);
  free(rows);
  outcome_free(&result);
}

/* Each reason is said once, also where a scheme is only possible without its corrector. */
Test(compare, all_says_why_schemes_are_not_possible) {
  outcome result = expect_success(SEAM("compare", "quarter_car_nonlinear", "--schemes", "all", "--end", "0.01"));
  cr_expect(has(result.err, "dd-colloc-s5; ff-i-k0: coupling 'suspension': the I-extension needs a linear law"), "%s",
            result.err);
  cr_expect(has(result.err, "\nnote: fd-colloc-s1: coupling 'suspension': its law has kinks or jumps"), "%s",
            result.err);
  cr_expect_not(has(result.err, ": fd-colloc-s2: "), "%s", result.err);
  outcome_free(&result);
  result = expect_success(
      SEAM("compare", "four_bar_bushing", "--schemes", "all", "--end", "0.01", "--set", "cosim.integrator=cvode"));
  cr_expect(has(result.out, "\nff-k0-explicit "), "%s", result.out);
  cr_expect(has(result.err, "; 16 fit as explicit ones only; ff-k0: subsystem 'left': integrator 'cvode' restarts"),
            "%s", result.err);
  outcome_free(&result);
}

/* Cut at the bushing and at a joint: a scheme replaces its kind only. */
Test(compare, couplings_of_the_other_kind_keep_their_scheme) {
  outcome result = expect_success(SEAM("compare", "four_bar_bushing", "--end", "0.2", "-o", "out", "--set",
                                       "cosim.subsystems={a: [bar1], b: [bar2], c: [bar3, bar4]}", "--set",
                                       "cosim.scheme={constitutive: ff-d-k1, constraint: ff-index2-k1}", "--schemes",
                                       "ff-d-k1,ff-index2-k1,ff-k0"));
  char *rows = read_text("out/compare.csv");
  cr_expect_gt(position_error(rows, "ff-d-k1"), 0);
  cr_expect_eq(position_error(rows, "ff-d-k1"), position_error(rows, "ff-index2-k1"));
  cr_expect_gt(position_error(rows, "ff-k0"), 10 * position_error(rows, "ff-index2-k1"));
  free(rows);
  outcome_free(&result);
  result = expect_success(SEAM("compare", "four_bar_bushing", "--end", "0.05", "-o", "out", "--set",
                               "cosim.subsystems={a: [bar1], b: [bar2], c: [bar3, bar4]}", "--set",
                               "cosim.scheme={constitutive: ff-d-k1, constraint: ff-index2-k1}"));
  rows = read_text("out/compare.csv");
  cr_expect(has(rows, "\nfile,0.001,accurate,"), "%s", rows);
  free(rows);
  outcome_free(&result);
}

Test(compare, the_macro_step_is_an_option) {
  outcome result =
      expect_success(SEAM("compare", "double_pendulum", "--macro-step", "2.5e-3", "--end", "0.02", "-o", "out"));
  char *rows = read_text("out/compare.csv");
  cr_expect(has(rows, "\nff-index2-k1,0.0025,accurate,"), "%s", rows);
  free(rows);
  outcome_free(&result);
}

Test(compare, a_scheme_named_twice_is_run_once) {
  outcome result = expect_success(
      SEAM("compare", "four_bar_bushing", "--schemes", "ff-k0,ff-k1,ff-k0", "--end", "0.02", "-o", "out"));
  char *rows = read_text("out/compare.csv");
  cr_expect_eq(count_lines(rows), 3);
  cr_expect_eq(count_lines(result.out), 7, "%s", result.out);
  cr_expect(has(result.out, "\nerror: largest, of a quantity's travel (1e-2 is 1 %)"), "%s", result.out);
  free(rows);
  outcome_free(&result);
}

/* With one macro point no root mean square can be normalised. */
Test(compare, a_run_of_one_macro_point_has_no_mean_error) {
  outcome result =
      expect_success(SEAM("compare", "four_bar_bushing", "--macro-step", "1e-3", "--end", "1e-3", "-o", "out"));
  char *rows = read_text("out/compare.csv");
  cr_expect(has(rows, ",0.001,accurate,,,"), "%s", rows);
  free(rows);
  outcome_free(&result);
}

Test(compare, a_run_that_is_far_off_is_wrong) {
  outcome result = expect_success(
      SEAM("compare", "four_bar_bushing", "--macro-step", "2e-3", "--end", "3", "--schemes", "dd-k0", "-o", "out"));
  cr_expect(has(result.out, "wrong: bar"), "%s", result.out);
  outcome_free(&result);
}

/* ---- Runs that are kept ---- */

static void expect_same_text(const char *path, const char *other) {
  char *texts[2] = {read_text(path), read_text(other)};
  cr_expect_str_eq(texts[0], texts[1], "%s", path);
  free(texts[0]);
  free(texts[1]);
}

/* They are the runs that `seam run` makes, the reference at tolerances 100 times tighter. */
Test(compare, kept_runs_are_those_of_run) {
  outcome result = expect_success(
      SEAM("compare", "four_bar_bushing", "--schemes", "ff-d-k2,ff-colloc-s2", "--end", "0.3", "--keep", "-o", "kept"));
  outcome_free(&result);
  static const char *const schemes[] = {"ff-d-k2", "ff-colloc-s2"};
  static const char *const tables[] = {"trajectory", "couplings"};
  for (int i = 0; i < 2; i++) {
    result =
        expect_success(SEAM("run", "four_bar_bushing", "--cosim", "--scheme", schemes[i], "--end", "0.3", "-o", "run"));
    outcome_free(&result);
    for (int k = 0; k < 2; k++) {
      char paths[2][64];
      snprintf(paths[0], sizeof paths[0], "run/%s.csv", tables[k]);
      snprintf(paths[1], sizeof paths[1], "kept/%s/%s.csv", schemes[i], tables[k]);
      expect_same_text(paths[0], paths[1]);
    }
  }
  result = expect_success(
      SEAM("run", "four_bar_bushing", "--rtol", "1e-10", "--atol", "1e-12", "--end", "0.3", "-o", "run"));
  outcome_free(&result);
  expect_same_text("run/trajectory.csv", "kept/reference/trajectory.csv");
  char *scheme = json_at("kept/ff-d-k2/summary.json", "/cosim/couplings/M/scheme");
  char *status = json_at("kept/reference/summary.json", "/verdict/status");
  char *command = json_at("kept/reference/summary.json", "/arguments/0");
  cr_expect_str_eq(scheme, "ff-d-k2");
  cr_expect_str_eq(status, "done");
  cr_expect_str_eq(command, "compare");
  cr_expect_eq(json_number_at("kept/ff-d-k2/summary.json", "/verdict/rows"), 31);
  free(scheme);
  free(status);
  free(command);
}

/* Rows at macro points: the largest difference of two columns is the error that was judged. */
Test(compare, kept_runs_have_the_errors_that_were_judged) {
  outcome result = expect_success(SEAM("compare", "four_bar_bushing", "--schemes", "ff-k0", "--end", "0.2", "--keep",
                                       "--set", "simulate.output_step=1e-3", "--names", "underscore", "-o", "out"));
  csv kept = csv_read("out/ff-k0/trajectory.csv");
  csv reference = csv_read("out/reference/trajectory.csv");
  char *errors = read_text("out/errors.csv");
  double largest = 0;
  for (size_t i = 0; i < kept.n_rows; i++)
    largest = fmax(largest, fabs(csv_at(&kept, i, "bar2_vx") - csv_at(&reference, i, "bar2_vx")));
  const char *row = strstr(errors, "\nff-k0,bar2.vx,");
  const double judged = strtod(strchr(row + strlen("\nff-k0,bar2.vx,"), ',') + 1, NULL);
  cr_expect_gt(judged, 1e-7);
  cr_expect_float_eq(largest, judged, 1e-11);
  free(errors);
  csv_free(&kept);
  csv_free(&reference);
  outcome_free(&result);
}

Test(compare, kept_runs_say_how_they_ended) {
  outcome result = expect_success(SEAM("compare", "double_pendulum", "--schemes", "ff-weighted-k2,ff-index2-k1",
                                       "--end", "0.3", "--keep", "--format", "npy,csv", "-o", "out"));
  outcome_free(&result);
  char *unstable = json_at("out/ff-weighted-k2/summary.json", "/verdict/status");
  char *done = json_at("out/ff-index2-k1/summary.json", "/verdict/status");
  csv rows = csv_read("out/ff-weighted-k2/trajectory.csv");
  const double last = csv_at(&rows, rows.n_rows - 1, "time");
  cr_expect_str_eq(unstable, "the co-simulation became unstable");
  cr_expect_str_eq(done, "done");
  cr_expect(last > 0.1 && last < 0.2, "%g", last);
  cr_expect_eq(last, json_number_at("out/ff-weighted-k2/summary.json", "/verdict/time"));
  csv couplings = csv_read("out/ff-weighted-k2/couplings.csv");
  cr_expect_float_eq(last, csv_at(&couplings, couplings.n_rows - 1, "time"), 1e-12);
  csv_free(&couplings);
  cr_expect(file_exists("out/ff-index2-k1/couplings.npy"));
  csv_free(&rows);
  free(unstable);
  free(done);
  result = expect_success(SEAM("compare", "four_bar_bushing", "--macro-step", "2e-3", "--end", "3", "--schemes",
                               "dd-k0", "--keep", "-o", "off"));
  outcome_free(&result);
  char *off = json_at("off/dd-k0/summary.json", "/verdict/message");
  cr_expect(has(off, "wrong: bar"), "%s", off);
  cr_expect_eq(json_number_at("off/dd-k0/summary.json", "/verdict/exit_status"), 3);
  free(off);
}

/* Without `macro_step` rows lie between the macro points of the control. */
Test(compare, runs_under_control_are_kept_too) {
  write_without_macro_step("free.yaml", "four_bar_bushing");
  outcome result = expect_success(
      SEAM("compare", "free.yaml", "--set", "cosim.scheme=ff-colloc-s3", "--end", "1", "--keep", "-o", "out"));
  outcome_free(&result);
  result = expect_success(
      SEAM("run", "free.yaml", "--cosim", "--set", "cosim.scheme=ff-colloc-s3", "--end", "1", "-o", "run"));
  outcome_free(&result);
  expect_same_text("run/trajectory.csv", "out/ff-colloc-s3/trajectory.csv");
  expect_same_text("run/couplings.csv", "out/ff-colloc-s3/couplings.csv");
}

Test(compare, runs_that_cannot_be_kept_are_refused) {
  expect_refused_untouched(SEAM("compare", "double_pendulum", "--names", "underscore"),
                           "--names is for runs that are kept; add --keep");
  expect_refused_untouched(SEAM("compare", "double_pendulum", "--keep", "--format", "xls"), "--format must be csv");
  expect_refused_untouched(SEAM("compare", "double_pendulum", "--keep", "--set", "simulate.output_step=1e-12"),
                           "the run has more than 1e+09 rows");
}

Test(compare, a_run_is_shown_where_its_row_cannot_be_written) {
  mkdir("out", 0777);
  cr_assert_eq(symlink("/dev/full", "out/compare.csv"), 0);
  outcome result = SEAM("compare", "four_bar_bushing", "--schemes", "ff-k1", "--end", "0.02", "-o", "out");
  cr_expect_eq(result.exit_status, 2);
  cr_expect(has(result.err, "out/compare.csv: the file cannot be written"), "%s", result.err);
  cr_expect(has(result.out, "\nff-k1 ") && has(result.out, "accurate"), "%s", result.out);
  outcome_free(&result);
}

Test(compare, quiet_prints_nothing) {
  outcome result =
      expect_success(SEAM("compare", "double_pendulum", "--schemes", "all", "--end", "0.01", "-o", "out", "--quiet"));
  cr_expect_str_empty(result.out);
  cr_expect_str_empty(result.err);
  cr_expect(file_exists("out/errors.csv"));
  outcome_free(&result);
}

Test(compare, what_is_impossible_is_refused) {
  expect_refused_untouched(SEAM("compare", "double_pendulum", "--schemes", "ff-index2-k1,nothing"),
                           "'nothing' is not the name of a scheme");
  expect_refused_untouched(SEAM("compare", "double_pendulum", "--schemes", "ff-index2-k1,,"), "a scheme is missing");
  expect_refused_untouched(SEAM("compare", "double_pendulum", "--schemes", "ff-k1"),
                           "this is a joint: take ff-index2-k1; 'ff-k1' is for force elements");
  expect_refused_untouched(SEAM("compare", "double_pendulum", "--schemes", "dd-projection-k1"), "dd-projection-k1: ");
  expect_refused_untouched(SEAM("compare", "double_pendulum", "--macro-step", "0"), "macro_step");
  expect_refused_untouched(
      SEAM("compare", "double_pendulum", "--macro-step", "10", "--end", "5"),
      "macro step of 10 s is longer than the run of 5 s: take a smaller one (cosim.macro_step, --macro-step)");
  expect_refused_untouched(SEAM("compare", "double_pendulum", "--macro-step", "1e-19", "--end", "5"),
                           "a run of 5 s needs more than 1e+08 macro steps");
  expect_refused_untouched(SEAM("compare", "double_pendulum", "--schemes", "all,ff-index2-k1"),
                           "'all' cannot be combined with names");
  expect_refused_untouched(SEAM("compare", "no_such_model"), "no_such_model");
}

Test(compare, a_model_without_cuts_is_refused) {
  write_text("m.yaml", "seam: 1\nbodies:\n  b: {mass: 1, inertia: 1, at: [0, 0]}\nsimulate: {end: 1}\n");
  expect_refused_untouched(SEAM("compare", "m.yaml"), "cosim");
}

Test(compare, a_model_without_an_end_is_refused) {
  write_text("m.yaml",
             "seam: 1\nbodies:\n  a: {mass: 1, inertia: 1, at: [0, 0]}\n  b: {mass: 1, inertia: 1, at: [0, 0]}\n"
             "forces:\n  M: {type: bushing, bodies: [a, b], at: [0, 0], stiffness: [1, 1, 1], damping: [1, 1, "
             "1]}\ncosim: {subsystems: {one: [a], two: [b]}, macro_step: 1e-2, scheme: ff-k1}\n");
  expect_refused_untouched(SEAM("compare", "m.yaml"), "end");
}

/* Without damping the pendulum is chaotic: what the tolerances leave grows until nothing is known. */
#define CHAOS "--set", "parameters.d=0", "--set", "simulate.rtol=1e-4", "--set", "simulate.atol=1e-4", "--end", "60"

Test(compare, a_reference_that_is_not_confirmed_judges_nothing) {
  outcome result =
      SEAM("compare", "double_pendulum", CHAOS, "--macro-step", "0.01", "--schemes", "ff-index2-k1", "-o", "out");
  cr_expect_eq(result.exit_status, 3, "%s", result.err);
  cr_expect(has(result.err, "the reference is not confirmed"), "%s", result.err);
  cr_expect(has(result.out, "not judged") || has(result.out, "unstable"), "%s", result.out);
  outcome_free(&result);
  char *rows = read_text("out/compare.csv");
  cr_expect(has(rows, "\nff-index2-k1,0.01,not judged,,,") || has(rows, "\nff-index2-k1,0.01,unstable,,,"), "%s", rows);
  free(rows);
}

/* Samples jump beside macro points: what is read before them and behind is neither's error. */
Test(compare, samples_at_macro_points_are_no_error) {
  write_text("s.yaml",
             "seam: 1\nbodies:\n  a: {mass: 1, inertia: 1, velocity: [1, 0]}\n  b: {mass: 1, inertia: 1, at: [1, 0]}\n"
             "joints:\n  ga: {type: prismatic, bodies: [ground, a], at: [0, 0], axis: [1, 0]}\n"
             "  gb: {type: prismatic, bodies: [ground, b], at: [1, 0], axis: [1, 0]}\n"
             "forces: {k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], stiffness: 100}}\n"
             "equations: {c: {sample: 0.1, outputs: {u: t}}}\nsimulate: {end: 1, output_step: 0.1}\n"
             "cosim: {subsystems: {l: [a], r: [b]}, scheme: ff-k1}\n");
  static const char *const steps[] = {"1e-3", "3e-4", "1e-4"};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    outcome result = expect_success(SEAM("compare", "s.yaml", "--macro-step", steps[i], "-o", "out"));
    outcome_free(&result);
    const double step = atof(steps[i]);
    char *rows = read_text("out/compare.csv");
    const char *at = strchr(rows, '\n') + 1;
    for (int column = 0; column < 12; column++) /* error */
      at = strchr(at, ',') + 1;
    cr_expect_lt(strtod(at, NULL), 100 * step * step, "%s", rows);
    free(rows);
  }
}

/* A target in metres jumps at a macro point, which rounding puts before or behind the jump in either run. */
Test(compare, a_variable_in_metres_may_jump_at_a_macro_point) {
  write_text("servo.yaml",
             "seam: 1\nbodies: {a: {mass: 1, inertia: 1, at: [0, 0]}, b: {mass: 1, inertia: 1, at: [1, 0]}}\n"
             "forces:\n  s: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], stiffness: 50, "
             "damping: 1}\n  f: {type: force, body: a, at: [0, 0], x: c.force, y: 0}\n"
             "equations:\n  c:\n    outputs: {target: \"if(t < 1, 0, 5)\", force: \"20*(target - a.x) - 5*a.vx\"}\n"
             "    units: {target: m, force: N}\nsimulate: {end: 2}\n"
             "cosim: {subsystems: {one: [a], two: [b]}, macro_step: 1e-3, scheme: ff-d-k2}\n");
  for (int n = 29; n <= 91; n += n == 29 ? 41 : 21) {
    char step[32];
    snprintf(step, sizeof step, "%.17g", 1.0 / n);
    outcome result = expect_success(SEAM("compare", "servo.yaml", "--macro-step", step, "-o", "out"));
    cr_expect(!has(result.out, "target"), "%s", result.out);
    outcome_free(&result);
  }
}

/* ---- Units ---- */

/* Two carts on one line. The spring between them is not affine: laws are differentiated by differences. */
static const char carts[] =
    "seam: 2\nparameters: {L: 1, M: 1, T: 1}\nbodies:\n"
    "  a: {mass: M, inertia: M*L^2, at: [0, 0], velocity: [L/T, 0]}\n  b: {mass: M, inertia: M*L^2, at: [L, 0]}\n"
    "joints:\n  A: {type: prismatic, bodies: [ground, a], at: [0, 0], axis: [1, 0]}\n"
    "  B: {type: prismatic, bodies: [ground, b], at: [L, 0], axis: [1, 0]}\n"
    "forces:\n"
    "  s: {type: spring_damper, bodies: [ground, a], at: [[-L, 0], [0, 0]], stiffness: 50*M/T^2, length: L}\n"
    "  k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [L, 0]], stiffness: 100*M/T^2, damping: M/T, length: L}\n"
    "simulate: {end: 2*T, output_step: 0.1*T}\ncosim: {subsystems: {one: [a], two: [b]}, scheme: ff-colloc-s3}\n";

#define MICRO "--set", "parameters.L=1e-6", "--set", "parameters.M=1e-12", "--set", "parameters.T=1e-7"

static void expect_same_errors(const char *rows, const char *of_twin) {
  size_t n = 0;
  for (const char *row = strchr(rows, '\n') + 1; *row != '\0'; row = strchr(row, '\n') + 1, n++) {
    char scheme[64];
    snprintf(scheme, sizeof scheme, "%.*s", (int)strcspn(row, ","), row);
    char *error = field(rows, scheme, 12);
    char *twin = field(of_twin, scheme, 12);
    cr_expect(fabs(strtod(error, NULL) - strtod(twin, NULL)) <= 1e-3 * strtod(error, NULL) + 1e-8, "%s: %s, %s", scheme,
              error, twin);
    free(error);
    free(twin);
  }
  cr_expect_geq(n, 40);
}

Test(compare, errors_of_all_schemes_are_the_same_in_all_units) {
  write_text("carts.yaml", carts);
  outcome result = SEAM("compare", "carts.yaml", "--schemes", "all", "--macro-step", "0.02", "-o", "one");
  outcome_free(&result);
  result = SEAM("compare", "carts.yaml", "--schemes", "all", "--macro-step", "2e-9", "-o", "micro", MICRO);
  outcome_free(&result);
  char *rows = read_text("one/compare.csv");
  char *of_twin = read_text("micro/compare.csv");
  expect_same_errors(rows, of_twin);
  free(rows);
  free(of_twin);
}

/* The default tolerance was a micrometre. */
Test(compare, controlled_collocation_takes_the_same_steps_in_all_units) {
  write_text("carts.yaml", carts);
  outcome one = expect_success(SEAM("compare", "carts.yaml", "-o", "one"));
  outcome micro = expect_success(SEAM("compare", "carts.yaml", "-o", "micro", MICRO));
  char *rows = read_text("one/compare.csv");
  char *of_twin = read_text("micro/compare.csv");
  char *steps = field(rows, "ff-colloc-s3", 9);
  char *of_micro = field(of_twin, "ff-colloc-s3", 9);
  cr_expect_str_eq(steps, of_micro);
  cr_expect_gt(strtod(steps, NULL), 20);
  free(rows);
  free(of_twin);
  free(steps);
  free(of_micro);
  outcome_free(&one);
  outcome_free(&micro);
}

/* Its tolerance of speeds was added to a speed in the mass norm. */
Test(compare, controlled_steps_do_not_see_the_unit_of_mass) {
  char *steps[2];
  write_text("carts.yaml", carts);
  for (int k = 0; k < 2; k++) {
    outcome run = expect_success(SEAM("run", "carts.yaml", "--cosim", "--scheme", "ff-k1", "--macro-step", "0.01",
                                      "--set", "cosim.step_control={method: error, tolerance: 1e-5}", "--set",
                                      k == 0 ? "parameters.M=1" : "parameters.M=1e-9", "-o", k == 0 ? "one" : "light"));
    steps[k] = json_at(k == 0 ? "one/summary.json" : "light/summary.json", "/cosim/macro_steps");
    outcome_free(&run);
  }
  cr_assert(steps[0] != NULL && steps[1] != NULL);
  cr_expect_str_eq(steps[0], steps[1]);
  free(steps[0]);
  free(steps[1]);
}
