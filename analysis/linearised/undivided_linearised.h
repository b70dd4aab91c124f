/* The mechanism that is not cut, linearised in the same state, as a propagation over a macro step. */
#ifndef ANALYSIS_UNDIVIDED_LINEARISED_H
#define ANALYSIS_UNDIVIDED_LINEARISED_H

#include "analysis/linearised/first_order.h"

/* Makes x' = A x of the whole, x = (ζ, ζ', z), without samples. Free with analysis_first_order_free() whatever the
 * result. Failures are those of analysis_minimal_state_create(). */
seam_status analysis_undivided_create(const mbs_model *whole, const mbs_state *state, analysis_first_order *undivided,
                                      seam_error *error);

/* Spectral radius of its propagation over H when entries have errors of `accuracy` against its norm, the uncertainty
 * that these leave added: no scheme is known to grow faster that has no larger one. SEAM_NO_MEMORY, SEAM_NOT_FINITE. */
seam_status analysis_undivided_radius(const analysis_first_order *undivided, double H, double accuracy, double *rho,
                                      seam_error *error);

#endif
