/* Subsystems of user equations in a model file:
 *
 *     x' = rates(t, u, x)      s' = integrals(t, u, x)      y = (outputs(t, u, x), s)
 *
 * where s = 0 at the beginning of a macro step, or by matrices
 *
 *     x' = A x + B u           y = C x + D u
 *
 * with names for inputs u, states x and outputs y; sampled with a period, x⁺ in the place of x'. */
#ifndef MODELS_SECTIONS_USER_EQUATIONS_H
#define MODELS_SECTIONS_USER_EQUATIONS_H

#include <seam/cosim.h>
#include <seam/models.h>

#include "base/nearest.h"
#include "cosim/parts/ode_part.h"
#include "cosim/parts/sampled_part.h"
#include "models/reader.h"

enum { USER_MAX_NAMES = 100 }; /* of inputs and states together */

typedef struct user_equations {
  cosim_user_part part; /* its context is this object */
  const char **inputs, **states, **outputs;
  bool *of_step;     /* (n_outputs) see cosim_part */
  bool *feedthrough; /* (n_outputs x n_inputs) likewise */
  bool is_linear;
  cosim_linear_def linear;
  cosim_ode_def ode;
  double period; /* s, of samples; 0: in continuous time */
  double *start; /* (n_states) */
  /* Of t, inputs and states, in this order. */
  const expression **rates;  /* (n_states), or the next values of the states */
  const expression **values; /* of the outputs that are not integrals */
} user_equations;

/* Whether the value of a subsystem is a map with a key of user equations. */
bool user_equations_is_one(const yaml_node *value);

/* Reads equations into the memory of the result; the integrator's options default to `of_all`. The value of the key
 * macro_step is returned to the caller (NULL: not given). */
seam_status user_equations_read(reader *r, yaml_node *value, const mbs_integrator_options *of_all,
                                const cosim_user_part **user, yaml_node **macro_step);

/* s, of its samples; 0: it has none. */
double user_equations_period(const cosim_user_part *user);

/* Completes a system that has been read: its part can be created. */
void user_equations_finish(user_equations *self);

/* Whether an output of this name is an integral over the last macro step: one of `integrals`, or made of states that
 * restart alone. The outputs that are integrals are written to `known`, as "a, b". */
bool user_equations_is_integral(const cosim_user_part *user, const char *name, char *known, size_t size);

seam_equations user_equations_names(const cosim_user_part *user);

/* Whether it has an input or output of this name; otherwise its names are offered to the search. */
bool user_equations_has(const cosim_user_part *user, bool input, const char *name, nearest *search);

#endif
