/* Explicit Runge-Kutta methods for y' = f(t, y), optionally projected onto an invariant after each step. */
#ifndef SOLVERS_ERK_H
#define SOLVERS_ERK_H

#include "solvers/ode.h"
#include "solvers/onestep.h"

/* name: "erk4", "erk5", "erk8" (adaptive or fixed), "euler", "rk2", "rk4" (fixed steps only). Copies *ode. */
seam_status seam_erk_create(const seam_ode *ode, const char *name, const seam_tolerances *tolerances,
                            seam_integrator **integrator, seam_error *error);

#endif
