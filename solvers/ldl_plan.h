/* Contents of a plan of solvers/ldl.h. A position is a block's number in the sequence of elimination. The plan replaces
 * the pattern's sequence by one that has the same elimination tree and contiguous subtrees. */
#ifndef SOLVERS_LDL_PLAN_H
#define SOLVERS_LDL_PLAN_H

#include "solvers/ldl.h"

/* A column of blocks of the factors, `order` columns of numbers. Its values are stored row by row: the diagonal block,
 * then the `height` rows below. Updates, runs and spans of all columns are listed in the order of `schedule`. */
typedef struct seam_ldl_column {
  int order;
  int height;
  int n_below; /* number of blocks below */
  int n_spans; /* number of spans of the rows below */
  int first;   /* number of the first pivot, in the sequence of elimination */
  int first_value;
} seam_ldl_column;

/* Update of a later column by the column that is being eliminated. Z are the rows of one block below the eliminated
 * column's diagonal, L the rows from this block on (ldl.c). The later column has its diagonal block at the position of
 * this block, and L Zᵀ is subtracted from it. The next n_runs runs are its affected rows. */
typedef struct seam_ldl_update {
  int order; /* order of the block below */
  int n_runs;
} seam_ldl_update;

/* Rows that are consecutive in the column being eliminated and in the later column that it updates. */
typedef struct seam_ldl_run {
  int target; /* index of the first value of these rows in the later column */
  int n_rows;
} seam_ldl_run;

/* Rows with consecutive pivots. */
typedef struct seam_ldl_span {
  int first;
  int n_rows;
} seam_ldl_span;

/* A column with at most one block below the diagonal; links are listed in the order of elimination. */
typedef struct seam_ldl_link {
  int kind;                       /* 4 times the order of the block, plus the order of the block below (0: none) */
  int value;                      /* index of the column's first value */
  int target;                     /* index of the first value of the column that the link updates */
  int pivot;                      /* number of the first pivot */
  int first_unknown, first_below; /* indices in the right side: column, block below */
} seam_ldl_link;

enum { SEAM_LDL_JOBS = 2 };

/* Columns that are eliminated one after the other. Jobs are independent of each other, except the last one. This one,
 * called the remainder, needs the others, and is done after them. */
typedef struct seam_ldl_job {
  int column, end_column; /* range in the schedule of the plan */
  int update, run;        /* first update and first run */
  int span, end_span;
  int pivot, end_pivot;
} seam_ldl_job;

/* A plan. It has only the remainder if the matrix is small, or if jobs would not save time.
 *
 * The remainder's columns come last, and so do their n_shared_values values and n_shared_pivots unknowns. Each job
 * subtracts from its own copies of these values and unknowns. The copies are zero at first; they are stored job by job
 * after all values and unknowns. The remainder first adds up the copies, always in one order. */
struct seam_ldl_plan {
  int n_blocks;
  int n_jobs; /* number of jobs without the remainder */
  seam_ldl_job job[SEAM_LDL_JOBS + 1];
  int n_shared_values, n_shared_pivots; /* 0 without jobs */
  int n_unknowns;
  int n_values;
  int largest_height;
  int *schedule;            /* (n_blocks) positions of columns in the order of their elimination */
  int *position;            /* (n_blocks) position of each block */
  int *unknown;             /* (n_unknowns) unknown of each pivot */
  int *start;               /* (n_blocks + 1) first index of each position in `below` */
  int *below;               /* positions of the blocks below the diagonal, column by column, ascending in each column */
  int *row;                 /* first row of each block below within its column; the diagonal block begins with row 0 */
  seam_ldl_column *columns; /* (n_blocks) */
  seam_ldl_update *updates;
  seam_ldl_run *runs;
  seam_ldl_span *spans;
  seam_ldl_link *links; /* (n_blocks); NULL: there are jobs, or a column has several blocks below */
};

/* Returns the number of multiplications for column k. */
double seam_ldl_column_cost(const seam_ldl_plan *plan, int k);

#endif
