/* SIGINT and SIGTERM ask a run to stop cleanly; a second one ends the process at once. */
#ifndef APP_INTERRUPT_H
#define APP_INTERRUPT_H

#include <stdbool.h>

void interrupt_catch(void);
bool interrupt_asked(void);

/* The same, as an interrupt callback; `context` and `at` are not used. */
bool interrupt_requested(void *context, double at);

#endif
