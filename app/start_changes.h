/* What assembly changed of the start that the file says, for who reads the terminal. */
#ifndef APP_START_CHANGES_H
#define APP_START_CHANGES_H

#include <seam/runs.h>

/* A line to standard error that says who did it, and a hint: nothing where nothing changed. */
void start_changes_print(const seam_start_changes *changes, const mbs_model *model, const char *who, const char *hint);

#endif
