/* One macro step of a co-simulation as a matrix. */
#ifndef ANALYSIS_PROPAGATION_H
#define ANALYSIS_PROPAGATION_H

#include "cosim/coupling/master.h"

/* Returns the errors of Phi's entries by collocation, relative to its norm; 0 for other methods. The conditions at s +
 * 1 places in a step, and the powers of a motion, magnify rounding about tenfold with each stage (measured against the
 * oracle, tests/analysis/textbook/). */
double analysis_collocation_rounding(const cosim_scheme *scheme);

/* Writes Phi (n x n, column by column, n = cosim_master_n_state): maps the state over one macro step H from rest. Steps
 * from each unit vector with the master, which must be linear; its state is left at rest. */
seam_status analysis_propagation(cosim_master *master, double H, double *Phi, seam_error *error);

#endif
