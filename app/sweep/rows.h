/* Rows of a sweep, in memory and in a journal. When a run has ended, its row is appended to the journal. A sweep that
 * was killed continues after the complete rows in the journal. */
#ifndef APP_SWEEP_ROWS_H
#define APP_SWEEP_ROWS_H

#include <stdio.h>

#include "app/sweep/plan.h"

typedef struct sweep_rows {
  size_t n_runs, n_columns, n_done;
  double *values;  /* (n_runs x n_columns) */
  char **messages; /* (n_runs) message of each wrong or failed run; NULL: none */
  bool *is_done;   /* (n_runs) */
} sweep_rows;

/* Creates the rows of all runs, none of which is done. Call sweep_rows_free() even after a failure. SEAM_NO_MEMORY. */
seam_status sweep_rows_create(const sweep_plan *plan, sweep_rows *created, seam_error *error);
void sweep_rows_free(sweep_rows *self);
double *sweep_rows_at(const sweep_rows *self, size_t run);
/* Marks a run, whose row must be filled, as done, and stores its message ("": none). SEAM_NO_MEMORY. */
seam_status sweep_rows_end_run(sweep_rows *self, size_t run, const char *message, seam_error *error);

/* Writes the path of the journal of a process: "DIRECTORY/sweep.journal"; for the second process
 * "DIRECTORY/sweep.journal.2". */
void journal_path(const char *directory, size_t process, char path[FILENAME_MAX]);

/* Finds the header of a journal in the bytes of the file, which the caller frees, even after a failure. If there is no
 * file, *bytes becomes NULL. SEAM_BAD_STATE: this is not a journal. */
seam_status journal_read_header(const char *path, char **bytes, const char **header, size_t *size, seam_error *error);

/* Reads the complete records of a journal into the rows. *length: bytes up to the end of these records; 0: there is no
 * file. SEAM_BAD_STATE: the journal is of another sweep. */
seam_status journal_read(const char *path, const sweep_plan *plan, sweep_rows *rows, uint64_t *length,
                         seam_error *error);

/* A journal to which records are appended. journal_open() keeps the first `length` bytes of the file and removes the
 * others; length 0: begins a new journal. SEAM_NO_FILE. */
typedef struct journal {
  int descriptor; /* -1: closed */
  char *path;
} journal;
seam_status journal_open(const char *path, const sweep_plan *plan, uint64_t length, journal *opened, seam_error *error);
seam_status journal_add(journal *self, const sweep_rows *rows, size_t run, seam_error *error);
void journal_close(journal *self);

/* Replaces a journal by a new one with the rows of all runs that are done, in the order of the runs. SEAM_NO_FILE. */
seam_status journal_write(const char *path, const sweep_plan *plan, const sweep_rows *rows, seam_error *error);

#endif
