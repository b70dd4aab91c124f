/* summary.json: the options, the statistics and verdict of the run, and the residuals of the equations on the rows. */
#ifndef APP_RESULTS_SUMMARY_H
#define APP_RESULTS_SUMMARY_H

#include <seam/mbs.h>
#include <seam/models.h>

#include "app/options.h"
#include "app/results/peaks.h"

/* The largest absolute value seen, and where. */
typedef struct app_largest {
  double value;
  size_t constraint;
  double time; /* s */
} app_largest;

typedef struct app_summary {
  size_t rows;
  double time;                   /* reached, s */
  app_largest position_residual; /* g */
  app_largest velocity_residual; /* gd */
  double initial_energy;         /* J, total at the first row */
  double largest_kinetic;        /* J */
  double largest_imbalance;      /* J, of |total + dissipated - driven - initial_energy| */
  double wall, cpu;              /* s */
  mbs_statistics statistics;
  double *residuals; /* (2m) scratch: g, gd */
} app_summary;

/* Free with summary_free(). SEAM_NO_MEMORY. */
seam_status summary_start(app_summary *self, const mbs_model *model, seam_error *error);
void summary_free(app_summary *self);

/* Takes one row of the trajectory into account. */
void summary_add(app_summary *self, const mbs_model *model, mbs_workspace *workspace, const mbs_state *state);

/* Data of a co-simulated run. */
typedef struct app_cosim_run {
  const cosim_simulation *simulation;
  const cosim_builder *builder;
  const app_peaks *peaks;
} app_cosim_run;

/* Writes `path` at once or not at all (a temporary file takes its name). `cosim` is NULL for a monolithic run;
 * `verdict` is how the run ended. SEAM_NO_FILE. */
seam_status summary_write(const app_summary *self, const char *path, const app_options *parsed,
                          const seam_model_file *file, const mbs_assembly *assembly, const app_cosim_run *cosim,
                          const seam_error *verdict, seam_error *error);

#endif
