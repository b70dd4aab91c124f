/* Rows of a sweep, in memory and in a journal. The row of a run that ended is appended to the journal. A sweep that was
 * killed continues after the complete rows of its journal. */
#ifndef APP_SWEEP_ROWS_H
#define APP_SWEEP_ROWS_H

#include <stdio.h>

#include "app/sweep/plan.h"

typedef struct sweep_rows {
  size_t n_runs, n_columns, n_done;
  double *values;  /* (n_runs x n_columns) */
  char **messages; /* (n_runs) messages of wrong and failed runs; NULL: none */
  bool *is_done;   /* (n_runs) */
} sweep_rows;

/* Creates rows of which none is done. Call sweep_rows_free() even after a failure. SEAM_NO_MEMORY. */
seam_status sweep_rows_create(const sweep_plan *plan, sweep_rows *created, seam_error *error);
void sweep_rows_free(sweep_rows *self);
double *sweep_rows_at(const sweep_rows *self, size_t run);
/* Marks a run with a filled row as done, and stores its message ("": none). SEAM_NO_MEMORY. */
seam_status sweep_rows_end_run(sweep_rows *self, size_t run, const char *message, seam_error *error);

/* Writes the path of the journal of a process: "DIRECTORY/sweep.journal", for process 1 "DIRECTORY/sweep.journal.2". */
void journal_path(const char *directory, size_t process, char path[FILENAME_MAX]);

/* Finds the header in the bytes of a journal. The caller frees *bytes, even after a failure; NULL: there is no file.
 * SEAM_BAD_STATE: this is not a journal. */
seam_status journal_read_header(const char *path, char **bytes, const char **header, size_t *size, seam_error *error);

/* Reads the complete records into the rows. *length: bytes up to their end; 0: there is no file. SEAM_BAD_STATE: the
 * journal is of another sweep. */
seam_status journal_read(const char *path, const sweep_plan *plan, sweep_rows *rows, uint64_t *length,
                         seam_error *error);

/* An open journal. journal_open() keeps the first `length` bytes of the file; 0: begins a new journal. `path` must
 * outlive *opened. SEAM_NO_FILE, SEAM_NO_MEMORY. */
typedef struct journal {
  int descriptor; /* -1: closed */
  const char *path;
} journal;
seam_status journal_open(const char *path, const sweep_plan *plan, uint64_t length, journal *opened, seam_error *error);
seam_status journal_add(const journal *self, const sweep_rows *rows, size_t run, seam_error *error);
void journal_close(journal *self);

/* Replaces a journal by one with all runs that are done, in their order. SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status journal_write(const char *path, const sweep_plan *plan, const sweep_rows *rows, seam_error *error);

#endif
