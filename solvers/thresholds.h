/* Chosen numbers of the solvers. `of X` and `times X` mean that the number is multiplied by X, as in mbs/thresholds.h.
 * Solvers work with numbers without units, so no threshold is absolute. `of 1` is used in scaled problems. A step is
 * one of the integrator, h its length; the tolerance is the error that a step may have. Constants of a published method
 * (tableaus, nodes, formulas of [Hairer-Norsett-Wanner] and [Hairer-Wanner]) are in its file. */
#ifndef SOLVERS_THRESHOLDS_H
#define SOLVERS_THRESHOLDS_H

#include <float.h>

/* ---- Steps ---- */

static const double seam_roundings_of_step = 4 * DBL_EPSILON, /* of |t|: least length of a step, plus the next term */
    seam_least_step = 1e-20,             /* of the proposed step: added to this least length, for the case t = 0 */
    seam_shortest_first = 100,           /* times this least length: the first guess of the first step is not shorter */
    seam_typical_step = 1e-3,            /* of the time scale: pivots are ordered for a step of this length */
    seam_slowest_rate = 1e-3,            /* of 1/(time scale): least |y'|/|y| assumed for the first step of IDAS */
    seam_same_times = 100 * DBL_EPSILON, /* of |t| plus the step: IDAS treats times that differ by less as equal */
    seam_same_step = 1e-9,               /* of a step: two steps are equal if their lengths differ by less */
    seam_last_step = 1.01, /* times the step: if no more time is left until the stop time, one step covers all of it */
    seam_cut_step = 0.99,  /* of the wanted step: if the stop time made a step shorter than this, its error does
                              not limit the next step */
    seam_most_steps = 1e9, /* times the mean of the last 10000 steps: a longer run is stopped, as it hardly advances */
    seam_most_doubtful_steps = 1e8; /* times the same mean: the same limit if many steps fail or rates may jump */

/* ---- Growth of steps ---- */

static const double seam_safety = 0.9, /* of the step whose error would equal the tolerance: length of the next step */
    seam_largest_growth = 5,           /* times the step: the next step is at most this long */
    seam_least_growth = 0.2,           /* of an accepted step: the next step is at least this long */
    seam_least_repeat = 0.1,           /* of a rejected step: its repetition is at least this long */
    seam_failed_repeat = 0.25, /* of a step that failed before its error was known: its repetition has this length */
    seam_least_error = 1e-10,  /* of the tolerance: a smaller error counts as this in the choice of the next step */
    seam_least_previous_error = 1e-4, /* of the tolerance: a smaller error of the previous step counts as this too */
    seam_projection_rounding = 1e-11, /* of an entry: a smaller change by projection does not reject the step, if
                                         projection removes only round-off */
    seam_relaxed_differs = 0.1, /* of the tolerance: relaxation (cvode.c) that alters a projection by less is skipped */
    seam_ida_growth = 2,        /* times the step: if the error allows less for the next step, IDAS keeps the length */
    seam_ida_no_growth = 1e300, /* times the step: replaces seam_ida_growth after a rejected step, so that none grows */
    seam_filter_growth = 1.1,   /* times c_filter (ida.c): c_filter becomes at most this large in a step */
    seam_filter_gain = 0.7,  /* of an error: if the filter (ida.c) reduces it below this, later errors are filtered */
    seam_filter_limit = 1.5; /* times c_filter: if IDAS's coefficient cj is larger, the filter uses c_filter instead */

/* ---- First steps (a trial step shows y'', which gives the first step; [Hairer-Norsett-Wanner] II.4) ---- */

static const double seam_first_small = 1e-5, /* of the tolerance: seam_first_guess is used if y, or y' times the
                                                time scale, is smaller */
    seam_first_guess = 1e-6,                 /* of the time scale: trial step if seam_first_small applies */
    seam_first_fraction = 0.01, /* of y: change in the trial step; of the tolerance: error wanted in erk's first step */
    seam_first_zero_rate = 1e-15,  /* of the tolerance, per time scale: if y' and y'' are smaller, they count as zero */
    seam_first_if_constant = 1e-3; /* of the trial step: first step of erk if y' and y'' count as zero */

/* ---- Newton's iteration in steps; states inside a step of radau ---- */

static const double seam_ida_newton = 0.01, /* of the tolerance: error that Newton's iteration of IDAS may leave; IDAS's
                                               own 0.33 spoils high orders */
    seam_ida_newton_rounding = 10 * DBL_EPSILON, /* of an entry: iteration may always leave this error, a round-off */
    seam_radau_tolerance = 0.03,   /* of rtol^(2/3), of atol^(2/3): tolerances of radau's error estimate */
    seam_radau_newton = 0.03,      /* of radau's tolerance: largest error that Newton's iteration may leave */
    seam_newton_negligible = 1e-2, /* of that largest error: if a change is smaller, radau's iteration ends */
    seam_newton_stalls = 0.99,     /* of the previous change: if a change is larger, radau's iteration has failed */
    seam_newton_tolerable = 0.1,   /* of the tolerance: a failed iteration is accepted if its last change is smaller */
    seam_newton_fast = 0.05,  /* of the previous change: if changes are smaller, radau's next step keeps the Jacobian */
    seam_little_growth = 1.1, /* times the step: if the error allows less, radau keeps its length, and so its factors */
    seam_short_fraction = 1e-3,  /* of a step: if Newton's iteration for a state inside fails, the state is
                                    interpolated if its time from the step's beginning is shorter */
    seam_shortest_inside = 1e-6, /* of the way from a step's beginning to a state inside it: no shorter step is tried */
    seam_rounded_step = 1e6 * DBL_EPSILON, /* of t: if iteration fails, states inside shorter steps are interpolated */
    seam_inside_acceptable = 0.3; /* of the tolerance: an interpolant (inside.h) is used if its last term is smaller */

/* ---- Matrices ---- */

static const double seam_lost_pivot = 1e-14, /* of a pivot's terms: if their sum is smaller, the matrix is singular */
    seam_worst_growth = 1e-6, /* of a column's largest entry in U: if that in A is smaller, new pivots are chosen */
    seam_large_pivot = 0.1,   /* of the largest entry in a column: a smaller diagonal entry is not used as the pivot */
    seam_worst_residual = 1e-10, /* of max |E_ij| max(1, |x_i|): if blocks leave more in E x = b, lu.h replaces them */
    seam_little_work = 50,   /* times a Newton matrix's entries: blocks are used if they need fewer multiplications */
    seam_more_work = 30,     /* times the least multiplications of lu.h: blocks are also used if they need fewer */
    seam_work_in_jobs = 0.8, /* of all work: it is divided into jobs if the longest one and the remainder take less */
    seam_rank_rounding = 20.0 * DBL_EPSILON, /* of (rows + columns) max |column|: smaller diagonals of R count as 0 */
    seam_singular_value = 1e-10;             /* of the largest singular value: smaller values count as zero */

/* ---- Complementarity (Lemke's method, lcp.c; entries of the size of 1) ---- */

static const double seam_lcp_zero = 1e-11, /* of 1: two ratios of the ratio test that differ by less are equal */
    seam_lcp_negative = 1e-7,              /* of 1: a basic variable may be this far below zero in a solution */
    seam_lcp_rounding = 64 * DBL_EPSILON,  /* of the sum of a row's terms (absolute values): rounding of this sum */
    seam_lcp_ray_end = 1e-10; /* of 1: if the method ends on a ray, but z° is smaller, it has found a solution */

/* ---- Pivots of complementarity ---- */

static const double seam_lcp_pivots[] = {1e-7, 1e-9, 1e-5, 1e-11}; /* of 1: least pivot; the next if a search fails */

/* ---- Counts ---- */

enum {
  SEAM_STEPS_BETWEEN_CHECKS = 10000, /* steps after which progress is checked again (seam_most_steps) */
  SEAM_MAX_FAILURES = 30,            /* failed trials of one step, after which IDAS and CVODES give up */
  SEAM_MAX_REPEATED_STEPS = 32,      /* steps since a start that are stored; after more, they cannot be repeated */
  SEAM_MAX_NEWTON = 10, /* Newton iterations in a step of radau; if they do not suffice, it takes a shorter step */
  SEAM_MAX_FIXED_NEWTON = 50,    /* the same for steps of fixed length, which cannot become shorter */
  SEAM_LCP_PIVOTS = 50,          /* exchanges for each row of a complementarity problem, after which a search fails */
  SEAM_MAX_NORM_ITERATIONS = 5,  /* iterations, at most, that estimate the norm of an inverse */
  SEAM_EQUILIBRATION_PASSES = 8, /* times that rows and columns are scaled before singular values are computed */
};

#endif
