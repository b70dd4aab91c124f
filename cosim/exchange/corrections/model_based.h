/* Model-based correction (Haid et al., [Haid]): errors that extrapolated inputs leave in the outputs of a
 * macro step are taken out of the outputs at its end; those that they leave in the states, by an offset of the inputs
 * over the next step.
 *
 * Created by cosim_model_based_correction_create(); here is what the analysis and the tests see of it. Nothing is
 * corrected while one part is not known, as corrections of some parts alone may excite the rest. */
#ifndef COSIM_EXCHANGE_CORRECTIONS_MODEL_BASED_H
#define COSIM_EXCHANGE_CORRECTIONS_MODEL_BASED_H

#include "cosim/exchange/exchange.h"

/* Offsets δu of a part's inputs (n_inputs) over its next step; they may be written. */
double *cosim_model_based_offset(cosim_correction *base, int part);
/* Answers of a part are at hand. */
bool cosim_model_based_knows(const cosim_correction *base, int part);

#endif
