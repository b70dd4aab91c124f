/* Enclosures: the range of a function over ranges of its arguments, which may be infinite. A result holds every value
 * that the function takes; where there is no finite bound it is the whole line. */
#ifndef MODELS_EXPRESSION_RANGES_H
#define MODELS_EXPRESSION_RANGES_H

#include "models/expression/functions.h"

/* f over u (and v, where it has two arguments), rounded outwards. At a single point it is the function's own value. */
range range_apply(const function *f, range u, range v);

/* The column `enclose` of functions that are not monotone in each argument. False: they are, over these ranges. */
bool range_product(range u, range v, range *values);
bool range_quotient(range u, range v, range *values);
bool range_power(range u, range v, range *values);
bool range_sine(range u, range v, range *values);
bool range_cosine(range u, range v, range *values);
bool range_tangent(range u, range v, range *values);
bool range_cosh(range u, range v, range *values);
bool range_atan2(range u, range v, range *values);

/* Returns true if the state of a switch (see functions.h) is the same all over u and v. */
bool range_is_one_state(const function *f, range u, range v);

#endif
