/* A run that goes on from a checkpoint leaves the files of one that was never stopped. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "tests/support/command.h"
#include "tests/support/random.h"
#include "tests/support/run_results.h"

TestSuite(checkpoint, .init = enter_scratch, .fini = leave_scratch);

static char *read_bytes(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  cr_assert_not_null(file, "%s", path);
  cr_assert_eq(fseek(file, 0, SEEK_END), 0);
  *size = (size_t)ftell(file);
  rewind(file);
  char *bytes = malloc(*size + 1);
  cr_assert_eq(fread(bytes, 1, *size, file), *size);
  fclose(file);
  return bytes;
}

static void write_bytes(const char *path, const char *bytes, size_t size) {
  FILE *file = fopen(path, "wb");
  cr_assert_not_null(file, "%s", path);
  cr_assert_eq(fwrite(bytes, 1, size, file), size);
  cr_assert_eq(fclose(file), 0);
}

static void copy(const char *from, const char *to) {
  size_t size = 0;
  char *bytes = read_bytes(from, &size);
  write_bytes(to, bytes, size);
  free(bytes);
}

static void expect_same(const char *one, const char *two) {
  size_t n = 0;
  size_t m = 0;
  char *a = read_bytes(one, &n);
  char *b = read_bytes(two, &m);
  cr_expect_eq(n, m, "%s: %zu and %zu bytes", two, n, m);
  cr_expect(n == m && memcmp(a, b, n) == 0, "%s differs", two);
  free(a);
  free(b);
}

/* Copies or compares a table where there is one. */
static void with_table(const char *from, const char *to, const char *table, void (*act)(const char *, const char *)) {
  char paths[2][64];
  snprintf(paths[0], sizeof paths[0], "%s/%s", from, table);
  snprintf(paths[1], sizeof paths[1], "%s/%s", to, table);
  if (file_exists(paths[0]))
    act(paths[0], paths[1]);
}

/* Those of the measure "m", where the run has it. */
static void expect_same_statistics(void) {
  static const char *const figures[] = {"/measures/m/rms/value", "/measures/m/rms/uncertainty",
                                        "/measures/m/rms/error"};
  char *summary = read_text("whole/summary.json");
  const bool has_statistics = strstr(summary, "\"rms\"") != NULL;
  free(summary);
  for (int i = 0; i < 3 && has_statistics; i++)
    cr_expect_eq(json_number_at("whole/summary.json", figures[i]), json_number_at("again/summary.json", figures[i]));
}

/* Runs to the end with checkpoints, and again from the last of them, which lies before the end. */
static void expect_resumable(const char *const extra[]) {
  static const char *const tables[] = {"trajectory.csv", "couplings.csv", "trajectory.npy", "couplings.npy"};
  const char *arguments[24] = {"seam", "run"};
  size_t n = 2;
  for (size_t i = 0; extra[i] != NULL; i++)
    arguments[n++] = extra[i];
  static const char *const common[] = {"--end", "0.25", "--checkpoint", "0.1", "-o", "whole", "--quiet"};
  for (size_t i = 0; i < sizeof common / sizeof *common; i++)
    arguments[n++] = common[i];
  outcome run = run_seam(arguments);
  cr_assert_eq(run.exit_status, 0, "%s", run.err);
  outcome_free(&run);

  mkdir("again", 0777);
  copy("whole/checkpoint.seam", "again/checkpoint.seam");
  for (int i = 0; i < 4; i++)
    with_table("whole", "again", tables[i], copy);
  run = SEAM("run", "--resume", "again/checkpoint.seam", "--quiet");
  cr_expect_eq(run.exit_status, 0, "%s", run.err);
  outcome_free(&run);
  for (int i = 0; i < 4; i++)
    with_table("whole", "again", tables[i], expect_same);
  cr_expect_eq(json_number_at("whole/summary.json", "/statistics/evaluations"),
               json_number_at("again/summary.json", "/statistics/evaluations"));
  cr_expect_eq(json_number_at("again/summary.json", "/verdict/time"), 0.25);
  expect_same_statistics();
  cr_expect_eq(json_number_at("whole/summary.json", "/energy/largest_imbalance"),
               json_number_at("again/summary.json", "/energy/largest_imbalance"));
}

#define RESUMABLE(name, ...)                                                                                           \
  Test(checkpoint, name) { expect_resumable((const char *const[]){__VA_ARGS__, NULL}); }

RESUMABLE(constitutive, "four_bar_bushing", "--cosim", "--scheme", "ff-i-k2")
RESUMABLE(constraint, "four_bar_fixed", "--cosim", "--scheme", "ff-index1-k1", "--macro-step", "0.0007")
RESUMABLE(projection, "double_pendulum", "--cosim", "--scheme", "fd-projection-k2")
RESUMABLE(explicit_in_order, "four_bar_bushing", "--cosim", "--scheme", "dd-k1-explicit", "--set",
          "cosim.sequence=gauss-seidel")
RESUMABLE(reused_derivatives, "four_bar_bushing", "--cosim", "--set", "cosim.reuse=true", "--threads", "2")
RESUMABLE(controlled_collocation, "four_bar_fixed", "--cosim", "--set", "cosim.scheme=ff-colloc-s3", "--set",
          "cosim.step_control.method=error")
RESUMABLE(repeats_in_the_file, "pendulum_chain", "--cosim", "--set", "parameters.N=6")
RESUMABLE(monolithic, "four_bar_fixed")
RESUMABLE(monolithic_radau, "four_bar_fixed", "--integrator", "radau")
RESUMABLE(monolithic_ida, "four_bar_fixed", "--integrator", "ida")
RESUMABLE(monolithic_cvode, "four_bar_fixed", "--integrator", "cvode")
RESUMABLE(npy, "four_bar_fixed", "--format", "npy")
RESUMABLE(npy_beside_csv, "four_bar_bushing", "--cosim", "--format", "csv,npy")
RESUMABLE(columns, "four_bar_bushing", "--cosim", "--columns", "M,bar1.alpha,default")
RESUMABLE(statistics, "four_bar_bushing", "--set",
          "measures={m: {expression: 2*bar1.x + t, over_run: [min, max, mean, integral, rms]}}")
RESUMABLE(statistics_of_a_cosimulation, "four_bar_bushing", "--cosim", "--columns", "m", "--set",
          "measures={m: {expression: M.fx^2, over_run: [rms]}, other: M.fx}")
RESUMABLE(names, "four_bar_bushing", "--cosim", "--format", "csv,npy", "--names", "underscore")
RESUMABLE(fixed_steps, "two_mass_oscillator", "--integrator", "rk4", "--step", "1e-3")

/* Checkpoints do not change a run by one-step methods. */
Test(checkpoint, checkpoints_do_not_change_a_run) {
  outcome run = SEAM("run", "four_bar_bushing", "--cosim", "--end", "0.2", "-o", "without", "--quiet");
  outcome_free(&run);
  run = SEAM("run", "four_bar_bushing", "--cosim", "--end", "0.2", "--checkpoint", "0.05", "-o", "with", "--quiet");
  outcome_free(&run);
  expect_same("without/trajectory.csv", "with/trajectory.csv");
  expect_same("without/couplings.csv", "with/couplings.csv");
  cr_expect_not(file_exists("without/checkpoint.seam"));
}

/* However small the time between them is: 1 s / 1e-300 s is no count. */
Test(checkpoint, more_checkpoints_than_steps_are_one_a_step) {
  outcome run =
      SEAM("run", "four_bar_bushing", "--end", "1", "--output-step", "0.1", "--checkpoint", "1e-300", "-o", "out");
  cr_expect_eq(run.exit_status, 0, "%s", run.err);
  outcome_free(&run);
  cr_assert_eq(unlink("out/summary.json"), 0);
  run = SEAM("run", "--resume", "out/checkpoint.seam");
  cr_expect_eq(run.exit_status, 0, "%s", run.err);
  cr_expect_eq(json_number_at("out/summary.json", "/verdict/rows"), 11);
  outcome_free(&run);
}

static void expect_refused(const char *path, const char *part) {
  outcome run = SEAM("run", "--resume", path);
  cr_expect_eq(run.exit_status, 2, "%s", run.err);
  cr_expect(has(run.err, part), "%s", run.err);
  cr_expect_null(strchr(run.err, '\n') == NULL ? run.err : strchr(strchr(run.err, '\n') + 1, '\n'), "%s", run.err);
  outcome_free(&run);
}

/* A finished co-simulated run with a checkpoint before its end. */
static void make_run(void) {
  outcome run = SEAM("run", "four_bar_bushing", "--cosim", "--end", "0.2", "--checkpoint", "0.1", "-o", "out");
  cr_assert_eq(run.exit_status, 0, "%s", run.err);
  outcome_free(&run);
}

static void expect_changed_refused(const char *bytes, size_t size) {
  write_bytes("out/changed.seam", bytes, size);
  expect_refused("out/changed.seam", "is not a complete checkpoint");
}

Test(checkpoint, torn_and_foreign_files_are_refused_in_one_line) {
  make_run();
  size_t size = 0;
  char *bytes = read_bytes("out/checkpoint.seam", &size);
  for (size_t length = 0; length < size; length += size / 100)
    expect_changed_refused(bytes, length);
  for (size_t i = 0; i < size; i += i < 128 ? 1 : size / 100) {
    bytes[i] = (char)(bytes[i] ^ 1 << i % 8);
    expect_changed_refused(bytes, size);
    bytes[i] = (char)(bytes[i] ^ 1 << i % 8);
  }
  free(bytes);
  expect_refused("out/trajectory.csv", "is not a complete checkpoint");
  expect_refused("nowhere.seam", "cannot be read");
}

Test(checkpoint, one_of_another_version_is_refused_by_name) {
  enum { version = 8 };
  make_run();
  size_t size = 0;
  char *bytes = read_bytes("out/checkpoint.seam", &size);
  memcpy(bytes + version, "0.2.0", 6);
  const uint64_t sum = checksum_add(0, bytes, size - 8);
  memcpy(bytes + size - 8, &sum, 8);
  write_bytes("out/changed.seam", bytes, size);
  free(bytes);
  expect_refused("out/changed.seam", "this is a checkpoint of Seam 0.2.0, which ");
}

/* A checksum made of words can be blind for two changes of their highest bits. */
Test(checkpoint, two_changed_signs_are_noticed) {
  uint64_t seed = 4;
  make_run();
  size_t size = 0;
  char *bytes = read_bytes("out/checkpoint.seam", &size);
  for (int i = 0; i < 60; i++) {
    const size_t one = 8 * (size_t)random_below(&seed, (int)(size / 8)) + 7;
    const size_t two = 8 * (size_t)random_below(&seed, (int)(size / 8)) + 7;
    if (one == two)
      continue;
    bytes[one] = (char)(bytes[one] ^ 0x80);
    bytes[two] = (char)(bytes[two] ^ 0x80);
    expect_changed_refused(bytes, size);
    bytes[one] = (char)(bytes[one] ^ 0x80);
    bytes[two] = (char)(bytes[two] ^ 0x80);
  }
  free(bytes);
}

/* Counts that do not fit the file, under a right checksum. */
Test(checkpoint, counts_are_checked) {
  enum { n_arguments = 40, last_size = 48 + 2 * 8 };
  static const uint64_t others[] = {0, 1, UINT64_C(1) << 31, UINT64_MAX, UINT64_MAX - 7, UINT64_C(1) << 63};
  make_run();
  size_t size = 0;
  char *bytes = read_bytes("out/checkpoint.seam", &size);
  for (size_t at = n_arguments; at <= last_size; at += 8)
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
      uint64_t saved = 0;
      memcpy(&saved, bytes + at, 8);
      if (saved == others[i])
        continue;
      memcpy(bytes + at, &others[i], 8);
      const uint64_t sum = checksum_add(0, bytes, size - 8);
      memcpy(bytes + size - 8, &sum, 8);
      expect_changed_refused(bytes, size);
      memcpy(bytes + at, &saved, 8);
    }
  free(bytes);
}

/* ---- The tables beside it ---- */

/* Sum of all files of a directory, whatever their order. */
static uint64_t sum_of_directory(const char *path) {
  uint64_t sum = 0;
  DIR *entries = opendir(path);
  for (const struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
    char name[512];
    size_t size = 0;
    snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
    if (entry->d_name[0] == '.')
      continue;
    char *bytes = read_bytes(name, &size);
    sum += checksum_add(checksum_add(0, name, strlen(name)), bytes, size);
    free(bytes);
  }
  closedir(entries);
  return sum;
}

static void expect_refused_untouched_resume(const char *part) {
  const uint64_t before = sum_of_directory("out");
  expect_refused("out/checkpoint.seam", part);
  cr_expect_eq(sum_of_directory("out"), before, "a refused resume touches nothing (%s)", part);
}

Test(checkpoint, a_shorter_table_is_refused_and_nothing_touched) {
  make_run();
  write_text("out/couplings.csv", "time\n");
  expect_refused_untouched_resume("out/couplings.csv: the file is shorter than at the checkpoint");
  write_text("out/couplings.csv", "");
  expect_refused_untouched_resume("out/couplings.csv: the file is shorter than at the checkpoint");
}

Test(checkpoint, edited_and_exchanged_tables_are_refused_and_nothing_touched) {
  make_run();
  size_t size = 0;
  char *bytes = read_bytes("out/trajectory.csv", &size);
  char *digit = strchr(strchr(bytes, '\n') + 1, '.') + 3; /* within the rows before the checkpoint */
  *digit = (char)(*digit == '9' ? '1' : *digit + 1);
  copy("out/trajectory.csv", "right.csv");
  write_bytes("out/trajectory.csv", bytes, size);
  free(bytes);
  expect_refused_untouched_resume("out/trajectory.csv: the rows up to the checkpoint are not those");
  copy("out/couplings.csv", "out/trajectory.csv");
  expect_refused_untouched_resume("out/trajectory.csv: the rows up to the checkpoint are not those");
  copy("right.csv", "out/trajectory.csv");
  outcome run = SEAM("run", "--resume", "out/checkpoint.seam");
  cr_expect_eq(run.exit_status, 0, "%s", run.err);
  outcome_free(&run);
  expect_same("right.csv", "out/trajectory.csv");
}

/* The number of rows in its head is not what the checkpoint says any more, and is written anew. */
Test(checkpoint, an_edited_npy_is_refused) {
  outcome run =
      SEAM("run", "four_bar_bushing", "--end", "0.2", "--checkpoint", "0.1", "--format", "npy", "-o", "out", "--quiet");
  cr_assert_eq(run.exit_status, 0, "%s", run.err);
  outcome_free(&run);
  size_t size = 0;
  char *bytes = read_bytes("out/trajectory.npy", &size);
  copy("out/trajectory.npy", "right.npy");
  char *count = strstr(bytes + 10, "'shape': (") + strlen("'shape': (");
  count[0] = '9';
  write_bytes("out/trajectory.npy", bytes, size);
  run = SEAM("run", "--resume", "out/checkpoint.seam");
  cr_expect_eq(run.exit_status, 0, "%s", run.err);
  outcome_free(&run);
  expect_same("right.npy", "out/trajectory.npy");
  char *name = strstr(bytes + 10, "bar1.x");
  *name = 'c';
  write_bytes("out/trajectory.npy", bytes, size);
  *name = 'b';
  expect_refused_untouched_resume("out/trajectory.npy: the rows up to the checkpoint are not those");
  bytes[size / 4] = (char)(bytes[size / 4] ^ 1);
  write_bytes("out/trajectory.npy", bytes, size);
  expect_refused_untouched_resume("out/trajectory.npy: the rows up to the checkpoint are not those");
  cr_assert_eq(unlink("out/trajectory.npy"), 0);
  expect_refused_untouched_resume("trajectory.npy is missing beside the checkpoint");
  free(bytes);
}

Test(checkpoint, a_pipe_in_place_of_a_table_is_refused, .timeout = 60) {
  make_run();
  cr_assert_eq(unlink("out/trajectory.csv"), 0);
  cr_assert_eq(mkfifo("out/trajectory.csv", 0666), 0);
  expect_refused("out/checkpoint.seam", "out/trajectory.csv: this is not a file");
  expect_refused("out/trajectory.csv", "the checkpoint cannot be read (it is a pipe)");
  outcome run = SEAM("run", "four_bar_bushing", "--end", "0.1", "-o", "out");
  cr_expect_eq(run.exit_status, 2);
  cr_expect(has(run.err, "out/trajectory.csv: this is a pipe"), "%s", run.err);
  outcome_free(&run);
}

Test(checkpoint, what_a_killed_run_left_of_one_goes) {
  mkdir("out", 0777);
  write_text("out/checkpoint.seam.new-0123456789abcdef", "torn");
  make_run();
  cr_expect_not(file_exists("out/checkpoint.seam.new-0123456789abcdef"));
}

static void expect_missing_table(const char *table) {
  char part[96];
  char path[64];
  snprintf(path, sizeof path, "out/%s", table);
  snprintf(part, sizeof part, "%s is missing beside the checkpoint; ", table);
  cr_assert_eq(unlink("out/summary.json"), 0);
  cr_assert_eq(rename(path, "away"), 0);
  expect_refused("out/checkpoint.seam", part);
  cr_expect_not(file_exists(path) || file_exists("out/summary.json"), "a refused input touches nothing");
  cr_assert_eq(rename("away", path), 0);
  outcome run = SEAM("run", "--resume", "out/checkpoint.seam");
  cr_expect_eq(run.exit_status, 0, "%s", run.err);
  outcome_free(&run);
}

Test(checkpoint, missing_tables_are_requested) {
  outcome run = SEAM("run", "four_bar_bushing", "--cosim", "--end", "0.25", "--checkpoint", "0.1", "-o", "out");
  outcome_free(&run);
  expect_missing_table("trajectory.csv");
  expect_missing_table("couplings.csv");
}
