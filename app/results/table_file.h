/* A table of results in files of one or more formats. Rows wait in memory and are handed to the system many at a time;
 * only complete rows are left in a file. */
#ifndef APP_RESULTS_TABLE_FILE_H
#define APP_RESULTS_TABLE_FILE_H

#include "app/results/row_format.h"

/* The first `length` bytes of a file with their checksum. The bytes from `gap` to `gap_end` hold the number of rows; as
 * this still changes, the checksum leaves them out. */
typedef struct app_extent {
  uint64_t length;       /* bytes */
  uint64_t rows;         /* complete rows in `length` */
  uint64_t gap, gap_end; /* bytes from the start */
  uint64_t checksum;     /* see base/checksum.h */
} app_extent;

/* A text that stands before the numbers of each row; it ends in a comma. */
typedef struct row_label {
  const char *head; /* text before the names of columns */
  size_t room;      /* length of the longest label */
} row_label;

/* Paths of a table's files, and their extents. */
typedef struct app_table_paths {
  const char *of[N_ROW_FORMATS]; /* NULL: not in this format */
} app_table_paths;
typedef struct app_extents {
  app_extent of[N_ROW_FORMATS];
} app_extents;

typedef struct row_file row_file;
typedef struct app_table_file {
  row_file *files[N_ROW_FORMATS]; /* NULL: not in this format, or closed */
  uint64_t rows;                  /* whole rows in every file, after closing */
  const char *label;              /* text before the row; NULL: none */
  double row[];                   /* numbers of the row, filled by functions of <seam/results.h> */
} app_table_file;

/* Checks that a file is at least as long as `kept` and that its first bytes have the checksum there. SEAM_NO_FILE,
 * SEAM_BAD_STATE. */
seam_status row_file_check(const char *path, const app_extent *kept, seam_error *error);

/* Opens new files and writes their heads. If `kept` is not NULL, continues existing files, which row_file_check() has
 * passed: their first kept->of[...].length bytes stay, later ones are dropped. `label` NULL: rows have no label. Paths
 * and columns must outlive *opened. Free *opened unless it is NULL. SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status table_file_open(const app_table_paths *paths, const seam_table *columns, const row_label *label,
                            const app_extents *kept, app_table_file **opened, seam_error *error);

/* The first writes self->row, the second `row`. Rows wait in memory until table_file_hand_over() or a full buffer
 * passes them to the system. `self` NULL: do nothing. SEAM_NO_FILE. */
seam_status table_file_write(app_table_file *self, seam_error *error);
seam_status table_file_write_row(app_table_file *self, const double *row, seam_error *error);
seam_status table_file_hand_over(app_table_file *self, seam_error *error);

/* Stores the files on the disk and sets *kept to their extents (`self` NULL: to zeros). SEAM_NO_FILE. */
seam_status table_file_store(app_table_file *self, app_extents *kept, seam_error *error);

/* Closes the files. NULL is allowed. SEAM_NO_FILE: one is incomplete. */
seam_status table_file_close(app_table_file *self, seam_error *error);
void table_file_free(app_table_file *self);

#endif
