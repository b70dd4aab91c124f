/* Chooses the columns of a trajectory by a list of names (<seam/results.h>). */
#include <stdlib.h>
#include <string.h>

#include "analysis/results/results_table.h"
#include "base/argument.h"
#include "base/arrays.h"
#include "base/table.h"
#include "base/then.h"
#include "mbs/output/readout.h"

/* The columns that have been chosen so far. */
typedef struct choice {
  seam_table table;
  mbs_quantity *quantities; /* (table.n) quantity of each column */
  size_t capacity;
  table names; /* names of these columns, to find repetitions */
  bool may_repeat;
} choice;

static void add(choice *self, mbs_quantity quantity) {
  const mbs_quantity_info info = mbs_quantity_of(self->table.model, quantity);
  seam_table *columns = &self->table;
  mbs_quantity *grown = array_grow(self->quantities, &self->capacity, columns->n + 1, sizeof *grown);
  columns->is_incomplete = columns->is_incomplete || grown == NULL;
  self->quantities = grown != NULL ? grown : self->quantities;
  if (columns->is_incomplete)
    return;
  self->quantities[columns->n] = quantity;
  analysis_table_add(columns, info.element, info.name, info.unit, info.meaning);
  if (columns->is_incomplete || !self->may_repeat)
    return;
  const char *name = columns->columns[columns->n - 1].name;
  const size_t length = strlen(name);
  if (table_find(&self->names, name, length) != NULL)
    free((void *)columns->columns[--columns->n].name);
  else
    columns->is_incomplete = !table_add(&self->names, name, length, 0);
}

/* ---- Choice ---- */

typedef enum column_set { DEFAULT, ALL } column_set;

static void add_element(choice *self, mbs_owner owner, size_t element, column_set which) {
  const size_t n = mbs_n_quantities(self->table.model, owner, element);
  for (size_t i = 0; i < n; i++) {
    const mbs_quantity quantity = {owner, element, i};
    if (which == ALL || mbs_quantity_of(self->table.model, quantity).is_usual)
      add(self, quantity);
  }
}

static void add_owner(choice *self, mbs_owner owner, column_set which) {
  const size_t n = mbs_n_elements(self->table.model, owner);
  for (size_t i = 0; i < n; i++)
    add_element(self, owner, i, which);
}

enum { TIME, ENERGY }; /* elements of the owner MBS_WHOLE, the entire mechanism */

static void add_elements(choice *self, column_set which) {
  add_owner(self, MBS_BODIES, which);
  add_owner(self, MBS_JOINTS, which);
  add_owner(self, MBS_FORCES, which);
  add_element(self, MBS_WHOLE, ENERGY, which);
  add_owner(self, MBS_VARIABLES, which);
  add_owner(self, MBS_MEASURES, which);
}

static bool is_word(const char *text, size_t length, const char *word) {
  return strlen(word) == length && memcmp(text, word, length) == 0;
}

static seam_status add_named(choice *self, const char *name, size_t length, seam_error *error) {
  const mbs_model *model = self->table.model;
  mbs_quantity found;
  if (is_word(name, length, "default")) {
    add_elements(self, DEFAULT);
  } else if (is_word(name, length, "all")) {
    add_elements(self, ALL);
  } else if (mbs_find_quantity_of_length(model, name, length, &found)) {
    add(self, found);
  } else if (mbs_find_element_of_length(model, name, length, &found)) {
    add_element(self, found.owner, found.element, ALL);
  } else {
    char hint[400];
    mbs_suggest(model, name, length, hint, sizeof hint);
    return seam_fail(error, SEAM_BAD_INPUT, "unknown column '%.*s'%s%s", (int)(length < 100 ? length : 100), name,
                     hint[0] != '\0' ? "; " : "; columns are default, all, ELEMENT or ELEMENT.QUANTITY, between commas",
                     hint);
  }
  return SEAM_OK;
}

static seam_status add_list(choice *self, const char *columns, seam_error *error) {
  self->may_repeat = strchr(columns, ',') != NULL;
  add_element(self, MBS_WHOLE, TIME, ALL);
  for (const char *at = columns;; at++) {
    const size_t length = strcspn(at, ",");
    const seam_status status = add_named(self, at, length, error);
    at += length;
    if (status != SEAM_OK || *at == '\0')
      return status;
  }
}

/* ---- The table ---- */

seam_status seam_trajectory_table_choose(const mbs_model *model, const char *columns, seam_table **created,
                                         seam_error *error) {
  ARGUMENTS(error, model, columns, created);
  choice chosen = {.table = {.model = model}};
  seam_status status = add_list(&chosen, columns, error);
  if (status == SEAM_OK) {
    seam_table *made = NULL;
    status = analysis_table_finish(&chosen.table, &made, error);
    THEN(status, mbs_readout_create(made->model, chosen.quantities, made->n, &made->readout, error));
    if (status == SEAM_OK)
      *created = made;
    else
      seam_table_destroy(made);
  } else
    analysis_table_discard(&chosen.table);
  table_release(&chosen.names);
  free(chosen.quantities);
  return status;
}
