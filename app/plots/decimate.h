/* Selects the points of a long curve that a picture needs. */
#ifndef APP_PLOTS_DECIMATE_H
#define APP_PLOTS_DECIMATE_H

#include <stddef.h>

/* Writes the numbers of the kept points, in ascending order, to `kept` (n) and returns how many these are. All are kept
 * if there are no more than 4 n_cells; else,
 *
 *   if x never falls: of each of n_cells equal parts of its range the first, the least, the greatest and the last
 *   ([Jugel]: a picture of n_cells pixels in width stays the same);
 *
 *   else: both ends, the extremes of x and y, and each point farther than an n_cells-th of the range, in x or y, from
 *   the last kept one: no omitted point is farther from a kept one. */
size_t decimate(const double *x, const double *y, size_t n, size_t n_cells, size_t *kept);

#endif
