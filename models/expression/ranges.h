/* Enclosures: ranges of functions for ranges of arguments, which may be infinite. A result contains every value of the
 * function; if no finite bound is known, it is (-∞, ∞). */
#ifndef MODELS_EXPRESSION_RANGES_H
#define MODELS_EXPRESSION_RANGES_H

#include "models/expression/functions.h"

/* Returns the range of f over u (and v for two arguments), rounded outwards; at a single point, the value. */
range range_apply(const function *f, range u, range v);

/* Functions for the member `enclose` of `function`. False: f is monotone in each argument over these ranges. */
bool range_product(range u, range v, range *values);
bool range_quotient(range u, range v, range *values);
bool range_power(range u, range v, range *values);
bool range_sine(range u, range v, range *values);
bool range_cosine(range u, range v, range *values);
bool range_tangent(range u, range v, range *values);
bool range_cosh(range u, range v, range *values);
bool range_atan2(range u, range v, range *values);

/* Returns true if a function has the same state (see functions.h) for all arguments in u and v. */
bool range_is_one_state(const function *f, range u, range v);

#endif
