/* Output of `seam check` that `seam run` prints too. */
#ifndef APP_COMMANDS_CHECK_H
#define APP_COMMANDS_CHECK_H

#include <stdio.h>

#include <seam/models.h>

/* Prints one line: `heading`, then the inputs of user equations that no signal sets. with_fmus: inputs of FMUs too.
 * Prints nothing if all inputs are set. */
void check_print_open_inputs(const seam_model_file *file, bool with_fmus, const char *heading, FILE *to);

#endif
