/* Reads back what a run wrote. */
#ifndef TESTS_SUPPORT_RUN_RESULTS_H
#define TESTS_SUPPORT_RUN_RESULTS_H

#include <stddef.h>

typedef struct csv {
  size_t n_rows, n_columns;
  char *header;
  double *values; /* (n_rows x n_columns), row by row */
} csv;

/* Reads a table of numbers under one header line; fails the test when a row has another length or is torn. */
csv csv_read(const char *path);
void csv_free(csv *table);

/* Value in a row of the column with that name, which must exist. */
double csv_at(const csv *table, size_t row, const char *column);
/* That of the last row of a file. */
double csv_last(const char *path, const char *column);

/* Reads a JSON file and returns the scalar at a path such as "/verdict/time" as text to be freed, or NULL when there is
 * none; fails the test when the file is not JSON. */
char *json_at(const char *path, const char *place);
double json_number_at(const char *path, const char *place);

#endif
