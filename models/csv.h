/* Columns of numbers in text files: fields apart by tabs, semicolons, commas or spaces, the first line their names
 * unless it has numbers. Empty lines, and those that begin with #, count for nothing. */
#ifndef MODELS_CSV_H
#define MODELS_CSV_H

#include <stddef.h>

#include "models/source.h"

enum { CSV_LARGEST = 500 * 1000 * 1000 }; /* bytes */

/* A column: by its name, which stands there in another text; NULL: by its number, from 0. */
typedef struct csv_column {
  const char *name;
  const source *from;
  size_t offset;
  size_t number;
} csv_column;

/* Both columns of all lines, to be freed by the caller as one piece: *n numbers of the first, then those of the second.
 * SEAM_BAD_INPUT with the place in the file, with its name alone, or where a column is named that it lacks;
 * SEAM_NO_MEMORY. */
seam_status csv_read_two(const source *file, const csv_column columns[2], double **numbers, size_t *n,
                         seam_error *error);

#endif
