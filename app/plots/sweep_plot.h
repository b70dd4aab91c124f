/* Picture of a sweep. */
#ifndef APP_PLOTS_SWEEP_PLOT_H
#define APP_PLOTS_SWEEP_PLOT_H

#include "app/sweep/rows.h"

/* Writes DIRECTORY/sweep.gp and lets gnuplot draw it: measured figures as curves if one value varies, as colours if two
 * vary, else as dots over each varied value. Runs without finite figures, such as failed ones, are left out; if no run
 * is left, there is no picture. SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status sweep_plot(const sweep_plan *plan, const sweep_rows *rows, const char *directory, seam_error *error);

#endif
