/* Pictures of stability maps, drawn by gnuplot. */
#ifndef APP_PLOTS_MAP_PLOT_H
#define APP_PLOTS_MAP_PLOT_H

#include "app/plots/map_panel.h"

typedef enum map_style {
  MAP_REGIONS, /* filled stable region, its limit, undecided points */
  MAP_COLOURS, /* plane coloured by ρ, limit, undecided points */
  MAP_LINES    /* limits only; map i is drawn in panel i modulo n_columns */
} map_style;

/* Writes DIRECTORY/NAME.gp, from which gnuplot draws NAME.png, NAME.svg and NAME.pdf. All maps must have the same axes;
 * n_columns panels are side by side. A drawn region contains all stable points and no others. Errors of plot_draw(). */
seam_status map_plot(const map_panel *panels, size_t n_maps, size_t n_columns, map_style style, const char *directory,
                     const char *name, seam_error *error);

#endif
