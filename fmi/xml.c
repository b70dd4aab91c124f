#include "fmi/xml.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/number.h"
#include "base/utf8.h"

enum { MAX_PROBLEMS = 100 };

const fmi_row fmi_base_unit_rows[] = {
    FMI_ROW("kg", FMI_ROW_INT, fmi_unit, kg),
    FMI_ROW("m", FMI_ROW_INT, fmi_unit, m),
    FMI_ROW("s", FMI_ROW_INT, fmi_unit, s),
    FMI_ROW("A", FMI_ROW_INT, fmi_unit, A),
    FMI_ROW("K", FMI_ROW_INT, fmi_unit, K),
    FMI_ROW("mol", FMI_ROW_INT, fmi_unit, mol),
    FMI_ROW("cd", FMI_ROW_INT, fmi_unit, cd),
    FMI_ROW("rad", FMI_ROW_INT, fmi_unit, rad),
    FMI_ROW("factor", FMI_ROW_NUMBER, fmi_unit, factor),
    FMI_ROW("offset", FMI_ROW_NUMBER, fmi_unit, offset),
};

/* ---- Memory and problems ---- */

void fmi_reader_add(fmi_reader *r, fmi_list *to, const void *item, size_t size) {
  void *items = array_grow(to->items, &to->capacity, to->n + 1, size);
  r->no_memory |= items == NULL;
  if (items == NULL)
    return;
  to->items = items;
  memcpy((char *)items + to->n++ * size, item, size);
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
  const char *problem = fmi_reader_copy(r, text);
  fmi_reader_add(r, &r->problems, &problem, sizeof problem);
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

/* ---- Parsing ---- */

static void XMLCALL on_entity(void *context, const XML_Char *name, int is_parameter, const XML_Char *value, int length,
                              const XML_Char *base, const XML_Char *system, const XML_Char *public,
                              const XML_Char *notation) {
  fmi_reader *r = context;
  (void)is_parameter, (void)value, (void)length, (void)base, (void)system, (void)public, (void)notation;
  FMI_ADD_PROBLEM(r, "entity '%s' is declared, which Seam refuses: write its text in its place", name);
  XML_StopParser(r->parser, XML_FALSE);
}

void fmi_reader_parse(fmi_reader *r, const char *text, size_t size, XML_StartElementHandler start,
                      XML_EndElementHandler end) {
  XML_SetUserData(r->parser, r);
  XML_SetElementHandler(r->parser, start, end);
  XML_SetEntityDeclHandler(r->parser, on_entity);
  bool parsed = true;
  size_t left = size;
  for (const char *at = text; parsed && left > 0;) {
    const size_t piece = left < 1 << 20 ? left : 1 << 20;
    left -= piece;
    parsed = XML_Parse(r->parser, at, (int)piece, left == 0) == XML_STATUS_OK;
    at += piece;
  }
  if (size == 0)
    FMI_ADD_PROBLEM(r, "the file is empty");
  if (!parsed && XML_GetErrorCode(r->parser) != XML_ERROR_ABORTED)
    FMI_ADD_PROBLEM(r, "not well-formed XML, %s", XML_ErrorString(XML_GetErrorCode(r->parser)));
}

/* ---- Values of attributes ---- */

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
  const char *begin = skip_space(text);
  const char *end = begin;
  const double number = number_at(begin, &end);
  if (end != begin && *skip_space(end) == '\0')
    return number;
  FMI_ADD_PROBLEM(r, "attribute %s is '%s', not a number", name, text);
  return NAN;
}

double fmi_read_integer(fmi_reader *r, const char *name, const char *text, double low, double high) {
  const char *begin = skip_space(text);
  const char *end = begin;
  const double number = number_at(begin, &end);
  if (end != begin && *skip_space(end) == '\0' && number >= low && number <= high && floor(number) == number)
    return number;
  FMI_ADD_PROBLEM(r, "attribute %s is '%s', not a whole number from %.0f to %.0f", name, text, low, high);
  return low;
}

static int read_name(fmi_reader *r, const fmi_row *row, const char *name, const char *text) {
  for (int i = 0; i == 0 || row->names[i] != NULL; i++)
    if (strcmp(row->names[i], text) == 0 && text[0] != '\0')
      return i;
  FMI_ADD_PROBLEM(r, "attribute %s is '%s', which the standard does not know", name, text);
  return 0;
}

void fmi_read_rows(fmi_reader *r, const fmi_row *rows, size_t n, const fmi_tag *tag, void *at) {
  for (const fmi_row *row = rows; row < rows + n; row++) {
    const char *name = r->version == FMI_2 ? row->name2 : row->name3;
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

static int digit_of(char c) {
  const char *digits = "0123456789abcdef";
  const char *at = c != '\0' ? strchr(digits, tolower((unsigned char)c)) : NULL;
  return at != NULL ? (int)(at - digits) : -1;
}

const char *fmi_uri_decode(const char *from, char *to) {
  for (; *from != '\0'; from++) {
    const int high = *from == '%' ? digit_of(from[1]) : -1, low = high >= 0 ? digit_of(from[2]) : -1;
    *to++ = (char)(low >= 0 ? 16 * high + low : *from);
    from += low >= 0 ? 2 : 0;
  }
  *to = '\0';
  return to;
}

/* ---- Writing ---- */

void fmi_xml_attribute(FILE *to, const char *name, const char *text) {
  /* Characters that are markup in XML, and white space that parsers would replace by spaces. */
  static const struct {
    char character;
    const char *text;
  } escapes[] = {{'&', "&amp;"}, {'<', "&lt;"},   {'>', "&gt;"},  {'"', "&quot;"},
                 {'\t', "&#9;"}, {'\n', "&#10;"}, {'\r', "&#13;"}};
  fprintf(to, " %s=\"", name);
  while (*text != '\0') {
    const char *escape = NULL;
    for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++)
      if (escapes[i].character == *text)
        escape = escapes[i].text;
    const size_t length = utf8_length((const unsigned char *)text);
    if (length == 0 || (escape == NULL && (unsigned char)*text < 0x20))
      break;
    if (escape != NULL)
      fputs(escape, to);
    else
      fwrite(text, 1, length, to);
    text += length;
  }
  fputc('"', to);
}

void fmi_xml_number(FILE *to, double number) {
  if (isinf(number))
    fputs(number > 0 ? "INF" : "-INF", to);
  else if (isnan(number))
    fputs("NaN", to);
  else
    shortest_print(to, number);
}

void fmi_xml_number_attribute(FILE *to, const char *name, double number) {
  fprintf(to, " %s=\"", name);
  fmi_xml_number(to, number);
  fputc('"', to);
}
