/* summary.json: the options, the statistics and verdict of the run, and the residuals of the equations on the rows. */
#ifndef APP_RESULTS_SUMMARY_H
#define APP_RESULTS_SUMMARY_H

#include <seam/runs.h>

typedef struct app_summary {
  size_t rows;
  double begin, time;         /* s; reached */
  seam_start_changes changes; /* by assembly */
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
  bool is_judged; /* it has states of bodies, or of subsystems alone */
  seam_run_verdict verdict;
} app_ending;

/* Data of a co-simulated run. */
typedef struct app_cosim_run {
  const cosim_simulation *simulation;
  const cosim_builder *builder;
  const seam_peaks *peaks;
} app_cosim_run;

/* Writes `path` at once or not at all (a temporary file takes its name). SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status summary_write(const seam_run_facts *facts, const char *path, seam_error *error);

#endif
