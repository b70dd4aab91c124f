#include "base/note.h"

#include <seam/models.h>

void seam_set_note_handler(seam_note_handler handler, void *context) { seam_note_to(handler, context); }
