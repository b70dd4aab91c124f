/* Chosen numbers of the solvers, as in mbs/thresholds.h: `of X` is a ratio to X, `times X` a multiple. Solvers see
 * numbers without units, so none is absolute, except bounds of rounding in scaled problems. Constants of a published
 * method (tableaus, nodes, formulas of [Hairer-Norsett-Wanner] and [Hairer-Wanner]) are in its file. */
#ifndef SOLVERS_THRESHOLDS_H
#define SOLVERS_THRESHOLDS_H

#include <float.h>

/* ---- Steps ---- */

static const double seam_roundings_of_step = 4 * DBL_EPSILON, /* of t: first term of the shortest step, */
    seam_least_step = 1e-20,             /* of the proposed step or the time left: second term of the shortest step */
    seam_shortest_firsts = 100,          /* times the shortest step: shortest first step */
    seam_usual_step = 1e-3,              /* of the time scale: pivots are ordered for this step */
    seam_same_times = 100 * DBL_EPSILON, /* of t + the step: closer times are equal for IDAS */
    seam_same_step = 1e-9,               /* of a step: lengths of steps that differ by less are equal */
    seam_last_step = 1.01,     /* times the step: if less time is left until the stop time, one step covers it */
    seam_cut_step = 0.99,      /* of the step that the error allowed: a shorter step was cut by the stop time */
    seam_step_limit = 1e9,     /* times the mean length of the last steps: a longer run makes no progress, */
    seam_doubtful_limit = 1e8; /* times this mean length: the limit if many steps are rejected or rates may jump */

/* ---- Growth of steps ---- */

static const double seam_safety = 0.9, /* of the step that the error allows: next step */
    seam_largest_growth = 5,           /* times the step: largest next step, */
    seam_least_growth = 0.2,           /* of the step: smallest next step */
    seam_least_repeat = 0.1,           /* of a rejected step: shortest repeated step, */
    seam_failed_repeat = 0.25,         /* of a step whose error is not known: its repetition */
    seam_least_judged = 1e-10,         /* of the tolerance: smaller errors count as this, */
    seam_least_kept = 1e-4,            /* of the tolerance: smaller errors of the step before count as this */
    seam_moved_by_rounding = 1e-11,    /* of an entry's size: less is a projection's rounding */
    seam_relaxed_differs = 0.1, /* of the tolerance: if relaxation changes a projection by less, it is left out */
    seam_ida_growth = 2,        /* times the step: IDAS keeps steps that could grow by less, */
    seam_ida_no_growth = 1e300, /* times the step: used instead after a rejected step, so that no step grows */
    seam_filter_growth = 1.1,   /* times the filter's c (ida.c): largest growth of c in a step */
    seam_worth_filtering = 0.7, /* of the error before filtering: a filter that leaves a smaller error is used again */
    seam_filter_stays = 1.5;    /* times the filter's c: if IDAS's c is larger, the filter uses its own c */

/* ---- First steps ([Hairer-Norsett-Wanner] II.4) ---- */

static const double seam_first_flat = 1e-5, /* of the tolerance: smaller sizes and rates are not used, */
    seam_first_guess = 1e-6,                /* of the time scale: the first guess if sizes or rates are not used */
    seam_first_fraction = 0.01, /* of size / rate: first guess; of the tolerance: error that y' or y'' may cause */
    seam_first_no_bend = 1e-15, /* of the tolerance per time scale: smaller y' and y'' count as zero */
    seam_first_unbent = 1e-3;   /* of the first guess: the first step if y' and y'' are zero */

/* ---- Newton's method in steps ---- */

static const double seam_ida_newton = 0.01, /* of the tolerance: allowed Newton error; 0.33 would spoil high orders */
    seam_ida_newton_rounding = 10 * DBL_EPSILON, /* of an entry: least allowed Newton error */
    seam_radau_newton = 0.03,    /* of rtol^(2/3): tolerance of the estimate; of this tolerance: allowed Newton error */
    seam_newton_hidden = 1e-2,   /* of the allowed Newton error: smaller changes end the iteration */
    seam_newton_stalls = 0.99,   /* of the change before: if a change is larger, the iteration fails */
    seam_newton_tolerable = 0.1, /* of the tolerance: largest change in Newton's method that counts as rounding */
    seam_newton_fast = 0.05,     /* of the change before: if changes fall this fast, J is kept */
    seam_little_growth = 1.1,    /* times the step: less growth is not worth new factors */
    seam_short_fraction = 1e-3,  /* of a step: states so near its beginning may be interpolated instead of iterated */
    seam_rounded_step = 1e6 * DBL_EPSILON, /* of t: states inside shorter steps may be interpolated, too */
    seam_inside_acceptable = 0.3;          /* of the tolerance: largest last term of a good interpolant (inside.h) */

/* ---- Matrices ---- */

static const double seam_lost_pivot = 1e-14, /* of a reference: a smaller pivot (a squared sine) is lost */
    seam_worst_growth = 1e-6, /* of the factors' entries: smaller entries of the matrix mean that six digits are lost */
    seam_large_pivot = 0.1,   /* of the largest entry in a column: a smaller diagonal entry is not taken as pivot */
    seam_worst_residual = 1e-10, /* of a scaled matrix times its solution: larger residuals cost six digits */
    seam_little_work = 50,   /* times the number of entries: blocks that cost less are used, as for spring chains, */
    seam_more_work = 30,     /* times the cost of lu.h with diagonal pivots: blocks that cost less are used, too */
    seam_work_in_jobs = 0.8, /* of the work: jobs are used if two threads take less time */
    seam_rank_rounding = 20.0 * DBL_EPSILON, /* of the largest column's norm, times rows + columns: less is rounding */
    seam_singular_value = 1e-10;             /* of the largest singular value: smaller values are zero */

/* ---- Complementarity (entries of the size of 1) ---- */

static const double seam_lcp_zero = 1e-11, /* of 1: closer ratios are equal */
    seam_lcp_negative = 1e-7,              /* of 1: a basic value farther below zero is not rounding, ... */
    seam_lcp_rounding = 64 * DBL_EPSILON,  /* of the terms of a row: ... unless rounding of this size explains it */
    seam_lcp_left = 1e-10;                 /* of 1: largest z° on a ray that still counts as a solution */

/* ---- Pivots of complementarity ---- */

static const double seam_lcp_pivots[] = {1e-7, 1e-9, 1e-5, 1e-11}; /* of 1: least pivots, tried one after the other */

/* ---- Counts ---- */

enum {
  SEAM_WATCHED_STEPS = 10000,   /* steps between checks of progress */
  SEAM_MAX_FAILURES = 30,       /* repetitions of a step by IDAS and CVODES */
  SEAM_MAX_REPEATED_STEPS = 32, /* steps since a start that can be repeated */
  SEAM_MAX_NEWTON = 10,         /* iterations of a step of radau, */
  SEAM_MAX_FIXED_NEWTON = 50,   /* iterations of a fixed step, which cannot become shorter */
  SEAM_LCP_PIVOTS = 50,         /* most exchanges for each row of a complementarity problem */
  SEAM_MAX_NORM_TURNS = 5,      /* iterations in the estimate of an inverse's norm */
  SEAM_EQUILIBRATION_TURNS = 8, /* passes of scaling rows and columns */
};

#endif
