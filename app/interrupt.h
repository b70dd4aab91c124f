/* SIGINT and SIGTERM end every command with exit status 1: at once before interrupt_catch(), later when the command
 * polls. The process also ends if the command does not poll in time, and at a second signal. */
#ifndef APP_INTERRUPT_H
#define APP_INTERRUPT_H

#include <stdbool.h>

/* Sets signals to end the process at once, because no results are begun. Crashes inside an FMU only make the call into
 * the FMU fail. */
void interrupt_end_at_once(void);

/* Sets signals to set a flag. The command polls it by interrupt_asked() and completes its results before it ends. */
void interrupt_catch(void);
bool interrupt_asked(void);

/* Does the same as interrupt_asked(), as a callback of runs; `context` and `at` are unused. */
bool interrupt_requested(void *context, double at);

#endif
