/* Equations as variables, measures and functions of quantities: controllers, motors, hydraulics.
 *
 *   u = inputs(quantities)                       measure NAME.u
 *   x' = rates(t, u, x, y, quantities)           variable NAME.x; sampled: x⁺ = updates(...)
 *   y = outputs(t, u, x, quantities)             measure NAME.y; sampled: variable, y⁺ = outputs(...)
 *
 * or, by matrices, x' = A x + B u, y = C x + D u. */
#ifndef MODELS_SECTIONS_EQUATIONS_H
#define MODELS_SECTIONS_EQUATIONS_H

#include "models/sections/deferred.h"

/* Keys of `linear:`. The rows are those of the schema: which of B and C is required depends on the equations. */
enum { LINEAR_A, LINEAR_B, LINEAR_C, LINEAR_D, LINEAR_RESTARTS, N_LINEAR };
void equations_linear_keys(bool has_inputs, bool has_outputs, map_key of_linear[N_LINEAR]);

/* What an input of a list of names receives: makes it a sum. */
typedef struct equations_wiring {
  seam_status (*find)(const void *context, reader *r, const char *input, deferred *sum);
  const void *context;
} equations_wiring;

/* Adds one entry to the mechanism. `wiring` (may be NULL) is for inputs that are a list of names, as in subsystems of
 * user equations, where an output may also have the name of an input or state. */
seam_status equations_add(reader *r, yaml_node *value, const equations_wiring *wiring);

/* Refuses the key of what expressions name, `what`, where something else has the name. */
seam_status equations_check_name(reader *r, const yaml_node *key, const char *what);

#endif
