#include "app/report/markup.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/printable.h"
#include "base/utf8.h"

/* ---- Characters ---- */

static const char *entity_of(char c) {
  switch (c) {
  case '&':
    return "&amp;";
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  case '"':
    return "&quot;";
  case '\'':
    return "&#39;";
  default:
    return NULL;
  }
}

static size_t write_character(FILE *file, const char *at) {
  static const char replacement[] = "\xef\xbf\xbd";
  const size_t length = utf8_length((const unsigned char *)at);
  const char *entity = entity_of(*at);
  if (*at == '\r') /* of CR LF only LF is written */
    return 1;
  if (length == 0 || text_is_control(at) || *at == '\0')
    fputs(replacement, file);
  else if (entity != NULL)
    fputs(entity, file);
  else
    fwrite(at, 1, length, file);
  return length > 0 ? length : 1;
}

void markup_text(FILE *file, const char *text) {
  while (*text != '\0')
    text += write_character(file, text);
}

/* A UTF-8 sequence that is cut off at the end counts as invalid. */
void markup_bytes(FILE *file, const char *text, size_t length) {
  for (size_t i = 0; i < length;) {
    char character[5] = {0};
    memcpy(character, text + i, length - i < 4 ? length - i : 4);
    i += write_character(file, character);
  }
}

void markup_json(FILE *file, const char *json, size_t length) {
  const char *const end = json + length;
  while (json < end) {
    const char *less = memchr(json, '<', (size_t)(end - json));
    const char *stop = less != NULL ? less : end;
    fwrite(json, 1, (size_t)(stop - json), file);
    if (less != NULL)
      fputs("\\u003c", file);
    json = less != NULL ? less + 1 : end;
  }
}

void markup_number(FILE *file, double number) {
  if (isfinite(number))
    fprintf(file, "%.3g", number);
  else
    fputs("not finite", file);
}

/* ---- Words of a shell ---- */

static bool is_plain(const char *argument) {
  const char *at = argument;
  while (isalnum((unsigned char)*at) || (*at != '\0' && strchr("_-./=:,+@%", *at) != NULL))
    at++;
  return *argument != '\0' && *at == '\0';
}

void markup_argument(FILE *file, const char *argument) {
  if (is_plain(argument)) {
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

/* ---- Templates ---- */

void markup_fill(FILE *file, const char *template, const markup_slot *slots, size_t n_slots, const void *context) {
  const char *at = template;
  for (const char *mark = strstr(at, "@{"); mark != NULL; mark = strstr(at, "@{")) {
    const char *name = mark + 2;
    const size_t length = strcspn(name, "}");
    fwrite(at, 1, (size_t)(mark - at), file);
    for (size_t i = 0; i < n_slots; i++)
      if (strlen(slots[i].name) == length && memcmp(slots[i].name, name, length) == 0)
        slots[i].write(file, context);
    at = name + length + 1;
  }
  fputs(at, file);
}
