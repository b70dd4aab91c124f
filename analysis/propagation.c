#include "analysis/propagation.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

seam_status analysis_propagation(cosim_master *master, double H, double *Phi, seam_error *error) {
  const size_t n = cosim_master_n_state(master);
  double *unit = calloc(n + 1, sizeof *unit);
  if (unit == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a state of %zu values", n);
  seam_status status = SEAM_OK;
  for (size_t j = 0; j < n && status == SEAM_OK; j++) {
    unit[j] = 1;
    cosim_master_restore(master, unit);
    status = cosim_master_step(master, H, error);
    cosim_master_save(master, Phi + j * n);
    unit[j] = 0;
  }
  cosim_master_restore(master, unit);
  free(unit);
  return status;
}

double analysis_collocation_rounding(const cosim_scheme *scheme) {
  static const double by_moved_sides[] = {4, 2000, 40}; /* one moved side: the law cancels its driving force */
  const int n = cosim_scheme_moves(scheme, 0) + cosim_scheme_moves(scheme, 1);
  return scheme->method == COSIM_COLLOCATION ? DBL_EPSILON * by_moved_sides[n] * pow(10, scheme->order) : 0;
}
