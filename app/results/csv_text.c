#include "app/results/csv_text.h"

#include <stdbool.h>
#include <string.h>

void csv_write_text(FILE *file, const char *text) {
  if (strpbrk(text, ",\"\r\n") == NULL) {
    fputs(text, file);
    return;
  }
  fputc('"', file);
  for (; *text != '\0'; text++) {
    if (*text == '"')
      fputc('"', file);
    fputc(*text, file);
  }
  fputc('"', file);
}

/* Returns the end of a field: the comma after it, or the end of the line. */
static const char *skip_field(const char *at, const char *end) {
  if (at < end && *at == '"')
    for (at++; at < end && (*at != '"' || (at + 1 < end && at[1] == '"')); at++)
      at += *at == '"';
  while (at < end && *at != ',' && *at != '\n')
    at++;
  return at;
}

const char *csv_end_of_line(const char *at, const char *end) {
  for (at = skip_field(at, end); at < end && *at == ',';)
    at = skip_field(at + 1, end);
  return at < end ? at : NULL;
}

size_t csv_count_fields(const char *at) {
  const char *const end = at + strlen(at);
  size_t n = 1;
  for (at = skip_field(at, end); at < end && *at == ','; n++)
    at = skip_field(at + 1, end);
  return n;
}

char *csv_next_field(char **at) {
  char *from = *at;
  char *to = from;
  char *field = from;
  const bool is_quoted = *from == '"';
  from += is_quoted;
  for (; *from != '\0' && (is_quoted || *from != ','); from++) {
    if (is_quoted && *from == '"' && *++from != '"')
      break;
    *to++ = *from;
  }
  *at = *from == ',' ? from + 1 : NULL;
  *to = '\0';
  return field;
}
