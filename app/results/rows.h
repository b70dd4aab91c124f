/* Tables of numbers in files, comma-separated: rows are written whole or not at all, 17 significant digits. */
#ifndef APP_RESULTS_ROWS_H
#define APP_RESULTS_ROWS_H

#include <stddef.h>
#include <stdio.h>

#include <seam/status.h>

typedef struct app_rows {
  const char *path;
  FILE *file;
  size_t kept; /* length of the file up to its last whole row */
} app_rows;

/* Opens the file anew and has the header line of `table` written to rows->file. `path` must outlive *rows.
 * SEAM_NO_FILE. */
seam_status rows_open(const char *path, void (*write_header)(const void *table), const void *table, app_rows *rows,
                      seam_error *error);

/* Goes on after the first `length` bytes of an existing file; the rest is dropped. SEAM_NO_FILE, SEAM_BAD_STATE when it
 * is shorter. */
seam_status rows_resume(const char *path, size_t length, app_rows *rows, seam_error *error);

/* Writes a row of n values and hands it to the system. SEAM_NO_FILE. */
seam_status rows_write(app_rows *rows, const double *values, size_t n, seam_error *error);

/* SEAM_NO_FILE when what was written could not be kept. Nothing happens when the file was never opened. */
seam_status rows_close(app_rows *rows, seam_error *error);

#endif
