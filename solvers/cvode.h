/* Backward differentiation formulas, orders 1 to 5, for y' = f(t, y), projected onto an invariant after each step
 * (SUNDIALS' CVODES). For stiff equations. */
#ifndef SOLVERS_CVODE_H
#define SOLVERS_CVODE_H

#include "solvers/integrator.h"
#include "solvers/ode.h"

seam_status seam_cvode_create(const seam_ode *ode, const seam_newton *newton, const seam_tolerances *tolerances,
                              seam_integrator **integrator, seam_error *error);

#endif
