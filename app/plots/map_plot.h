/* Pictures of stability maps, drawn by gnuplot. */
#ifndef APP_PLOTS_MAP_PLOT_H
#define APP_PLOTS_MAP_PLOT_H

#include "app/plots/map_panel.h"

/* Writes DIRECTORY/NAME.gp, which holds data and drawing, and lets gnuplot make NAME.svg and NAME.png beside it: panels
 * in rows of n_columns; stable points filled, undecided ones open, the border of stability as a line; with_rho: colour.
 * Where there is no gnuplot, a message says so and the result is SEAM_OK. SEAM_NO_FILE. */
seam_status map_plot(const map_panel *panels, int n_panels, int n_columns, bool with_rho, const char *directory,
                     const char *name, seam_error *error);

#endif
