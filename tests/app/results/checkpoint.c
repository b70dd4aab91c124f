/* A run that goes on from a checkpoint leaves the files of one that was never stopped. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/command.h"
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

/* Runs to the end with checkpoints, and again from the last of them, which lies before the end. */
static void expect_resumable(const char *const extra[], bool cosim) {
  const char *arguments[24] = {"seam", "run"};
  size_t n = 2;
  for (size_t i = 0; extra[i] != NULL; i++)
    arguments[n++] = extra[i];
  static const char *const common[] = {"--end", "0.25", "--checkpoint", "0.1", "-o", "whole", "--quiet"};
  for (size_t i = 0; i < sizeof common / sizeof *common; i++)
    arguments[n++] = common[i];
  outcome run = run_command(arguments);
  cr_assert_eq(run.exit_status, 0, "%s", run.err);
  outcome_free(&run);

  mkdir("again", 0777);
  copy("whole/checkpoint.seam", "again/checkpoint.seam");
  copy("whole/trajectory.csv", "again/trajectory.csv");
  if (cosim)
    copy("whole/couplings.csv", "again/couplings.csv");
  run = SEAM("run", "--resume", "again/checkpoint.seam", "--quiet");
  cr_expect_eq(run.exit_status, 0, "%s", run.err);
  outcome_free(&run);
  expect_same("whole/trajectory.csv", "again/trajectory.csv");
  if (cosim)
    expect_same("whole/couplings.csv", "again/couplings.csv");
  cr_expect_eq(json_number_at("whole/summary.json", "/statistics/evaluations"),
               json_number_at("again/summary.json", "/statistics/evaluations"));
  cr_expect_eq(json_number_at("again/summary.json", "/verdict/time"), 0.25);
  cr_expect_eq(json_number_at("whole/summary.json", "/energy/largest_imbalance"),
               json_number_at("again/summary.json", "/energy/largest_imbalance"));
}

#define RESUMABLE(name, cosim, ...)                                                                                    \
  Test(checkpoint, name) { expect_resumable((const char *const[]){__VA_ARGS__, NULL}, cosim); }

RESUMABLE(constitutive, true, "four_bar_bushing", "--cosim", "--scheme", "ff-i-k2")
RESUMABLE(constraint, true, "four_bar_fixed", "--cosim", "--scheme", "ff-index1-k1", "--macro-step", "0.0007")
RESUMABLE(projection, true, "double_pendulum", "--cosim", "--scheme", "fd-projection-k2")
RESUMABLE(explicit_in_order, true, "four_bar_bushing", "--cosim", "--scheme", "dd-k1-explicit", "--set",
          "cosim.sequence=gauss-seidel")
RESUMABLE(reused_derivatives, true, "four_bar_bushing", "--cosim", "--set", "cosim.reuse=true", "--threads", "2")
RESUMABLE(repeats_in_the_file, true, "pendulum_chain", "--cosim", "--set", "parameters.N=6")
RESUMABLE(monolithic, false, "four_bar_fixed")
RESUMABLE(monolithic_radau, false, "four_bar_fixed", "--integrator", "radau")
RESUMABLE(monolithic_ida, false, "four_bar_fixed", "--integrator", "ida")
RESUMABLE(monolithic_cvode, false, "four_bar_fixed", "--integrator", "cvode")
RESUMABLE(fixed_steps, false, "two_mass_oscillator", "--integrator", "rk4", "--step", "1e-3")

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

static void expect_refused(const char *path, const char *part) {
  outcome run = SEAM("run", "--resume", path);
  cr_expect_eq(run.exit_status, 2, "%s", run.err);
  cr_expect(has(run.err, part), "%s", run.err);
  cr_expect_null(strchr(run.err, '\n') == NULL ? run.err : strchr(strchr(run.err, '\n') + 1, '\n'), "%s", run.err);
  outcome_free(&run);
}

Test(checkpoint, torn_and_foreign_files_are_refused_in_one_line) {
  outcome run = SEAM("run", "four_bar_bushing", "--cosim", "--end", "0.2", "--checkpoint", "0.1", "-o", "out");
  outcome_free(&run);
  size_t size = 0;
  char *bytes = read_bytes("out/checkpoint.seam", &size);
  for (size_t length = 0; length < size; length += 97) {
    write_bytes("out/torn.seam", bytes, length);
    expect_refused("out/torn.seam", "is not a complete checkpoint");
  }
  for (size_t i = 0; i < size; i += 211) {
    bytes[i] ^= 1;
    write_bytes("out/changed.seam", bytes, size);
    bytes[i] ^= 1;
    expect_refused("out/changed.seam", "is not a complete checkpoint");
  }
  free(bytes);
  expect_refused("out/trajectory.csv", "is not a complete checkpoint");
  expect_refused("nowhere.seam", "cannot be read");
  write_text("out/trajectory.csv", "time\n");
  expect_refused("out/checkpoint.seam", "is shorter than at the checkpoint");
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
