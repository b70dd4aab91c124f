/* A part given by functions for its rates and outputs: x' = f(t, x, u), y = g(t, x, u). Steps are either controlled by
 * their error, within each piece of the inputs, or fixed micro steps, whose inputs are sampled where the method
 * evaluates the rates. Outputs are those under the inputs at the end of the macro step; with Euler's methods, which
 * hold inputs over a micro step, those under the inputs of the last micro step, as [Rodriguez] has them.
 *
 * For derivatives, the change s of the states along each seed w of the inputs is integrated with the states, s' = f_x s
 * + f_u w; with fixed steps this is the derivative of the method itself. */
#ifndef COSIM_PARTS_ODE_PART_H
#define COSIM_PARTS_ODE_PART_H

#include "cosim/parts/part.h"

/* cosim_ode_part_create(): the state of the part is (x, u that outputs were given under, t), and with error control the
 * size of the next step and the last error. */

/* What it was made of; NULL: another kind of part. */
const cosim_ode_def *cosim_ode_part_def(const cosim_part *part);

#endif
