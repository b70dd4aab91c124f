/* Chosen numbers of the solvers. `of X` and `times X` mean that the number is multiplied by X, as in mbs/thresholds.h.
 * Solvers work with numbers without units, so no threshold is absolute. `of 1` is used in scaled problems. Constants of
 * a published method (tableaus, nodes, formulas of [Hairer-Norsett-Wanner] and [Hairer-Wanner]) are in its file. */
#ifndef SOLVERS_THRESHOLDS_H
#define SOLVERS_THRESHOLDS_H

#include <float.h>

/* ---- Steps ---- */

static const double seam_roundings_of_step = 4 * DBL_EPSILON, /* of |t|: first of two terms of the shortest step */
    seam_least_step = 1e-20,   /* of h in seam_shortest_step(t, h): second of two terms of the shortest step */
    seam_shortest_first = 100, /* times the shortest step: the first step is not shorter */
    seam_typical_step = 1e-3,  /* of the time scale: the order of pivots is chosen for this step */
    seam_same_times = 100 * DBL_EPSILON, /* of t plus the step: times that differ by less are equal for IDAS */
    seam_same_step = 1e-9,               /* of a step: lengths of steps that differ by less are equal */
    seam_last_step = 1.01,     /* times the step: if less time is left until the stop time, one step covers it */
    seam_cut_step = 0.99,      /* of the step that the error allowed: a shorter step was cut by the stop time */
    seam_step_limit = 1e9,     /* times the mean length of the last steps: if the run is longer, it makes no progress */
    seam_doubtful_limit = 1e8; /* times the same mean: replaces seam_step_limit if many steps fail or rates may jump */

/* ---- Growth of steps ---- */

static const double seam_safety = 0.9, /* of the step that the error allows: next step */
    seam_largest_growth = 5,           /* times the step: the next step is not longer */
    seam_least_growth = 0.2,           /* of the step: the next step is not shorter */
    seam_least_repeat = 0.1,           /* of a rejected step: its repetition is not shorter */
    seam_failed_repeat = 0.25,         /* of a step whose error is not known: length of its repetition */
    seam_least_error = 1e-10,          /* of the tolerance: a smaller error of the step counts as this */
    seam_least_previous_error = 1e-4,  /* of the tolerance: a smaller error of the previous step counts as this */
    seam_projection_rounding = 1e-11,  /* of an entry's size: smaller changes by a projection are rounding */
    seam_relaxed_differs = 0.1,        /* of the tolerance: relaxation that changes a projection by less is left out */
    seam_ida_growth = 2,               /* times the step: if the step could only grow by less, IDAS keeps its length */
    seam_ida_no_growth = 1e300, /* times the step: replaces seam_ida_growth after a rejected step; then no step grows */
    seam_filter_growth = 1.1,   /* times c_filter (ida.c): c_filter grows by no more in a step */
    seam_filter_gain = 0.7,     /* of the error before filtering: a filter that leaves a smaller error is used again */
    seam_filter_limit = 1.5;    /* times c_filter: if cj (ida.c) is larger, the filter uses c_filter instead */

/* ---- First steps ([Hairer-Norsett-Wanner] II.4) ---- */

static const double seam_first_small = 1e-5, /* of the tolerance: for smaller y or y' seam_first_guess is used */
    seam_first_guess = 1e-6,    /* of the time scale: first guess if the size or the rate of y is too small */
    seam_first_fraction = 0.01, /* of size / rate of y: first guess; also of the tolerance: error of erk's first step */
    seam_first_zero_rate = 1e-15,  /* of the tolerance per time scale: smaller y' and y'' count as zero */
    seam_first_if_constant = 1e-3; /* of the first guess: the first step if y' and y'' are zero */

/* ---- Newton's method in steps ---- */

static const double seam_ida_newton = 0.01, /* of the tolerance: allowed Newton error; IDAS's 0.33 spoils high orders */
    seam_ida_newton_rounding = 10 * DBL_EPSILON, /* of an entry: least allowed Newton error */
    seam_radau_newton = 0.03,      /* of rtol^(2/3): tolerance of the error estimate; of this tolerance: Newton error */
    seam_newton_negligible = 1e-2, /* of the allowed Newton error: smaller changes end the iteration */
    seam_newton_stalls = 0.99,     /* of the previous change: if a change is larger, the iteration fails */
    seam_newton_tolerable = 0.1,   /* of the tolerance: in an iteration that fails, a smaller last change is rounding */
    seam_newton_fast = 0.05,       /* of the previous change: if changes are smaller, the next step uses the same J */
    seam_little_growth = 1.1,      /* times the step: less growth is not worth new factors */
    seam_short_fraction = 1e-3,    /* of a step: states so near its beginning may be interpolated instead of iterated */
    seam_shortest_inside = 1e-6, /* of the time from a step's beginning to a state inside: no shorter steps are taken */
    seam_rounded_step = 1e6 * DBL_EPSILON, /* of t: states inside shorter steps may also be interpolated */
    seam_inside_acceptable = 0.3;          /* of the tolerance: largest last term of a good interpolant (inside.h) */

/* ---- Matrices ---- */

static const double seam_lost_pivot = 1e-14, /* of a pivot's reference: a smaller pivot is only rounding */
    seam_worst_growth = 1e-6, /* of a column's largest entry in U: if that in A is smaller, other pivots are chosen */
    seam_large_pivot = 0.1,   /* of the largest entry in a column: a smaller diagonal entry is not used as pivot */
    seam_worst_residual = 1e-10, /* of max |E_ij| max(1, |x_i|): if the residual of E x = b is larger, lu.h is used */
    seam_little_work = 50,       /* times the number of the matrix's entries: blocks that cost less are used */
    seam_more_work = 30,         /* times the cost of lu.h with diagonal pivots: blocks that cost less are also used */
    seam_work_in_jobs = 0.8,     /* of all work: jobs are used if the costliest one and the remainder take less */
    seam_rank_rounding = 20.0 * DBL_EPSILON, /* of (rows + columns) times the largest column's norm: less is rounding */
    seam_singular_value = 1e-10;             /* of the largest singular value: smaller values are zero */

/* ---- Complementarity (entries of the size of 1) ---- */

static const double seam_lcp_zero = 1e-11, /* of 1: ratios that differ by less are equal */
    seam_lcp_negative = 1e-7,              /* of 1: basic values this far below zero are accepted as zero */
    seam_lcp_rounding = 64 * DBL_EPSILON,  /* of the terms of a row: rounding of their sum */
    seam_lcp_ray_end = 1e-10;              /* of 1: largest z° on a ray that still counts as a solution */

/* ---- Pivots of complementarity ---- */

static const double seam_lcp_pivots[] = {1e-7, 1e-9, 1e-5, 1e-11}; /* of 1: least pivots, tried one after the other */

/* ---- Counts ---- */

enum {
  SEAM_STEPS_BETWEEN_CHECKS = 10000, /* steps between checks of progress */
  SEAM_MAX_FAILURES = 30,            /* repetitions of a step by IDAS and CVODES */
  SEAM_MAX_REPEATED_STEPS = 32,      /* steps since a start that can be repeated */
  SEAM_MAX_NEWTON = 10,              /* iterations of a step of radau */
  SEAM_MAX_FIXED_NEWTON = 50,        /* iterations of a fixed step, which cannot become shorter */
  SEAM_LCP_PIVOTS = 50,              /* most exchanges for each row of a complementarity problem */
  SEAM_MAX_NORM_ITERATIONS = 5,      /* iterations in the estimate of an inverse's norm */
  SEAM_EQUILIBRATION_PASSES = 8,     /* passes of scaling rows and columns */
};

#endif
