/* Messages that all commands have in common. */
#ifndef APP_FAILURE_H
#define APP_FAILURE_H

#include <stdbool.h>

#include <seam/status.h>

/* Sets *error to a message and returns SEAM_NO_MEMORY. */
seam_status out_of_memory(seam_error *error);
/* Fails if memory is exhausted, as in TRY(check_memory(list != NULL, error)). */
static inline seam_status check_memory(bool is_enough, seam_error *error) {
  return is_enough ? SEAM_OK : out_of_memory(error);
}

/* Prints a text of the user to stderr, without control characters. */
void print_name(const char *text);

/* Prints a note to stderr, unless an equal one was printed, as by an earlier run of a study. `context` is unused. */
void print_note(void *context, const char *note);

/* Prints the message of a failure to stderr and returns the exit status. */
int print_failure(const seam_error *error);

#endif
