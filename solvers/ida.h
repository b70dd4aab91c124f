/* IDAS, the variable-order BDF integrator of SUNDIALS, for B y' = f(t, y) of index up to 2. */
#ifndef SOLVERS_IDA_H
#define SOLVERS_IDA_H

#include "solvers/dae.h"
#include "solvers/stepper.h"

/* Copies *dae; its arrays must outlive the integrator. y ends with the quadratures. y at a start must satisfy the
 * constraints.
 *
 * Image: see multistep.h. On the pendulum of tests/solvers a restart takes 14 more steps at rtol 1e-6, 38 more at
 * 1e-12. It adds an error of one to two tolerances. Restarted every few steps, the integrator spends nearly all time
 * starting.
 *
 * Fails with SEAM_BAD_INPUT (fixed step), SEAM_SINGULAR (Newton matrix of the reference state) or SEAM_NO_MEMORY. */
seam_status seam_ida_create(const seam_dae *dae, const seam_tolerances *tolerances, seam_integrator **integrator,
                            seam_error *error);

#endif
