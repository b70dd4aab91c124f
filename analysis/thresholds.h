/* Chosen numbers of the analyses; for the form see mbs/thresholds.h. The data of test models from papers, and the
 * measured rounding of schemes, are in the files that use them. */
#ifndef ANALYSIS_THRESHOLDS_H
#define ANALYSIS_THRESHOLDS_H

#include <float.h>

/* ---- Verdicts on runs ---- */

static const double analysis_least_gap = 1e-6, /* of the largest speed: larger residual rates may be due to a jump */
    analysis_beside = 1e-12,         /* of a time t, or of the time scale: offset to times just before and after t */
    analysis_energy_rounding = 1e-9, /* of the largest energy: rounding of its balance */
    analysis_least_speed = 1e-3,     /* of the scale of speed: least reference speed for bounds of residual rates */
    analysis_least_energy = 1e-6,    /* of the scale of energy: if less energy is exchanged, it counts as zero */
    analysis_many_travels = 3,       /* times the travel: larger errors are printed as its multiples, not in percent */
    analysis_least_travel =
        1e-3, /* of the scale of a quantity: least travel (deviation.c), by which errors are divided */
    analysis_least_range = 0.03,     /* of the scale, of the largest value: least travel of forces and accelerations */
    analysis_least_signal = 1e3,     /* times atol, if it is given: least travel of signals */
    analysis_noise_of_signal = 1e-7, /* of a size not given by the model: noise of a signal, thus its least travel */
    analysis_least_jump = 1e-6,      /* of the travel: smaller changes are no jumps */
    analysis_least_deviation =
        1e-12,                    /* absolute, in a column's unit: with a smaller standard deviation it is constant */
    analysis_growth_limit = 1000, /* times the bound from the first part of the run: larger values are unstable */
    analysis_grows_as_well = 0.1, /* of that limit: an undivided run with larger values is unstable too */
    analysis_signal_limit = 1e9,  /* times the largest signal of the first part, or 1: larger ones are unstable */
    analysis_first_share = 0.01,  /* of the run: length of its first part */
    analysis_noticeable_limits = 0.05; /* of the macro steps: a correction limited in more of them gets a note */

/* ---- References and second runs ---- */

static const double analysis_sums_of_steps = 1e-12, /* of the time: rounding of sums of macro steps */
    analysis_slack_of_step = 1e-9,                  /* of a macro step: rounding of sums of macro steps */
    analysis_tighter_halved = 10,       /* times tighter: integrators' tolerances, for each halving of macro steps */
    analysis_near_kink = 0.25,          /* of a macro step: a kink this close to the step's end becomes its end */
    analysis_tighter_first = 100,       /* times tighter than the options: tolerances of the first run, */
    analysis_tighter_second = 10,       /* times tighter than the options: tolerances of the second run, */
    analysis_confirming = 1e-3,         /* of an error: tolerance of a second run that confirms the error, */
    analysis_loosest_confirming = 1e-6, /* of an entry: loosest tolerance of such a second run */
    analysis_small_beside = 0.1,        /* of the error: two references that differ by less are accurate enough */
    analysis_tighter_again = 100,       /* times tighter: both runs, repeated after they differ, */
    analysis_tighter_multistep = 1000,  /* times tighter: runs by multistep methods, whose errors add up */
    analysis_least_rtol = 1e-13,        /* of an entry: tightest rtol, */
    analysis_least_atol = 1e-15,        /* absolute, m, rad, m/s: tightest atol */
    analysis_loosest_rtol = 1e-7,       /* of an entry: loosest rtol of a reference */
    analysis_many_times = 30,      /* times an implicit method's evaluations: with more, an explicit run is stiff */
    analysis_other_step = 0.37,    /* of the largest step of the first run: largest step of the second run, */
    analysis_seen_step = 0.01,     /* of the run: a longer largest step of the first run counts as this */
    analysis_later = 0.02,         /* of the run: the motion is sensitive if tighter runs differ only this much later */
    analysis_believed = 0.5,       /* of the run: a reference that ends earlier is not used */
    analysis_least_decades = 4,    /* absolute, decades: less growth of differences does not show chaos, */
    analysis_late_growth = 0.35,   /* of that growth: at least this must come in the later half of the time, */
    analysis_growth_at_once = 0.5; /* of that growth: no sixth of the time may have more */

/* ---- Tolerances at singular configurations ---- */

static const double analysis_looser[] = {1, 10, 100}; /* times the tolerances: tried in turn at a singular pose */

/* ---- Trials of schemes ---- */

static const double analysis_trial_steps = 1e4, /* times the macro step: longest run of the first trial, */
    analysis_last_trial_steps = 1e5,            /* times the macro step: longest run of the last trial */
    analysis_shortest_cut = 0.1,                /* of the macro step: shortest macro step of the next trial, */
    analysis_longest_cut = 0.7,                 /* of the macro step: longest macro step of the next trial */
    analysis_of_unstable = 0.5,  /* of the macro step: macro step of the next trial after an unstable one */
    analysis_reserve = 0.9,      /* of the step that the error allows: step of the next trial */
    analysis_lowest_slope = 0.5, /* of the lowest order, 1: a lower slope is that of a plateau, */
    analysis_near_plateau = 3,   /* times the largest error of a plateau: smaller ones belong to it */
    analysis_confidence = 0.95;  /* of 1: probability of a confidence interval of an order */

/* ---- Stability ---- */

static const double analysis_stable_up_to = 1e-10, /* of 1: excess over 1 of a stable spectral radius ([Li] 3.2) */
    analysis_own_growth = 1.05,                    /* times the growth of the mechanism: growth allowed to a scheme */
    analysis_limit_width = 1e-4,                   /* of an end of a stable interval: accuracy of that end */
    analysis_same_step = 1e-9,                     /* of a macro step, of a period: smaller differences are rounding */
    analysis_band_step = 1.01,                     /* times the macro step: the next one in a search for bands */
    analysis_first_band = 0.5,    /* of H Ω / π: least value where bands (stable_intervals.c) occur */
    analysis_beyond_stages = 1.5, /* of H Ω / π: bands end this far above the number of stages */
    analysis_ends_bands = 0.1,    /* of critical damping: modes damped more have no bands */
    analysis_propagation_rounding = 400 * DBL_EPSILON, /* of 1: rounding of the entries of a propagation */
    analysis_share_of_time = 0.1,                      /* of the slowest mode's time: longest accurate macro step */
    analysis_near_sample = 1e-6,     /* of a macro step: a sample this close to the step's end is taken there */
    analysis_divides = 1e-6,         /* of 1: rounding of a test model's number of macro steps */
    analysis_max_linear_steps = 1e6; /* times the macro step: longest time over which errors are measured */

/* ---- Modes ---- */

static const double analysis_no_stiffness = 1e-12, /* of the largest |s|²: a mode with less stiffness has none */
    analysis_mode_rests = 1e-12,       /* of the largest entry of K: largest force K ζ / |ζ| of a neutral mode */
    analysis_growth_rounding = 1e-9,   /* of |s|: a smaller real part is zero, */
    analysis_modulus_rounding = 1e-12, /* of the largest |s|: a smaller modulus is zero */
    analysis_zero_bound = 10, /* times ε ‖A‖ / c with the eigenvalue's condition c: a smaller eigenvalue is zero */
    analysis_body_rounding = 1e-10, /* of a balanced eigenvector: bodies with a smaller part of it do not move */
    analysis_larger_entry = 1e-9,   /* of an entry: a later one is larger only if it exceeds that entry by more */
    analysis_double_zero = 1e-6; /* of 1: accuracy of |μ| at a double eigenvalue s = 0, the square root of rounding */

/* ---- Statistics of results ---- */

static const double analysis_same_time = 1e-13, /* of t: samples closer than this count as one, */
    analysis_same_place = 1e-8,                 /* of the integrator's step: samples closer than this count as one */
    analysis_value_rounding = 4 * DBL_EPSILON,  /* of the largest value: its rounding */
    analysis_slack_of_sample = 1e-9,  /* of the distance of samples: a remainder this small needs no further interval */
    analysis_slack_of_row = 1e-6,     /* of the distance of samples: a row this close to the next sample replaces it */
    analysis_assumed_step = 1.0 / 16, /* of the time to the next row: assumed step, if the integrator's is not known */
    analysis_probe_generous =
        8, /* times the error at a probe, a value between samples: error assumed in the interval */
    analysis_probe_between = 1.05, /* times the excess of the highest probe: excess assumed between probes */
    analysis_group_generous = 2,   /* times the mean error at its probes: error of a group of samples */
    analysis_even_samples = 1e-6,  /* of the distance of samples: distances that differ by less are equal */
    analysis_close_second = 0.01;  /* of the gap to the third sample: a second one closer to the first is dropped */

/* ---- Counts ---- */

enum {
  ANALYSIS_MAX_JUMPS = 10000,   /* jumps of a run that are compared */
  ANALYSIS_MAX_DIVISORS = 1000, /* common divisors in the common period of samples */
  ANALYSIS_MAX_POINTS = 10000,  /* points of a reference */
  ANALYSIS_MAX_HALVINGS = 20,   /* most halvings of an interval that may hold a higher value */
  ANALYSIS_LEAST_FINE = 3,      /* least points for a slope */
};

#endif
