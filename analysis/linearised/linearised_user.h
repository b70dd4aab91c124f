/* A subsystem of user equations, linearised about a state of the whole. */
#ifndef ANALYSIS_LINEARISED_LINEARISED_USER_H
#define ANALYSIS_LINEARISED_LINEARISED_USER_H

#include "cosim/parts/part.h"

typedef struct analysis_linearised_user {
  cosim_part *part; /* of changes, from zero; its ownership passes to the exchange, which leaves NULL here */
  double period;    /* s, of its samples; 0: in continuous time */
  int n_states;
  int *w_of; /* (n_states) numbers of its states in the whole; NULL: they are not known, or it has integrals */
} analysis_linearised_user;

/* Linearises `part`, which def creates. `whole` (NULL: there is none) has the states and inputs of the equations as
 * quantities with their names. Free with analysis_linearised_user_free() whatever the result. SEAM_BAD_INPUT naming the
 * subsystem: its derivatives are not known, or it is not in the whole; SEAM_NO_MEMORY. */
seam_status analysis_linearised_user_create(const cosim_subsystem_def *def, const cosim_part *part,
                                            const mbs_model *whole, const mbs_state *state,
                                            analysis_linearised_user *made, seam_error *error);
void analysis_linearised_user_free(analysis_linearised_user *self);

#endif
