/* The folder for the results of a command. */
#ifndef APP_RESULTS_STUDY_FOLDER_H
#define APP_RESULTS_STUDY_FOLDER_H

#include "app/options.h"

/* Returns the default folder results/MODEL/STUDY, which the caller frees; NULL: no memory. Its name ends with the
 * overrides and the options that have names_folder, as results/swing/run-k=50. Thus other values give another
 * folder. */
char *study_folder(const app_options *parsed, const char *model, const char *study);

/* Makes the folder of -o or, without -o, that of study_folder(). The caller frees *directory, even after a failure.
 * Errors of output_make_directory(), SEAM_NO_MEMORY. */
seam_status study_folder_make(const app_options *parsed, const char *model, const char *study, char **directory,
                              seam_error *error);

#endif
