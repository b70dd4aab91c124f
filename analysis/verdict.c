/* Unstable is: not finite, or above 1000 times the largest coordinate or rate of the monolithic run
 * (<seam/analysis.h>).
 */
#include <math.h>

#include <seam/analysis.h>

static const double growth_limit = 1000;
static const double least_limit = 1; /* m, rad, m/s, rad/s: rounding around a state of rest is no growth */

static double largest(const double *values, size_t n, double so_far) {
  for (size_t i = 0; i < n; i++)
    so_far = fmax(so_far, fabs(values[i]));
  return so_far;
}

void seam_bounds_add(seam_bounds *bounds, const mbs_model *model, const mbs_state *state) {
  const size_t n = 3 * mbs_n_bodies(model);
  bounds->coordinate = largest(state->q, n, bounds->coordinate);
  bounds->rate = largest(state->v, n, bounds->rate);
}

static bool exceeds(const double *values, size_t n, double bound, const char *const names[3], seam_excess *what) {
  const double limit = fmax(growth_limit * bound, least_limit);
  for (size_t i = 0; i < n; i++)
    if (!(fabs(values[i]) <= limit)) {
      if (what != NULL)
        *what = (seam_excess){.body = i / 3, .component = names[i % 3], .value = values[i], .limit = limit};
      return true;
    }
  return false;
}

bool seam_bounds_exceeded(const seam_bounds *bounds, const mbs_model *model, const mbs_state *state,
                          seam_excess *what) {
  static const char *const coordinates[3] = {"x", "y", "phi"};
  static const char *const rates[3] = {"vx", "vy", "omega"};
  const size_t n = 3 * mbs_n_bodies(model);
  return exceeds(state->q, n, bounds->coordinate, coordinates, what) || exceeds(state->v, n, bounds->rate, rates, what);
}
