/* Finds pose and states of equilibria together, for mechanisms with laws of quantities, variables or skates. */
#ifndef MBS_EQUILIBRIUM_WITH_STATES_H
#define MBS_EQUILIBRIUM_WITH_STATES_H

#include "mbs/model/workspace.h"

/* Finds q and z, with a and lambda, at which nothing accelerates and no variable changes; *state must satisfy g = 0 on
 * entry. weight (3 + 3n): inverse weights of the moves that restore g = 0 after each step (mbs_close_loops_in()).
 * Writes into the report the numbers of steps, of neutral motions and of combinations of variables that the equations
 * do not determine. neutral (n_bodies, may be NULL) marks bodies that neutral motions move. SEAM_NOT_CONVERGED names a
 * variable that drifts, or a body that forces drive. SEAM_NO_MEMORY. */
seam_status mbs_find_equilibrium_with_states(mbs_workspace *ws, const double *weight, mbs_state *state,
                                             mbs_equilibrium *report, bool *neutral, seam_error *error);

/* Returns the text for a search that ends without an equilibrium. It is `cause` if has_halved: aᵀ M a became less than
 * half during the search. Otherwise it says that stiff elements keep steps short or, without stiff elements, that
 * nothing resists the motion. */
const char *mbs_cause_of_end(const mbs_model *model, bool has_halved, const char *cause);

/* Returns SEAM_NOT_CONVERGED; the message has the cause, the body that forces accelerate most, and an element whose
 * friction may keep the mechanism in place. */
seam_status mbs_no_equilibrium(mbs_workspace *ws, const mbs_state *state, const char *cause, seam_error *error);

#endif
