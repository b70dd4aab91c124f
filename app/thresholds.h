/* Chosen numbers of the command that affect results; for the form see mbs/thresholds.h. Numbers for pictures and
 * progress are in the files that use them. */
#ifndef APP_THRESHOLDS_H
#define APP_THRESHOLDS_H

#include <float.h>

/* ---- Runs and their starts ---- */

static const double app_row_count_tolerance = 1e-12, /* of the number of rows: it may be wrong by this, by round-off */
    app_start_tolerance = 1e-6, /* of max(|coordinate or rate|, its scale): two starts that differ by less are equal */
    app_row_time_tolerance = 1e-9,       /* of max(|t|, time between rows): a row this close to t is the row of t */
    app_same_time_tolerance = 1e-9,      /* of the mean time between rows: rows of two runs this close are compared */
    app_min_checkpoint_interval = 1e-15, /* of the run's length: checkpoints are not written more often than this */
    app_checkpoint_tolerance = 1e-9, /* of the interval of checkpoints: a checkpoint may be early by this round-off */
    app_many_rows = 1e7,             /* absolute, rows: if a run has more, a note says so */
    app_many_bytes = 5e9,            /* absolute, bytes: if results have more, a note says so */
    app_large_rotation = 1.6, /* absolute, rad, about 90 degrees: if a body rotates more between rows, a note says so */
    app_flush_interval = 1e-3; /* absolute, s of wall time: rows are passed to the system at this interval */

/* ---- Zeros that are printed ---- */

static const double app_printed_zero = 1e-12, /* of the largest value of its kind: a smaller value is printed as 0 */
    app_statistics_zero = 1e-9,  /* of max(1, largest quantity with the same unit): a smaller quantity counts as zero */
    app_entry_tolerance = 1e-9,  /* of the largest entry so far: an entry replaces it only if it is larger by this */
    app_min_mode_growth = 1e-10, /* of critical damping: if the damping is below minus this, the mode grows */
    app_max_error_for_order = 100, /* times the range of a quantity: after larger errors no higher order is proposed */
    app_max_error_for_step = 0.1;  /* of the range of a quantity: after larger errors no macro step is proposed */

/* ---- Stability of schemes ---- */

static const double app_range_tolerance = 1e-12, /* of the longest macro step: a limit this close to it equals it */
    app_default_wanted_error = 1e-3,             /* of a motion: wanted error if the user gives none */
    app_min_wanted_error = 1e-14,  /* of a motion: smallest wanted error that is accepted, near round-off */
    app_max_step_ratio = 1e8,      /* times the shortest macro step of a study: longest one that is accepted */
    app_min_predicted_step = 1e-6, /* of the slowest period: no error is predicted for a shorter macro step */
    app_least_drawn_rho = 1e-9,    /* absolute, spectral radius: a smaller one is drawn as this, for its logarithm */
    app_small_motion = 1e-3,       /* of 1 rad and the scale of length: largest amplitude of the motions in --verify */
    app_limit_ratio = 1.05,        /* times a stable macro step: if an unstable one is below this, the search ends */
    app_unstable_growth = 10, /* times the motion in a run's first half: if its second half has more, it is unstable */
    app_slow_growth = 1.1;    /* times the motion in a run's first half: if its second half has more, it grows slowly */

/* ---- Published numbers ---- */

static const double app_number_tolerance = 1e-9, /* of a number: a number that differs by less is the same */
    app_digit_tolerance = 1e-9, /* of a unit of the last digit: differences of numbers may exceed a limit by this */
    app_step_rounding = 20 * DBL_EPSILON; /* of the motion: a smaller error of one macro step is round-off */

#endif
