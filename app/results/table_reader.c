/* A csv file has a line of names, then a line for each row. A npy file ([NumPy]) must contain records of little-endian
 * doubles, as app/results/table_file.c and numpy.save() write them. */
#include "app/results/table_reader.h"

#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/failure.h"
#include "app/results/csv_text.h"
#include "app/results/output.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/number.h"
#include "base/table.h"
#include "base/then.h"

struct table_reader {
  const char *path;
  bool is_npy;
  const char *text; /* (size) contents of the file */
  size_t size;
  const char *rows; /* first row in `text` */
  size_t n_rows, n_columns;
  char **names;  /* (n_columns) */
  table numbers; /* of columns, by their names */
  arena memory;
};

static seam_status fail_with(const table_reader *self, seam_error *error, const char *what) {
  return seam_fail(error, SEAM_BAD_INPUT, "%s: error: %s", self->path, what);
}

/* ---- csv ---- */

static size_t count(const char *from, const char *to, char c) {
  size_t n = 0;
  for (; (from = memchr(from, c, (size_t)(to - from))) != NULL; from++)
    n++;
  return n;
}

/* Fails if the last line has no line break: its last number may lack digits. */
static seam_status open_csv(table_reader *self, seam_error *error) {
  const char *file_end = self->text + self->size;
  const char *end = csv_end_of_line(self->text, file_end);
  if (end == NULL || memchr(self->text, '\0', (size_t)(end - self->text)) != NULL)
    return fail_with(self, error, "this is not a table; give a .csv or .npy file, or a folder of results");
  if (file_end[-1] != '\n')
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "%s:%zu: error: the last line is incomplete (it has no line break); delete it, or run the model again",
        self->path, 1 + count(self->text, file_end, '\n'));
  const size_t length = (size_t)(end - self->text) - (end > self->text && end[-1] == '\r');
  char *at = arena_text(&self->memory, self->text, length);
  self->names = arena_allocate(&self->memory, (1 + count(self->text, self->text + length, ',')) * sizeof *self->names);
  TRY(check_memory(at != NULL && self->names != NULL, error));
  while (at != NULL) {
    const char *name = self->names[self->n_columns++] = csv_next_field(&at);
    if (*name == '\0')
      return seam_fail(error, SEAM_BAD_INPUT, "%s:1: error: column %zu has no name; run the model again", self->path,
                       self->n_columns);
  }
  self->rows = end + 1;
  self->n_rows = count(self->rows, file_end, '\n');
  return SEAM_OK;
}

typedef struct wanted_field {
  size_t column, index; /* index of the column in the file, and among the columns to read */
} wanted_field;

static int compare_columns(const void *a, const void *b) {
  const size_t one = ((const wanted_field *)a)->column;
  const size_t other = ((const wanted_field *)b)->column;
  return (one > other) - (one < other);
}

/* Reads a row; *at becomes the next row. Every line ends with a line break (open_csv()): nothing is read behind it. */
static seam_status read_row(const table_reader *self, size_t row, const char **at, const wanted_field *fields,
                            size_t n_fields, double *values, seam_error *error) {
  const char *line = *at;
  const char *end = memchr(line, '\n', (size_t)(self->text + self->size - line));
  const wanted_field *field = fields;
  for (size_t column = 0; column < self->n_columns; column++) {
    const char *after = NULL;
    if (field < fields + n_fields && field->column == column) {
      const double number = seam_number(*at, &after);
      if (after == *at || (*after != ',' && *after != '\n' && *after != '\r') || !isfinite(number))
        return seam_fail(error, SEAM_BAD_INPUT, "%s:%zu: error: '%.*s' in column '%s' is not a finite number",
                         self->path, row + 2, (int)strcspn(*at, ",\r\n"), *at, self->names[column]);
      for (; field < fields + n_fields && field->column == column; field++)
        values[field->index * self->n_rows + row] = number;
      after += *after == '\r';
    } else {
      after = memchr(*at, ',', (size_t)(end - *at));
      after = after != NULL ? after : end;
    }
    if ((*after == ',') != (column + 1 < self->n_columns) || after > end)
      return seam_fail(
          error, SEAM_BAD_INPUT,
          "%s:%zu: error: the line has %zu fields, the header %zu; delete the line, or run the model again", self->path,
          row + 2, 1 + count(line, end, ','), self->n_columns);
    *at = after + 1;
  }
  return SEAM_OK;
}

static seam_status read_csv(const table_reader *self, const size_t *columns, size_t n, double *values,
                            seam_error *error) {
  const char *at = self->rows;
  wanted_field *fields = calloc(n + 1, sizeof *fields);
  TRY(check_memory(fields != NULL, error));
  for (size_t i = 0; i < n; i++)
    fields[i] = (wanted_field){columns[i], i};
  qsort(fields, n, sizeof *fields, compare_columns);
  seam_status status = SEAM_OK;
  for (size_t row = 0; row < self->n_rows && status == SEAM_OK; row++)
    status = read_row(self, row, &at, fields, n, values, error);
  free(fields);
  return status;
}

/* ---- npy ---- */

static const char magic[] = "\x93NUMPY";
enum { VERSION = 6, LENGTH = 8, MIN_SIZE = 12 }; /* positions in the file, and its smallest size, bytes */
enum { MIN_NAME_SIZE = 3 };                      /* bytes of the shortest name with quotes */

/* Returns the text after blanks and `word`. NULL: `at` is NULL, or `word` is not there. */
static char *skip(char *at, const char *word) {
  if (at == NULL)
    return NULL;
  at += strspn(at, " ");
  return strncmp(at, word, strlen(word)) == 0 ? at + strlen(word) : NULL;
}

/* Reads ('NAME', '<f8'), and replaces Python's escapes in NAME. Returns the text after it; NULL: another form. */
static char *read_name(table_reader *self, char *at) {
  at = skip(skip(at, "("), "'");
  if (at == NULL)
    return NULL;
  char *name = at;
  char *to = at;
  while (*at != '\'' && *at != '\0') {
    unsigned code = 0;
    if (*at == '\\' && at[1] == 'x' && sscanf(at + 2, "%2x", &code) == 1 && at[3] != '\0') {
      *to++ = (char)code;
      at += 4;
    } else {
      at += *at == '\\' && at[1] != '\0';
      *to++ = *at++;
    }
  }
  const bool is_closed = *at == '\'';
  *to = '\0';
  self->names[self->n_columns++] = name;
  return to > name && is_closed ? skip(skip(skip(at + 1, ","), "'<f8'"), ")") : NULL;
}

/* Reads {'descr': [('NAME', '<f8'), ...], 'fortran_order': False, 'shape': (N,), }. False: another form. */
static bool read_head(table_reader *self, char *at) {
  char *end = NULL;
  at = skip(skip(skip(skip(at, "{"), "'descr'"), ":"), "[");
  while (at != NULL && skip(at, "]") == NULL) {
    at = read_name(self, at);
    at = skip(at, ",") != NULL ? skip(at, ",") : skip(at, "]") != NULL ? at : NULL;
  }
  at = skip(skip(skip(skip(skip(at, "]"), ","), "'fortran_order'"), ":"), "False");
  at = skip(skip(skip(skip(at, ","), "'shape'"), ":"), "(");
  if (at == NULL || self->n_columns == 0)
    return false;
  self->n_rows = strtoull(at, &end, 10);
  return end != at && skip(skip(end, ","), ")") != NULL;
}

static seam_status open_npy(table_reader *self, seam_error *error) {
  const bool is_short = self->size < MIN_SIZE;
  const size_t before = is_short || self->text[VERSION] != 1 ? MIN_SIZE : LENGTH + 2; /* bytes before dictionary */
  size_t size = before;                                                               /* bytes of the head */
  for (size_t i = LENGTH; i < before && !is_short; i++)
    size += (size_t)(unsigned char)self->text[i] << 8 * (i - LENGTH);
  if (size > self->size)
    return fail_with(self, error, "the file ends within its header; run the model again");
  char *head = arena_text(&self->memory, self->text + before, size - before);
  self->names = arena_allocate(&self->memory, ((size - before) / MIN_NAME_SIZE + 1) * sizeof *self->names);
  TRY(check_memory(head != NULL && self->names != NULL, error));
  if (!read_head(self, head))
    return fail_with(self, error,
                     "this is not a list of named doubles ('<f8'); give a table that seam run --format npy wrote");
  self->rows = self->text + size;
  const size_t n_complete = (self->size - size) / (self->n_columns * sizeof(double));
  if (n_complete < self->n_rows)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s: error: the file is incomplete (it has %zu of %zu rows); run the model again", self->path,
                     n_complete, self->n_rows);
  return SEAM_OK;
}

static seam_status read_npy(const table_reader *self, const size_t *columns, size_t n, double *values,
                            seam_error *error) {
  for (size_t row = 0; row < self->n_rows; row++)
    for (size_t i = 0; i < n; i++) {
      const double number = bytes_get_double(self->rows + (row * self->n_columns + columns[i]) * sizeof(double));
      if (!isfinite(number))
        return seam_fail(error, SEAM_BAD_INPUT, "%s: error: '%g' in column '%s', row %zu, is not a finite number",
                         self->path, number, self->names[columns[i]], row + 1);
      values[i * self->n_rows + row] = number;
    }
  return SEAM_OK;
}

/* ---- The file ---- */

seam_status table_reader_open(const char *path, table_reader **opened, seam_error *error) {
  table_reader *self = calloc(1, sizeof *self);
  *opened = self;
  TRY(check_memory(self != NULL, error));
  self->path = path;
  struct stat found;
  seam_status status = SEAM_OK;
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 || fstat(descriptor, &found) != 0)
    status = output_not_read(path, "file", error);
  else if (!S_ISREG(found.st_mode))
    status = fail_with(self, error, "this is not a file; give a folder of results, or a table in one");
  else if (found.st_size == 0)
    status = fail_with(self, error, "the file is empty; run the model again");
  else {
    void *mapped = mmap(NULL, (size_t)found.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (mapped == MAP_FAILED)
      status = output_not_read(path, "file", error);
    else {
      self->text = mapped;
      self->size = (size_t)found.st_size;
    }
  }
  if (descriptor >= 0)
    close(descriptor);
  if (status != SEAM_OK)
    return status;
  self->is_npy = self->size >= sizeof magic - 1 && memcmp(self->text, magic, sizeof magic - 1) == 0;
  TRY(self->is_npy ? open_npy(self, error) : open_csv(self, error));
  for (size_t i = 0; i < self->n_columns; i++)
    TRY(check_memory(table_reader_add_name(self, self->names[i], i), error));
  return SEAM_OK;
}

void table_reader_close(table_reader *self) {
  if (self == NULL)
    return;
  if (self->text != NULL)
    munmap((void *)self->text, self->size);
  table_release(&self->numbers);
  arena_release(&self->memory);
  free(self);
}

const char *table_reader_path(const table_reader *self) { return self->path; }

size_t table_reader_n_rows(const table_reader *self) { return self->n_rows; }

size_t table_reader_n_columns(const table_reader *self) { return self->n_columns; }

const char *table_reader_name(const table_reader *self, size_t column) {
  return column < self->n_columns ? self->names[column] : NULL;
}

size_t table_reader_find(const table_reader *self, const char *name) {
  const table_slot *slot = table_find(&self->numbers, name, strlen(name));
  return slot != NULL ? slot->value : SEAM_NONE;
}

bool table_reader_add_name(table_reader *self, const char *name, size_t column) {
  return table_reader_find(self, name) != SEAM_NONE || table_add(&self->numbers, name, strlen(name), column);
}

seam_status table_reader_read(const table_reader *self, const size_t *columns, size_t n, double *values,
                              seam_error *error) {
  return (self->is_npy ? read_npy : read_csv)(self, columns, n, values, error);
}
