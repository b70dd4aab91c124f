/* Failures common to all commands. */
#ifndef APP_FAILURE_H
#define APP_FAILURE_H

#include <seam/status.h>

/* Reports and returns SEAM_NO_MEMORY. */
seam_status out_of_memory(seam_error *error);

/* Prints on stderr a text that the user gave, without its control characters. */
void print_name(const char *text);

/* Note handler: prints a note on stderr, once if it is given several times, as by runs of a study. `context` is
 * unused. */
void print_note(void *context, const char *note);

/* Prints the message on stderr and returns the exit status. */
int print_failure(const seam_error *error);

#endif
