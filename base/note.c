/* The handler of notes; the library itself prints nothing. */
#include "base/note.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/utf8.h"

static void (*note_handler)(void *context, const char *note);
static void *note_context;
static atomic_int n_suppressed; /* changed by several threads */

void seam_note_to(void (*handler)(void *context, const char *note), void *context) {
  note_handler = handler;
  note_context = context;
}

void seam_note_suppress(bool is_suppressed) { atomic_fetch_add(&n_suppressed, is_suppressed ? 1 : -1); }

void seam_note(const char *format, ...) {
  if (note_handler == NULL || atomic_load(&n_suppressed) > 0)
    return;
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  text_make_printable(text);
  note_handler(note_context, text);
}
