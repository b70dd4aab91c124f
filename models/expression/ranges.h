/* Enclosures: ranges of functions over ranges of arguments, which may be infinite. A result contains every value of the
 * function. It is (-∞, ∞) if no finite bound is known. */
#ifndef MODELS_EXPRESSION_RANGES_H
#define MODELS_EXPRESSION_RANGES_H

#include "models/expression/functions.h"

/* Returns the range of f for arguments in u and v (v is unused for one argument), rounded outwards. If the arguments
 * are single points, returns the value without rounding. */
range range_apply(const function *f, range u, range v);

/* Functions for the member `enclose` of `function`. They write an enclosure to *values. If one returns false, the
 * function is monotonic in each argument over these ranges, and *values is unused. */
bool range_product(range u, range v, range *values);
bool range_quotient(range u, range v, range *values);
bool range_power(range u, range v, range *values);
bool range_sine(range u, range v, range *values);
bool range_cosine(range u, range v, range *values);
bool range_tangent(range u, range v, range *values);
bool range_cosh(range u, range v, range *values);
bool range_atan2(range u, range v, range *values);

/* Returns true if f has the same state (see functions.h) for all arguments in u and v. */
bool range_is_one_state(const function *f, range u, range v);

#endif
