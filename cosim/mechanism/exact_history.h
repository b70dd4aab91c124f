/* The past of a mechanism, which a co-simulation that begins may know. */
#ifndef COSIM_MECHANISM_EXACT_HISTORY_H
#define COSIM_MECHANISM_EXACT_HISTORY_H

#include "mbs/workspace.h"

/* Brings *state, which is consistent, back from t to t - H, and fills a and lambda there. Accurate to 1e-12, relative
 * to the largest coordinate and rate. SEAM_NOT_CONVERGED, or what an evaluation returns. */
seam_status cosim_integrate_back(mbs_workspace *ws, mbs_state *state, double H, seam_error *error);

#endif
