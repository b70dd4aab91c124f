/* States inside a step of a DAE, from what is known at its ends, rates there among it, and from one or two evaluations
 * inside.
 *
 * With θ = (t - t_0) / h and s = θ (1 - θ), positions have the polynomial of degree 5 through q, q' and q'' at both
 * ends, and k s³ more, k such that q'' is right at θ = 1/3; their velocities are its derivative. Other unknowns z, and
 * quadratures, have the one of degree 3 through z and z', and k s² more. What k adds is the error of the polynomial
 * without it; where that is above the tolerance, an evaluation at θ = 2/3 adds k s³ (θ + 1/3), and k s² (θ - 2/3),
 * which have no q'' and no z' at 1/3; where that adds too much as well, the polynomial is not used. (Bootstrapping,
 * [Hairer-Norsett-Wanner] II.6; the test is that of a defect.) */
#ifndef SOLVERS_INSIDE_H
#define SOLVERS_INSIDE_H

#include "solvers/dae.h"
#include "solvers/onestep.h"

/* Numbers that it keeps of a step: zero in the first one means that nothing is known. */
size_t seam_inside_length(const seam_dae *dae);
/* Looks at a step unless `memory` says that this was done; returns whether the polynomial is good enough. Counts its
 * evaluations. scratch: one whole y. */
bool seam_inside_prepare(const seam_dae *dae, const seam_tolerances *tolerances, const seam_step *step, double *memory,
                         double *scratch, size_t *n_evaluations);
/* Goes on to the next step: what is known of the end of the last one serves its beginning. */
void seam_inside_go_on(const seam_dae *dae, double *memory);
/* y at t, but for multipliers, which are left alone. */
void seam_inside_find(const seam_dae *dae, const seam_step *step, double t, double *memory, double *y);

#endif
