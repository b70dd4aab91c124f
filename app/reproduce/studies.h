/* The studies of a description are commands of Seam: their keys are options, and each writes a folder of its name. */
#ifndef APP_REPRODUCE_STUDIES_H
#define APP_REPRODUCE_STUDIES_H

#include "app/reproduce/description.h"

/* Carries out all studies, one after the other, into DIRECTORY/STUDY. SEAM_BAD_INPUT: a wrong study, or an exit status
 * other than its key `exit`; else errors of the commands. */
seam_status studies_run(const description *self, const char *directory, seam_error *error);

/* Returns the default name of the file with a study's numbers, for tables that name none; NULL: there is no default. */
const char *studies_file(const json_node *study);

#endif
