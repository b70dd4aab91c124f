/* Declarations that the formats of table_reader.h share. */
#ifndef APP_RESULTS_TABLE_READER_INTERNAL_H
#define APP_RESULTS_TABLE_READER_INTERNAL_H

#include <stdbool.h>

#include "app/results/table_reader.h"
#include "base/arena.h"

typedef struct table_text {
  const char *name; /* name of the format */
  bool (*fits)(const table_reader *self);
  /* Finds names of columns, number of rows and the first row. */
  seam_status (*open)(table_reader *self, seam_error *error);
  seam_status (*read)(const table_reader *self, const size_t *columns, size_t n, double *values, seam_error *error);
} table_text;

struct table_reader {
  const char *path;
  const table_text *format;
  const char *text; /* (size) the file */
  size_t size;
  const char *rows; /* first row */
  size_t n_rows, n_columns;
  char **names; /* (n_columns) */
  arena memory;
};

extern const table_text csv_table, npy_table;

/* Returns SEAM_BAD_INPUT with the message "FILE: error: WHAT". */
seam_status table_refused(const table_reader *self, seam_error *error, const char *what);

#endif
