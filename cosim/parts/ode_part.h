/* A part given by functions for its rates and outputs: x' = f(t, x, u), y = g(t, x, u). Steps are either controlled by
 * their error, within each piece of the inputs, or fixed micro steps, whose inputs are sampled where the method
 * evaluates the rates. Outputs are those under the inputs at the end of the macro step; with Euler's methods, which
 * hold inputs over a micro step, those under the inputs of the last micro step, as [Rodriguez] has them.
 *
 * For derivatives, the change s of the states along each seed w of the inputs is integrated with the states, s' = f_x s
 * + f_u w; with fixed steps this is the derivative of the method itself.
 *
 * Or in discrete time: at the samples t = k T, with inputs u there,
 *
 *   y⁺ = g(t, x, u)      x⁺ = f(t, x, u)
 *
 * and in between both are held. Outputs are zero before the first sample, which is at the start, whatever its time. */
#ifndef COSIM_PARTS_ODE_PART_H
#define COSIM_PARTS_ODE_PART_H

#include "cosim/parts/part.h"

/* The state of the part is (x, u that outputs were given under, t), and with error control the size of the next step
 * and the last error; in discrete time (x, y, time of the next sample). */

/* x⁺ = A x + B u, y = C x + D u with period T, s; restarts are none. Matrices and start (n_states) are copied, names of
 * states for messages are not. SEAM_NO_MEMORY. */
seam_status cosim_sampled_linear_part_create(const cosim_linear_def *linear, double period, const char *const *states,
                                             const double *start, cosim_part **part, seam_error *error);

/* Returns the definition that the part was made of, in discrete time with next states in place of rates, and its
 * period, else 0 (`period` may be NULL); NULL: another kind of part. */
const cosim_ode_def *cosim_ode_part_def(const cosim_part *part, double *period);

/* The part frees its context from now on. */
void cosim_ode_part_own(cosim_part *part, void *context);

#endif
