#include "models/csv.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/number.h"
#include "base/then.h"

typedef struct field {
  const char *start, *end;
} field;

typedef struct csv {
  const source *file;
  seam_error *error;
  const char *at;  /* rest of the text */
  char separator;  /* ' ': any blanks */
  size_t n_fields; /* fields of each line */
  size_t index[2]; /* indices of the two columns */
  double *numbers; /* (2, capacity) */
  size_t n, capacity;
} csv;

/* ---- Lines and fields -------------------------------------------------------------------------------------------- */

static const char *end_of(const csv *c) { return c->file->text + c->file->length; }

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static void trim(field *f) {
  while (f->start < f->end && is_blank(*f->start))
    f->start++;
  while (f->end > f->start && is_blank(f->end[-1]))
    f->end--;
}

/* Gives the next line that is neither empty nor a comment; false: none. */
static bool next_line(csv *c, field *line) {
  while (c->at < end_of(c)) {
    const char *end = memchr(c->at, '\n', (size_t)(end_of(c) - c->at));
    *line = (field){c->at, end != NULL ? end : end_of(c)};
    c->at = end != NULL ? end + 1 : end_of(c);
    field content = *line;
    trim(&content);
    if (content.start < content.end && *content.start != '#')
      return true;
  }
  return false;
}

static char separator_of(const field *line) {
  static const char candidates[] = "\t;,";
  for (const char *one = candidates; *one; one++)
    if (memchr(line->start, *one, (size_t)(line->end - line->start)) != NULL)
      return *one;
  return ' ';
}

/* Takes the next field off a line; false: none. line->start is NULL after the last field. */
static bool next_field(const csv *c, field *line, field *next) {
  if (line->start == NULL)
    return false;
  if (c->separator == ' ')
    trim(line);
  const char *end = line->start;
  while (end < line->end && *end != c->separator && !(c->separator == ' ' && is_blank(*end)))
    end++;
  *next = (field){line->start, end};
  line->start = end < line->end ? end + 1 : NULL;
  trim(next);
  if (next->end - next->start >= 2 && *next->start == '"' && next->end[-1] == '"')
    *next = (field){next->start + 1, next->end - 1};
  return true;
}

static bool read_number(const field *f, double *number) {
  const char *end = NULL;
  *number = f->start < f->end ? seam_number(f->start, &end) : NAN;
  return end == f->end && isfinite(*number);
}

static seam_status fail_at(const csv *c, const char *place, const char *fix, const char *cause) {
  return source_fail(c->file, (size_t)(place - c->file->text), c->error, fix, "%s", cause);
}

/* ---- The head ---------------------------------------------------------------------------------------------------- */

static seam_status fail_column(const csv *c, field line, const csv_column *wanted) {
  char fix[256];
  char near[64] = "";
  size_t distance = SIZE_MAX;
  size_t used = (size_t)snprintf(fix, sizeof fix, "its columns are");
  field next;
  for (field rest = line; next_field(c, &rest, &next);) {
    char name[sizeof near];
    snprintf(name, sizeof name, "%.*s", (int)(next.end - next.start), next.start);
    if (used < sizeof fix)
      used += (size_t)snprintf(fix + used, sizeof fix - used, " '%s'", name);
    nearest search = nearest_to(wanted->name);
    nearest_try(&search, name);
    if (search.name != NULL && search.distance < distance) {
      distance = search.distance;
      memcpy(near, name, sizeof near);
    }
  }
  if (*near != '\0')
    snprintf(fix, sizeof fix, "did you mean '%s'?", near);
  return source_fail(wanted->from, wanted->offset, c->error, fix, "'%.200s' has no column '%.60s'", c->file->name,
                     wanted->name);
}

static bool has_text(const csv *c, field line) {
  double number = 0;
  for (field next; next_field(c, &line, &next);)
    if (!read_number(&next, &number))
      return true;
  return false;
}

static seam_status find_column(csv *c, field line, const csv_column *column, size_t *index) {
  *index = column->number;
  if (column->name == NULL && *index < c->n_fields)
    return SEAM_OK;
  if (column->name == NULL)
    return fail_at(c, line.start, "separate columns by commas, semicolons, tabs or spaces",
                   "there are not two columns");
  *index = 0;
  field next;
  for (field rest = line; next_field(c, &rest, &next); (*index)++)
    if (strlen(column->name) == (size_t)(next.end - next.start) &&
        memcmp(column->name, next.start, strlen(column->name)) == 0)
      return SEAM_OK;
  return fail_column(c, line, column);
}

/* If the first line has only numbers, it is read as a row too. */
static seam_status read_head(csv *c, const csv_column columns[2]) {
  field line;
  field next;
  const char *start = c->at;
  if (!next_line(c, &line))
    return seam_fail(c->error, SEAM_BAD_INPUT,
                     "%.200s: error: the file is empty\nwrite a line with the names of its "
                     "columns, and lines of numbers",
                     c->file->name);
  c->separator = separator_of(&line);
  for (field rest = line; next_field(c, &rest, &next);)
    c->n_fields++;
  if (!has_text(c, line))
    c->at = start;
  seam_status status = SEAM_OK;
  for (int i = 0; i < 2 && status == SEAM_OK; i++)
    status = find_column(c, line, &columns[i], &c->index[i]);
  return status;
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

static bool make_room(csv *c) {
  if (c->n < c->capacity)
    return true;
  const size_t larger = c->capacity > 0 ? 2 * c->capacity : 1024;
  double *numbers = malloc(2 * larger * sizeof *numbers);
  if (numbers == NULL)
    return false;
  for (int i = 0; i < 2 && c->n > 0; i++)
    memcpy(numbers + (size_t)i * larger, c->numbers + (size_t)i * c->capacity, c->n * sizeof *numbers);
  free(c->numbers);
  c->numbers = numbers;
  c->capacity = larger;
  return true;
}

static seam_status read_row(csv *c, field line) {
  const char *start = line.start;
  size_t i = 0;
  for (field next; next_field(c, &line, &next); i++)
    for (int k = 0; k < 2; k++)
      if (i == c->index[k] && !read_number(&next, &c->numbers[(size_t)k * c->capacity + c->n]))
        return fail_at(c, next.start, "write a number with a decimal point, as -1.5e-3", "this is not a finite number");
  if (i == c->n_fields)
    return SEAM_OK;
  char cause[80];
  snprintf(cause, sizeof cause, "the line has %zu fields, but the first line %zu", i, c->n_fields);
  return fail_at(c, start, "give every line as many fields", cause);
}

static seam_status read_rows(csv *c) {
  for (field line; next_line(c, &line); c->n++) {
    if (!make_room(c))
      return seam_fail(c->error, SEAM_NO_MEMORY, "memory is exhausted");
    const seam_status status = read_row(c, line);
    if (status != SEAM_OK)
      return status;
  }
  return SEAM_OK;
}

seam_status csv_read_two(const source *file, const csv_column columns[2], double **numbers, size_t *n,
                         seam_error *error) {
  static const char byte_order_mark[] = "\xef\xbb\xbf";
  csv c = {.file = file, .error = error, .at = file->text};
  if (file->length >= 3 && memcmp(file->text, byte_order_mark, 3) == 0)
    c.at += 3;
  seam_status status = read_head(&c, columns);
  THEN(status, read_rows(&c));
  if (status == SEAM_OK && c.n == 0)
    status = seam_fail(error, SEAM_BAD_INPUT, "%.200s: error: the file has a header but no rows: add rows of numbers",
                       file->name);
  if (status != SEAM_OK) {
    free(c.numbers);
    return status;
  }
  /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): c.n > 0, so `numbers` is allocated */
  memmove(c.numbers + c.n, c.numbers + c.capacity, c.n * sizeof *c.numbers);
  *numbers = c.numbers;
  *n = c.n;
  return SEAM_OK;
}
