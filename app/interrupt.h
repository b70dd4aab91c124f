/* SIGINT and SIGTERM end every command with exit status 1. Before interrupt_catch() the process ends at once. After
 * interrupt_catch() the command ends when it polls; the process ends at once if the command does not poll in time, or
 * at a second signal. */
#ifndef APP_INTERRUPT_H
#define APP_INTERRUPT_H

#include <stdbool.h>

/* Makes signals end the process at once, since it has no results yet. From this call on, a crash inside an FMU only
 * makes the call into the FMU fail. */
void interrupt_end_at_once(void);

/* Makes signals set a flag. The command polls it by interrupt_poll(), and then completes its results and ends. */
void interrupt_catch(void);
bool interrupt_poll(void);

/* interrupt_poll() as a callback of runs; `context` and `at` are unused. */
bool interrupt_requested(void *context, double at);

#endif
