/* The past motion of a mechanism, before the start of a co-simulation. */
#ifndef COSIM_STEPS_EXACT_HISTORY_H
#define COSIM_STEPS_EXACT_HISTORY_H

#include "mbs/model/workspace.h"

/* Integrates *state, which is consistent, backwards from t to t - H, and evaluates its a and lambda. The number of
 * steps is doubled until no number in (q, v, z) changes by more than 1e-12 times the larger of 1 and the largest
 * number. SEAM_NOT_CONVERGED: even COSIM_MAX_HISTORY_STEPS are too few. Errors of mbs_evaluate(). */
seam_status cosim_integrate_back(mbs_workspace *ws, mbs_state *state, double H, seam_error *error);

#endif
