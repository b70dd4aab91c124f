/* Equilibria of a mechanism with laws of quantities, variables or skates: pose and states together. */
#ifndef MBS_EQUILIBRIUM_WITH_STATES_H
#define MBS_EQUILIBRIUM_WITH_STATES_H

#include "mbs/model/workspace.h"

/* Finds q and z, with a and lambda, at which nothing accelerates and no variable changes; *state meets g = 0 before.
 * weight (3 + 3n): W of a step's return to g = 0. Adds steps, neutral motions (of bodies: neutral, may be NULL) and
 * variables that keep a value to the report. SEAM_NOT_CONVERGED names a variable that drifts, or a body that forces
 * drive. SEAM_NO_MEMORY. */
seam_status mbs_find_equilibrium_with_states(mbs_workspace *ws, const double *weight, mbs_state *state,
                                             mbs_equilibrium *report, bool *neutral, seam_error *error);

/* Returns the reason why a search ends without an equilibrium: `cause`, or that nothing resists, if forces did not even
 * halve and no stiff element explains that. */
const char *mbs_cause_of_end(const mbs_model *model, bool has_halved, const char *cause);

/* SEAM_NOT_CONVERGED: names the body that forces drive most, and friction that may hold it. */
seam_status mbs_no_equilibrium(mbs_workspace *ws, const mbs_state *state, const char *cause, seam_error *error);

#endif
