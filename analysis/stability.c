#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/propagation.h"
#include "analysis/spectrum.h"
#include "analysis/test_model.h"

static seam_status check_model(const seam_test_model *m, seam_error *error) {
  const double values[] = {m->lambda_r,  m->lambda_i,  m->alpha_m21, m->alpha_r21,
                           m->alpha_i21, m->alpha_rc1, m->alpha_ic1};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    if (!isfinite(values[i]))
      return seam_fail(error, SEAM_BAD_INPUT, "a parameter of the test model is not finite");
  if (!(m->alpha_m21 > 0))
    return seam_fail(error, SEAM_BAD_INPUT, "the mass ratio %g of the test model must be positive", m->alpha_m21);
  return SEAM_OK;
}

/* Errors of the entries of Φ against its norm: what exponentials and solutions round off. An exponential loses digits
 * in proportion to the rates in its matrix. */
static double accuracy_of(const seam_test_model *m) {
  const double mean = 2 * m->alpha_m21 / (1 + m->alpha_m21);
  const double lightest = fmin(1, m->alpha_m21);
  const double own = hypot(m->lambda_r, m->lambda_i) * fmax(1, fmax(fabs(m->alpha_r21), fabs(m->alpha_i21)));
  const double coupling = hypot(m->alpha_rc1 * m->lambda_r, m->alpha_ic1 * m->lambda_i);
  return DBL_EPSILON * (400 + own * own + mean / lightest * coupling * coupling);
}

static seam_status measure(cosim_master *master, double accuracy, seam_stability_point *point, seam_error *error) {
  const size_t n = cosim_master_n_state(master);
  double *Phi = malloc((n * n + 1) * sizeof *Phi);
  if (Phi == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a matrix of order %zu", n);
  point->n_state = n;
  seam_status status = analysis_propagation(master, 1, Phi, error);
  if (status == SEAM_OK)
    status = analysis_spectral_radius((int)n, Phi, accuracy, &point->rho, &point->uncertainty, error);
  free(Phi);
  return status;
}

seam_status seam_constitutive_stability(const seam_test_model *model, const char *scheme_name,
                                        seam_stability_point *point, seam_error *error) {
  cosim_scheme scheme;
  cosim_master *master = NULL;
  seam_status status = check_model(model, error);
  if (status == SEAM_OK)
    status = cosim_scheme_parse(scheme_name, &scheme, error);
  if (status == SEAM_OK)
    status = analysis_test_model_create(model, &scheme, &master, error);
  if (status == SEAM_OK)
    status = measure(master, accuracy_of(model), point, error);
  cosim_master_destroy(master);
  return status;
}
