/* Model-based correction (Haid et al., [Haid]). At the end of a macro step it corrects the errors that extrapolated
 * inputs cause in the outputs. An offset of the inputs over the next step corrects the errors of the states.
 *
 * Created by cosim_model_based_correction_create(); this header is for the analysis and the tests. Nothing is corrected
 * until the derivatives of all parts are known, as corrections of some parts alone may excite the others. */
#ifndef COSIM_MODEL_BASED_H
#define COSIM_MODEL_BASED_H

#include "cosim/coupling/exchange.h"

/* Offsets δu of a part's inputs (n_inputs) over its next step; callers may change them. */
double *cosim_model_based_offset(cosim_correction *base, int part);
/* Returns true if the derivatives of a part are given or identified. */
bool cosim_model_based_is_identified(const cosim_correction *base, int part);

#endif
