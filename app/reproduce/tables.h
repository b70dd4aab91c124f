/* Numbers in the files of studies: a cell of a table, a statistic of a column, or a value in a JSON file. */
#ifndef APP_REPRODUCE_TABLES_H
#define APP_REPRODUCE_TABLES_H

#include "app/reproduce/description.h"

/* Position of a number in a description, with the levels row, column, table. A key is sought in this order of levels;
 * the first level with the key gives its value. But if several levels have the key `where`, the conditions of all must
 * be met. */
typedef struct number_position {
  const description *of;
  const char *directory; /* directory of the results */
  const char *part;      /* part of the description, for messages */
  const json_node *levels[3];
  const char *column; /* column if no level has the key `column` */
} number_position;

/* Finds a number by the keys of its position (docs/cli.md). `of` names a study (default: the first one), `file` its
 * file. `where` {COLUMN: TEXT} chooses rows, `column` a column. `minus` {of, file, column, times} names a column to
 * subtract; `magnitude` takes absolute values. The number is the value at the time `at` or, without `at`, the statistic
 * `take`; `divide` is its divisor. NaN: the cell is empty. SEAM_BAD_INPUT, SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status tables_number(const number_position *self, double *number, seam_error *error);

/* Returns the value of a key in the first level that has it; NULL: no level has it. */
const json_node *number_key(const json_node *const levels[3], const char *key);

#endif
