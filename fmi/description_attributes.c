/* Helpers of the reader of modelDescription.xml: memory, problems, and reading of attributes by tables. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/number.h"
#include "fmi/description_reader.h"

enum { MAX_PROBLEMS = 100 };

void *fmi_reader_grow(fmi_reader *r, fmi_list *of, size_t size) {
  void *items = array_grow(of->items, &of->capacity, of->n + 1, size);
  if (items == NULL) {
    r->no_memory = true;
    return NULL;
  }
  of->items = items;
  void *item = (char *)of->items + of->n++ * size;
  memset(item, 0, size);
  return item;
}

void *fmi_reader_alloc(fmi_reader *r, size_t size) {
  void *taken = arena_allocate(r->memory, size);
  r->no_memory |= taken == NULL;
  return taken;
}

const char *fmi_reader_copy(fmi_reader *r, const char *text) {
  const char *copy = arena_text(r->memory, text, strlen(text));
  r->no_memory |= copy == NULL;
  return copy;
}

void *fmi_reader_move_list(fmi_reader *r, fmi_list *from, size_t size, size_t *n) {
  void *copy = fmi_reader_alloc(r, (from->n + 1) * size);
  *n = copy != NULL ? from->n : 0;
  if (*n > 0)
    memcpy(copy, from->items, from->n * size);
  free(from->items);
  return copy;
}

void fmi_reader_add_problem(fmi_reader *r, size_t line, const char *format, ...) {
  if (r->problems.n >= MAX_PROBLEMS)
    return;
  char text[768];
  const int length = snprintf(text, sizeof text, "%.256s:%zu: ", r->location, line);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text + length, sizeof text - (size_t)length, format, arguments);
  va_end(arguments);
  const char **problem = fmi_reader_grow(r, &r->problems, sizeof *problem);
  if (problem != NULL)
    *problem = fmi_reader_copy(r, text);
}

size_t fmi_reader_line(const fmi_reader *r) {
#if XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION < 9
  return (size_t)XML_GetCurrentLineNumber(r->parser);
#else
  return (size_t)XML_GetCurrentLineNumber64(r->parser);
#endif
}

const char *fmi_attribute(const fmi_tag *tag, const char *name) {
  for (const char **at = tag->attributes; at[0] != NULL; at += 2)
    if (strcmp(at[0], name) == 0)
      return at[1];
  return NULL;
}

/* Reads an xs:double that begins at `text`; *end: the text after it. Without a number, returns NaN and sets *end to
 * `text`. */
static double number_at(const char *text, const char **end) {
  static const struct {
    const char *text;
    double value;
  } names[] = {{"INF", INFINITY}, {"-INF", -INFINITY}, {"+INF", INFINITY}, {"NaN", NAN}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const size_t length = strlen(names[i].text);
    if (strncmp(text, names[i].text, length) == 0) {
      *end = text + length;
      return names[i].value;
    }
  }
  return seam_number(text, end);
}

static bool is_ended(const char *text) { return *text == '\0' || isspace((unsigned char)*text) != 0; }

static const char *skip_space(const char *text) {
  while (isspace((unsigned char)*text) != 0)
    text++;
  return text;
}

static bool read_flag(fmi_reader *r, const char *name, const char *text) {
  const char *value = skip_space(text);
  const bool is_true = strncmp(value, "true", 4) == 0 || value[0] == '1';
  if (!is_true && strncmp(value, "false", 5) != 0 && value[0] != '0')
    FMI_ADD_PROBLEM(r, "attribute %s is '%s', not true or false", name, text);
  return is_true;
}

static double read_number(fmi_reader *r, const char *name, const char *text) {
  const char *end = text;
  const double number = number_at(skip_space(text), &end);
  if (end == text || *skip_space(end) != '\0') {
    FMI_ADD_PROBLEM(r, "attribute %s is '%s', not a number", name, text);
    return NAN;
  }
  return number;
}

double fmi_read_integer(fmi_reader *r, const char *name, const char *text, double low, double high) {
  const char *end = text;
  const double number = number_at(skip_space(text), &end);
  if (end == text || *skip_space(end) != '\0' || !(number >= low && number <= high) || floor(number) != number) {
    FMI_ADD_PROBLEM(r, "attribute %s is '%s', not a whole number from %.0f to %.0f", name, text, low, high);
    return low;
  }
  return number;
}

static int read_name(fmi_reader *r, const fmi_row *row, const char *name, const char *text) {
  for (int i = 0; i == 0 || row->names[i] != NULL; i++)
    if (strcmp(row->names[i], text) == 0 && text[0] != '\0')
      return i;
  FMI_ADD_PROBLEM(r, "attribute %s is '%s', which the standard does not know", name, text);
  return 0;
}

void fmi_read_rows(fmi_reader *r, const fmi_rows *rows, const fmi_tag *tag, void *at) {
  for (const fmi_row *row = rows->rows; row < rows->rows + rows->n; row++) {
    const char *name = fmi_row_name(row, r->version);
    const char *text = name != NULL ? fmi_attribute(tag, name) : NULL;
    void *field = (char *)at + row->offset;
    if (text == NULL) {
      if (name != NULL && row->is_required)
        FMI_ADD_PROBLEM(r, "<%s> lacks the attribute %s", tag->name, name);
      continue;
    }
    if (row->kind == FMI_ROW_TEXT)
      *(const char **)field = fmi_reader_copy(r, text);
    else if (row->kind == FMI_ROW_FLAG)
      *(bool *)field = read_flag(r, name, text);
    else if (row->kind == FMI_ROW_NUMBER)
      *(double *)field = read_number(r, name, text);
    else if (row->kind == FMI_ROW_INT)
      *(int *)field = (int)fmi_read_integer(r, name, text, -INT32_MAX, INT32_MAX);
    else if (row->kind == FMI_ROW_COUNT)
      *(uint32_t *)field = (uint32_t)fmi_read_integer(r, name, text, 0, UINT32_MAX);
    else
      *(int *)field = read_name(r, row, name, text);
  }
}

const double *fmi_read_numbers(fmi_reader *r, const char *what, const char *text, size_t *n) {
  size_t count = 0;
  for (const char *word = skip_space(text); *word != '\0'; word = skip_space(word), count++)
    while (!is_ended(word))
      word++;
  double *numbers = count > 0 ? fmi_reader_alloc(r, count * sizeof *numbers) : NULL;
  const char *at = skip_space(text);
  *n = 0;
  for (size_t i = 0; i < count && numbers != NULL; i++) {
    const char *end = at;
    const bool is_true = strncmp(at, "true", 4) == 0, is_false = strncmp(at, "false", 5) == 0;
    numbers[i] = is_true || is_false ? is_true : number_at(at, &end);
    if (is_true || is_false)
      end = at + (is_true ? 4 : 5);
    if (end == at || !is_ended(end)) {
      FMI_ADD_PROBLEM(r, "'%s' of '%s' is not a list of numbers", text, what);
      return NULL;
    }
    at = skip_space(end);
  }
  *n = numbers != NULL ? count : 0;
  return numbers;
}
