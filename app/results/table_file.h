/* A table of results in files of one or more formats. Rows are collected in memory and passed to the operating system
 * many at a time. A file contains complete rows only. */
#ifndef APP_RESULTS_TABLE_FILE_H
#define APP_RESULTS_TABLE_FILE_H

#include <stdint.h>

#include <seam/results.h>

/* A format of the files: how heads and rows are written. */
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

/* The first `length` bytes of a file, and their checksum. The bytes from `gap` to `gap_end` contain the number of rows.
 * The checksum omits them, because this number still changes. */
typedef struct app_extent {
  uint64_t length;       /* bytes */
  uint64_t rows;         /* number of complete rows in `length` */
  uint64_t gap, gap_end; /* positions in the file, bytes */
  uint64_t checksum;     /* see base/checksum.h */
} app_extent;

/* A text before the numbers of each row. It ends with a comma. */
typedef struct row_label {
  const char *head;  /* text in the first line, before the names of columns */
  size_t max_length; /* length of the longest label */
} row_label;

/* Paths of the files of a table, and their extents, by format. */
typedef struct app_table_paths {
  const char *of[N_ROW_FORMATS]; /* NULL: the table is not written in this format */
} app_table_paths;
typedef struct app_extents {
  app_extent of[N_ROW_FORMATS];
} app_extents;

typedef struct row_file row_file;
typedef struct app_table_file {
  row_file *files[N_ROW_FORMATS]; /* NULL: not written in this format, or closed */
  uint64_t rows;                  /* after closing: number of rows that are complete in every file */
  const char *label;              /* text before the numbers of the next row; NULL: none */
  double row[];                   /* numbers of the next row; functions of <seam/results.h> fill them */
} app_table_file;

/* Checks that a file is at least as long as `extent`, and that its first bytes have the checksum in `extent`.
 * SEAM_NO_FILE, SEAM_BAD_STATE. */
seam_status row_file_check(const char *path, const app_extent *extent, seam_error *error);

/* If `extents` is NULL, opens new files and writes their heads. Else continues existing files, which have passed
 * row_file_check(): removes all but their first extents->of[...].length bytes. label NULL: rows have no label.
 * Paths and columns must outlive *opened. Call table_file_free() even after a failure. SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status table_file_open(const app_table_paths *paths, const seam_table *columns, const row_label *label,
                            const app_extents *extents, app_table_file **opened, seam_error *error);

/* table_file_write_row() appends a row. Rows remain in memory until table_file_flush() or a full buffer passes them to
 * the operating system. table_file_flush() does nothing if `self` is NULL. SEAM_NO_FILE. */
seam_status table_file_write_row(app_table_file *self, const double *row, seam_error *error);
seam_status table_file_flush(app_table_file *self, seam_error *error);

/* Stores the files on the disk and sets *extents to their extents; `self` NULL: to zeros. SEAM_NO_FILE. */
seam_status table_file_store(app_table_file *self, app_extents *extents, seam_error *error);

/* Closes the files; `self` may be NULL. SEAM_NO_FILE: a file is incomplete. */
seam_status table_file_close(app_table_file *self, seam_error *error);
void table_file_free(app_table_file *self);

#endif
