#include "analysis/propagation.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static seam_status step_over(cosim_master *master, double H, const analysis_rounds *over, seam_error *error) {
  seam_status status = SEAM_OK;
  for (int k = 0; k < over->rounds && status == SEAM_OK; k++) {
    const double t = cosim_master_time(master);
    status = cosim_master_step(master, H, error);
    if (status == SEAM_OK && over->renews != NULL && over->renews(over->context, t, H))
      cosim_master_renew(master);
  }
  return status;
}

seam_status analysis_propagation_over(cosim_master *master, double H, const analysis_rounds *over, double *Phi,
                                      seam_error *error) {
  const size_t n = cosim_master_n_state(master);
  double *unit = calloc(n + 1, sizeof *unit);
  if (unit == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a state of %zu values", n);
  seam_status status = SEAM_OK;
  for (size_t j = 0; j < n && status == SEAM_OK; j++) {
    unit[j] = 1;
    if (over->renews != NULL)
      cosim_master_begin(master, 0, NULL, 0);
    cosim_master_restore(master, unit);
    if (over->renews != NULL) /* a common period ends with a sample */
      cosim_master_forget_past(master);
    status = step_over(master, H, over, error);
    cosim_master_save(master, Phi + j * n);
    unit[j] = 0;
  }
  cosim_master_restore(master, unit);
  free(unit);
  return status;
}

seam_status analysis_propagation(cosim_master *master, double H, double *Phi, seam_error *error) {
  return analysis_propagation_over(master, H, &(analysis_rounds){.rounds = 1}, Phi, error);
}

double analysis_collocation_rounding(const cosim_scheme *scheme) {
  static const double by_moved_sides[] = {4, 2000, 40}; /* a force and a motion: the law cancels what drives a side */
  const int n = cosim_scheme_moves(scheme, 0) + cosim_scheme_moves(scheme, 1);
  return scheme->method == COSIM_COLLOCATION ? DBL_EPSILON * by_moved_sides[n] * pow(10, scheme->order) : 0;
}
