/* Columns of numbers in text files: fields separated by tabs, semicolons, commas or spaces. The first line has names
 * unless all its fields are numbers. Empty lines and lines that begin with # are skipped. */
#ifndef MODELS_CSV_H
#define MODELS_CSV_H

#include <stddef.h>

#include "models/source.h"

enum { CSV_LARGEST = 500 * 1000 * 1000 }; /* bytes */

/* A column by its name, which stands at `offset` of the text `from`; if `name` is NULL, by its number, from 0. */
typedef struct csv_column {
  const char *name;
  const source *from;
  size_t offset;
  size_t number;
} csv_column;

/* Reads both columns of all lines into one array, freed by the caller: *n numbers of the first, then of the second.
 * SEAM_BAD_INPUT with the place in the file, or only its name, or the place that names a column which the file lacks;
 * SEAM_NO_MEMORY. */
seam_status csv_read_two(const source *file, const csv_column columns[2], double **numbers, size_t *n,
                         seam_error *error);

#endif
