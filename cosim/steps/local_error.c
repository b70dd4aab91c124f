/* Milne's device. Over a macro step a smooth coupling variable w differs from the polynomials of order k of the
 * predictor, through past points, and of the corrector, also through T + H, by
 *
 *   w - w_P = w^(k+1)/(k+1)! H^(k+1) τ (τ + 1) ... (τ + k)
 *
 *   w - w_C = w^(k+1)/(k+1)! H^(k+1) (τ - 1) τ ... (τ + k - 1)
 *
 * The integral of this error over the step is the error of the velocities, as in Adams's formulas. After correction it
 * is a fixed part of the change by the corrector,
 *
 *   e = C |v_C - v_P|,   C = |∫ (w - w_C)| / |∫ (w_C - w_P)| = 1/2, 1/6, 1/10, 19/270   for k = 0, 1, 2, 3,
 *
 * of order H^(k+2). Mass norm: |v|² = Σ m v², so that translations and rotations of all bodies count by their energy.
 * C is for equal steps and plain schemes; extensions with more nodes or slopes are more accurate. */
#include "cosim/steps/local_error.h"

#include <math.h>

double cosim_speed(const mbs_model *model, const double *v) {
  double sum = 0;
  for (size_t i = 0; i < 3 * (size_t)model->n_bodies; i++)
    sum += model->mass[3 + i] * v[i] * v[i];
  return sqrt(sum);
}

double cosim_distance(const mbs_model *model, const double *v, const double *other) {
  double sum = 0;
  for (size_t i = 0; i < 3 * (size_t)model->n_bodies; i++) {
    const double change = v[i] - other[i];
    sum += model->mass[3 + i] * change * change;
  }
  return sqrt(sum);
}

double cosim_local_error(const mbs_model *model, int order, const double *v, const double *predicted) {
  static const double part[] = {1.0 / 2, 1.0 / 6, 1.0 / 10, 19.0 / 270};
  return part[order] * cosim_distance(model, v, predicted);
}
