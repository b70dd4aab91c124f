/* Numbers in the files that studies leave: a cell of a table, a figure over one of its columns, a value of a JSON
 * file. */
#ifndef APP_REPRODUCE_TABLES_H
#define APP_REPRODUCE_TABLES_H

#include "app/reproduce/description.h"

/* Place of a number: keys of a row, a column and a table of a description, of which the first that has a key counts;
 * conditions of `where` count together. */
typedef struct number_place {
  const json_node *levels[3];
  const char *column; /* where no level names one */
} number_place;

/* The keys: of (study), file, where {COLUMN: TEXT}, column, take, minus {of, file, column}, magnitude, divide, at. NaN
 * where the cell is empty. SEAM_BAD_INPUT, SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status tables_number(const description *self, const char *directory, const number_place *place, const char *part,
                          double *number, seam_error *error);

/* The value of a key, in the first level that has it; NULL. */
const json_node *number_place_key(const number_place *place, const char *key);

#endif
