/* Chosen numbers of runs; for the form see mbs/thresholds.h. */
#ifndef RUNS_THRESHOLDS_H
#define RUNS_THRESHOLDS_H

#include <float.h>

/* ---- Rows ---- */

static const double runs_end_slack = 1e-12, /* of the end time: with step control, a time this close to it equals it */
    runs_slack_of_step = 1e-9,              /* of a macro or output step: rounding of times that are sums of steps */
    runs_max_rows = 1e9,                    /* times the output step: longest run */
    runs_sample_distance = 1.0 / 400,       /* of the duration of the run: largest distance of samples for statistics */
    runs_state_offset = 0.618034; /* of the distance of judged states: the first follows a row by this; irrational */

/* ---- Checks and notes ---- */

static const double runs_late_share = 1e-4, /* of a monolithic run's duration: tolerance for the time of a jump */
    runs_golden_share = 0.381966, /* of a macro step: first of the two steps that replace it, by the golden section */
    runs_tighter_divided = 10, /* times tighter: tolerances inside subsystems after each division of the macro step */
    runs_near_kink = 0.25,     /* of a macro step: a kink this close to the step's end becomes its end */
    runs_noticeable_limits = 0.05, /* of the macro steps: a correction that is limited more often gets a note */
    runs_negligible = 0.1,         /* of the bound `accurate`: if two runs differ by more, a third run is made */
    runs_least_rate = 1.4,   /* times d2 (check.c): if d1 is less, runs with shorter and shorter macro steps diverge */
    runs_least_judged = 0.5, /* of the duration of the run: a check that covers less of it counts as not made */
    runs_noticeable = 1e-6, /* of a scale (length, speed; angles: 1 rad): smaller changes of a start are not reported */
    runs_slow_motion = 1000,    /* times atol: a slower motion is resolved poorly and gets a note */
    runs_at_rest = 1e-3,        /* of the scale of speed: a slower mechanism is at rest */
    runs_printed_bound = 1.001, /* times a value: bound printed for it, which exceeds it even after rounding */
    runs_beyond_rod = 1e-6,     /* of the length of a rod: joints farther beyond its ends get a note */
    runs_beyond_gyration = 3,   /* times the radius of gyration: joints farther from a body without `at` get a note */
    runs_contact_depth = 0.1;   /* of the mechanism's size: points in contact that overlap more at first get a note */

/* ---- Counts ---- */

enum {
  RUNS_MAX_WORK = 10000000,   /* evaluations x coordinates: largest work of a run that is checked by default */
  RUNS_MAX_WORK_RATIO = 10,   /* largest work of a check, as a multiple of that of the run */
  RUNS_MAX_CHECK_ROWS = 2000, /* largest number of rows stored for a check */
  RUNS_LEAST_STATES = 200,    /* least number of states that the verdict on a run judges */
};

#endif
