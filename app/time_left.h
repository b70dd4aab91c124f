/* Time left of a command, which consists of phases. Each phase has a predicted work in any unit; the time of earlier
 * phases gives the cost of a unit. */
#ifndef APP_TIME_LEFT_H
#define APP_TIME_LEFT_H

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

#endif
