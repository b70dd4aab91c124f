/* The studies of a description are commands of Seam: their keys are options, and each has a folder of its name. */
#ifndef APP_REPRODUCE_STUDIES_H
#define APP_REPRODUCE_STUDIES_H

#include "app/reproduce/description.h"

/* Carries out all studies, one after the other, into DIRECTORY/STUDY. SEAM_BAD_INPUT: a study that cannot be said, or
 * one that ends with another exit status than its key `exit` says; else as the commands. */
seam_status studies_run(const description *self, const char *directory, seam_error *error);

/* "DIRECTORY/PLACE", to be freed, where the place begins with the name of a study; else a copy of it. NULL: no memory.
 */
char *studies_place(const description *self, const char *directory, const char *place);

/* The file of results in which the numbers of a study are, if a table does not name one. */
const char *studies_file(const json_node *study);

#endif
