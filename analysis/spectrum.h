/* The matrix of one macro step of a co-simulation; the spectral radius of a matrix, with its uncertainty by rounding in
 * double precision. */
#ifndef ANALYSIS_SPECTRUM_H
#define ANALYSIS_SPECTRUM_H

#include "cosim/coupling/master.h"

/* Writes the largest modulus of the eigenvalues of an (n x n) matrix, stored column by column, and an estimate of its
 * error by rounding. `accuracy` is the error of its nonzero entries, divided by its norm; zeros are exact.
 * SEAM_NO_MEMORY, SEAM_NOT_FINITE. */
seam_status analysis_spectral_radius(int n, const double *matrix, double accuracy, double *rho, double *uncertainty,
                                     seam_error *error);

/* Returns the rounding errors that collocation leaves in Phi's entries, relative to Phi's norm; 0 for other methods.
 * These errors grow about tenfold with each stage: the motion over a step is a polynomial with large coefficients of
 * both signs (measured against quadruple precision, tests/analysis/textbook/). */
double analysis_collocation_rounding(const cosim_scheme *scheme);

/* Finds Phi (n x n, column by column, n = cosim_master_n_state), which maps the state over one macro step H: column j
 * is the state one step after unit vector j. The master must be linear; its state is zero afterwards. */
seam_status analysis_propagation(cosim_master *master, double H, double *Phi, seam_error *error);

#endif
