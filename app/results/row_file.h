/* A file that grows row by row. Rows are gathered and handed to the system together, whole or not at all. */
#ifndef APP_RESULTS_ROW_FILE_H
#define APP_RESULTS_ROW_FILE_H

#include <stdint.h>

#include "app/results/row_format.h"

/* The first bytes of a file, except those from `gap` to `gap_end`, which change as it grows. */
typedef struct app_extent {
  uint64_t length;       /* bytes */
  uint64_t rows;         /* complete rows in `length` */
  uint64_t gap, gap_end; /* bytes from the start */
  uint64_t checksum;     /* see base/checksum.h */
} app_extent;

/* A text before the numbers of each row, ending in a comma. */
typedef struct row_label {
  const char *head; /* text before the names of columns */
  size_t room;      /* length of the longest label */
} row_label;

typedef struct row_file row_file;

/* Checks that the file begins with the bytes of `kept`. SEAM_NO_FILE, SEAM_BAD_STATE. */
seam_status row_file_check(const char *path, const app_extent *kept, seam_error *error);

/* Opens a new file and writes its head; with `kept` (NULL: none) continues the present file after these bytes, which
 * row_file_check() found, and drops the rest. `label` NULL: rows have none. `path` and `columns` must outlive *opened.
 * Close *opened unless it is NULL. SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status row_file_open(const char *path, const row_format *format, const seam_table *columns, const row_label *label,
                          const app_extent *kept, row_file **opened, seam_error *error);

/* Takes a row (n_columns) with its label (NULL: none); handing over passes the rows taken to the system.
 * SEAM_NO_FILE. */
seam_status row_file_add(row_file *self, const char *label, const double *row, seam_error *error);
seam_status row_file_hand_over(row_file *self, seam_error *error);

/* Stores the file on the disk; *kept becomes its extent. SEAM_NO_FILE. */
seam_status row_file_store(row_file *self, app_extent *kept, seam_error *error);

/* Hands over, closes and frees; *rows are whole in the file. SEAM_NO_FILE: the file is incomplete, unless an earlier
 * call failed. */
seam_status row_file_close(row_file *self, uint64_t *rows, seam_error *error);

#endif
