/* A progress line on the terminal: fraction of a command that is done, and time left. */
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "app/time_left.h"

typedef struct app_progress {
  bool shown;        /* stderr is a terminal, and --quiet is not given */
  bool visible;      /* the line is on the terminal now */
  int width;         /* width of the terminal, characters */
  double next;       /* s, wall time of the next drawing */
  const char *label; /* name of the present phase; NULL: none */
  time_left left;
} app_progress;

/* Starts the progress line of a command; progress_phase() begins each phase. Must be used by one thread only. */
app_progress progress_start(bool quiet);

/* Begins a phase. work: predicted work of the phase; later_work: of all later phases, in the same unit; NaN: unknown.
 * The label (NULL: none) must outlive the phase. */
void progress_phase(app_progress *bar, const char *label, double work, double later_work);

/* Record the fraction of the phase that is done, and draw the line if it is due. progress_run() shows the simulated
 * `time` (s) and the `steps` of a run, progress_count() shows "`count` `what`"; `what` is a plural.
 */
void progress_run(app_progress *bar, double fraction, double time, size_t steps);
void progress_count(app_progress *bar, double fraction, size_t count, const char *what);

/* Erases the line, so that a message can be printed. */
void progress_clear(app_progress *bar);

#endif
