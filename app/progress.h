/* A progress line on the terminal: fraction of a command that is done, and time left. */
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/* ---- Time left ---- */

/* Time left of a command in phases, each with a predicted work in any unit. Earlier phases give the cost of a unit.
 * A zeroed struct has no phase yet. */
typedef struct time_left {
  double spent, done;      /* time (s) and work of earlier phases */
  double work, later_work; /* work of the present and of later phases; NaN: unknown */
  double start;            /* s, start of the present phase */
  double fraction;         /* share of the present phase that is done */
  /* Two earlier times in the phase (s), and the fractions done then. The recent rate is the mean since times[0],
   * over the last quarter to half of the phase so far. */
  double times[2], fractions[2];
} time_left;

/* Begins the next phase at `now` (s). Phases with unknown work do not count in the cost of a unit. */
void time_left_begin(time_left *self, double now, double work, double later_work);

/* Records the fraction, 0 to 1, of the phase that is done. */
void time_left_record(time_left *self, double now, double fraction);

/* Returns the time left, s; NaN: not known yet. */
double time_left_estimate(const time_left *self, double now);

/* Returns the finished fraction of all predicted work; if it is unknown, of the present phase. */
double time_left_fraction(const time_left *self);

/* ---- The line ---- */

typedef struct app_progress {
  bool shown;        /* stderr is a terminal, and --quiet is not given */
  bool visible;      /* the line is on the terminal now */
  int width;         /* width of the terminal, characters */
  double next;       /* s, wall time of the next drawing */
  const char *label; /* name of the present phase; NULL: none */
  time_left left;
} app_progress;

/* Starts the line of a command. One thread only may use it. */
app_progress progress_start(bool quiet);

/* work: predicted work of the phase; later_work: of all later phases, in the same unit; NaN: unknown. The label (NULL:
 * none) must outlive the phase. */
void progress_phase(app_progress *bar, const char *label, double work, double later_work);

/* Record the fraction of the phase that is done, and draw the line if it is due. progress_run() shows the time (s) and
 * steps of a run, progress_count() "`count` `what`". */
void progress_run(app_progress *bar, double fraction, double time, size_t steps);
void progress_count(app_progress *bar, double fraction, size_t count, const char *what);

/* Erases the line, so that a message can be printed. */
void progress_clear(app_progress *bar);

#endif
