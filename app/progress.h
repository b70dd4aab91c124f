/* One line on a terminal: the fraction done of a command, and the time left. */
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "app/time_left.h"

typedef struct app_progress {
  bool shown;        /* stderr is a terminal, without --quiet */
  bool visible;      /* a line is on the terminal now */
  int width;         /* terminal width, characters */
  double next;       /* wall time of the next drawing, s */
  const char *label; /* name of the present phase; NULL: none */
  time_left left;
} app_progress;

/* Starts the progress line of a command; progress_phase() begins each phase. Only one thread may use the line. */
app_progress progress_start(bool quiet);

/* Begins a phase. `work` is its predicted work, `later_work` that of all phases after it, in the same unit (NaN:
 * unknown). The label (NULL: none) must outlive the phase. */
void progress_phase(app_progress *bar, const char *label, double work, double later_work);

/* Record the fraction of the phase that is done, and draw the line if it is due. The first line has the `time` (s) and
 * the `steps` of a run, the second says that `count` of `what` (plural) are done. */
void progress_run(app_progress *bar, double fraction, double time, size_t steps);
void progress_count(app_progress *bar, double fraction, size_t count, const char *what);

/* Wipes the line, so that messages start on a clean one. */
void progress_clear(app_progress *bar);

#endif
