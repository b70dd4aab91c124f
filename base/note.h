/* Notes: what a user should know though nothing failed. */
#ifndef BASE_NOTE_H
#define BASE_NOTE_H

#include <stdbool.h>

#include <seam/status.h>

/* Formats a note and hands it to the handler, if there is one. */
void seam_note(const char *format, ...) SEAM_PRINTF(1, 2);

/* Behind seam_set_note_handler(). */
void seam_note_to(void (*handler)(void *context, const char *note), void *context);

/* Notes of what is run beside what was asked for are not handed on: true, then, as often, false. */
void seam_note_hold_back(bool is_held_back);

#endif
