#include "app/plots/decimate.h"

#include <math.h>
#include <stdbool.h>

static bool is_ascending(const double *x, size_t n) {
  for (size_t i = 1; i < n; i++)
    if (x[i] < x[i - 1])
      return false;
  return true;
}

/* Appends i to `selected` if it exceeds the last selected index. Returns the new number of selected indices. */
static size_t append(size_t *selected, size_t n_selected, size_t i) {
  if (n_selected > 0 && selected[n_selected - 1] >= i)
    return n_selected;
  selected[n_selected] = i;
  return n_selected + 1;
}

typedef struct extremes {
  size_t least, greatest; /* indices */
} extremes;

/* Finds the extremes of the values `from` to `to` - 1. */
static extremes find_extremes(const double *values, size_t from, size_t to) {
  extremes found = {from, from};
  for (size_t i = from + 1; i < to; i++) {
    found.least = values[i] < values[found.least] ? i : found.least;
    found.greatest = values[i] > values[found.greatest] ? i : found.greatest;
  }
  return found;
}

static size_t by_columns(const double *x, const double *y, size_t n, size_t n_cells, size_t *selected) {
  const double width = (x[n - 1] - x[0]) / (double)n_cells;
  size_t n_selected = 0;
  size_t from = 0;
  for (size_t cell = 1; cell <= n_cells; cell++) {
    size_t to = from;
    while (to < n && (cell == n_cells || x[to] < x[0] + (double)cell * width))
      to++;
    if (to == from)
      continue;
    const extremes found = find_extremes(y, from, to);
    const bool falls = found.greatest < found.least;
    n_selected = append(selected, n_selected, from);
    n_selected = append(selected, n_selected, falls ? found.greatest : found.least);
    n_selected = append(selected, n_selected, falls ? found.least : found.greatest);
    n_selected = append(selected, n_selected, to - 1);
    from = to;
  }
  return n_selected;
}

static size_t by_distance(const double *x, const double *y, size_t n, size_t n_cells, size_t *selected) {
  const extremes of_x = find_extremes(x, 0, n);
  const extremes of_y = find_extremes(y, 0, n);
  const double width = (x[of_x.greatest] - x[of_x.least]) / (double)n_cells;
  const double height = (y[of_y.greatest] - y[of_y.least]) / (double)n_cells;
  size_t n_selected = append(selected, 0, 0);
  for (size_t i = 1; i < n; i++) {
    const size_t last = selected[n_selected - 1];
    const bool is_extreme = i == of_x.least || i == of_x.greatest || i == of_y.least || i == of_y.greatest;
    if (is_extreme || i == n - 1 || fabs(x[i] - x[last]) > width || fabs(y[i] - y[last]) > height)
      n_selected = append(selected, n_selected, i);
  }
  return n_selected;
}

size_t decimate(const double *x, const double *y, size_t n, size_t n_cells, size_t *selected) {
  if (n > 4 * n_cells)
    return is_ascending(x, n) ? by_columns(x, y, n, n_cells, selected) : by_distance(x, y, n, n_cells, selected);
  for (size_t i = 0; i < n; i++)
    selected[i] = i;
  return n;
}
