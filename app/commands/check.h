/* What `seam check` prints and `seam run` notes. */
#ifndef APP_COMMANDS_CHECK_H
#define APP_COMMANDS_CHECK_H

#include <stdio.h>

#include <seam/models.h>

/* Prints, in one line after `heading`, the inputs of user equations that no signal sets. with_fmus: also prints inputs
 * of FMUs that no signal sets. Prints nothing if there are no such inputs. */
void check_print_open_inputs(const seam_model_file *file, bool with_fmus, const char *heading, FILE *to);

#endif
