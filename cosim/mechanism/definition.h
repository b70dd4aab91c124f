/* The definition of a co-simulation, and its builder. Lists and texts are checked when they are added. Numbers and
 * names are checked when a co-simulation is created. References to the model are checked where they are used. */
#ifndef COSIM_MECHANISM_DEFINITION_H
#define COSIM_MECHANISM_DEFINITION_H

#include <seam/cosim.h>

#include "base/arena.h"

struct cosim_builder {
  arena memory; /* memory of all that the definition points at */
  const mbs_model *model;
  mbs_model *empty; /* empty model that the builder owns, if the user gives none */
  cosim_definition definition;
};

/* Creates a builder with copies of the contents of a definition. SEAM_NO_MEMORY. */
seam_status cosim_builder_of(const mbs_model *model, const cosim_definition *definition, cosim_builder **created,
                             seam_error *error);

/* Checks the numbers and names of a definition. SEAM_BAD_INPUT. */
seam_status cosim_definition_check(const cosim_definition *definition, seam_error *error);

/* Divides macro steps by `parts` and tolerances of integrators by `tighter`; relative tolerances do not fall below
 * 1e-13. Replaces integrators with fixed steps by the default one. Divided fixed steps could still miss a short pulse
 * of a law that the undivided ones miss. */
void cosim_refine(cosim_builder *self, double parts, double tighter);

#endif
