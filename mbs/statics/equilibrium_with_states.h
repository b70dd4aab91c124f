/* Finds pose and states z of equilibria together, for mechanisms with laws of quantities, variables or skates
 * (constraints on velocities alone). */
#ifndef MBS_EQUILIBRIUM_WITH_STATES_H
#define MBS_EQUILIBRIUM_WITH_STATES_H

#include "mbs/model/workspace.h"

/* Finds q and z, with a and lambda, at which accelerations and rates of variables are zero; *state must satisfy g = 0
 * on entry. weight (3 + 3n): weights in mbs_close_loops_in(), which restores g = 0 after each step. Writes into the
 * report the numbers of steps, of neutral motions, and of combinations of variables that the equations do not
 * determine. neutral (n_bodies, may be NULL) is true for bodies that take part in neutral motions. SEAM_NOT_CONVERGED:
 * the message names a variable that drifts, or a body that forces accelerate. SEAM_NO_MEMORY. */
seam_status mbs_find_equilibrium_with_states(mbs_workspace *ws, const double *weight, mbs_state *state,
                                             mbs_equilibrium *report, bool *neutral, seam_error *error);

/* Returns the reason why a search ended without an equilibrium, for a message. has_halved: aᵀ M a fell below half of
 * its first value during the search; then the reason is `cause`. Otherwise the reason is that stiff elements make steps
 * short or, without stiff elements, that nothing resists the motion. */
const char *mbs_reason_of_failure(const mbs_model *model, bool has_halved, const char *cause);

/* Returns SEAM_NOT_CONVERGED; the message has `cause`, the body that forces accelerate most, and, if there is one, an
 * element whose friction may keep the mechanism at rest. */
seam_status mbs_no_equilibrium(mbs_workspace *ws, const mbs_state *state, const char *cause, seam_error *error);

#endif
