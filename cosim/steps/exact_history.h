/* The past motion of a mechanism, before the start of a co-simulation. */
#ifndef COSIM_STEPS_EXACT_HISTORY_H
#define COSIM_STEPS_EXACT_HISTORY_H

#include "mbs/model/workspace.h"

/* Integrates *state, which is consistent, backwards from t to t - H, and evaluates its a and lambda. The number of
 * steps is doubled until that changes no coordinate, rate or state by more than 1e-12 of the largest one, or of 1.
 * SEAM_NOT_CONVERGED, errors of an evaluation. */
seam_status cosim_integrate_back(mbs_workspace *ws, mbs_state *state, double H, seam_error *error);

#endif
