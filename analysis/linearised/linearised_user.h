/* A subsystem of user equations, linearised about a state of the undivided model. */
#ifndef ANALYSIS_LINEARISED_LINEARISED_USER_H
#define ANALYSIS_LINEARISED_LINEARISED_USER_H

#include "cosim/parts/part.h"

typedef struct analysis_linearised_user {
  cosim_part *part; /* states and signals are deviations, zero at first; NULL after the exchange takes ownership */
  double period;    /* s, sampling period; 0: continuous equations */
  int n_states;
  int *w_of; /* (n_states) indices of the states in the undivided model; NULL: unknown, or some states are integrals */
} analysis_linearised_user;

/* Linearises `part`, which def->user creates. `undivided_model`, with `state`, has quantities named after the states
 * and inputs of the equations; NULL: there is no such model. Call analysis_linearised_user_free() whatever the status.
 * Fails with SEAM_BAD_INPUT if the equations have no derivatives, or if a state or input is not in `undivided_model`;
 * the message names the subsystem. May also fail with SEAM_NO_MEMORY. */
seam_status analysis_linearised_user_create(const cosim_subsystem_def *def, const cosim_part *part,
                                            const mbs_model *undivided_model, const mbs_state *state,
                                            analysis_linearised_user *made, seam_error *error);
void analysis_linearised_user_free(analysis_linearised_user *self);

#endif
