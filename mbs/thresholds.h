/* Chosen numbers of the mechanics. A comment `of X: ...` or `times X: ...` means: the number is multiplied by X, and
 * the text after the colon says how the product is used. `absolute, UNIT: ...`: the number itself is used. The form
 * `of the size, rad` means: of the mechanism's size (mbs/model/model.h) for lengths, of 1 rad for angles. An entry is
 * one of y = (q, v, z): coordinates, velocities and other states. Scales are those of <seam/mbs.h>; t is the time, rtol
 * the relative tolerance. Constants of a published method, such as nodes and weights, are in its file. */
#ifndef MBS_THRESHOLDS_H
#define MBS_THRESHOLDS_H

#include <float.h>

/* ---- Round-off of positions, speeds and sizes ---- */

static const double mbs_difference_rounding = 1e-14, /* of the larger of two values: a smaller difference counts as 0 */
    mbs_rounding_of_positions = 4 * DBL_EPSILON,     /* of the largest coordinate: round-off assumed in all positions */
    mbs_least_error = 100 * DBL_EPSILON, /* of a value: its assumed round-off, below which no error is asked for */
    mbs_sampled_offset = 0.01,           /* of a scale: rates are sampled with q and v up to this far from the start */
    mbs_share_of_scales = 0.3, /* of an entry's scale: if the entry is smaller, its tolerance is rtol times this */
    mbs_heavy = 1e4, /* times the lightest mass: if a body is heavier, round-off of positions counts as error of
                        multipliers */
    mbs_distance_rounding = 0.1,   /* of rtol times the scale of length: larger round-off of positions explains
                                      failed steps */
    mbs_farthest_position = 1e100; /* absolute, m: largest coordinate allowed; its square does not overflow */

/* ---- Round-off of times ---- */

static const double mbs_roundings_of_time = 64 * DBL_EPSILON, /* of t: two times that differ by less count as equal */
    mbs_least_time_to_corner = 16 * DBL_EPSILON, /* of t: no step ends or begins closer to the corner of a law */
    mbs_stop_together = 8 * DBL_EPSILON, /* of t: joints with friction whose slip ends within this time stop together */
    mbs_search_continues = 4 * DBL_EPSILON, /* of t: if a search for events is set back to t by less, it still finds the
                                               events of a jump at t */
    mbs_resolved_flight = 1e4 * DBL_EPSILON, /* of t: a contact that would open for less after an impact stays
                                                closed */
    mbs_close_kinks = 1000 * DBL_EPSILON, /* of t: a kink this soon after the last one is close (MBS_MAX_CLOSE_KINKS) */
    mbs_endless_kinks = 1e-10,            /* of the run's duration: the same; the larger of both times applies */
    mbs_endless_switches = 1e-8,    /* of the run's duration: a switch of modes this soon after the last one is close */
    mbs_growth_after_switch = 1000, /* times the part of a step before a switch: the next step is not longer */
    mbs_least_rtol = 1e-15,         /* of an entry: smallest rtol that is accepted; near round-off */
    mbs_default_rtol = 1e-8,        /* of an entry: rtol if the user gives none */
    mbs_end_ahead = 1e-3,           /* of the scale of length: forces not finite this far ahead explain a failed step */
    mbs_typical_step = 1e-3; /* of the scale of time: pivots of Newton's matrix are ordered for a step of this length */

/* ---- Constraints (S = G W Gᵀ; old factors: factors of S at an earlier pose) ----
 * `of a coordinate or rate` means: of the largest coordinate or rate or, if larger, of its scale. */

static const double mbs_projected = 1e-15, /* of a coordinate or rate: a projection ends if all residuals are smaller */
    mbs_constraint_lost = 1e-11, /* of a coordinate or rate: if a projection leaves a larger residual, the run fails */
    mbs_old_factors_suffice = 1e-14, /* of a coordinate or rate: if old factors leave more, S is factorised again */
    mbs_small_drift = 1e-9, /* of a coordinate: if the residual before a projection is smaller, old factors are used */
    mbs_far_drift = 1e-6,   /* of a coordinate: if the residual before a projection is larger, S is factorised
                               again after it, and the projection is repeated */
    mbs_small_deviation = 1e-6, /* of a coordinate or rate: a start with a larger residual is refused */
    mbs_assembled = 1e-14,      /* of a coordinate or rate: a start with a larger residual is projected */
    mbs_redundant_met = 1e-6,   /* of the size, rad; of the largest speed at the start: if a redundant constraint
                                   or its rate has a larger residual, the run fails */
    mbs_redundant_factor = 1e3, /* times the largest residual of other constraints: added to mbs_redundant_met */
    mbs_full_rank = 1e-10, /* of the largest |row of G|²: if 1/‖S⁻¹‖ is larger, G has full rank; if not, QR decides */
    mbs_little_motion = 1e-3, /* of the size, rad: displacement that finds out if constraints are redundant, or a
                                 pose is a dead centre */
    mbs_refined_pivot = 1e-4, /* of a pivot's terms: if a pivot is smaller, a second solution corrects multipliers */
    mbs_corrected = 1e-7; /* of the multipliers: if a correction with old factors is larger, S is factorised again */

/* ---- Singular poses (d: sine of the angle between a row of G and the rows before it, approach.h) ---- */

static const double mbs_regular = 0.2, /* of 1: if all d (norm of displacements) are larger, no singular pose is near */
    mbs_approach_shift = 1e-2,         /* of d: d' is measured over a time in which d changes by about this */
    mbs_soon_singular = 20,            /* times the decrease of d in a step: if d is smaller, it may vanish soon */
    mbs_approach_vanished = 0.3,    /* of the present d: if d is smaller at the pose predicted for d = 0, it vanishes */
    mbs_crossing_window = 0.05,     /* of 1: if d is smaller, the motion ahead is searched for a singular pose */
    mbs_crossing_reach = 0.04,      /* of 1: the extrapolation through a singular pose ends where d has grown to this */
    mbs_crossing_nearest = 5e-3,    /* of 1: if the singular pose cannot be passed, the run ends when d is this small */
    mbs_crossing_vanishing = 1e-3,  /* of d where the extrapolation begins: if d falls below this on it, d vanishes */
    mbs_accuracy_backwards = 1e-11, /* of an entry: rtol of the integration backwards, away from the singular pose */
    mbs_crossing_tolerance = 1e-8,  /* of an entry: added to the run's tolerance where the extrapolation is tested */
    mbs_crossing_energy = 1e-7,     /* of the energy: an extrapolation that changes the balance by more is rejected */
    mbs_singular_ahead = 0.1,       /* of 1: if d is smaller and will vanish, this explains a failed step */
    mbs_dependent_pivot = 1e-4,     /* of 1: if d is smaller when a step fails, the constraint depends on others */
    mbs_zero_coefficient = 1e-2; /* of the largest coefficient in a combination of rows of G: a smaller one is zero */

/* ---- Assembly (path: see assembly.c) and start ---- */

static const double mbs_path_step = 0.3, /* of the size, rad: a step whose first Newton step is longer is halved */
    mbs_shortest_path_step = 1e-9,       /* of the path: if a step is halved to less than this, assembly fails */
    mbs_longest_path = 1e4,     /* of the size, rad: if bodies would have to move farther, assembly is refused */
    mbs_exact_path_step = 1e-3, /* of the path: if a step shorter than this fails, it is repeated with exact pivots */
    mbs_path_softness = 1e-10,  /* of a diagonal entry of S: added to it, so that S is regular even in singular poses */
    mbs_path_reached = 1e-9,    /* of the size, rad: a pose with a smaller residual is a point of the path */
    mbs_path_converged = 1e-14, /* of the size, rad: if a Newton step to such a point is shorter, it is the last */
    mbs_path_rounding = 1e-8,   /* of the size, rad: a point is reached if Newton steps stop shrinking below this */
    mbs_soft_path_rounding = 1e-11, /* of the size, rad: the same for steps with softened pivots (mbs_path_softness) */
    mbs_fixed_body_weight = 1e-12,  /* of the usual weight W (assembly.c): weight of bodies that should stay in place */
    mbs_start_met = 1e-8,   /* of max(|prescribed value|, its scale): a start this close has the prescribed value */
    mbs_start_none = 1e-12, /* of the scale of a value: if the value is smaller, messages print it as 0 */
    mbs_dead_centre_noise = 1e-9, /* of max(|coordinate|, its scale): if mbs_little_motion changes the coordinate of a
                                     drive that failed by more, the pose is a dead centre; if by less, joints fix it */
    mbs_inside_reach = 1e-6, /* of max(|last value reached|, |change up to it|): a message proposes a value this far
                                before the last one */
    mbs_reach_ends = 1e-5;   /* of max(|prescribed value|, its scale): if the last value reached is closer to it,
                                the message says that the mechanism is singular there */

/* ---- Equilibrium ---- */

static const double mbs_equilibrium_radius = 0.3, /* of the size, rad: limit of the steps when a search begins */
    mbs_rotation_weight = 1e-4, /* of W (assembly.c): weight of rotations, so that mainly translations close loops */
    mbs_equilibrium_max_rotation = 0.5,   /* absolute, rad: in one step of the search, a body rotates by at most this */
    mbs_equilibrium_least_radius = 1e-10, /* of the size, rad: if only shorter steps reduce forces, the search fails */
    mbs_equilibrium_farthest = 1e5,    /* times the size (angles: 1 rad): if a body moves farther, the search fails */
    mbs_equilibrium_displaced = 0.03,  /* of the size, rad: displacement by which the search leaves an unstable pose */
    mbs_equilibrium_converged = 1e-12, /* of the size, rad: if a Newton step is shorter, the search ends */
    mbs_equilibrium_rounding_of_step = 1e-8, /* of the size, rad: if steps this short stop shrinking, the search ends;
                                                of a null vector: with a smaller part in the pose, it moves no body */
    mbs_neutral_displacement = 1e-6, /* of the largest displacement in a neutral motion: a body with less is at rest */
    mbs_first_penetration = 0.1,     /* of a contact's size: penetration by all loads in the first, softest stage */
    mbs_hardest_penetration = 1e-7,  /* of a contact's size: penetration of hard contacts in the last, stiffest stage */
    mbs_soft_contact = 1.5,          /* times the final penetration: if a stage allows more, another stage follows */
    mbs_equilibrium_accelerates = 1e-6, /* of (sum of all loads)/(mass of all bodies): if a body accelerates more
                                           after hard contacts have replaced stiff ones, the search fails */
    mbs_equilibrium_rate = 1e-9,   /* of the terms of a rate or force: if their sum is smaller, it counts as zero */
    mbs_equilibrium_growth = 1e-9, /* of the shift σ: a motion whose eigenvalue has a smaller real part does not grow */
    mbs_infinite_eigenvalue = 1e-4,     /* of 1/σ: if 1/|σ - s| is smaller, the eigenvalue s is infinite */
    mbs_equilibrium_least_shift = 1e-3, /* of the largest stiffness: shift σ if no stiffness balances a force */
    mbs_equilibrium_derivative = 1e-11, /* of the terms of a derivative: if their sum is smaller, it counts as zero */
    mbs_zero_stiffness = 1e-12, /* of the largest eigenvalue of a stiffness: if one is smaller, its motion is neutral */
    mbs_stiff_rate = 1e3, /* times 1 / (scale of time): if √(k/m) is larger, stiffness explains a failed search */
    mbs_dependent_vector = 1e-8; /* of a vector: if its part outside of the basis is smaller, it depends on the basis */

/* ---- Stiffness (eigenvalues are sought near each of these shifts; stiffness.c) ---- */

static const double mbs_stiffness_poles[] = {0.1, 1e-3, 1e-5, 1e-7, 1e-9}; /* of the largest eigenvalue: shifts σ */

/* ---- Laws ---- */

static const double mbs_loop_rounding = 1e-13, /* of Σ |∂f/∂x x| of a law f: round-off of values in a loop of laws */
    mbs_loop_closed = 1e-14, /* of the largest value in a loop of laws: a smaller Newton step ends its solution */
    mbs_kink_jump = 1e-6, /* of the size: a law of motion that jumps by more than this plus the next term is refused */
    mbs_kink_jump_far = 1e-9, /* of the value of the law of motion: second term of this limit */
    mbs_jump_width = 1e-5,    /* of max(|x|, 1): a law jumps at x if its change from x - this to x + this is less than
                                 twice its change over a tenth of this interval */
    mbs_work_agrees = 1e-11,  /* of the work of |F| in an interval: if two quadratures differ by more, it is halved */
    mbs_negligible_work = 1e-16, /* of the largest work of |F| so far: quadratures that differ by less always agree */
    mbs_least_factor = 0.1;      /* of 1: if the damping factor 1 - c v of a contact that still pulls is smaller, a
                                    positive function of it replaces it (elastic.c) */

/* ---- Events, kinks and corners in time (f: condition or switching function) ---- */

static const double mbs_piece_shift = 1e-5, /* of a piece of a step: time step of difference quotients of f */
    mbs_beyond_by_rounding = 1e-10, /* of the largest |f| so far in a piece: a smaller f beyond zero is round-off */
    mbs_reach_of_curvature = 4, /* times the second differences of f: if f is larger, no extremum lies beyond zero */
    mbs_reach_of_changes = 4,   /* times the changes of f in a piece: if f is larger, it does not reach zero there */
    mbs_slow_overlap = 0.5,     /* of the overlap after a step of order 1: a contact that approaches by less in a step
                                   of the same length opens (integrator_switches.c) */
    mbs_leave_factor = 8,       /* times the time tried last in a piece: next time tried, until f differs from zero */
    mbs_rotation_of_piece = 0.78539816339744831, /* absolute, rad: π/4; if a body rotates farther, pieces are halved */
    mbs_rotation_growth = 8,     /* times the angular velocity when a step begins: highest one assumed in the step */
    mbs_growth_of_step = 1e4,    /* times the longest step so far: the next one is assumed to be at most this long */
    mbs_condition_noise = 1e-12, /* of |quantity| plus its scale: round-off of a quantity in a condition */
    mbs_jump_of_noise = 1e3,     /* times the noise of a condition: a jump changes f by more than this at once */
    mbs_jump_of_piece = 1e-6,    /* of the change of f in the entire piece: a jump also changes f by more than this */
    mbs_event_at_the_end = 0.01, /* of the usual round-off: assumed round-off of conditions at the time of the
                                    event that ends the motion */
    mbs_slow_at_corner = 1e-4,   /* of a step: if an argument stays within round-off of a corner for longer, the step
                                    ends behind the corner, else before it */
    mbs_corner_correction = 0.5, /* of a step: the predicted time of a corner is corrected if it changes by less */
    mbs_step_to_corner = 1.01,   /* times the time to a corner: longest step of methods that cannot repeat steps */
    mbs_least_steps_between_kinks = 8; /* times the longest step allowed: interval between two kinks, for methods
                                          that cannot repeat steps */

/* ---- Contacts ---- */

static const double mbs_touching = 1e-12, /* of max(size, scale of length): if the gap is smaller, a contact touches */
    mbs_zero_rate = 1e-9,    /* of max(largest rate, its scale): if a gap rate or slip is smaller, it counts as zero */
    mbs_contact_play = 1e-9, /* of the scale of length or speed: if a gap or slip held at zero is larger, a mode ends */
    mbs_contact_force_noise = 1e-12, /* of the largest contact force: round-off of all contact forces */
    mbs_gap_closed = 1e-9, /* of the largest position on either side: a contact with a smaller gap counts as closed */
    mbs_rounding_of_depth = 1e-12, /* of a side's largest position (strands: and of the preload): round-off of depths */
    mbs_stretch_noise = 1e-12,     /* of a stretch's scale (a length; 1 rad; 1 for factors): round-off of the stretch */
    mbs_wrapped_at_least = 1e-9,   /* absolute, rad: a cable meets or leaves a disc if its arc passes zero by this */
    mbs_no_speed = 1e-10, /* of 1, in a problem scaled to entries of 1: if a contact's speed is smaller, it is zero */
    mbs_paradox = 1e-10,  /* of a contact's acceleration by its unit normal force: if friction leaves less, the
                             force is not unique or does not exist */
    mbs_free_rate_none = 1e-13, /* of the terms of a gap's acceleration: if their sum is smaller, it counts as zero */
    mbs_overlap_refused = 1e-4, /* of the size, rad: if contacts overlap more at the start, the start is refused */
    mbs_overlap_unreported = 1e-6, /* of the size, rad: if contacts overlap more at the start, a note reports it */
    mbs_agrees = 1e-8, /* of max(largest acceleration, its scale): a smaller acceleration does not contradict a mode */
    mbs_regular_pivot = 1e-10, /* of a row's largest entry (two-sided contacts: diagonal entry): a smaller pivot is 0 */
    mbs_semidefinite_pivot = 1e-12, /* of the largest diagonal entry: a row with a smaller pivot depends on others */
    mbs_second_rate_none = 1e-9,    /* of the acceleration by the largest force alone: a smaller acceleration is zero */
    mbs_gram_zero = 1e-12,    /* of the largest eigenvalue of Cᵀ B C (hyperstatic.c): smaller ones count as zero */
    mbs_undetermined = 1e-10, /* of a unit null vector: if a contact's entry is larger, its force is not unique */
    mbs_deepest_jump = 2e-4; /* of the size: a circle this deep below an open curve has passed its end; the run fails */

/* ---- Impacts ---- */

static const double mbs_shortest_flight = 1.6e-5, /* of √(size/acceleration): the same as mbs_resolved_flight; the
                                                     larger time applies */
    mbs_longest_multiple = 20, /* times both bounds: in a pile of n contacts they rise by the factor n/2, at most
                                  by this */
    mbs_soon_ended = 20, /* times the bound without this factor: losses by merging (impact.c) omit bounces that end
                            sooner */
    mbs_response_blocked = 1e-12, /* of the response of free bodies: if joints leave less, they hold the contact */
    mbs_impulse_none = 1e-12,     /* of the largest impulse: if an impulse is smaller, it counts as zero */
    mbs_energy_of_impact = 1e-12, /* of the kinetic energy: an impact may increase it by this, by round-off */
    mbs_ratio_of_masses = 1e9,    /* times the lightest of the bodies that touch: if one is heavier and no contact
                                     forces are found, round-off is the cause */
    mbs_endless_hits = 1e-6, /* of the kinetic energy: if many repeated impacts dissipate less, they count as endless */
    mbs_share_of_sweep = 0.25; /* of the change of an impulse: share that is made in later sweeps over joints */

/* ---- Friction of joints ---- */

static const double mbs_slip_noise = 1e-13, /* of the terms of a joint's slip velocity: round-off of their sum; in an
                                               impact: of the largest speed before it */
    mbs_least_slip_noise = 1e-15, /* of the scale of speed: added to this round-off, which is 0 for bodies at rest */
    mbs_slip_begins = 1e4,        /* times the noise of a slip: if a joint at rest moves faster, it begins to slip */
    mbs_stick_noise = 1e-10, /* of the friction limit plus |friction|: round-off of the friction of a sticking joint */
    mbs_stops_with = 10,     /* times the noise of a slip: when a joint stops, others with a slower slip stop too */
    mbs_weak_row = 1e-9,     /* of 1: if sticking makes the least d² of all rows (approach.h) smaller, it is refused */
    mbs_row_weakened = 1e-4, /* of the least d² without this joint: sticking is refused only if d² is below this, too */
    mbs_acceleration_at_rest = 1e-9, /* of the terms of an acceleration: if the sum is smaller, a joint stays at rest */
    mbs_row_in_null_space = 1e-9; /* of a unit null vector: if a row's entry is larger, its multiplier is not unique */

/* ---- Curves ---- */

static const double mbs_arc_angle = 0.2, /* absolute, rad: if the direction of an arc changes by more, it is halved */
    mbs_arc_growth = 1.5,    /* times the least |c'| along an arc: if |c'| grows beyond this, the arc is halved */
    mbs_sharp_corner = 1e-6, /* absolute, rad: if the direction changes by more between two arcs, there is a corner */
    mbs_curve_same_point = 1e-9,      /* of the curve's size: ends of arcs that are this close meet */
    mbs_bulge_rounding = 1e-12,       /* of the chord: round-off, added to the bulge of an arc beyond its chord */
    mbs_chords_meet = 1e-9,           /* of a chord: two chords that miss each other by less count as crossing */
    mbs_foot_tie = 100 * DBL_EPSILON, /* of the distance: a foot inside an arc is preferred to the arc's end unless
                                         the end is closer by more */
    mbs_foot_step = 1e-6,   /* of the chord: a smaller Newton step to a foot is the last; its square is the error */
    mbs_foot_newton = 2e-8, /* of the arc: if a Newton step to a foot on the exact arc is smaller, it is the last */
    mbs_foot_rounding = 4 * DBL_EPSILON, /* of the curve's parameter: a foot is found if its bracket is narrower */
    mbs_foot_beyond = 1e-12; /* of the curve's size: a point farther beyond an open end has its foot at this end */

/* ---- Counts: largest numbers, unless stated otherwise ---- */

enum {
  MBS_SAMPLES_OF_RUN = 8, /* number of times in the run at which loads and rates are sampled to find scales */

  MBS_MAX_PATH_NEWTON = 12,   /* Newton steps to a point of assembly's path; if it takes more, a nearer one is tried */
  MBS_MAX_PATH_TRIALS = 1000, /* points tried for each unit of (1 + length of assembly's path), before assembly fails */
  MBS_MAX_PROJECTIONS = 8,    /* Newton steps of a projection onto the constraints */
  MBS_MAX_CONTACT_PROJECTIONS = 10, /* Newton steps of a projection onto the constraints and closed contacts */
  MBS_MAX_STEPS_OF_FACTORS = 50,    /* Newton steps in a symplectic step, all with the factors at its beginning */
  MBS_MAX_MODE_ITERATIONS = 20, /* passes that find contact modes, then the reactions on which laws and modes depend */
  MBS_MAX_CROSSING_TRIALS = 4,  /* lengths tried for an extrapolation through a singular pose, each half the last one */
  MBS_MAX_CROSSING_STEPS = 500, /* steps of the integration backwards, away from a singular pose */
  MBS_COMBINATION_ITERATIONS = 4,   /* number of inverse iterations that find a combination of dependent constraints */
  MBS_MAX_EQUILIBRIUM_STEPS = 1000, /* steps of a search for an equilibrium, before it fails */
  MBS_MAX_EQUILIBRIUM_DISPLACEMENTS = 50, /* unstable equilibria that such a search leaves, before it fails */
  MBS_MAX_STAGES = 20,                    /* stages of such a search, in each of which contacts are stiffer */
  MBS_MAX_HALVES = 14,                    /* halvings of one step of such a search */
  MBS_MAX_STATE_STEPS = 50,               /* Newton steps that solve a loop of laws */
  MBS_QUICK_LOOP_STEPS = 4,               /* Newton steps after which round-off may end this solution */
  MBS_MAX_VECTOR_TRIALS = 10,             /* random vectors tried to extend a basis of motions by one (stiffness.c) */
  MBS_LEAST_PIECES = 4,                   /* least number of pieces of a step in the search for events */
  MBS_MAX_PIECES_TO_FINITE = 1 << 12,     /* pieces of a step, divided until conditions are finite at their ends */
  MBS_MAX_EVENTS_IN_A_ROW = 50 * MBS_LEAST_PIECES, /* pieces in a row with the same event; after more the run fails */
  MBS_MAX_CLOSE_KINKS = 100,       /* close kinks in a row, before the run fails; limit of close switches, too */
  MBS_MAX_CLOSE_SWITCHES = 10000,  /* limit of close switches in models with hard contacts; then steps are halved */
  MBS_MAX_HALVINGS_AT_SWITCH = 30, /* halvings of the step after a switch, if too many are close; then the run fails */
  MBS_MAX_CORNER_REPEATS = 8,  /* repetitions of a step until it ends at a corner; then the corner's time is inexact */
  MBS_MAX_PIECES = 1 << 16,    /* pieces of a step in which bodies rotate far, before the run fails */
  MBS_MAX_JOINT_SWEEPS = 1000, /* sweeps over joints with friction in one impact */
  MBS_MAX_HITS = 2000000,      /* repetitions of impulses in one impact, before it counts as endless */
  MBS_HITS_BETWEEN_CHECKS = 100000, /* number of repetitions of impulses between checks of their energy loss */
  MBS_MAX_ARC_HALVINGS = 40,        /* nested halvings of a curve into arcs */
  MBS_MAX_ARCS = 1 << 20,           /* arcs of a curve; if it needs more, it is refused */
  MBS_MAX_CHORD_STEPS = 6,          /* Newton steps to a foot on the polynomial of an arc */
  MBS_MAX_FOOT_STEPS = 80,          /* steps to a foot on the exact arc */
  MBS_MAX_WORK_DEPTH = 50,          /* nested halvings of an interval in an integral of work */
  MBS_MAX_WORK_HALVINGS = 4000,     /* halvings of all intervals in an integral of work */
  MBS_MAX_WORK_CORNERS = 1000,      /* corners of a law at which an integral of work is divided */
};

#endif
