/* Chosen numbers of the analyses; for the form see mbs/thresholds.h. The data of test models from papers, and the
 * measured rounding of schemes, are in the files that use them. */
#ifndef ANALYSIS_THRESHOLDS_H
#define ANALYSIS_THRESHOLDS_H

#include <float.h>

/* ---- Verdicts on runs ---- */

static const double analysis_jump_rate = 1e-6, /* of the largest speed: a larger residual rate may be a jump */
    analysis_time_offset = 1e-12,    /* of max(|t|, scale of time): this rate is also read this long before and after t;
                                        the smallest of the three counts */
    analysis_energy_rounding = 1e-9, /* of the largest energy: a smaller error of the energy balance is round-off */
    analysis_least_speed = 1e-3,  /* of the scale of speed: residual rates of slower motions are judged by this speed */
    analysis_least_energy = 1e-6, /* of the scale of energy: if bodies exchange less energy, it counts as zero */
    analysis_print_multiples = 3, /* times the travel: larger errors are printed as multiples of it, not in percent */
    analysis_least_travel = 1e-3, /* of a scale or the largest travel: errors are never divided by a smaller travel */
    analysis_least_range = 0.03,  /* of max(a force's scale, its largest value): the same for the travel of a force */
    analysis_least_signal = 1e3,  /* times atol, if it is given: the same for the travel of a signal */
    analysis_noise_of_signal = 1e-7, /* of a signal's size (deviation.c): its noise; its travel is at least this, too */
    analysis_size_shift = 0.618034,  /* of a scale: a coordinate, rate or state is shifted by this to show how much a
                                        quantity changes; irrational, so that this shift is no period */
    analysis_just_before = 1e-9, /* of the run: if the piece before a jump is shorter, the values before the jump are
                                    those at the start of this piece, not at its end */
    analysis_least_jump = 1e-6,  /* of a quantity's travel: if it changes less at once, this does not count as a jump */
    analysis_least_deviation = 1e-12, /* absolute, in a column's unit: a column that deviates less is constant */
    analysis_growth_limit = 1000, /* times a reference value (growth.c): if a motion exceeds it, the run is unstable */
    analysis_undivided_limit = 0.1, /* of this limit: if the undivided run exceeds it, the model itself is unstable */
    analysis_signal_limit = 1e9, /* times a signal's reference value (growth.c): if it is larger, the run is unstable */
    analysis_first_share = 0.01; /* of the run: length of its first phase, which gives reference values (growth.c) */

/* ---- References and second runs ---- */

static const double analysis_sums_of_steps = 1e-12, /* of a time: round-off of a time that is a sum of macro steps */
    analysis_slack_of_step = 1e-9, /* of a macro step: a shorter remainder of a time gets no macro step of its own */
    analysis_tighter_first = 100,  /* times tighter than the options: tolerances of the first reference run */
    analysis_tighter_second = 10,  /* times tighter than the options: tolerances of the second reference run */
    analysis_confirming = 1e-3,    /* of an error (share of travel): rtol of the second run that confirms this error */
    analysis_loosest_confirming = 1e-6,   /* of a value: loosest rtol of this second run */
    analysis_confirming_difference = 0.1, /* of an error: if both reference runs differ by less, it is confirmed */
    analysis_tighter_again = 100,         /* times tighter: tolerances of both reference runs if they are repeated */
    analysis_tighter_multistep = 1000,    /* times tighter: tolerances of multistep methods, whose errors accumulate */
    analysis_least_rtol = 1e-13,          /* of a value: tightest rtol of a reference run */
    analysis_least_atol = 1e-15,          /* absolute, m, rad, m/s: tightest atol of a reference run */
    analysis_loosest_rtol = 1e-7,         /* of a value: loosest rtol of a reference run */
    analysis_stiff_ratio = 30,  /* times an implicit run's evaluations: an explicit run with more shows stiffness */
    analysis_other_step = 0.37, /* of the first run's largest step: largest step of the second reference run */
    analysis_step_cap = 0.01,   /* of the run: if the first run's largest step is longer, this replaces it */
    analysis_sensitive_delay = 0.02, /* of the run: if tighter tolerances delay divergence more, motion is sensitive */
    analysis_least_valid = 0.5,      /* of the run: a reference that ends before this is not used */
    analysis_least_decades = 4, /* absolute, decades: if two runs diverge by less, the motion does not count as chaos */
    analysis_late_growth = 0.35, /* of this divergence: it is chaotic only if more of it is in the last three eighths */
    analysis_growth_at_once = 0.5; /* of this divergence: it is not chaotic if more of it is in one eighth of the run */

/* ---- Tolerances at singular configurations ---- */

static const double analysis_looser[] = {1, 10, 100}; /* times the tolerances: tried until a run passes a singularity */

/* ---- Trials of schemes ---- */

static const double analysis_trial_steps = 1e4, /* times the macro step: the first trial does not run longer */
    analysis_last_trial_steps = 1e5, /* times the macro step: if a trial would run longer, there are no more trials */
    analysis_shortest_cut = 0.1,     /* of a trial's macro step: the next trial has at least this */
    analysis_longest_cut = 0.7,      /* of a trial's macro step: the next trial has at most this */
    analysis_failed_cut = 0.5,   /* of a trial's macro step: the next one if the trial failed or its error is unknown */
    analysis_step_reserve = 0.9, /* of the macro step that would give the wanted error: next macro step */
    analysis_lowest_slope = 0.5, /* of the lowest order of any scheme, 1: a smaller slope shows a plateau of errors */
    analysis_near_plateau = 3,   /* times the largest error at small macro steps: smaller errors are on this plateau */
    analysis_confidence = 0.95;  /* of 1: probability that an order lies in its confidence interval */

/* ---- Stability ---- */

static const double analysis_stable_excess = 1e-10, /* of 1: a stable spectral radius may exceed 1 by this ([Li] 3.2) */
    analysis_allowed_growth = 1.05, /* times the growth of the mechanism itself: a scheme that grows more is unstable */
    analysis_limit_width = 1e-4,    /* of a limit of stable macro steps: accuracy to which the limit is found */
    analysis_same_step = 1e-9,      /* of a macro step or period: two that differ by less are equal */
    analysis_band_step = 1.01, /* times the macro step: next one that is tried in the search for bands of instability */
    analysis_first_band = 0.5, /* of 1: such bands begin only above this value of H Ω / π (stability_study.c) */
    analysis_beyond_stages = 1.5, /* of 1: such bands end below H Ω / π = number of stages plus this */
    analysis_band_damping = 0.1,  /* of critical damping: modes that are damped more have no such bands */
    analysis_propagation_rounding = 400 * DBL_EPSILON, /* of 1: round-off of the entries of a propagation matrix */
    analysis_share_of_time = 0.1,  /* of the time of the slowest mode: no longer macro step counts as accurate */
    analysis_near_sample = 1e-6,   /* of a macro step: a sample this close to the step's end counts as at the end */
    analysis_integer_steps = 1e-6, /* of 1: the number of steps in a test model's run may be this far off an integer */
    analysis_max_linear_steps = 1e6; /* times the macro step: errors of linear models are measured over at most this */

/* ---- Modes ---- */

static const double analysis_no_stiffness = 1e-12, /* of the largest |s|²: a mode with less stiffness gets no load */
    analysis_neutral_force = 1e-12,    /* of K's largest entry: if |K ζ| / |ζ| is smaller, mode ζ can be neutral */
    analysis_growth_rounding = 1e-9,   /* of |s|: a smaller real part of the eigenvalue s counts as zero */
    analysis_modulus_rounding = 1e-12, /* of the largest |s|: a smaller real part of any s counts as zero, too */
    analysis_zero_bound = 10, /* times ε ‖A‖ / c (c: reciprocal condition number): a smaller eigenvalue is zero */
    analysis_body_rounding = 1e-10, /* of a balanced eigenvector: if the part of the bodies is smaller, no body moves */
    analysis_larger_entry = 1e-9,   /* of the largest entry so far: a later one replaces it only if larger by this */
    analysis_double_zero = 1e-6;    /* of 1: an eigenvalue over a sampling period may exceed 1 by this, as a double
                                       eigenvalue 1 does by round-off, and its motion counts as constant */

/* ---- Statistics of results ---- */

static const double analysis_same_time = 1e-13, /* of t: samples that are closer in time than this are one sample */
    analysis_same_in_step = 1e-8, /* of the integrator's step: the same; the larger of both times applies */
    analysis_value_rounding = 4 * DBL_EPSILON, /* of the largest value: round-off of a value */
    analysis_settled_excess = 0.01, /* of a bound's largest excess so far: if halvings leave more while values rise, the
                                       bound is not believed */
    analysis_pole_excess = 1e-3,    /* of the range of values: a bound with a smaller excess is always believed */
    analysis_slack_of_sample = 1e-9,  /* of the sampling interval: a shorter remainder gets no interval of its own */
    analysis_slack_of_row = 1e-6,     /* of the sampling interval: a sample this shortly before a row is left out */
    analysis_assumed_step = 1.0 / 16, /* of the time to the next row: assumed length of a step if it is unknown */
    analysis_probe_factor = 8, /* times a probe's distance from the cubic (over_run.c): error assumed in the interval,
                                  at most the probe's distance from the straight line */
    analysis_probe_between = 1.05, /* times the excess of the highest probe: excess assumed between probes */
    analysis_group_factor = 2,     /* times the mean error at the probes of a group of samples: error of the group */
    analysis_even_samples = 1e-6,  /* of the sampling interval: two intervals that differ by less are equal */
    analysis_close_second = 0.01;  /* of the distance of samples 2 and 3: if 1 and 2 are closer, sample 2 is dropped */

/* ---- Counts ---- */

enum {
  ANALYSIS_MAX_JUMPS = 10000,   /* jumps of a reference that are compared, at most */
  ANALYSIS_MAX_DIVISORS = 1000, /* common period of all samples, divided by their largest common divisor, at most */
  ANALYSIS_MAX_POINTS = 10000,  /* points in time at which a reference is stored, at most */
  ANALYSIS_MAX_HALVINGS = 20,   /* halvings of an interval in which the highest value is sought, at most */
  ANALYSIS_FREE_HALVINGS = 4,   /* first halvings of an interval, too coarse to show if values rise towards a pole */
  ANALYSIS_MAX_RESAMPLINGS = 4, /* halvings of sampling intervals that do not resolve a piece of a step, at most */
  ANALYSIS_SLOPE_POINTS = 3, /* points that an order needs; points that show a slope at small macro steps (orders.c) */
};

#endif
