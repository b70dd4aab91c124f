/* Multistep formulas for equations y' = f(t, y) by SUNDIALS's CVODES. */
#ifndef SOLVERS_CVODE_H
#define SOLVERS_CVODE_H

#include "solvers/ode.h"

/* Backward differentiation, order 1 to 5, for stiff equations; Adams-Moulton, order 1 to 12, for nonstiff equations
 * without invariants. */
typedef enum seam_formulas { SEAM_BDF, SEAM_ADAMS } seam_formulas;

/* Adaptive steps and orders; states are projected onto the invariants after each step and inside steps. The error of a
 * step is the root mean square of error / allowed error over the controlled entries. Copies *ode and *newton.
 *
 * Image: see multistep.h. On a double pendulum a restore cost 30 evaluations at rtol 1e-6, 60 at 1e-12, and added an
 * error of at most 4 tolerances.
 *
 * Fails with SEAM_BAD_INPUT if tolerances->step is set, as there are no fixed steps, or with SEAM_NO_MEMORY. */
seam_status seam_cvode_create(const seam_ode *ode, seam_formulas formulas, const seam_newton *newton,
                              const seam_tolerances *tolerances, seam_integrator **integrator, seam_error *error);

#endif
