/* Model-based correction (Haid et al., papers/mbcorr.txt): errors that extrapolated inputs leave in the outputs of a
 * macro step are taken out of the outputs at its end; those that they leave in the states, by an offset of the inputs
 * over the next step.
 *
 * For a co-simulation by Jacobi in which all parts have the same macro step and all links into an input holds of one
 * order. Parts that give no derivatives are identified; nothing is corrected while one of them is not known, as
 * corrections of some parts alone may excite the rest. */
#ifndef COSIM_CORRECTIONS_MODEL_BASED_H
#define COSIM_CORRECTIONS_MODEL_BASED_H

#include "cosim/exchange.h"
#include "cosim/identify.h"

typedef struct cosim_model_based_options {
  double alpha; /* share of the error of the states that the next step takes out: 1 all of it, 0 none */
  cosim_identify_options identify;
} cosim_model_based_options;

cosim_model_based_options cosim_model_based_defaults(void);

/* SEAM_BAD_INPUT, SEAM_NO_MEMORY. What the exchange must be like is checked when it is created. */
seam_status cosim_model_based_create(const cosim_model_based_options *options, cosim_correction **created,
                                     seam_error *error);

/* Offsets δu of a part's inputs (n_inputs) over its next step; they may be written. */
double *cosim_model_based_offset(cosim_correction *base, int part);
/* Answers of a part are at hand. */
bool cosim_model_based_knows(const cosim_correction *base, int part);

#endif
