/* Chosen numbers of the mechanics. A comment `of X: ...` or `times X: ...` means: the number is multiplied by X, and
 * the text after the colon says how the product is used. `absolute, UNIT: ...`: the number itself is used. The form
 * `of the size, rad` means: of the mechanism's size (mbs/model/model.h) for lengths, of 1 rad for angles. An entry is
 * one of y = (q, v, z): coordinates, velocities and other states. Scales are those of <seam/mbs.h>; t is the time, rtol
 * the relative tolerance. Constants of a published method, such as nodes and weights, are in its file. */
#ifndef MBS_THRESHOLDS_H
#define MBS_THRESHOLDS_H

#include <float.h>

/* ---- Round-off of positions, speeds and sizes ---- */

static const double mbs_difference_rounding = 1e-14, /* of the larger of two values: a smaller difference is 0 */
    mbs_rounding_of_positions = 4 * DBL_EPSILON,     /* of the largest coordinate: assumed round-off of all positions */
    mbs_least_error = 100 * DBL_EPSILON,             /* of a value: a smaller error of this value is round-off */
    mbs_sampled_offset = 0.01, /* of a scale: largest random displacement of the states at which rates are sampled */
    mbs_share_of_scales = 0.3, /* of a scale: error weights treat a smaller entry as this large */
    mbs_heavy = 1e4,           /* times the lightest mass: round-off of heavier bodies disturbs forces on light ones */
    mbs_distance_rounding = 0.1,   /* of the position error that rtol allows: larger round-off explains a failed step */
    mbs_farthest_position = 1e100; /* absolute, m: largest coordinate; its square is finite in double precision */

/* ---- Round-off of times ---- */

static const double mbs_roundings_of_time = 64 * DBL_EPSILON, /* of t: times that are closer count as equal */
    mbs_least_time_to_corner = 16 * DBL_EPSILON, /* of t: laws are evaluated at least this far from a corner */
    mbs_stop_together = 8 * DBL_EPSILON,         /* of t: joints that stop within this time stop together */
    mbs_search_continues = 4 * DBL_EPSILON,      /* of t: a search set back to t by less also finds jumps at t */
    mbs_resolved_flight = 1e4 * DBL_EPSILON,     /* of t: shorter flights between impacts are not resolved */
    mbs_close_kinks = 1000 * DBL_EPSILON, /* of t: kinks less than this apart count as close (MBS_MAX_CLOSE_KINKS) */
    mbs_endless_kinks = 1e-10,            /* of the run's duration: kinks less than this apart also count as close */
    mbs_endless_switches = 1e-8,    /* of the run's duration: switches of modes less than this apart count as close */
    mbs_growth_after_switch = 1000, /* times the step before a switch: largest step after the switch */
    mbs_least_rtol = 1e-15,         /* of an entry: smallest rtol that is accepted, near round-off */
    mbs_default_rtol = 1e-8,        /* of an entry: default of rtol */
    mbs_end_ahead = 1e-5,    /* of the scale of length: a failed step is explained by a model that ends this near */
    mbs_typical_step = 1e-3; /* of the scale of time: step for which the order of pivots in Newton's matrix is chosen */

/* ---- Constraints (S = G W Gᵀ; old factors: factors of S at an earlier pose) ----
 * `of a coordinate or rate` means: of the largest coordinate or rate or, if larger, of its scale. */

static const double mbs_projected = 1e-15, /* of a coordinate or rate: projection ends at a smaller residual */
    mbs_constraint_lost = 1e-11,           /* of a coordinate or rate: a larger residual after projection is an error */
    mbs_old_factors_suffice = 1e-14, /* of a coordinate or rate: a larger residual after projection needs new factors */
    mbs_small_drift = 1e-9,          /* of a coordinate or rate: a smaller residual is projected with old factors */
    mbs_far_drift = 1e-6, /* of a coordinate or rate: S is factorised again after projection of a larger residual */
    mbs_small_deviation = 1e-6, /* of a coordinate or rate: a start with a larger residual is refused */
    mbs_assembled = 1e-14,      /* of a coordinate or rate: a start with a larger residual is projected */
    mbs_redundant_met = 1e-6,   /* of the size, rad: largest residual of redundant constraints */
    mbs_redundant_factor = 1e3, /* times the largest residual of other constraints: added to mbs_redundant_met */
    mbs_full_rank = 1e-10,      /* of the largest |row of G|²: the rank is full if 1/‖S⁻¹‖ is larger */
    mbs_little_motion = 1e-3,   /* of the size, rad: trial motion to find redundant rows and dead centres */
    mbs_refined_pivot = 1e-4,   /* of the sum of a pivot's terms: with a smaller pivot the solution is refined once */
    mbs_corrected = 1e-7;       /* of the multipliers: if old factors leave a larger correction, new factors are made */

/* ---- Singular poses (d: sine of the angle between a row of G and the rows before it, approach.h) ---- */

static const double mbs_regular = 0.2, /* of 1: with a larger d (norm of displacements), rows are far from dependent */
    mbs_approach_shift = 1e-2,         /* of d: in the time step of a difference quotient d changes by about this */
    mbs_soon_singular = 20,            /* times the decrease of d in a step: a smaller d may vanish soon */
    mbs_approach_vanished = 0.3,       /* of the present d: if d is smaller at the predicted pose, it will vanish */
    mbs_crossing_window = 0.05,        /* of 1: d below which the motion ahead is checked */
    mbs_crossing_reach = 0.04,         /* of 1: the extrapolation through the singular pose ends at about this d */
    mbs_crossing_nearest = 5e-3,       /* of 1: d at which a run ends if it cannot pass the singular pose */
    mbs_crossing_vanishing = 1e-3,     /* of d at the beginning of the extrapolation: a smaller d counts as zero */
    mbs_accuracy_backwards = 1e-11,    /* of an entry: rtol of the integration backwards in time */
    mbs_crossing_tolerance = 1e-8,     /* of an entry: added to the tolerance at the end of the extrapolation */
    mbs_crossing_energy = 1e-7,        /* of the energy: largest change of the energy balance by the extrapolation */
    mbs_singular_ahead = 0.1,          /* of 1: d below which a singular pose explains a failed step */
    mbs_dependent_pivot = 1e-4,        /* of 1: d below which constraints are dependent */
    mbs_zero_coefficient = 1e-2; /* of the largest coefficient in a combination of rows of G: a smaller one is zero */

/* ---- Assembly (path: see assembly.c) and start ---- */

static const double mbs_path_step = 0.3, /* of the size, rad: a step is shortened if its first Newton step is longer */
    mbs_shortest_path_step = 1e-9,       /* of the path: if only shorter steps are left to try, assembly fails */
    mbs_longest_path = 1e4,              /* of the size, rad: longer paths are refused */
    mbs_path_near_end = 1e-3,            /* of the path: a shorter step that fails is repeated with exact pivots */
    mbs_path_softness = 1e-10,           /* of a diagonal entry of S: added to it, for full rank in singular poses */
    mbs_path_reached = 1e-9,             /* of the size, rad: a pose with a smaller residual is on the path */
    mbs_path_converged = 1e-14,          /* of the size, rad: a shorter Newton step ends the iteration */
    mbs_path_rounding = 1e-8,            /* of the size, rad: a shorter Newton step that does not shrink is round-off */
    mbs_soft_path_rounding = 1e-11,      /* of the size, rad: replaces mbs_path_rounding if pivots are softened */
    mbs_fixed_body_weight = 1e-12, /* of the usual weight W (assembly.c): weight of bodies with exact start poses */
    mbs_start_met = 1e-8,          /* of max(|prescribed value|, its scale): a start that is closer meets this value */
    mbs_start_none = 1e-12,        /* of the scale of a value: messages print smaller values as 0 */
    mbs_dead_centre_noise = 1e-9,  /* of max(|coordinate|, its scale): a smaller change is no motion */
    mbs_inside_reach = 1e-6,       /* of max(|last value|, |change to it|): messages name a value this far before it */
    mbs_reach_ends = 1e-5; /* of max(|prescribed value|, its scale): a last value closer to it has a singular pose */

/* ---- Equilibrium ---- */

static const double mbs_equilibrium_radius = 0.3, /* of the size, rad: initial limit of steps */
    mbs_rotation_weight = 1e-4, /* of W (assembly.c): weight of rotations, so that mainly translations close loops */
    mbs_equilibrium_max_rotation = 0.5,   /* absolute, rad: largest rotation in a step, to follow the creeping motion */
    mbs_equilibrium_least_radius = 1e-10, /* of the size (angles: 1 rad): the search ends if steps must be shorter */
    mbs_equilibrium_farthest = 1e5,    /* times the size (angles: 1 rad): a body farther from its start has run away */
    mbs_equilibrium_displaced = 0.03,  /* of the size (angles: 1 rad): displacement off an unstable equilibrium */
    mbs_equilibrium_converged = 1e-12, /* of the size (angles: 1 rad): a shorter Newton step ends the search */
    mbs_equilibrium_rounding_of_step = 1e-8, /* of the size (angles: 1 rad): smaller steps may be round-off */
    mbs_neutral_displacement = 1e-6,         /* of the largest displacement in a motion: a body with less is at rest */
    mbs_first_penetration = 0.1,        /* of a contact's size: penetration under load in the first, softest stage */
    mbs_hardest_penetration = 1e-7,     /* of a contact's size: penetration in the last, stiffest stage */
    mbs_soft_contact = 1.5,             /* times the final penetration: a stage with more penetration is not the last */
    mbs_equilibrium_accelerates = 1e-6, /* of the acceleration by loads: at an equilibrium accelerations are smaller */
    mbs_equilibrium_rate = 1e-9,        /* of the terms of a rate or force: a smaller sum of them counts as zero */
    mbs_equilibrium_growth = 1e-9,      /* of the shift σ: a smaller real part of an eigenvalue counts as zero */
    mbs_infinite_eigenvalue = 1e-4,     /* of 1/σ: a smaller 1/|σ - s| means an infinite eigenvalue s */
    mbs_equilibrium_least_shift = 1e-3, /* of the largest stiffness: shift σ if no stiffness balances a force */
    mbs_equilibrium_derivative = 1e-11, /* of the terms of a derivative: a smaller derivative counts as zero */
    mbs_zero_stiffness = 1e-12,  /* of the largest eigenvalue: a smaller eigenvalue of the stiffness counts as zero */
    mbs_stiff_rate = 1e3,        /* times 1 / (scale of time): with a larger √(k/m) a message names stiff elements */
    mbs_dependent_vector = 1e-8; /* of a vector: a smaller part outside of the basis is round-off */

/* ---- Stiffness ---- */

static const double mbs_stiffness_poles[] = {0.1, 1e-3, 1e-5, 1e-7, 1e-9}; /* of the largest eigenvalue: shifts σ */

/* ---- Laws ---- */

static const double mbs_loop_rounding = 1e-13, /* of Σ |∂f/∂x x| of a law f in a loop of laws: round-off of the loop */
    mbs_loop_closed = 1e-14,     /* of a value: a smaller Newton step ends the solution of a loop of laws */
    mbs_kink_jump = 1e-6,        /* of the size: a law of motion may jump by the sum of this and mbs_kink_jump_far */
    mbs_kink_jump_far = 1e-9,    /* of the law's value: second term of the largest jump allowed in a law of motion */
    mbs_jump_width = 1e-5,       /* of max(|argument|, 1): half the width of an interval in which a jump is sought */
    mbs_work_agrees = 1e-11,     /* of the work of |F| in an interval: two quadrature rules that differ by less agree */
    mbs_negligible_work = 1e-16, /* of the largest work of |F| so far: two rules that differ by less also agree */
    mbs_least_factor = 0.1;      /* of 1: at s > 0, φ of elastic.c replaces a smaller factor 1 - c v of a contact */

/* ---- Events, kinks and corners in time (f: condition or switching function) ---- */

static const double mbs_piece_shift = 1e-5, /* of a piece of a step: time step of a difference quotient */
    mbs_beyond_by_rounding = 1e-10, /* of the largest f found so far in a piece: a smaller f beyond zero is round-off */
    mbs_reach_of_curvature = 4, /* times the second differences of f: f farther from zero has no extremum beyond zero */
    mbs_reach_of_changes = 4,   /* times the changes of f in a piece: f farther from zero does not reach zero */
    mbs_leave_factor = 8,       /* times a fraction of a piece: the next one to try; earlier times: divided by this */
    mbs_rotation_of_piece = 0.78539816339744831, /* absolute, rad: largest rotation of a body in a piece, π/4 */
    mbs_rotation_growth = 8,  /* times the angular velocity when a step begins: a body rotates no faster in this step */
    mbs_growth_of_step = 1e4, /* times the longest step so far: the next step of any method is not longer */
    mbs_condition_noise = 1e-12, /* of a quantity plus its scale: round-off of the quantity in a condition */
    mbs_jump_of_noise = 1e3,     /* times the noise of a condition: only a larger change between two times is a jump */
    mbs_jump_of_piece = 1e-6,    /* of the change of f in the entire piece: a jump must also be larger than this */
    mbs_event_at_the_end = 0.01, /* of the usual noise: noise of a condition whose event ends the motion */
    mbs_slow_at_corner = 1e-4,   /* of a step: an argument that stays within round-off of a corner for longer is slow */
    mbs_corner_correction = 0.5, /* of a step: largest correction of the time of a corner */
    mbs_step_to_corner = 1.01,   /* times the time to a corner: longest step of methods that cannot repeat a step */
    mbs_steps_between_kinks = 8; /* times a step: least time to a kink, if errors are tested only at ends of steps */

/* ---- Contacts ---- */

static const double mbs_touching = 1e-12, /* of max(size, scale of length): contacts with a smaller gap touch */
    mbs_zero_rate = 1e-9,            /* of max(largest rate, its scale): slower contacts neither separate nor slide */
    mbs_contact_play = 1e-9,         /* of the scale of length (gap) or speed (slip): δ and δ_u of hard_contact.c */
    mbs_contact_force_noise = 1e-12, /* of the largest contact force: a smaller force is round-off */
    mbs_gap_closed = 1e-9,           /* of the largest position on either side: a smaller gap counts as closed */
    mbs_rounding_of_depth = 1e-12, /* of the largest position on either side (strands: and of the preload): round-off */
    mbs_stretch_noise = 1e-12,     /* of a stretch's scale (a length; 1 rad; 1 for factors): round-off of the stretch */
    mbs_wrapped_at_least = 1e-9,   /* absolute, rad: a cable leaves or meets a disc if its arc passes zero by this */
    mbs_no_speed = 1e-10,          /* of 1, in a problem scaled to entries of 1: a smaller speed counts as zero */
    mbs_paradox = 1e-10,        /* of the response without friction: with a smaller response, forces are not unique */
    mbs_free_rate_none = 1e-13, /* of the terms of a gap's acceleration: a smaller acceleration counts as zero */
    mbs_overlap_refused = 1e-4, /* of the size: a larger overlap at the start is not round-off, and is refused */
    mbs_overlap_unreported = 1e-6, /* of the size: a smaller overlap is not reported */
    mbs_agrees = 1e-8, /* of max(largest acceleration, its scale): a smaller acceleration agrees with any mode */
    mbs_regular_pivot =
        1e-10, /* of the largest entry of a pivot's row (two-sided contacts: diagonal entry): a smaller pivot is 0 */
    mbs_semidefinite_pivot = 1e-12, /* of the largest diagonal entry: a row with a smaller pivot depends on others */
    mbs_second_rate_none = 1e-9,    /* of the acceleration by the largest force alone: a smaller acceleration is 0 */
    mbs_gram_zero = 1e-12,          /* of the largest eigenvalue: smaller eigenvalues belong to the null space */
    mbs_undetermined = 1e-10,       /* of a unit null vector: a contact with a larger entry has no unique force */
    mbs_deepest_jump = 2e-4;        /* of the size: a contact that closes deeper has passed the end of an open curve */

/* ---- Impacts ---- */

static const double mbs_shortest_flight = 1.6e-5, /* of sqrt(size/acceleration): shorter flights are skipped */
    mbs_longest_multiple = 20,   /* times mbs_shortest_flight: with many contacts, flights up to this may be skipped */
    mbs_soon_ended = 20,         /* times the shortest flight: loss sums (impact.c) omit bounces that end within this */
    mbs_impulse_blocked = 1e-12, /* of the response of free bodies: with a smaller response, joints block the impulse */
    mbs_impulse_none = 1e-12,    /* of the largest impulse: a smaller impulse counts as zero */
    mbs_energy_of_impact = 1e-12, /* of the kinetic energy: an impact may add this round-off */
    mbs_ratio_of_masses = 1e9, /* times the lightest body that touches: with heavier ones, round-off hides the forces */
    mbs_endless_hits = 1e-6,   /* of the kinetic energy: a sequence of impacts that dissipates less counts as endless */
    mbs_impulse_converged = 1e-14; /* of the largest impulse: a smaller change ends sweeps over joints with friction */

/* ---- Friction of joints ---- */

static const double mbs_slip_noise = 1e-13, /* of the terms of a slip: round-off of the slip */
    mbs_least_slip_noise = 1e-15,           /* of the scale of speed: round-off of a slip without terms */
    mbs_slip_begins = 1e4,   /* times the noise of a slip: with a faster slip a sticking joint begins to slip */
    mbs_stick_noise = 1e-10, /* of the friction limit plus the force: round-off of the friction of a sticking joint */
    mbs_stops_with = 10, /* times the noise of a slip: a joint with a slower slip stops together with another joint */
    mbs_weak_row = 1e-9, /* of 1: a joint does not stick if the least d² of all rows (approach.h) becomes smaller */
    mbs_row_weakened =
        1e-4, /* of the least d² without this joint: mbs_weak_row applies only if d² is also below this */
    mbs_acceleration_at_rest = 1e-9, /* of the terms of an acceleration: at rest a smaller sum of them is round-off */
    mbs_row_in_null_space = 1e-9;    /* of a unit null vector: a row with a larger entry has no unique multiplier */

/* ---- Curves ---- */

static const double mbs_arc_angle = 0.2, /* absolute, rad: an arc whose direction changes by more is halved */
    mbs_arc_growth = 1.5,             /* times the least |c'| along an arc: an arc with a larger |c'| is also halved */
    mbs_sharp_corner = 1e-6,          /* absolute, rad: a smaller change of direction between two arcs is no corner */
    mbs_curve_same_point = 1e-9,      /* of the curve's size: closer points coincide */
    mbs_bulge_rounding = 1e-12,       /* of the chord: round-off, added to an arc's bulge */
    mbs_chords_meet = 1e-9,           /* of a chord: two chords that miss each other by less have a common point */
    mbs_foot_tie = 100 * DBL_EPSILON, /* of the distance: an end closer by less does not replace a foot inside an arc */
    mbs_foot_step = 1e-6, /* of the chord: a smaller Newton step ends the search for a foot; its square is the error */
    mbs_foot_newton = 2e-8,              /* of the arc: a smaller Newton step ends the search on the exact arc */
    mbs_foot_rounding = 4 * DBL_EPSILON, /* of the curve's parameter: a narrower bracket is not narrowed further */
    mbs_foot_beyond = 1e-12;             /* of the curve's size: a point farther from an open end is beyond the curve */

/* ---- Counts: largest numbers, unless stated otherwise ---- */

enum {
  MBS_SAMPLES_OF_RUN = 8, /* times in the run at which loads and rates are evaluated for scales */

  MBS_MAX_PATH_NEWTON = 12,         /* Newton steps to a point of assembly's path */
  MBS_MAX_PATH_TRIALS = 1000,       /* trial points for each unit of (1 + length of assembly's path) */
  MBS_MAX_PROJECTIONS = 8,          /* Newton steps of a projection */
  MBS_MAX_CONTACT_PROJECTIONS = 10, /* Newton steps of a projection with contacts, whose modes change */
  MBS_MAX_STEPS_OF_FACTORS = 50,    /* Newton steps with one factorisation, in a symplectic step */
  MBS_MAX_MODE_ITERATIONS = 20,     /* passes that find contact modes, then the reactions on which they depend */
  MBS_MAX_CROSSING_TRIALS = 4,      /* trials to extrapolate through a singular pose, each half as long as the last */
  MBS_MAX_CROSSING_STEPS = 500,     /* steps of the integration backwards, away from a singular pose */
  MBS_COMBINATION_ITERATIONS = 4,   /* inverse iterations for a combination of dependent constraints */
  MBS_MAX_EQUILIBRIUM_STEPS = 1000, /* steps to an equilibrium */
  MBS_MAX_EQUILIBRIUM_DISPLACEMENTS = 50,          /* displacements from unstable equilibria */
  MBS_MAX_STAGES = 20,                             /* stages of growing stiffness of softened contacts */
  MBS_MAX_HALVES = 14,                             /* halvings of a step to an equilibrium */
  MBS_MAX_STATE_STEPS = 50,                        /* Newton steps for a loop of laws */
  MBS_QUICK_LOOP_STEPS = 4,                        /* Newton steps for a loop before round-off may end the solution */
  MBS_MAX_VECTOR_TRIALS = 10,                      /* random vectors that extend a basis */
  MBS_LEAST_PIECES = 4,                            /* smallest number of pieces of a step */
  MBS_MAX_PIECES_TO_FINITE = 1 << 12,              /* pieces of a step, halved until all conditions are finite */
  MBS_MAX_EVENTS_IN_A_ROW = 50 * MBS_LEAST_PIECES, /* consecutive pieces with an event each; more are noise */
  MBS_MAX_CLOSE_KINKS = 100,                       /* consecutive close kinks */
  MBS_MAX_CLOSE_SWITCHES = 10000,                  /* consecutive close switches, in models with hard contacts */
  MBS_MAX_HALVINGS_AT_SWITCH = 30,  /* halvings of the step after a switch, if too many switches are close */
  MBS_MAX_CORNER_REPEATS = 8,       /* repetitions of a step that is to end at a corner */
  MBS_MAX_PIECES = 1 << 16,         /* pieces of a step in which bodies rotate far */
  MBS_MAX_JOINT_SWEEPS = 500,       /* sweeps over joints with friction in an impact */
  MBS_MAX_HITS = 2000000,           /* repetitions of impulses within one impact */
  MBS_HITS_BETWEEN_CHECKS = 100000, /* repetitions of impulses between checks of the energy loss */
  MBS_MAX_ARC_HALVINGS = 40,        /* halvings of a curve into arcs */
  MBS_MAX_ARCS = 1 << 20,           /* arcs of a curve */
  MBS_MAX_CHORD_STEPS = 6,          /* Newton steps to the foot on an arc's polynomial */
  MBS_MAX_FOOT_STEPS = 80,          /* steps to the foot on an arc */
  MBS_MAX_WORK_DEPTH = 50,          /* nested halvings of the interval of an integral of work */
  MBS_MAX_WORK_HALVINGS = 4000,     /* all halvings of the interval of an integral of work */
  MBS_MAX_WORK_CORNERS = 1000,      /* corners of a law in the interval of an integral of work */
};

#endif
