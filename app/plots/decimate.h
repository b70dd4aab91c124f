/* Which points of a long curve a picture needs. */
#ifndef APP_PLOTS_DECIMATE_H
#define APP_PLOTS_DECIMATE_H

#include <stddef.h>

/* Writes the numbers of the points to be kept, in ascending order, to `kept` (n) and returns how many these are. All
 * are kept where there are no more than 4 n_cells; else,
 *
 *   where x never falls: of each of n_cells equal parts of its range the first, the least, the greatest and the last
 *   ([Jugel]: no line of n_cells pixels in width is drawn otherwise);
 *
 *   else: both ends, the extremes of x and y, and each point that is farther from the one kept before it, in x or y,
 *   than an n_cells-th of the range: none is left out that is farther from a kept one. */
size_t decimate(const double *x, const double *y, size_t n, size_t n_cells, size_t *kept);

#endif
