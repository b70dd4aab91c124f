/* Chosen numbers of the analyses, as in mbs/thresholds.h. The test models of papers, their parameters and starts, and
 * what bounds the rounding of a scheme's published form stand in their files. */
#ifndef ANALYSIS_THRESHOLDS_H
#define ANALYSIS_THRESHOLDS_H

#include <float.h>

/* ---- Verdicts on runs ---- */

static const double analysis_least_gap = 1e-6, /* of the fastest motion: residuals of rates below are none */
    analysis_beside = 1e-12,                   /* of a time, or of the time scale: a time just before */
    analysis_energy_rounding = 1e-9,           /* of the largest energy: what rounding leaves of its balance */
    analysis_least_speed = 1e-3,               /* of the scale of speed: slower motions rest */
    analysis_least_energy = 1e-6,              /* of the scale of energy: such velocities are a thousandth of theirs */
    analysis_many_travels = 3,                 /* times the travel: errors above are said so, not in percent */
    analysis_least_travel = 1e-3,              /* of the scale: less is no travel, of which errors are a share */
    analysis_least_range = 0.03,               /* of the scale, of the largest value: less is no range of a force */
    analysis_least_signal = 1e3,               /* times the absolute tolerance: of signals, which have no scale */
    analysis_least_jump = 1e-6,                /* of the travel: less is no jump */
    analysis_least_deviation = 1e-12,          /* absolute, in units of a column: a reference that does not move */
    analysis_growth_limit = 1000,              /* times what the start allows: a run that grows more is unstable */
    analysis_grows_as_well = 0.1,              /* of that: the undivided run grows as well, about as soon */
    analysis_signal_limit = 1e9,               /* times the largest signal of the start, or its unit: likewise */
    analysis_first_share = 0.01,               /* of the run: the start is looked at */
    analysis_noticeable_limits = 0.05;         /* of the macro steps: that many at limits of their length are said */

/* ---- References and second runs ---- */

static const double analysis_sums_of_steps = 1e-12, /* of the time: rounding of sums of macro steps */
    analysis_slack_of_step = 1e-9,                  /* of a macro step: likewise */
    analysis_tighter_halved = 10,                   /* times tighter: integrators where macro steps are halved */
    analysis_tighter_first = 100,                   /* times tighter than the options: the first run, */
    analysis_tighter_second = 10,                   /* times tighter than the options: the second run, */
    analysis_confirming = 1e-3,                     /* of an error: the tolerance of a second run that confirms it, */
    analysis_loosest_confirming = 1e-6,             /* of an entry: no looser than this, */
    analysis_small_beside = 0.1,                    /* of the error: two truths that differ less are enough */
    analysis_tighter_again = 100,                   /* times tighter: where two runs part, */
    analysis_tighter_multistep = 1000,              /* times tighter: a second run of many steps, whose errors add up */
    analysis_least_rtol = 1e-13,                    /* of an entry: no tighter tolerance is asked for, */
    analysis_least_atol = 1e-15,                    /* absolute, m, rad, m/s: nor of one that the file gives */
    analysis_loosest_rtol = 1e-7,                   /* of an entry: a second run, beside a loose one that is right */
    analysis_other_step = 0.37,                     /* of the largest step of the first run: that of the second; */
    analysis_seen_step = 0.01,                      /* of the run: or of this, which the first may have leapt over */
    analysis_later = 0.02,                          /* of the run: by so much tighter runs must part later */
    analysis_believed = 0.5,                        /* of the run: it has to be believed up to there */
    analysis_least_decades = 4,                     /* absolute, decades: differences of chaotic runs grow by that, */
    analysis_late_growth = 0.35,                    /* of that growth: in the later half of the time, at least, */
    analysis_growth_at_once = 0.5;                  /* of that growth: in a sixth of the time, at most */

/* ---- Looser runs ---- */

static const double analysis_looser[] = {1, 10, 100}; /* times the tolerances: second runs that are tried in turn */

/* ---- Trials of schemes ---- */

static const double analysis_trial_steps = 1e4, /* times the macro step: the first trial, at most, */
    analysis_last_trial_steps = 1e5,            /* times the macro step: and the last one */
    analysis_shortest_cut = 0.1,                /* of the macro step: the next one of a trial, at least, */
    analysis_longest_cut = 0.7,                 /* of the macro step: and at most */
    analysis_of_unstable = 0.5,                 /* of the macro step: behind an unstable trial */
    analysis_reserve = 0.9,                     /* of the step that the error allows */
    analysis_lowest_slope = 0.5,                /* of the lowest order, 1: a lower slope is above a plateau, */
    analysis_near_plateau = 3,                  /* times its largest error: errors up to it are made of the plateau */
    analysis_confidence = 0.95;                 /* of 1: probability of an interval of an order */

/* ---- Stability ---- */

static const double analysis_stable_up_to = 1e-10,     /* of 1, above it: a spectral radius is stable ([Li] 3.2) */
    analysis_own_growth = 1.05,                        /* times the growth of the mechanism: a scheme may make it so */
    analysis_limit_width = 1e-4,                       /* of a limit of an interval: it is known to that */
    analysis_same_step = 1e-9,                         /* of a macro step, of a period: shorter differences are none */
    analysis_band_step = 1.01,                         /* times the macro step: the next one where there may be bands */
    analysis_first_band = 0.5,                         /* of H Ω / π: where they begin */
    analysis_beyond_stages = 1.5,                      /* times the stages of a scheme: where they end */
    analysis_ends_bands = 0.1,                         /* of critical damping: it ends them, too */
    analysis_propagation_rounding = 400 * DBL_EPSILON, /* of 1: rounding of the entries of a propagation */
    analysis_share_of_time = 0.1,                      /* of the time for errors: the longest macro step */
    analysis_near_sample = 1e-6,                       /* of a macro step: a sample is at its end */
    analysis_divides = 1e-6,                           /* of 1: steps of a test model that are a whole number */
    analysis_max_linear_steps = 1e6;                   /* times the macro step: the time that a mode is followed */

/* ---- Modes ---- */

static const double analysis_no_stiffness = 1e-12, /* of the largest |s|²: a mode has no stiffness, */
    analysis_mode_rests = 1e-12,                   /* of the largest entry of K: nor moves against it */
    analysis_growth_rounding = 1e-9,               /* of |s|: its real part is none, */
    analysis_modulus_rounding = 1e-12,             /* of the largest |s|: likewise */
    analysis_zero_bound = 10,                      /* times ε ‖A‖ over its condition: an eigenvalue is zero */
    analysis_body_rounding = 1e-10,                /* of a balanced vector: what bodies have of it is none */
    analysis_larger_entry = 1e-9,                  /* of an entry: it is larger than another, which comes first else */
    analysis_double_zero = 1e-6;                   /* of |μ|: a double zero is known to a root of rounding */

/* ---- Statistics of results ---- */

static const double analysis_same_time = 1e-13, /* of t: samples that are closer are one, */
    analysis_same_place = 1e-8,                 /* of the integrator's step: or that */
    analysis_value_rounding = 4 * DBL_EPSILON,  /* of the largest value: what is left of it */
    analysis_slack_of_sample = 1e-9,            /* of the distance of samples: it is not taken twice for rounding */
    analysis_slack_of_row = 1e-6,               /* of the distance of samples: a row is the next one */
    analysis_assumed_step = 1.0 / 16,           /* of a row: the step of an integrator that does not say it */
    analysis_probe_generous = 8,                /* times: how much less a probe may see than its interval has */
    analysis_probe_between = 1.05,              /* times: what the highest of probes is below the highest between */
    analysis_group_generous = 2,                /* times the mean of probes: they are not even in a group */
    analysis_even_samples = 1e-6,               /* of their distance: samples are even */
    analysis_close_second = 0.01;               /* of the distance of others: a second sample says nothing of slopes */

/* ---- Counts ---- */

enum {
  ANALYSIS_MAX_JUMPS = 10000,   /* jumps of a run that are compared */
  ANALYSIS_MAX_DIVISORS = 1000, /* macro steps in the period of samples */
  ANALYSIS_MAX_POINTS = 10000,  /* points of a reference */
  ANALYSIS_MAX_HALVINGS = 20,   /* halvings of an interval that may hold a higher value */
  ANALYSIS_LEAST_FINE = 3,      /* points of a line that says something of its slope */
};

#endif
