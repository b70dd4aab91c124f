/* Chosen numbers of the command that affect results; for the form see mbs/thresholds.h. Numbers for pictures and
 * progress are in the files that use them. */
#ifndef APP_THRESHOLDS_H
#define APP_THRESHOLDS_H

#include <float.h>

/* ---- Runs and their starts ---- */

static const double app_row_count_tolerance = 1e-12, /* of (length of a run)/(time between rows): added before rounding
                                                        down, so that no row is lost by round-off */
    app_start_tolerance = 1e-6, /* of max(|coordinate or rate|, its scale): a model may differ by this at the start from
                                   its reference; else the command fails */
    app_row_time_tolerance = 1e-9,  /* of max(|t|, time between rows): a start from time t of a run takes a row this
                                       close to t; else it interpolates */
    app_same_time_tolerance = 1e-9, /* of the mean time between rows: a difference of runs is drawn only if the times of
                                       their rows differ by less */
    app_min_checkpoint_interval = 1e-15, /* of the run's length: checkpoints are not written more often than this */
    app_checkpoint_tolerance = 1e-9, /* of the interval of checkpoints: a checkpoint is due this early, for round-off */
    app_many_rows = 1e7,             /* absolute, rows: if a run has more, a note says so */
    app_many_bytes = 5e9,            /* absolute, bytes: if results have more, a note says so */
    app_large_rotation = 1.6, /* absolute, rad, about 90 degrees: a note names a body that rotates more between two rows
                                 of an animation */
    app_flush_interval = 1e-3; /* absolute, s of wall time: rows are passed to the operating system at this interval */

/* ---- Zeros that are printed ---- */

static const double app_printed_zero = 1e-12, /* of the largest value of its kind: a smaller value is printed as 0 */
    app_statistics_zero = 1e-9,  /* of max(1, largest quantity with the same unit): a smaller quantity is round-off, and
                                    its uncertainty counts as 0 */
    app_entry_tolerance = 1e-9,  /* of the largest amplitude so far: a later one must be larger by this to replace it */
    app_min_mode_growth = 1e-10, /* of critical damping: if the damping is below minus this, the mode grows */
    app_max_error_for_order = 100, /* times the travel of a quantity: after larger errors no higher order is proposed */
    app_max_error_for_step = 0.1;  /* of the travel of a quantity: after larger errors no macro step is proposed */

/* ---- Stability of schemes ---- */

static const double app_range_tolerance = 1e-12, /* of the longest macro step studied: a scheme that is stable up to
                                                    this close to it has no limit in the study */
    app_default_wanted_error = 1e-3,             /* of a motion: wanted error if the user gives none */
    app_min_wanted_error = 1e-14,  /* of a motion: smallest wanted error that is accepted, near round-off */
    app_max_step_ratio = 1e8,      /* times the shortest macro step of a study: longest one that is accepted */
    app_min_predicted_step = 1e-6, /* of the slowest period: no error is predicted for a shorter macro step */
    app_least_drawn_rho = 1e-9,    /* absolute, spectral radius: a smaller one is drawn as this, for its logarithm */
    app_small_motion = 1e-3,       /* of 1 rad and the scale of length: largest amplitude of the motions in --verify */
    app_limit_ratio = 1.05, /* times a stable macro step: if an unstable macro step is at most this, the search ends */
    app_unstable_growth = 10, /* times the motion in a run's first half: a run with more in its second half is unstable.
                                 So is a run whose motion grows by this factor from its start, if its relative error
                                 reaches the factor too */
    app_slow_growth = 1.1; /* times the motion in a run's first half: a run with more in its second half grows slowly */

/* ---- Published numbers ---- */

static const double app_number_tolerance = 1e-9, /* of a number: one that differs by less counts as equal */
    app_digit_tolerance = 1e-9, /* of a unit of the last digit: a difference of two numbers may exceed its limit by
                                   this, because of round-off */
    app_step_rounding = 20 * DBL_EPSILON; /* of the motion: a smaller error of one macro step is round-off */

#endif
