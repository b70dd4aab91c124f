/* Chosen numbers of the co-simulation, as in mbs/thresholds.h. H is the macro step, τ a share of it. Parameters of
 * published schemes and controls, as the exponents of [HNW] IV.2, stand in their files. */
#ifndef COSIM_THRESHOLDS_H
#define COSIM_THRESHOLDS_H

#include <float.h>

/* ---- Times ---- */

static const double cosim_same_time = 1e-9, /* of H: times that are closer are one */
    cosim_slack_of_steps = 1e-9,            /* of a step: rounding in the number of steps in a time */
    cosim_short_step = 1e-9,                /* of H: a step in which nothing moves, to evaluate outputs */
    cosim_moved_by_sums = 1e-6,             /* of H, at most: sums of many steps are not more exact */
    cosim_fixed_steps = 1e-6,               /* of a step of an FMU: H is a multiple of it */
    cosim_same_tau = 1e-12,                 /* of τ: pieces and ends that are one */
    cosim_end_of_micro_steps = 1e-14,       /* of t, or of H: a rest that short is none */
    cosim_goes_on = 1e-14,                  /* of an input: it begins where it ended */
    cosim_fmu_event_at_end = 1e-8,          /* of H: an event of an FMU is at its end */
    cosim_same_parameter = 1e-6;            /* of a value: a parameter of an FMU that was set is read so again */

/* ---- Events, switches and kinks in a macro step ---- */

static const double cosim_near_zero = 1e-10, /* of H: how near to a zero or a switch a step ends; none is shorter */
    cosim_shortest_piece = 1e-6,             /* of H: the shortest step in place of one */
    cosim_shortest_with_past = 1e-3,         /* of H: likewise, where values of the past would be steep */
    cosim_shortest_of_joints = 2e-3,         /* of H: likewise at joints, which would follow the whole */
    cosim_shortest_half = 0.01,              /* of H: likewise where a step is halved */
    cosim_beyond_switch = 1e-3,              /* of H: slope by which a law would leave its mode behind the step */
    cosim_bracket = 1e-3,                    /* of H: the first bracket about an event */
    cosim_near_kink = 1e-3,                  /* of H: kinks that are closer are passed in one step, */
    cosim_near_kink_at_joints = 0.25,        /* of H: at joints: errors of a short step grow in long ones, */
    cosim_close_kinks = 0.01;                /* of the macro step of the options: where it is controlled */

/* ---- Lengths of macro steps ---- */

static const double cosim_plan_slack = 1e-9, /* of H: or the last step would be a sliver */
    cosim_max_plan = 1e8,                    /* times H: a run is not longer */
    cosim_last_step = 1.01,                  /* times H: what is left is taken in one */
    cosim_worth_less = 0.95,                 /* of H: a length that changes by less stays, and the interface matrix, */
    cosim_worth_more = 1.2,                  /* times H: or by that */
    cosim_share_of_step = 0.1,               /* of the tolerance of positions: a step's own, since errors add up */
    cosim_certain = 1.2,                     /* times the tolerance: an indicator changes by some percent yet */
    cosim_phase_of_step = 0.5,               /* of acceleration over jerk: the longest step */
    cosim_farthest_step = 1e3,               /* times the macro step of the options: no step is longer */
    cosim_step_limit = 1e7,                  /* times the last steps: a run that needs more makes no progress, */
    cosim_doubtful_limit = 1e6,              /* times the last steps: or where steps are repeated */
    cosim_first_growth = 10,                 /* times the step: the next guess of the first one */
    cosim_much_longer = 2.5,                 /* times the last step: a longer one begins anew */
    cosim_motion_seen = 1e-8,                /* of the tolerance: an indicator below shows no motion */
    cosim_least_shrinkage = 0.9,             /* of H: a repeated step, or failures hardly end */
    cosim_no_indicator = 1e-30,              /* of the tolerance: a smaller indicator is none */
    cosim_safety = 0.8,                      /* of the step that the indicator allows: a default */
    cosim_shrinkage = 0.2,                   /* of H, at least: a default */
    cosim_growth = 1.5,                      /* times H, at most: a default */
    cosim_relative_weight = 1e-4;            /* of an output: the same beside it, of the predictor */

/* ---- Tolerances ---- */

static const double cosim_implicit_tolerance = 1e-10, /* of the values: where implicit corrections end, by default */
    cosim_rtol = 1e-8,                                /* of an entry: the integrators of subsystems, by default */
    cosim_least_rtol = 1e-13,                         /* of an entry: second runs ask for no tighter tolerance */
    cosim_history_tolerance = 1e-12;                  /* of an entry: values before the start, by exact steps back */

/* ---- Corrections ---- */

static const double cosim_largest_rounding = 0.01, /* of a variable: a larger correction is not rounding */
    cosim_shrinks = 0.9,                           /* of the correction before: a larger one does not converge */
    cosim_good_correction = 0.05,                  /* of the first: stored derivatives are accurate enough */
    cosim_good_contraction = 0.1,                  /* of the correction before: it is as good as the last one */
    cosim_operations = 1000,                       /* times the rounding of one: what a correction adds up */
    cosim_leading_contraction = 0.01,              /* of the correction before: leading coefficients are known, */
    cosim_inertia_rounding = 1e-10,                /* of the largest: an inertia that a part shows is none */
    cosim_leads = 0.5,             /* of inertia over H: what springs and dampers add may be left to it */
    cosim_stiff = 10,              /* times the inertia: dampers and springs of a part lead over H */
    cosim_left_at_end = 0.03,      /* of the tolerance of parts: what a step leaves adds up over many */
    cosim_left_by_inertia = 0.1,   /* of a correction by inertia alone, but for long H */
    cosim_diverges = 1e-3,         /* of the values: smaller corrections do not diverge */
    cosim_fair_contraction = 0.3,  /* of the correction before: derivatives anew contract better */
    cosim_noise_of_passes = 0.1,   /* of the tolerance: passes under older derivatives differ by that */
    cosim_unexpected = 5,          /* times the tolerance, in a short pass: its nodes are not certain */
    cosim_short_pass = 0.1,        /* of the tolerance: smaller corrections take a short pass */
    cosim_bad_contraction = 0.5,   /* of the correction before: it takes derivatives anew */
    cosim_row_of_rounding = 1e-12, /* of what is expected: a row of the interface is rounding alone */
    cosim_guess_of_slope = 0.1,    /* of a value: the weight of its slope in a guess */
    cosim_guess_pivot = 1e-12,     /* of 1: a guess by steps whose rows depend on each other is none */
    cosim_guess_differs = 4,       /* times: lengths of steps that differ by more make no guess */
    cosim_independent_row = 0.1;   /* of a unit vector, squared: a force is independent of rows */

/* ---- Differences ---- */

static const double cosim_change_of_force = 1e-2, /* of a value, or its scale: outputs are next to linear in it */
    cosim_change_of_place = 1e-4,                 /* of a place, or its scale: likewise */
    cosim_central_share = 0.5,                    /* of such a change: that of central differences */
    cosim_width_of_law = 1e-5,                    /* absolute, m, rad: of slopes of a law, which has no scale */
    cosim_bent = 0.5,                             /* of a slope: more between both sides is a kink */
    cosim_jump_of_slope = 1e-9,                   /* of the change: a jump stays when it is halved down */
    cosim_bent_component = 0.3,                   /* of the change of a component, from where on a law is not smooth */
    cosim_still_component = 1e-9,                 /* of the largest component: rounding alone moves it, no kinks */
    cosim_kink_rounding = 1e-13;                  /* of what a gradient makes of the places of markers */

/* ---- Starts ---- */

static const double cosim_small_residual = 1e-9, /* of the terms of a condition, far above their rounding: it is met */
    cosim_initial_forces_change = 1e-6,          /* of values: for the matrices of second and later steps */
    cosim_initial_forces_part = 1e-3,            /* of a step, at least, that lessens residuals no more */
    cosim_initial_forces_said = 1e-6,            /* of a force: what is not found of it is said */
    cosim_redundant_row = 1e-6;                  /* of a combination of constraints: a cut joint takes part in it */

/* ---- Exchange ---- */

static const double cosim_lagging_share = 0.02, /* of the deviation of a value: errors of its hold that are said */
    cosim_least_deviation = 1e-12,              /* of the mean: a value that deviates less does not move */
    cosim_loop_tolerance = 1e-10,               /* of the largest value: what Newton's method moves last in a loop */
    cosim_independent = 1e-9,                   /* of a column: what others leave of it, above rounding */
    cosim_negligible = 1e-3,                    /* of an output: the effect of an excitation is none, */
    cosim_identified = 0.1,                     /* of the effect of an excitation: a derivative is known */
    cosim_model_tolerance = 1e-4,               /* of an output: a model that errs more is learnt anew, by default, */
    cosim_model_memory = 0.98,                  /* of the last step: its weight, by default, */
    cosim_model_excitation = 1e-5,              /* of an input: what it is changed by, by default */
    cosim_energy_limit = 0.1;                   /* of a value: the largest correction of energy, by default */

/* ---- Counts ---- */

enum {
  COSIM_MAX_ITERATIONS = 20,         /* implicit corrections, by default */
  COSIM_MANY_CORRECTIONS = 8,        /* corrections that are still large: it diverges */
  COSIM_OFTEN = 10,                  /* steps since a contraction was seen */
  COSIM_MAX_SETTLING = 10,           /* steps of Newton's method to forces at the start */
  COSIM_MAX_PASSES = 10,             /* passes to the values of the start */
  COSIM_USUAL_PASSES = 4,            /* of which so many are usual */
  COSIM_JUMP_HALVINGS = 20,          /* halvings of a change that is a jump */
  COSIM_SEEN_PIECES = 6,             /* between two nodes, in which kinks and switches are looked for */
  COSIM_KINK_HALVINGS = 12,          /* halvings of a piece with a kink */
  COSIM_IDENTIFIER_TRIALS = 5,       /* steps that a model predicts before it is accepted */
  COSIM_LEAST_POINTS = 5,            /* points of a hold that say something */
  COSIM_MAX_TICKS = 100000000,       /* shortest steps in a round of an exchange */
  COSIM_WATCHED_STEPS = 1000,        /* macro steps whose progress is looked at */
  COSIM_MAX_EVENT_TRIALS = 30,       /* trials of a step to an event of a part */
  COSIM_MAX_SWITCH_TRIALS = 12,      /* of a step to a switch, before it is halved */
  COSIM_MAX_BISECTIONS = 60,         /* of a piece with a switch */
  COSIM_MAX_BEGUN = 2,               /* steps to switches of one element, whose law follows the motion then */
  COSIM_MAX_STEPS = 1000000,         /* macro steps of a subsystem in one of the whole */
  COSIM_MAX_HISTORY_STEPS = 1 << 14, /* steps back before the start */
  COSIM_FIRST_HISTORY_STEPS = 4,     /* of the first trial of them */
  COSIM_MAX_FMU_STEPS = 1000000,     /* steps of an FMU in a macro step, */
  COSIM_MAX_FMU_EVENTS = 1000,       /* events, */
  COSIM_MAX_FMU_STILL = 10,          /* steps one after the other that end where they begin, */
  COSIM_MAX_FMU_DISCARDED = 10000,   /* steps that it discards */
  COSIM_MAX_MICRO_STEPS = 50000,     /* micro steps in a macro step */
};

#endif
