/* States inside a step of a DAE, from its ends, the rates there, and up to three evaluations inside.
 *
 * With θ = (t - t_0) / h and s = θ (1 - θ), a velocity or another unknown z has the cubic polynomial through z and z'
 * at both ends. The first evaluation, at θ = 1/3, adds k s², k such that z' is right there; the second one, at 2/3,
 * adds k s² (θ - 2/3), the third one, at 1/6, k s² (1/3 - s): they leave z' where it was right before. What an
 * evaluation adds is the error of the polynomial without it; where that is below the tolerance, no other one follows;
 * where it is above with all three, the polynomial is not used. Positions are integrals of their velocities; the local
 * error of the step, by which these miss its end, is added as (3 θ² - 2 θ³) of it: as a slope it would be larger than
 * the tolerance of velocities. (Bootstrapping, [Hairer-Norsett-Wanner] II.6; the test is that of a defect.) */
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
