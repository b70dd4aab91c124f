/* A progress line on the terminal: fraction of a command that is done, and time left. */
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/* ---- Time left ---- */

/* Time left of a command, which consists of phases. Each phase has a predicted work in any unit; the time of earlier
 * phases gives the cost of a unit. */

/* A zero-initialised time_left has no phase yet. */
typedef struct time_left {
  double spent, done;      /* time (s) and work of earlier phases */
  double work, later_work; /* work of the present phase, and of later phases; NaN: unknown */
  double start;            /* s, start of the present phase */
  double fraction;         /* share of the present phase that is done */
  /* Two earlier times in the phase (s), and the fractions done at these times. The recent rate of progress is the mean
   * since times[0]. The time since times[0] is a quarter to a half of the time since the start of the phase. */
  double times[2], fractions[2];
} time_left;

/* Ends the present phase and begins the next one at time `now` (s). The cost of a unit does not include phases with
 * unknown work. */
void time_left_begin(time_left *self, double now, double work, double later_work);

/* Records that a fraction, 0 to 1, of the present phase is done. */
void time_left_record(time_left *self, double now, double fraction);

/* Returns the time left, s; NaN: not known yet. */
double time_left_estimate(const time_left *self, double now);

/* Returns the finished fraction of the predicted work of all phases. If the work is unknown, returns the finished
 * fraction of the present phase. */
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
