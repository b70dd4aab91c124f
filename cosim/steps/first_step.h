/* Length of a first macro step from the motion. */
#ifndef COSIM_STEPS_FIRST_STEP_H
#define COSIM_STEPS_FIRST_STEP_H

#include "cosim/steps/simulation.h"

/* Returns the first step (s) of collocation with `stages` stages for a `tolerance` of positions (m, rad), at most
 * `longest`; the macro step of the options if accelerations do not change. Evaluates the whole ahead, in `scratch`. */
double cosim_first_step(cosim_simulation *self, int stages, double tolerance, double longest);
/* Extrapolates an evaluated state over h by Taylor's polynomial into `scratch`, and evaluates it with the laws of time
 * that hold after `from`. Errors of mbs_evaluate(). */
seam_status cosim_look_ahead(cosim_simulation *self, const mbs_state *from, double h, seam_error *error);

#endif
