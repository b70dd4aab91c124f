/* Contents of a table of results. */
#ifndef ANALYSIS_RESULTS_TABLE_H
#define ANALYSIS_RESULTS_TABLE_H

#include <seam/results.h>

#include "base/arena.h"

struct seam_table {
  const mbs_model *model;
  const cosim_simulation *simulation;
  size_t n, capacity;
  seam_column *columns; /* (n) */
  bool is_incomplete;   /* columns are missing, since memory was exhausted */
  mbs_readout *readout; /* reads a trajectory's columns */
  arena texts;          /* texts of the columns that seam_table_create() copied */
};

/* Starts a table; its first column is `time`. */
void analysis_table_start(seam_table *self);

/* Adds a column. `element`, `unit` and `meaning` must outlive the table; `quantity` is copied. */
void analysis_table_add(seam_table *self, const char *element, const char *quantity, const char *unit,
                        const char *meaning);

/* A quantity of an element, with the texts for its column. */
typedef struct analysis_quantity {
  const char *name, *unit, *meaning;
} analysis_quantity;
void analysis_table_add_all(seam_table *self, const char *element, const analysis_quantity *quantities, size_t n);

/* Frees the columns of a table that analysis_table_finish() has not finished. */
void analysis_table_discard(seam_table *self);

/* Returns in *created a copy of a filled table. If memory was exhausted when a column was added, frees the table and
 * fails with SEAM_NO_MEMORY. */
seam_status analysis_table_finish(seam_table *self, seam_table **created, seam_error *error);

#endif
