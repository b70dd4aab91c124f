/* Reduces a long curve to the points that a picture needs. */
#ifndef APP_PLOTS_DECIMATE_H
#define APP_PLOTS_DECIMATE_H

#include <stddef.h>

/* Writes the ascending indices of the chosen points to `selected` (n), and returns their number. If n <= 4 n_cells,
 * chooses all points. Otherwise,
 *
 *   if x never decreases: divides the range of x into n_cells intervals, and chooses the first, last, lowest and
 * highest point in each ([Jugel]: a picture that is n_cells pixels wide does not change);
 *
 *   else: chooses both ends, the extremes of x and y, and each point that differs from the last chosen one by more than
 *   the range of x or y, divided by n_cells. */
size_t decimate(const double *x, const double *y, size_t n, size_t n_cells, size_t *selected);

#endif
