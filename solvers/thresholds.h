/* Chosen numbers of the solvers, as in mbs/thresholds.h: `of X` is a ratio to X, `times X` a multiple. They see numbers
 * without units, so that none is absolute but those that bound rounding of scaled problems. What belongs to a published
 * method, as tableaus, nodes and the constants of [HNW] and [HW] in a formula, stands in its file. */
#ifndef SOLVERS_THRESHOLDS_H
#define SOLVERS_THRESHOLDS_H

#include <float.h>

/* ---- Steps ---- */

static const double seam_roundings_of_step = 4 * DBL_EPSILON, /* of t: no step is shorter, */
    seam_least_step = 1e-20,                                  /* of the step wanted first: nor is any that short */
    seam_shortest_firsts = 100,                               /* times the shortest step: the first one at least */
    seam_usual_step = 1e-3,                                   /* of the time scale: pivots are ordered for that step */
    seam_same_times = 100 * DBL_EPSILON,                      /* of t and the step: closer times are one to IDAS */
    seam_same_step = 1e-9,                                    /* of a step: the rounding of time in its length */
    seam_last_step = 1.01,                                    /* times the step: what is left is taken in one */
    seam_cut_step = 0.99,                                     /* of the step wanted: shorter ones say nothing of it */
    seam_step_limit = 1e9,                                    /* times the last steps: more to go are no progress, */
    seam_doubtful_limit = 1e8;                                /* times: nor where steps fail, or rates may jump */

/* ---- Growth of steps ---- */

static const double seam_safety = 0.9, /* of the step that the error allows */
    seam_largest_growth = 5,           /* times the step: the next one, at most, */
    seam_least_growth = 0.2,           /* of the step: and at least */
    seam_least_repeat = 0.1,           /* of a rejected step: the repeated one, at least, */
    seam_failed_repeat = 0.25,         /* of a step whose error is not known: the repeated one */
    seam_least_judged = 1e-10,         /* of the tolerance: smaller errors are of no effect, */
    seam_least_kept = 1e-4,            /* of the tolerance: nor are they in the step behind */
    seam_moved_by_rounding = 1e-11,    /* of an entry: a projection that moves it by more is an error */
    seam_relaxed_differs = 0.1,        /* of the tolerance: a relaxed move that differs by less is left out */
    seam_ida_growth = 2,               /* times the step: IDAS doubles where it could, */
    seam_ida_no_growth = 1e300,        /* times the step: but not behind a rejected one, which would fail again */
    seam_filter_growth = 1.1,          /* times c: the filter grows in a step, so that some forty raise the order */
    seam_worth_filtering = 0.7,        /* of the error: what the filter leaves of it is worth its work */
    seam_filter_stays = 1.5;           /* times c of the filter: more takes the filter itself */

/* ---- First steps ([HNW] II.4) ---- */

static const double seam_first_flat = 1e-5, /* of the tolerance: sizes and rates below say nothing, */
    seam_first_guess = 1e-6,                /* of the time scale: and this is the step */
    seam_first_part = 0.01,                 /* of the size over the rate: the first step, of an error over the bend */
    seam_first_no_bend = 1e-15,             /* of the tolerance in the time scale: no bend */
    seam_first_unbent = 1e-3;               /* of the first guess: the step without a bend */

/* ---- Newton's method in steps ---- */

static const double seam_ida_newton = 0.01,      /* of the tolerance: IDAS's own 0.33 spoils estimates of high orders */
    seam_ida_newton_rounding = 10 * DBL_EPSILON, /* of an entry: the same, at least */
    seam_radau_newton = 0.03,                    /* of the tolerance, which is rtol to the power of 2/3 */
    seam_newton_hidden = 1e-2,                   /* of that target: rounding may hide the rate below */
    seam_newton_stalls = 0.99,                   /* of the change before: a larger one does not converge */
    seam_newton_tolerable = 0.1,                 /* of the tolerance: what rounding in Newton's method may take */
    seam_newton_fast = 0.05,                     /* of the change before: a rate worth keeping J, or a third of it */
    seam_little_growth = 1.1,                    /* times the step: less is not worth factors */
    seam_short_part = 1e-3,                      /* of the step before: a shorter one is interpolated, not iterated */
    seam_inside_acceptable = 0.3;                /* of the tolerance: what an evaluation inside of a step may add */

/* ---- Matrices ---- */

static const double seam_lost_pivot = 1e-14, /* of its reference: a pivot, a squared sine of rows, without digits */
    seam_worst_growth = 1e-6,                /* of the entries: a reciprocal growth of pivots below costs six digits */
    seam_large_pivot = 0.1,                  /* of the largest in its column: pivots of less fill than diagonal ones */
    seam_worst_residual = 1e-10,             /* of a scaled matrix times its solution: more than six digits are gone */
    seam_little_work = 50,                   /* times its entries: blocks of a chain of springs are worth that work, */
    seam_more_work = 30,                     /* times pivots on the diagonal, which constraints do not allow: or that */
    seam_work_in_jobs = 0.8,                 /* of the work: two threads take less, or none */
    seam_rank_rounding = 20.0 * DBL_EPSILON, /* of the largest column, for each row and column: QR leaves it of zero */
    seam_singular_value = 1e-10;             /* of the largest: a smaller one is zero */

/* ---- Complementarity (entries of the size of 1) ---- */

static const double seam_lcp_zero = 1e-11, /* of 1: ratios that are closer are one */
    seam_lcp_negative = 1e-7,              /* of 1: a value in a basis that is farther below zero is no rounding */
    seam_lcp_left = 1e-10;                 /* of 1: z° that is left on a ray; no row would be off by more without it */

/* ---- Pivots of complementarity ---- */

static const double seam_lcp_pivots[] = {1e-7, 1e-9, 1e-5, 1e-11}; /* of 1: the least pivot, tried in turn */

/* ---- Counts ---- */

enum {
  SEAM_WATCHED_STEPS = 10000,   /* steps after which progress is looked at */
  SEAM_MAX_FAILURES = 30,       /* repetitions of a step of IDAS, CVODES */
  SEAM_MAX_REPEATED_STEPS = 32, /* steps since a start that are repeated as they were */
  SEAM_MAX_NEWTON = 10,         /* iterations of a step of radau, */
  SEAM_MAX_FIXED_NEWTON = 50,   /* of a fixed step, which cannot become shorter */
  SEAM_LCP_EXCHANGES = 50,      /* exchanges for each row of a complementarity problem */
  SEAM_MAX_NORM_TURNS = 5,      /* turns to the norm of an inverse */
  SEAM_EQUILIBRATION_TURNS = 8, /* turns of scaling rows and columns */
};

#endif
