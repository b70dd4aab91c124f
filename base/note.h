/* Notes: information for the user without a failure. */
#ifndef BASE_NOTE_H
#define BASE_NOTE_H

#include <stdbool.h>

#include <seam/status.h>

/* Formats a note and passes it to the handler, if any. */
void seam_note(const char *format, ...) SEAM_PRINTF(1, 2);

/* Implements seam_set_note_handler(). */
void seam_note_to(void (*handler)(void *context, const char *note), void *context);

/* Suppresses notes after a call with true, for runs that the user did not request. Calls may be nested: notes appear
 * again after as many calls with false as with true. */
void seam_note_suppress(bool is_suppressed);

#endif
