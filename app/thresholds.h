/* Chosen numbers of the command that affect results; for the form see mbs/thresholds.h. Numbers for pictures and
 * progress are in the files that use them. */
#ifndef APP_THRESHOLDS_H
#define APP_THRESHOLDS_H

#include <float.h>

/* ---- Runs and their starts ---- */

static const double app_row_count_tolerance = 1e-12, /* of the number of rows: round-off that is allowed in a count */
    app_start_tolerance = 1e-6,     /* of a coordinate or rate, or its scale if larger: nearer starts count as equal */
    app_row_time_tolerance = 1e-9,  /* of t, or the time between rows if larger: a row this near to t is at t */
    app_same_time_tolerance = 1e-9, /* of the mean time between rows: rows of two runs this near are simultaneous */
    app_min_checkpoint_interval = 1e-15, /* of the run's length: shortest interval between checkpoints */
    app_checkpoint_tolerance = 1e-9, /* of the interval of checkpoints: a checkpoint may be this early, by round-off */
    app_many_rows = 1e7,             /* absolute, rows: a run with more rows gets a note */
    app_many_bytes = 5e9,            /* absolute, bytes: results with more bytes get a note */
    app_large_rotation = 1.6,        /* absolute, rad, about 90 degrees: a larger rotation between rows gets a note */
    app_flush_interval = 1e-3;       /* absolute, s of wall time: rows are passed to the system at this interval */

/* ---- Zeros that are printed ---- */

static const double app_printed_zero = 1e-12, /* of the largest value of its kind: a smaller value is printed as 0 */
    app_statistics_zero = 1e-9,    /* of the largest quantity with its unit, or 1 if larger: a smaller one is zero */
    app_entry_tolerance = 1e-9,    /* of the largest entry so far: only an entry larger by more replaces it */
    app_min_mode_growth = 1e-10,   /* of critical damping: a mode grows if its negative damping exceeds this */
    app_max_error_for_order = 100, /* times the range of a quantity: after larger errors no higher order is proposed */
    app_max_error_for_step = 0.1;  /* of the range of a quantity: after larger errors no macro step is proposed */

/* ---- Stability of schemes ---- */

static const double app_range_tolerance = 1e-12, /* of the longest macro step: a limit nearer to it counts as equal */
    app_default_wanted_error = 1e-3,             /* of a motion: default of the wanted error */
    app_min_wanted_error = 1e-14,                /* of a motion: smallest wanted error, near round-off */
    app_max_step_ratio = 1e8,      /* times the shortest macro step of a study: bound of its longest macro step */
    app_min_predicted_step = 1e-6, /* of the slowest period: shortest macro step with a predicted error */
    app_least_drawn_rho = 1e-9,    /* absolute, spectral radius: a smaller one is drawn as this, for its logarithm */
    app_small_motion = 1e-3,       /* of 1 rad, or of the extent if no body rotates: first motion of a trial */
    app_limit_ratio = 1.05,        /* times a stable macro step: an unstable macro step below this ends a search */
    app_first_share = 0.01,        /* of a run: its first part, with which the motion near its end is compared */
    app_unstable_growth = 10,      /* times the motion in a run's first half: more in its second half is unstable */
    app_slow_growth = 1.1;         /* times the motion in a run's first half: more in its second half is slow growth */

/* ---- Published numbers ---- */

static const double app_number_tolerance = 1e-9, /* of a number: two numbers that differ by less count as the same */
    app_digit_tolerance = 1e-9,           /* of a unit of the last digit: round-off that is allowed in a difference */
    app_step_rounding = 20 * DBL_EPSILON; /* of the motion: a smaller error of one macro step counts as round-off */

#endif
