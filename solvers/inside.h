/* States inside a step of a DAE, from values and rates at its ends and one or two evaluations inside.
 *
 * With θ = (t - t_0) / h and s = θ (1 - θ), a position is the polynomial of degree 5 through q, q' and q'' at both ends
 * plus k s³, with k such that q'' is right at θ = 1/3; its velocity is the derivative. Other unknowns z, and
 * quadratures, have the polynomial of degree 3 through z and z' plus k s². The term of k estimates the error of the
 * polynomial without it. Where the term is not small against the tolerance, a second evaluation, at θ = 2/3, adds k s³
 * (θ + 1/3), and k s² (θ - 2/3), which have no q'' and no z' at 1/3; where that term is too large as well, the
 * polynomial is not used. (Bootstrapping, [Hairer-Norsett-Wanner] II.6; the test is that of a defect.) */
#ifndef SOLVERS_INSIDE_H
#define SOLVERS_INSIDE_H

#include "solvers/dae.h"
#include "solvers/onestep.h"

/* Length of the memory of a step; memory[0] = 0: empty. */
size_t seam_inside_length(const seam_dae *dae);
/* Prepares the polynomial of a step unless `memory` already has it; returns true if it is accurate enough. Counts
 * evaluations. scratch: one y with quadratures. */
bool seam_inside_prepare(const seam_dae *dae, const seam_tolerances *tolerances, const seam_step *step, double *memory,
                         double *scratch, size_t *n_evaluations);
/* Goes on to the next step: its rates at the beginning are those at the end of the last one. */
void seam_inside_go_on(const seam_dae *dae, double *memory);
/* Writes y at t, except multipliers. */
void seam_inside_find(const seam_dae *dae, const seam_step *step, double t, double *memory, double *y);

#endif
