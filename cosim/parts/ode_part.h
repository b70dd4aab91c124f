/* A part given by functions for its rates and outputs: x' = f(t, x, u), y = g(t, x, u). Steps are either
 * error-controlled within each piece of the inputs, or fixed micro steps, with inputs at the times at which the method
 * evaluates rates. Outputs use the inputs at the end of the macro step; with Euler's methods, which hold inputs over a
 * micro step, those of the last micro step, as in [Rodriguez].
 *
 * Derivatives: the change s of the states along each seed w of the inputs is integrated with the states, s' = f_x s +
 * f_u w; with fixed steps this is the exact derivative of the numerical step.
 *
 * In discrete time: at the samples t = k T, with inputs u at t,
 *
 *   y⁺ = g(t, x, u)      x⁺ = f(t, x, u)
 *
 * constant in between. Outputs are zero before the first sample, which is at the start, at any time. */
#ifndef COSIM_PARTS_ODE_PART_H
#define COSIM_PARTS_ODE_PART_H

#include "cosim/parts/part.h"

/* Saved state of the part: (x, u of the last outputs, t), with error control also the next step size and the last
 * error; in discrete time (x, y, time of the next sample). */

/* Makes x⁺ = A x + B u, y = C x + D u with period T, s; linear->restarts is not used. Matrices and start (n_states)
 * are copied; names of states, for messages, are not. SEAM_NO_MEMORY. */
seam_status cosim_sampled_linear_part_create(const cosim_linear_def *linear, double period, const char *const *states,
                                             const double *start, cosim_part **part, seam_error *error);

/* Returns the definition of the part (discrete time: with next states instead of rates) and its period (continuous
 * time: 0; `period` may be NULL); NULL: another kind of part. */
const cosim_ode_def *cosim_ode_part_def(const cosim_part *part, double *period);

/* Gives the part ownership of its context. */
void cosim_ode_part_own(cosim_part *part, void *context);

#endif
