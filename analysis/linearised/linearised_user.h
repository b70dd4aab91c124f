/* A subsystem of user equations, linearised about a state of the whole model. */
#ifndef ANALYSIS_LINEARISED_LINEARISED_USER_H
#define ANALYSIS_LINEARISED_LINEARISED_USER_H

#include "cosim/parts/part.h"

typedef struct analysis_linearised_user {
  cosim_part *part; /* linear part; its states and signals are deviations, zero at first; NULL after the exchange takes
                       ownership */
  double period;    /* s, between samples; 0: continuous */
  int n_states;
  int *w_of; /* (n_states) numbers of states in the whole model; NULL: unknown, or some are integrals */
} analysis_linearised_user;

/* Linearises `part`, which def->user creates. `whole` (NULL: none) has quantities with the names of the equations'
 * states and inputs. Call analysis_linearised_user_free() whatever the result. SEAM_BAD_INPUT, with the subsystem's
 * name: its derivatives are not known, or it is not in the whole model; SEAM_NO_MEMORY. */
seam_status analysis_linearised_user_create(const cosim_subsystem_def *def, const cosim_part *part,
                                            const mbs_model *whole, const mbs_state *state,
                                            analysis_linearised_user *made, seam_error *error);
void analysis_linearised_user_free(analysis_linearised_user *self);

#endif
