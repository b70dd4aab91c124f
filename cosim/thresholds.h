/* Chosen numbers of the co-simulation, as in mbs/thresholds.h. H: macro step; τ: time in the step over H. Parameters
 * of published schemes and controls, such as the exponents of [HNW] IV.2, are in their files. */
#ifndef COSIM_THRESHOLDS_H
#define COSIM_THRESHOLDS_H

#include <float.h>

/* ---- Times ---- */

static const double cosim_same_time = 1e-9, /* of H: closer times count as equal */
    cosim_slack_of_steps = 1e-9,            /* of a step: round-off in a number of steps */
    cosim_short_step = 1e-9,                /* of H: step so short that nothing moves, to evaluate outputs */
    cosim_moved_by_sums = 1e-6,             /* of H, at most: round-off of times that are sums of steps */
    cosim_fixed_steps = 1e-6,               /* of a step of an FMU: H counts as a multiple of that step */
    cosim_same_tau = 1e-12,                 /* of τ: closer nodes and equal lengths count as one */
    cosim_end_of_micro_steps = 1e-14,       /* of t, or of H: shortest rest of a macro step to integrate */
    cosim_goes_on = 1e-14,                  /* of an input: smaller jumps since the last step's end are round-off */
    cosim_fmu_event_at_end = 1e-8,          /* of H: an FMU's event this close to the end is at the end */
    cosim_same_parameter = 1e-6;            /* of a value: largest error of an FMU's parameter when read again */

/* ---- Events, switches and kinks in a macro step ---- */

static const double cosim_near_zero = 1e-10, /* of H: tolerance of the times of zeros and switches; shortest step */
    cosim_shortest_piece = 1e-6,             /* of H: shortest step up to an event */
    cosim_shortest_with_past = 1e-3, /* of H: likewise with past values: slopes through close points are steep */
    cosim_shortest_of_joints = 2e-3, /* of H: likewise with cut joints: shorter steps would follow the whole */
    cosim_shortest_half = 0.01,      /* of H: a step of this length is not halved */
    cosim_beyond_switch = 1e-3, /* of H: width of the difference from which a switch beyond the step is extrapolated */
    cosim_bracket = 1e-3,       /* of H: first half width of the bracket about an event */
    cosim_near_kink = 1e-3,     /* of H: kinks closer than this to an end of a step are passed over */
    cosim_near_kink_at_joints = 0.25, /* of H: likewise with cut joints, since errors of short steps grow there */
    cosim_close_kinks = 0.01;         /* of the macro step of the options: likewise under step control */

/* ---- Lengths of macro steps ---- */

static const double cosim_plan_slack = 1e-9, /* of H: slack in the number of steps, so that no tiny last step is left */
    cosim_max_plan = 1e8,                    /* times H: longest run */
    cosim_last_step = 1.01,                  /* times H: a rest up to this is one step */
    cosim_worth_less = 0.95,      /* of H: next steps from this to the limit below keep length and interface matrix */
    cosim_worth_more = 1.2,       /* times H: the limit; longer next steps are taken */
    cosim_share_of_step = 0.1,    /* of the tolerance of positions: allowed error per step, since errors add up */
    cosim_certain = 1.2,          /* times the tolerance: an early indicator is uncertain by this factor */
    cosim_phase_of_step = 0.5,    /* of acceleration over jerk: longest step */
    cosim_farthest_step = 1e3,    /* times the macro step of the options: longest step */
    cosim_step_limit = 1e7,       /* times the last steps: a run that needs more makes no progress */
    cosim_doubtful_limit = 1e6,   /* times the last steps: likewise if many steps are repeated */
    cosim_first_growth = 10,      /* times the step: largest next guess in the search for the first step */
    cosim_much_longer = 2.5,      /* times the last step: a longer step restarts extrapolation */
    cosim_motion_seen = 1e-8,     /* of the tolerance: a smaller indicator shows no motion */
    cosim_least_shrinkage = 0.9,  /* of H: longest repeated step; else rejections hardly end */
    cosim_no_indicator = 1e-30,   /* of the tolerance: smallest indicator, against division by zero */
    cosim_safety = 0.8,           /* of the step that the indicator allows: next step, by default */
    cosim_shrinkage = 0.2,        /* of H, at least: next step, by default */
    cosim_growth = 1.5,           /* times H, at most: next step, by default */
    cosim_relative_weight = 1e-4; /* of an output: weight in the predictor's tolerance, by default */

/* ---- Tolerances ---- */

static const double cosim_implicit_tolerance = 1e-10, /* of the values: implicit corrections end, by default */
    cosim_rtol = 1e-8,               /* of an entry: tolerance of subsystems' integrators, by default */
    cosim_least_rtol = 1e-13,        /* of an entry: tightest tolerance of second runs */
    cosim_history_tolerance = 1e-12; /* of an entry: error of values before the start */

/* ---- Corrections ---- */

static const double cosim_largest_rounding = 0.01, /* of a variable: a larger correction is not round-off */
    cosim_noise = 1e-6,                            /* of a variable: smaller corrections that do not shrink are noise */
    cosim_shrinks = 0.9,                           /* of the correction before: larger corrections do not converge */
    cosim_good_increment = 0.05,      /* of the first: a second correction up to this keeps stored derivatives */
    cosim_good_contraction = 0.1,     /* of the correction before: with this contraction one correction is enough */
    cosim_operations = 1000,          /* times the rounding of one: accumulated round-off of a correction */
    cosim_leading_contraction = 0.01, /* of the correction before: leading coefficients are known */
    cosim_inertia_rounding = 1e-10,   /* of the largest: smallest inertia that is not round-off */
    cosim_leads = 0.5,            /* of inertia over H: largest effect of springs and dampers if inertia dominates */
    cosim_stiff = 10,             /* times the inertia: larger effects of springs and dampers over H dominate */
    cosim_left_at_end = 0.03,     /* of the tolerance of parts: largest remaining correction, since errors add up */
    cosim_left_by_inertia = 0.1,  /* of a correction by inertia alone: error that is assumed for it */
    cosim_diverges = 1e-3,        /* of the values: smaller corrections do not count as divergent */
    cosim_fair_contraction = 0.3, /* of the correction before: above this, new derivatives are worthwhile */
    cosim_noise_of_passes = 0.1,  /* of the tolerance: smaller corrections by older derivatives are noise */
    cosim_unexpected = 5, /* times the tolerance, in a short pass: nodes are uncertain above this error of prediction */
    cosim_short_pass = 0.1,        /* of the tolerance: largest correction for a short pass */
    cosim_bad_contraction = 0.5,   /* of the correction before: above this, slopes at kinks are kept */
    cosim_row_of_rounding = 1e-12, /* of what is expected: an interface row of smaller entries is round-off */
    cosim_guess_of_slope = 0.1,    /* of a value: weight of its slope in a guess */
    cosim_guess_pivot = 1e-12,     /* of 1: with a smaller pivot in its least-squares fit no guess is made */
    cosim_guess_differs = 4,       /* times: largest ratio of past step lengths for a guess */
    cosim_independent_row = 0.1;   /* of a unit vector, squared: smallest part that is independent of the rows before */

/* ---- Differences ---- */

static const double cosim_change_of_force = 1e-2, /* of a value, or its scale: outputs are almost linear in it */
    cosim_change_of_place = 1e-4,                 /* of a place, or its scale: likewise */
    cosim_central_share = 0.5,                    /* of such a change: change to either side in central differences */
    cosim_width_of_law = 1e-5,                    /* of the scale of length, rad: change for slopes of a law */
    cosim_bent = 0.5,                             /* of a slope: a larger difference of one-sided slopes is a kink */
    cosim_jump_of_slope = 1e-9,   /* of the change: a larger difference that remains after halvings is a jump */
    cosim_bent_component = 0.3,   /* of the change of a component: a law that deviates more from gradients is bent */
    cosim_still_component = 1e-9, /* of the largest component: smaller changes are round-off, not kinks */
    cosim_kink_rounding = 1e-13;  /* of what a gradient makes of the places of markers: smaller changes are round-off */

/* ---- Starts ---- */

static const double cosim_small_residual = 1e-9, /* of the terms of a condition, far above their rounding: it is met */
    cosim_initial_forces_change = 1e-6, /* of values: change in the differences for Newton steps after the first */
    cosim_initial_forces_part = 1e-3,   /* of a step, at least: smallest fraction of a Newton step that is tried */
    cosim_initial_forces_said = 1e-6,   /* of a force: a note reports larger errors */
    cosim_redundant_row = 1e-6; /* of a combination of constraints: smallest coefficient of a redundant cut joint */

/* ---- Exchange ---- */

static const double cosim_lagging_share = 0.02, /* of the deviation of a value: larger hold errors are reported */
    cosim_least_deviation = 1e-12,              /* of the mean: a value that deviates less is constant */
    cosim_loop_tolerance = 1e-10,               /* of the largest value: last Newton step in an algebraic loop */
    cosim_independent = 1e-9,                   /* of a column: smallest part independent of other columns */
    cosim_negligible = 1e-3,                    /* of an output: a smaller effect of an excitation is negligible */
    cosim_identified = 0.1,        /* of the effect of an excitation: prediction error of a known derivative */
    cosim_model_tolerance = 1e-4,  /* of an output: a model that errs more is identified anew */
    cosim_model_memory = 0.98,     /* of the last step: default forgetting factor */
    cosim_model_excitation = 1e-5, /* of an input: default excitation */
    cosim_energy_limit = 0.1;      /* of a value: default limit of energy corrections */

/* ---- Counts ---- */

enum {
  COSIM_MAX_ITERATIONS = 20,         /* implicit corrections, by default */
  COSIM_MANY_CORRECTIONS = 8,        /* corrections that are still large: divergence */
  COSIM_OFTEN = 10,                  /* steps for which a measured contraction is used */
  COSIM_MAX_INITIAL_NEWTON = 10,     /* Newton steps to forces at the start */
  COSIM_MAX_PASSES = 10,             /* passes to values at the start */
  COSIM_USUAL_PASSES = 4,            /* passes to values at the start that are always made */
  COSIM_JUMP_HALVINGS = 20,          /* halvings to distinguish a jump */
  COSIM_SEEN_PIECES = 6,             /* pieces between two nodes in the search for kinks and switches */
  COSIM_KINK_HALVINGS = 12,          /* halvings of a piece with a kink */
  COSIM_IDENTIFIER_TRIALS = 5,       /* steps predicted before a model is accepted */
  COSIM_LEAST_POINTS = 5,            /* points of a hold before it is judged */
  COSIM_MAX_TICKS = 100000000,       /* different times in a round of an exchange */
  COSIM_WATCHED_STEPS = 1000,        /* macro steps over which progress is measured */
  COSIM_MAX_EVENT_TRIALS = 30,       /* trials of a step up to a part's event */
  COSIM_MAX_SWITCH_TRIALS = 12,      /* trials of a step up to a switch before bisection */
  COSIM_MAX_BISECTIONS = 60,         /* bisections of a piece with a switch */
  COSIM_MAX_BEGUN = 2,               /* steps to switches of an element at one time; then its mode follows the motion */
  COSIM_MAX_STEPS = 1000000,         /* macro steps of a subsystem in one of the whole */
  COSIM_MAX_HISTORY_STEPS = 1 << 14, /* steps back before the start */
  COSIM_FIRST_HISTORY_STEPS = 4,     /* steps back in the first trial */
  COSIM_MAX_FMU_STEPS = 1000000,     /* steps of an FMU in a macro step */
  COSIM_MAX_FMU_EVENTS = 1000,       /* events of an FMU in a macro step */
  COSIM_MAX_FMU_STILL = 10,          /* consecutive steps of an FMU without progress */
  COSIM_MAX_FMU_DISCARDED = 10000,   /* steps that an FMU may discard */
  COSIM_MAX_MICRO_STEPS = 50000,     /* micro steps in a macro step */
};

#endif
