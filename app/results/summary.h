/* summary.json: the options, the statistics and verdict of the run, and the residuals of the equations on the rows. */
#ifndef APP_RESULTS_SUMMARY_H
#define APP_RESULTS_SUMMARY_H

#include <seam/analysis.h>
#include <seam/mbs.h>
#include <seam/models.h>
#include <seam/results.h>

#include "app/options.h"
#include "app/results/event_list.h"
#include "app/results/peaks.h"
#include "app/results/statistics.h"
#include "app/setup.h"
#include "base/json.h"

typedef struct app_summary {
  size_t rows;
  double begin, time;        /* s; reached */
  app_start_changes changes; /* by assembly */
  seam_run_record record;
  double wall, cpu; /* s */
  mbs_statistics statistics;
  bool assumes_step; /* seam_model_assumes_macro_step() of the file that began the run */
  double *residuals; /* (2m) scratch: g, gd */
} app_summary;

/* Free with summary_free(). SEAM_NO_MEMORY. */
seam_status summary_start(app_summary *self, const mbs_model *model, seam_error *error);
void summary_free(app_summary *self);

/* How a run ended. */
typedef struct app_ending {
  seam_error error;
  int exit_status;
  bool is_judged;           /* it has states of bodies, or of subsystems alone */
  const event_list *events; /* NULL: none were watched */
  seam_run_verdict verdict;
} app_ending;

/* Data of a co-simulated run. */
typedef struct app_cosim_run {
  const cosim_simulation *simulation;
  const cosim_builder *builder;
  const app_peaks *peaks;
} app_cosim_run;

/* A table that the run wrote, by the name of its files without ending. */
typedef struct app_named_table {
  const char *name;
  const seam_table *columns;
} app_named_table;

/* What a column is, under its name. */
void summary_write_column(json_writer *json, const seam_column *column);

/* Writes `path` at once or not at all (a temporary file takes its name). `cosim` is NULL for a monolithic run; tables
 * without columns are left out. SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status summary_write(const app_summary *self, const char *path, const app_options *parsed,
                          const app_statistics *statistics, const app_setup *setup, const app_cosim_run *cosim,
                          const app_named_table *tables, size_t n_tables, const app_ending *ending, seam_error *error);

#endif
