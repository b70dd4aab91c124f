/* One macro step of a whole co-simulation as a matrix, and its spectral radius. */
#ifndef ANALYSIS_PROPAGATION_H
#define ANALYSIS_PROPAGATION_H

#include "cosim/master.h"

/* Phi (n x n, column by column, n = cosim_master_n_state): the map of the state over one macro step H from rest, found
 * by pushing unit vectors through the master. The master must be linear; its state is left at rest. */
seam_status analysis_propagation(cosim_master *master, double H, double *Phi, seam_error *error);

/* Largest modulus of the eigenvalues of an (n x n) matrix, which is destroyed. SEAM_NO_MEMORY, SEAM_NOT_FINITE. */
seam_status analysis_spectral_radius(int n, double *matrix, double *rho, seam_error *error);

#endif
