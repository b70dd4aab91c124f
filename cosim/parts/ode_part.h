/* A part given by functions for its rates and outputs: x' = f(t, x, u), y = g(t, x, u). Its own steps are either
 * error-controlled within each piece of the inputs, or micro steps of fixed length. Rates use the inputs at the time of
 * each evaluation; outputs use the inputs at the end of the macro step. Euler's methods keep inputs constant over a
 * micro step, so their outputs use the inputs of the last micro step, as in [Rodriguez].
 *
 * Derivatives: the change s of the states along each seed w of the inputs is integrated with the states, s' = f_x s +
 * f_u w; with fixed steps this is the exact derivative of the numerical step.
 *
 * A part in discrete time changes at the samples t = k T, with inputs u at t,
 *
 *   y⁺ = g(t, x, u)      x⁺ = f(t, x, u)
 *
 * and is constant in between. The first sample is taken at the start, at any t; outputs are zero before it. */
#ifndef COSIM_PARTS_ODE_PART_H
#define COSIM_PARTS_ODE_PART_H

#include "cosim/parts/part.h"

/* save() and restore() copy x, the inputs u for which outputs were last computed, t and, with error control, the memory
 * of step sizes. In discrete time they copy x, y and the time of the next sample. */

/* Creates a part in discrete time, x⁺ = A x + B u, y = C x + D u, with `period` in s; linear->restarts is not used.
 * Matrices and start (n_states) are copied; `states`, names for messages, are not. SEAM_NO_MEMORY. */
seam_status cosim_sampled_linear_part_create(const cosim_linear_def *linear, double period, const char *const *states,
                                             const double *start, cosim_part **part, seam_error *error);

/* Returns the definition of the part; NULL: the part is not of this kind. *period (may be NULL) becomes the period; 0:
 * continuous time. In discrete time `rates` of the definition gives the next states. */
const cosim_ode_def *cosim_ode_part_def(const cosim_part *part, double *period);

/* Gives the part ownership of its context. */
void cosim_ode_part_own(cosim_part *part, void *context);

#endif
