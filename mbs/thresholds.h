/* Chosen numbers of the mechanics: `of X` is a ratio to X (lengths, speeds, times and energies are the scales of
 * <seam/mbs.h>, or what is at hand that they bound), `times X` a multiple, `absolute` has a unit, and says why. What
 * belongs to a published method, as nodes and weights, stands in its file. */
#ifndef MBS_THRESHOLDS_H
#define MBS_THRESHOLDS_H

#include <float.h>

/* ---- Rounding of places, speeds and sizes ---- */

static const double mbs_lost_difference = 1e-14, /* of the larger of two places or speeds: below is their rounding */
    mbs_rounding_of_places = 4 * DBL_EPSILON,    /* of the farthest coordinate: what a step leaves of it */
    mbs_least_error = 100 * DBL_EPSILON,         /* of an entry, an energy: errors are not asked to be below */
    mbs_displacement = 0.01,                     /* of a scale: motions at which rates of variables are sampled */
    mbs_share_of_scales = 0.3,                   /* of a scale: entries are smaller, steps as many as by sizes */
    mbs_heavy = 1e4,                             /* times the lightest mass: weighing it rounds forces of light ones */
    mbs_blamed_on_distance = 0.1,                /* of the length that rtol allows: more rounding makes a step fail */
    mbs_farthest_place = 1e100;                  /* absolute, m: its square is finite, in double precision */

/* ---- Rounding of times ---- */

static const double mbs_roundings_of_time = 64 * DBL_EPSILON, /* of t: times that are closer are one */
    mbs_time_beside_corner = 16 * DBL_EPSILON,                /* of t: laws are evaluated so far beside a corner */
    mbs_stop_together = 8 * DBL_EPSILON,                      /* of t: joints that stop within it stop together */
    mbs_course_is_seen = 4 * DBL_EPSILON,                     /* of t: a step ends this close to an event */
    mbs_resolved_flight = 1e4 * DBL_EPSILON,                  /* of t: a flight has so many places of time at least */
    mbs_close_kinks = 1000 * DBL_EPSILON,                     /* of t: kinks that are closer are no time apart */
    mbs_endless_kinks = 1e-10,                                /* of the run: kinks so close all along are endless */
    mbs_endless_switches = 1e-8,                              /* of the run: switches likewise */
    mbs_growth_behind_switch = 1000,                          /* times the step before: a longer one hides the next */
    mbs_least_rtol = 1e-15,                                   /* of an entry: a tolerance below is one of rounding */
    mbs_usual_rtol = 1e-8,                                    /* of an entry: the default of the tolerance */
    mbs_usual_step = 1e-3;                                    /* of the time scale: pivots are ordered for it */

/* ---- Constraints ---- */

static const double mbs_projected = 1e-15, /* of the largest coordinate or rate, or its unit: projection ends */
    mbs_constraint_lost = 1e-11,           /* of that, or its unit: a larger residual after projection is an error */
    mbs_near_factors_do = 1e-14,           /* of that, or its unit: above it factors of a state nearby are made anew */
    mbs_small_drift = 1e-9,                /* of that, or its unit: of steps so short that S hardly changes */
    mbs_far_drift = 1e-6,                  /* of that, or its unit: S does not do for a way that long */
    mbs_small_deviation = 1e-6,            /* of that, or its unit: a start off by less is projected, not refused */
    mbs_assembled = 1e-14,                 /* of that, or its unit: what assembly leaves at most */
    mbs_redundant_met = 1e-6,              /* of the size, or its unit: what redundant constraints may be off by */
    mbs_redundant_follows = 1e3,           /* times the largest residual of the others: redundant ones follow them */
    mbs_full_rank = 1e-10,                 /* of the largest row of G, squared: pivots above it leave no doubt */
    mbs_little_motion = 1e-3,              /* of the size, rad: a motion that shows redundant rows and dead centres */
    mbs_worth_refining = 1e-4,             /* of the largest pivot: digits lost below, a second solution brings back */
    mbs_corrected = 1e-7;                  /* of the first correction: a second one is less, so that 1e-14 is left */

/* ---- Singular poses (d: approach.h) ---- */

static const double mbs_apart = 0.2, /* of 1, d of displacements: constraints are apart */
    mbs_short_of_approach = 1e-2,    /* of d: it changes by that in a short time */
    mbs_soon_singular = 20,          /* times what d falls by in a step: it vanishes soon */
    mbs_approach_vanished = 0.3,     /* of d: less at the place where it should vanish is an approach */
    mbs_crossing_window = 0.05,      /* of 1: d from which on it is looked ahead */
    mbs_crossing_reach = 0.04,       /* of 1: d at the end of the way through */
    mbs_crossing_nearest = 5e-3,     /* of 1: d at which a run ends that cannot pass */
    mbs_crossing_vanishing = 1e-3,   /* of d at the beginning: less is none */
    mbs_accuracy_backwards = 1e-11,  /* of an entry: below it, rounding spoils the polynomial of the way back */
    mbs_crossing_tolerance = 1e-8,   /* of an entry: the least tolerance of the way through */
    mbs_crossing_energy = 1e-7,      /* of the energy: it is kept on the way through */
    mbs_singular_ahead = 0.1,        /* of 1: d, below which a step that fails is near a singular pose */
    mbs_dependent_pivot = 1e-4,      /* of the largest pivot: constraints below it depend on others there */
    mbs_drives_beyond = 1e-2;        /* of the largest entry: smaller ones of a combination of constraints are none */

/* ---- Assembly and start ---- */

static const double mbs_path_step = 0.3, /* of the size, rad: one step of the path to closed loops, at most */
    mbs_shortest_path_step = 1e-9,       /* of the path: shorter steps do not lead on */
    mbs_longest_path = 1e4,              /* of the size, rad: longer paths are given up */
    mbs_path_near_end = 1e-3,            /* of the path: it ends where shorter steps alone lead on */
    mbs_path_softness = 1e-10,           /* of a pivot: it is softened by that near singular poses */
    mbs_path_reached = 1e-9,             /* of the size, or its unit: residuals at a place of the path */
    mbs_path_converged = 1e-14,          /* of the size, rad: the last step of Newton's method on the path */
    mbs_path_rounding = 1e-8,            /* of the size, rad: a step that shrinks no more, close to singular poses */
    mbs_soft_path_rounding = 1e-11,      /* of the size, rad: likewise with softened pivots */
    mbs_still_body = 1e-12,              /* of 1: the weight of bodies whose poses are not rough */
    mbs_start_met = 1e-8,                /* of what was asked for, or its unit: the start has it */
    mbs_start_none = 1e-12,              /* absolute, m, rad, s: what is printed as 0 in messages */
    mbs_dead_centre_noise = 1e-9,        /* of a coordinate, or its unit: less is no motion off a dead centre */
    mbs_inside_reach = 1e-6,             /* of the way: a value that is printed lies so far inside of the reach */
    mbs_reach_ends = 1e-5;               /* of what was wanted, or its unit: a closer end is a singular pose */

/* ---- Equilibrium ---- */

static const double mbs_rest_radius = 0.3, /* of the size, rad: the first, or longest, step */
    mbs_rest_turn_weight = 1e-4,           /* of a move: loops close by moves, not by turns */
    mbs_rest_max_turn = 0.5,               /* absolute, rad: so that the way is that of a creeping mechanism */
    mbs_rest_least_radius = 1e-10,         /* of the size, rad: no step that short is taken */
    mbs_rest_farthest = 1e5,               /* times the size, rad, from the start: nothing holds it */
    mbs_rest_push = 0.03,                  /* of the size, rad: off an equilibrium that is not stable */
    mbs_rest_settled = 1e-12,              /* of the size, rad: the last step of Newton's method */
    mbs_rest_rounding_of_step = 1e-8,      /* of the size, rad: where steps stop to shrink */
    mbs_neutral_move = 1e-6,               /* of a neutral motion: bodies that move by less rest */
    mbs_first_penetration = 0.1,           /* of the size: loads press soft contacts in so far at first */
    mbs_hardest_penetration = 1e-7,        /* of the size: contacts become that hard */
    mbs_soft_yet = 1.5,                    /* times the hardest: larger penetrations become smaller */
    mbs_rest_accelerates = 1e-6,           /* of the acceleration by loads: hard contacts leave less */
    mbs_rest_rate = 1e-9,                  /* of the terms of a rate or force: it is zero at rest */
    mbs_rest_growth = 1e-9,                /* of an eigenvalue: its real part is zero */
    mbs_infinite_eigenvalue = 1e-4,        /* of the others: infinite but for rounding */
    mbs_rest_least_shift = 1e-3,           /* of the stiffness: the shift where none answers a force */
    mbs_rest_derivative = 1e-11,           /* of its terms: a derivative is zero */
    mbs_zero_stiffness = 1e-12,            /* of the largest eigenvalue: a stiffness is zero */
    mbs_stiff_search = 1e3,                /* times the rate of the loads: such stiffness keeps steps short */
    mbs_dependent_vector = 1e-8;           /* of a vector: what the basis leaves of it is rounding */

/* ---- Stiffness ---- */

static const double mbs_stiffness_poles[] = {0.1, 1e-3, 1e-5, 1e-7, 1e-9}; /* of the largest eigenvalue */

/* ---- Laws ---- */

static const double mbs_loop_rounding = 1e-13, /* of the largest term of a loop of laws: what rounding leaves */
    mbs_loop_closed = 1e-14,                   /* of a value: the last step that closes a loop of laws */
    mbs_kink_jump = 1e-6,                      /* of the size: a law that is meant to be continuous jumps by less */
    mbs_kink_jump_far = 1e-9,                  /* of the value: likewise, far from the origin */
    mbs_jump_width = 1e-5,                     /* of an argument, or its unit: changes over it and a tenth are jumps */
    mbs_work_agrees = 1e-13,                   /* of the work: halves agree with the whole of an integral */
    mbs_negligible_work = 1e-17,               /* of the work of |F|: a piece of the integral is nothing */
    mbs_contact_bend = 0.1;                    /* of 1, 1 - c v: a contact that holds on pulls by less from there on */

/* ---- Events, kinks and corners in time ---- */

static const double mbs_piece_shift = 1e-5,  /* of a piece: a rate may be a difference quotient over it */
    mbs_beyond_by_rounding = 1e-10,          /* of f at the beginning of a piece: less is rounding */
    mbs_reach_of_bend = 4,                   /* times its second differences: f gets no farther between two places */
    mbs_reach_of_changes = 4,                /* times its changes: functions farther from zero do not get there */
    mbs_leave_factor = 8,                    /* times the last place: where it is looked for f off its zero next */
    mbs_turn_of_piece = 0.78539816339744831, /* absolute, rad: no body turns by more in a piece, an eighth of a turn */
    mbs_condition_noise = 1e-12,             /* of a quantity, and its unit: conditions do not see less */
    mbs_jump_of_noise = 1e3,                 /* times its noise: a larger change between neighbours is a jump, */
    mbs_jump_of_piece = 1e-6,                /* of what the piece changes: if it is more */
    mbs_event_at_the_end = 0.01,             /* of its noise: what happens with the last event counts too */
    mbs_same_corner = 1e-3,                  /* of the step: corners of a source that are passed at one place */
    mbs_corner_off = 0.5,                    /* of the step: by what the time of a repeated corner may be off */
    mbs_behind_corner = 1.01,                /* times the way to a corner: steps that are not repeated end there */
    mbs_steps_between_kinks = 8;             /* times: steps from kink to kink of methods that see their ends alone */

/* ---- Contacts ---- */

static const double mbs_touching = 1e-12, /* of the size, or its unit: contacts that are closer touch */
    mbs_still = 1e-9,                     /* of the largest rate, or its unit: slower contacts neither part nor slide */
    mbs_riding_play = 1e-9,               /* of the scales of length and speed: play of contacts that others hold */
    mbs_contact_force_noise = 1e-12,      /* of the largest contact force: its rounding */
    mbs_gap_closed = 1e-9,          /* of the places that a gap lies between: a contact is on its border, and rubs */
    mbs_rounding_of_depth = 1e-12,  /* of the places that a depth lies between, of a preload: likewise */
    mbs_stretch_noise = 1e-12,      /* absolute, m, rad: an elastic law has no scale of its own */
    mbs_wrapped_at_least = 1e-9,    /* absolute, rad: a cable that touches a disc by -this has not left it */
    mbs_no_speed = 1e-10,           /* of a problem with entries of 1: a speed or force of it is none */
    mbs_paradox = 1e-10,            /* of the response without friction: less is a paradox of friction */
    mbs_free_rate_none = 1e-13,     /* of its terms: a second rate of a gap is none */
    mbs_overlap_refused = 1e-4,     /* of the size: more is not rounding of coordinates in a file */
    mbs_overlap_silent = 1e-6,      /* of the size: a smaller overlap is not said */
    mbs_agrees = 1e-8,              /* of the largest acceleration, or its unit: contacts that ended do not come back */
    mbs_regular_pivot = 1e-10,      /* of its diagonal: a smaller pivot of held contacts is none */
    mbs_semidefinite_pivot = 1e-12, /* of the largest diagonal: what is below depends on others */
    mbs_second_rate_none = 1e-9,    /* of the response to the largest force: a second rate is none */
    mbs_gram_zero = 1e-12,          /* of the largest eigenvalue: forces without effect */
    mbs_undetermined = 1e-10,       /* of a unit vector: an entry in a combination without effect */
    mbs_deepest_jump = 2e-4;        /* of the size: a contact that closes deeper came round an end */

/* ---- Impacts ---- */

static const double mbs_shortest_flight = 1.6e-5, /* of the time for the size: shorter flights have ended */
    mbs_longest_multiple = 20,                    /* times that: of many contacts, which disturb each other */
    mbs_soon_settled = 20,                        /* times the shortest flight: bounces within are restitution */
    mbs_impulse_held = 1e-12,                     /* of the response of free bodies: joints leave no more */
    mbs_impulse_none = 1e-12,                     /* of the largest impulse: less is none */
    mbs_energy_of_impact = 1e-12,                 /* of the kinetic energy: an impact may add its rounding */
    mbs_ratio_of_masses = 1e9,                    /* times the least response: pivots are as small as that */
    mbs_hits_go_on = 1e-6,                        /* of the kinetic energy: hits that take less have ended */
    mbs_impulse_settled = 1e-14;                  /* of the largest impulse: the last sweep over joints that rub */

/* ---- Friction of joints ---- */

static const double mbs_slip_noise = 1e-13, /* of its terms: rounding of a slip */
    mbs_least_slip_noise = 1e-15,           /* absolute, m/s: of a slip without any terms */
    mbs_slip_moves = 1e4,                   /* times its noise: a joint at rest moves */
    mbs_stick_noise = 1e-10,                /* of the limit and the force: rounding of what holds a joint */
    mbs_stops_with = 10,                    /* times its noise: a slip that stops with another joint */
    mbs_weak_row = 1e-9,                    /* of 1, squared sines between rows: who would stick has no own row, */
    mbs_row_lost = 1e-4,                    /* of the weakest before: nor has who weakens the others by that */
    mbs_rest_acceleration = 1e-9,           /* of its terms: a joint that others hold has no acceleration */
    mbs_row_in_null_space = 1e-9;           /* of a unit vector: less of a row is in no redundancy */

/* ---- Curves ---- */

static const double mbs_arc_turn = 0.2,  /* absolute, rad: of an arc, at most */
    mbs_arc_growth = 1.5,                /* times |c'|: along an arc, at most */
    mbs_sharp_corner = 1e-6,             /* absolute, rad: a smaller turn of a curve is smooth */
    mbs_curve_one_place = 1e-9,          /* of the curve's size: places that are one */
    mbs_bulge_rounding = 1e-12,          /* of the chord: the arc is within its bulge */
    mbs_chords_meet = 1e-9,              /* of a chord: two of them have a point in common */
    mbs_foot_tie = 100 * DBL_EPSILON,    /* of the distance: a foot inside an arc comes before an end that is as far */
    mbs_foot_step = 1e-6,                /* of the chord: the last step, of which the square is left */
    mbs_foot_newton = 2e-8,              /* of the arc: likewise */
    mbs_foot_rounding = 4 * DBL_EPSILON, /* of the parameter: no bracket is shorter */
    mbs_foot_beyond = 1e-12;             /* of the curve's size: a place is beyond an open end */

/* ---- Counts ---- */

enum {
  MBS_SAMPLES_OF_RUN = 8, /* at which sizes of variables are looked for that the start leaves open */

  MBS_MAX_PATH_NEWTON = 12,                        /* steps of Newton's method to a place of the path of assembly */
  MBS_MAX_PATH_TRIALS = 1000,                      /* places on that path, and on each length of it */
  MBS_MAX_PROJECTIONS = 8,                         /* steps of a projection */
  MBS_MAX_CONTACT_PROJECTIONS = 10,                /* likewise with contacts, which change */
  MBS_MAX_HELD = 50,                               /* turns with the factors of one state, as of fixed steps */
  MBS_MAX_MODE_TURNS = 20,                         /* turns of friction modes and reactions that follow each other */
  MBS_MAX_CROSSING_WAYS = 4,                       /* ways through a singular pose: D, D/2, ... */
  MBS_MAX_CROSSING_STEPS = 500,                    /* steps of the way back */
  MBS_COMBINATION_TURNS = 4,                       /* inverse iterations to the constraints that depend on each other */
  MBS_MAX_REST_STEPS = 1000,                       /* steps to an equilibrium */
  MBS_MAX_REST_PUSHES = 50,                        /* pushes off unstable ones */
  MBS_MAX_STAGES = 20,                             /* stages of contacts that become hard */
  MBS_MAX_HALVES = 14,                             /* halves of a step that does not lead on */
  MBS_MAX_STATE_STEPS = 50,                        /* steps to variables at rest, and to closed loops of laws */
  MBS_QUICK_LOOP_STEPS = 4,                        /* steps to a loop of laws with one matrix */
  MBS_MAX_VECTOR_TRIALS = 10,                      /* random vectors, for one beside a basis */
  MBS_LEAST_PIECES = 4,                            /* pieces in which a step is seen */
  MBS_PIECES_OF_THE_LAST = 1 << 12,                /* pieces of a step in which a condition loses its value */
  MBS_MAX_EVENTS_IN_A_ROW = 50 * MBS_LEAST_PIECES, /* pieces with an event each: it is noise */
  MBS_MAX_CLOSE_KINKS = 100,                       /* kinks within next to no time */
  MBS_MAX_CLOSE_SWITCHES = 10000,                  /* switches likewise where there are hard contacts */
  MBS_MAX_CORNER_REPEATS = 8,                      /* repetitions of a step to a corner */
  MBS_MAX_PIECES = 1 << 16,                        /* pieces of a step by the turn of bodies */
  MBS_MAX_JOINT_SWEEPS = 500,                      /* sweeps over joints that rub in an impact */
  MBS_MAX_HITS = 2000000,                          /* hits in turn, */
  MBS_HITS_LOOKED_AT = 100000,                     /* looked at after so many each */
  MBS_MAX_ARC_HALVINGS = 40,                       /* halvings of a curve to arcs */
  MBS_MAX_ARCS = 1 << 20,                          /* arcs of a curve */
  MBS_MAX_CHORD_STEPS = 6,                         /* steps to the foot on the polynomial of an arc */
  MBS_MAX_FOOT_STEPS = 80,                         /* steps to the foot on an arc */
  MBS_MAX_WORK_DEPTH = 50,                         /* halvings of a piece of an integral of work, one within another */
  MBS_MAX_WORK_HALVINGS = 4000,                    /* halvings in all */
  MBS_MAX_WORK_CORNERS = 1000,                     /* corners of the law on the way */
};

#endif
