/* Formats of files with result tables: how their heads and rows are written. */
#ifndef APP_RESULTS_ROW_FORMAT_H
#define APP_RESULTS_ROW_FORMAT_H

#include <stdint.h>

#include <seam/results.h>

typedef struct row_format {
  const char *name; /* also the ending of files' names */
  /* Returns the head of a file without rows, allocated (*size bytes); NULL when memory is exhausted. */
  char *(*head)(const seam_table *columns, size_t *size);
  /* Writes the number of rows into the head; returns the index of the first changed byte. NULL: heads do not have this
   * number. */
  size_t (*count)(char *head, size_t size, uint64_t n_rows);
  size_t (*room)(size_t n_columns); /* largest number of bytes that `put` writes */
  char *(*put)(char *at, const double *row, size_t n_columns);
} row_format;

enum { ROW_CSV, ROW_NPY, N_ROW_FORMATS };
extern const row_format row_formats[N_ROW_FORMATS];

#endif
