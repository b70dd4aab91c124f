/* JSON as in RFC 8259. */
#include "base/json.h"

#include <math.h>

#include "base/shortest.h"

/* Length of the valid UTF-8 sequence (RFC 3629) at `text`, 0 when there is none. The terminating zero is not a
 * continuation byte, so nothing is read past it. */
static size_t utf8_length(const unsigned char *text) {
  /* Columns: range of the first byte, range of the second, bytes. */
  static const struct {
    unsigned char first, last, second_first, second_last;
    size_t length;
  } table[] = {
      {0x00, 0x7f, 0x00, 0xff, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
      {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
      {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
  };
  size_t row = 0;
  const size_t n_rows = sizeof table / sizeof *table;
  while (row < n_rows && (text[0] < table[row].first || text[0] > table[row].last))
    row++;
  if (row == n_rows)
    return 0;
  if (table[row].length > 1 && (text[1] < table[row].second_first || text[1] > table[row].second_last))
    return 0;
  for (size_t i = 2; i < table[row].length; i++)
    if (text[i] < 0x80 || text[i] > 0xbf)
      return 0;
  return table[row].length;
}

void json_quote(FILE *file, const char *text) {
  const unsigned char *at = (const unsigned char *)text;
  fputc('"', file);
  while (*at) {
    const size_t length = utf8_length(at);
    if (length == 0)
      fputs("\\ufffd", file);
    else if (*at < 0x20)
      fprintf(file, "\\u%04x", *at);
    else if (*at == '"' || *at == '\\')
      fprintf(file, "\\%c", *at);
    else
      fwrite(at, 1, length, file);
    at += length ? length : 1;
  }
  fputc('"', file);
}

void json_write_number(FILE *file, double number) {
  if (isfinite(number))
    shortest_print(file, number);
  else
    fputs("null", file);
}

static void new_line(json_writer *json) { fprintf(json->file, "\n%*s", 2 * json->depth, ""); }

static void begin_value(json_writer *json, const char *key) {
  if (json->follows)
    fputc(',', json->file);
  if (json->depth > 0)
    new_line(json);
  if (key) {
    json_quote(json->file, key);
    fputs(": ", json->file);
  }
  json->follows = true;
}

void json_open(json_writer *json, const char *key, char bracket) {
  begin_value(json, key);
  fputc(bracket, json->file);
  json->depth++;
  json->follows = false;
}

void json_close(json_writer *json, char bracket) {
  json->depth--;
  if (json->follows)
    new_line(json);
  fputc(bracket, json->file);
  if (json->depth == 0)
    fputc('\n', json->file);
  json->follows = true;
}

void json_string(json_writer *json, const char *key, const char *text) {
  begin_value(json, key);
  json_quote(json->file, text);
}

void json_number(json_writer *json, const char *key, double number) {
  begin_value(json, key);
  json_write_number(json->file, number);
}

void json_count(json_writer *json, const char *key, size_t number) {
  begin_value(json, key);
  fprintf(json->file, "%zu", number);
}

void json_raw(json_writer *json, const char *key, const char *text) {
  begin_value(json, key);
  fputs(text, json->file);
}
