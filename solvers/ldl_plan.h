/* Inside of a plan of solvers/ldl.h. A place is a block's number in the sequence of elimination: that of the pattern,
 * or one with the same elimination tree whose subtrees are not mixed. */
#ifndef SOLVERS_LDL_PLAN_H
#define SOLVERS_LDL_PLAN_H

#include "solvers/ldl.h"
#include "solvers/ldl_forest.h"

/* The factors' column of blocks at one place: `order` columns of numbers. Its values are row by row: the diagonal
 * block, then `height` rows of the blocks below. Updates, runs and spans are in the order of turns. */
typedef struct seam_ldl_column {
  int order;
  int height;
  int n_below; /* blocks */
  int n_spans; /* of the rows below */
  int first;   /* number of its first pivot; pivots are numbered in the sequence of elimination */
  int first_value;
} seam_ldl_column;

/* Update by the rows of one block below: they are subtracted from the column of that block, in the next n_runs runs. */
typedef struct seam_ldl_update {
  int order; /* of the block */
  int n_runs;
} seam_ldl_update;

/* Rows of a column that follow each other in the column of their target, too. */
typedef struct seam_ldl_run {
  int target; /* first value */
  int n_rows;
} seam_ldl_run;

/* Rows whose pivots follow each other. */
typedef struct seam_ldl_span {
  int first;
  int n_rows;
} seam_ldl_span;

/* Neighbours of each of n nodes: of[start[i]] to of[start[i + 1] - 1], repeated as in the edges. */
typedef struct seam_graph {
  int *start, *of;
} seam_graph;

/* Ends of edges are renamed by name (NULL: not). Each edge leads from its smaller end to the larger, or both ways.
 * False: no memory; destroy it all the same. */
bool seam_graph_create(seam_graph *graph, int n, int n_edges, const int (*edge)[2], const int *name, bool both_ways);
void seam_graph_destroy(seam_graph *graph);

enum { SEAM_LDL_JOBS = 2 };

/* Columns that follow each other in turns, and what belongs to them. The last job is the rest: it is done after all
 * others, which do not wait for each other. */
typedef struct seam_ldl_job {
  int turn, end_turn;
  int update, run; /* the first ones */
  int span, end_span;
  int pivot, end_pivot;
} seam_ldl_job;

/* A plan. Small matrices, and those for which jobs do not pay, have the rest alone.
 *
 * Columns of the rest come last, and so do their n_shared_values values and n_shared_pivots unknowns. Each job
 * subtracts from copies of these, which are its own, lie behind the values and unknowns, job by job, and are zero
 * before. The rest begins with the sum: the order of additions does not depend on who is first. */
struct seam_ldl_plan {
  int n_blocks;
  int n_jobs; /* without the rest */
  seam_ldl_job job[SEAM_LDL_JOBS + 1];
  int n_shared_values, n_shared_pivots; /* 0 without jobs */
  int n_unknowns;
  int n_values;
  int largest_height;
  int *turn;                /* (n_blocks) the places in the order in which they are worked on */
  int *place;               /* (n_blocks) of each block */
  int *unknown;             /* (n_unknowns) of each pivot */
  int *start;               /* (n_blocks + 1) in `below` */
  int *below;               /* places of the blocks below, in ascending order, place by place */
  int *row;                 /* of each of them, the first in its column, counted from the diagonal block's */
  seam_ldl_column *columns; /* (n_blocks) */
  seam_ldl_update *updates;
  seam_ldl_run *runs;
  seam_ldl_span *spans;
  seam_ldl_link *links; /* (n_blocks); NULL: a column has more than one block below it, or there are jobs */
};

/* The parent of a column in the elimination tree; n_blocks: it has none. */
int seam_ldl_parent(const seam_ldl_plan *plan, int k);
double seam_ldl_column_cost(const seam_ldl_plan *plan, int k);

/* Divides the places of a plan, known up to the pattern: sorted (n_blocks) job by job, then the rest; n_places of each
 * job, all 0 where the rest is all. False: no memory. */
bool seam_ldl_divide(const seam_ldl_plan *plan, int *sorted, int n_places[SEAM_LDL_JOBS]);

#endif
