/* Selects the points of a long curve that a picture needs. */
#ifndef APP_PLOTS_DECIMATE_H
#define APP_PLOTS_DECIMATE_H

#include <stddef.h>

/* Chooses which of n points a picture needs. Writes their indices, in ascending order, to `kept` (n) and returns their
 * number. If n <= 4 n_cells, all are kept; else,
 *
 *   if x never falls: in each of n_cells equal parts of the range of x the points with the first, the least, the
 *   greatest and the last y ([Jugel]: a picture of n_cells pixels in width stays the same);
 *
 *   else: both ends, the extremes of x and y, and each point that is farther from the last kept one, in x or y, than an
 *   n_cells-th of the range: no omitted point is farther than that from a kept one. */
size_t decimate(const double *x, const double *y, size_t n, size_t n_cells, size_t *kept);

#endif
