/* Chosen numbers of the co-simulation; mbs/thresholds.h explains how their comments are to be read. H: length of the
 * macro step; τ: time since its beginning, in units of H. Parameters of published schemes and controls, such as the
 * exponents of [Hairer-Wanner] IV.2, are in their files. */
#ifndef COSIM_THRESHOLDS_H
#define COSIM_THRESHOLDS_H

#include <float.h>

/* ---- Times ---- */

static const double cosim_same_time = 1e-9, /* of H: closer times count as equal */
    cosim_slack_of_steps = 1e-9,            /* of a step: a shorter remainder is round-off and makes no further step */
    cosim_short_step = 1e-9,          /* of H: a step of this length evaluates outputs; it is too short for motion */
    cosim_rounding_of_sums = 1e-6,    /* of H: largest round-off of times that are sums of steps */
    cosim_fixed_steps = 1e-6,         /* of H: largest deviation from a multiple of an FMU's fixed step */
    cosim_same_tau = 1e-12,           /* of 1: values of τ, and lengths in τ, that differ by less are equal */
    cosim_end_of_micro_steps = 1e-14, /* of the larger of t and H: a shorter remainder of a step gets no micro step */
    cosim_rounding_of_inputs = 1e-14, /* of an input: a smaller jump when a step begins is round-off */
    cosim_fmu_event_at_end = 1e-8,    /* of H: an FMU's event this close to the end of a step is at its end */
    cosim_same_parameter = 1e-6;      /* of a value: an FMU's parameter may differ by this when it is read again */

/* ---- Events, switches and kinks in a macro step ---- */

static const double cosim_near_zero = 1e-10, /* of H: tolerance of the times of events and switches */
    cosim_shortest_piece = 1e-6,             /* of H: shortest step that may end at an event */
    cosim_shortest_with_past = 1e-3,         /* of H: replaces cosim_shortest_piece if schemes use past values */
    cosim_shortest_of_joints = 2e-3,         /* of H: shortest step up to a switch, with collocation at cut joints */
    cosim_shortest_half = 0.01,              /* of H: a failed step of at most this length is not halved */
    cosim_beyond_switch = 1e-3, /* of H: width of the difference quotient that extrapolates to a switch beyond a step */
    cosim_bracket = 1e-3,       /* of H: half the width of the first bracket about an event */
    cosim_near_kink = 1e-3,     /* of H: kinks this close to an end of a planned step do not end it */
    cosim_near_kink_at_joints = 0.25, /* of H: replaces cosim_near_kink if variables of cut joints use past values */
    cosim_close_kinks = 0.01; /* of the options' macro step: kinks this soon after a step begins do not end it */

/* ---- Lengths of macro steps ---- */

static const double cosim_plan_slack = 1e-9, /* of H: a shorter remainder of the run makes no further step */
    cosim_max_plan = 1e8,                    /* times H: longest run */
    cosim_last_step = 1.01,                  /* times H: if at most this is left of the run, one step covers it */
    cosim_unchanged_from = 0.95, /* of H: a next step between this and cosim_unchanged_to H gets the length H */
    cosim_unchanged_to = 1.2,    /* times H: upper limit of next steps that get the length H */
    cosim_share_of_step = 0.1,   /* of the tolerance of positions: error allowed in one step, since errors add up */
    cosim_estimate_margin = 1.2, /* times an error estimate within a step: the final estimate is assumed to be less */
    cosim_phase_of_step = 0.5,   /* of (largest acceleration / largest jerk): longest step */
    cosim_acting_time = 1e3, /* times the macro step of the options: longest time over which a velocity error acts */
    cosim_step_limit = 1e7,  /* times the mean length of steps: a run fails if its past or remaining time is longer */
    cosim_repeated_limit = 1e6,   /* times the mean length of steps: replaces cosim_step_limit if a third is repeated */
    cosim_first_growth = 10,      /* times the trial length of the first step: the next trial is not longer */
    cosim_much_longer = 2.5,      /* times the last step: before a longer step, collocation drops its past */
    cosim_no_motion = 1e-8,       /* of the tolerance: a smaller indicator shows no motion */
    cosim_least_shrinkage = 0.9,  /* of H: a rejected step is repeated with at most this length */
    cosim_no_indicator = 1e-30,   /* of the tolerance: a smaller indicator counts as this, against division by zero */
    cosim_safety = 0.8,           /* of the step that the indicator allows: next step, by default */
    cosim_shrinkage = 0.2,        /* of H: shortest next step, by default */
    cosim_growth = 1.5,           /* times H: longest next step, by default */
    cosim_relative_weight = 1e-4; /* of an output: added to 1 in the tolerance of its prediction, by default */

/* ---- Tolerances ---- */

static const double cosim_implicit_tolerance = 1e-10, /* of the values: a smaller correction is the last, by default */
    cosim_rtol = 1e-8,                                /* of a state: tolerance of subsystems' integrators, by default */
    cosim_least_rtol = 1e-13,        /* of a state: tightest tolerance of the finer runs that estimate errors */
    cosim_history_tolerance = 1e-12; /* of the largest state: largest error of values before the start */

/* ---- Corrections ---- */

static const double cosim_largest_rounding = 0.01, /* of a variable: a larger correction is not round-off */
    cosim_noise = 1e-6,                            /* of a variable: smaller corrections that do not shrink are noise */
    cosim_shrinks = 0.9,            /* of the previous correction: if corrections are larger, they do not converge */
    cosim_reuse_original = 1e-3,    /* of a correction: largest error by reused derivatives, by default */
    cosim_reuse_extended = 1e-5,    /* of a correction: the same under D-extended conditions */
    cosim_reuse_wanted = 0.05,      /* of a correction: the same where the user wants reuse */
    cosim_reuse_failed = 0.01,      /* of a correction: after a larger error the step is corrected again */
    cosim_good_contraction = 0.1,   /* of the previous correction: after a smaller one, stored derivatives stay valid */
    cosim_operations = 1000,        /* times the effect of one rounding of outputs: smaller corrections are round-off */
    cosim_fast_contraction = 0.01,  /* of the first correction: a smaller second one allows earlier error estimates */
    cosim_inertia_rounding = 1e-10, /* of the largest acceleration by an input: a smaller one counts as this */
    cosim_inertia_dominates = 0.5,  /* of inertia's effect: inertia dominates if springs and dampers have less effect */
    cosim_stiff = 10, /* times inertia's effect in a step: if springs or dampers have more, inertia does not dominate */
    cosim_remaining_at_end = 0.03,    /* of the tolerance of parts: largest error that the last correction may leave */
    cosim_remaining_by_inertia = 0.1, /* of a correction by inertia alone: assumed error of this correction */
    cosim_diverges = 1e-3,            /* of the values: smaller corrections never count as divergent */
    cosim_refresh_contraction = 0.3,  /* of the previous correction: after a larger one, derivatives are renewed */
    cosim_old_jacobian_noise = 0.1,   /* of the tolerance: smaller corrections by an old Jacobian are noise */
    cosim_prediction_limit = 5, /* times the tolerance: larger errors of predicted outputs exclude an end-only pass */
    cosim_end_only_limit = 0.1, /* of a variable: a larger correction excludes a pass with outputs at the end only */
    cosim_freeze_contraction = 0.5, /* of the previous correction: a larger one freezes gradients of laws near kinks */
    cosim_row_of_rounding = 1e-12,  /* of the expected size: an interface row of smaller entries is round-off */
    cosim_guess_of_slope = 0.1,     /* of the weight of a value: weight of its slope in a guess */
    cosim_guess_pivot = 1e-12,      /* of 1: no guess is made if its least-squares fit has a smaller pivot */
    cosim_guess_differs = 4,     /* times the shorter of the last two steps: if the other is longer, no guess is made */
    cosim_independent_row = 0.1; /* of |row|²: a row whose part orthogonal to earlier rows is less depends on them */

/* ---- Differences ---- */

static const double cosim_change_of_force = 1e-2, /* of max(|force or rate|, scale): change for difference quotients */
    cosim_change_of_position = 1e-4,              /* of max(|position|, scale): change for difference quotients */
    cosim_central_share = 0.5,  /* of the change for differences: step to either side in central differences */
    cosim_width_of_law = 1e-5,  /* of the scale of length (angles: of 1 rad): change for derivatives of a law */
    cosim_kink_of_slope = 0.5,  /* of the larger slope: a larger difference of one-sided slopes shows a kink */
    cosim_jump_of_slope = 1e-9, /* of the rate of a law's force: a larger difference after bisections is a jump */
    cosim_kink_of_force = 0.3,  /* of the change of a force: a larger error of predictions by gradients shows a kink */
    cosim_rounding_of_force = 1e-9, /* of the largest force: smaller changes are round-off, not kinks */
    cosim_kink_rounding = 1e-13;    /* of the sum of |∂W/∂x x| in a force W: smaller changes are round-off */

/* ---- Starts ---- */

static const double cosim_small_residual = 1e-9, /* of the terms of a condition: with a smaller residual it is met */
    cosim_initial_forces_change = 1e-6, /* of values: change for difference quotients in Newton steps after the first */
    cosim_initial_forces_fraction = 1e-3, /* of a Newton step: a fraction up to this is not halved again */
    cosim_initial_forces_reported = 1e-6, /* of the terms of a condition: a note reports larger residuals */
    cosim_redundant_row = 1e-6; /* of a left null vector of the Jacobian: a larger entry makes a cut joint redundant */

/* ---- Exchange ---- */

static const double cosim_lagging_share = 0.02, /* of a signal's standard deviation: larger hold errors are reported */
    cosim_least_deviation = 1e-12,              /* of the mean: a signal that deviates less is constant */
    cosim_loop_tolerance = 1e-10, /* of the largest value: a smaller Newton step ends the search in an algebraic loop */
    cosim_independent = 1e-9,     /* of a regressor: a smaller part that is independent of earlier ones is round-off */
    cosim_negligible = 1e-3, /* of output times excitation: with smaller prediction errors, derivatives count as 0 */
    cosim_identified = 0.1,  /* of an excitation's effect: with smaller prediction errors a derivative is identified */
    cosim_model_tolerance = 1e-4,  /* of an output: a model with larger prediction errors is identified again */
    cosim_model_memory = 0.98,     /* of the weight of the next step: weight of a step, by default */
    cosim_model_excitation = 1e-5, /* of an input: default excitation */
    cosim_energy_limit = 0.1;      /* of a force: largest energy correction of the force, by default */

/* ---- Counts ---- */

enum {
  COSIM_MAX_ITERATIONS = 20,     /* most implicit corrections of a step, by default */
  COSIM_MANY_CORRECTIONS = 8,    /* corrections after which a large one shows divergence */
  COSIM_CONTRACTION_AGE = 10,    /* later steps for which a measured contraction of corrections is used */
  COSIM_MAX_INITIAL_NEWTON = 10, /* most Newton steps to forces at cut joints when a step begins */
  COSIM_MAX_PASSES = 10,         /* most corrections of multipliers at the start */
  COSIM_LEAST_PASSES = 4,        /* corrections of multipliers at the start that are always made */
  COSIM_JUMP_HALVINGS = 20,      /* bisections that distinguish a jump from a smooth change */
  COSIM_SEARCH_INTERVALS = 6,    /* intervals between two nodes in the search for kinks and switches */
  COSIM_KINK_HALVINGS = 12,      /* bisections of an interval with a kink */
  COSIM_IDENTIFIER_TRIALS = 5,   /* steps predicted before a model is accepted */
  COSIM_LEAST_POINTS = 5,        /* observed macro points before a hold is judged */
  COSIM_MAX_TICKS = 100000000,   /* most ticks in a round of an exchange */
  COSIM_PROGRESS_STEPS = 1000,   /* macro steps over which progress is measured */
  COSIM_MAX_EVENT_TRIALS = 30,   /* most trials of a step up to a part's event */
  COSIM_MAX_SWITCH_TRIALS = 12,  /* most trials of a step up to a switch before bisection */
  COSIM_MAX_BISECTIONS = 60,     /* most bisections of an interval with a switch */
  COSIM_MAX_BEGIN_SWITCHES = 2,  /* switches of an element when a step begins, after which its law follows the motion */
  COSIM_MAX_STEPS = 1000000,     /* most macro steps of a subsystem in one macro step of the exchange */
  COSIM_MAX_HISTORY_STEPS = 1 << 14, /* most steps of the integration backwards from the start */
  COSIM_FIRST_HISTORY_STEPS = 4,     /* steps of the first trial of the integration backwards */
  COSIM_MAX_FMU_STEPS = 1000000,     /* most steps of an FMU in a macro step */
  COSIM_MAX_FMU_EVENTS = 1000,       /* most events of an FMU in a macro step */
  COSIM_MAX_FMU_STALLED = 10,        /* most consecutive steps of an FMU that do not advance its time */
  COSIM_MAX_FMU_DISCARDED = 10000,   /* most steps that an FMU may discard */
  COSIM_MAX_MICRO_STEPS = 50000,     /* most micro steps in a macro step */
};

#endif
