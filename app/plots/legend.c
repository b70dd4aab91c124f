#include "app/plots/legend.h"

#include <math.h>

/* Where the middle of the legend's play is: 0, 0.5, 1. In the order of preference. */
static const struct {
  const char *name;
  double across, up;
} places[N_LEGEND_PLACES] = {{"right top", 1, 1},   {"left top", 0, 1},     {"right bottom", 1, 0},
                             {"left bottom", 0, 0}, {"center top", 0.5, 1}, {"center bottom", 0.5, 0}};

static int hides(const legend *self, int place, double x, double y) {
  const double left = places[place].across * (1 - self->width);
  const double bottom = places[place].up * (1 - self->height);
  return x >= left && x <= left + self->width && y >= bottom && y <= bottom + self->height;
}

void legend_add_line(legend *self, double x0, double y0, double x1, double y1) {
  static const double step = 0.01;
  const double length = fmin(hypot(x1 - x0, y1 - y0), 2);
  const int n = 1 + (int)(length / step);
  for (int i = 0; i <= n; i++)
    for (int place = 0; place < N_LEGEND_PLACES; place++)
      self->hidden[place] += (size_t)hides(self, place, x0 + (x1 - x0) * i / n, y0 + (y1 - y0) * i / n);
}

const char *legend_place(const legend *self, int *is_free) {
  int best = 0;
  for (int place = 1; place < N_LEGEND_PLACES; place++)
    best = self->hidden[place] < self->hidden[best] ? place : best;
  *is_free = self->hidden[best] == 0;
  return places[best].name;
}
