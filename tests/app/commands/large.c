/* Large models and results. The time that a command takes may grow with their size, not with its square: that would
 * exceed the limit of each test. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "tests/support/command.h"
#include "tests/support/run_results.h"

TestSuite(large, .init = enter_scratch, .fini = leave_scratch, .timeout = 120);

static void expect_done(outcome result) {
  cr_assert_eq(result.exit_status, 0, "%.1000s", result.err);
  outcome_free(&result);
}

/* Bodies b1, b2, ... that move freely, in a row. */
static void write_row_of_bodies(const char *path, int n, const char *more) {
  char text[1000];
  snprintf(text, sizeof text,
           "seam: 2\nname: row\nsimulate: {end: 0.2, output_step: 0.1}\n"
           "bodies: {b0: {mass: 1, inertia: 1}}\nrepeat:\n  - for: {i: [1, %d]}\n"
           "    bodies: {\"b{i}\": {mass: 1, inertia: 1, at: [2*i, 0], velocity: [0, i]}}\n%s",
           n, more);
  write_text(path, text);
}

/* Of 120 000 columns, which summary.json describes. */
Test(large, results_of_many_columns) {
  write_row_of_bodies("row.yaml", 19999, "");
  expect_done(SEAM("run", "row.yaml", "--quiet", "--check", "never", "--names", "underscore", "-o", "first"));
  outcome listed = expect_success(SEAM("plot", "first"));
  cr_expect(has(listed.out, "  b19999_y                  m       "));
  outcome_free(&listed);
  expect_done(SEAM("run", "row.yaml", "--quiet", "--check", "never", "--from", "first@0.1", "--columns", "b19999.y",
                   "-o", "second"));
  csv rows = csv_read("second/trajectory.csv");
  cr_expect_float_eq(csv_at(&rows, 1, "b19999.y"), 0.2 * 19999, 1e-6);
  csv_free(&rows);
}

/* A chain of 100 000 bodies and springs, each drawn out to twice its length. */
Test(large, a_model_is_checked) {
  write_row_of_bodies("row.yaml", 99999,
                      "    forces: {\"f{i}\": {type: spring_damper, bodies: [\"b{i-1}\", \"b{i}\"],\n"
                      "                    at: [[2*i - 2, 0], [2*i, 0]], stiffness: 3, length: 1}}\n");
  outcome result = expect_success(SEAM("check", "row.yaml"));
  cr_expect(has(result.out, "b99998, b99999: force -3 N, pulls together\n"));
  outcome_free(&result);
}

Test(large, a_model_is_drawn) {
  write_row_of_bodies("row.yaml", 59999,
                      "    joints: {\"j{i}\": {type: revolute, bodies: [\"b{i-1}\", \"b{i}\"], at: [2*i - 1, 0]}}\n");
  expect_done(SEAM("draw", "row.yaml", "-o", "row.svg"));
}

Test(large, many_figures_over_a_run) {
  write_row_of_bodies("row.yaml", 19999, "    measures: {\"m{i}\": {expression: \"b{i}.y\", over_run: [max]}}\n");
  outcome result = expect_success(SEAM("run", "row.yaml", "--check", "never", "-o", "out"));
  cr_expect(has(result.err, "  m19999 max: 3999.8 m at t = 0.2 s"));
  outcome_free(&result);
}

/* kB, of the largest command so far. */
static double largest_memory(void) {
  struct rusage used;
  getrusage(RUSAGE_CHILDREN, &used);
  return (double)used.ru_maxrss;
}

static double memory_of_measures(int n) {
  write_row_of_bodies("row.yaml", n, "    measures: {\"m{i}\": \"2*b{i}.x\"}\n");
  expect_done(SEAM("check", "row.yaml", "--quiet"));
  return largest_memory();
}

/* Lists as long as all measures for each of them would make it four times as much. */
Test(large, memory_of_measures_grows_with_their_number) {
  const double half = memory_of_measures(15000);
  cr_expect_lt(memory_of_measures(30000), 2.5 * half);
}

static double memory_of_states(int n) {
  FILE *file = fopen("states.yaml", "w");
  cr_assert_not_null(file);
  fputs("seam: 2\nname: states\nequations:\n  q:\n    states:\n", file);
  for (int i = 0; i < n; i++)
    fprintf(file, "      x%d: 1\n", i);
  fputs("    rates:\n", file);
  for (int i = 0; i < n; i++)
    fprintf(file, "      x%d: x%d - x%d\n", i, (i + 1) % n, i);
  fclose(file);
  expect_done(SEAM("check", "states.yaml", "--quiet"));
  return largest_memory();
}

Test(large, memory_of_states_grows_with_their_number) {
  const double half = memory_of_states(2000);
  cr_expect_lt(memory_of_states(4000), 2.5 * half);
}

/* Bodies that nothing holds are counted, not listed. */
Test(large, notes_name_few_bodies) {
  write_row_of_bodies("row.yaml", 999, "");
  outcome result = expect_success(SEAM("run", "row.yaml", "-o", "out"));
  cr_expect(has(result.err, "holds or loads body 'b7': it goes straight on\n"), "%s", result.err);
  cr_expect(has(result.err, "holds or loads 992 more bodies\n"), "%s", result.err);
  cr_expect(!has(result.err, "'b8'"), "%s", result.err);
  outcome_free(&result);
}
