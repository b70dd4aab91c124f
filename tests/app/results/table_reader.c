/* Columns of tables are read back as they were written, and what is no table is refused with its place. */
#include "app/results/table_reader.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/results/run_results.h"
#include "tests/support/command.h"
#include "tests/support/random.h"
#include "tests/support/run_results.h"

TestSuite(table_reader, .init = enter_scratch, .fini = leave_scratch);

static uint64_t bits_of(double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

static double *read_all(const char *path, size_t *n_rows, size_t *n_columns) {
  table_reader *table = NULL;
  seam_error error = {0};
  cr_assert_eq(table_reader_open(path, &table, &error), SEAM_OK, "%s", error.message);
  *n_rows = table_reader_n_rows(table);
  *n_columns = table_reader_n_columns(table);
  size_t *columns = calloc(*n_columns, sizeof *columns);
  double *values = calloc(*n_rows * *n_columns, sizeof *values);
  for (size_t i = 0; i < *n_columns; i++)
    columns[i] = i;
  cr_assert_eq(table_reader_read(table, columns, *n_columns, values, &error), SEAM_OK, "%s", error.message);
  free(columns);
  table_reader_close(table);
  return values;
}

Test(table_reader, both_formats_give_the_bits_that_were_written) {
  outcome done = expect_success(SEAM("run", "double_pendulum", "--end", "1", "--format", "csv,npy", "-o", "out"));
  outcome_free(&done);
  size_t n_rows = 0;
  size_t n_columns = 0;
  csv whole = csv_read("out/trajectory.csv");
  static const char *const paths[] = {"out/trajectory.csv", "out/trajectory.npy"};
  for (int format = 0; format < 2; format++) {
    double *values = read_all(paths[format], &n_rows, &n_columns);
    cr_assert_eq(n_rows, whole.n_rows);
    cr_assert_eq(n_columns, whole.n_columns);
    for (size_t i = 0; i < n_columns; i++)
      for (size_t row = 0; row < n_rows; row++)
        cr_assert_eq(bits_of(values[i * n_rows + row]), bits_of(whole.values[row * n_columns + i]));
    free(values);
  }
  csv_free(&whole);
}

/* In any order, one of them twice. */
Test(table_reader, chosen_columns) {
  write_text("t.csv", "time,a,b,c\r\n0,1,x,-3e2\r\n0.5,2,,4\r\n");
  table_reader *table = NULL;
  double values[8];
  cr_assert_eq(table_reader_open("t.csv", &table, NULL), SEAM_OK);
  cr_expect_str_eq(table_reader_name(table, 3), "c");
  cr_expect_null(table_reader_name(table, 4));
  cr_expect_eq(table_reader_find(table, "b"), 2);
  cr_expect_eq(table_reader_find(table, "d"), SEAM_NONE);
  cr_assert_eq(table_reader_read(table, (const size_t[]){3, 0, 1, 3}, 4, values, NULL), SEAM_OK);
  const double expected[] = {-300, 4, 0, 0.5, 1, 2, -300, 4};
  for (size_t i = 0; i < 8; i++)
    cr_expect_eq(values[i], expected[i], "%zu", i);
  table_reader_close(table);
}

/* ---- What is refused ---- */

static void expect_refused(const char *path, const char *message) {
  table_reader *table = NULL;
  seam_error error = {0};
  double values[64];
  seam_status status = table_reader_open(path, &table, &error);
  if (status == SEAM_OK)
    status = table_reader_read(table, (const size_t[]){0, 1}, 2, values, &error);
  cr_expect_neq(status, SEAM_OK, "%s", message);
  cr_expect_str_eq(error.message, message);
  table_reader_close(table);
}

Test(table_reader, refused_csv_files_name_the_line) {
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"", "t.csv: error: the file is empty; run the model again"},
      {"\n1\n", "t.csv:1: error: column 1 has no name; run the model again"},
      {"abc", "t.csv: error: this is not a table; give a .csv or .npy file, or a folder of results"},
      {"a,,b\n", "t.csv:1: error: column 2 has no name; run the model again"},
      {"a,b\n1,2\n3,4",
       "t.csv:3: error: the last line is incomplete (it has no line break); delete it, or run the model again"},
      {"a,b\n1,2\n3\n", "t.csv:3: error: the line has 1 fields, the header 2; delete the line, or run the model again"},
      {"a,b\n1,2,3\n", "t.csv:2: error: the line has 3 fields, the header 2; delete the line, or run the model again"},
      {"a,b,c\n1,2,3\n1,2\n",
       "t.csv:3: error: the line has 2 fields, the header 3; delete the line, or run the model again"},
      {"a,b\n1,2\n\n", "t.csv:3: error: '' in column 'a' is not a finite number"},
      {"a,b\n1,nan\n", "t.csv:2: error: 'nan' in column 'b' is not a finite number"},
      {"a,b\n1,2\n-inf,2\n", "t.csv:3: error: '-inf' in column 'a' is not a finite number"},
      {"a,b\n1,2x\n", "t.csv:2: error: '2x' in column 'b' is not a finite number"},
      {"a,b\n1,1e999\n", "t.csv:2: error: '1e999' in column 'b' is not a finite number"},
      {"a,b\n0x10,1\n", "t.csv:2: error: '0x10' in column 'a' is not a finite number"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    write_text("t.csv", cases[i].text);
    expect_refused("t.csv", cases[i].message);
  }
}

/* Into a new file: a file system may wait for the disk where a file that is cut to nothing is written again. */
static void write_bytes(const char *path, const char *bytes, size_t n) {
  unlink(path);
  FILE *file = fopen(path, "wb");
  cr_assert_eq(fwrite(bytes, 1, n, file), n);
  fclose(file);
}

/* A table of two columns; its last byte belongs to the last row. */
static size_t make_npy(char bytes[512], double last) {
  static const char head[] = "\x93NUMPY\x01\x00\x76\x00"
                             "{'descr': [('a', '<f8'), ('b', '<f8')], 'fortran_order': False, 'shape': (2,), }";
  const double rows[] = {1, 2, 3, last};
  memset(bytes, ' ', 512);
  memcpy(bytes, head, sizeof head - 1);
  memcpy(bytes + 128, rows, sizeof rows);
  return 128 + sizeof rows;
}

Test(table_reader, refused_npy_files) {
  char bytes[512];
  size_t n = make_npy(bytes, 4);
  write_bytes("t.npy", bytes, n - 1);
  expect_refused("t.npy", "t.npy: error: the file is incomplete (it has 1 of 2 rows); run the model again");
  write_bytes("t.npy", bytes, 100);
  expect_refused("t.npy", "t.npy: error: the file ends within its header; run the model again");
  strstr(bytes + 10, "<f8")[2] = '4';
  write_bytes("t.npy", bytes, n);
  expect_refused("t.npy", "t.npy: error: this is not a list of named doubles ('<f8'); give a table that seam run "
                          "--format npy wrote");
  n = make_npy(bytes, NAN);
  write_bytes("t.npy", bytes, n);
  expect_refused("t.npy", "t.npy: error: 'nan' in column 'b', row 2, is not a finite number");
  expect_refused("none.npy", "none.npy: the file cannot be read (No such file or directory)");
}

/* Whatever stands in a file, it is read or refused. */
Test(table_reader, random_changes_of_a_file) {
  uint64_t seed = 1;
  for (int i = 0; i < 20000; i++) {
    char bytes[512];
    size_t n = make_npy(bytes, 4);
    if (i % 2 == 1)
      n = (size_t)snprintf(bytes, sizeof bytes, "time,a\n0,1\n2e-3,-4.5\n");
    for (int k = 0; k < 3; k++)
      bytes[random_below(&seed, (int)n)] = (char)random_bits(&seed);
    write_bytes("t", bytes, n - (size_t)random_below(&seed, 4));
    table_reader *table = NULL;
    double values[64];
    if (table_reader_open("t", &table, NULL) == SEAM_OK && table_reader_n_rows(table) <= 32)
      table_reader_read(table, (const size_t[]){0, table_reader_n_columns(table) - 1}, 2, values, NULL);
    table_reader_close(table);
  }
}

/* ---- Folders ---- */

Test(table_reader, a_folder_has_tables_and_what_the_summary_says) {
  outcome done = expect_success(SEAM("run", "four_bar_bushing", "--cosim", "--end", "0.1", "-o", "out"));
  outcome_free(&done);
  run_results results;
  seam_error error = {0};
  size_t table = 0;
  size_t column = 0;
  size_t length = 0;
  cr_assert_eq(run_results_open("out", &results, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(results.n_tables, 2);
  cr_assert_eq(run_results_find(&results, "M.lambda_phi", &table, &column, &error), SEAM_OK);
  cr_expect_str_eq(results.names[table], "couplings");
  cr_expect_str_eq(run_results_column(&results, table, column, "unit"), "Nm");
  cr_expect_str_eq(run_results_model(&results), "four_bar_bushing");
  cr_expect_str_eq(run_results_scheme(&results), "ff-k1");
  cr_expect_eq(run_results_macro_step(&results), 1e-3);
  cr_expect_eq(run_results_model_json(&results, &length)[length - 1], '}');
  cr_expect_eq(run_results_find(&results, "bar1.xx", &table, &column, &error), SEAM_BAD_INPUT);
  cr_expect_str_eq(error.message, "out: error: there is no column 'bar1.xx'; did you mean 'bar1.x'?");
  cr_expect_eq(run_results_find(&results, "bar1.velocity", &table, &column, &error), SEAM_BAD_INPUT);
  cr_expect_str_eq(error.message,
                   "out: error: there is no column 'bar1.velocity'; its columns are 'bar1.vx' and 'bar1.vy'");
  run_results_close(&results);
}

Test(table_reader, a_table_alone_has_its_units_from_the_summary_beside_it) {
  outcome done = expect_success(SEAM("run", "double_pendulum", "--end", "0.1", "--format", "npy", "-o", "out"));
  outcome_free(&done);
  run_results results;
  cr_assert_eq(run_results_open("out/trajectory.npy", &results, NULL), SEAM_OK);
  cr_expect_str_eq(run_results_column(&results, 0, 1, "unit"), "m");
  cr_expect_str_eq(run_results_scheme(&results), "monolithic");
  cr_expect(isnan(run_results_macro_step(&results)));
  run_results_close(&results);
  cr_assert_eq(rename("out/trajectory.npy", "alone.npy"), 0);
  cr_assert_eq(run_results_open("alone.npy", &results, NULL), SEAM_OK);
  cr_expect_str_eq(run_results_column(&results, 0, 1, "unit"), "");
  cr_expect_null(run_results_model(&results));
  run_results_close(&results);
}

static void expect_no_results(const char *path, const char *message) {
  run_results results;
  seam_error error = {0};
  cr_expect_neq(run_results_open(path, &results, &error), SEAM_OK, "%s", path);
  cr_expect_str_eq(error.message, message);
  run_results_close(&results);
}

Test(table_reader, folders_without_results_are_refused) {
  expect_no_results(
      ".", ".: error: this folder has no table trajectory, couplings or signals (.csv or .npy); give a folder that "
           "'seam run' wrote, or a table");
  expect_no_results("none", "none: the file cannot be read (No such file or directory)");
  write_text("trajectory.csv", "time\n0\n");
  write_text("summary.json", "{\n\"a\" 1}");
  expect_no_results(".", "./summary.json:2: error: this is not JSON (':' is missing); run the model again");
}
