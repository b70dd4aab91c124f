/* Mechanism with the user equations and signals of `cosim:`, for monolithic runs. */
#ifndef MODELS_WHOLE_MODEL_H
#define MODELS_WHOLE_MODEL_H

#include "models/reader.h"

/* Writes why no monolithic run is possible; empty: it is possible. */
void whole_refusal(const reader *r, char *why, size_t size);

/* Adds equations and signals to the builder's mechanism, which has bodies, joints and force elements. */
seam_status whole_add_equations(reader *r);

/* Copies sizes of states from the whole, already built, to subsystems of equations. */
seam_status whole_give_sizes(reader *r);

#endif
