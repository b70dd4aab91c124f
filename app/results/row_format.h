/* Formats of files with result tables: how heads and rows are written. */
#ifndef APP_RESULTS_ROW_FORMAT_H
#define APP_RESULTS_ROW_FORMAT_H

#include <stdint.h>

#include <seam/results.h>

typedef struct row_format {
  const char *name; /* name of the format, and ending of file names */
  /* Returns the head of a file without rows, allocated (*size bytes); NULL: no memory. */
  char *(*head)(const seam_table *columns, size_t *size);
  /* Writes the number of rows into a head and returns the index of the first byte that changes. NULL: heads of this
   * format do not contain the number of rows. */
  size_t (*count)(char *head, size_t size, uint64_t n_rows);
  size_t (*max_row_size)(size_t n_columns); /* returns the largest number of bytes that write_row() writes for a row */
  char *(*write_row)(char *at, const double *row, size_t n_columns); /* writes a row at `at`, returns its end */
} row_format;

enum { ROW_CSV, ROW_NPY, N_ROW_FORMATS };
extern const row_format row_formats[N_ROW_FORMATS];

#endif
