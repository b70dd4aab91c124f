/* One run of a sweep, as by 'seam run' but without files. */
#ifndef APP_SWEEP_ONE_RUN_H
#define APP_SWEEP_ONE_RUN_H

#include "app/sweep/plan.h"

/* Checks the model with the values of the run (index from 0), without computing the motion. SEAM_BAD_INPUT: the run
 * would be refused. */
seam_status one_run_check(const sweep_plan *plan, size_t run, seam_error *error);

/* Makes a run (index from 0) and fills its row (n_columns). *ending: status and message of the run. Figures of a failed
 * run are NaN. SEAM_INTERRUPTED, SEAM_NO_MEMORY: the row is not filled. */
seam_status one_run_carry_out(const sweep_plan *plan, size_t run, double *row, seam_error *ending);

#endif
