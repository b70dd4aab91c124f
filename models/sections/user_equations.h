/* Equations of a subsystem as a part of the co-simulation:
 *
 *     x' = rates(t, u, x)      s' = integrals(t, u, x)      y = (outputs(t, u, x), s)
 *
 * where s = 0 at the beginning of a macro step; by matrices integrated exactly; or sampled. */
#ifndef MODELS_SECTIONS_USER_EQUATIONS_H
#define MODELS_SECTIONS_USER_EQUATIONS_H

#include <seam/cosim.h>
#include <seam/models.h>

#include "base/nearest.h"
#include "models/sections/equations_section.h"

/* Returns true if the value of a subsystem is a map with a key of user equations. */
bool user_equations_is_one(const yaml_node *value);

/* Reads equations into the memory of the result, but not their macro step; the integrator's options default to
 * `of_all`. */
seam_status user_equations_read(reader *r, yaml_node *value, const mbs_integrator_options *of_all,
                                const cosim_user_part **user);

/* As the file has them; NULL: a part of another kind, which has names alone. */
const equations *user_equations_of(const cosim_user_part *user);

/* Sets the usual size of one of the states that user_equations_of() lists. */
void user_equations_set_nominal(const cosim_user_part *user, size_t state, double size);

/* Returns true if an output of this name is an integral over the last macro step: one of `integrals`, or made of states
 * that restart alone. The outputs that are integrals are written to `known`, as "a, b". */
bool user_equations_is_integral(const cosim_user_part *user, const char *name, char *known, size_t size);

seam_equations user_equations_names(const cosim_user_part *user);

/* Returns true if it has an input or output of this name; otherwise its names are offered to the search. */
bool user_equations_has(const cosim_user_part *user, bool input, const char *name, nearest *search);

#endif
