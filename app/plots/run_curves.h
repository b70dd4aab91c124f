/* Columns of results as curves, for `seam plot`. */
#ifndef APP_PLOTS_RUN_CURVES_H
#define APP_PLOTS_RUN_CURVES_H

#include "app/plots/plot.h"
#include "app/results/run_results.h"

typedef struct run_curves {
  const run_results *runs; /* (n_results) runs; if are_differences is true, the run that is subtracted follows */
  size_t n_results;
  bool are_differences;       /* the curves are differences from the last run */
  const char *const *columns; /* (n_columns) */
  size_t n_columns;
  const char *over; /* column of the x axis */
  bool log_x, log_y;
  size_t n_left_out;        /* result: number of points left out because they have no logarithm */
  size_t n_events_left_out; /* result: number of events without a mark */
  bool is_truncated;        /* result: the runs have unequal lengths, and differences end with the shorter one */
} run_curves;

/* Reads the columns into a plot, with a panel for each unit and a curve for each column of each run. Call plot_free()
 * even after a failure. SEAM_BAD_INPUT: a column does not exist, or rows of two subtracted tables have different times;
 * errors of table_reader.h. */
seam_status run_curves_read(run_curves *self, plot *result, seam_error *error);

#endif
