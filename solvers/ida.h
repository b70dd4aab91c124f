/* IDAS, the variable-order BDF integrator of SUNDIALS, for B y' = f(t, y) of index up to 2. */
#ifndef SOLVERS_IDA_H
#define SOLVERS_IDA_H

#include "solvers/dae.h"
#include "solvers/integrator.h"

/* Copies *dae; its arrays must outlive the integrator. y is followed by the quadratures. start() takes a consistent y.
 *
 * A multistep method cannot be stopped and continued to the bit: an image holds the state at the time of the last
 * advance, not the steps before it. Saving leaves the integrator as it is; restoring starts anew, with a small step of
 * order 1, so it gives another sequence of steps, of the same accuracy, than the run that was saved. Restoring an image
 * twice, also into another integrator of the same equations, gives the same bits.
 *
 * SEAM_BAD_INPUT when a fixed step is asked for; SEAM_NO_MEMORY; SEAM_SINGULAR when the reference state gives a
 * singular Newton matrix. */
seam_status seam_ida_create(const seam_dae *dae, const seam_tolerances *tolerances, seam_integrator **integrator,
                            seam_error *error);

#endif
