/* Outputs that follow inputs at once, in the order in which they depend on each other. */
#ifndef COSIM_EXCHANGE_ORDER_H
#define COSIM_EXCHANGE_ORDER_H

#include <stdbool.h>

#include <seam/status.h>

typedef struct cosim_exchange cosim_exchange;

/* Occasions on which outputs are evaluated: at the start all but motions of bodies; at the end of steps those of parts
 * without states, and those in loops, where no part comes last; at samples those that depend on samples at once. */
typedef enum cosim_occasion { COSIM_AT_START, COSIM_AT_POINTS, COSIM_AT_SAMPLES, COSIM_N_OCCASIONS } cosim_occasion;

/* An input or output of a member of an exchange. */
typedef struct cosim_terminal {
  int member, number;
} cosim_terminal;

/* Outputs of one member that are evaluated at once, or of a loop. */
typedef struct cosim_group {
  int first, n; /* among the nodes */
  bool is_loop;
} cosim_group;

typedef struct cosim_order {
  cosim_terminal *nodes; /* outputs, those on which others depend first */
  cosim_group *groups;
  int n_nodes, n_groups;
  int n_in_loop;   /* nodes of the largest one */
  double *scratch; /* of Newton's method in it; NULL: not needed yet */
  int *pivots;
} cosim_order;

/* Finds the order for an exchange with members, links and scratch. Free with cosim_order_free() whatever the result.
 * SEAM_NO_MEMORY. */
seam_status cosim_order_find(const cosim_exchange *exchange, cosim_occasion occasion, cosim_order *order,
                             seam_error *error);
void cosim_order_free(cosim_order *order);

/* Evaluates the newest outputs of these nodes, of members that have reached the time t, under the newest values of the
 * links; where the source of a link has not reached it, under the value that the link holds there. H: length of a macro
 * step; a part that cannot evaluate outputs takes a step too short beside H to change it, and goes back.
 * SEAM_NOT_CONVERGED naming a loop; SEAM_NOT_FINITE, or the error of a part, naming it. */
seam_status cosim_order_evaluate(cosim_exchange *exchange, cosim_order *order, double t, double H, seam_error *error);

#endif
