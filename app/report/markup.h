/* Writes foreign text into HTML, so that it cannot become markup or a script; writes bytes in Base64. */
#ifndef APP_REPORT_MARKUP_H
#define APP_REPORT_MARKUP_H

#include <stdio.h>

#include <seam/status.h>

#include "base/json.h"

/* Writes text between tags or in an attribute. Control characters, and bytes that are not UTF-8, become U+FFFD. */
void markup_text(FILE *file, const char *text);
/* Writes the first `length` bytes of a text as markup_text() does. */
void markup_bytes(FILE *file, const char *text, size_t length);
/* Writes HTML; each %s becomes a text, written as by markup_text(). `html` has no other % signs. */
SEAM_PRINTF(2, 3) void markup_print(FILE *file, const char *html, ...);

/* Writes JSON into <script>. "<", which JSON has in strings only, becomes \u003c, so that no text ends the script. */
void markup_json(FILE *file, const char *json, size_t length);

/* Writes a number with three significant digits, or "not finite". */
void markup_number(FILE *file, double number);

/* Writes a word of a command line, quoted for POSIX shells if necessary. */
void markup_argument(FILE *file, const char *argument);

/* Writes a template. Each @{NAME} becomes what its slot writes or, if `write` is NULL, its `html`, unescaped. */
typedef struct markup_slot {
  const char *name;
  void (*write)(FILE *file, const void *context);
  const char *html;
} markup_slot;
void markup_fill(FILE *file, const char *template, const markup_slot *slots, size_t n_slots, const void *context);

/* Writes bytes in Base64 (RFC 4648). */
void base64_write(FILE *file, const void *bytes, size_t size);

/* Writes numbers as JSON for a typed array of the browser: {"f4": BASE64} or {"f8": BASE64}, little-endian. "f4":
 * floats, if `single` is true and all numbers are in their range; else doubles. */
void numbers_write(json_writer *json, const char *key, const double *values, size_t n, bool single);

#endif
