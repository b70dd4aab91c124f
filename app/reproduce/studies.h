/* The studies of a description are commands of Seam: their keys are options, and each has a folder of its name. */
#ifndef APP_REPRODUCE_STUDIES_H
#define APP_REPRODUCE_STUDIES_H

#include "app/reproduce/description.h"

/* Carries out all studies, one after the other, into DIRECTORY/STUDY. SEAM_BAD_INPUT: a wrong study, or an exit status
 * unlike its key `exit`; else as the commands. */
seam_status studies_run(const description *self, const char *directory, seam_error *error);

/* Returns the usual file with a study's numbers, for a table that names none. */
const char *studies_file(const json_node *study);

#endif
