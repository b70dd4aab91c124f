/* Writes the columns of the plots in single precision. Differences from the monolithic run are computed in double
 * precision. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/plots/decimate.h"
#include "app/report/gathered.h"
#include "app/report/markup.h"
#include "base/dotted.h"
#include "base/then.h"

enum {
  MAX_COMPLETE_ROWS = 5000,      /* largest number of rows of a table whose rows are all written */
  MAX_COMPLETE_NUMBERS = 600000, /* largest number of values of the tables of all runs if all rows are written */
  MAX_NUMBERS = 320000,          /* largest number of values written for all runs together, if rows are left out */
  MAX_POINTS = 3000,             /* largest number of points of a column */
  MIN_POINTS = 200, /* smallest number of points of a column; with too many columns, some columns are left out */
  MAX_BATCH = 256   /* largest number of columns read in one pass */
};

typedef struct plotted_table {
  const report_run *run;
  size_t table;
  const table_reader *reader;
  const table_reader *monolithic; /* table of the monolithic run at the same times; NULL: no differences are written */
  size_t n_rows, n_columns;
  size_t max_points;         /* points per column; 0: all rows are written */
  size_t first;              /* first column that is written */
  arena memory;              /* memory of the arrays */
  double *time;              /* (n_rows) */
  double *values;            /* (batch x n_rows) */
  double *monolithic_values; /* (batch x n_rows) values of the monolithic run */
  size_t *rows;              /* (2 n_rows) scratch: indices of the rows of one column that are written */
  double *thinned;           /* (n_rows) scratch */
} plotted_table;

static const size_t time_column = 0;

static seam_status find_monolithic(plotted_table *self, const report *from, seam_error *error) {
  const report_run *monolithic = from->monolithic != SEAM_NONE ? &from->runs[from->monolithic] : NULL;
  if (monolithic == NULL || monolithic == self->run || self->table != self->run->trajectory ||
      monolithic->trajectory == SEAM_NONE)
    return SEAM_OK;
  const table_reader *reader = monolithic->results.tables[monolithic->trajectory];
  if (table_reader_n_rows(reader) != self->n_rows || table_reader_n_columns(reader) != self->n_columns)
    return SEAM_OK;
  for (size_t i = 0; i < self->n_columns; i++)
    if (strcmp(table_reader_name(reader, i), table_reader_name(self->reader, i)) != 0)
      return SEAM_OK;
  const seam_status status = table_reader_read(reader, &time_column, 1, self->thinned, error);
  if (status == SEAM_OK && memcmp(self->thinned, self->time, self->n_rows * sizeof *self->time) == 0)
    self->monolithic = reader;
  return status;
}

static size_t batch_size(const plotted_table *self) {
  const size_t n = BATCH_NUMBERS / (self->n_rows + 1);
  return n < 1 ? 1 : n > MAX_BATCH ? MAX_BATCH : n;
}

static seam_status plotted_table_open(const report *from, const report_run *run, size_t table, plotted_table *self,
                                      seam_error *error) {
  *self = (plotted_table){.run = run, .table = table, .reader = run->results.tables[table], .first = 1};
  self->n_rows = table_reader_n_rows(self->reader);
  self->n_columns = table_reader_n_columns(self->reader);
  const size_t batch = batch_size(self);
  const size_t n = self->n_rows + 1;
  self->time = arena_allocate(&self->memory, n * sizeof *self->time);
  self->thinned = arena_allocate(&self->memory, n * sizeof *self->thinned);
  self->rows = arena_allocate(&self->memory, 2 * n * sizeof *self->rows);
  self->values = arena_allocate(&self->memory, batch * n * sizeof *self->values);
  self->monolithic_values = arena_allocate(&self->memory, batch * n * sizeof *self->monolithic_values);
  if (!self->time || !self->thinned || !self->rows || !self->values || !self->monolithic_values)
    return out_of_memory(error);
  /* If columns must be left out, the first columns are left out; they belong to bodies. Columns of energies, joints and
   * measures come later. */
  if (self->n_rows > MAX_COMPLETE_ROWS || self->n_rows * self->n_columns * from->n_runs > MAX_COMPLETE_NUMBERS) {
    size_t n_shown = 0;
    for (size_t r = 0; r < from->n_runs; r++)
      for (size_t i = 0; i < from->runs[r].results.n_tables; i++)
        n_shown += table_reader_n_columns(from->runs[r].results.tables[i]);
    const size_t share = MAX_NUMBERS / (n_shown + 1);
    self->max_points = share > MAX_POINTS ? MAX_POINTS : share < MIN_POINTS ? MIN_POINTS : share;
    const size_t most = MAX_NUMBERS / MIN_POINTS / (from->n_runs > 1 ? from->n_runs : 1);
    self->first = self->n_columns > most + 1 ? self->n_columns - most : 1;
  }
  seam_status status = table_reader_read(self->reader, &time_column, 1, self->time, error);
  THEN(status, find_monolithic(self, from, error));
  return status;
}

static void describe(const plotted_table *self, size_t column, json_writer *json) {
  const run_results *results = &self->run->results;
  const char *element = run_results_column(results, self->table, column, "element");
  const char *unit = run_results_column(results, self->table, column, "unit");
  static const char *const without_note[] = {"m", "rad", "m/s", "rad/s", "J"};
  bool needs_no_note = self->table != self->run->trajectory;
  for (size_t i = 0; i < sizeof without_note / sizeof *without_note; i++)
    needs_no_note |= strcmp(unit, without_note[i]) == 0;
  /* Forces and accelerations between macro points are computed from interpolated positions and velocities. Columns of
   * these quantities need a note. */
  const char *unchecked =
      needs_no_note ? NULL : json_text(json_get(results->summary, "cosim"), "reactions_between_macro_points");
  const char *meaning = run_results_column(results, self->table, column, "meaning");
  if (*element == '\0')
    element = table_reader_name(self->reader, column);
  const char *quantity = run_results_column(results, self->table, column, "quantity");
  char name[512];
  dotted_name(element, quantity, name, sizeof name);
  json_string(json, "name", name);
  json_string(json, "element", element);
  json_string(json, "table", results->names[self->table]);
  json_string(json, "unit", unit);
  if (*meaning != '\0')
    json_string(json, "meaning", meaning);
  if (unchecked != NULL)
    json_string(json, "unchecked", unchecked);
  const mbs_model *model = self->run->model;
  if (self->table == self->run->trajectory && strcmp(element, "energy") != 0 &&
      mbs_find_body(model, element) == SEAM_NONE && mbs_find_joint(model, element) == SEAM_NONE &&
      mbs_find_force(model, element) == SEAM_NONE)
    json_raw(json, "isMeasure", "true");
}

static int by_number(const void *a, const void *b) {
  const size_t left = *(const size_t *)a;
  const size_t right = *(const size_t *)b;
  return left < right ? -1 : left > right;
}

/* Chooses the rows to write of a column that is too long to be written completely. The rows include extremes of the
 * values and of the difference (NULL: none). Writes their indices to self->rows and returns their number. */
static size_t choose_rows(plotted_table *self, const double *values, const double *difference) {
  const size_t n_cells = self->max_points / (difference != NULL ? 8 : 4);
  size_t n = decimate(self->time, values, self->n_rows, n_cells, self->rows);
  if (difference != NULL)
    n += decimate(self->time, difference, self->n_rows, n_cells, self->rows + n);
  qsort(self->rows, n, sizeof *self->rows, by_number);
  size_t n_unique = 0;
  for (size_t i = 0; i < n; i++)
    if (n_unique == 0 || self->rows[n_unique - 1] != self->rows[i])
      self->rows[n_unique++] = self->rows[i];
  return n_unique;
}

static void write_thinned(plotted_table *self, json_writer *json, const char *key, const double *values, size_t n) {
  for (size_t i = 0; i < n; i++)
    self->thinned[i] = values[self->rows[i]];
  numbers_write(json, key, self->thinned, n, true);
}

static void write_values(plotted_table *self, json_writer *json, const double *values, const double *difference) {
  if (self->max_points == 0) {
    json_count(json, "time", self->table);
    numbers_write(json, "values", values, self->n_rows, true);
    if (difference != NULL)
      numbers_write(json, "difference", difference, self->n_rows, true);
    return;
  }
  const size_t n = choose_rows(self, values, difference);
  json_count(json, "rows", self->n_rows);
  write_thinned(self, json, "time", self->time, n);
  write_thinned(self, json, "values", values, n);
  if (difference != NULL)
    write_thinned(self, json, "difference", difference, n);
}

static seam_status write_columns(plotted_table *self, json_writer *json, seam_error *error) {
  const size_t batch = batch_size(self);
  seam_status status = SEAM_OK;
  for (size_t first = self->first; first < self->n_columns && status == SEAM_OK; first += batch) {
    const size_t n = self->n_columns - first < batch ? self->n_columns - first : batch;
    size_t columns[MAX_BATCH];
    for (size_t i = 0; i < n; i++)
      columns[i] = first + i;
    status = table_reader_read(self->reader, columns, n, self->values, error);
    if (self->monolithic != NULL)
      THEN(status, table_reader_read(self->monolithic, columns, n, self->monolithic_values, error));
    for (size_t i = 0; i < n && status == SEAM_OK; i++) {
      const double *values = self->values + i * self->n_rows;
      double *difference = self->monolithic != NULL ? self->monolithic_values + i * self->n_rows : NULL;
      for (size_t k = 0; k < self->n_rows && difference != NULL; k++)
        difference[k] = values[k] - difference[k]; /* from the monolithic run */
      json_open(json, NULL, '{');
      describe(self, first + i, json);
      write_values(self, json, values, difference);
      json_close(json, '}');
    }
  }
  return status;
}

/* If rows of a table are left out, writes no times for the table, because each column has its own times. */
seam_status columns_write(json_writer *json, const report *from, const report_run *run, seam_error *error) {
  plotted_table tables[MAX_RUN_TABLES] = {{0}};
  seam_status status = SEAM_OK;
  size_t left_out = 0;
  json_open(json, "times", '[');
  for (size_t i = 0; i < run->results.n_tables && status == SEAM_OK; i++) {
    status = plotted_table_open(from, run, i, &tables[i], error);
    if (status == SEAM_OK)
      numbers_write(json, NULL, tables[i].time, tables[i].max_points == 0 ? tables[i].n_rows : 0, false);
  }
  json_close(json, ']');
  json_open(json, "columns", '[');
  for (size_t i = 0; i < run->results.n_tables; i++) {
    THEN(status, write_columns(&tables[i], json, error));
    left_out += tables[i].first - 1;
    arena_release(&tables[i].memory);
  }
  json_close(json, ']');
  json_count(json, "leftOut", left_out);
  return status;
}
