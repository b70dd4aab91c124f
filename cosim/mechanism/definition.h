/* The definition of a co-simulation: contents of its builder, and their checks. Lists and texts are checked when they
 * are added, before they are copied. Numbers and names are checked when a co-simulation is created. References to the
 * model are checked where they are used. */
#ifndef COSIM_MECHANISM_DEFINITION_H
#define COSIM_MECHANISM_DEFINITION_H

#include <seam/cosim.h>

/* Creates a builder with copies of the contents of a definition. SEAM_NO_MEMORY. */
seam_status cosim_builder_of(const mbs_model *model, const cosim_definition *definition, cosim_builder **created,
                             seam_error *error);

/* cosim_check_subsystem() checks the lists of a cosim_subsystem_def, which must have a name; cosim_check_ports() checks
 * the ports of a cosim_bond_def; cosim_definition_check() checks the numbers and names of a definition.
 * SEAM_BAD_INPUT. */
seam_status cosim_check_subsystem(const void *item, seam_error *error);
seam_status cosim_check_ports(const void *item, seam_error *error);
seam_status cosim_definition_check(const cosim_definition *definition, seam_error *error);

#endif
