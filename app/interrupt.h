/* SIGINT and SIGTERM end every command with exit status 1: before interrupt_catch() at once, after it when the command
 * polls. A command that does not poll in time ends at once, as it does at a second signal. */
#ifndef APP_INTERRUPT_H
#define APP_INTERRUPT_H

#include <stdbool.h>

/* Makes signals end the process at once: it has no results yet. From now on a crash inside an FMU only fails the
 * call. */
void interrupt_end_at_once(void);

/* Makes signals set a flag. A command that polls it completes its results and ends. */
void interrupt_catch(void);
bool interrupt_poll(void);

/* Calls interrupt_poll(), as a callback of runs. `context` and `at` are unused. */
bool interrupt_requested(void *context, double at);

#endif
