/* SIGINT and SIGTERM end every command with exit status 1: at once before interrupt_catch(), later when the command
 * polls. The process also ends if the command does not poll in time, and at a second signal. */
#ifndef APP_INTERRUPT_H
#define APP_INTERRUPT_H

#include <stdbool.h>

/* A signal ends the process from now on, as it has written nothing yet; a crash inside an FMU makes the call into it
 * fail. */
void interrupt_end_at_once(void);

/* A signal sets, from now on, a flag that the command polls, to complete its results first. */
void interrupt_catch(void);
bool interrupt_asked(void);

/* The same as an interrupt callback; `context` and `at` are unused. */
bool interrupt_requested(void *context, double at);

#endif
