/* A mechanism linearised about a state, in minimal coordinates. */
#ifndef ANALYSIS_LINEARISED_MINIMAL_STATE_H
#define ANALYSIS_LINEARISED_MINIMAL_STATE_H

#include "mbs/dynamics/minimal.h"

/* z'' = K z + D z' + Nᵀ δQ for minimal coordinates z about a state, with loads δQ. K and D depend on the state's a and
 * lambda. They leave out changes of model states, and changes of the forces that laws read. */
typedef struct analysis_minimal_state {
  mbs_workspace *ws;
  mbs_linearised *linear;
  mbs_minimal *minimal;
} analysis_minimal_state;

/* Linearises `model` about *state, which has a and lambda. `input`: inputs of a part's ports, or NULL. Call
 * analysis_minimal_state_destroy() whatever the result. SEAM_NO_MEMORY, SEAM_SINGULAR. */
seam_status analysis_minimal_state_create(analysis_minimal_state *self, const mbs_model *model,
                                          const mbs_port_inputs *input, const mbs_state *state, seam_error *error);
void analysis_minimal_state_destroy(analysis_minimal_state *self);

/* If the model has hard contacts, finds which are closed in *state, and sets their discrete states and factors in the
 * workspace. Makes *at a new state with the contacts' forces. Without hard contacts *at stays as it is. SEAM_BAD_INPUT
 * if a contact slides; errors of mbs_accelerate(). */
seam_status analysis_close_contacts(mbs_workspace *ws, const mbs_state *state, mbs_state **at, seam_error *error);

/* Response of a linearised mechanism to changes δq, δv and z, and to loads. */
typedef struct analysis_response {
  double *still;      /* (3n) zeros */
  double *z;          /* (n_states) change of states; zero at first */
  double *a, *lambda; /* (3n), (m) in: loads δQ and δγ; out: δa and δλ */
  double *rates;      /* (n_states) z' */
} analysis_response;

/* Creates a response without loads. Returns false if memory is exhausted. Free with analysis_response_free(). */
bool analysis_response_create(analysis_response *self, const mbs_model *model);
void analysis_response_free(analysis_response *self);
/* Finds the response to dq, dv (3n each), self->z and the loads in self->a and lambda, which the response replaces. */
void analysis_respond(analysis_response *self, const analysis_minimal_state *at, const double *dq, const double *dv);
void analysis_clear_loads(analysis_response *self, const mbs_model *model);
/* Returns uᵀ M v. */
double analysis_of_masses(const mbs_minimal *m, const double *u, const double *v);

#endif
