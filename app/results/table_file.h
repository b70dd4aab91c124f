/* A table of results in files of one or more formats. Rows are collected and passed to the operating system many at a
 * time. A file contains complete rows only. */
#ifndef APP_RESULTS_TABLE_FILE_H
#define APP_RESULTS_TABLE_FILE_H

#include <stdint.h>

#include <seam/results.h>

/* Rows of some tables have a label: a text before the numbers, which ends with a comma. */
typedef struct row_label {
  const char *head;  /* first line, before the names of columns */
  size_t max_length; /* length of the longest label */
} row_label;

/* A format: how heads and rows are written. */
typedef struct row_format {
  const char *name; /* also the ending of files */
  /* Returns the head of a file without rows, allocated (*size bytes); NULL: no memory. Only csv has labels. */
  char *(*head)(const seam_table *columns, const row_label *label, size_t *size);
  /* Writes the number of rows into a head; returns the first byte that changes. NULL: heads do not have it. */
  size_t (*count)(char *head, size_t size, uint64_t n_rows);
  size_t max_number_size;                                            /* largest number of bytes of a number in a row */
  char *(*write_row)(char *at, const double *row, size_t n_columns); /* returns the end of the row */
} row_format;

enum { ROW_CSV, ROW_NPY, N_ROW_FORMATS };
extern const row_format row_formats[N_ROW_FORMATS];

/* The first `length` bytes of a file. Their checksum omits the number of rows, bytes `gap` to `gap_end`. */
typedef struct app_extent {
  uint64_t length;       /* bytes */
  uint64_t rows;         /* complete rows in `length` */
  uint64_t gap, gap_end; /* bytes */
  uint64_t checksum;     /* see base/checksum.h */
} app_extent;

typedef struct row_file row_file;
typedef struct app_table_file {
  row_file *files[N_ROW_FORMATS]; /* NULL: not written in this format, or closed */
  uint64_t rows;                  /* after closing: rows that are complete in every file */
  const char *label;              /* text before the numbers of the next row; NULL: none */
  double row[];                   /* numbers of the next row, filled by functions of <seam/results.h> */
} app_table_file;

/* Checks the length and the checksum of a file. SEAM_NO_FILE; SEAM_BAD_STATE: it differs from `extent`. */
seam_status row_file_check(const char *path, const app_extent *extent, seam_error *error);

/* Opens new files at `paths`; NULL: not written in this format. With `extents`, continues files that passed
 * row_file_check(), and removes what follows their extents. label NULL: rows have none. Paths and columns must outlive
 * *opened. Call table_file_free() even after a failure. SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status table_file_open(const char *const paths[N_ROW_FORMATS], const seam_table *columns, const row_label *label,
                            const app_extent extents[N_ROW_FORMATS], app_table_file **opened, seam_error *error);

/* table_file_write_row() appends a row in memory. table_file_flush(), or a full buffer, passes rows to the operating
 * system. `self` NULL: nothing to pass. SEAM_NO_FILE. */
seam_status table_file_write_row(app_table_file *self, const double *row, seam_error *error);
seam_status table_file_flush(app_table_file *self, seam_error *error);

/* Stores the files on the disk and sets their extents; `self` NULL: to zeros. SEAM_NO_FILE. */
seam_status table_file_store(app_table_file *self, app_extent extents[N_ROW_FORMATS], seam_error *error);

/* Closes the files; `self` may be NULL. SEAM_NO_FILE: a file is incomplete. */
seam_status table_file_close(app_table_file *self, seam_error *error);
void table_file_free(app_table_file *self);

#endif
