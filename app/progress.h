/* One line on a terminal that shows how far a command has come, and how long it still takes. */
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "app/time_left.h"

typedef struct app_progress {
  bool shown;        /* stderr is a terminal and the user wants it */
  bool visible;      /* a line stands there now */
  int width;         /* of the terminal, letters */
  double next;       /* wall time of the next drawing, s */
  const char *label; /* of the present phase; NULL: none */
  time_left left;
} app_progress;

/* Starts the progress of a whole command, whose phases follow. To be used by one thread. */
app_progress progress_start(bool quiet);

/* Begins a phase of a predicted work, with `rest` to come behind it, in one unit (NaN: unknown). The label (NULL: none)
 * must outlive the phase. */
void progress_phase(app_progress *bar, const char *label, double work, double rest);

/* A fraction of the phase is done: a run is at `time` (s) after so many steps, or `count` of `what` (plural) are. */
void progress_run(app_progress *bar, double fraction, double time, size_t steps);
void progress_count(app_progress *bar, double fraction, size_t count, const char *what);

/* Wipes the line, so that messages start on a clean one. */
void progress_clear(app_progress *bar);

#endif
