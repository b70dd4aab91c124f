/* Columns of results as curves, for `seam plot`. */
#ifndef APP_PLOTS_RUN_CURVES_H
#define APP_PLOTS_RUN_CURVES_H

#include "app/plots/plot.h"
#include "app/results/run_results.h"

typedef struct run_curves {
  const run_results *runs; /* (n_results), followed by the subtracted run if are_differences */
  size_t n_results;
  bool are_differences;
  const char *const *columns; /* (n_columns) */
  size_t n_columns;
  const char *over; /* the column of the x axis */
  bool log_x, log_y;
  size_t n_left_out;        /* result: points left out, as they have no logarithm */
  size_t n_events_left_out; /* result: events without a mark */
  bool is_cut;              /* result: subtracted runs have unequal lengths; the difference ends with the shorter one */
} run_curves;

/* Reads the columns into a plot: a panel for each unit, a curve for each column of each run. Free *made with
 * plot_free(), whatever the result. SEAM_BAD_INPUT: there is no such column, or rows of two subtracted tables are not
 * at the same times; else errors as of table_reader.h. */
seam_status run_curves_read(run_curves *self, plot *made, seam_error *error);

#endif
