/* Results of a run: a folder with tables and summary.json, or one table. */
#ifndef APP_RESULTS_RUN_RESULTS_H
#define APP_RESULTS_RUN_RESULTS_H

#include "app/results/csv_text.h"
#include "app/results/table_reader.h"
#include "base/arena.h"
#include "base/json.h"

enum { MAX_RUN_TABLES = 3 }; /* trajectory, couplings, signals */

typedef struct run_results {
  const char *path;                     /* path as given */
  const char *short_name;               /* last component of the path, without the ending of a table */
  table_reader *tables[MAX_RUN_TABLES]; /* (n_tables) existing tables, in the order above; the npy file if both exist */
  const char *names[MAX_RUN_TABLES];    /* (n_tables) "trajectory", ... */
  size_t n_tables;
  const json_node *summary; /* NULL: there is no summary.json beside the tables */
  char *summary_text;       /* text of the summary */
  arena memory;
} run_results;

/* Returns true if the path is a folder or an existing .csv or .npy. */
bool run_results_is_path(const char *path);

/* Opens a folder or a table; `path` must outlive *self. Call run_results_close() even after a failure. A summary must
 * agree with the columns of the tables and with the rows of the trajectory. SEAM_NO_MEMORY; SEAM_NO_FILE, also for a
 * folder without tables; SEAM_BAD_INPUT: a wrong summary; errors of table_reader_open(). */
seam_status run_results_open(const char *path, run_results *self, seam_error *error);
void run_results_close(run_results *self);

/* Finds a column: its table, and its number in it. `column`: name in the file, or "element.quantity" as in
 * summary.json. SEAM_BAD_INPUT: there is none; the message names a similar one. run_results_find_in() searches one
 * table. */
seam_status run_results_find(const run_results *self, const char *column, size_t *table, size_t *number,
                             seam_error *error);
seam_status run_results_find_in(const run_results *self, size_t table, const char *column, size_t *number,
                                seam_error *error);

/* Returns an entry of a column in summary.json: "element", "quantity", "unit" or "meaning"; "": there is none. */
const char *run_results_column(const run_results *self, size_t table, size_t column, const char *what);

/* Return entries of summary.json: name of the model; model as JSON (*length bytes, no terminating zero); macro step, s.
 * NULL or NaN: there is none. */
const char *run_results_model(const run_results *self);
const char *run_results_model_json(const run_results *self, size_t *length);
double run_results_macro_step(const run_results *self);
/* Returns the scheme of the couplings, "several schemes", "co-simulated" (no couplings) or "monolithic". */
const char *run_results_scheme(const run_results *self);

/* run_results_status() returns the status with which the run ended: SEAM_WRONG for a wrong verdict, SEAM_OK without
 * summary.json, a number beyond all statuses for an unknown one. run_results_mark() returns "" for SEAM_OK, else
 * "wrong" ("suspect" in version 0.2), "unstable", "interrupted" or "failed". */
seam_status run_results_status(const run_results *self);
const char *run_results_mark(const run_results *self);
/* Prints a note to stderr if the run did not succeed, with its message, or did not end: it has no summary.json. */
void run_results_note(const run_results *self);

enum { MAX_RUN_EVENTS = 200 }; /* events that are read; more marks would cover a picture */

typedef struct run_event {
  const char *name;
  double time; /* s */
} run_event;

typedef struct run_events {
  run_event list[MAX_RUN_EVENTS]; /* (n) events in the order of the file */
  size_t n, n_left_out;
  csv_table table; /* the names of events are in it */
} run_events;

/* Reads events.csv in the folder of a run; without it there are no events. Call run_events_free() even after a failure.
 * SEAM_NO_FILE, SEAM_NO_MEMORY; SEAM_BAD_INPUT: this is not a table of events. */
seam_status run_events_read(const run_results *of, run_events *result, seam_error *error);
void run_events_free(run_events *self);

#endif
