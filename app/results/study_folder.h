/* The folder of the results of a command. */
#ifndef APP_RESULTS_STUDY_FOLDER_H
#define APP_RESULTS_STUDY_FOLDER_H

#include "app/options.h"

/* results/MODEL/STUDY with the overrides and the options that name a folder behind it, as in results/swing/run-k=50:
 * another study has another folder. To be freed; NULL when memory is exhausted. */
char *study_folder(const app_options *parsed, const char *model, const char *study);

/* Makes it, or the one of -o; *directory is to be freed by the caller, whatever the result. As output_make_directory(),
 * SEAM_NO_MEMORY. */
seam_status study_folder_make(const app_options *parsed, const char *model, const char *study, char **directory,
                              seam_error *error);

#endif
