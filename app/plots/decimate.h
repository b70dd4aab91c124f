/* Reduces a long curve to the points that a picture needs. */
#ifndef APP_PLOTS_DECIMATE_H
#define APP_PLOTS_DECIMATE_H

#include <stddef.h>

/* Chooses the points of a curve that a picture needs. Writes their indices, in ascending order, to `selected` (n) and
 * returns their number. If n <= 4 n_cells, selects all points. Otherwise,
 *
 *   if x never decreases: divides the range of x into n_cells equal intervals, and selects the first, the last, the
 *   lowest and the highest point in each ([Jugel]: a picture that is n_cells pixels wide does not change);
 *
 *   else: selects both ends, the extremes of x and y, and each point whose x or y differs from that of the last
 *   selected point by more than the range of x or y, divided by n_cells. */
size_t decimate(const double *x, const double *y, size_t n, size_t n_cells, size_t *selected);

#endif
