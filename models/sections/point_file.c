/* Reads columns of numbers from a text file. Tabs, semicolons, commas or spaces separate fields. The first line has the
 * names of the columns, unless all its fields are numbers. Empty lines and lines that begin with # are ignored. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/number.h"
#include "models/reader.h"

enum { LARGEST_FILE = 500 * 1000 * 1000 }; /* bytes */

typedef struct field {
  const char *start, *end;
} field;

typedef struct csv {
  reader *r;
  source file;
  const char *at;      /* position in the text after the part that has been read */
  char separator;      /* ' ': one or more blanks */
  size_t n_fields;     /* number of fields in each line */
  size_t index[2];     /* indices of the two columns that are read */
  yaml_node **columns; /* (2) lists of their numbers */
} csv;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static void trim(field *f) {
  while (f->start < f->end && is_blank(*f->start))
    f->start++;
  while (f->end > f->start && is_blank(f->end[-1]))
    f->end--;
}

/* Finds the next line that is neither empty nor a comment; false: there is none. */
static bool next_line(csv *c, field *line) {
  const char *end = c->file.text + c->file.length;
  while (c->at < end) {
    const char *newline = memchr(c->at, '\n', (size_t)(end - c->at));
    *line = (field){c->at, newline != NULL ? newline : end};
    c->at = newline != NULL ? newline + 1 : end;
    field content = *line;
    trim(&content);
    if (content.start < content.end && *content.start != '#')
      return true;
  }
  return false;
}

/* Removes the next field from a line; false: there is none. line->start is NULL after the last field. */
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

static seam_status fail_at(const csv *c, const char *position, const char *fix, const char *cause) {
  return source_fail(&c->file, (size_t)(position - c->file.text), c->r->error, fix, "%s", cause);
}

/* Finds the column with the name `named`; NULL: column `number`. */
static seam_status find_column(const csv *c, field line, const yaml_node *named, size_t number, size_t *index) {
  char fix[256] = "its columns are";
  size_t used = strlen(fix);
  field next;
  *index = number;
  if (named == NULL)
    return number < c->n_fields ? SEAM_OK
                                : fail_at(c, line.start, "separate columns by commas, semicolons, tabs or spaces",
                                          "there are not two columns");
  nearest search = nearest_to(named->text);
  *index = 0;
  for (field tail = line; next_field(c, &tail, &next); ++*index) {
    const size_t length = (size_t)(next.end - next.start);
    if (strlen(named->text) == length && memcmp(named->text, next.start, length) == 0)
      return SEAM_OK;
    const char *name = arena_text(c->r->memory, next.start, length);
    TRY(reader_check_memory(c->r, name != NULL));
    if (used < sizeof fix)
      used += (size_t)snprintf(fix + used, sizeof fix - used, " '%.63s'", name);
    nearest_try(&search, name);
  }
  return reader_fail_unknown(c->r, named, &search, fix, "'%.200s' has no column '%.60s'", c->file.name, named->text);
}

/* Reads the names of columns in the first line. If it has numbers only, it is also a row. */
static seam_status read_head(csv *c, yaml_node *const names[2]) {
  static const char separators[] = "\t;,";
  field line, next;
  const char *start = c->at;
  bool has_text = false;
  double number = 0;
  if (!next_line(c, &line))
    return seam_fail(c->r->error, SEAM_BAD_INPUT,
                     "%.200s: error: the file is empty\nwrite a line with the names of its "
                     "columns, and lines of numbers",
                     c->file.name);
  c->separator = ' ';
  for (const char *one = separators; *one != '\0' && c->separator == ' '; one++)
    if (memchr(line.start, *one, (size_t)(line.end - line.start)) != NULL)
      c->separator = *one;
  for (field tail = line; next_field(c, &tail, &next); c->n_fields++)
    has_text |= !read_number(&next, &number);
  if (!has_text)
    c->at = start;
  for (size_t i = 0; i < 2; i++)
    TRY(find_column(c, line, names[i], i, &c->index[i]));
  return SEAM_OK;
}

static seam_status read_rows(csv *c) {
  for (field line; next_line(c, &line);) {
    const char *start = line.start;
    double row[2] = {0};
    size_t i = 0;
    for (field next; next_field(c, &line, &next); i++)
      for (size_t k = 0; k < 2; k++)
        if (i == c->index[k] && !read_number(&next, &row[k]))
          return fail_at(c, next.start, "write a number with a decimal point, as -1.5e-3",
                         "this is not a finite number");
    if (i != c->n_fields) {
      char cause[80];
      snprintf(cause, sizeof cause, "the line has %zu fields, but the first line %zu", i, c->n_fields);
      return fail_at(c, start, "give every line as many fields", cause);
    }
    for (size_t k = 0; k < 2; k++)
      TRY(reader_check_memory(c->r, yaml_append_number(c->r->memory, c->columns[k], row[k])));
  }
  if (c->columns[0]->first != NULL)
    return SEAM_OK;
  return seam_fail(c->r->error, SEAM_BAD_INPUT, "%.200s: error: the file has a header but no rows: add rows of numbers",
                   c->file.name);
}

seam_status point_file_read(reader *r, const yaml_node *value, yaml_node *const names[2], yaml_node *columns[2]) {
  static const char byte_order_mark[] = "\xef\xbb\xbf";
  const char *name = NULL;
  TRY(reader_text(r, value, &name));
  for (size_t i = 0; i < 2; i++) {
    if (names[i] != NULL && names[i]->kind == YAML_LIST)
      return reader_fail(r, names[i], "give 'file', or both lists",
                         "'%s' is a list, but must be the name of a column of 'file'", names[i]->key->text);
    TRY(reader_text(r, names[i], &name));
  }
  csv c = {.r = r, .file.name = reader_path(r, value), .columns = columns};
  for (size_t i = 0; i < 2; i++)
    columns[i] = yaml_new(r->memory, YAML_LIST, value);
  TRY(reader_check_memory(r, c.file.name != NULL && columns[0] != NULL && columns[1] != NULL));
  char *text = file_read(c.file.name, LARGEST_FILE, &c.file.length);
  if (text == NULL && errno == ENOMEM)
    return reader_no_memory(r);
  if (text == NULL)
    return reader_fail(r, value, "a path is relative to the folder of the model file", "cannot read '%.200s': %s",
                       c.file.name,
                       errno == EISDIR || errno == ESPIPE ? "it is not a file"
                       : errno == EFBIG                   ? "it has more than 500 MB"
                                                          : strerror(errno));
  c.at = c.file.text = text;
  if (c.file.length >= 3 && memcmp(text, byte_order_mark, 3) == 0)
    c.at += 3;
  seam_status status = read_head(&c, names);
  THEN(status, read_rows(&c));
  THEN(status, reader_add_data_file(r, c.file.name, strlen(c.file.name)));
  free(text);
  return status;
}
