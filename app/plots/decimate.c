#include "app/plots/decimate.h"

#include <math.h>
#include <stdbool.h>

static bool never_falls(const double *x, size_t n) {
  for (size_t i = 1; i < n; i++)
    if (x[i] < x[i - 1])
      return false;
  return true;
}

/* Appends index i to `kept` if it exceeds the last kept index. Returns the number of kept indices. */
static size_t append(size_t *kept, size_t n_kept, size_t i) {
  if (n_kept > 0 && kept[n_kept - 1] >= i)
    return n_kept;
  kept[n_kept] = i;
  return n_kept + 1;
}

/* Keeps the first, the last, the lowest and the highest of the points `from` to `to` - 1. Returns the new number of
 * kept points. */
static size_t keep_extremes(const double *y, size_t from, size_t to, size_t *kept, size_t n_kept) {
  size_t least = from;
  size_t greatest = from;
  for (size_t i = from + 1; i < to; i++) {
    least = y[i] < y[least] ? i : least;
    greatest = y[i] > y[greatest] ? i : greatest;
  }
  n_kept = append(kept, n_kept, from);
  n_kept = append(kept, n_kept, least < greatest ? least : greatest);
  n_kept = append(kept, n_kept, least < greatest ? greatest : least);
  return append(kept, n_kept, to - 1);
}

static size_t by_columns(const double *x, const double *y, size_t n, size_t n_cells, size_t *kept) {
  const double width = (x[n - 1] - x[0]) / (double)n_cells;
  size_t n_kept = 0;
  size_t from = 0;
  for (size_t cell = 1; cell <= n_cells; cell++) {
    size_t to = from;
    while (to < n && (cell == n_cells || x[to] < x[0] + (double)cell * width))
      to++;
    if (to > from)
      n_kept = keep_extremes(y, from, to, kept, n_kept);
    from = to;
  }
  return n_kept;
}

typedef struct extremes {
  size_t least, greatest;
} extremes;

static extremes find_extremes(const double *x, size_t n) {
  extremes found = {0, 0};
  for (size_t i = 1; i < n; i++) {
    found.least = x[i] < x[found.least] ? i : found.least;
    found.greatest = x[i] > x[found.greatest] ? i : found.greatest;
  }
  return found;
}

static size_t by_distance(const double *x, const double *y, size_t n, size_t n_cells, size_t *kept) {
  const extremes of_x = find_extremes(x, n);
  const extremes of_y = find_extremes(y, n);
  const double width = (x[of_x.greatest] - x[of_x.least]) / (double)n_cells;
  const double height = (y[of_y.greatest] - y[of_y.least]) / (double)n_cells;
  size_t n_kept = append(kept, 0, 0);
  for (size_t i = 1; i < n; i++) {
    const size_t last = kept[n_kept - 1];
    const bool is_extreme = i == of_x.least || i == of_x.greatest || i == of_y.least || i == of_y.greatest;
    if (is_extreme || i == n - 1 || fabs(x[i] - x[last]) > width || fabs(y[i] - y[last]) > height)
      n_kept = append(kept, n_kept, i);
  }
  return n_kept;
}

size_t decimate(const double *x, const double *y, size_t n, size_t n_cells, size_t *kept) {
  if (n > 4 * n_cells)
    return never_falls(x, n) ? by_columns(x, y, n, n_cells, kept) : by_distance(x, y, n, n_cells, kept);
  for (size_t i = 0; i < n; i++)
    kept[i] = i;
  return n;
}
