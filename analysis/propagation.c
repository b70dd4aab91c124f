#include "analysis/propagation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

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

seam_status analysis_spectral_radius(int n, double *matrix, double *rho, seam_error *error) {
  *rho = 0;
  for (int i = 0; i < n * n; i++)
    if (!isfinite(matrix[i]))
      return seam_fail(error, SEAM_NOT_FINITE, "the propagation matrix is not finite");
  double *eigenvalue = malloc((2 * (size_t)n + 1) * sizeof *eigenvalue);
  if (eigenvalue == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for %d eigenvalues", n);
  const lapack_int info =
      LAPACKE_dgeev(LAPACK_COL_MAJOR, 'N', 'N', n, matrix, n, eigenvalue, eigenvalue + n, NULL, 1, NULL, 1);
  for (int i = 0; i < n && info == 0; i++)
    *rho = fmax(*rho, hypot(eigenvalue[i], eigenvalue[n + i]));
  free(eigenvalue);
  return info == 0 ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "the eigenvalues were not found");
}
