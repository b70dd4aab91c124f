/* Messages that all commands have in common. */
#ifndef APP_FAILURE_H
#define APP_FAILURE_H

#include <seam/status.h>

/* Sets *error to a message and returns SEAM_NO_MEMORY. */
seam_status out_of_memory(seam_error *error);

/* Prints a text of the user to stderr, without its control characters. */
void print_name(const char *text);

/* Note handler. Prints each note to stderr, but equal notes, as of several runs of a study, only once. `context` is
 * unused. */
void print_note(void *context, const char *note);

/* Prints the message of a failure to stderr and returns the exit status. */
int print_failure(const seam_error *error);

#endif
