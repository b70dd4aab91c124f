/* Chosen numbers of model files and of expressions, as in mbs/thresholds.h. What is absolute belongs to a file before a
 * mechanism with scales is made of it, or is a documented default. */
#ifndef MODELS_THRESHOLDS_H
#define MODELS_THRESHOLDS_H

#include <float.h>

/* ---- Expressions ---- */

static const double models_first_width = 6e-6, /* of an argument, or its unit: errors of rounding and of series meet, */
    models_second_width = 1e-4,                /* of an argument, or its unit: likewise of second derivatives */
    models_corner_rounding = 4 * DBL_EPSILON,  /* of a value: noise of an argument at its corner */
    models_whole_periods = 4 * DBL_EPSILON,    /* of their ratio: one period is a multiple of the other */
    models_rounded_outwards = 2e-15,           /* of a value: units in the last place of the C library */
    models_point_of_wave = 1e-14,              /* of an argument, and its unit: an extreme that far outside is inside */
    models_faded = 20,                         /* of 1: exp(-20), 2e-9, is nothing; a pulse lies between such ends */
    models_steep_part = 0.25,                  /* of that argument: the way of a step where an exponential is steep */
    models_shortest_interval = 1e-12,          /* of t: an interval that is not decided is a kink */
    models_beyond_table = 1e-9,                /* of the range of points: an argument may lie beyond it by rounding */
    models_series_ends = 1e-15,                /* of the largest term: the series of a speed has fallen to rounding */
    models_negligible_way = 1e-17;             /* absolute, rad, m: or its way is nothing; laws have no scale yet */

/* ---- Model files ---- */

static const double models_whole_number = 1e-9, /* of a ratio of steps or periods: it is a whole number */
    models_periodic_end = 1e-9,                 /* of the largest y: a periodic table ends as it begins */
    models_turn = 6.3,                          /* absolute, rad: larger angles were most often meant as degrees */
    models_least_tolerance = 1e-13,             /* of an entry: subsystems have no tighter one from the control */
    models_control_tolerance = 1e-6,            /* absolute, m, rad: default of the control of macro steps */
    models_macro_step = 1e-3,                   /* absolute, s: default of the macro step without an end of the run */
    models_steps_of_run = 1000;                 /* times the macro step: the end of the run, by default */

/* ---- Counts ---- */

enum {
  MODELS_MAX_INTERVALS = 200000,     /* intervals that are looked at for a kink of a law of time, */
  MODELS_INTERVALS_OF_LENGTH = 100,  /* undecided ones, after which the shortest doubles */
  MODELS_MAX_SPEED_PIECES = 1 << 18, /* pieces of the integral of a speed */
  MODELS_MAX_STEPS = 1000000,        /* macro steps of a subsystem in one of the whole */
};

#endif
