/* A linearised mechanism as a first-order system. */
#ifndef ANALYSIS_LINEARISED_FIRST_ORDER_H
#define ANALYSIS_LINEARISED_FIRST_ORDER_H

#include "analysis/linearised/minimal_state.h"

/* x' = A x with x = (ζ, ζ', z): minimal coordinates ζ, and continuous states z of force elements and variables. */
typedef struct analysis_first_order {
  int f;                /* degrees of freedom */
  int n_z;              /* number of continuous states z */
  int *state;           /* (n_z) index of each z among the model's states */
  bool is_second_order; /* the system is only ζ'' = K ζ + D ζ', without z and without laws that read a or λ */
  int n;                /* 2 f + n_z */
  double *matrix;       /* (n x n) A, column by column */
} analysis_first_order;

/* Returns true if a state is continuous: neither sampled, nor a variable without an equation. */
bool analysis_state_is_continuous(const mbs_model *model, int state);

/* Linearises about `at`. Call analysis_first_order_free() whatever the status. Fails with SEAM_NO_MEMORY. */
seam_status analysis_first_order_create(analysis_first_order *self, const analysis_minimal_state *at,
                                        seam_error *error);
void analysis_first_order_free(analysis_first_order *self);

#endif
