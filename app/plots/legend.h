/* Where the legend of a panel hides least. */
#ifndef APP_PLOTS_LEGEND_H
#define APP_PLOTS_LEGEND_H

#include <stddef.h>

enum { N_LEGEND_PLACES = 6 };

/* Points of curves in shares of the panel: 0 at the left and the bottom, 1 at the right and the top. */
typedef struct legend {
  double width, height; /* shares of the panel */
  size_t hidden[N_LEGEND_PLACES];
} legend;

/* Counts what the line from (x0, y0) to (x1, y1) has below each place. */
void legend_add_line(legend *self, double x0, double y0, double x1, double y1);

/* The best place as gnuplot calls it ("left top"); *is_free: it hides nothing. */
const char *legend_place(const legend *self, int *is_free);

#endif
