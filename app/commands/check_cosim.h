/* Output of `seam check` for a co-simulation. */
#ifndef APP_COMMANDS_CHECK_COSIM_H
#define APP_COMMANDS_CHECK_COSIM_H

#include <seam/models.h>

/* Subsystems, signals, corrections and step control as the file has them. */
void check_print_cosim(const seam_model_file *file);

/* The cut elements of the mechanism, and its quantities that signals take. */
void check_print_couplings(const cosim_simulation *simulation, const cosim_builder *builder);

#endif
