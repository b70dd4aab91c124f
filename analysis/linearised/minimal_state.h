/* A mechanism linearised about a state, in minimal coordinates. */
#ifndef ANALYSIS_LINEARISED_MINIMAL_STATE_H
#define ANALYSIS_LINEARISED_MINIMAL_STATE_H

#include "mbs/minimal.h"

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

#endif
