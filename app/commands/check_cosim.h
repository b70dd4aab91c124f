/* Output of `seam check` for a co-simulation. */
#ifndef APP_COMMANDS_CHECK_COSIM_H
#define APP_COMMANDS_CHECK_COSIM_H

#include <stdio.h>

#include <seam/models.h>

/* Prints the subsystems, signals, corrections and step control in the model file. */
void check_print_cosim(const seam_model_file *file);

/* Prints, in one line after `heading`, the inputs of user equations that no signal sets. with_fmus: also prints inputs
 * of FMUs that no signal sets. Prints nothing if there are no such inputs. */
void check_print_open_inputs(const seam_model_file *file, bool with_fmus, const char *heading, FILE *to);

/* Prints couplings (cut elements, couplings of user parts), and quantities of the mechanism that are used as
 * signals. */
void check_print_couplings(const cosim_simulation *simulation, const cosim_builder *builder);

#endif
