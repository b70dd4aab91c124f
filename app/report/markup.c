#include "app/report/markup.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

/* Writes the character at `at`, and returns its number of bytes. */
static size_t write_character(FILE *file, const char *at) {
  static const char special[] = "&<>\"'";
  static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  const size_t length = utf8_length((const unsigned char *)at);
  if (*at == '\r') /* of CR LF only LF is written */
    return 1;
  if (length == 0 || text_is_control(at) || *at == '\0')
    fputs("\xef\xbf\xbd", file);
  else if (strchr(special, *at) != NULL)
    fputs(entities[strchr(special, *at) - special], file);
  else
    fwrite(at, 1, length, file);
  return length > 0 ? length : 1;
}

void markup_text(FILE *file, const char *text) {
  while (*text != '\0')
    text += write_character(file, text);
}

void markup_print(FILE *file, const char *html, ...) {
  va_list texts;
  va_start(texts, html);
  for (const char *mark = strstr(html, "%s"); mark != NULL; mark = strstr(html, "%s")) {
    fwrite(html, 1, (size_t)(mark - html), file);
    markup_text(file, va_arg(texts, const char *));
    html = mark + 2;
  }
  va_end(texts);
  fputs(html, file);
}

/* A UTF-8 sequence cut off at the end counts as invalid. */
void markup_bytes(FILE *file, const char *text, size_t length) {
  for (size_t i = 0; i < length;) {
    char character[5] = {0};
    memcpy(character, text + i, length - i < 4 ? length - i : 4);
    i += write_character(file, character);
  }
}

void markup_json(FILE *file, const char *json, size_t length) {
  for (size_t i = 0; i < length; i++)
    if (json[i] == '<')
      fputs("\\u003c", file);
    else
      fputc(json[i], file);
}

void markup_number(FILE *file, double number) {
  if (isfinite(number))
    fprintf(file, "%.3g", number);
  else
    fputs("not finite", file);
}

void markup_argument(FILE *file, const char *argument) {
  const char *plain = argument;
  while (isalnum((unsigned char)*plain) || (*plain != '\0' && strchr("_-./=:,+@%", *plain) != NULL))
    plain++;
  if (*argument != '\0' && *plain == '\0') {
    fputs(argument, file);
    return;
  }
  fputs("&#39;", file);
  for (const char *at = argument; *at != '\0';)
    if (*at == '\'') {
      fputs("&#39;\\&#39;&#39;", file);
      at++;
    } else {
      at += write_character(file, at);
    }
  fputs("&#39;", file);
}

void markup_fill(FILE *file, const char *template, const markup_slot *slots, size_t n_slots, const void *context) {
  const char *at = template;
  for (const char *mark = strstr(at, "@{"); mark != NULL; mark = strstr(at, "@{")) {
    const char *name = mark + 2;
    const size_t length = strcspn(name, "}");
    fwrite(at, 1, (size_t)(mark - at), file);
    for (size_t i = 0; i < n_slots; i++)
      if (strlen(slots[i].name) == length && memcmp(slots[i].name, name, length) == 0) {
        if (slots[i].write != NULL)
          slots[i].write(file, context);
        else
          fputs(slots[i].html, file);
      }
    at = name + length + 1;
  }
  fputs(at, file);
}

/* ---- Base64 (RFC 4648) ---- */

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_write(FILE *file, const void *bytes, size_t size) {
  for (size_t i = 0; i < size; i += 3) { /* NOLINTBEGIN(clang-analyzer-core.*): all `size` bytes are set */
    const unsigned char *from = (const unsigned char *)bytes + i;
    const size_t n = size - i;
    char text[4];
    /* Three bytes give four digits of six bits. Missing bytes count as 0; a digit of missing bytes only is '='. */
    const unsigned word = (unsigned)from[0] << 16 | (n > 1 ? (unsigned)from[1] << 8 : 0) | (n > 2 ? from[2] : 0);
    for (size_t j = 0; j < 4; j++)
      text[j] = j <= n ? digits[word >> (18 - 6 * j) & 63] : '=';
    fwrite(text, 1, sizeof text, file);
  } /* NOLINTEND(clang-analyzer-core.*) */
}

void numbers_write(json_writer *json, const char *key, const double *values, size_t n, bool single) {
  bool is_single = single;
  for (size_t i = 0; i < n && is_single; i++)
    is_single = !(fabs(values[i]) > 1e38);
  json_open(json, key, '{');
  json_raw(json, is_single ? "f4" : "f8", "\"");
  if (is_single) {
    float part[3072]; /* a multiple of three bytes, so that only the last part is padded */
    for (size_t i = 0; i < n; i += sizeof part / sizeof *part) {
      const size_t m = n - i < sizeof part / sizeof *part ? n - i : sizeof part / sizeof *part;
      for (size_t k = 0; k < m; k++)
        part[k] = (float)values[i + k];
      base64_write(json->file, part, m * sizeof *part);
    }
  } else
    base64_write(json->file, values, n * sizeof *values);
  fputc('"', json->file);
  json_close(json, '}');
}
