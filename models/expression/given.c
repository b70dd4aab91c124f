#include "models/expression/given.h"

#include <math.h>

#include "models/thresholds.h"

double given_value(const seam_law *law, double u, double v) { return law->value(law->data, (const double[2]){u, v}); }

/* ---- Differences ------------------------------------------------------------------------------------------------- */

/* Returns a step with x + step exact in floating point. */
static double width(double x, double share) {
  const volatile double beside = x + share * fmax(1, fabs(x));
  return beside - x;
}

static double slope(const seam_law *law, double u, double v, int by) {
  const double h = width(by == 0 ? u : v, models_first_width);
  const double du = by == 0 ? h : 0;
  const double dv = h - du;
  return (given_value(law, u + du, v + dv) - given_value(law, u - du, v - dv)) / (2 * h);
}

static double bend(const seam_law *law, double u, double v, int by) {
  const double h = width(by == 0 ? u : v, models_second_width);
  const double du = by == 0 ? h : 0;
  const double dv = h - du;
  return (given_value(law, u + du, v + dv) - 2 * given_value(law, u, v) + given_value(law, u - du, v - dv)) / (h * h);
}

static double mixed_bend(const seam_law *law, double u, double v) {
  const double du = width(u, models_second_width);
  const double dv = width(v, models_second_width);
  return (given_value(law, u + du, v + dv) - given_value(law, u + du, v - dv) - given_value(law, u - du, v + dv) +
          given_value(law, u - du, v - dv)) /
         (4 * du * dv);
}

/* ---- Both -------------------------------------------------------------------------------------------------------- */

void given_slopes(const seam_law *law, int n_arguments, double u, double v, partials *d) {
  if (law->jet != NULL) {
    seam_jet jet = {0};
    law->jet(law->data, (const double[2]){u, v}, &jet);
    *d = (partials){.u = jet.d[0], .v = jet.d[1], .uu = jet.dd[0], .uv = jet.dd[1], .vv = jet.dd[2]};
    return;
  }
  d->u = slope(law, u, v, 0);
  d->uu = bend(law, u, v, 0);
  if (n_arguments < 2)
    return;
  d->v = slope(law, u, v, 1);
  d->vv = bend(law, u, v, 1);
  d->uv = mixed_bend(law, u, v);
}
