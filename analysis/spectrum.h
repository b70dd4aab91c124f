/* Spectral radius of a matrix computed in double precision, and its uncertainty by rounding. */
#ifndef ANALYSIS_SPECTRUM_H
#define ANALYSIS_SPECTRUM_H

#include <seam/status.h>

/* Writes the largest modulus of the eigenvalues of an (n x n) matrix, column by column, and an estimate of the error by
 * rounding. `accuracy`: errors of nonzero entries, over the norm of the matrix; zeros are exact. SEAM_NO_MEMORY,
 * SEAM_NOT_FINITE. */
seam_status analysis_spectral_radius(int n, const double *matrix, double accuracy, double *rho, double *uncertainty,
                                     seam_error *error);

#endif
