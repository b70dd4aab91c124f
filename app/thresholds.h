/* Chosen numbers of the command, as in mbs/thresholds.h, where they decide about numbers; those of pictures and of what
 * is shown while a command runs stand in their files. */
#ifndef APP_THRESHOLDS_H
#define APP_THRESHOLDS_H

#include <float.h>

/* ---- Runs and their starts ---- */

static const double app_same_start = 1e-6, /* of a coordinate, or its unit: a part and its reference begin alike */
    app_same_row = 1e-9,                   /* of the distance of rows: a time is that of a row */
    app_least_checkpoint = 1e-15,          /* of the run: more checkpoints are not counted */
    app_checkpoint_slack = 1e-9,           /* of the time between checkpoints: rounding of sums */
    app_many_rows = 1e7,                   /* absolute, rows: more of a run are said before it, */
    app_many_bytes = 5e9,                  /* absolute, bytes: as are more of these */
    app_far_turn = 1.6,                    /* absolute, rad, a quarter of a turn: poses between rows are not right */
    app_hand_over_interval = 1e-3,         /* absolute, s of the clock: rows are handed to their files */
    app_slack_of_rows = 1e-12;             /* of their number: rounding in the rows of a motion */

/* ---- Zeros that are printed ---- */

static const double app_plain_zero = 1e-12, /* of the largest of its kind, or its unit: rounding, printed as 0 */
    app_statistics_zero = 1e-9,             /* of the largest of its unit, or its unit: a quantity is zero */
    app_larger_entry = 1e-9,                /* of an entry: it is larger than one before it */
    app_growing_mode = 1e-10,               /* of critical damping, negative: a mode grows */
    app_nothing_follows = 0.1;              /* of travel: errors above leave nothing to be said */

/* ---- Stability of schemes ---- */

static const double app_whole_range = 1e-12, /* of the longest macro step: an interval goes on beyond it */
    app_wanted_error = 1e-3,                 /* of a motion: the error of a recommendation, by default, */
    app_least_wanted = 1e-14,                /* of a motion: at least that, the size of rounding */
    app_largest_ratio = 1e8,                 /* times: of the macro steps of a study */
    app_shortest_of_motion = 1e-6,           /* of the slowest motion: errors over it are predicted from there */
    app_near_motion = 1e-3,                  /* of the distance of bodies, rad: motions near the state */
    app_longest_ratio = 1.05,                /* times: of two macro steps between which a limit on a motion lies */
    app_growth_of_unstable = 10;             /* times: from the first half of a run to the second */

/* ---- Published numbers ---- */

static const double app_same_number = 1e-9,  /* of a number: it is the one that a description names, */
    app_slack_of_digit = 1e-9,               /* of a unit of the last digit: rounding of differences */
    app_rounding_of_step = 20 * DBL_EPSILON; /* of the motion: what rounding leaves of one macro step */

#endif
