/* Notes to the user, see seam_set_note_handler(). */
#ifndef MODELS_NOTE_H
#define MODELS_NOTE_H

#include <seam/models.h>

/* Formats a note and hands it to the handler, if there is one. */
void seam_note(const char *format, ...) SEAM_PRINTF(1, 2);

#endif
