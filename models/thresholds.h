/* Chosen numbers of model files and expressions; for the form see mbs/thresholds.h. Numbers marked `absolute` apply
 * before a mechanism gives scales, or are documented defaults. */
#ifndef MODELS_THRESHOLDS_H
#define MODELS_THRESHOLDS_H

#include <float.h>

/* ---- Expressions ---- */

static const double models_first_width =
                        6e-6,   /* of max(1, |x|) of an argument x: difference step for first derivatives */
    models_second_width = 1e-4, /* of max(1, |x|) of an argument x: difference step for second derivatives */
    models_switch_rounding = 4 * DBL_EPSILON, /* of a value: rounding of one operation in the argument of a switch */
    models_integer_periods = 4 * DBL_EPSILON, /* of a ratio of two periods: a ratio this close to an integer is exact */
    models_function_error = 2e-15,    /* of a value: error of the C library's functions, by which ranges are widened */
    models_extreme_slack = 1e-14,     /* of 1 + |a| + |b|: a point this far outside a range [a, b] counts as inside */
    models_negligible_exponent = 20,  /* of 1: e^-u with an exponent u above this is negligible (at most 2e-9) */
    models_exponent_fraction = 0.25,  /* of models_negligible_exponent: largest change of an exponent in one step */
    models_shortest_interval = 1e-12, /* of t: shortest interval in the search for kinks */
    models_table_slack = 1e-9, /* of the range of a table's points: an argument this far outside counts as inside */
    models_series_end = 1e-15, /* of the largest term: the series of a speed ends if its last terms are smaller */
    models_negligible_integral = 1e-17; /* absolute, rad, m: the series also ends if the last terms integrate to less */

/* ---- Model files ---- */

static const double models_integer_ratio = 1e-9, /* of a ratio of steps or periods: rounding of an integer ratio */
    models_periodic_end = 1e-9,      /* of the largest |y|: y at both ends of a periodic table may differ by this */
    models_largest_angle = 6.3,      /* absolute, rad: a larger angle is probably meant in degrees */
    models_least_tolerance = 1e-13,  /* of a state: tightest tolerance that step control sets inside subsystems */
    models_control_tolerance = 1e-6, /* of the scale of length (angles: of 1 rad): default tolerance of step control */
    models_macro_step = 1e-3,        /* absolute, s: default macro step if the file gives no end time */
    models_steps_of_run = 1000; /* times the default macro step: duration of the run, if the file gives an end time */

/* ---- Counts ---- */

enum {
  MODELS_MAX_INTERVALS = 200000,     /* intervals in the search for the next kink of a function of time */
  MODELS_INTERVALS_OF_LENGTH = 100,  /* number of undecided intervals after which the shortest length doubles */
  MODELS_MAX_SPEED_PIECES = 1 << 18, /* intervals in the integration of a speed */
  MODELS_MAX_STEPS = 1000000,        /* steps inside a subsystem in one macro step */
};

#endif
