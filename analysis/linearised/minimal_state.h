/* A mechanism linearised about a state, in minimal coordinates. */
#ifndef ANALYSIS_LINEARISED_MINIMAL_STATE_H
#define ANALYSIS_LINEARISED_MINIMAL_STATE_H

#include "mbs/dynamics/minimal.h"

/* z'' = K z + D z' + Nᵀ δQ about *state, with its a and lambda as they are given; K and D are those of constant states,
 * and of constant laws where these follow from the forces. */
typedef struct analysis_minimal_state {
  mbs_workspace *ws;
  mbs_linearised *linear;
  mbs_minimal *minimal;
} analysis_minimal_state;

/* `input` drives the ports of a part; NULL. Free with analysis_minimal_state_destroy() whatever the result.
 * SEAM_NO_MEMORY, SEAM_SINGULAR. */
seam_status analysis_minimal_state_create(analysis_minimal_state *self, const mbs_model *model,
                                          const mbs_port_inputs *input, const mbs_state *state, seam_error *error);
void analysis_minimal_state_destroy(analysis_minimal_state *self);

/* Modes and factors of hard contacts at rest, into the workspace; *at: a state of its own with their forces, NULL where
 * there are none. SEAM_BAD_INPUT where one slides, errors of mbs_evaluate(). */
seam_status analysis_close_contacts(mbs_workspace *ws, const mbs_state *state, mbs_state **at, seam_error *error);

/* Response of a linearised mechanism to changes δq, δv and z, and to loads. */
typedef struct analysis_response {
  double *still;      /* (3n) zero */
  double *z;          /* (n_states) of the change; zero at first */
  double *a, *lambda; /* (3n), (m) the loads δQ and δγ; in their place δa and δλ */
  double *rates;      /* (n_states) z' */
} analysis_response;

/* Creates a response without loads. False: no memory. Free with analysis_response_free(). */
bool analysis_response_create(analysis_response *self, const mbs_model *model);
void analysis_response_free(analysis_response *self);
/* Finds the response along dq, dv (3n each), self->z and the loads. */
void analysis_respond(analysis_response *self, const analysis_minimal_state *at, const double *dq, const double *dv);
void analysis_clear_loads(analysis_response *self, const mbs_model *model);
/* uᵀ M v. */
double analysis_of_masses(const mbs_minimal *m, const double *u, const double *v);

#endif
