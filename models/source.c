/* Lines and columns are computed only for messages. Columns count characters, not bytes. */
#include "models/source.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

enum { WINDOW = 100 }; /* largest number of bytes shown of the offending line */

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

seam_status source_fail(const source *of, size_t offset, seam_error *error, const char *fix, const char *format, ...) {
  char cause[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(cause, sizeof cause, format, arguments);
  va_end(arguments);
  fix = fix != NULL ? fix : "";
  const char *fix_line = fix[0] != '\0' ? "\n" : "";
  if (of->is_made)
    return seam_fail(error, SEAM_BAD_INPUT, "%.200s: error: %s%s%s", of->name, cause, fix_line, fix);
  offset = offset < of->length ? offset : of->length;
  size_t start = offset; /* start of the line */
  while (start > 0 && of->text[start - 1] != '\n')
    start--;
  size_t from = start; /* shown part of the line, around `offset`; begins at the first byte of a character */
  size_t to = offset;
  while (to < of->length && of->text[to] != '\n' && of->text[to] != '\r')
    to++;
  if (to - from > WINDOW) {
    if (offset - from > WINDOW / 2)
      from = offset - WINDOW / 2;
    if (to - from > WINDOW)
      to = from + WINDOW;
    while (from < offset && continues_character(of->text[from]))
      from++;
    while (to > offset && to < of->length && continues_character(of->text[to]))
      to--;
  }
  char blanks[WINDOW + 1]; /* text in front of the caret: blanks, and tabs where the line has tabs */
  size_t n_blanks = 0;
  for (size_t i = from; i < offset; i++)
    if (!continues_character(of->text[i]))
      blanks[n_blanks++] = of->text[i] == '\t' ? '\t' : ' ';
  blanks[n_blanks] = '\0';
  char position[64] = "";
  size_t line = 1, column = 1;
  for (size_t i = 0; i < start; i++)
    line += of->text[i] == '\n';
  for (size_t i = start; i < offset; i++)
    column += !continues_character(of->text[i]);
  if (!of->is_option)
    snprintf(position, sizeof position, ":%zu:%zu", line, column);
  if (to == from) /* an empty line is left out of the message */
    return seam_fail(error, SEAM_BAD_INPUT, "%.200s%s: error: %s%s%s", of->name, position, cause, fix_line, fix);
  return seam_fail(error, SEAM_BAD_INPUT, "%.200s%s: error: %s\n%.*s\n%s^%s%s", of->name, position, cause,
                   (int)(to - from), of->text + from, blanks, fix_line, fix);
}
