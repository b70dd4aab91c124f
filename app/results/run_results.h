/* Results of a run as it left them: a folder with tables and summary.json, or one table. */
#ifndef APP_RESULTS_RUN_RESULTS_H
#define APP_RESULTS_RUN_RESULTS_H

#include "app/results/table_reader.h"
#include "base/arena.h"
#include "base/json_tree.h"

enum { MAX_RUN_TABLES = 3 }; /* trajectory, couplings, signals */

typedef struct run_results {
  const char *path;                     /* as it was given */
  const char *short_name;               /* its last part, without the ending of a table */
  table_reader *tables[MAX_RUN_TABLES]; /* (n_tables) in this order; npy where there are both formats */
  const char *names[MAX_RUN_TABLES];    /* "trajectory", ... */
  size_t n_tables;
  const json_node *summary; /* NULL: there is no summary.json beside them */
  char *summary_text;       /* that it was made from */
  arena memory;
} run_results;

/* Returns true if the path is there and can be what run_results_open() takes: a folder, or a name that ends as a
 * table's. */
bool run_results_is_one(const char *path);

/* `path`, which must outlive *self, is a folder or a file. Whatever the result, free *self with run_results_close().
 * SEAM_NO_FILE, SEAM_NO_MEMORY, SEAM_BAD_INPUT: as table_reader_open(); no table is there, summary.json is not JSON, or
 * is of another run than a table (its columns, or the rows of a trajectory). */
seam_status run_results_open(const char *path, run_results *self, seam_error *error);
void run_results_close(run_results *self);

/* The table that has the column, by its name in the file or as "element.quantity" of summary.json, and its number
 * there; the first of several. SEAM_BAD_INPUT names the nearest one. */
seam_status run_results_find(const run_results *self, const char *column, size_t *table, size_t *number,
                             seam_error *error);

/* The same in one table. */
seam_status run_results_find_beside(const run_results *self, size_t table, const char *column, size_t *number,
                                    seam_error *error);

/* "element", "quantity", "unit" or "meaning" of a column: "" where it has none or summary.json does not say it. */
const char *run_results_column(const run_results *self, size_t table, size_t column, const char *what);

/* From summary.json, NULL or NaN where it does not say it: name of the model; its JSON (not terminated, *length bytes);
 * macro step (s). */
const char *run_results_model(const run_results *self);
const char *run_results_model_json(const run_results *self, size_t *length);
double run_results_macro_step(const run_results *self);
/* The scheme of the couplings, "several schemes", "co-simulated" without couplings, or "monolithic". */
const char *run_results_scheme(const run_results *self);

/* How the run ended: SEAM_OK where there is no summary.json; no status at all where this says nothing that is known. */
seam_status run_results_status(const run_results *self);
/* "" of a run that is done, else "wrong", "unstable", "interrupted" or "failed". */
const char *run_results_mark(const run_results *self);
/* Says on stderr that a run is not done, and why; of a folder also that its run did not end. */
void run_results_note(const run_results *self);

#endif
