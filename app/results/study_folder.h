/* The folder of the results of a command. */
#ifndef APP_RESULTS_STUDY_FOLDER_H
#define APP_RESULTS_STUDY_FOLDER_H

#include "app/options.h"

/* Returns the default folder results/MODEL/STUDY. Its name goes on with the overrides and the options that have
 * names_folder, so that other values give another folder: results/swing/run-k=50. The caller frees it; NULL: memory is
 * exhausted. */
char *study_folder(const app_options *parsed, const char *model, const char *study);

/* Makes the folder of -o or, without -o, the one of study_folder(). The caller frees *directory, whatever the result.
 * Errors as of output_make_directory(), SEAM_NO_MEMORY. */
seam_status study_folder_make(const app_options *parsed, const char *model, const char *study, char **directory,
                              seam_error *error);

#endif
