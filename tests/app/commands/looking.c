/* Models and results are looked at without running what their FMUs bring: the FMU of the tests makes the file
 * $UNIT_TRACE where it is loaded, and ends its process where $UNIT_CRASHES is set. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/command.h"
#include "tests/support/unit_fmu.h"
#include "tests/support/unit_system.h"

static void enter(void) {
  char path[4096];
  enter_scratch();
  cr_assert_not_null(getcwd(path, sizeof path - 64));
  strcat(path, "/loaded");
  setenv("UNIT_TRACE", path, 1);
  path[strlen(path) - strlen("loaded")] = '\0';
  strcat(path, "tmp");
  setenv("TMPDIR", path, 1);
  cr_assert_eq(mkdir(path, 0777), 0);
}

TestSuite(looking, .init = enter, .fini = leave_scratch, .timeout = 600);

static const char model[] =
    "seam: 1\nname: pushed\nbodies: {cart: {mass: 2, inertia: 1, at: [0, 0], velocity: [1, 0]}}\n"
    "forces: {push: {type: force, body: cart, x: 0}}\n"
    "measures: {place: {expression: cart.x, unit: m}}\n"
    "simulate: {end: 0.1, output_step: 0.01}\n"
    "cosim:\n"
    "  macro_step: 1e-4\n"
    "  subsystems: {left: [cart], unit: {fmu: unit.fmu, parameters: {k: 200}}}\n"
    "  signals: [{from: unit.x, to: left.push.fx}, {from: cart.x, to: unit.f}]\n";

static void write_both(void) {
  const unit_options options = default_unit_options(FMI_2);
  write_unit("unit.fmu", &options);
  write_text("m.yaml", model);
}

static int count_entries(const char *path) {
  DIR *folder = opendir(path);
  int n = -2; /* . and .. */
  cr_assert_not_null(folder);
  while (readdir(folder) != NULL)
    n++;
  closedir(folder);
  return n;
}

static void expect_unloaded(outcome result, const char *what) {
  cr_expect_eq(result.exit_status, 0, "%s: %s", what, result.err);
  cr_expect_not(file_exists("loaded"), "%s ran the program of the FMU", what);
  remove("loaded");
  outcome_free(&result);
}

Test(looking, at_a_model_reads_descriptions) {
  write_both();
  expect_unloaded(SEAM("check", "m.yaml"), "check");
  expect_unloaded(SEAM("draw", "m.yaml", "-o", "m.svg"), "draw");
  expect_unloaded(SEAM("animate", "m.yaml", "-o", "m2.svg"), "animate");
  outcome result = SEAM("check", "m.yaml");
  cr_expect(has(result.out, "unit.x -> left.push.fx, order 0"), "%s", result.out);
  outcome_free(&result);
  result = SEAM("check", "m.yaml", "--set", "cosim.signals[0].from=unit.nothing");
  cr_expect_eq(result.exit_status, 2);
  outcome_free(&result);
  outcome run = expect_success(SEAM("run", "m.yaml", "--cosim", "-o", "results", "--quiet"));
  cr_expect(file_exists("loaded"), "a run loads it");
  outcome_free(&run);
  cr_expect_eq(count_entries("tmp"), 0);
}

/* The FMU need not be there any more. */
Test(looking, at_results_needs_no_fmu) {
  write_both();
  outcome run = expect_success(SEAM("run", "m.yaml", "--cosim", "-o", "results", "--quiet"));
  outcome_free(&run);
  cr_assert(remove("loaded") == 0 && remove("unit.fmu") == 0);
  expect_unloaded(SEAM("report", "results", "-o", "a.html"), "report");
  expect_unloaded(SEAM("animate", "results", "-o", "a.svg"), "animate");
  expect_unloaded(SEAM("plot", "results", "cart.x", "-o", "a.gp"), "plot");
  outcome hint = SEAM("plot", "results", "cart.kinetic", "-o", "a.gp");
  cr_expect(has(hint.err, "--columns default,cart.kinetic") || has(hint.err, "there is no column"), "%s", hint.err);
  outcome_free(&hint);
  char *page = read_text("a.html");
  cr_expect(has(page, "\"name\":\"cart\"") || has(page, "cart"), "the mechanism is in the page");
  free(page);
}

/* ---- An FMU that ends the process ---- */

Test(looking, at_an_fmu_that_crashes_says_so) {
  write_both();
  setenv("UNIT_CRASHES", "1", 1);
  outcome result = SEAM("check", "unit.fmu");
  cr_expect_eq(result.exit_status, 1);
  cr_expect(has(result.out, "parameters"), "its description is printed: %s", result.out);
  cr_expect(has(result.err, "unit.fmu: its program crashed in dlopen(), by signal 6"), "%s", result.err);
  outcome_free(&result);
  cr_expect_eq(count_entries("tmp"), 0, "nothing is left of it");
}

/* ---- Private folders ---- */

/* A system of many FMUs takes a while to unpack. */
Test(looking, a_signal_leaves_no_folder) {
  static const char *const arguments[] = {"seam", "run", "m.yaml", "--cosim", "-o", "results", "--quiet", NULL};
  write_both();
  char *text = malloc(1 << 16);
  char *at =
      text +
      sprintf(text, "seam: 1\nsimulate: {end: 1e5, output_step: 1e3}\ncosim:\n  macro_step: 1e-2\n  subsystems:\n");
  for (int i = 0; i < 60; i++)
    at += sprintf(at, "    u%d: {fmu: unit.fmu}\n", i);
  sprintf(at, "  signals: [{from: u0.x, to: u1.f}]\n");
  write_text("m.yaml", text);
  free(text);
  for (int i = 0; i < 24; i++) {
    FILE *err = fopen("err", "w");
    const pid_t child = start_command(arguments, fileno(err));
    nanosleep(&(struct timespec){.tv_nsec = 10000000L * i}, NULL);
    kill(child, i % 2 == 0 ? SIGTERM : SIGINT);
    const int ended = wait_command(child);
    cr_expect(ended == 1 || ended == -1, "%d", ended); /* -1: before it began */
    fclose(err);
    cr_expect_eq(count_entries("tmp"), 0, "a folder is left after %d ms", 10 * i);
  }
}
