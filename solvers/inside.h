/* States inside a step of a DAE, from values and rates at its ends and up to three evaluations inside.
 *
 * θ is the time since the beginning of the step divided by its length h; s = θ (1 - θ). The polynomial of a velocity or
 * another unknown z is first the cubic with z and z' of both ends. Each evaluation of z' adds a term:
 *
 *   first, at θ = 1/3    k s²
 *   second, at 2/3       k s² (θ - 2/3)
 *   third, at 1/6        k s² (1/3 - s)
 *
 * Each term has its own factor k, which gives the polynomial the evaluated z' at this θ. Later terms do not change z'
 * at earlier θ. A term estimates the error of the polynomial without it. After a term that is small against the
 * tolerance, no more evaluations are made. If no term is small, the polynomial is not used.
 *
 * Positions are integrals of their velocities. At the end they differ from the step's result by a gap, a local error;
 * (3 θ² - 2 θ³) times the gap is added. Velocities do not get the derivative of this term, which would exceed their
 * tolerance. (Bootstrapping, [Hairer-Norsett-Wanner] II.6.) */
#ifndef SOLVERS_INSIDE_H
#define SOLVERS_INSIDE_H

#include "solvers/dae.h"
#include "solvers/onestep.h"

/* Returns the length of `memory` below, in which the functions store a step; memory[0] = 0: nothing is stored. */
size_t seam_inside_length(const seam_dae *dae);
/* Prepares the polynomial of a step unless `memory` already has it. Returns false if it is not accurate enough, or if
 * an evaluation fails. Adds the number of evaluations to *n_evaluations. scratch (n + n_quadratures). */
bool seam_inside_prepare(const seam_dae *dae, const seam_tolerances *tolerances, const seam_step *step, double *memory,
                         double *scratch, size_t *n_evaluations);
/* Prepares the memory for the next step, which begins with the last rates of the polynomial, if there is one. */
void seam_inside_begin_next(const seam_dae *dae, double *memory);
/* Writes y at t, without multipliers. Only after seam_inside_prepare() has returned true for this step. */
void seam_inside_find(const seam_dae *dae, const seam_step *step, double t, double *memory, double *y);

#endif
