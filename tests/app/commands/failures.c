/* Runs that fail, are interrupted, or cannot write. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tests/support/command.h"
#include "tests/support/run_results.h"

TestSuite(failures, .init = enter_scratch, .fini = leave_scratch);

enum { longest = 120 }; /* s */

/* A force that grows without bound towards t = 1. */
static const char blow_up[] = "seam: 1\nbodies:\n  b: {mass: 1, inertia: 1, at: [0, 0]}\nforces:\n"
                              "  F: {type: force, body: b, at: [0, 0], x: 1/(1 - t)^3}\n"
                              "simulate: {end: 2, output_step: 0.1}\n";

static void expect_refused(outcome result, const char *message) {
  cr_expect_eq(result.exit_status, 2);
  cr_expect_str_empty(result.out);
  cr_expect(has(result.err, message), "'%s' is not in: %s", message, result.err);
  outcome_free(&result);
}

static void pause_briefly(void) {
  const struct timespec twentieth = {.tv_nsec = 50000000};
  nanosleep(&twentieth, NULL);
}

Test(failures, a_failed_run_has_status_1_and_says_when) {
  write_text("m.yaml", blow_up);
  outcome result = SEAM("run", "m.yaml", "-o", "out");
  cr_expect_eq(result.exit_status, 1);
  cr_expect_str_empty(result.out);
  cr_expect(has(result.err, "t = "), "%s", result.err);
  outcome_free(&result);
}

Test(failures, a_failed_run_keeps_its_rows) {
  write_text("m.yaml", blow_up);
  outcome result = SEAM("run", "m.yaml", "-o", "out");
  csv table = csv_read("out/trajectory.csv");
  cr_expect_geq(table.n_rows, 10);
  cr_expect_eq(csv_at(&table, 9, "time"), 9 * 0.1);
  cr_expect_lt(csv_at(&table, table.n_rows - 1, "time"), 1.0 + 1e-6);
  for (size_t i = 0; i < table.n_rows * table.n_columns; i++)
    cr_expect(isfinite(table.values[i]));
  csv_free(&table);
  outcome_free(&result);
}

Test(failures, a_failed_run_has_a_summary) {
  write_text("m.yaml", blow_up);
  outcome result = SEAM("run", "m.yaml", "-o", "out");
  char *message = json_at("out/summary.json", "/verdict/message");
  cr_expect_eq(json_number_at("out/summary.json", "/verdict/exit_status"), 1);
  cr_expect_eq(strncmp(message, result.err, strlen(message)), 0, "%s", message);
  free(message);
  outcome_free(&result);
}

/* The message that ends the run names the table, as the note before does; max() does not hide that there is no value.
 */
Test(failures, a_table_that_ends_a_run_is_named_in_its_message) {
  static const char *const laws[] = {"tab(t)", "max(0, tab(t))"};
  const char *named = "; table 'tab' ends at 0 and 1: add points, or set 'extrapolation' to hold, linear or periodic";
  for (int i = 0; i < 2; i++) {
    char text[300];
    snprintf(text, sizeof text,
             "seam: 2\nbodies: {a: {mass: 1, inertia: 1}}\nforces: {f: {type: force, body: a, x: \"%s\"}}\n"
             "tables: {tab: {x: [0, 1], y: [0, 5]}}\nsimulate: {end: 2}\n",
             laws[i]);
    write_text("m.yaml", text);
    outcome result = SEAM("run", "m.yaml", "-o", "out");
    cr_expect_eq(result.exit_status, 1);
    char *message = json_at("out/summary.json", "/verdict/message");
    cr_expect(has(message, named), "%s", message);
    free(message);
    outcome_free(&result);
  }
}

static void expect_results_untouched(const char *more_input, const char *option, const char *value) {
  write_text("m.yaml", more_input);
  outcome good = SEAM("run", "double_pendulum", "--end", "0.1", "-o", "out");
  csv before = csv_read("out/trajectory.csv");
  outcome result = SEAM("run", "m.yaml", "-o", "out", option, value);
  csv after = csv_read("out/trajectory.csv");
  cr_expect_eq(good.exit_status, 0);
  cr_expect_eq(result.exit_status, 2);
  cr_expect_eq(before.n_rows, after.n_rows);
  cr_expect_eq(json_number_at("out/summary.json", "/verdict/exit_status"), 0);
  csv_free(&before);
  csv_free(&after);
  outcome_free(&good);
  outcome_free(&result);
}

Test(failures, an_assembly_that_fails_touches_no_results) {
  expect_results_untouched("seam: 1\nbodies:\n  b: {mass: 1, inertia: 1, at: [0, 0]}\njoints:\n"
                           "  A: {type: revolute, bodies: [ground, b], at: {ground: [-1, 0], b: [-0.5, 0]}}\n"
                           "  B: {type: revolute, bodies: [ground, b], at: {ground: [1, 0], b: [0.5, 0]}}\n"
                           "simulate: {end: 1}\n",
                           "--end", "1");
}

/* An archive is named as what it is. */
Test(failures, an_archive_in_the_place_of_a_model_is_said) {
  write_text("x.fmu", "PK\003\004 and more");
  expect_refused(SEAM("run", "x.fmu"),
                 "x.fmu: error: this is a zip archive (an FMU?), not a model file\nname the FMU as "
                 "a subsystem of a model file, cosim: {subsystems: {NAME: {fmu: FILE}}}");
}

Test(failures, options_that_do_not_fit_touch_no_results) {
  expect_results_untouched("seam: 1\nbodies:\n  b: {mass: 1, inertia: 1, at: [0, 0]}\nsimulate: {end: 1}\n",
                           "--integrator", "rk4");
}

/* A block driven further than crank and rod reach. */
static const char beyond_reach[] =
    "seam: 1\npoints: {A: [0, 0], P: [0, 1], Q: [sqrt(3), 0]}\nbodies:\n"
    "  crank: {rod: [A, P], mass: 1}\n  rod: {rod: [P, Q], mass: 2}\n  block: {mass: 3, inertia: 0.1, at: Q}\njoints:\n"
    "  A: {type: revolute, bodies: [ground, crank], at: A}\n  P: {type: revolute, bodies: [crank, rod], at: P}\n"
    "  Q: {type: revolute, bodies: [rod, block], at: Q}\n"
    "  guide: {type: prismatic, bodies: [ground, block], at: Q, axis: [1, 0]}\n"
    "  drive: {type: motion, body: block, of: x, law: sqrt(3) + t}\nsimulate: {end: 5, output_step: 0.1}\n";

static void expect_singular(const char *integrator) {
  outcome result = SEAM("run", "m.yaml", "-o", "out", "--integrator", integrator);
  cr_expect_eq(result.exit_status, 1);
  cr_expect(has(result.err, "motion 'drive' goes beyond the range of the mechanism: its x can be 3 m at most"),
            "%s: %s", integrator, result.err);
  csv table = csv_read("out/trajectory.csv");
  cr_expect_float_eq(csv_at(&table, table.n_rows - 1, "time"), 3 - sqrt(3), 0.01, "%s", integrator);
  for (size_t i = 0; i < table.n_rows * table.n_columns; i++)
    cr_expect(isfinite(table.values[i]), "%s", integrator);
  csv_free(&table);
  outcome_free(&result);
}

Test(failures, a_drive_beyond_reach_ends_the_run_and_says_how_far_it_reaches) {
  write_text("m.yaml", beyond_reach);
  expect_singular("erk");
  expect_singular("radau");
  expect_singular("ida");
  expect_singular("cvode");
}

/* Nothing jumps, and smaller steps are of no use. */
Test(failures, rounding_far_from_the_origin_is_the_reason_that_is_said) {
  static const char *const methods[] = {"radau", "ida"};
  write_text("m.yaml", "seam: 1\ngravity: [0, -9.81]\nbodies:\n  a: {rod: [[1e8, 0], [1e8 + 1, 0]], mass: 1}\n"
                       "  b: {rod: [[1e8 + 1, 0], [1e8 + 2, 0]], mass: 1}\njoints:\n"
                       "  o: {type: revolute, bodies: [ground, a], at: [1e8, 0]}\n"
                       "  p: {type: revolute, bodies: [a, b], at: [1e8 + 1, 0]}\nsimulate: {end: 5}\n");
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    outcome result = SEAM("run", "m.yaml", "-o", "out", "--integrator", methods[i]);
    cr_expect_eq(result.exit_status, 1);
    cr_expect(has(result.err, "the mechanism is 1e+08 m from the origin, where positions are rounded to 2.2e-08 m"),
              "%s: %s", methods[i], result.err);
    cr_expect_not(has(result.err, "jump"), "%s", result.err);
    outcome_free(&result);
  }
}

Test(failures, laws_that_contradict_each_other_end_the_run) {
  write_text("m.yaml", "seam: 1\nbodies:\n  b: {mass: 1, inertia: 1, at: [0, 0]}\njoints:\n"
                       "  one: {type: motion, body: b, of: x, law: t^3}\n"
                       "  two: {type: motion, body: b, of: x, law: t^2}\nsimulate: {end: 1}\n");
  outcome result = SEAM("run", "m.yaml", "-o", "out");
  cr_expect_eq(result.exit_status, 1);
  cr_expect(has(result.err, "joint 'two' contradicts other joints"), "%s", result.err);
  outcome_free(&result);
}

Test(failures, bad_input_touches_no_results) {
  expect_refused(SEAM("run", "four_bar_bushing", "--rtol", "-1", "-o", "out"), "--set");
  cr_expect_not(file_exists("out"));
}

Test(failures, a_model_without_an_end_is_refused) {
  write_text("m.yaml", "seam: 1\nbodies:\n  b: {mass: 1, inertia: 1, at: [0, 0]}\n");
  expect_refused(SEAM("run", "m.yaml"), "--end TIME");
}

Test(failures, a_billion_rows_are_refused) {
  expect_refused(SEAM("run", "double_pendulum", "--output-step", "1e-12"), "--output-step");
}

Test(failures, a_name_cannot_lead_elsewhere) {
  write_text("m.yaml", "seam: 1\nname: ../up\nbodies:\n  b: {mass: 1, inertia: 1, at: [0, 0]}\nsimulate: {end: 1}\n");
  expect_refused(SEAM("run", "m.yaml"), "slash");
  cr_expect_not(file_exists("up"));
}

Test(failures, a_file_in_place_of_the_directory_is_refused) {
  write_text("out", "");
  expect_refused(SEAM("run", "double_pendulum", "-o", "out"), "out: this is not a directory");
  expect_refused(SEAM("run", "double_pendulum", "-o", "out/deeper"), "out: this is not a directory");
}

Test(failures, an_empty_directory_name_is_refused) { expect_refused(SEAM("run", "double_pendulum", "-o", ""), "-o"); }

Test(failures, a_full_disk_is_noticed) {
  mkdir("out", 0777);
  cr_assert_eq(symlink("/dev/full", "out/trajectory.csv"), 0);
  expect_refused(SEAM("run", "double_pendulum", "-o", "out"), "out/trajectory.csv: the file cannot be written (");
  cr_expect_eq(json_number_at("out/summary.json", "/verdict/exit_status"), 2);
}

Test(failures, a_disk_that_fills_up_leaves_whole_rows) {
  const struct rlimit limit = {.rlim_cur = 20000, .rlim_max = 20000};
  cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
  expect_refused(SEAM("run", "double_pendulum", "-o", "out"), "out/trajectory.csv: the file cannot be written (");
  csv table = csv_read("out/trajectory.csv");
  cr_expect_gt(table.n_rows, 10);
  csv_free(&table);
}

Test(failures, an_older_verdict_does_not_survive) {
  mkdir("out", 0777);
  write_text("out/summary.json", "{\"verdict\": \"old\"}");
  mkdir("out/trajectory.csv", 0777);
  expect_refused(SEAM("run", "double_pendulum", "-o", "out"), "out/trajectory.csv: the file cannot be written (");
  cr_expect_eq(json_number_at("out/summary.json", "/verdict/exit_status"), 2);
}

static const char *const endless[] = {"seam", "run", "four_bar_bushing", "--end", "1e6", "-o", "out", NULL};

static bool has_rows(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && status.st_size > 4096;
}

static void expect_clean_stop(int signal_number) {
  const int err = open("stderr", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  const pid_t child = start_command(endless, err);
  for (int i = 0; i < 400 && !has_rows("out/trajectory.csv"); i++)
    pause_briefly();
  kill(child, signal_number);
  cr_expect_eq(wait_command(child), 1);
  close(err);
  char *text = read_text("stderr");
  csv table = csv_read("out/trajectory.csv");
  cr_expect(has(text, "interrupted at t = "), "%s", text);
  cr_expect_gt(table.n_rows, 1);
  cr_expect_eq(json_number_at("out/summary.json", "/verdict/rows"), (double)table.n_rows);
  csv_free(&table);
  free(text);
}

Test(failures, ctrl_c_stops_cleanly, .timeout = longest) { expect_clean_stop(SIGINT); }

Test(failures, termination_stops_cleanly, .timeout = longest) { expect_clean_stop(SIGTERM); }

/* Tells if the program has said what happens at SIGTERM, as the kernel knows it: before, the signal just ends it. */
static bool handles_termination(pid_t child) {
  char path[64];
  unsigned long long caught = 0;
  snprintf(path, sizeof path, "/proc/%ld/status", (long)child);
  FILE *status = fopen(path, "r");
  for (char line[256]; status != NULL && fgets(line, sizeof line, status) != NULL;)
    (void)sscanf(line, "SigCgt: %llx", &caught);
  if (status != NULL)
    fclose(status);
  return (caught >> (SIGTERM - 1) & 1) != 0;
}

/* Neither asks whether it was interrupted for longer than this test may last. */
static void expect_quick_end(const char *const arguments[], bool writes, const char *message) {
  const int err = open("stderr", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  const pid_t child = start_command(arguments, err);
  for (int i = 0; i < 400 && !handles_termination(child); i++)
    pause_briefly();
  for (int i = 0; i < 10 || (writes && i < 400 && !file_exists("out/trajectory.csv")); i++)
    pause_briefly();
  kill(child, SIGTERM);
  cr_expect_eq(wait_command(child), 1);
  close(err);
  char *text = read_text("stderr");
  cr_expect(has(text, message), "%s", text);
  free(text);
}

Test(failures, a_search_ends_at_a_signal, .timeout = longest) {
  expect_quick_end((const char *const[]){"seam", "static", "pendulum_chain", "--set", "parameters.N=2000", NULL}, false,
                   "seam: interrupted; nothing was written");
  expect_quick_end((const char *const[]){"seam", "modes", "four_bar_bushing", "--at", "1e6", NULL}, false,
                   "seam: interrupted; nothing was written");
  cr_expect_not(file_exists("results"));
}

Test(failures, steps_that_lead_nowhere_end_at_a_signal, .timeout = longest) {
  expect_quick_end(
      (const char *const[]){"seam", "run", "four_bar_bushing", "--step", "2e-8", "-o", "out", "--quiet", NULL}, true,
      "interrupted at t = ");
}

/* One macro step of very many bodies. */
Test(failures, a_step_that_does_not_end_is_not_waited_for, .timeout = longest) {
  expect_quick_end((const char *const[]){"seam", "stability", "model", "pendulum_chain", "--set", "parameters.N=120",
                                         "-o", "out", NULL},
                   false, "seam: interrupted");
}

Test(failures, closed_streams_take_nothing_from_the_files) {
  write_text("closed.sh", "exec \"$@\" <&- >&- 2>&-\n");
  outcome open_run = SEAM("compare", "four_bar_bushing", "--end", "0.05", "--schemes", "ff-k0,ff-k1", "-o", "open");
  cr_expect_eq(open_run.exit_status, 0, "%s", open_run.err);
  outcome_free(&open_run);
  cr_expect_eq(system("sh closed.sh '" SEAM_BINARY_DIR
                      "/app/seam' compare four_bar_bushing --end 0.05 --schemes ff-k0,ff-k1 -o closed"),
               0);
  char *with = read_text("open/errors.csv");
  char *without = read_text("closed/errors.csv");
  cr_expect_str_eq(with, without);
  char *rows = read_text("closed/compare.csv");
  cr_expect_eq(strncmp(rows, "scheme,macro_step,", strlen("scheme,macro_step,")), 0, "%s", rows);
  cr_expect_not(has(rows, "CPU, s"), "the printed table is among the rows: %s", rows);
  free(with);
  free(without);
  free(rows);
}

static const char nameless[] = "seam: 1\nbodies:\n  b: {mass: 1, inertia: 1, at: [0, 0]}\nsimulate: {end: 0.1}\n";

Test(failures, a_name_of_a_file_cannot_lead_elsewhere) {
  static const char *const files[][2] = {{"...yaml", "results/yaml"},
                                         {"..yaml", "results/yaml"},
                                         {".hidden.yaml", "results/hidden"},
                                         {"a\033[31m.yaml", "results/model"}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    write_text(files[i][0], nameless);
    outcome result = expect_success(SEAM("run", files[i][0]));
    outcome_free(&result);
    cr_expect(file_exists(files[i][1]), "%s", files[i][1]);
    cr_expect_not(file_exists("summary.json") || file_exists("results/summary.json"), "%s", files[i][0]);
  }
}

Test(failures, control_characters_are_refused_in_names_and_never_printed) {
  write_text("m.yaml", "seam: 1\nname: \"a\\nb\"\nbodies:\n  b: {mass: 1, inertia: 1, at: [0, 0]}\n");
  expect_refused(SEAM("check", "m.yaml"), "line breaks, tabs or other control characters");
  write_text("m.yaml", "seam: 1\nname: \"a\\u009b2Jb\"\nbodies:\n  b: {mass: 1, inertia: 1, at: [0, 0]}\n");
  expect_refused(SEAM("check", "m.yaml"), "line breaks, tabs or other control characters");
  static const char *const lines[][4] = {{"run", "a\033]0;x\007", NULL},
                                         {"run\033[2J", NULL},
                                         {"models", "\033[2J", NULL},
                                         {"reproduce", "li", "\033[2J", NULL},
                                         {"run", "double_pendulum", "--set", "a=\033[2J"},
                                         {"run", "double_pendulum", "--end\033", "1"}};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    outcome result = SEAM(lines[i][0], lines[i][1], lines[i][2], lines[i][3]);
    cr_expect_eq(result.exit_status, 2);
    cr_expect_null(strpbrk(result.err, "\033\007"), "%zu", i);
    outcome_free(&result);
  }
  outcome result = expect_success(SEAM("run", "double_pendulum", "--end", "0.1", "-o", "a\033[2J"));
  cr_expect_str_eq(result.wrote, "wrote a?[2J/trajectory.csv, summary.json\n");
  outcome_free(&result);
}

Test(failures, two_runs_do_not_share_a_directory, .timeout = longest) {
  const int err = open("stderr", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  const pid_t child = start_command(endless, err);
  for (int i = 0; i < 400 && !has_rows("out/trajectory.csv"); i++)
    pause_briefly();
  kill(child, SIGSTOP); /* it keeps its lock, and the processor to others */
  expect_refused(SEAM("run", "double_pendulum", "-o", "out"),
                 "out: another process of seam is writing results into this directory");
  expect_refused(SEAM("compare", "four_bar_bushing", "-o", "out"), "out: another process of seam");
  kill(child, SIGKILL);
  wait_command(child);
  close(err);
  outcome after = SEAM("run", "double_pendulum", "--end", "0.1", "-o", "out");
  cr_expect_eq(after.exit_status, 0, "a run that was killed locks nothing: %s", after.err);
  outcome_free(&after);
}

/* The two ends of a terminal. */
static void open_terminal(int ends[2]) {
  ends[0] = posix_openpt(O_RDWR | O_NOCTTY);
  cr_assert(ends[0] >= 0 && grantpt(ends[0]) == 0 && unlockpt(ends[0]) == 0);
  ends[1] = open(ptsname(ends[0]), O_RDWR | O_NOCTTY);
}

/* Until all `parts` were on one line of progress, which end with ESC [ K. */
static void expect_progress(const char *const arguments[], const char *const parts[3]) {
  char text[4096] = "";
  size_t length = 0;
  int ends[2];
  open_terminal(ends);
  const pid_t child = start_command(arguments, ends[1]);
  for (bool is_complete = false; !is_complete;) {
    cr_assert_lt(length + 1, sizeof text, "no line has all: %s", text);
    cr_assert_eq(read(ends[0], text + length, 1), 1, "the command ended");
    text[++length] = '\0';
    if (text[length - 1] != 'K')
      continue;
    is_complete = has(text, "\r[");
    for (int i = 0; i < 3; i++)
      is_complete = is_complete && has(text, parts[i]);
    length = 0;
  }
  kill(child, SIGINT);
  wait_command(child);
  close(ends[0]);
  close(ends[1]);
}

Test(failures, long_commands_on_a_terminal_show_progress_and_time_left, .timeout = longest) {
  static const char *const cosim[] = {"seam", "run", "four_bar_bushing", "--cosim", "--end", "100", "-o", "out", NULL};
  static const char *const compare[] = {
      "seam", "compare", "four_bar_bushing", "--schemes", "ff-k1,ff-d-k2", "--macro-step", "1e-4", "--end", "10", "-o",
      "out",  NULL};
  static const char *const converge[] = {
      "seam", "converge", "four_bar_bushing", "--scheme", "ff-k1", "--macro-steps", "1e-4:1e-5:3", "--end", "2", "-o",
      "out",  NULL};
  static const char *const map[] = {
      "seam", "stability", "map", "--model", "constitutive", "--scheme", "ff-d-k2", "--x", "lambda-r=-2:0:2000",
      "-o",   "out",       NULL};
  static const char *const model[] = {"seam", "stability", "model", "four_bar_bushing", "--schemes", "all",
                                      "-o",   "out",       NULL};
  expect_progress(endless, (const char *const[3]){" %  ", " left", "t = "});
  expect_progress(cosim, (const char *const[3]){" %  ", " left", " steps"});
  expect_progress(compare, (const char *const[3]){" %  ", " left", "ff-k1: t = "});
  expect_progress(converge, (const char *const[3]){" %  ", " left", "ff-k1: t = "});
  expect_progress(map, (const char *const[3]){" %  ", " left", "ff-d-k2: "});
  expect_progress(model, (const char *const[3]){" %  ", " left", " schemes studied"});
}

Test(failures, quiet_commands_show_no_progress, .timeout = longest) {
  static const char *const quiet[] = {"seam", "compare", "four_bar_bushing", "--schemes", "ff-d-k1", "--end", "4",
                                      "-o",   "out",     "--quiet",          NULL};
  int ends[2];
  char text[64];
  open_terminal(ends);
  const pid_t child = start_command(quiet, ends[1]);
  cr_expect_eq(wait_command(child), 0);
  close(ends[1]);
  cr_expect_leq(read(ends[0], text, sizeof text), 0, "%.60s", text);
  close(ends[0]);
}

Test(failures, a_start_beyond_a_hard_stop_touches_no_results) {
  write_text("stop.yaml", "seam: 2\nbodies: {a: {mass: 1, inertia: 1}}\n"
                          "forces: {s: {type: stop, bodies: [ground, a], of: angle, lower: 0, upper: 1, hard: true}}\n"
                          "simulate: {end: 1}\n");
  outcome run = SEAM("run", "stop.yaml", "-o", "out");
  cr_expect_eq(run.exit_status, 0, "%s", run.err);
  outcome_free(&run);
  char *before = read_text("out/trajectory.csv");
  run = SEAM("run", "stop.yaml", "--set", "forces.s.lower=0.5", "-o", "out");
  cr_expect_eq(run.exit_status, 2);
  cr_expect(has(run.err, "hard stop 's' is violated by 0.5 rad at the start"), "%s", run.err);
  outcome_free(&run);
  char *after = read_text("out/trajectory.csv");
  cr_expect_str_eq(after, before);
  free(before);
  free(after);
}
