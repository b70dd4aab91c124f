/* Contents of a builder, from which a co-simulation is created. */
#ifndef COSIM_MECHANISM_DEFINITION_H
#define COSIM_MECHANISM_DEFINITION_H

#include <seam/cosim.h>

/* Creates a builder with copies of the contents of a definition. SEAM_NO_MEMORY. */
seam_status cosim_builder_of(const mbs_model *model, const cosim_definition *definition, cosim_builder **created,
                             seam_error *error);

#endif
