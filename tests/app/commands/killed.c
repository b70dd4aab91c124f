/* A run that is killed again and again, at any moment, and resumed leaves the files of one that was never stopped. The
 * environment variable SEAM_LONG makes it thirty times as long. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/command.h"
#include "tests/support/random.h"
#include "tests/support/run_results.h"

TestSuite(killed, .init = enter_scratch, .fini = leave_scratch, .timeout = 3000);

enum { n_rounds = 1, n_rounds_long = 30 };
enum { n_early = 10 }; /* kills before the time that a whole run takes */

static int count_rounds(void) { return getenv("SEAM_LONG") != NULL ? n_rounds_long : n_rounds; }

static void wait_for(double seconds) {
  const time_t whole = (time_t)seconds;
  nanosleep(&(struct timespec){.tv_sec = whole, .tv_nsec = (long)(1e9 * (seconds - (double)whole))}, NULL);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Exit status; -1 when it was killed, after a time of up to `longest` (s). */
static int run_and_kill(const char *const arguments[], uint64_t *seed, double longest) {
  const int err = open("stderr", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  const pid_t child = start_command(arguments, err);
  wait_for(random_between(seed, 0, longest));
  kill(child, SIGKILL);
  close(err);
  return wait_command(child);
}

static void expect_same_tables(void) {
  static const char *const tables[][2] = {{"whole/trajectory.csv", "killed/trajectory.csv"},
                                          {"whole/couplings.csv", "killed/couplings.csv"},
                                          {"whole/signals.csv", "killed/signals.csv"},
                                          {"whole/trajectory.npy", "killed/trajectory.npy"},
                                          {"whole/couplings.npy", "killed/couplings.npy"}};
  int n = 0;
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    if (!file_exists(tables[i][0]))
      continue;
    cr_expect(is_same_file(tables[i][0], tables[i][1]), "%s", tables[i][1]);
    n++;
  }
  cr_expect_gt(n, 0);
}

/* From the beginning, or from the last checkpoint where there is one, until it comes to the end. */
static void run_to_the_end(const char *const from_start[], uint64_t *seed, double duration) {
  static const char *const from_checkpoint[] = {"seam", "run", "--resume", "killed/checkpoint.seam", NULL};
  int exit_status = -1;
  for (int n = 0; exit_status == -1; n++) {
    const char *const *arguments = file_exists("killed/checkpoint.seam") ? from_checkpoint : from_start;
    exit_status = run_and_kill(arguments, seed, (n < n_early ? 0.7 : 3) * duration);
  }
  char *text = read_text("stderr");
  cr_assert_eq(exit_status, 0, "%s", text);
  free(text);
}

/* What is left of a file that was being replaced. */
static bool has_torn(const char *path) {
  DIR *folder = opendir(path);
  bool is_there = false;
  for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
    is_there = is_there || has(entry->d_name, ".new-");
  closedir(folder);
  return is_there;
}

static void expect_killable(const char *const options[]) {
  const char *whole[24] = {"seam", "run"};
  const char *killed[24] = {"seam", "run"};
  size_t n = 2;
  for (size_t i = 0; options[i] != NULL; i++, n++)
    whole[n] = killed[n] = options[i];
  whole[n] = killed[n] = "-o";
  whole[n + 1] = "whole";
  killed[n + 1] = "killed";
  const double start = now();
  outcome run = expect_success(run_seam(whole));
  const double duration = now() - start;
  outcome_free(&run);
  uint64_t seed = 7;
  for (int round = 0; round < count_rounds(); round++) {
    unlink("killed/checkpoint.seam");
    run_to_the_end(killed, &seed, duration);
    expect_same_tables();
    cr_expect_not(has_torn("killed"));
  }
}

Test(killed, monolithic_runs) {
  expect_killable((const char *const[]){"four_bar_bushing", "--end", "30", "--checkpoint", "1", NULL});
}

Test(killed, runs_that_restart_at_checkpoints) {
  expect_killable(
      (const char *const[]){"four_bar_bushing", "--integrator", "ida", "--end", "5", "--checkpoint", "0.5", NULL});
}

Test(killed, co_simulated_runs) {
  expect_killable((const char *const[]){"four_bar_bushing", "--cosim", "--end", "2", "--checkpoint", "0.1", "--format",
                                        "csv,npy", NULL});
}

Test(killed, runs_of_the_exchange) {
  expect_killable(
      (const char *const[]){"quarter_car_signals_1", "--cosim", "--checkpoint", "0.5", "--end", "10", NULL});
}

/* Within sticking and flight: modes, ways and records of impacts go through checkpoints. */
Test(killed, runs_with_hard_contacts) {
  expect_killable((const char *const[]){"woodpecker", "--end", "1", "--checkpoint", "0.05", NULL});
}

Test(killed, runs_with_hard_friction_of_joints) {
  expect_killable((const char *const[]){"stick_slip", "--end", "60", "--checkpoint", "1.5", NULL});
}

Test(killed, runs_with_compliant_contacts_and_friction) {
  expect_killable((const char *const[]){"geneva", "--checkpoint", "0.1", NULL});
  expect_killable((const char *const[]){"slider_crank_friction", "--checkpoint", "0.1", NULL});
}

/* Within contact and flight of a ball on a table of another subsystem: the macro step's ends at switches, modes and
 * what the contact created and passed go through checkpoints. */
Test(killed, runs_with_contacts_at_cuts) {
  static const char *const ball =
      "seam: 1\ngravity: [0, -9.81]\n"
      "bodies: {table: {mass: 500, inertia: 1}, ball: {mass: 1, inertia: 0.01, at: [0, 0.7], velocity: [0.2, 0]}}\n"
      "joints: {f: {type: fixed, bodies: [ground, table], at: [0, 0]}}\n"
      "forces:\n"
      "  c: {type: contact, bodies: [table, ball], at: [[0, 0], [0, 0.7]], line: [1, 0], radius: 0.2, stiffness: 1e5,\n"
      "      exponent: 1.5, restitution: 0.9, impact_speed: 3, friction: 0.1, slip_speed: 1e-2}\n"
      "simulate: {end: 8, output_step: 0.01}\n"
      "cosim: {subsystems: {l: [table], r: [ball]}, macro_step: 2e-3, scheme: ff-colloc-s3}\n";
  write_text("ball.yaml", ball);
  expect_killable((const char *const[]){"ball.yaml", "--cosim", "--checkpoint", "0.1", NULL});
  static const char *const figures[] = {"/cosim/switches", "/cosim/repeated", "/verdict/error/of_travel",
                                        "/verdict/energy/made"};
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
    char *whole = json_at("whole/summary.json", figures[i]), *killed = json_at("killed/summary.json", figures[i]);
    cr_expect_str_eq(whole, killed, "%s", figures[i]);
    cr_expect(atof(whole) != 0, "%s: %s", figures[i], whole);
    free(whole);
    free(killed);
  }
}
