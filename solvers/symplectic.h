/* Symplectic Euler method for q' = v, v' = a(t, q, v). */
#ifndef SOLVERS_SYMPLECTIC_H
#define SOLVERS_SYMPLECTIC_H

#include "solvers/ode.h"
#include "solvers/onestep.h"

/* Steps are fixed, and the order is 1. q and v have ode->n_positions entries each; the entries of y after them are
 * integrated by their rates at the beginning of a step. Copies *ode. Fails with SEAM_BAD_INPUT without positions or a
 * fixed step, or with SEAM_NO_MEMORY. */
seam_status seam_symplectic_create(const seam_ode *ode, const seam_tolerances *tolerances, seam_integrator **integrator,
                                   seam_error *error);

#endif
