/* Writes text of other origin into HTML, so that it cannot become markup or a script; and bytes in Base64. */
#ifndef APP_REPORT_MARKUP_H
#define APP_REPORT_MARKUP_H

#include <stdio.h>

#include <seam/status.h>

#include "base/json.h"

/* Writes text for use between tags or in an attribute. Control characters, and bytes that are not UTF-8, become
 * U+FFFD. */
void markup_text(FILE *file, const char *text);
/* Writes the first `length` bytes of a text as markup_text() does. */
void markup_bytes(FILE *file, const char *text, size_t length);
/* Writes HTML in which each %s is replaced by a text, written as markup_text() does. `html` has no other % signs. */
SEAM_PRINTF(2, 3) void markup_print(FILE *file, const char *html, ...);

/* Writes JSON for use in <script>. "<" becomes \u003c, so that no text can end the script; JSON contains "<" in strings
 * only. */
void markup_json(FILE *file, const char *json, size_t length);

/* Writes a number with three significant digits, or "not finite". */
void markup_number(FILE *file, double number);

/* Writes a word of a command line, quoted for POSIX shells if necessary. */
void markup_argument(FILE *file, const char *argument);

/* Writes a template in which each @{NAME} is replaced by the text that the slot of this name writes or, if `write` is
 * NULL, by `html` as it is. */
typedef struct markup_slot {
  const char *name;
  void (*write)(FILE *file, const void *context);
  const char *html;
} markup_slot;
void markup_fill(FILE *file, const char *template, const markup_slot *slots, size_t n_slots, const void *context);

/* Writes bytes in Base64 (RFC 4648). */
void base64_write(FILE *file, const void *bytes, size_t size);

/* Writes numbers as JSON that a browser converts to a typed array: {"f4": BASE64} or {"f8": BASE64}, little-endian.
 * Writes floats ("f4") if `single` is true and all numbers are in their range, else doubles ("f8"). */
void numbers_write(json_writer *json, const char *key, const double *values, size_t n, bool single);

#endif
