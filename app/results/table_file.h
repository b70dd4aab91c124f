/* A table of results as a file of comma-separated values: rows are written whole or not at all, 17 significant
 * digits. */
#ifndef APP_RESULTS_TABLE_FILE_H
#define APP_RESULTS_TABLE_FILE_H

#include <stdio.h>

#include <seam/results.h>

typedef struct app_table_file {
  const char *path;
  seam_table *columns;
  FILE *file;
  size_t kept;  /* length of the file up to its last whole row, bytes */
  double row[]; /* to be filled by the rows' functions of <seam/results.h> */
} app_table_file;

/* Opens the file anew and writes its head; with `kept` > 0 continues after the first `kept` bytes of the file that is
 * there, whose rest is dropped. `path` must outlive *opened; `columns` is taken, whatever the result. Close *opened
 * where it is not NULL. SEAM_NO_FILE; SEAM_BAD_STATE when the file is shorter; SEAM_NO_MEMORY. */
seam_status table_file_open(const char *path, seam_table *columns, size_t kept, app_table_file **opened,
                            seam_error *error);

/* Writes the row and hands it to the system. SEAM_NO_FILE. */
seam_status table_file_write(app_table_file *self, seam_error *error);

/* Bytes up to the last whole row; 0 of NULL. */
size_t table_file_length(const app_table_file *self);

/* Closes and frees; NULL is allowed. SEAM_NO_FILE when the file could not be completed. */
seam_status table_file_close(app_table_file *self, seam_error *error);

/* trajectory.csv of a model. */
seam_status trajectory_open(const char *path, const mbs_model *model, size_t kept, app_table_file **opened,
                            seam_error *error);
seam_status trajectory_write(app_table_file *self, mbs_workspace *workspace, const mbs_state *state, seam_error *error);

#endif
