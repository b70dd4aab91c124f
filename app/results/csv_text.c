#include "app/results/csv_text.h"

#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/results/output.h"
#include "base/then.h"

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

seam_status csv_table_read(const char *path, csv_table *self, seam_error *error) {
  *self = (csv_table){0};
  TRY(output_read(path, &self->text, error));
  char *const end = self->text + strlen(self->text);
  size_t n_lines = 1;
  for (const char *c = self->text; c < end; c++)
    n_lines += *c == '\n';
  self->n_columns = csv_count_fields(self->text);
  self->cells = calloc(n_lines * self->n_columns, sizeof *self->cells);
  TRY(check_memory(self->cells != NULL, error));
  for (char *line = self->text; line < end; self->n_rows++) {
    char *stop = (char *)csv_end_of_line(line, end);
    self->is_cut = stop == NULL;
    if (stop != NULL)
      *stop = '\0';
    for (size_t i = 0; i < self->n_columns && line != NULL; i++)
      self->cells[self->n_rows * self->n_columns + i] = csv_next_field(&line);
    line = stop != NULL ? stop + 1 : end;
  }
  return SEAM_OK;
}

void csv_table_free(csv_table *self) {
  free(self->cells);
  free(self->text);
}

size_t csv_table_find(const csv_table *self, const char *name) {
  for (size_t i = 0; i < self->n_columns && self->n_rows > 0 && self->cells[i] != NULL; i++)
    if (strcmp(self->cells[i], name) == 0)
      return i;
  return SEAM_NONE;
}
