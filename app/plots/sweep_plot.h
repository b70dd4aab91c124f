/* Picture of a sweep. */
#ifndef APP_PLOTS_SWEEP_PLOT_H
#define APP_PLOTS_SWEEP_PLOT_H

#include "app/sweep/rows.h"

/* Draws the picture of a sweep: the measured figures as curves if one value varies, as a coloured map if two vary, else
 * as dots over each value. Leaves out runs with figures that are not finite, as those of failed runs. If no run is
 * left, there is no picture. SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status sweep_plot(const sweep_plan *plan, const sweep_rows *rows, const char *directory, seam_error *error);

#endif
