/* A table of results as a file of comma-separated values: rows are written whole or not at all, numbers as
 * base/shortest.h writes them. */
#ifndef APP_RESULTS_TABLE_FILE_H
#define APP_RESULTS_TABLE_FILE_H

#include <stdint.h>
#include <stdio.h>

#include <seam/results.h>

/* The first bytes of a file. */
typedef struct app_extent {
  uint64_t length;   /* bytes */
  uint64_t checksum; /* of base/checksum.h */
} app_extent;

typedef struct app_table_file {
  const char *path;
  seam_table *columns;
  FILE *file;
  uint64_t kept;     /* bytes up to the last whole row */
  uint64_t written;  /* and with what was written since */
  app_extent summed; /* up to the last checkpoint */
  double row[];      /* to be filled by the rows' functions of <seam/results.h> */
} app_table_file;

/* Whether the file begins with the bytes `kept`. SEAM_NO_FILE, SEAM_BAD_STATE. */
seam_status table_file_check(const char *path, const app_extent *kept, seam_error *error);

/* Opens the file anew and writes its head; with `kept` (NULL) continues after these bytes of the file that is there,
 * which table_file_check() found, and drops the rest. `path` must outlive *opened; `columns` is taken, whatever the
 * result. Close *opened where it is not NULL. SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status table_file_open(const char *path, seam_table *columns, const app_extent *kept, app_table_file **opened,
                            seam_error *error);

/* Writes the row and hands it to the system. SEAM_NO_FILE. */
seam_status table_file_write(app_table_file *self, seam_error *error);

/* Stores the file on the disk: *kept is how far it is, nothing of NULL. SEAM_NO_FILE. */
seam_status table_file_store(app_table_file *self, app_extent *kept, seam_error *error);

/* Closes and frees; NULL is allowed. SEAM_NO_FILE when the file could not be completed. */
seam_status table_file_close(app_table_file *self, seam_error *error);

/* trajectory.csv of a model. */
seam_status trajectory_open(const char *path, const mbs_model *model, const app_extent *kept, app_table_file **opened,
                            seam_error *error);
seam_status trajectory_write(app_table_file *self, mbs_workspace *workspace, const mbs_state *state, seam_error *error);

#endif
