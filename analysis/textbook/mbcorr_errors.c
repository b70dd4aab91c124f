/* Spectral radius and errors of the two-mass oscillator of [Haid] (mbcorr.h). */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/spectrum.h"
#include "analysis/textbook/mbcorr.h"
#include "analysis/thresholds.h"
#include "base/argument.h"
#include "base/then.h"

/* ---- Stability ([Haid] eq. 26, 29) ---- */

seam_status seam_mbcorr_stability(const seam_mbcorr_model *model, const char *scheme, seam_stability_point *point,
                                  seam_error *error) {
  ARGUMENTS(error, model, scheme, point);
  double Phi[MBCORR_MAX_VALUES * MBCORR_MAX_VALUES];
  double unit[MBCORR_MAX_VALUES] = {0};
  analysis_mbcorr *run = NULL;
  seam_status status = analysis_mbcorr_create(model, scheme, &run, error);
  if (status != SEAM_OK)
    return status;
  const int n = analysis_mbcorr_n_values(run);
  for (int j = 0; j < n && status == SEAM_OK; j++) {
    unit[j] = 1;
    analysis_mbcorr_set(run, unit);
    unit[j] = 0;
    status = analysis_mbcorr_step(run, error);
    analysis_mbcorr_get(run, Phi + j * n);
  }
  analysis_mbcorr_destroy(run);
  point->n_state = (size_t)n;
  THEN(status,
       analysis_spectral_radius(n, Phi, analysis_propagation_rounding, &point->rho, &point->uncertainty, error));
  return status;
}

/* ---- Errors ---- */

static const double x_start[mbcorr_states] = {1e-3, 1, 1e-3, 1};
static const double end = SEAM_MBCORR_END;

/* Sums over the macro points so far, for each output: squared global and local errors, mean of the exact output, and
 * squared distances of the exact output from this mean. */
typedef struct sums {
  double n;
  double global[mbcorr_outputs], local[mbcorr_outputs], mean[mbcorr_outputs], spread[mbcorr_outputs];
} sums;

static void multiply(const double *A, const double *x, double *product) {
  for (int i = 0; i < mbcorr_states; i++) {
    product[i] = 0;
    for (int j = 0; j < mbcorr_states; j++)
      product[i] += A[i * mbcorr_states + j] * x[j];
  }
}

static double combine(const double *squares, const double *spread) {
  double sum = 0;
  for (int i = 0; i < mbcorr_outputs; i++)
    sum += squares[i] / spread[i];
  return isfinite(sum) ? sqrt(sum / mbcorr_outputs) : INFINITY;
}

static seam_status begin(analysis_mbcorr *run, seam_error *error) {
  double values[MBCORR_MAX_VALUES] = {0};
  double A[mbcorr_states * mbcorr_states];
  memcpy(values, x_start, sizeof x_start);
  for (int i = 0; i <= run->hold; i++) {
    double x[mbcorr_states];
    const seam_status status = analysis_mbcorr_exact(&run->model, -i * run->model.macro_step, A, error);
    if (status != SEAM_OK)
      return status;
    multiply(A, x_start, x);
    analysis_mbcorr_outputs(&run->model, x, values + mbcorr_states + i * mbcorr_outputs);
  }
  analysis_mbcorr_set(run, values);
  return SEAM_OK;
}

/* Takes the macro steps and sums the errors. Fails with SEAM_NOT_FINITE if the run overflows. */
static seam_status take_steps(analysis_mbcorr *run, sums *s, seam_error *error) {
  double A[mbcorr_states * mbcorr_states];
  double exact[mbcorr_states];
  double values[MBCORR_MAX_VALUES];
  seam_status status = analysis_mbcorr_exact(&run->model, run->model.macro_step, A, error);
  memcpy(exact, x_start, sizeof exact);
  const double n_steps = round(end / run->model.macro_step);
  while (s->n < n_steps && status == SEAM_OK) {
    double next[mbcorr_states], local[mbcorr_states];
    double y_local[mbcorr_outputs], y_exact[mbcorr_outputs];
    analysis_mbcorr_get(run, values);
    multiply(A, values, local);
    multiply(A, exact, next);
    memcpy(exact, next, sizeof exact);
    status = analysis_mbcorr_step(run, error);
    analysis_mbcorr_get(run, values);
    const double *y = values + mbcorr_states;
    analysis_mbcorr_outputs(&run->model, local, y_local);
    analysis_mbcorr_outputs(&run->model, exact, y_exact);
    s->n++;
    for (int i = 0; i < mbcorr_outputs; i++) {
      const double distance = y_exact[i] - s->mean[i];
      s->mean[i] += distance / s->n;
      s->spread[i] += distance * (y_exact[i] - s->mean[i]);
      s->global[i] += (y_exact[i] - y[i]) * (y_exact[i] - y[i]);
      s->local[i] += (y_local[i] - y[i]) * (y_local[i] - y[i]);
    }
  }
  return status;
}

seam_status seam_mbcorr_errors(const seam_mbcorr_model *model, const char *scheme, seam_mbcorr_nrmse *errors,
                               seam_error *error) {
  ARGUMENTS(error, model, scheme, errors);
  sums s = {0};
  analysis_mbcorr *run = NULL;
  seam_status status = analysis_mbcorr_create(model, scheme, &run, error);
  THEN(status, begin(run, error));
  THEN(status, take_steps(run, &s, error));
  analysis_mbcorr_destroy(run);
  *errors = (seam_mbcorr_nrmse){INFINITY, INFINITY};
  if (status == SEAM_NOT_FINITE)
    return SEAM_OK;
  if (status == SEAM_OK)
    *errors = (seam_mbcorr_nrmse){combine(s.global, s.spread), combine(s.local, s.spread)};
  return status;
}
