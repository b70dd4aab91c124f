/* States inside a step of a DAE, from values and rates at its ends and up to three evaluations inside.
 *
 * With θ = (t - t_0) / h and s = θ (1 - θ), the polynomial of a velocity or another unknown z is first the cubic
 * through z and z' at both ends. The first evaluation, at θ = 1/3, adds k s² to it, with k such that it has the
 * evaluated z' there; the second, at 2/3, adds k s² (θ - 2/3), the third, at 1/6, k s² (1/3 - s): both keep z' where it
 * was evaluated before. The term that an evaluation adds estimates the error of the polynomial without it: evaluations
 * end once a term is small against the tolerance; if no term is small, the polynomial is not used. Positions are
 * integrals of their velocities. At the end they differ from the step's result by a gap, a local error, so
 * (3 θ² - 2 θ³) times the gap is added. Velocities do not get the slope of this term, which would exceed their
 * tolerance. (Bootstrapping, [Hairer-Norsett-Wanner] II.6; the test is that of a defect.) */
#ifndef SOLVERS_INSIDE_H
#define SOLVERS_INSIDE_H

#include "solvers/dae.h"
#include "solvers/onestep.h"

/* Returns the number of values that the functions below store for a step in `memory`; memory[0] = 0: nothing is
 * stored. */
size_t seam_inside_length(const seam_dae *dae);
/* Prepares the polynomial of a step unless `memory` already has it. Returns true if it is accurate enough, and false
 * also if an evaluation fails. Adds the number of evaluations to *n_evaluations. scratch: one y with quadratures. */
bool seam_inside_prepare(const seam_dae *dae, const seam_tolerances *tolerances, const seam_step *step, double *memory,
                         double *scratch, size_t *n_evaluations);
/* Prepares the memory for the next step. If it has a polynomial, the rates at the end of the last step become those at
 * the beginning of the next one; otherwise it is emptied. */
void seam_inside_go_on(const seam_dae *dae, double *memory);
/* Writes y at t, except multipliers. */
void seam_inside_find(const seam_dae *dae, const seam_step *step, double t, double *memory, double *y);

#endif
