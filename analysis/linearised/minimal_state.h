/* A mechanism linearised about a state: in minimal coordinates ζ, and as a first-order system. */
#ifndef ANALYSIS_LINEARISED_MINIMAL_STATE_H
#define ANALYSIS_LINEARISED_MINIMAL_STATE_H

#include "mbs/dynamics/minimal.h"

/* ---- Minimal coordinates ---- */

/* ζ'' = K ζ + D ζ' + Nᵀ δQ (mbs/dynamics/minimal.h) with additional loads δQ. K and D depend on the state's
 * accelerations and multipliers. They exclude the effects of changed model states, and of changed forces that laws
 * read. */
typedef struct analysis_minimal_state {
  mbs_workspace *ws;
  mbs_linearised *linear;
  mbs_minimal *minimal;
} analysis_minimal_state;

/* Linearises about *state, which has accelerations and multipliers. `input`: inputs of a subsystem's ports, or NULL.
 * Call analysis_minimal_state_destroy() whatever the status. Fails with SEAM_NO_MEMORY or SEAM_SINGULAR. */
seam_status analysis_minimal_state_create(analysis_minimal_state *self, const mbs_model *model,
                                          const mbs_port_inputs *input, const mbs_state *state, seam_error *error);
void analysis_minimal_state_destroy(analysis_minimal_state *self);

/* ---- Responses ---- */

/* A change of a linearised mechanism, and its response. n: bodies, m: constraints. */
typedef struct analysis_response {
  double *zeros;         /* (3n) zeros, for no change */
  const double *dq, *dv; /* (3n) δq and δv */
  double *z;             /* (n_states) δz, change of states */
  double *a, *lambda; /* (3n), (m) loads δQ and δγ (mbs/dynamics/linearised.h); the response δa and δλ replaces them */
  double *rates;      /* (n_states) response: change of z' */
  double *zetadd; /* (f) response: ζ'' */
} analysis_response;

/* Returns false if memory is exhausted. Call analysis_response_free() in either case. */
bool analysis_response_create(analysis_response *self, const mbs_model *model);
void analysis_response_free(analysis_response *self);
/* Sets a unit change of component j of (ζ, ζ', z), without loads. Here z are the states state[0], state[1], ... of the
 * model. j = -1: no change. */
void analysis_change(analysis_response *self, const analysis_minimal_state *at, const int *state, int j);
/* Computes the response to the change and the loads. */
void analysis_respond(analysis_response *self, const analysis_minimal_state *at);

/* ---- First-order system ---- */

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
