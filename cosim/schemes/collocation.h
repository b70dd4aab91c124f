/* Collocation: conditions at inner nodes of the macro step and at its end, and their rates at the end (docs/theory.md,
 * Collocation). */
#ifndef COSIM_COLLOCATION_H
#define COSIM_COLLOCATION_H

#include "cosim/schemes/condition.h"

/* Evaluate residuals, gradients, and changes of residuals at cuts with collocation, for the functions of
 * condition.h. */
void cosim_collocation_conditions(const cosim_cut *cut, const cosim_step_interval *step, const cosim_approximations *w,
                                  double *residual);
void cosim_collocation_gradients(const cosim_cut *cut, const cosim_step_interval *step, const cosim_approximations *w,
                                 cosim_law_gradients *gradients);
void cosim_collocation_derivatives(const cosim_cut *cut, const cosim_step_interval *step,
                                   const cosim_law_gradients *gradients, const cosim_step_outputs *seed,
                                   const cosim_approximations *w_seed, double *derivatives);

#endif
