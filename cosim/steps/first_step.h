/* Length of a first macro step from the motion there. */
#ifndef COSIM_MECHANISM_FIRST_STEP_H
#define COSIM_MECHANISM_FIRST_STEP_H

#include "cosim/steps/simulation.h"

/* Returns the first step of collocation with `stages` stages, for a `tolerance` of positions (m, rad), at most
 * `longest`; that of the options where nothing shows how accelerations change. Evaluates the whole at some states
 * ahead, into `scratch`. */
double cosim_first_step(cosim_simulation *self, int stages, double tolerance, double longest);
/* Taylor's polynomial of a state that is evaluated, over h, into `scratch`, with its accelerations and multipliers
 * under the laws of time that hold after it. Errors of mbs_evaluate(). */
seam_status cosim_look_ahead(cosim_simulation *self, const mbs_state *from, double h, seam_error *error);

#endif
