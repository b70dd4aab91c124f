/* Chosen numbers of the co-simulation; mbs/thresholds.h explains how their comments are to be read. H: length of the
 * macro step; τ: time since its beginning, in units of H. A step is a macro step unless stated otherwise; a correction
 * changes the coupling variables at its end. Subsystems are also called parts. Parameters of published schemes and
 * controls, such as the exponents of [Hairer-Wanner] IV.2, are in their files. */
#ifndef COSIM_THRESHOLDS_H
#define COSIM_THRESHOLDS_H

#include <float.h>

/* ---- Times ---- */

static const double cosim_same_time = 1e-9, /* of H: two times in a macro step that differ by less count as equal */
    cosim_slack_of_steps = 1e-9, /* of a part's step: a remainder of H that is shorter gets no step of its own */
    cosim_short_step = 1e-9, /* of H: a part that cannot evaluate its outputs takes a step of this length instead, and
                                is then restored */
    cosim_rounding_of_sums = 1e-6, /* of H: largest round-off assumed in a time that is a sum of steps; a sample or kink
                                      this close to the end of a step is taken to be at its end */
    cosim_fixed_steps = 1e-6, /* of H: if H differs by more from all multiples of an FMU's fixed step, the run fails */
    cosim_same_tau = 1e-12,   /* of 1: two values of τ, or lengths in τ, that differ by less count as equal */
    cosim_end_of_micro_steps = 1e-14, /* of max(|t|, H): a remainder of H that is shorter gets no micro step */
    cosim_rounding_of_inputs = 1e-14, /* of an input: a smaller jump between two steps is round-off and is ignored */
    cosim_fmu_event_at_end = 1e-8,    /* of H: an event of an FMU this close to the end of a step is handled there */
    cosim_same_parameter = 1e-6; /* of a parameter: if an FMU returns a value that differs by more, the run fails */

/* ---- Events, switches and kinks in a macro step ---- */

static const double cosim_near_zero = 1e-10, /* of H: times of events and switches are found to this accuracy */
    cosim_shortest_piece = 1e-6,             /* of H: neither events nor failures make a step shorter than this */
    cosim_shortest_with_past = 1e-3, /* of H: replaces cosim_shortest_piece unless all couplings have collocation */
    cosim_shortest_of_joints = 2e-3, /* of H: replaces both for switches if cut joints have collocation */
    cosim_shortest_half = 0.01,      /* of H: if a step fails while contacts are closed, it is halved down to this */
    cosim_beyond_switch = 1e-3,      /* of H: time at a step's end; motion in it predicts a switch after the step */
    cosim_bracket = 1e-3,   /* of H: an event is first sought within this time before and after its expected time, then
                               within ten times this */
    cosim_near_kink = 1e-3, /* of H: without collocation, a kink this close to an end of a step does not divide it */
    cosim_near_kink_at_joints = 0.25, /* of H: replaces cosim_near_kink if joints extrapolate past values */
    cosim_shortest_at_joints = 1e-3,  /* of the usual step: with collocation at joints, a shorter step gets its forces
                                         from the undivided mechanism */
    cosim_close_kinks = 0.01; /* of the user's macro step: under step control without collocation, a kink this soon
                                 after a step begins does not end it */

/* ---- Lengths of macro steps ---- */

static const double cosim_plan_slack = 1e-9, /* of H: a remainder of the run that is shorter gets no step of its own */
    cosim_max_plan = 1e8,                    /* times H: a run that is longer is refused */
    cosim_last_step = 1.01,                  /* times H: if less than this is left of the run, one step covers it */
    cosim_unchanged_from = 0.95, /* of H: if the user asks for reuse, a longer next step keeps the length H, ... */
    cosim_unchanged_to = 1.2,    /* times H: ... unless it is longer than this */
    cosim_share_of_step = 0.1,   /* of the tolerance of step control: error allowed in one step, since errors add up */
    cosim_estimate_margin = 1.2, /* times the error allowed in a step: if the estimate after the first correction is
                                    larger, the step is rejected */
    cosim_phase_of_step = 0.5,   /* of (largest acceleration / largest jerk): under step control by energy or prediction
                                    no step is longer, unless the user's macro step is */
    cosim_acting_time = 1e3, /* times the user's macro step: longest time for which an error of velocity is assumed to
                                change positions */
    cosim_step_limit = 1e7,  /* times the mean length of the last 1000 steps: if the time since t = 0, or the time left,
                                is longer, the run fails */
    cosim_repeated_limit = 1e6,   /* times this mean: limit in place of it if at least every third step was repeated */
    cosim_first_growth = 10,      /* times a length tried for the first step: the next one tried is not longer */
    cosim_much_longer = 2.5,      /* times the last step: if the next is longer, collocation does not use past values */
    cosim_no_motion = 1e-8,       /* of the tolerance: if the error indicator is smaller, nothing moves */
    cosim_least_shrinkage = 0.9,  /* of H: if a step is rejected, its repetition is at most this long */
    cosim_no_indicator = 1e-30,   /* of the tolerance: a smaller indicator counts as this, against division by zero */
    cosim_safety = 0.8,           /* of the step that the error indicator allows: length of the next step, by default */
    cosim_shrinkage = 0.2,        /* of H: the next step is at least this long, by default */
    cosim_growth = 1.5,           /* times H: the next step is at most this long, by default */
    cosim_relative_weight = 1e-4; /* of |output|: default ρ; its prediction has the tolerance TOL (1 + ρ |output|) */

/* ---- Tolerances ---- */

static const double cosim_implicit_tolerance = 1e-10, /* of the variables: a smaller correction is the last (default) */
    cosim_rtol = 1e-8,               /* of a state: rtol of the integrators of subsystems, by default */
    cosim_least_rtol = 1e-13,        /* of a state: runs that estimate errors have a smaller rtol, but not below this */
    cosim_history_tolerance = 1e-12; /* of the largest state: error allowed in the states before the start of a run */

/* ---- Corrections ---- */

static const double cosim_largest_rounding = 0.01, /* of a variable: a larger correction cannot be round-off */
    cosim_shrunk_correction = 1e-6, /* of a variable: if the last correction is smaller, but too large for the
                                       tolerance, the run fails with the advice to raise the tolerance */
    cosim_shrinks = 0.9,            /* of the previous correction: if one is larger, corrections no longer converge */
    cosim_reuse_original = 1e-3,    /* of a correction: reused derivatives with a larger expected error are renewed */
    cosim_reuse_extended = 1e-5,    /* of a correction: the same limit under D-extended coupling conditions */
    cosim_reuse_wanted = 0.05,      /* of a correction: the same limit where the user asks for reuse */
    cosim_reuse_failed = 0.01, /* of a correction: if reuse has made an error above this and above the limit, the step
                                  is corrected again */
    cosim_sufficient_contraction = 0.1, /* of the previous correction: if one is smaller, derivatives stay in use */
    cosim_operations = 1000, /* times the effect of one rounding of the outputs: a smaller correction is round-off */
    cosim_fast_contraction = 0.01, /* of the first correction: if the second is smaller, errors are estimated earlier */
    cosim_inertia_rounding = 1e-10, /* of a part's largest acceleration by a unit input: a smaller one counts as this */
    cosim_inertia_dominates = 0.5,  /* of an input's first term in multibody_series.c, by inertia: if the second is
                                       larger, inertia does not dominate */
    cosim_stiff = 10, /* times inertia's effect in a step: if springs or dampers have more, inertia does not dominate
                         collocation */
    cosim_remaining_at_end = 0.03, /* of the parts' tolerance: a correction that leaves a smaller error is the last */
    cosim_remaining_by_inertia = 0.1, /* of a correction: error assumed if only the terms by inertia are computed, or if
                                         inertia does not dominate */
    cosim_diverges = 1e-3,            /* of the variables: a correction that is smaller never counts as divergent */
    cosim_refresh_contraction = 0.3,  /* of the previous correction: if one is larger, collocation renews derivatives */
    cosim_old_jacobian_noise = 0.1,   /* of the parts' tolerance: a correction with less effect keeps old derivatives */
    cosim_prediction_limit = 5,       /* times the parts' tolerance: if the error of predicted outputs at inner nodes is
                                         larger, they are evaluated */
    cosim_end_only_limit = 0.1, /* of a variable: after a larger correction no outputs at inner nodes are predicted */
    cosim_freeze_contraction = 0.5, /* of the previous correction: if one is larger, gradients of laws that cross a kink
                                       stay constant from then on */
    cosim_row_of_rounding = 1e-12, /* of the expected size: if all entries of a row of the interface matrix are smaller,
                                      the matrix is singular */
    cosim_guess_of_slope = 0.1, /* of the weight of a value: weight of its slope in the fit that guesses new values */
    cosim_guess_pivot = 1e-12,  /* of 1: if this least-squares fit has a smaller pivot, nothing is guessed */
    cosim_guess_differs = 4, /* times the shorter of the last two steps: if the other is longer, nothing is guessed */
    cosim_independent_row = 0.1; /* of |row|²: if its part orthogonal to earlier rows is smaller, it depends on them */

/* ---- Differences ---- */

static const double cosim_change_of_force = 1e-2, /* of max(|force or rate|, scale): change in difference quotients */
    cosim_change_of_position = 1e-4,              /* of max(|position|, scale): change in difference quotients */
    cosim_central_share = 0.5,                    /* of this change: step to either side in central differences */
    cosim_width_of_law = 1e-5,  /* of the scale of length (angles: 1 rad): motion in differences of a law's rate W' */
    cosim_kink_of_slope = 0.5,  /* of the larger slope: if slopes to both sides differ by more, a kink is between, and
                                   the smaller slope is used */
    cosim_jump_of_slope = 1e-9, /* of the rate W' of a law: if bisections leave a larger difference, and half of the
                                   first one, W' jumps */
    cosim_kink_of_force = 0.3,  /* of the change of a force: if gradients predict it less exactly, a law has a kink */
    cosim_rounding_of_force = 1e-9, /* of a force: a smaller error of this prediction is round-off and shows no kink */
    cosim_kink_rounding = 1e-13; /* of the sum of |∂W/∂x x| over marker coordinates x, for a force W: the same; the
                                    larger limit applies */

/* ---- Starts ---- */

static const double cosim_small_residual = 1e-9, /* of the terms of a condition: with a smaller residual it is met */
    cosim_initial_forces_change = 1e-6, /* of values: change in difference quotients, in Newton steps after the first */
    cosim_initial_forces_fraction = 1e-3, /* of a Newton step: the step is halved to about this fraction; if residuals
                                             still do not fall, no step is taken */
    cosim_initial_forces_reported = 1e-6, /* of the terms of a condition: a larger residual is reported by a note */
    cosim_redundant_row = 1e-6; /* of 1: if a vector in the left null space of the Jacobian has a larger entry at a cut
                                   joint, the model is refused */

/* ---- Exchange ---- */

static const double cosim_lagging_share = 0.02, /* of a signal's standard deviation: larger hold errors are reported */
    cosim_least_deviation = 1e-12, /* of a signal's mean: if its standard deviation is smaller, it is constant */
    cosim_loop_tolerance = 1e-10,  /* of the largest output: if a Newton step is smaller, a loop of outputs is solved */
    cosim_independent = 1e-9,      /* of a regressor: if less of it is independent of earlier ones, it is left out */
    cosim_negligible = 1e-3, /* of an output's largest change times excitation: if predictions are better, derivatives
                                that are not identified count as 0 */
    cosim_identified = 0.1,  /* of an excitation's effect on an output: if predictions are better, the output's
                                derivatives are identified */
    cosim_model_tolerance =
        1e-4, /* of an output's largest change: if the model predicts it less exactly, it is identified again */
    cosim_model_memory = 0.98, /* of the weight of the next step: weight of a step in the identification, by default */
    cosim_model_excitation =
        1e-5,                 /* of an input's largest change: largest random change, to identify a model (default) */
    cosim_energy_limit = 0.1; /* of a force: the energy correction changes it by at most this, by default */

/* ---- Counts ---- */

enum {
  COSIM_MAX_ITERATIONS = 20,     /* corrections of a step by implicit schemes, at most, by default */
  COSIM_MANY_CORRECTIONS = 8,    /* corrections after which the next one above cosim_diverges counts as divergent */
  COSIM_CONTRACTION_AGE = 10,    /* steps for which the measured ratio of two corrections is used */
  COSIM_MAX_INITIAL_NEWTON = 10, /* Newton steps, at most, for the forces at cut joints when a step begins */
  COSIM_MAX_PASSES = 10,         /* corrections of multipliers at the start of a run, at most */
  COSIM_LEAST_PASSES = 4,        /* corrections of multipliers at the start of a run, at least */
  COSIM_JUMP_HALVINGS = 20,      /* bisections that show if the slope of a law jumps or changes smoothly */
  COSIM_SEARCH_INTERVALS = 6,    /* intervals between two nodes, each of which is searched for kinks and switches */
  COSIM_KINK_HALVINGS = 12,      /* bisections of such an interval if it has a kink */
  COSIM_IDENTIFIER_TRIALS = 5,   /* steps in a row that a model must predict before it is used */
  COSIM_LEAST_POINTS = 5,        /* macro points that are observed before the error of a hold is judged */
  COSIM_MAX_TICKS = 100000000,  /* different times, at most, at which subsystems' steps end in a step of the exchange */
  COSIM_PROGRESS_STEPS = 1000,  /* steps after which progress is checked again (cosim_step_limit) */
  COSIM_MAX_EVENT_TRIALS = 30,  /* lengths tried, at most, until a step ends at an event of a part */
  COSIM_MAX_SWITCH_TRIALS = 12, /* lengths tried, at most, until a step ends at a switch; then lengths are bisected */
  COSIM_MAX_BISECTIONS = 60,    /* bisections, at most, of the interval in which a switch lies */
  COSIM_MAX_BEGIN_SWITCHES = 2, /* switches of an element at the beginning of one step; if there are more, its mode
                                   follows the motion in this step instead of being fixed */
  COSIM_MAX_STEPS = 1000000,    /* steps of a subsystem, at most, in one step of the exchange */
  COSIM_MAX_HISTORY_STEPS = 1 << 14, /* steps of the integration backwards from the start, at most */
  COSIM_FIRST_HISTORY_STEPS = 4,     /* steps with which this integration begins; they are doubled until states agree */
  COSIM_MAX_FMU_STEPS = 1000000,     /* steps of an FMU in a macro step, at most */
  COSIM_MAX_FMU_EVENTS = 1000,       /* events of an FMU in a macro step, at most */
  COSIM_MAX_FMU_STALLED = 10,        /* steps of an FMU in a row, at most, that do not advance its time */
  COSIM_MAX_FMU_DISCARDED = 10000,   /* steps that an FMU may discard in a macro step */
  COSIM_MAX_MICRO_STEPS = 50000,     /* micro steps in a macro step, at most */
};

#endif
