/* Lines and columns are found only for messages. Columns count characters, not bytes. */
#include "models/source.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { WINDOW = 100 }; /* bytes shown of the offending line */

static bool continues_character(char c) { return ((unsigned char)c & 0xC0) == 0x80; }

size_t source_offset(const source *of, size_t line, size_t column) {
  size_t at = 0;
  while (line > 0 && at < of->length)
    if (of->text[at++] == '\n')
      line--;
  for (; at < of->length && of->text[at] != '\n'; at++) {
    if (continues_character(of->text[at]))
      continue;
    if (column-- == 0)
      break;
  }
  return at;
}

static size_t line_start(const source *of, size_t offset) {
  while (offset > 0 && of->text[offset - 1] != '\n')
    offset--;
  return offset;
}

static size_t line_end(const source *of, size_t offset) {
  while (offset < of->length && of->text[offset] != '\n' && of->text[offset] != '\r')
    offset++;
  return offset;
}

static size_t count_characters(const char *text, size_t length) {
  size_t n = 0;
  for (size_t i = 0; i < length; i++)
    n += !continues_character(text[i]);
  return n;
}

static size_t count_lines(const char *text, size_t length) {
  size_t n = 0;
  for (size_t i = 0; i < length; i++)
    n += text[i] == '\n';
  return n;
}

/* Limits the part of the line around the offset to WINDOW bytes, at whole characters. */
static void choose_window(const source *of, size_t offset, size_t *from, size_t *to) {
  if (*to - *from <= WINDOW)
    return;
  if (offset - *from > WINDOW / 2)
    *from = offset - WINDOW / 2;
  if (*to - *from > WINDOW)
    *to = *from + WINDOW;
  while (*from < offset && continues_character(of->text[*from]))
    ++*from;
  while (*to > offset && *to < of->length && continues_character(of->text[*to]))
    --*to;
}

/* Draws blanks (tabs stay tabs) and the caret below the line. */
static void draw_caret(const char *before, size_t length, char *caret) {
  for (size_t i = 0; i < length; i++)
    if (!continues_character(before[i]))
      *caret++ = before[i] == '\t' ? '\t' : ' ';
  caret[0] = '^';
  caret[1] = '\0';
}

static seam_status fail_at(const source *of, size_t offset, seam_error *error, const char *fix, const char *cause) {
  if (offset > of->length)
    offset = of->length;
  const size_t start = line_start(of, offset);
  size_t from = start;
  size_t to = line_end(of, offset);
  if (to < offset)
    to = offset;
  choose_window(of, offset, &from, &to);
  char caret[WINDOW + 2];
  draw_caret(of->text + from, offset - from, caret);

  char place[64] = "";
  if (!of->is_option)
    snprintf(place, sizeof place, ":%zu:%zu", count_lines(of->text, start) + 1,
             count_characters(of->text + start, offset - start) + 1);
  if (to == from) /* an empty line is not shown */
    return seam_fail(error, SEAM_BAD_INPUT, "%.200s%s: error: %s%s%s", of->name, place, cause,
                     fix[0] != '\0' ? "\n" : "", fix);
  return seam_fail(error, SEAM_BAD_INPUT, "%.200s%s: error: %s\n%.*s\n%s%s%s", of->name, place, cause, (int)(to - from),
                   of->text + from, caret, fix[0] != '\0' ? "\n" : "", fix);
}

seam_status source_fail(const source *of, size_t offset, seam_error *error, const char *fix, const char *format, ...) {
  char cause[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(cause, sizeof cause, format, arguments);
  va_end(arguments);
  const char *then = fix != NULL ? fix : "";
  return of->is_made ? seam_fail(error, SEAM_BAD_INPUT, "%.200s: error: %s%s%s", of->name, cause,
                                 then[0] != '\0' ? "\n" : "", then)
                     : fail_at(of, offset, error, then, cause);
}
