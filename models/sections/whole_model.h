/* The mechanism with the user equations and signals of `cosim:` in it, which is integrated as a whole. */
#ifndef MODELS_WHOLE_MODEL_H
#define MODELS_WHOLE_MODEL_H

#include "models/reader.h"

/* Writes why the model cannot be integrated as a whole; empty: it can. */
void whole_refusal(const reader *r, char *why, size_t size);

/* Adds what they bring to a mechanism whose bodies, joints and force elements are in the builder. */
seam_status whole_add_equations(reader *r);

/* Gives subsystems of equations the sizes of states that the whole, which is built, has. */
seam_status whole_give_sizes(reader *r);

#endif
