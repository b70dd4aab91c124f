/* NumPy's format ([NumPy]), limited to records of little-endian doubles, which app/results/row_format.c writes and
 * numpy.save() keeps. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/results/table_reader_internal.h"
#include "base/bytes.h"

static const char magic[] = "\x93NUMPY";
enum { VERSION = 6, LENGTH = 8, LEAST_SIZE = 12 }; /* bytes from the start */
enum { LEAST_NAME = 3 };                           /* bytes of a name in quotes */

static bool fits(const table_reader *self) {
  return self->size >= sizeof magic - 1 && memcmp(self->text, magic, sizeof magic - 1) == 0;
}

/* ---- Head ---- */

/* Returns the bytes of the length of the dictionary. */
static size_t length_size(const table_reader *self) { return self->text[VERSION] == 1 ? 2 : 4; }

/* Returns the offset of the rows; 0: the head is incomplete. */
static size_t head_size(const table_reader *self) {
  if (self->size < LEAST_SIZE)
    return 0;
  size_t size = LENGTH + length_size(self);
  for (size_t i = 0; i < length_size(self); i++)
    size += (size_t)(unsigned char)self->text[LENGTH + i] << 8 * i;
  return size <= self->size ? size : 0;
}

static const char *skip_blanks(const char *at) { return at + strspn(at, " "); }

/* Returns the text behind `word` and blanks; NULL: the text does not begin with `word`. */
static const char *skip(const char *at, const char *word) {
  at = at != NULL ? skip_blanks(at) : NULL;
  return at != NULL && strncmp(at, word, strlen(word)) == 0 ? at + strlen(word) : NULL;
}

/* Reads a character of a Python text into *to; returns the next one. */
static const char *read_character(const char *at, char **to) {
  unsigned code = 0;
  if (*at == '\\' && at[1] == 'x' && sscanf(at + 2, "%2x", &code) == 1 && at[3] != '\0') {
    *(*to)++ = (char)code;
    return at + 4;
  }
  at += *at == '\\' && at[1] != '\0';
  *(*to)++ = *at;
  return at + 1;
}

/* Returns the bytes up to the closing quote. */
static size_t text_size(const char *text) {
  const char *at = text;
  while (*at != '\'' && *at != '\0')
    at += *at == '\\' && at[1] != '\0' ? 2 : 1;
  return (size_t)(at - text);
}

/* Reads ('NAME', '<f8'). */
static const char *read_name(table_reader *self, const char *at, seam_error *error) {
  at = skip(skip(at, "("), "'");
  char *name = at != NULL ? arena_take(&self->memory, text_size(at) + 1) : NULL;
  char *to = name;
  if (at != NULL && name == NULL)
    out_of_memory(error);
  if (name == NULL)
    return NULL;
  while (*at != '\'' && *at != '\0')
    at = read_character(at, &to);
  *to = '\0';
  self->names[self->n_columns++] = name;
  return to > name && *at == '\'' ? skip(skip(skip(at + 1, ","), "'<f8'"), ")") : NULL;
}

/* Reads [('NAME', '<f8'), ...]. */
static const char *read_names(table_reader *self, const char *at, seam_error *error) {
  at = skip(at, "[");
  self->names = at != NULL ? arena_take(&self->memory, (strlen(at) / LEAST_NAME + 1) * sizeof *self->names) : NULL;
  if (at != NULL && self->names == NULL)
    out_of_memory(error);
  while (at != NULL && self->names != NULL && skip(at, "]") == NULL) {
    at = read_name(self, at, error);
    at = skip(at, ",") != NULL ? skip(at, ",") : skip(at, "]") != NULL ? at : NULL;
  }
  return self->names != NULL ? skip(at, "]") : NULL;
}

/* Reads {'descr': ..., 'fortran_order': False, 'shape': (N,), }. */
static bool read_head(table_reader *self, const char *head, seam_error *error) {
  char *end = NULL;
  const char *at = skip(skip(skip(head, "{"), "'descr'"), ":");
  at = at != NULL ? read_names(self, at, error) : NULL;
  at = skip(skip(skip(skip(at, ","), "'fortran_order'"), ":"), "False");
  at = skip(skip(skip(skip(at, ","), "'shape'"), ":"), "(");
  if (at == NULL || self->n_columns == 0)
    return false;
  self->n_rows = strtoull(at, &end, 10);
  return end != at && skip(skip(end, ","), ")") != NULL;
}

static seam_status open_npy(table_reader *self, seam_error *error) {
  const size_t size = head_size(self);
  if (size == 0)
    return table_refused(self, error, "the file ends in its head; run the model again");
  seam_error failed = {0};
  const size_t before = LENGTH + length_size(self);
  char *head = arena_text(&self->memory, self->text + before, size - before);
  if (head == NULL)
    return out_of_memory(error);
  const bool is_read = read_head(self, head, &failed);
  if (failed.status != SEAM_OK)
    return out_of_memory(error);
  if (!is_read)
    return table_refused(self, error,
                         "this is not a list of named doubles ('<f8'); give a table that seam run --format npy wrote");
  self->rows = self->text + size;
  const size_t whole = (self->size - size) / (self->n_columns * sizeof(double));
  if (whole < self->n_rows)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s: error: the file is incomplete (it has %zu of %zu rows); run the model again", self->path,
                     whole, self->n_rows);
  return SEAM_OK;
}

/* ---- Rows ---- */

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

const table_text npy_table = {"npy", fits, open_npy, read_npy};
