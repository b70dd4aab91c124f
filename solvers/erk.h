/* Explicit Runge-Kutta methods for y' = f(t, y), optionally with projection onto an invariant after each step. */
#ifndef SOLVERS_ERK_H
#define SOLVERS_ERK_H

#include "solvers/ode.h"
#include "solvers/onestep.h"
#include "solvers/tableau.h"

/* name: "erk4", "erk5", "erk8" (adaptive or fixed), "euler", "rk2", "rk4" (fixed steps only). Copies *ode. */
seam_status seam_erk_create(const seam_ode *ode, const char *name, const seam_tolerances *tolerances,
                            seam_integrator **integrator, seam_error *error);

/* Takes one step without projection: y (ode->n) at t becomes y at t + h; h may be negative. The table must have fewer
 * than SEAM_ERK_SCRATCH stages. scratch: SEAM_ERK_SCRATCH times ode->n numbers. Returns the status of the equations;
 * after an error y is unchanged. */
enum { SEAM_ERK_SCRATCH = 5 };
seam_status seam_erk_step(const seam_tableau *table, const seam_ode *ode, double t, double h, double *y,
                          double *scratch, seam_error *error);

#endif
