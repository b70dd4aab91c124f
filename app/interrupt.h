/* SIGINT and SIGTERM end every command with exit status 1: at once before interrupt_catch(), later when the command
 * polls. The process also ends if the command does not poll in time, and at a second signal. */
#ifndef APP_INTERRUPT_H
#define APP_INTERRUPT_H

#include <stdbool.h>

/* Lets signals end the process at once, since it has no results yet. Crashes inside an FMU from here on only make the
 * call into the FMU fail. */
void interrupt_end_at_once(void);

/* Lets signals set a flag. The command polls this flag by interrupt_asked(), and then completes its results and
 * ends. */
void interrupt_catch(void);
bool interrupt_asked(void);

/* The same as interrupt_asked(), as a callback of runs; `context` and `at` are unused. */
bool interrupt_requested(void *context, double at);

#endif
