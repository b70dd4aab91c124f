/* Internals of a builder of co-simulations. */
#ifndef COSIM_MECHANISM_BUILDER_INTERNAL_H
#define COSIM_MECHANISM_BUILDER_INTERNAL_H

#include "base/arena.h"
#include "cosim/mechanism/definition.h"

struct cosim_builder {
  arena memory; /* memory of all that the definition points at */
  const mbs_model *model;
  mbs_model *empty; /* empty model that the builder owns, if the user gives none */
  cosim_definition definition;
};

/* Divides macro steps by `parts`, and tolerances of integrators by `tighter`, but not below a relative tolerance of
 * 1e-13. Integrators with fixed steps are replaced by the default one: divided steps could miss the same short pulses
 * of a law as undivided ones. */
void cosim_refine(cosim_builder *self, double parts, double tighter);

#endif
