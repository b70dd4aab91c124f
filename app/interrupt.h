/* SIGINT and SIGTERM end every command, with exit status 1: at once before interrupt_catch(), afterwards when the
 * command asks. A computation that takes long to ask is not waited for, and a second signal ends the process. */
#ifndef APP_INTERRUPT_H
#define APP_INTERRUPT_H

#include <stdbool.h>

/* Lets a signal end the process, which has written nothing yet, and a crash of an FMU fail what runs it. */
void interrupt_end_at_once(void);

/* From here on the command asks, as it has results to complete. */
void interrupt_catch(void);
bool interrupt_asked(void);

/* The same, as an interrupt callback; `context` and `at` are not used. */
bool interrupt_requested(void *context, double at);

#endif
