/* The parts of y = (ζ, H ζ', z) are comparable for any H, and
 *
 *   y(T + H) = e^B y(T),   B = H D⁻¹ A D,   D = diag(1, 1/H, 1).
 *
 * Errors δ of entries move a defective eigenvalue, such as the 0 of motions without resistance, by δ^(1/p)
 * ([Golub-Van Loan] 7.2), in this matrix as in that of any scheme. Therefore irregular errors of that size are added
 * to all entries. */
#include "analysis/linearised/undivided_linearised.h"

#include <math.h>
#include <stdlib.h>

#include <lapacke.h>

#include "analysis/spectrum.h"
#include "base/then.h"
#include "solvers/expm.h"
#include "solvers/lapack.h"

seam_status analysis_undivided_create(const mbs_model *whole, const mbs_state *state, analysis_first_order *undivided,
                                      seam_error *error) {
  analysis_minimal_state at;
  seam_status status = analysis_minimal_state_create(&at, whole, NULL, state, error);
  THEN(status, analysis_first_order_create(undivided, &at, error));
  analysis_minimal_state_destroy(&at);
  return status;
}

/* Returns number k of an irregular sequence from -1 to 1: fractions of multiples of the golden ratio. */
static double without_pattern(int k) {
  const double golden = 0.6180339887498949;
  return 2 * fmod(golden * (k + 1), 1) - 1;
}

/* Computes e^B with its errors; destroys B. */
static seam_status propagate(const analysis_first_order *of, double H, double accuracy, double *B, double *propagation,
                             double *scale, seam_error *error) {
  const int n = of->n;
  lapack_int low;
  lapack_int high;
  double norm = 0;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      B[i + j * n] =
          H * of->matrix[i + j * n] * (i >= of->f && i < 2 * of->f ? H : 1) / (j >= of->f && j < 2 * of->f ? H : 1);
  seam_status status = seam_expm(n, B, propagation, error);
  if (status == SEAM_OK) /* balances states of different units */
    status = seam_lapack_check(LAPACKE_dgebal(LAPACK_COL_MAJOR, 'S', n, propagation, n, &low, &high, scale),
                               SEAM_NOT_CONVERGED, "the balance of a propagation matrix", error);
  for (int k = 0; k < n * n && status == SEAM_OK; k++)
    norm = fmax(norm, fabs(propagation[k]));
  for (int k = 0; k < n * n && status == SEAM_OK; k++)
    propagation[k] += accuracy * norm * without_pattern(k);
  return status;
}

seam_status analysis_undivided_radius(const analysis_first_order *undivided, double H, double accuracy, double *rho,
                                      seam_error *error) {
  const size_t n = (size_t)undivided->n;
  double *B = calloc(2 * n * n + n + 1, sizeof *B);
  double *propagation = B + n * n;
  double uncertainty = 0;
  *rho = 0;
  if (B == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a propagation of %zu values", n);
  seam_status status = propagate(undivided, H, accuracy, B, propagation, propagation + n * n, error);
  THEN(status, analysis_spectral_radius((int)n, propagation, accuracy, rho, &uncertainty, error));
  *rho += uncertainty;
  free(B);
  return status;
}
