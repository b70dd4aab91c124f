/* One macro step of a whole co-simulation as a matrix. */
#ifndef ANALYSIS_PROPAGATION_H
#define ANALYSIS_PROPAGATION_H

#include "cosim/coupling/master.h"

/* Errors that collocation adds to the entries of Phi, relative to its norm: the conditions at s + 1 places within the
 * step, and the powers of a motion, magnify rounding about tenfold with each stage (measured against the oracle,
 * tests/analysis/textbook/). 0 for other methods. */
double analysis_collocation_rounding(const cosim_scheme *scheme);

/* Phi (n x n, column by column, n = cosim_master_n_state): the map of the state over one macro step H from rest, found
 * by pushing unit vectors through the master. The master must be linear; its state is left at rest. */
seam_status analysis_propagation(cosim_master *master, double H, double *Phi, seam_error *error);

#endif
