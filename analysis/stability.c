#include <stdlib.h>

#include "analysis/propagation.h"
#include "analysis/test_model.h"

static seam_status measure(cosim_master *master, seam_stability_point *point, seam_error *error) {
  const size_t n = cosim_master_n_state(master);
  double *Phi = malloc((n * n + 1) * sizeof *Phi);
  if (Phi == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a matrix of order %zu", n);
  point->n_state = n;
  seam_status status = analysis_propagation(master, 1, Phi, error);
  if (status == SEAM_OK)
    status = analysis_spectral_radius((int)n, Phi, &point->rho, error);
  free(Phi);
  return status;
}

static seam_status find_stability(const seam_test_model *parameters, bool rigid, const char *scheme_name,
                                  seam_stability_point *point, seam_error *error) {
  analysis_oscillators model;
  cosim_scheme scheme;
  analysis_test_model *coupled = NULL;
  seam_status status = analysis_oscillators_of(parameters, rigid, &model, error);
  if (status == SEAM_OK)
    status = cosim_scheme_parse(scheme_name, rigid, &scheme, error);
  if (status == SEAM_OK)
    status = analysis_test_model_create(&model, &scheme, &coupled, error);
  if (status == SEAM_OK)
    status = measure(analysis_test_model_master(coupled), point, error);
  analysis_test_model_destroy(coupled);
  return status;
}

seam_status seam_constitutive_stability(const seam_test_model *parameters, const char *scheme,
                                        seam_stability_point *point, seam_error *error) {
  return find_stability(parameters, false, scheme, point, error);
}

seam_status seam_constraint_stability(const seam_test_model *parameters, const char *scheme,
                                      seam_stability_point *point, seam_error *error) {
  return find_stability(parameters, true, scheme, point, error);
}
