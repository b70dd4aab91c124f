/* Chosen numbers of the command that affect results; for the form see mbs/thresholds.h. Those of pictures and progress
 * stand in their files. */
#ifndef APP_THRESHOLDS_H
#define APP_THRESHOLDS_H

#include <float.h>

/* ---- Runs and their starts ---- */

static const double app_same_start = 1e-6, /* of a coordinate, or its scale: starts that differ by less are equal */
    app_same_row = 1e-9,           /* of the time between rows, or of t: a time this near to a row is the row's */
    app_least_checkpoint = 1e-15,  /* of the run: least interval of checkpoints */
    app_checkpoint_slack = 1e-9,   /* of the interval of checkpoints: one may be due this much early, for round-off */
    app_many_rows = 1e7,           /* absolute, rows: a run with more is announced */
    app_many_bytes = 5e9,          /* absolute, bytes: results with more are announced */
    app_far_turn = 1.6,            /* absolute, rad, a quarter of a turn: larger turns between rows give a warning */
    app_hand_over_interval = 1e-3, /* absolute, s of wall time: interval at which rows are handed to their files */
    app_slack_of_rows = 1e-12;     /* of the number of rows: round-off in the count of rows of a motion */

/* ---- Zeros that are printed ---- */

static const double app_plain_zero = 1e-12, /* of the largest value of its kind, or its scale: less is printed as 0 */
    app_statistics_zero = 1e-9, /* of the largest quantity with the same unit, at least 1: less counts as zero */
    app_larger_entry = 1e-9,    /* of the largest entry so far: a later one must exceed it by this */
    app_growing_mode = 1e-10,   /* of critical damping: a mode with a larger negative damping grows */
    app_beyond_order = 100,     /* times the range of a quantity: after larger errors no higher order is proposed */
    app_nothing_follows = 0.1;  /* of the range of a quantity: after larger errors no macro step is proposed */

/* ---- Stability of schemes ---- */

static const double app_whole_range = 1e-12, /* of the longest macro step: a limit this near is only a lower bound */
    app_wanted_error = 1e-3,                 /* of a motion: default error of a recommendation */
    app_least_wanted = 1e-14,                /* of a motion: least error that may be wanted, near round-off */
    app_largest_ratio = 1e8,                 /* times: longest over shortest macro step of a study */
    app_shortest_of_motion = 1e-6,           /* of the slowest period: shortest macro step with a predicted error */
    app_near_motion = 1e-3,      /* of the extent of the bodies, or rad: amplitude of motions near the state */
    app_longest_ratio = 1.05,    /* times: largest ratio of the macro steps on both sides of a limit on a motion */
    app_growth_of_unstable = 10, /* times the largest distance in a run's first half: more in the second is unstable */
    app_growth_of_slow = 1.1;    /* times the same distance: more in the second half is slow growth */

/* ---- Published numbers ---- */

static const double app_same_number = 1e-9,  /* of a number: two numbers that differ by less are the same */
    app_slack_of_digit = 1e-9,               /* of a unit of the last digit: round-off of differences */
    app_rounding_of_step = 20 * DBL_EPSILON; /* of the motion: a smaller error of one macro step is round-off */

#endif
