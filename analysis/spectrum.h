/* The propagation matrix Phi of one macro step, and the spectral radius of a matrix with its uncertainty by
 * rounding. */
#ifndef ANALYSIS_SPECTRUM_H
#define ANALYSIS_SPECTRUM_H

#include <seam/analysis.h>

#include "cosim/coupling/master.h"

/* Judges a spectral radius that is known up to `uncertainty`. */
static inline seam_verdict analysis_verdict_of(double rho, double uncertainty, double limit) {
  if (rho + uncertainty <= limit)
    return SEAM_STABLE;
  return rho - uncertainty > limit ? SEAM_UNSTABLE : SEAM_UNDECIDED;
}

/* Finds the spectral radius rho of an (n x n) matrix, stored column by column, and estimates its rounding error.
 * `accuracy`: error of nonzero entries, divided by the norm of the matrix; zero entries are exact. Fails with
 * SEAM_NO_MEMORY or SEAM_NOT_FINITE. */
seam_status analysis_spectral_radius(int n, const double *matrix, double accuracy, double *rho, double *uncertainty,
                                     seam_error *error);

/* Returns the rounding errors of the entries of Phi, divided by its norm, for a collocation scheme; 0 for others. They
 * grow about tenfold with each stage, as a step's motion is a polynomial with large coefficients of alternating signs.
 * They were measured against quadruple precision (tests/analysis/textbook/). */
double analysis_collocation_rounding(const cosim_scheme *scheme);

/* Computes Phi (n x n, column by column, n = cosim_master_n_state()), which maps the state over a macro step H (s). The
 * master must be linear; its state is zero afterwards. */
seam_status analysis_propagation(cosim_master *master, double H, double *Phi, seam_error *error);

#endif
