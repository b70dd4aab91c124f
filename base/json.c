/* JSON by RFC 8259. */
#include "base/json.h"

#include <math.h>

#include "base/shortest.h"
#include "base/utf8.h"

void json_quote(FILE *file, const char *text) {
  const unsigned char *at = (const unsigned char *)text;
  const unsigned char *unwritten = at;
  fputc('"', file);
  for (;;) {
    while (*at >= 0x20 && *at < 0x80 && *at != '"' && *at != '\\')
      at++;
    if (*at == '\0')
      break;
    const size_t length = utf8_length(at);
    if (length > 0 && *at >= 0x20 && *at != '"' && *at != '\\') {
      at += length;
      continue;
    }
    fwrite(unwritten, 1, (size_t)(at - unwritten), file);
    if (length == 0) /* not UTF-8 */
      fputs("\\ufffd", file);
    else if (*at < 0x20)
      fprintf(file, "\\u%04x", *at);
    else
      fprintf(file, "\\%c", *at);
    unwritten = ++at;
  }
  fwrite(unwritten, 1, (size_t)(at - unwritten), file);
  fputc('"', file);
}

void json_write_number(FILE *file, double number) {
  if (isfinite(number))
    shortest_print(file, number);
  else
    fputs("null", file);
}

static void new_line(json_writer *json) {
  static const char blanks[] = "                                ";
  const int at_once = (int)sizeof blanks / 2;
  fputc('\n', json->file);
  for (int i = json->depth; i > 0; i -= at_once)
    fwrite(blanks, 1, 2 * (size_t)(i < at_once ? i : at_once), json->file);
}

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
