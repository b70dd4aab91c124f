/* Comma-separated values: one line of names, then a line a row. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/results/csv_text.h"
#include "app/results/table_reader_internal.h"
#include "base/number.h"

static bool fits(const table_reader *self) {
  (void)self;
  return true;
}

/* ---- Head ---- */

static const char *end_of_file(const table_reader *self) { return self->text + self->size; }

/* Returns the end of a line that has one. */
static const char *end_of_line(const table_reader *self, const char *at) {
  return memchr(at, '\n', (size_t)(end_of_file(self) - at));
}

static size_t count(const char *from, const char *to, char c) {
  size_t n = 0;
  while ((from = memchr(from, c, (size_t)(to - from))) != NULL) {
    n++;
    from++;
  }
  return n;
}

static size_t line_of(const table_reader *self, const char *at) { return 1 + count(self->text, at, '\n'); }

static seam_status read_names(table_reader *self, const char *end, seam_error *error) {
  char *at = arena_text(&self->memory, self->text, (size_t)(end - self->text));
  self->names = arena_take(&self->memory, (1 + count(self->text, end, ',')) * sizeof *self->names);
  if (at == NULL || self->names == NULL)
    return out_of_memory(error);
  while (at != NULL) {
    const char *name = self->names[self->n_columns++] = csv_take_field(&at);
    if (*name == '\0')
      return seam_fail(error, SEAM_BAD_INPUT, "%s:1: error: column %zu has no name; run the model again", self->path,
                       self->n_columns);
  }
  return SEAM_OK;
}

/* Opens a table; its last line must end, as a number without its last digits would read as another one. */
static seam_status open_csv(table_reader *self, seam_error *error) {
  const char *end = csv_end_of_line(self->text, end_of_file(self));
  if (end == NULL || memchr(self->text, '\0', (size_t)(end - self->text)) != NULL)
    return table_refused(self, error, "this is not a table; give a .csv or .npy file, or a folder of results");
  if (end_of_file(self)[-1] != '\n')
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "%s:%zu: error: the last line is incomplete (it has no line break); delete it, or run the model again",
        self->path, line_of(self, end_of_file(self)));
  const seam_status status = read_names(self, end > self->text && end[-1] == '\r' ? end - 1 : end, error);
  self->rows = end + 1;
  self->n_rows = count(self->rows, end_of_file(self), '\n');
  return status;
}

/* ---- Rows ---- */

typedef struct wanted_field {
  size_t column, place; /* number in the file; number in `values` */
} wanted_field;

static int compare_columns(const void *a, const void *b) {
  const size_t one = ((const wanted_field *)a)->column;
  const size_t other = ((const wanted_field *)b)->column;
  return (one > other) - (one < other);
}

static seam_status wrong_field(const table_reader *self, size_t row, size_t column, const char *at, seam_error *error) {
  return seam_fail(error, SEAM_BAD_INPUT, "%s:%zu: error: '%.*s' in column '%s' is not a finite number", self->path,
                   row + 2, (int)strcspn(at, ",\r\n"), at, self->names[column]);
}

static seam_status wrong_length(const table_reader *self, size_t row, const char *line, const char *end,
                                seam_error *error) {
  return seam_fail(error, SEAM_BAD_INPUT,
                   "%s:%zu: error: the line has %zu fields, the header %zu; delete the line, or run the model again",
                   self->path, row + 2, 1 + count(line, end, ','), self->n_columns);
}

/* Reads a row; every line ends, so that nothing is read behind the last. */
static seam_status read_row(const table_reader *self, size_t row, const char **at, const wanted_field *fields,
                            size_t n_fields, double *values, seam_error *error) {
  const char *line = *at;
  const char *end = end_of_line(self, line);
  const wanted_field *field = fields;
  for (size_t column = 0; column < self->n_columns; column++) {
    const char *behind = NULL;
    if (field < fields + n_fields && field->column == column) {
      const double number = seam_number(*at, &behind);
      if (behind == *at || (*behind != ',' && *behind != '\n' && *behind != '\r') || !isfinite(number))
        return wrong_field(self, row, column, *at, error);
      for (; field < fields + n_fields && field->column == column; field++)
        values[field->place * self->n_rows + row] = number;
      behind += *behind == '\r';
    } else {
      behind = memchr(*at, ',', (size_t)(end - *at));
      behind = behind != NULL ? behind : end;
    }
    if ((*behind == ',') != (column + 1 < self->n_columns) || behind > end)
      return wrong_length(self, row, line, end, error);
    *at = behind + 1;
  }
  return SEAM_OK;
}

static seam_status read_rows(const table_reader *self, const wanted_field *fields, size_t n_fields, double *values,
                             seam_error *error) {
  const char *at = self->rows;
  seam_status status = SEAM_OK;
  for (size_t row = 0; row < self->n_rows && status == SEAM_OK; row++)
    status = read_row(self, row, &at, fields, n_fields, values, error);
  return status;
}

static seam_status read_csv(const table_reader *self, const size_t *columns, size_t n, double *values,
                            seam_error *error) {
  wanted_field *fields = calloc(n + 1, sizeof *fields);
  if (fields == NULL)
    return out_of_memory(error);
  for (size_t i = 0; i < n; i++)
    fields[i] = (wanted_field){columns[i], i};
  qsort(fields, n, sizeof *fields, compare_columns);
  const seam_status status = read_rows(self, fields, n, values, error);
  free(fields);
  return status;
}

const table_text csv_table = {"csv", fits, open_csv, read_csv};
