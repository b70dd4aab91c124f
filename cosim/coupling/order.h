/* Evaluation of outputs with feedthrough, each one after the outputs on which it depends. */
#ifndef COSIM_ORDER_H
#define COSIM_ORDER_H

#include <stdbool.h>

#include <seam/status.h>

typedef struct cosim_exchange cosim_exchange;

/* Occasions of an evaluation, and the outputs that are evaluated then. At the start: all except motions of bodies. At
 * macro points: outputs of algebraic parts, and outputs in loops. At samples: outputs with feedthrough from sampled
 * outputs. */
typedef enum cosim_occasion { COSIM_AT_START, COSIM_AT_POINTS, COSIM_AT_SAMPLES, COSIM_N_OCCASIONS } cosim_occasion;

/* An input or output of a member of an exchange. */
typedef struct cosim_terminal {
  int member, number;
} cosim_terminal;

/* Outputs of one member that are evaluated together, or the outputs of an algebraic loop. */
typedef struct cosim_group {
  int first, n; /* range in `nodes` */
  bool is_loop;
} cosim_group;

typedef struct cosim_order {
  cosim_terminal *nodes; /* outputs, in the order of dependence */
  cosim_group *groups;
  int n_nodes, n_groups;
  int n_in_loop;   /* number of nodes of the largest loop */
  double *scratch; /* memory of Newton's method; NULL: not needed yet */
  int *pivots;
} cosim_order;

/* Finds the order of evaluation on one occasion. The exchange must have its members and links. Free with
 * cosim_order_free(), also after a failure. SEAM_NO_MEMORY. */
seam_status cosim_order_find(const cosim_exchange *exchange, cosim_occasion occasion, cosim_order *order,
                             seam_error *error);
void cosim_order_free(cosim_order *order);

/* Evaluates the outputs order->nodes of the members that have reached t. A link transmits the newest output of its
 * source. If the source has not reached t, the link transmits the end value of its hold. H: length of a macro step. A
 * part that cannot evaluate outputs takes a step of 1e-9 H and is restored. SEAM_NOT_CONVERGED naming a loop;
 * SEAM_NOT_FINITE and errors of a part, both naming the part. */
seam_status cosim_order_evaluate(cosim_exchange *exchange, cosim_order *order, double t, double H, seam_error *error);

#endif
