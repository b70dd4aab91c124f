/* The studies of a description are commands of Seam: their keys are options, and each writes a folder of its name. */
#ifndef APP_REPRODUCE_STUDIES_H
#define APP_REPRODUCE_STUDIES_H

#include "app/reproduce/description.h"

/* Carries out all studies, one after the other; each writes into DIRECTORY/STUDY. SEAM_BAD_INPUT: a study is wrong, or
 * its exit status is not that of its key `exit`; else errors of the commands. */
seam_status studies_run(const description *self, const char *directory, seam_error *error);

/* Returns the name of the file with a study's numbers that counts if a table names no file; NULL: there is no such
 * file. */
const char *studies_file(const json_node *study);

#endif
