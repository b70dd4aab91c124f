/* The past of a mechanism before the start of a co-simulation. */
#ifndef COSIM_MECHANISM_EXACT_HISTORY_H
#define COSIM_MECHANISM_EXACT_HISTORY_H

#include "mbs/model/workspace.h"

/* Integrates *state, which is consistent, backwards from t to t - H, and evaluates a and lambda there. Accurate to
 * 1e-12, relative to the largest coordinate and rate. SEAM_NOT_CONVERGED, or the error of an evaluation. */
seam_status cosim_integrate_back(mbs_workspace *ws, mbs_state *state, double H, seam_error *error);

#endif
