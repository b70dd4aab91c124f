/* Chosen numbers of the analyses; for the form see mbs/thresholds.h. The data of test models from papers, and the
 * measured rounding of schemes, are in the files that use them. */
#ifndef ANALYSIS_THRESHOLDS_H
#define ANALYSIS_THRESHOLDS_H

#include <float.h>

/* ---- Verdicts on runs ---- */

static const double analysis_jump_rate = 1e-6, /* of the largest speed: a larger residual rate may be due to a jump */
    analysis_time_offset = 1e-12, /* of t or, if larger, the scale of time: residual rates are also read at t ± this */
    analysis_energy_rounding = 1e-9, /* of the largest energy: smaller errors of the energy balance count as rounding */
    analysis_least_speed = 1e-3,     /* of the scale of speed: least speed for bounds of residual rates */
    analysis_least_energy = 1e-6,    /* of the scale of energy: an exchanged energy below this counts as zero */
    analysis_print_multiples = 3, /* times the travel: larger errors are printed as multiples of it, not in percent */
    analysis_least_travel = 1e-3, /* of a scale or the largest travel: lower limit of a travel, the divisor of errors */
    analysis_least_range = 0.03,  /* of the larger of a force's scale and largest value: least travel of the force */
    analysis_least_signal = 1e3,  /* times atol, if it is given: lower limit of a signal's travel */
    analysis_noise_of_signal = 1e-7, /* of a signal's size (deviation.c): noise, a lower limit of the signal's travel */
    analysis_size_shift = 0.618034,  /* of a scale: change of a coordinate that shows a measure's size; irrational */
    analysis_just_before = 1e-9,     /* of the run: a shorter piece before a jump is read at its start, not its end */
    analysis_least_jump = 1e-6,      /* of the travel: smaller changes do not count as jumps */
    analysis_least_deviation = 1e-12, /* absolute, in a column's unit: least standard deviation of a varying column */
    analysis_growth_limit = 1000,     /* times the reference value (growth.c): a larger value shows instability */
    analysis_undivided_limit = 0.1,   /* of a limit in growth.c: an undivided run above it shows an unstable model */
    analysis_signal_limit = 1e9, /* times a signal's reference value (growth.c): a larger signal shows instability */
    analysis_first_share = 0.01; /* of the run: length of its first phase (growth.c) */

/* ---- References and second runs ---- */

static const double analysis_sums_of_steps = 1e-12, /* of the time: rounding of a sum of macro steps */
    analysis_slack_of_step = 1e-9, /* of a macro step: rounding of a time that is a sum of macro steps */
    analysis_tighter_first = 100,  /* times tighter than the options: tolerances of the first reference run */
    analysis_tighter_second = 10,  /* times tighter than the options: tolerances of the second reference run */
    analysis_confirming = 1e-3,    /* of an error (share of travel): rtol of the second run that confirms this error */
    analysis_loosest_confirming = 1e-6,   /* of a value: loosest tolerance of a second run that confirms an error */
    analysis_confirming_difference = 0.1, /* of the error: a smaller difference of the two reference runs confirms it */
    analysis_tighter_again = 100,         /* times tighter: tolerances of both reference runs when they are repeated */
    analysis_tighter_multistep = 1000,    /* times tighter: tolerances of multistep methods, whose errors accumulate */
    analysis_least_rtol = 1e-13,          /* of a value: tightest rtol of a reference run */
    analysis_least_atol = 1e-15,          /* absolute, m, rad, m/s: tightest atol of a reference run */
    analysis_loosest_rtol = 1e-7,         /* of a value: loosest rtol of a reference run */
    analysis_stiff_ratio = 30,  /* times an implicit run's evaluations: an explicit run with more shows stiffness */
    analysis_other_step = 0.37, /* of the first run's largest step: largest step of the second reference run */
    analysis_step_cap = 0.01,   /* of the run: analysis_other_step multiplies a largest step of at most this */
    analysis_sensitive_delay =
        0.02,                    /* of the run: if tighter tolerances delay divergence more, the motion is sensitive */
    analysis_least_valid = 0.5,  /* of the duration of the run: a reference that ends before this is not used */
    analysis_least_decades = 4,  /* absolute, decades: less growth of the difference of two runs does not show chaos */
    analysis_late_growth = 0.35, /* of the growth in decades: least share in the last three eighths of the run */
    analysis_growth_at_once = 0.5; /* of the growth in decades: largest share in one eighth of the run */

/* ---- Tolerances at singular configurations ---- */

static const double analysis_looser[] = {1, 10, 100}; /* times the tolerances: tried until a run passes a singularity */

/* ---- Trials of schemes ---- */

static const double analysis_trial_steps = 1e4, /* times the macro step: longest run of the first trial */
    analysis_last_trial_steps = 1e5,            /* times the macro step: no trial is made if its run would be longer */
    analysis_shortest_cut = 0.1, /* of the macro step of a trial: shortest macro step of the next trial */
    analysis_longest_cut = 0.7,  /* of the macro step of a trial: longest macro step of the next trial */
    analysis_failed_cut = 0.5,   /* of a trial's macro step: next macro step if the trial failed or its error is NaN */
    analysis_step_reserve = 0.9, /* of the macro step at which the error would be as wanted: next macro step */
    analysis_lowest_slope = 0.5, /* of a scheme's lowest order, 1: a smaller slope shows a plateau (orders.c) */
    analysis_near_plateau = 3,   /* times the largest error at small macro steps: smaller errors are on the plateau */
    analysis_confidence = 0.95;  /* of 1: probability of a confidence interval of an order */

/* ---- Stability ---- */

static const double analysis_stable_excess = 1e-10, /* of 1: a stable spectral radius may exceed 1 by this ([Li] 3.2) */
    analysis_allowed_growth = 1.05, /* times the growth of the mechanism itself: largest growth of a stable scheme */
    analysis_limit_width = 1e-4,    /* of a limit of stable macro steps: accuracy of this limit */
    analysis_same_step = 1e-9,      /* of a macro step or a period: smaller differences are rounding */
    analysis_band_step = 1.01,      /* times the macro step: next macro step in the search for bands of instability */
    analysis_first_band = 0.5, /* of 1: bands of instability begin above this value of H Ω / π (stability_study.c) */
    analysis_beyond_stages = 1.5, /* of 1: bands end where H Ω / π exceeds the number of stages by this */
    analysis_band_damping = 0.1,  /* of critical damping: modes with more damping have no bands of instability */
    analysis_propagation_rounding = 400 * DBL_EPSILON, /* of 1: rounding of the entries of a propagation matrix */
    analysis_share_of_time = 0.1,    /* of the time of the slowest mode: longest macro step that can be accurate */
    analysis_near_sample = 1e-6,     /* of a macro step: a sample this close to the step's end counts as at the end */
    analysis_integer_steps = 1e-6,   /* of 1: error allowed in the number of macro steps of a test model's run */
    analysis_max_linear_steps = 1e6; /* times the macro step: longest time for measuring errors of linear models */

/* ---- Modes ---- */

static const double analysis_no_stiffness = 1e-12, /* of the largest |s|²: a mode with a smaller κ has no stiffness */
    analysis_neutral_force = 1e-12,    /* of the largest entry of K: largest force |K ζ| / |ζ| of a neutral mode */
    analysis_growth_rounding = 1e-9,   /* of |s|: a smaller real part counts as zero */
    analysis_modulus_rounding = 1e-12, /* of the largest |s|: a smaller modulus counts as zero */
    analysis_zero_bound = 10, /* times ε ‖A‖ / c (c: reciprocal condition number): a smaller eigenvalue is zero */
    analysis_body_rounding = 1e-10, /* of a balanced eigenvector: bodies with a smaller component do not move */
    analysis_larger_entry = 1e-9,   /* of an entry: a later entry counts as larger if its excess is above this */
    analysis_double_zero = 1e-6; /* of 1: accuracy of |μ| at a double eigenvalue s = 0, the square root of rounding */

/* ---- Statistics of results ---- */

static const double analysis_same_time = 1e-13, /* of t: samples closer in time than this are one sample */
    analysis_same_in_step = 1e-8, /* of the integrator's step: samples closer in time than this are one sample */
    analysis_value_rounding = 4 * DBL_EPSILON, /* of the largest value: rounding of a value */
    analysis_slack_of_sample = 1e-9,  /* of the sampling interval: a shorter remainder gets no further interval */
    analysis_slack_of_row = 1e-6,     /* of the sampling interval: a row this soon after a sample replaces the sample */
    analysis_assumed_step = 1.0 / 16, /* of the time to the next row: step assumed if the integrator's is unknown */
    analysis_probe_factor = 8, /* times a probe's distance from the cubic (over_run.c): error assumed in the interval */
    analysis_probe_between = 1.05, /* times the excess of the highest probe: excess assumed between probes */
    analysis_group_factor = 2,     /* times the mean error at the probes of a group of samples: error of the group */
    analysis_even_samples = 1e-6,  /* of the sampling interval: intervals that differ by less are equal */
    analysis_close_second = 0.01;  /* of the distance of samples 2 and 3: if 1 and 2 are closer, 2 is dropped */

/* ---- Counts ---- */

enum {
  ANALYSIS_MAX_JUMPS = 10000,   /* jumps of a reference that are compared */
  ANALYSIS_MAX_DIVISORS = 1000, /* ratio of the common period of samples to their common divisor */
  ANALYSIS_MAX_POINTS = 10000,  /* points in time of a reference */
  ANALYSIS_MAX_HALVINGS = 20,   /* halvings of an interval in the search for its highest value */
  ANALYSIS_MAX_RESAMPLINGS = 4, /* halvings of the intervals at which a piece of a step is sampled */
  ANALYSIS_SLOPE_POINTS = 3,    /* least points for an order; points for a slope at small macro steps (orders.c) */
};

#endif
