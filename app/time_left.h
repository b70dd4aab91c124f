/* How long a command still takes. Its phases have a predicted work each, in any unit; what a unit costs is learnt from
 * the phases before. */
#ifndef APP_TIME_LEFT_H
#define APP_TIME_LEFT_H

/* Zero-initialised: no phase yet. */
typedef struct time_left {
  double spent, done; /* by the phases before: s; work, as far as they came */
  double work, rest;  /* of the present phase, of those to come; NaN: unknown */
  double start;       /* of the present phase, s */
  double fraction;    /* of it that is done */
  /* Two moments of it, between which and now lie a quarter to a half of its time so far: */
  double times[2], fractions[2];
} time_left;

/* Ends the present phase where it is, and begins the next at time `now` (s). Phases whose work is unknown teach
 * nothing. */
void time_left_begin(time_left *self, double now, double work, double rest);

/* A fraction of the present phase, 0 to 1, is done. */
void time_left_note(time_left *self, double now, double fraction);

/* s; NaN: unknown yet. */
double time_left_estimate(const time_left *self, double now);

/* Returns the fraction of all phases, by predicted work; of the present one alone where that is unknown. */
double time_left_fraction(const time_left *self);

#endif
