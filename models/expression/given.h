/* Functions given by the caller of the reader (seam_function in <seam/models.h>): laws of one or two arguments. */
#ifndef MODELS_EXPRESSION_GIVEN_H
#define MODELS_EXPRESSION_GIVEN_H

#include "models/expression/functions.h"

double given_value(const seam_law *law, double u, double v);
/* Fills zeroed partials. Without a jet, uses central differences: for a law that changes over distances of 1 or of its
 * argument, errors are about 1e-10 of first and 1e-7 of second derivatives. */
void given_slopes(const seam_law *law, int n_arguments, double u, double v, partials *d);

#endif
