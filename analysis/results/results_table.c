/* Columns of a table of results (<seam/results.h>). */
#include "analysis/results/results_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/arrays.h"
#include "base/dotted.h"

/* Returns "element.quantity", which the caller frees; *quantity then points into it. NULL: memory is exhausted. */
static char *join(const char *element, const char **quantity) {
  const size_t length = strlen(element);
  const size_t size = length + strlen(*quantity) + 2;
  char *name = malloc(size);
  if (name == NULL)
    return NULL;
  dotted_name(element, *quantity, name, size);
  *quantity = **quantity != '\0' ? name + length + 1 : "";
  return name;
}

void analysis_table_add(seam_table *self, const char *element, const char *quantity, const char *unit,
                        const char *meaning) {
  char *name = self->is_incomplete ? NULL : join(element, &quantity);
  seam_column *columns = name != NULL ? array_grow(self->columns, &self->capacity, self->n + 1, sizeof *columns) : NULL;
  self->is_incomplete = columns == NULL;
  if (self->is_incomplete) {
    free(name);
    return;
  }
  self->columns = columns;
  self->columns[self->n++] = (seam_column){name, element, quantity, unit, meaning};
}

void analysis_table_add_all(seam_table *self, const char *element, const analysis_quantity *quantities, size_t n) {
  for (size_t i = 0; i < n; i++)
    analysis_table_add(self, element, quantities[i].name, quantities[i].unit, quantities[i].meaning);
}

void analysis_table_start(seam_table *self) { analysis_table_add(self, "time", "", "s", "time"); }

void analysis_table_discard(seam_table *self) {
  for (size_t i = 0; i < self->n; i++)
    free((void *)self->columns[i].name);
  free(self->columns);
  arena_release(&self->texts);
}

seam_status analysis_table_finish(seam_table *self, seam_table **created, seam_error *error) {
  seam_table *table = self->is_incomplete ? NULL : malloc(sizeof *table);
  if (table == NULL) {
    analysis_table_discard(self);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the columns of a table");
  }
  *table = *self;
  *created = table;
  return SEAM_OK;
}

/* Returns a copy of the text, owned by the table; "" for NULL. Sets self->is_incomplete if memory is exhausted. */
static const char *copy_text(seam_table *self, const char *text) {
  const char *copy = text != NULL ? arena_text(&self->texts, text, strlen(text)) : "";
  self->is_incomplete = self->is_incomplete || copy == NULL;
  return copy;
}

seam_status seam_table_create(const seam_column *columns, size_t n, seam_table **created, seam_error *error) {
  ARGUMENTS(error, columns, created);
  seam_table made = {0};
  for (size_t i = 0; i < n; i++) {
    const char *element = copy_text(&made, columns[i].element);
    const char *unit = copy_text(&made, columns[i].unit);
    const char *meaning = copy_text(&made, columns[i].meaning);
    analysis_table_add(&made, element, columns[i].quantity != NULL ? columns[i].quantity : "", unit, meaning);
  }
  return analysis_table_finish(&made, created, error);
}

size_t seam_table_n_columns(const seam_table *table) { return table == NULL ? 0 : table->n; }

const seam_column *seam_table_column(const seam_table *table, size_t column) {
  return column < seam_table_n_columns(table) ? &table->columns[column] : NULL;
}

size_t seam_table_find(const seam_table *table, const char *name) {
  for (size_t i = 0; i < seam_table_n_columns(table) && name != NULL; i++)
    if (strcmp(table->columns[i].name, name) == 0)
      return i;
  return SEAM_NONE;
}

void seam_table_destroy(seam_table *table) {
  if (table == NULL)
    return;
  analysis_table_discard(table);
  mbs_readout_destroy(table->readout);
  free(table);
}
