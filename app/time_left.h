/* Time left of a command. Each of its phases has a predicted work, in any unit; the time of earlier phases gives the
 * cost of a unit. */
#ifndef APP_TIME_LEFT_H
#define APP_TIME_LEFT_H

/* Zero-initialised: no phase yet. */
typedef struct time_left {
  double spent, done;      /* time, s, and work of earlier phases */
  double work, later_work; /* work of the present phase, work of later ones; NaN: unknown */
  double start;            /* start of the present phase, s */
  double fraction;         /* share of the present phase that is done */
  /* Two earlier times in the phase, s, and the fractions done then. The rate since times[0] is the recent rate: the
   * last quarter to half of the phase's time so far. */
  double times[2], fractions[2];
} time_left;

/* Ends the present phase and begins the next at time `now` (s). Phases of unknown work do not count in the cost of a
 * unit. */
void time_left_begin(time_left *self, double now, double work, double later_work);

/* Records that a fraction of the present phase, 0 to 1, is done. */
void time_left_note(time_left *self, double now, double fraction);

/* Returns the time left, s; NaN: unknown yet. */
double time_left_estimate(const time_left *self, double now);

/* Returns the share of the predicted work of all phases that is done. If the work is unknown, returns the fraction of
 * the present phase. */
double time_left_fraction(const time_left *self);

#endif
