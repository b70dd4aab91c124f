/* Chosen numbers of model files and expressions; for the form see mbs/thresholds.h. Numbers marked `absolute` apply
 * before a mechanism gives scales, or are documented defaults. */
#ifndef MODELS_THRESHOLDS_H
#define MODELS_THRESHOLDS_H

#include <float.h>

/* ---- Expressions ---- */

static const double models_switch_rounding = 4 * DBL_EPSILON, /* of a value: round-off of one operation. If the argument
                                                 of a switch is this close to a bound, its rate decides the state */
    models_integer_periods = 4 * DBL_EPSILON, /* of a ratio of two periods: if it is this close to an integer,
                                                 combinations of such functions are periodic */
    models_function_error = 2e-15, /* of a value: error of the C library's functions, by which ranges are widened */
    models_extreme_slack = 1e-14,  /* of 1 + |a| + |b|: an extremum or pole this far outside a range [a, b] is in it */
    models_negligible_exponent = 20,  /* of 1: if an exponent u is larger, e^-u is negligible (at most 2e-9) */
    models_exponent_fraction = 0.25,  /* of models_negligible_exponent: no step changes a smaller exponent by more */
    models_shortest_interval = 1e-12, /* of |t|: in the search for kinks an interval is not halved to less than this */
    models_table_slack = 1e-9, /* of the range of a table's arguments: if the table has no extrapolation, an argument
                                  this far outside still has a value */
    models_series_end = 1e-15, /* of the largest coefficient: if the last coefficients of a series for a speed are
                                  smaller, the series is accurate */
    models_negligible_integral = 1e-17; /* absolute, rad, m: the series is also accurate if its last coefficients, times
                                           half its interval, are smaller */

/* ---- Model files ---- */

static const double models_integer_ratio = 1e-9, /* of a ratio of two times: if it is this close to an integer, one time
                                                    divides the other; else the file is refused */
    models_periodic_end = 1e-9,     /* of the largest |y|: a periodic table whose ends differ by more in y is refused */
    models_largest_angle = 6.3,     /* absolute, rad: for a larger start angle, a note shows how to write degrees */
    models_least_tolerance = 1e-13, /* of a state: step control sets no smaller rtol inside subsystems */
    models_control_tolerance = 1e-6, /* of the scale of length (angles: of 1 rad): default tolerance of step control */
    models_macro_step = 1e-3,        /* absolute, s: default macro step if the file gives no end time */
    models_steps_of_run = 1000; /* times the default macro step: this is the length of the run if its end is given */

/* ---- Counts ---- */

enum {
  MODELS_MAX_INTERVALS = 200000,     /* intervals searched for the next kink of a function of time; after them, the time
                                        reached counts as a kink */
  MODELS_INTERVALS_OF_LENGTH = 100,  /* undecided intervals over which the shortest length of an interval doubles */
  MODELS_MAX_SPEED_PIECES = 1 << 18, /* intervals over which a speed is integrated; if it needs more, it is refused */
  MODELS_MAX_STEPS = 1000000, /* macro steps of a subsystem in one of the co-simulation; a file with more is refused */
};

#endif
