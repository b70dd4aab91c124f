/* Internals of a builder of co-simulations. */
#ifndef COSIM_MECHANISM_BUILDER_INTERNAL_H
#define COSIM_MECHANISM_BUILDER_INTERNAL_H

#include "base/arena.h"
#include "cosim/mechanism/definition.h"

struct cosim_builder {
  arena memory; /* memory of all that the definition points at */
  const mbs_model *model;
  mbs_model *empty; /* own model, if the user gives none */
  cosim_definition definition;
};

/* Divides macro steps and fixed micro steps by `parts`, tolerances of integrators by `tighter`. */
void cosim_refine(cosim_builder *self, double parts, double tighter);

#endif
