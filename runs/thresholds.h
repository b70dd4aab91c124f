/* Chosen numbers of runs, as in mbs/thresholds.h. */
#ifndef RUNS_THRESHOLDS_H
#define RUNS_THRESHOLDS_H

#include <float.h>

/* ---- Rows ---- */

static const double runs_end_met = 1e-12, /* of the end: controlled steps meet it but for that */
    runs_slack_of_step = 1e-9,            /* of a macro step, of a row: rounding of sums */
    runs_max_rows = 1e9,                  /* times the output step: a run is no longer */
    runs_seen_step = 1.0 / 400,           /* of the run: samples of figures over it are no farther apart */
    runs_place_between = 0.618034;        /* of a row: where the verdict looks between two, no part of a row */

/* ---- Checks and notes ---- */

static const double runs_late_share = 1e-4, /* of a monolithic run: what jumps may differ by so much in time */
    runs_negligible = 0.1,                  /* of the bound of `accurate`: a difference that needs no rate */
    runs_least_rate = 1.4,                  /* times: what differences shrink by if they converge, from H to H/2 */
    runs_least_judged = 0.5,                /* of the run: a check of less is none */
    runs_signal_tolerance = 1e-10,          /* absolute, in units of signals, which have no scale: by default */
    runs_noticeable = 1e-6,                 /* of the scales of length and speed, rad: a start that changed */
    runs_small_motion = 1000,               /* times atol: a slower motion is hardly resolved, */
    runs_moving = 1e-3,                     /* of the scale of speed: if it moves at all */
    runs_said_above = 1.001,                /* times: what is said to be below is not rounded down to it */
    runs_beyond_rod = 1e-6,                 /* of the length of a rod: joints beyond its ends are off it */
    runs_contact_depth = 0.1;               /* of the size: overlap that a contact without radii is expected to have */

/* ---- Counts ---- */

enum {
  RUNS_MAX_WORK = 10000000,   /* evaluations times coordinates of a run that is checked unasked */
  RUNS_MAX_TIMES = 10,        /* times the work of the run: that of its check */
  RUNS_MAX_CHECK_ROWS = 2000, /* rows that are kept for a check */
  RUNS_LEAST_STATES = 200,    /* states of a run that the verdict sees at least */
};

#endif
