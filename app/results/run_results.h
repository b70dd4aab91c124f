/* Results of a run: a folder with tables and summary.json, or one table. */
#ifndef APP_RESULTS_RUN_RESULTS_H
#define APP_RESULTS_RUN_RESULTS_H

#include "app/results/table_reader.h"
#include "base/arena.h"
#include "base/json.h"

enum { MAX_RUN_TABLES = 3 }; /* trajectory, couplings, signals */

typedef struct run_results {
  const char *path;                     /* path as given */
  const char *short_name;               /* last component of the path, without the ending of a table */
  table_reader *tables[MAX_RUN_TABLES]; /* (n_tables) tables that exist, in the order above; a table that exists as csv
                                           and as npy is read from the npy file */
  const char *names[MAX_RUN_TABLES];    /* (n_tables) "trajectory", ... */
  size_t n_tables;
  const json_node *summary; /* NULL: there is no summary.json in the folder of the tables */
  char *summary_text;       /* text of the summary */
  arena memory;
} run_results;

/* Returns true if the path is a folder, or if its name ends in .csv or .npy. */
bool run_results_is_path(const char *path);

/* Opens a folder or a table; `path` must outlive *self. Call run_results_close() even after a failure. SEAM_NO_MEMORY;
 * SEAM_NO_FILE, also if a folder has no tables; SEAM_BAD_INPUT: errors of table_reader_open(), or a wrong summary.json.
 * The summary must be JSON and agree with the columns of the tables and the number of rows of the trajectory. */
seam_status run_results_open(const char *path, run_results *self, seam_error *error);
void run_results_close(run_results *self);

/* Finds the first table that has a column. *table becomes the index of the table, *number that of the column in it.
 * column: name in the file, or "element.quantity" as in summary.json. SEAM_BAD_INPUT: no table has it; the message
 * names a similar column. */
seam_status run_results_find(const run_results *self, const char *column, size_t *table, size_t *number,
                             seam_error *error);
/* Finds a column in one table; its name is as for run_results_find(). */
seam_status run_results_find_in(const run_results *self, size_t table, const char *column, size_t *number,
                                seam_error *error);

/* Returns the entry `what` of a column in summary.json: "element", "quantity", "unit" or "meaning"; "": there is
 * none. */
const char *run_results_column(const run_results *self, size_t table, size_t column, const char *what);

/* Return entries of summary.json: the name of the model; the model as JSON (*length bytes, without a terminating zero);
 * the macro step, s. NULL or NaN: there is none. */
const char *run_results_model(const run_results *self);
const char *run_results_model_json(const run_results *self, size_t *length);
double run_results_macro_step(const run_results *self);
/* Returns the scheme of the couplings, or "several schemes", "co-simulated" (without couplings), or "monolithic". */
const char *run_results_scheme(const run_results *self);

/* run_results_status() returns the status with which the run ended: SEAM_OK without summary.json; SEAM_WRONG if the
 * verdict is wrong; a number beyond all statuses if summary.json has an unknown status. run_results_mark() returns ""
 * for SEAM_OK, else "wrong" ("suspect" in results of version 0.2), "unstable", "interrupted" or "failed". */
seam_status run_results_status(const run_results *self);
const char *run_results_mark(const run_results *self);
/* Prints a note to stderr if the run did not succeed (with its message), or if the run did not end (its folder has no
 * summary.json). */
void run_results_note(const run_results *self);

#endif
