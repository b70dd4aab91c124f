/* Symplectic Euler method for q' = v, v' = a(t, q, v). */
#ifndef SOLVERS_SYMPLECTIC_H
#define SOLVERS_SYMPLECTIC_H

#include "solvers/ode.h"
#include "solvers/onestep.h"

/* Fixed steps, order 1; ode->n_positions is the length of q and of v; entries after them are integrated by the rates at
 * the beginning of a step. Copies *ode. SEAM_BAD_INPUT without positions or without a fixed step; SEAM_NO_MEMORY. */
seam_status seam_symplectic_create(const seam_ode *ode, const seam_tolerances *tolerances, seam_integrator **integrator,
                                   seam_error *error);

#endif
