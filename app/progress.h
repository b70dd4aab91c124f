/* One line on a terminal that shows how far a run has come. */
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct app_progress {
  bool shown;   /* stderr is a terminal and the user wants it */
  bool visible; /* a line stands there now */
  double end;   /* simulated time (s) or number of points of 100 %, > 0 */
  double next;  /* wall time of the next drawing, s */
} app_progress;

app_progress progress_start(bool quiet, double end);
void progress_update(app_progress *bar, double time, size_t steps);
void progress_points(app_progress *bar, size_t points);

/* Wipes the line, so that messages start on a clean one. */
void progress_clear(app_progress *bar);

#endif
