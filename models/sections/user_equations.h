/* Equations of a subsystem as a part of the co-simulation, with time t, inputs u, states x, integrals s and outputs y:
 *
 *     x' = rates(t, u, x)      s' = integrals(t, u, x)      y = (outputs(t, u, x), s)
 *
 * s is 0 at the start of each macro step. Equations given by matrices are integrated exactly. Sampled equations change
 * only at samples. */
#ifndef MODELS_SECTIONS_USER_EQUATIONS_H
#define MODELS_SECTIONS_USER_EQUATIONS_H

#include <seam/cosim.h>
#include <seam/models.h>

#include "models/sections/equations_section.h"

/* Returns true if a subsystem's value has a key of equations. */
bool user_equations_match(const yaml_node *value);

/* Reads all keys except the macro step, into the result's memory. of_all: the integrator's options for all subsystems;
 * `value` may give others. */
seam_status user_equations_read(reader *r, yaml_node *value, const mbs_integrator_options *of_all,
                                const cosim_user_part **user);

/* Returns the equations as the file gives them; NULL: the subsystem is not made of equations. */
const equations *user_equations_of(const cosim_user_part *user);

/* Sets the nominal size of a state. */
void user_equations_set_nominal(const cosim_user_part *user, size_t state, double size);

/* Sets the initial value of a state. A state that restarts in every macro step begins at 0 nevertheless. */
void user_equations_set_start(const cosim_user_part *user, size_t state, double value);

/* Returns true if an output is an integral over the last macro step: one of `integrals`, or a combination of restarting
 * states only. If not, `known` (size bytes) has the names of all such outputs, as "a, b". */
bool user_equations_is_integral(const cosim_user_part *user, const char *name, char *known, size_t size);

seam_equations user_equations_names(const cosim_user_part *user);

/* Returns true if the subsystem has this input or output. Otherwise adds its names to a search for the nearest one. */
bool user_equations_has(const cosim_user_part *user, bool input, const char *name, nearest *search);

#endif
