/* Studies of a description. Each is a command of Seam: its keys are options, and it writes a folder with its name. */
#ifndef APP_REPRODUCE_STUDIES_H
#define APP_REPRODUCE_STUDIES_H

#include "app/reproduce/description.h"

/* Makes all studies one after the other; each writes into DIRECTORY/STUDY. SEAM_BAD_INPUT: a study is wrong, or its
 * exit status differs from its key `exit`; errors of the commands. */
seam_status studies_run(const description *self, const char *directory, seam_error *error);

/* Returns the name of the file with the numbers of a study, for tables that name no file; NULL: there is no such
 * file. */
const char *studies_file(const json_node *study);

#endif
