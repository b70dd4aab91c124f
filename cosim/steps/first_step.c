/* First macro step, chosen as integrators do ([Hairer-Norsett-Wanner] II.4), from one evaluation ahead:
 *
 *   ã = a(t + h, q + h v + h²/2 a, v + h a),   T = h max(|a|, |ã|) / |ã - a|,   A = T² max |ã|
 *
 * in the mass norm: 1/ω and the amplitude of a harmonic motion. A step of s stages has the error A (H/T)^p, p = 2s +
 * 1, but p = 6 at most, the order of rows inside (step_size.c). Hence
 *
 *   H = T (tolerance / A)^(1/p),   tolerance of a step.
 *
 * If h is far shorter than H, T is limited by h: h grows up to tenfold until H <= h. */
#include "cosim/steps/first_step.h"

#include <math.h>

#include "base/largest.h"
#include "cosim/steps/local_error.h"
#include "cosim/thresholds.h"
#include "mbs/integrate/kinks.h"

seam_status cosim_look_ahead(cosim_simulation *self, const mbs_state *from, double h, seam_error *error) {
  mbs_state *to = self->scratch;
  mbs_state_copy(to, from);
  to->t = from->t + h;
  for (size_t i = 0; i < 3 * (size_t)self->model->n_bodies; i++) {
    to->q[i] += h * (from->v[i] + h / 2 * from->a[i]);
    to->v[i] += h * from->a[i];
  }
  (void)mbs_begin_smooth(self->ws, from->t);
  return mbs_evaluate(self->ws, to, error);
}

/* Returns H from a trial of length h; 0: accelerations do not change, or the evaluation fails. */
static double length_by(cosim_simulation *self, int stages, double tolerance, double h) {
  if (cosim_look_ahead(self, self->now, h, NULL) != SEAM_OK)
    return 0;
  const double *a = self->now->a;
  const double *ahead = self->scratch->a;
  const double change = cosim_distance(self->model, ahead, a);
  const double T = h * fmax(cosim_speed(self->model, a), cosim_speed(self->model, ahead)) / change;
  const double A = T * T * largest_size(ahead, 3 * (size_t)self->model->n_bodies);
  const double H = T * pow(tolerance / A, 1 / fmin(2 * stages + 1, 6));
  return isfinite(H) ? H : 0;
}

double cosim_first_step(cosim_simulation *self, int stages, double tolerance, double longest) {
  const double usual = self->definition.options.macro_step;
  double h = fmin(usual, longest);
  double H = length_by(self, stages, tolerance, h);
  while (H > h && h < longest) {
    h = fmin(fmin(H, cosim_first_growth * h), longest);
    H = length_by(self, stages, tolerance, h);
  }
  return H > 0 ? fmin(H, longest) : fmin(usual, longest);
}
