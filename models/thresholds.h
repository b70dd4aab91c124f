/* Chosen numbers of model files and expressions; for the form see mbs/thresholds.h. Numbers marked `absolute` apply
 * before a mechanism gives scales, or are documented defaults. */
#ifndef MODELS_THRESHOLDS_H
#define MODELS_THRESHOLDS_H

#include <float.h>

/* ---- Expressions ---- */

static const double models_first_width = 6e-6, /* of max(1, |x|): change of x in differences for first derivatives */
    models_second_width = 1e-4,                /* of max(1, |x|): change of x in differences for second derivatives */
    models_switch_rounding = 4 * DBL_EPSILON,  /* of a value: round-off of one operation in the argument of a switch */
    models_integer_periods = 4 * DBL_EPSILON, /* of a ratio of two periods: a ratio this close to an integer is exact */
    models_function_error = 2e-15,    /* of a value: error of the C library's functions; it widens ranges of values */
    models_extreme_slack = 1e-14,     /* of 1 + |a| + |b|: a point this far outside a range [a, b] counts as inside */
    models_negligible_exponent = 20,  /* of 1: if an exponent u is larger, e^-u is negligible (at most 2e-9) */
    models_exponent_fraction = 0.25,  /* of models_negligible_exponent: no step changes an exponent by more */
    models_shortest_interval = 1e-12, /* of t: in the search for kinks an interval is not halved to less than this */
    models_table_slack = 1e-9, /* of the range of a table: an argument this far outside the table counts as inside */
    models_series_end = 1e-15, /* of the largest term: the series of a speed ends if its last terms are smaller */
    models_negligible_integral = 1e-17; /* absolute, rad, m: it also ends if its last terms integrate to less */

/* ---- Model files ---- */

static const double models_integer_ratio = 1e-9, /* of a ratio of two times: one this close to an integer is exact */
    models_periodic_end = 1e-9,     /* of the largest |y|: a periodic table whose ends differ by more in y is refused */
    models_largest_angle = 6.3,     /* absolute, rad: a note asks if a larger angle is meant in degrees */
    models_least_tolerance = 1e-13, /* of a state: step control sets no smaller rtol inside subsystems */
    models_control_tolerance = 1e-6, /* of the scale of length (angles: of 1 rad): default tolerance of step control */
    models_macro_step = 1e-3,        /* absolute, s: default macro step if the file gives no end time */
    models_steps_of_run = 1000; /* times the default macro step: length of the run, if the file gives an end time */

/* ---- Counts ---- */

enum {
  MODELS_MAX_INTERVALS = 200000,     /* intervals that are searched for the next kink of a function of time, at most */
  MODELS_INTERVALS_OF_LENGTH = 100,  /* intervals without a result, after which the shortest length has doubled */
  MODELS_MAX_SPEED_PIECES = 1 << 18, /* intervals over which a speed is integrated, at most */
  MODELS_MAX_STEPS = 1000000,        /* steps inside a subsystem in one macro step, at most */
};

#endif
