/* A linearised mechanism as a system of first order. */
#ifndef ANALYSIS_LINEARISED_FIRST_ORDER_H
#define ANALYSIS_LINEARISED_FIRST_ORDER_H

#include "analysis/linearised/minimal_state.h"

/* x' = A x with x = (ζ, ζ', z): ζ minimal coordinates, z states of force elements and variables. */
typedef struct analysis_first_order {
  int f;          /* degrees of freedom */
  int n_z;        /* number of states z that vary continuously */
  int *state;     /* (n_z) index of each z among the model's states */
  bool is_plain;  /* the system is only ζ'' = K ζ + D ζ' */
  int n;          /* 2 f + n_z */
  double *matrix; /* (n x n) A, column by column */
} analysis_first_order;

/* Returns true for a state that varies continuously: neither sampled, nor a variable without equation. */
bool analysis_state_moves(const mbs_model *model, int state);

/* Call analysis_first_order_free() whatever the result. SEAM_NO_MEMORY. */
seam_status analysis_first_order_create(analysis_first_order *self, const analysis_minimal_state *at,
                                        seam_error *error);
void analysis_first_order_free(analysis_first_order *self);

#endif
