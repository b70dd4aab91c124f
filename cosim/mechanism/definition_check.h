/* Checks of definitions in themselves: lists and texts when they are added, before they are copied; numbers and names
 * when a co-simulation is created. What depends on the model is checked where it is used. SEAM_BAD_INPUT. */
#ifndef COSIM_MECHANISM_DEFINITION_CHECK_H
#define COSIM_MECHANISM_DEFINITION_CHECK_H

#include "cosim/mechanism/definition.h"

/* Checks a cosim_subsystem_def, which has a name; a cosim_bond_def. */
seam_status cosim_check_subsystem(const void *item, seam_error *error);
seam_status cosim_check_ports(const void *item, seam_error *error);

seam_status cosim_definition_check(const cosim_definition *definition, seam_error *error);

#endif
