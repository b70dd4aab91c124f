/* Picture of a sweep. */
#ifndef APP_PLOTS_SWEEP_PLOT_H
#define APP_PLOTS_SWEEP_PLOT_H

#include "app/sweep/rows.h"

/* DIRECTORY/sweep.gp and what gnuplot makes of it: figures over the value that varies, as curves; over the plane of
 * two, by colours; else each over each value. Runs that failed are left out. Nothing is drawn where all did.
 * SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status sweep_plot(const sweep_plan *plan, const sweep_rows *rows, const char *directory, seam_error *error);

#endif
