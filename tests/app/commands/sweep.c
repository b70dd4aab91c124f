/* `seam sweep`: rows are those of single runs; threads, shards, kills and merging leave the same bytes; failed runs;
 * refusals. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/command.h"
#include "tests/support/random.h"
#include "tests/support/run_results.h"
#include "tests/support/unit_fmu.h"

static const char model[] =
    "seam: 1\n"
    "name: swing\n"
    "gravity: [0, -9.81]\n"
    "parameters: {L: 1, k: 200, d: 0.5}\n"
    "points: {A: [0, 0], B: [L, 0], C: [L, -0.5]}\n"
    "bodies:\n"
    "  rod: {rod: [A, B], mass: 1}\n"
    "  disc: {mass: 0.5, inertia: 0.01, at: C}\n"
    "joints: {A: {type: revolute, bodies: [ground, rod], at: A}}\n"
    "forces:\n"
    "  spring: {type: spring_damper, bodies: [rod, disc], at: [B, C], stiffness: k, damping: d}\n"
    "measures: {pull: {expression: spring.force, unit: N, over_run: [max, mean]}}\n"
    "simulate: {end: 1, output_step: 0.01}\n"
    "cosim: {subsystems: {one: [rod], two: [disc]}, macro_step: 1e-3, scheme: ff-k1}\n";

static void set_up(void) {
  enter_scratch();
  write_text("swing.yaml", model);
}

TestSuite(sweep, .init = set_up, .fini = leave_scratch, .timeout = 300);

static void run(outcome result) {
  result = expect_success(result);
  outcome_free(&result);
}

/* ---- Comparisons ---- */

static void expect_same_folders(const char *one, const char *two) {
  static const char *const files[] = {"sweep.csv",    "sweep.npy",     "summary.json",
                                      "messages.txt", "sweep.journal", "sweep.gp"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char paths[2][64];
    snprintf(paths[0], sizeof paths[0], "%s/%s", one, files[i]);
    snprintf(paths[1], sizeof paths[1], "%s/%s", two, files[i]);
    cr_expect_eq(file_exists(paths[0]), file_exists(paths[1]), "%s", paths[1]);
    if (file_exists(paths[0]))
      cr_expect(is_same_file(paths[0], paths[1]), "%s", paths[1]);
  }
}

/* ---- Rows ---- */

static void expect_row_of_run(const csv *rows, size_t row, const char *folder) {
  char path[64];
  snprintf(path, sizeof path, "%s/summary.json", folder);
  cr_expect_eq(csv_at(rows, row, "pull.max"), json_number_at(path, "/measures/pull/max/value"));
  cr_expect_eq(csv_at(rows, row, "pull.max.uncertainty"), json_number_at(path, "/measures/pull/max/uncertainty"));
  cr_expect_eq(csv_at(rows, row, "pull.mean"), json_number_at(path, "/measures/pull/mean/value"));
  cr_expect_eq(csv_at(rows, row, "imbalance"), json_number_at(path, "/energy/largest_imbalance"));
  cr_expect_eq(csv_at(rows, row, "status"), 0);
}

Test(sweep, a_row_is_what_a_run_of_its_values_measures_to_the_bit) {
  run(SEAM("sweep", "swing.yaml", "--vary", "parameters.k=100:300:3", "--vary", "parameters.d=[0.1, 1]", "-o", "s"));
  csv rows = csv_read("s/sweep.csv");
  cr_expect_str_eq(rows.header, "run,parameters.k,parameters.d,pull.max,pull.max.uncertainty,pull.mean,"
                                "pull.mean.uncertainty,status,imbalance");
  cr_assert_eq(rows.n_rows, 6);
  for (size_t row = 0; row < 6; row++) {
    char k[64];
    char d[64];
    cr_expect_eq(csv_at(&rows, row, "run"), (double)row + 1);
    snprintf(k, sizeof k, "parameters.k=%.17g", csv_at(&rows, row, "parameters.k"));
    snprintf(d, sizeof d, "parameters.d=%.17g", csv_at(&rows, row, "parameters.d"));
    run(SEAM("run", "swing.yaml", "--set", k, "--set", d, "-o", "r"));
    expect_row_of_run(&rows, row, "r");
  }
  cr_expect_eq(csv_at(&rows, 0, "parameters.k"), 100);
  cr_expect_eq(csv_at(&rows, 1, "parameters.d"), 1);
  cr_expect_eq(csv_at(&rows, 5, "parameters.k"), 300);
  csv_free(&rows);
}

Test(sweep, a_row_of_a_co_simulation_is_that_of_its_run) {
  run(SEAM("sweep", "swing.yaml", "--vary", "parameters.k=100:300:2", "-o", "s", "--cosim", "--scheme", "ff-d-k2"));
  run(SEAM("run", "swing.yaml", "--set", "parameters.k=300", "-o", "r", "--cosim", "--scheme", "ff-d-k2"));
  csv rows = csv_read("s/sweep.csv");
  expect_row_of_run(&rows, 1, "r");
  csv_free(&rows);
}

Test(sweep, last_values_are_those_of_the_last_row_and_other_figures_of_any_quantity) {
  run(SEAM("sweep", "swing.yaml", "--vary", "simulate.end=0.5:1:2", "-o", "s", "--measure", "disc.y.last", "--measure",
           "rod.omega.min", "--measure", "energy.total.integral", "--measure", "disc.y.rms"));
  run(SEAM("run", "swing.yaml", "-o", "r"));
  csv rows = csv_read("s/sweep.csv");
  csv trajectory = csv_read("r/trajectory.csv");
  cr_expect_eq(csv_at(&rows, 1, "disc.y.last"), csv_at(&trajectory, trajectory.n_rows - 1, "disc.y"));
  double least = INFINITY;
  double square = 0;
  for (size_t i = 0; i < trajectory.n_rows; i++) {
    const double y = csv_at(&trajectory, i, "disc.y");
    least = fmin(least, csv_at(&trajectory, i, "rod.omega"));
    square += y * y * 0.01 * (i == 0 || i + 1 == trajectory.n_rows ? 0.5 : 1);
  }
  cr_expect_leq(fabs(csv_at(&rows, 1, "rod.omega.min") - least), 1e-3 * fabs(least));
  cr_expect_float_eq(csv_at(&rows, 1, "disc.y.rms"), sqrt(square), 1e-4);
  char *unit = json_at("s/summary.json", "/columns/energy.total.integral/unit");
  cr_expect_str_eq(unit, "J*s");
  free(unit);
  csv_free(&rows);
  csv_free(&trajectory);
}

/* x'' = -k x from 1 m/s: 1/sqrt(k), between rows and samples. An optimiser sees no noise from row to row. */
Test(sweep, extremes_are_as_accurate_as_the_run) {
  write_text("oscillator.yaml",
             "seam: 1\nname: oscillator\nparameters: {k: 200}\nbodies: {m: {mass: 1, inertia: 1, velocity: [1, 0]}}\n"
             "forces: {c: {type: spring_damper, bodies: [ground, m], at: [[-1, 0], [0, 0]], axis: [1, 0], "
             "stiffness: k}}\n"
             "measures: {turned: \"sin(3*m.x)\"}\n"
             "simulate: {end: 1, output_step: 0.02, rtol: 1e-10, atol: 1e-12}\n");
  run(SEAM("sweep", "oscillator.yaml", "--vary", "parameters.k=200:201:11", "--measure", "m.x.max", "--measure",
           "m.x.min", "--measure", "turned.max", "-o", "s"));
  csv rows = csv_read("s/sweep.csv");
  for (size_t i = 0; i < 11; i++) {
    const double exact = 1 / sqrt(csv_at(&rows, i, "parameters.k"));
    const double open = csv_at(&rows, i, "m.x.max.uncertainty");
    cr_expect_float_eq(csv_at(&rows, i, "m.x.max"), exact, 1e-9 * exact, "off by %g",
                       csv_at(&rows, i, "m.x.max") - exact);
    cr_expect_float_eq(csv_at(&rows, i, "m.x.min"), -exact, 1e-9 * exact);
    cr_expect_float_eq(csv_at(&rows, i, "turned.max"), sin(3 * exact), 1e-9);
    cr_expect_lt(open, 1e-6 * exact, "open %g", open);
    cr_expect_leq(fabs(csv_at(&rows, i, "m.x.max") - exact), open + 1e-9 * exact);
  }
  csv_free(&rows);
}

/* The largest pull of a pendulum that swings from rest at the side is three weights, whatever its length and mass. */
Test(sweep, measured_figures_obey_physics) {
  write_text("pendulum.yaml", "seam: 1\n"
                              "gravity: [0, -9.81]\n"
                              "parameters: {L: 1, m: 1}\n"
                              "bodies: {bob: {mass: m, inertia: 1e-9, at: [L, 0]}}\n"
                              "joints: {A: {type: revolute, bodies: [ground, bob], at: [0, 0]}}\n"
                              "measures: {pull: {expression: \"sqrt(A.fx^2 + A.fy^2)/(9.81*m)\", unit: N/N}}\n"
                              "simulate: {end: 2, output_step: 0.005}\n");
  run(SEAM("sweep", "pendulum.yaml", "--vary", "parameters.L=uniform(0.5, 1)", "--vary", "parameters.m=normal(5, 1)",
           "--sample", "lhs", "--count", "20", "--seed", "3", "--measure", "pull.max", "-o", "s"));
  csv rows = csv_read("s/sweep.csv");
  cr_assert_eq(rows.n_rows, 20);
  for (size_t i = 0; i < rows.n_rows; i++)
    cr_expect_leq(fabs(csv_at(&rows, i, "pull.max") - 3), 1e-6 + csv_at(&rows, i, "pull.max.uncertainty"), "%zu", i);
  csv_free(&rows);
}

/* ---- The same bytes ---- */

#define VARIED                                                                                                         \
  "swing.yaml", "--vary", "parameters.k=normal(200, 40)", "--vary", "parameters.d=uniform(0, 1)", "--sample",          \
      "random", "--count", "40", "--seed", "11"

Test(sweep, threads_and_shards_leave_the_same_bytes) {
  run(SEAM("sweep", VARIED, "-o", "one", "--threads", "1", "--format", "csv,npy"));
  run(SEAM("sweep", VARIED, "-o", "four", "--threads", "4", "--format", "npy,csv"));
  expect_same_folders("one", "four");
  run(SEAM("sweep", VARIED, "-o", "whole", "--shard", "1/1", "--format", "csv,npy"));
  expect_same_folders("one", "whole");
  run(SEAM("sweep", VARIED, "-o", "a", "--shard", "1/3"));
  run(SEAM("sweep", VARIED, "-o", "b", "--shard", "2/3", "--threads", "1"));
  run(SEAM("sweep", VARIED, "-o", "c", "--shard", "3/3"));
  run(SEAM("sweep", "--merge", "c", "a", "b", "-o", "merged", "--format", "csv,npy"));
  expect_same_folders("one", "merged");
  run(SEAM("sweep", VARIED, "-o", "b", "--format", "csv,npy")); /* a shard is completed */
  expect_same_folders("one", "b");
}

/* Of an array of jobs some may have nothing to run. */
Test(sweep, more_shards_than_runs_leave_the_same_bytes) {
#define TWO "swing.yaml", "--vary", "parameters.k=100:200:2"
  run(SEAM("sweep", TWO, "-o", "one"));
  run(SEAM("sweep", TWO, "-o", "a", "--shard", "1/3"));
  run(SEAM("sweep", TWO, "-o", "b", "--shard", "2/3"));
  run(SEAM("sweep", TWO, "-o", "c", "--shard", "3/3"));
  run(SEAM("sweep", "--merge", "a", "b", "c", "-o", "merged"));
  expect_same_folders("one", "merged");
}

/* Ctrl-C ends it with what is done, and the same command goes on. */
Test(sweep, a_sweep_that_is_interrupted_keeps_its_runs) {
  static const char *const arguments[] = {"seam", "sweep", VARIED, "--end", "5", "-o", "s", "--threads", "2", NULL};
  run(SEAM("sweep", VARIED, "--end", "5", "-o", "one"));
  const int err = open("stderr", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  const pid_t child = start_command(arguments, err);
  for (int i = 0; i < 1000 && !file_exists("s/sweep.journal"); i++)
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  kill(child, SIGINT);
  close(err);
  cr_expect_eq(wait_command(child), 1);
  char *text = read_text("stderr");
  cr_expect(has(text, "of 40 runs; they are kept: the same command continues after them"), "%s", text);
  free(text);
  cr_expect_not(file_exists("s/sweep.csv"));
  run(SEAM("sweep", VARIED, "--end", "5", "-o", "s"));
  expect_same_folders("one", "s");
}

Test(sweep, a_sweep_that_is_killed_goes_on_to_the_same_bytes) {
  static const char *const arguments[] = {"seam", "sweep", VARIED, "-o", "killed", "--format", "csv,npy", NULL};
  uint64_t seed = 4;
  int exit_status = -1;
  int n_killed = 0;
  run(SEAM("sweep", VARIED, "-o", "one", "--format", "csv,npy"));
  for (; exit_status == -1; n_killed++) {
    const int err = open("stderr", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    const pid_t child = start_command(arguments, err);
    nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * random_between(&seed, 0, n_killed < 30 ? 0.06 : 0.9))}, NULL);
    kill(child, SIGKILL);
    close(err);
    exit_status = wait_command(child);
  }
  cr_expect_gt(n_killed, 1);
  cr_expect_eq(exit_status, 0);
  expect_same_folders("one", "killed");
}

static void expect_continued(long shorter) {
  run(SEAM("sweep", VARIED, "-o", "one"));
  run(SEAM("sweep", VARIED, "-o", "torn"));
  FILE *journal = fopen("torn/sweep.journal", "r+b");
  cr_assert_not_null(journal);
  fseek(journal, 0, SEEK_END);
  cr_assert_eq(ftruncate(fileno(journal), ftell(journal) - shorter), 0);
  fclose(journal);
  outcome result = expect_success(SEAM("sweep", VARIED, "-o", "torn"));
  cr_expect(has(result.err, "40 of 40 runs, 39 of them done before"), "%s", result.err);
  outcome_free(&result);
  expect_same_folders("one", "torn");
}

Test(sweep, a_torn_record_is_run_again) { expect_continued(5); }

Test(sweep, a_damaged_record_is_run_again) {
  run(SEAM("sweep", VARIED, "-o", "one"));
  run(SEAM("sweep", VARIED, "-o", "damaged"));
  FILE *journal = fopen("damaged/sweep.journal", "r+b");
  cr_assert_not_null(journal);
  fseek(journal, -20, SEEK_END);
  fputc(0x55, journal);
  fclose(journal);
  run(SEAM("sweep", VARIED, "-o", "damaged"));
  expect_same_folders("one", "damaged");
}

/* ---- Runs that fail ---- */

#define FAILING                                                                                                        \
  "swing.yaml", "--set", "simulate.integrator=rk4", "--vary", "simulate.step=[1e-3, 0.05, 5e-4]", "--set",             \
      "parameters.k=1e4", "--measure", "pull.max"

Test(sweep, runs_that_fail_leave_the_others_and_are_counted) {
  outcome result = SEAM("sweep", FAILING, "-o", "s", "--format", "csv,npy");
  cr_expect_eq(result.exit_status, 1, "%s", result.err);
  cr_expect(has(result.err, "1 of 3 runs failed; the first is run 2 of 3 (simulate.step=0.05), which said:\n"), "%s",
            result.err);
  outcome_free(&result);
  char *text = read_text("s/sweep.csv");
  cr_expect(has(text, "\n2,0.05,,,1,\n"), "%s", text);
  cr_expect(has(text, "\n3,"), "%s", text);
  free(text);
  char *messages = read_text("s/messages.txt");
  cr_expect_eq(strncmp(messages, "run 2 of 3 (simulate.step=0.05), status 1\n", 42), 0, "%s", messages);
  free(messages);
  cr_expect_eq(json_number_at("s/summary.json", "/verdict/first_failed"), 2);
  cr_expect_eq(json_number_at("s/summary.json", "/verdict/exit_status"), 1);
  result = SEAM("sweep", FAILING, "-o", "one", "--threads", "1", "--format", "csv,npy");
  outcome_free(&result);
  expect_same_folders("one", "s");
}

Test(sweep, wrong_runs_keep_their_figures_and_end_with_status_3) {
#define WRONG                                                                                                          \
  "swing.yaml", "--set", "simulate.integrator=euler", "--vary", "simulate.step=[1e-5, 1e-2]", "--end", "0.2", "-o",    \
      "s", "--measure", "pull.max"
  outcome result = SEAM("sweep", WRONG);
  cr_expect_eq(result.exit_status, 3, "%s", result.err);
  cr_expect(has(result.err, "1 of 2 runs is wrong; the first is run 2 of 2 (simulate.step=0.01)"), "%s", result.err);
  outcome_free(&result);
  csv rows = csv_read("s/sweep.csv");
  cr_expect_eq(csv_at(&rows, 0, "status"), 0);
  cr_expect_eq(csv_at(&rows, 1, "status"), 3);
  cr_expect(isfinite(csv_at(&rows, 1, "pull.max")));
  csv_free(&rows);
  run(SEAM("sweep", WRONG, "--accept-wrong"));
}

/* ---- Pictures ---- */

static void expect_script(const char *const parts[], size_t n) {
  char *script = read_text("s/sweep.gp");
  for (size_t i = 0; i < n; i++)
    cr_expect(has(script, parts[i]), "'%s' is not in: %.3000s", parts[i], script);
  free(script);
}
#define EXPECT_SCRIPT(...)                                                                                             \
  expect_script((const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* Random values stand in the order of the axis. */
Test(sweep, one_value_is_drawn_as_curves_over_it) {
  run(SEAM("sweep", "swing.yaml", "--vary", "parameters.k=[300, 100, 200]", "-o", "s"));
  csv rows = csv_read("s/sweep.csv");
  char curve[128];
  snprintf(curve, sizeof curve, "$curve0_0 << END\n100 %.10g\n200 %.10g\n300 ", csv_at(&rows, 1, "pull.max"),
           csv_at(&rows, 2, "pull.max"));
  csv_free(&rows);
  EXPECT_SCRIPT("{/:Bold Sweep of swing}", "'3 runs'", "set xlabel '{/:Italic k}'", "set ylabel 'force / N'",
                "title 'max pull'", "title 'mean pull'", curve);
}

Test(sweep, two_values_of_a_grid_are_drawn_as_boxes_that_meet_halfway) {
  run(SEAM("sweep", "swing.yaml", "--vary", "parameters.k=100:10000:3:log", "--vary", "parameters.d=1:2:2", "-o", "s"));
  EXPECT_SCRIPT("\n100 1 31.6227766 316.227766 0.5 1.5 ", "\n1000 2 316.227766 3162.27766 1.5 2.5 ",
                "\n10000 1 3162.27766 31622.7766 0.5 1.5 ", "set logscale x\n", "unset logscale y\n",
                "$curve0_0 using 1:2:3:4:5:6:7 with boxxyerror", "$curve1_0 using 1:2:3:4:5:6:7 with boxxyerror",
                "set cblabel 'max pull / N'");
}

Test(sweep, more_values_are_drawn_one_by_one_without_runs_that_failed) {
  outcome result =
      SEAM("sweep", "swing.yaml", "--set", "simulate.integrator=rk4", "--vary", "simulate.step=[1e-3, 0.05]", "--vary",
           "parameters.k=[9e3, 1e4]", "--vary", "bodies.disc.mass=[0.5, 0.6]", "--measure", "pull.max", "-o", "s");
  cr_expect_eq(result.exit_status, 1, "%s", result.err);
  outcome_free(&result);
  EXPECT_SCRIPT("'8 runs; 4 failed and left out'", "$curve0_0 << END\n0.001 ", "$curve1_0 << END\n9000 ",
                "$curve2_0 << END\n0.5 ", "$curve0_0 using 1:2 with points", "$curve2_0 using 1:2 with points",
                "set xlabel 'bodies.disc.mass'");
  char *script = read_text("s/sweep.gp");
  cr_expect_not(has(script, "\n0.05 "));
  free(script);
}

/* gnuplot says so where the range of an axis is empty. */
Test(sweep, a_figure_that_all_runs_share_is_drawn_without_a_warning) {
#define REST "swing.yaml", "--set", "measures={same: 2 + 0*t}", "--measure", "same.last", "-o", "s"
  outcome map = SEAM("sweep", REST, "--vary", "parameters.k=100:200:2", "--vary", "parameters.d=1:2:2");
  cr_expect(has(map.err, "4 of 4 runs") && !has(map.err, "arning"), "%s", map.err);
  EXPECT_SCRIPT("set cbrange [1.8:2.2]");
  outcome_free(&map);
  outcome scatter = SEAM("sweep", REST, "--vary", "parameters.k=100:200:2", "--vary", "parameters.d=1:2:2", "--vary",
                         "bodies.disc.mass=[0.5, 0.6]");
  cr_expect_not(has(scatter.err, "arning"), "%s", scatter.err);
  outcome_free(&scatter);
}

/* ---- Refusals ---- */

Test(sweep, results_that_cannot_be_written_are_said) {
  run(SEAM("sweep", "swing.yaml", "--vary", "parameters.k=100:200:2", "-o", "s"));
  unlink("s/summary.json");
  cr_assert_eq(mkdir("s/summary.json", 0777), 0);
  outcome result = SEAM("sweep", "swing.yaml", "--vary", "parameters.k=100:200:2", "-o", "s");
  cr_expect_eq(result.exit_status, 2, "%s", result.err);
  cr_expect(has(result.err, "s/summary.json: the file cannot be written"), "%s", result.err);
  outcome_free(&result);
}

static void expect_refused(outcome result, const char *words) {
  cr_expect_eq(result.exit_status, 2, "%s", result.err);
  cr_expect(has(result.err, words), "'%s' is not in: %s", words, result.err);
  cr_expect_not(file_exists("s/sweep.csv"));
  cr_expect_not(file_exists("s/sweep.journal"));
  outcome_free(&result);
}

#define EXPECT_REFUSED(words, ...) expect_refused(SEAM("sweep", "swing.yaml", "-o", "s", __VA_ARGS__), words)

Test(sweep, what_cannot_be_varied_is_refused_before_anything_runs) {
  EXPECT_REFUSED("seam: nothing varies; add --vary KEY=FROM:TO:N", "--quiet");
  EXPECT_REFUSED("--vary parameters.kk: error: there is no parameter 'kk'", "--vary", "parameters.kk=1:2:3");
  EXPECT_REFUSED("this is run 1 of 3 (parameters.kk=1); nothing was run", "--vary", "parameters.kk=1:2:3");
  EXPECT_REFUSED("--vary: error: the range '1:1:3' of 'parameters.k' is empty", "--vary", "parameters.k=1:1:3");
  EXPECT_REFUSED("must have a whole number of values from 2", "--vary", "parameters.k=1:2:1");
  EXPECT_REFUSED("'mass' in body 'rod' must be positive, but is -1", "--vary", "bodies.rod.mass=[1, -1, 2]");
  EXPECT_REFUSED("this is run 2 of 3 (bodies.rod.mass=-1); nothing was run", "--vary", "bodies.rod.mass=[1, -1, 2]");
  EXPECT_REFUSED("seam: 'parameters.k' is varied and also set for all runs", "--vary", "parameters.k=1:2:3", "--set",
                 "parameters.k=3");
  expect_refused(SEAM("sweep", "four_bar_bushing", "-o", "s", "--cosim", "--scheme", "ff-k1", "--vary",
                      "cosim.scheme=[fd-k0, dd-k0]"),
                 "seam: 'cosim.scheme' is varied and also set for all runs");
  EXPECT_REFUSED("add --sample lhs or --sample random", "--vary", "parameters.k=1:2:3", "--seed", "3");
  EXPECT_REFUSED("--sample must be grid, lhs or random, but is 'sobol'", "--vary", "parameters.k=1:2:3", "--sample",
                 "sobol");
  EXPECT_REFUSED("--count must be a whole number, but is '-3'", "--vary", "parameters.k=1:2:3", "--count", "-3");
}

Test(sweep, what_cannot_be_measured_or_shared_is_refused) {
  EXPECT_REFUSED("--measure: error: unknown quantity 'rod.omeg'; did you mean 'rod.omega'?", "--vary",
                 "parameters.k=1:2:3", "--measure", "rod.omeg.max");
  EXPECT_REFUSED("'rod.omega' does not end with a statistic", "--vary", "parameters.k=1:2:3", "--measure", "rod.omega");
  EXPECT_REFUSED("'rod.omega.max' is measured twice", "--vary", "parameters.k=1:2:3", "--measure", "rod.omega.max",
                 "--measure", "rod.omega.max");
  EXPECT_REFUSED("seam: --shard must be I/N with I from 1 to N", "--vary", "parameters.k=1:2:3", "--shard", "3/2");
  EXPECT_REFUSED("seam: --threads must be a whole number", "--vary", "parameters.k=1:2:3", "--threads", "0");
  EXPECT_REFUSED("seam: --scheme is for co-simulated runs; add --cosim", "--vary", "parameters.k=1:2:3", "--scheme",
                 "ff-k1");
  EXPECT_REFUSED("--scheme: error: 'ff-none' is not the name of a scheme", "--vary", "parameters.k=1:2:3", "--cosim",
                 "--scheme", "ff-none");
  expect_refused(SEAM("sweep", "four_bar_fixed", "-o", "s", "--vary", "bodies.bar1.mass=1:2:3"),
                 "seam: nothing is measured; add --measure NAME.STATISTIC");
}

Test(sweep, a_folder_of_another_sweep_is_refused_and_stays) {
  run(SEAM("sweep", "swing.yaml", "--vary", "parameters.k=100:200:2", "-o", "s"));
  char *before = read_text("s/sweep.csv");
  static const char *const others[][2] = {
      {"--vary=parameters.k=100:200:3", "--quiet"},
      {"--vary=parameters.k=100:200:2", "--end=0.5"},
      {"--vary=parameters.k=100:200:2", "--measure=pull.max"},
      {"--vary=parameters.k=100:200:2", "--cosim"},
  };
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    outcome result = SEAM("sweep", "swing.yaml", "-o", "s", others[i][0], others[i][1]);
    cr_expect_eq(result.exit_status, 2, "%s", result.err);
    cr_expect(has(result.err, "s/sweep.journal: these are runs of another sweep"), "%s", result.err);
    outcome_free(&result);
  }
  char *after = read_text("s/sweep.csv");
  cr_expect_str_eq(before, after);
  free(before);
  free(after);
}

static void expect_another_sweep(outcome result) {
  cr_expect_eq(result.exit_status, 2, "%s", result.err);
  cr_expect(has(result.err, "sweep.journal: these are runs of another sweep (its model, files,"), "%s", result.err);
  outcome_free(&result);
}

/* The points of a table are in another file. */
Test(sweep, a_table_that_changed_makes_another_sweep) {
  static const char with_table[] = "seam: 1\n"
                                   "tables: {force: {file: f.csv, x: w, y: F, interpolation: linear}}\n"
                                   "bodies: {a: {mass: 1, inertia: 1, at: [0, 0]}}\n"
                                   "joints: {A: {type: revolute, bodies: [ground, a], at: [0, 0]}}\n"
                                   "forces: {f: {type: torsion, bodies: [ground, a], torque: force(v)}}\n"
                                   "simulate: {end: 1}\n";
  write_text("t.yaml", with_table);
  write_text("f.csv", "w,F\n-9,1\n9,2\n");
#define TABLE "t.yaml", "--vary", "bodies.a.mass=1:2:2", "--measure", "a.phi.last", "-o", "s"
  run(SEAM("sweep", TABLE));
  run(SEAM("sweep", TABLE));
  write_text("f.csv", "w,F\n-9,1\n9,3\n");
  expect_another_sweep(SEAM("sweep", TABLE));
}

static void write_fmus(double step) {
  unit_options options = default_unit_options(FMI_2);
  write_unit("same.fmu", &options);
  options.step = step;
  write_unit("unit.fmu", &options);
}

Test(sweep, an_fmu_that_changed_makes_another_sweep) {
  write_text("f.yaml", "seam: 1\n"
                       "bodies: {a: {mass: 1, inertia: 1, at: [0, 0]}}\n"
                       "joints: {A: {type: prismatic, bodies: [ground, a], at: [0, 0], axis: [1, 0]}}\n"
                       "forces: {push: {type: force, body: a, x: 0, y: 0}}\n"
                       "simulate: {end: 1}\n"
                       "cosim: {macro_step: 0.01, subsystems: {left: [a], unit: {fmu: unit.fmu}},\n"
                       "        signals: [{from: unit.x, to: left.push.fx}]}\n");
#define COSIM "f.yaml", "--cosim", "--measure", "a.x.last", "--vary"
#define FMU COSIM, "bodies.a.mass=1:2:2"
#define LIST COSIM, "cosim.subsystems.unit.fmu=[same.fmu, unit.fmu]"
  write_fmus(0.1);
  run(SEAM("sweep", FMU, "-o", "a", "--shard", "1/2"));
  run(SEAM("sweep", FMU, "-o", "b", "--shard", "2/2"));
  run(SEAM("sweep", LIST, "-o", "list", "--shard", "1/2"));
  outcome merged = expect_success(SEAM("sweep", "--merge", "a", "b", "-o", "s"));
  cr_expect(has(merged.err, "give 'seam run --cosim' its values"), "%s", merged.err);
  outcome_free(&merged);
  write_fmus(0.2);
  expect_another_sweep(SEAM("sweep", FMU, "-o", "a"));
  expect_another_sweep(SEAM("sweep", LIST, "-o", "list"));
  run(SEAM("sweep", FMU, "-o", "c", "--shard", "2/2"));
  expect_another_sweep(SEAM("sweep", "--merge", "a", "c", "-o", "t"));
  write_fmus(0.1);
  run(SEAM("sweep", FMU, "-o", "a"));
  run(SEAM("sweep", LIST, "-o", "list"));
}

Test(sweep, results_of_the_start_that_changed_make_another_sweep) {
#define START "swing.yaml", "--vary", "parameters.d=[0.1, 1]", "--set", "start.from=r", "-o", "s"
#define STARTS "swing.yaml", "--vary", "start.from=[q, r@0.5]", "-o", "t"
  run(SEAM("run", "swing.yaml", "-o", "q", "--end", "0.5"));
  run(SEAM("run", "swing.yaml", "-o", "r", "--end", "0.7"));
  run(SEAM("sweep", START, "--shard", "1/2"));
  run(SEAM("sweep", STARTS, "--shard", "1/2"));
  run(SEAM("run", "swing.yaml", "-o", "r", "--end", "0.7")); /* with the same results */
  run(SEAM("sweep", START, "--shard", "1/2"));
  run(SEAM("run", "swing.yaml", "-o", "r", "--end", "0.8"));
  expect_another_sweep(SEAM("sweep", START));
  expect_another_sweep(SEAM("sweep", STARTS));
}

Test(sweep, folders_that_do_not_make_one_sweep_are_not_merged) {
  run(SEAM("sweep", VARIED, "-o", "a", "--shard", "1/2"));
  run(SEAM("sweep", "swing.yaml", "--vary", "parameters.k=100:200:2", "-o", "b"));
  const struct {
    outcome result;
    const char *words;
  } refused[] = {
      {SEAM("sweep", "--merge", "a", "-o", "s"), "20 of 40 runs are in none of the folders, the first is run 2"},
      {SEAM("sweep", "--merge", "a", "b", "-o", "s"), "b/sweep.journal: these are runs of another sweep"},
      {SEAM("sweep", "--merge", "c", "-o", "s"), "c: there is no sweep.journal in it"},
      {SEAM("sweep", "--merge", "a", ".", "-o", "s"), ".: there is no sweep.journal in it"},
      {SEAM("sweep", "--merge", "a", "-o", "s", "--measure", "pull.max"), "leave out --measure"},
      {SEAM("sweep", "--merge", "a"), "--merge needs a folder of its own; add -o DIR"},
      {SEAM("sweep", "--merge", "a", "-o", "s", "--shard", "1/2"), "--merge takes folders, -o and --format"},
  };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
    expect_refused(refused[i].result, refused[i].words);
  write_text("b/sweep.journal", "no journal");
  expect_refused(SEAM("sweep", "--merge", "b", "-o", "s"), "b/sweep.journal: this is not the journal of a sweep");
}
