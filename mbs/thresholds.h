/* Chosen numbers of the mechanics. `of X`: a ratio to X (lengths, speeds, times and energies are the scales of
 * <seam/mbs.h> or bounded by them); `times X`: a multiple; `absolute`: has a unit, with the reason. Constants of a
 * published method, such as nodes and weights, are in its file. */
#ifndef MBS_THRESHOLDS_H
#define MBS_THRESHOLDS_H

#include <float.h>

/* ---- Round-off of places, speeds and sizes ---- */

static const double mbs_lost_difference = 1e-14, /* of the larger of two places or speeds: less is round-off */
    mbs_rounding_of_places = 4 * DBL_EPSILON,    /* of the farthest coordinate: round-off of a step */
    mbs_least_error = 100 * DBL_EPSILON,         /* of an entry, an energy: no smaller error is asked for */
    mbs_displacement = 0.01,                     /* of a scale: displacement for samples of rates of variables */
    mbs_share_of_scales = 0.3,                   /* of a scale: least size of an entry in error weights */
    mbs_heavy = 1e4,                             /* times the lightest mass: heavier bodies add round-off to forces */
    mbs_blamed_on_distance = 0.1, /* of the error that rtol allows a place: more round-off explains a failed step */
    mbs_farthest_place = 1e100;   /* absolute, m: its square is finite in double precision */

/* ---- Round-off of times ---- */

static const double mbs_roundings_of_time = 64 * DBL_EPSILON, /* of t: times that are closer count as equal */
    mbs_time_beside_corner = 16 * DBL_EPSILON,                /* of t: laws are evaluated this far from a corner */
    mbs_stop_together = 8 * DBL_EPSILON,                      /* of t: joints that stop within this stop together */
    mbs_course_is_seen = 4 * DBL_EPSILON,    /* of t: a rewind this close to the time seen is at that time */
    mbs_resolved_flight = 1e4 * DBL_EPSILON, /* of t: shorter flights are not resolved */
    mbs_close_kinks = 1000 * DBL_EPSILON,    /* of t: closer kinks count as close */
    mbs_endless_kinks = 1e-10,               /* of the run: the same; many in a row are an error */
    mbs_endless_switches = 1e-8,             /* of the run: the same for switches */
    mbs_growth_behind_switch = 1000,         /* times the step before: largest step after a switch */
    mbs_least_rtol = 1e-15,                  /* of an entry: a smaller tolerance is below round-off */
    mbs_usual_rtol = 1e-8,                   /* of an entry: the default tolerance */
    mbs_usual_step = 1e-3;                   /* of the time scale: the step for which Newton's matrix is ordered */

/* ---- Constraints ---- */

static const double mbs_projected = 1e-15, /* of the largest coordinate or rate, or its scale: projection ends */
    mbs_constraint_lost = 1e-11,           /* of that, or its scale: a larger residual after projection is an error */
    mbs_near_factors_do = 1e-14, /* of that, or its scale: a larger residual with old factors needs new ones */
    mbs_small_drift = 1e-9,      /* of that, or its scale: with less drift old factors are used */
    mbs_far_drift = 1e-6,        /* of that, or its scale: with more drift S is factored again */
    mbs_small_deviation = 1e-6,  /* of that, or its scale: a start with a larger residual is refused */
    mbs_assembled = 1e-14,       /* of that, or its scale: a start with a larger residual is projected */
    mbs_redundant_met = 1e-6,    /* of the size, rad: largest residual of redundant constraints */
    mbs_redundant_follows = 1e3, /* times the largest residual of the others: added to that limit */
    mbs_full_rank = 1e-10,       /* of the largest row of G, squared: 1/‖S⁻¹‖ is larger for full rank */
    mbs_little_motion = 1e-3,    /* of the size, rad: a motion to find redundant rows and dead centres */
    mbs_worth_refining = 1e-4,   /* of a pivot's reference: a smaller pivot asks for a second solution */
    mbs_corrected = 1e-7;        /* of the first correction: a smaller second one leaves 1e-14 */

/* ---- Singular poses (d: approach.h) ---- */

static const double mbs_apart = 0.2, /* of 1, d of displacements: above, constraints are far from dependent */
    mbs_short_of_approach = 1e-2,    /* of d: its change in a short time */
    mbs_soon_singular = 20,          /* times what d falls by in a step: a smaller d may vanish soon */
    mbs_approach_vanished = 0.3,     /* of d: less at the predicted pose confirms an approach */
    mbs_crossing_window = 0.05,      /* of 1: d below which the motion ahead is checked */
    mbs_crossing_reach = 0.04,       /* of 1: d at the end of the way through */
    mbs_crossing_nearest = 5e-3,     /* of 1: d at which a run ends if it cannot pass */
    mbs_crossing_vanishing = 1e-3,   /* of d at the beginning: less counts as zero */
    mbs_accuracy_backwards = 1e-11,  /* of an entry: tolerance of the way back; less is lost in round-off */
    mbs_crossing_tolerance = 1e-8,   /* of an entry: added to the tolerance at the end of the way through */
    mbs_crossing_energy = 1e-7,      /* of the energy: largest change of the balance on the way through */
    mbs_singular_ahead = 0.1,        /* of 1: d below which a singular pose explains a failed step */
    mbs_dependent_pivot = 1e-4,      /* of a pivot's reference, squared: a smaller pivot means dependence */
    mbs_drives_beyond = 1e-2;        /* of the largest entry: smaller ones of a combination count as zero */

/* ---- Assembly and start ---- */

static const double mbs_path_step = 0.3, /* of the size, rad: largest first Newton step along the path */
    mbs_shortest_path_step = 1e-9,       /* of the path: if shorter steps fail the path ends */
    mbs_longest_path = 1e4,              /* of the size, rad: longer paths are refused */
    mbs_path_near_end = 1e-3,            /* of the path: shorter ones are tried without softened pivots too */
    mbs_path_softness = 1e-10,           /* of a pivot: added to S, for full rank in singular poses */
    mbs_path_reached = 1e-9,             /* of the size, rad: largest residual on the path */
    mbs_path_converged = 1e-14,          /* of the size, rad: the last Newton step on the path */
    mbs_path_rounding = 1e-8,       /* of the size, rad: smaller steps need no longer shrink, close to singular poses */
    mbs_soft_path_rounding = 1e-11, /* of the size, rad: the same with softened pivots */
    mbs_still_body = 1e-12,         /* of 1: weight of bodies whose poses are not rough */
    mbs_start_met = 1e-8,           /* of what was asked for, or its scale: largest deviation of the start */
    mbs_start_none = 1e-12,         /* of its scale: messages print smaller values as 0 */
    mbs_dead_centre_noise = 1e-9,   /* of a coordinate, or its scale: a smaller change is no motion */
    mbs_inside_reach = 1e-6,        /* of the way: printed values are this far inside the reach */
    mbs_reach_ends = 1e-5;          /* of what was wanted, or its scale: a path that ends closer met a singular pose */

/* ---- Equilibrium ---- */

static const double mbs_equilibrium_radius = 0.3, /* of the size, rad: initial limit of steps */
    mbs_equilibrium_turn_weight = 1e-4,           /* of a move: weight of turns, so that loops close by translations */
    mbs_equilibrium_max_turn = 0.5,               /* absolute, rad: largest turn in a step, as in a creeping motion */
    mbs_equilibrium_least_radius = 1e-10,         /* of the size, rad: least limit of steps */
    mbs_equilibrium_farthest = 1e5,          /* times the size, rad, from the start: farther, bodies have run away */
    mbs_equilibrium_push = 0.03,             /* of the size, rad: push off an unstable equilibrium */
    mbs_equilibrium_converged = 1e-12,       /* of the size, rad: the last Newton step */
    mbs_equilibrium_rounding_of_step = 1e-8, /* of the size, rad: smaller steps that do not shrink are round-off */
    mbs_neutral_move = 1e-6,                 /* of a neutral motion: bodies that move less are at rest */
    mbs_first_penetration = 0.1,             /* of the size: first penetration of softened contacts under load */
    mbs_hardest_penetration = 1e-7,          /* of the size: final penetration */
    mbs_soft_yet = 1.5,                      /* times the hardest: larger penetrations are reduced further */
    mbs_equilibrium_accelerates = 1e-6,      /* of the acceleration by loads: largest remainder on hard contacts */
    mbs_equilibrium_rate = 1e-9,             /* of the terms of a rate or force: less counts as zero */
    mbs_equilibrium_growth = 1e-9,           /* of an eigenvalue: smaller real parts count as zero */
    mbs_infinite_eigenvalue = 1e-4,          /* of the others: a smaller inverse means an infinite eigenvalue */
    mbs_equilibrium_least_shift = 1e-3,      /* of the stiffness: shift if no stiffness balances a force */
    mbs_equilibrium_derivative = 1e-11,      /* of its terms: a smaller derivative counts as zero */
    mbs_zero_stiffness = 1e-12,              /* of the largest eigenvalue: smaller stiffnesses count as zero */
    mbs_stiff_search = 1e3,                  /* times the rate of the loads: stiffer elements keep steps short */
    mbs_dependent_vector = 1e-8;             /* of a vector: less outside of the basis is round-off */

/* ---- Stiffness ---- */

static const double mbs_stiffness_poles[] = {0.1, 1e-3, 1e-5, 1e-7, 1e-9}; /* of the largest eigenvalue: shifts */

/* ---- Laws ---- */

static const double mbs_loop_rounding = 1e-13, /* of the largest term of a loop of laws: its round-off */
    mbs_loop_closed = 1e-14,                   /* of a value: last step of the solution of a loop of laws */
    mbs_kink_jump = 1e-6,                      /* of the size: largest jump of a continuous law of motion, ... */
    mbs_kink_jump_far = 1e-9,                  /* of the value: ... plus this */
    mbs_jump_width = 1e-5,       /* of an argument, or its unit: a change over this width and a tenth of it is a jump */
    mbs_work_agrees = 1e-11,     /* of the work of |F|: the rule of lower order agrees with that of higher order */
    mbs_negligible_work = 1e-16, /* of the work of |F| so far: a smaller difference is negligible */
    mbs_contact_bend = 0.1;      /* of 1, 1 - c v: below, a contact kept closed pulls by less */

/* ---- Events, kinks and corners in time ---- */

static const double mbs_piece_shift = 1e-5,  /* of a piece: difference of times for a rate */
    mbs_beyond_by_rounding = 1e-10,          /* of f at the beginning of a piece: less beyond zero is round-off */
    mbs_reach_of_bend = 4,                   /* times its second differences: from farther, no turn is beyond zero */
    mbs_reach_of_changes = 4,                /* times its changes: a function farther away does not reach zero */
    mbs_leave_factor = 8,                    /* times the last place: next place in the search for f off zero */
    mbs_turn_of_piece = 0.78539816339744831, /* absolute, rad: largest turn of a body in a piece, an eighth of a turn */
    mbs_growth_of_turn = 8,                  /* times the rate of a turn: it grows by less in a step */
    mbs_growth_of_step = 1e4,                /* times the longest step: no method's next step is longer */
    mbs_condition_noise = 1e-12,             /* of a quantity, and its scale: noise of a condition */
    mbs_jump_of_noise = 1e3,                 /* times its noise: a larger change between two times is a jump, ... */
    mbs_jump_of_piece = 1e-6,                /* of what the piece changes: ... if larger than this too */
    mbs_event_at_the_end = 0.01,             /* of its noise: noise of a condition whose event ends the motion */
    mbs_corner_touched =
        1e-4,                 /* of the step: the argument of a corner that stays in its round-off for longer is slow */
    mbs_corner_off = 0.5,     /* of the step: largest correction of a corner's time */
    mbs_behind_corner = 1.01, /* times the way to a corner: end of steps that are not repeated */
    mbs_steps_between_kinks = 8; /* times: steps between kinks at least, of methods that check only ends */

/* ---- Contacts ---- */

static const double mbs_touching = 1e-12, /* of the size, the scale of length: closer contacts touch */
    mbs_still = 1e-9,                /* of the largest rate, or its scale: slower contacts neither part nor slide */
    mbs_riding_play = 1e-9,          /* of the scales of length and speed: play of contacts that other contacts hold */
    mbs_contact_force_noise = 1e-12, /* of the largest contact force: its round-off */
    mbs_gap_closed = 1e-9,           /* of the places that a gap lies between: a smaller gap is closed */
    mbs_rounding_of_depth = 1e-12,   /* of the places that a depth lies between, of a preload: round-off of a depth */
    mbs_stretch_noise = 1e-12,       /* of the scale of length, a cable's length, rad, 1: round-off */
    mbs_wrapped_at_least = 1e-9,     /* absolute, rad: an arc above minus this is still on its disc */
    mbs_no_speed = 1e-10,            /* of a problem with entries of 1: a smaller speed or force counts as zero */
    mbs_paradox = 1e-10,             /* of the response without friction: less is a paradox of friction */
    mbs_free_rate_none = 1e-13,      /* of its terms: a smaller second rate of a gap counts as zero */
    mbs_overlap_refused = 1e-4,      /* of the size: more is not round-off of a file, and refused */
    mbs_overlap_silent = 1e-6,       /* of the size: a smaller overlap is not reported */
    mbs_agrees = 1e-8,               /* of the largest acceleration, or its scale: a slower approach counts as none */
    mbs_regular_pivot = 1e-10,       /* of its diagonal: a smaller pivot of held contacts counts as zero */
    mbs_semidefinite_pivot = 1e-12,  /* of the largest diagonal: a smaller pivot depends on others */
    mbs_second_rate_none = 1e-9,     /* of the response to the largest force: a smaller second rate counts as zero */
    mbs_gram_zero = 1e-12,           /* of the largest eigenvalue: smaller ones belong to the null space */
    mbs_undetermined = 1e-10,        /* of a unit vector: larger entries in the null space are undetermined */
    mbs_deepest_jump = 2e-4;         /* of the size: a contact that closes deeper came round an end */

/* ---- Impacts ---- */

static const double mbs_shortest_flight = 1.6e-5, /* of sqrt(size/acceleration): shorter flights are left out */
    mbs_longest_multiple = 20,                    /* times that: largest, for many contacts, which disturb each other */
    mbs_soon_ended = 20,                          /* times the shortest flight: bounces within this are restitution */
    mbs_impulse_blocked = 1e-12,   /* of the response of free bodies: with a smaller response joints hold both */
    mbs_impulse_none = 1e-12,      /* of the largest impulse: a smaller impulse counts as zero */
    mbs_energy_of_impact = 1e-12,  /* of the kinetic energy: an impact may add this round-off */
    mbs_ratio_of_masses = 1e9,     /* times the lightest mass: a larger ratio is too much for round-off */
    mbs_hits_go_on = 1e-6,         /* of the kinetic energy: if hits take less, they have ended */
    mbs_impulse_converged = 1e-14; /* of the largest impulse: last change in sweeps over joints with friction */

/* ---- Friction of joints ---- */

static const double mbs_slip_noise = 1e-13, /* of its terms: round-off of a slip */
    mbs_least_slip_noise = 1e-15,           /* of the scale of speed: round-off of a slip without terms */
    mbs_slip_moves = 1e4,                   /* times its noise: a faster slip moves a joint at rest */
    mbs_stick_noise = 1e-10,                /* of the limit and the force: round-off of the force that holds a joint */
    mbs_stops_with = 10,                    /* times its noise: a slower slip stops with another joint */
    mbs_weak_row = 1e-9,                    /* of 1, squared sines between rows: a joint below does not stick, ... */
    mbs_row_lost = 1e-4,                    /* of the weakest before: ... if it weakens the others to this */
    mbs_acceleration_at_rest = 1e-9,        /* of its terms: a smaller acceleration of a joint at rest is round-off */
    mbs_row_in_null_space = 1e-9;           /* of a unit vector: a row with a larger entry is undetermined */

/* ---- Curves ---- */

static const double mbs_arc_turn = 0.2,  /* absolute, rad: largest turn of an arc */
    mbs_arc_growth = 1.5,                /* times |c'|: its largest growth along an arc */
    mbs_sharp_corner = 1e-6,             /* absolute, rad: a smaller turn of a curve is smooth */
    mbs_curve_one_place = 1e-9,          /* of the curve's size: closer points coincide */
    mbs_bulge_rounding = 1e-12,          /* of the chord: round-off, added to an arc's bulge */
    mbs_chords_meet = 1e-9,              /* of a chord: tolerance for a common point of two chords */
    mbs_foot_tie = 100 * DBL_EPSILON,    /* of the distance: a foot inside an arc is preferred to an end this close */
    mbs_foot_step = 1e-6,                /* of the chord: last Newton step; its square is the error */
    mbs_foot_newton = 2e-8,              /* of the arc: the same */
    mbs_foot_rounding = 4 * DBL_EPSILON, /* of the parameter: least width of a bracket */
    mbs_foot_beyond = 1e-12;             /* of the curve's size: a place farther from an open end is beyond it */

/* ---- Counts ---- */

enum {
  MBS_SAMPLES_OF_RUN = 8, /* times of the run at which sizes not given by the start are found */

  MBS_MAX_PATH_NEWTON = 12,                        /* Newton steps to a point of assembly's path */
  MBS_MAX_PATH_TRIALS = 1000,                      /* trial points of that path, and of each unit of its length */
  MBS_MAX_PROJECTIONS = 8,                         /* steps of a projection */
  MBS_MAX_CONTACT_PROJECTIONS = 10,                /* the same with contacts, whose modes change */
  MBS_MAX_STEPS_OF_FACTORS = 50,                   /* steps with the factors of one state, for fixed steps */
  MBS_MAX_MODE_TURNS = 20,                         /* turns between friction modes and reactions */
  MBS_MAX_CROSSING_WAYS = 4,                       /* trials of a way through a singular pose: D, D/2, ... */
  MBS_MAX_CROSSING_STEPS = 500,                    /* steps of the way back */
  MBS_COMBINATION_TURNS = 4,                       /* inverse iterations for a combination of dependent constraints */
  MBS_MAX_EQUILIBRIUM_STEPS = 1000,                /* steps to an equilibrium */
  MBS_MAX_EQUILIBRIUM_PUSHES = 50,                 /* pushes off unstable equilibria */
  MBS_MAX_STAGES = 20,                             /* stages of softened contacts */
  MBS_MAX_HALVES = 14,                             /* halvings of a step */
  MBS_MAX_STATE_STEPS = 50,                        /* Newton steps for a loop of laws */
  MBS_QUICK_LOOP_STEPS = 4,                        /* steps of such a loop before round-off may end it */
  MBS_MAX_VECTOR_TRIALS = 10,                      /* random vectors that extend a basis */
  MBS_LEAST_PIECES = 4,                            /* least number of pieces of a step */
  MBS_PIECES_OF_THE_LAST = 1 << 12,                /* pieces of a step in which a condition becomes NaN */
  MBS_MAX_EVENTS_IN_A_ROW = 50 * MBS_LEAST_PIECES, /* pieces in a row with an event each; more are noise */
  MBS_MAX_CLOSE_KINKS = 100,                       /* close kinks in a row */
  MBS_MAX_CLOSE_SWITCHES = 10000,                  /* close switches in a row, with hard contacts */
  MBS_MAX_CORNER_REPEATS = 8,                      /* repetitions of a step to a corner */
  MBS_MAX_PIECES = 1 << 16,                        /* pieces of a step, by the turn of bodies */
  MBS_MAX_JOINT_SWEEPS = 500,                      /* sweeps over joints with friction in an impact */
  MBS_MAX_HITS = 2000000,                          /* hits in a row, ... */
  MBS_HITS_LOOKED_AT = 100000,                     /* ... checked each time after this number */
  MBS_MAX_ARC_HALVINGS = 40,                       /* halvings of a curve into arcs */
  MBS_MAX_ARCS = 1 << 20,                          /* arcs of a curve */
  MBS_MAX_CHORD_STEPS = 6,                         /* Newton steps to the foot on an arc's polynomial */
  MBS_MAX_FOOT_STEPS = 80,                         /* steps to the foot on an arc */
  MBS_MAX_WORK_DEPTH = 50,                         /* nested halvings of an integral of work */
  MBS_MAX_WORK_HALVINGS = 4000,                    /* halvings in all */
  MBS_MAX_WORK_CORNERS = 1000,                     /* corners of the law on the way */
};

#endif
