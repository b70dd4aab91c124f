#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/spectrum.h"
#include "analysis/textbook/test_model.h"
#include "base/argument.h"
#include "base/then.h"

/* Returns the rounding error of the entries of Φ, the propagation matrix of a macro step, divided by its norm. A matrix
 * exponential loses accuracy in proportion to the norm of its matrix; predictor and corrector add a few hundred
 * rounding errors. Both were measured against quadruple precision (tests/analysis/textbook/map.c). */
static double accuracy_of(const analysis_oscillators *model) {
  double norm = 0;
  for (const analysis_oscillator *m = model->side; m < model->side + 2; m++)
    norm = fmax(norm, (m->stiffness + model->stiffness + fabs(m->damping + model->damping)) / m->mass);
  return DBL_EPSILON * (400 + norm);
}

static seam_status find_radius(cosim_master *master, double accuracy, seam_stability_point *point, seam_error *error) {
  const size_t n = cosim_master_n_state(master);
  double *Phi = malloc((n * n + 1) * sizeof *Phi);
  if (Phi == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a matrix of order %zu", n);
  point->n_state = n;
  seam_status status = analysis_propagation(master, 1, Phi, error);
  THEN(status, analysis_spectral_radius((int)n, Phi, accuracy, &point->rho, &point->uncertainty, error));
  free(Phi);
  return status;
}

static seam_status find_stability(const analysis_oscillators *model, const char *scheme_name,
                                  seam_stability_point *point, seam_error *error) {
  cosim_scheme scheme;
  analysis_test_model *coupled = NULL;
  seam_status status = cosim_scheme_for(scheme_name, model->rigid, &scheme, error);
  THEN(status, analysis_test_model_create(model, &scheme, &coupled, error));
  THEN(status, find_radius(analysis_test_model_master(coupled),
                           accuracy_of(model) + analysis_collocation_rounding(&scheme), point, error));
  analysis_test_model_destroy(coupled);
  return status;
}

seam_status seam_constitutive_stability(const seam_test_model *parameters, const char *scheme,
                                        seam_stability_point *point, seam_error *error) {
  ARGUMENTS(error, parameters, scheme, point);
  analysis_oscillators model;
  const seam_status status = analysis_oscillators_of(parameters, false, &model, error);
  return status == SEAM_OK ? find_stability(&model, scheme, point, error) : status;
}

seam_status seam_constraint_stability(const seam_test_model *parameters, const char *scheme,
                                      seam_stability_point *point, seam_error *error) {
  ARGUMENTS(error, parameters, scheme, point);
  analysis_oscillators model;
  const seam_status status = analysis_oscillators_of(parameters, true, &model, error);
  return status == SEAM_OK ? find_stability(&model, scheme, point, error) : status;
}

seam_status seam_oscillators_stability(const seam_oscillators *parameters, bool rigid, const char *scheme, double H,
                                       seam_stability_point *point, seam_error *error) {
  ARGUMENTS(error, parameters, scheme, point);
  analysis_oscillators model;
  const seam_status status = analysis_oscillators_with(parameters, rigid, H, &model, error);
  return status == SEAM_OK ? find_stability(&model, scheme, point, error) : status;
}
