/* Names of columns as identifiers of programming languages (<seam/results.h>). Characters other than letters and digits
 * become _. An x is put before a first character that is not a letter, as MATLAB's matlab.lang.makeValidName does. */
#include <stdlib.h>
#include <string.h>

#include "analysis/results/results_table.h"
#include "base/argument.h"
#include "base/table.h"

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* Returns the identifier of a column and, after its terminating zero, the name of the column's quantity, unchanged. The
 * caller frees it. NULL: memory is exhausted. */
static char *make_identifier(const seam_column *column) {
  const size_t length = strlen(column->name);
  const size_t prefix = !is_letter(column->name[0]);
  const size_t quantity_size = strlen(column->quantity) + 1;
  char *made = malloc(prefix + length + 1 + quantity_size);
  if (made == NULL)
    return NULL;
  made[0] = 'x';
  for (size_t i = 0; i <= length; i++) {
    const char c = column->name[i];
    made[prefix + i] = c == '\0' || is_letter(c) || (c >= '0' && c <= '9') ? c : '_';
  }
  memcpy(made + prefix + length + 1, column->quantity, quantity_size);
  return made;
}

static seam_status no_memory(seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory for the names of columns");
}

static seam_status add_identifier(const seam_table *self, char **names, size_t column, table *taken,
                                  seam_error *error) {
  names[column] = make_identifier(&self->columns[column]);
  if (names[column] == NULL)
    return no_memory(error);
  const size_t length = strlen(names[column]);
  const table_slot *other = table_find(taken, names[column], length);
  if (other != NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "the columns '%s' and '%s' would both be named '%s'; rename an element of the model, or keep the "
                     "names as they are",
                     self->columns[other->value].name, self->columns[column].name, names[column]);
  return table_add(taken, names[column], length, column) ? SEAM_OK : no_memory(error);
}

seam_status seam_table_use_identifiers(seam_table *self, seam_error *error) {
  ARGUMENTS(error, self);
  char **names = calloc(self->n, sizeof *names);
  if (names == NULL)
    return no_memory(error);
  table taken = {0};
  seam_status status = SEAM_OK;
  for (size_t i = 0; i < self->n && status == SEAM_OK; i++)
    status = add_identifier(self, names, i, &taken, error);
  if (status == SEAM_OK) {
    for (size_t i = 0; i < self->n; i++) {
      seam_column *column = &self->columns[i];
      const char *old = column->name;
      column->name = names[i];
      column->quantity = names[i] + strlen(names[i]) + 1;
      names[i] = (char *)old;
    }
  }
  for (size_t i = 0; i < self->n; i++)
    free(names[i]);
  table_release(&taken);
  free(names);
  return status;
}
