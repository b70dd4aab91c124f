/* Normalised root mean square error ε of results x against references r ([Li] eqs. 3.34, 3.35, 4.64). A column is one
 * quantity, and x_N is its result at the point T_N in time:
 *
 *   ε = √( Σ_columns  Σ_N (r(T_N) - x_N)² / Σ_N (r(T_N) - mean)² ),   mean of r over the points.
 *
 * Each column adds the quotient of its two sums over N. Columns in which r varies by less than the tolerances are
 * omitted, as this variation is noise. Mean and variance are updated point by point ([Welford]). This avoids
 * cancellation, and no points are stored. */
#include "analysis/errors.h"

#include <math.h>

#include "analysis/thresholds.h"

void analysis_column_add(analysis_column *self, double weight, double reference, double value) {
  const double error = reference - value;
  const double step = reference - self->mean;
  self->weight += weight;
  self->mean += weight * step / self->weight;
  self->squares += weight * step * (reference - self->mean);
  self->error_squares += weight * error * error;
  self->size = fmax(self->size, fabs(reference));
  self->largest = fmax(self->largest, fabs(error));
}

double analysis_nrmse(const analysis_column *self, const mbs_integrator_options *tolerances) {
  const double deviation = sqrt(self->squares / self->weight);
  const double resolved = tolerances != NULL ? tolerances->rtol * self->size + tolerances->atol : 0;
  return deviation >= fmax(analysis_least_deviation, resolved) ? sqrt(self->error_squares / self->squares) : NAN;
}

double analysis_combined(const analysis_column *columns, size_t n, const mbs_integrator_options *tolerances) {
  double sum = 0;
  size_t n_varying = 0;
  for (size_t i = 0; i < n; i++) {
    const double error = analysis_nrmse(&columns[i], tolerances);
    if (isnan(error))
      continue;
    sum += error * error;
    n_varying++;
  }
  return n_varying > 0 ? sqrt(sum) : NAN;
}
