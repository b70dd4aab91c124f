/* Tables in NumPy's format hold what those of comma-separated values hold, at every moment that a reader may see. */
#include <criterion/criterion.h>
#include <ctype.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "tests/support/command.h"
#include "tests/support/run_results.h"

TestSuite(tables, .init = enter_scratch, .fini = leave_scratch);

typedef struct npy {
  char *bytes, *names; /* of columns, between commas */
  size_t size, data;   /* bytes, up to the first row */
  size_t n_rows, n_columns;
  int version;
} npy;

static void read_whole(const char *path, npy *table) {
  FILE *file = fopen(path, "rb");
  cr_assert_not_null(file, "%s", path);
  table->bytes = calloc(1, 1 << 24);
  table->size = fread(table->bytes, 1, 1 << 24, file);
  fclose(file);
}

/* ('NAME', '<f8') after another. */
static const char *read_column(const char *at, npy *table) {
  const char *end = strchr(at, '\'');
  const size_t length = (size_t)(end - at);
  char *to = table->names + strlen(table->names);
  memcpy(to, at, length);
  to[length] = ',';
  cr_assert_eq(strncmp(end, "', '<f8')", 9), 0, "%.40s", end);
  table->n_columns++;
  return end + 9;
}

static npy npy_read(const char *path) {
  npy table = {0};
  read_whole(path, &table);
  const unsigned char *head = (const unsigned char *)table.bytes;
  cr_assert_eq(memcmp(head, "\x93NUMPY", 6), 0);
  table.version = head[6];
  const size_t before = table.version == 1 ? 10 : 12;
  const size_t length = head[8] + 256u * head[9] + (table.version == 1 ? 0 : 65536u * head[10] + 16777216u * head[11]);
  table.data = before + length;
  cr_assert_eq(table.data % 64, 0, "%zu", table.data);
  cr_assert_eq(head[table.data - 1], '\n');
  table.names = calloc(1, length + 1);
  const char *at = table.bytes + before;
  cr_assert_eq(strncmp(at, "{'descr': [('", 13), 0);
  for (at = read_column(at + 13, &table); strncmp(at, ", ('", 4) == 0;)
    at = read_column(at + 4, &table);
  static const char shape[] = "], 'fortran_order': False, 'shape': (";
  cr_assert_eq(strncmp(at, shape, strlen(shape)), 0, "%.60s", at);
  char *end = NULL;
  table.n_rows = strtoul(at + strlen(shape), &end, 10);
  cr_assert_eq(strncmp(end, ",), }", 5), 0, "%.10s", end);
  for (end += 5; end < table.bytes + table.data - 1; end++)
    cr_assert_eq(*end, ' ');
  return table;
}

static void npy_free(npy *table) {
  free(table->bytes);
  free(table->names);
}

static void expect_same_numbers(const char *npy_path, const char *csv_path) {
  npy one = npy_read(npy_path);
  csv other = csv_read(csv_path);
  cr_assert_eq(one.n_columns, other.n_columns);
  cr_assert_eq(one.n_rows, other.n_rows);
  cr_expect_eq(one.size, one.data + 8 * one.n_rows * one.n_columns);
  cr_expect_eq(memcmp(one.bytes + one.data, other.values, one.size - one.data), 0, "%s", npy_path);
  one.names[strlen(one.names) - 1] = '\0';
  cr_expect_str_eq(one.names, other.header);
  npy_free(&one);
  csv_free(&other);
}

static void expect_done(outcome result) {
  cr_assert_eq(result.exit_status, 0, "%s", result.err);
  outcome_free(&result);
}

Test(tables, both_formats_hold_the_same_bits) {
  expect_done(SEAM("run", "double_pendulum", "--end", "1", "--format", "csv,npy", "-o", "out"));
  expect_same_numbers("out/trajectory.npy", "out/trajectory.csv");
}

Test(tables, both_formats_hold_the_same_bits_of_a_cut_run) {
  expect_done(SEAM("run", "quarter_car_signals_1", "--cosim", "--end", "1", "--format", "npy,csv", "-o", "out"));
  expect_same_numbers("out/couplings.npy", "out/couplings.csv");
  expect_same_numbers("out/signals.npy", "out/signals.csv");
}

Test(tables, the_summary_explains_columns) {
  expect_done(SEAM("run", "four_bar_fixed", "--cosim", "--end", "0.1", "-o", "out"));
  static const char *const columns[][4] = {{"trajectory/time", "time", "", "s"},
                                           {"trajectory/bar1.x", "bar1", "x", "m"},
                                           {"trajectory/bar4.omega", "bar4", "omega", "rad/s"},
                                           {"trajectory/A.torque", "A", "torque", "Nm"},
                                           {"trajectory/energy.total", "energy", "total", "J"},
                                           {"couplings/M.gdd_phi", "M", "gdd_phi", "rad/s2"}};
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
    static const char *const keys[] = {"element", "quantity", "unit"};
    for (int k = 0; k < 3; k++) {
      char place[64];
      snprintf(place, sizeof place, "/columns/%s/%s", columns[i][0], keys[k]);
      char *found = json_at("out/summary.json", place);
      cr_assert_not_null(found, "%s", place);
      cr_expect_str_eq(found, columns[i][k + 1]);
      free(found);
    }
  }
  char *meaning = json_at("out/summary.json", "/columns/trajectory/bar1.phi/meaning");
  cr_expect_str_eq(meaning, "angle, counter-clockwise");
  free(meaning);
  cr_expect_null(json_at("out/summary.json", "/columns/signals"));
}

/* Identifiers of C are those of MATLAB, but for a first _. */
static void expect_identifiers(const char *names) {
  for (const char *at = names; *at != '\0'; at += strcspn(at, ",") + (strchr(at, ',') != NULL))
    cr_expect(isalpha((unsigned char)*at), "%.20s", at);
  cr_expect_eq(names[strspn(names, ",_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")], '\0', "%s",
               names);
}

Test(tables, names_with_underscores_are_identifiers_in_all_files) {
  expect_done(SEAM("run", "quarter_car_signals_1", "--cosim", "--end", "0.1", "--format", "csv,npy", "--names",
                   "underscore", "-o", "out"));
  static const char *const tables[] = {"couplings", "signals"};
  for (int i = 0; i < 2; i++) {
    char paths[2][32];
    snprintf(paths[0], sizeof paths[0], "out/%s.npy", tables[i]);
    snprintf(paths[1], sizeof paths[1], "out/%s.csv", tables[i]);
    expect_same_numbers(paths[0], paths[1]);
    csv table = csv_read(paths[1]);
    expect_identifiers(table.header);
    csv_free(&table);
  }
  expect_done(SEAM("run", "double_pendulum", "--end", "0.1", "--names", "underscore", "-o", "out"));
  csv table = csv_read("out/trajectory.csv");
  expect_identifiers(table.header);
  cr_expect(csv_at(&table, 1, "link1_vx") != 0);
  csv_free(&table);
  char *element = json_at("out/summary.json", "/columns/trajectory/link1_vx/element");
  cr_expect_str_eq(element, "link1");
  free(element);
}

Test(tables, equal_names_with_underscores_are_refused) {
  write_text("m.yaml", "seam: 1\nbodies:\n  a-b: {mass: 1, inertia: 1, at: [0, 0]}\n"
                       "  a_b: {mass: 1, inertia: 1, at: [0, 0]}\nsimulate: {end: 1, output_step: 0.1}\n");
  expect_refused_untouched(SEAM("run", "m.yaml", "--names", "underscore"),
                           "--names underscore: error: the columns 'a-b.x' and 'a_b.x' would both be named 'a_b_x'");
  expect_refused_untouched(SEAM("run", "double_pendulum", "--names", "underscores"),
                           "--names must be dot or underscore, but is 'underscores'");
  expect_done(SEAM("run", "m.yaml", "--names", "dot"));
}

/* More than the rows that wait together. */
Test(tables, many_rows) {
  expect_done(
      SEAM("run", "double_pendulum", "--end", "1", "--output-step", "2e-4", "--format", "csv,npy", "-o", "out"));
  expect_same_numbers("out/trajectory.npy", "out/trajectory.csv");
}

/* A header of more than 65535 bytes has another version. */
Test(tables, many_columns) {
  expect_done(
      SEAM("run", "pendulum_chain", "--set", "parameters.N=400", "--end", "0.01", "--format", "csv,npy", "-o", "out"));
  npy table = npy_read("out/trajectory.npy");
  cr_expect_eq(table.version, 2);
  npy_free(&table);
  expect_same_numbers("out/trajectory.npy", "out/trajectory.csv");
}

Test(tables, only_what_was_asked_for_is_left) {
  expect_done(SEAM("run", "double_pendulum", "--end", "0.1", "--format", "npy,csv", "-o", "out"));
  expect_done(SEAM("run", "double_pendulum", "--end", "0.1", "-o", "out"));
  cr_expect(file_exists("out/trajectory.csv") && !file_exists("out/trajectory.npy"));
  expect_done(SEAM("run", "double_pendulum", "--end", "0.1", "--format", "npy", "-o", "out"));
  cr_expect(file_exists("out/trajectory.npy") && !file_exists("out/trajectory.csv"));
}

Test(tables, an_unknown_format_is_refused) {
  static const char *const wrong[] = {"cs", "csv;npy", "csv,", "", "npz"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    outcome result = SEAM("run", "double_pendulum", "--format", wrong[i], "-o", "out");
    cr_expect_eq(result.exit_status, 2, "%s", wrong[i]);
    cr_expect(has(result.err, "seam: --format must be csv, npy or csv,npy, but is '"), "%s", result.err);
    outcome_free(&result);
  }
  cr_expect_not(file_exists("out"));
}

Test(tables, a_failed_run_leaves_its_rows_in_both) {
  write_text("m.yaml", "seam: 1\nbodies:\n  b: {mass: 1, inertia: 1, at: [0, 0]}\nforces:\n"
                       "  F: {type: force, body: b, at: [0, 0], x: 1/(1 - t)^3}\n"
                       "simulate: {end: 2, output_step: 0.1}\n");
  outcome result = SEAM("run", "m.yaml", "--format", "csv,npy", "-o", "out");
  cr_expect_eq(result.exit_status, 1);
  outcome_free(&result);
  expect_same_numbers("out/trajectory.npy", "out/trajectory.csv");
  npy table = npy_read("out/trajectory.npy");
  cr_expect_geq(table.n_rows, 10);
  npy_free(&table);
}

/* At any moment the head counts no more rows than the file has. */
Test(tables, a_killed_run_can_be_read, .timeout = 60) {
  static const char *const endless[] = {
      "seam", "run", "four_bar_bushing", "--end", "1e6", "--output-step", "0.5", "--format", "npy", "-o", "out", NULL};
  const pid_t child = start_command(endless, 2);
  for (int i = 0; i < 100; i++) {
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    if (!file_exists("out/trajectory.npy") || i % 10 != 9)
      continue;
    npy table = npy_read("out/trajectory.npy");
    cr_expect_leq(table.data + 8 * table.n_rows * table.n_columns, table.size);
    npy_free(&table);
  }
  kill(child, SIGKILL);
  wait_command(child);
  npy table = npy_read("out/trajectory.npy");
  cr_expect_gt(table.n_rows, 0);
  cr_expect_leq(table.data + 8 * table.n_rows * table.n_columns, table.size);
  npy_free(&table);
}

Test(tables, a_disk_that_fills_up_leaves_rows_that_are_counted) {
  const struct rlimit limit = {.rlim_cur = 20000, .rlim_max = 20000};
  signal(SIGXFSZ, SIG_IGN);
  cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
  outcome result = SEAM("run", "double_pendulum", "--format", "npy", "-o", "out");
  cr_expect_eq(result.exit_status, 2);
  cr_expect(has(result.err, "out/trajectory.npy: the file cannot be written ("), "%s", result.err);
  outcome_free(&result);
  npy table = npy_read("out/trajectory.npy");
  cr_expect_gt(table.n_rows, 10);
  cr_expect_eq(table.data + 8 * table.n_rows * table.n_columns, table.size);
  cr_expect_eq(json_number_at("out/summary.json", "/verdict/rows"), (double)table.n_rows);
  npy_free(&table);
}
