/* Three-stage Radau IIA, order 5, for B y' = f(t, y) of index up to 2. */
#ifndef SOLVERS_RADAU_H
#define SOLVERS_RADAU_H

#include "solvers/dae.h"
#include "solvers/onestep.h"

/* Copies *dae; its arrays must outlive the integrator. y ends with the quadratures. Fails with SEAM_NO_MEMORY,
 * or with SEAM_SINGULAR if the Newton matrix of the reference state is singular. */
seam_status seam_radau_create(const seam_dae *dae, const seam_tolerances *tolerances, seam_integrator **integrator,
                              seam_error *error);

#endif
