/* The undivided mechanism, linearised in the same state, as a propagation over a macro step. */
#ifndef ANALYSIS_UNDIVIDED_LINEARISED_H
#define ANALYSIS_UNDIVIDED_LINEARISED_H

#include "analysis/linearised/first_order.h"

/* Makes x' = A x of the whole, x = (ζ, ζ', z), without samples. Call analysis_first_order_free() whatever the result.
 * Fails as analysis_minimal_state_create(). */
seam_status analysis_undivided_create(const mbs_model *whole, const mbs_state *state, analysis_first_order *undivided,
                                      seam_error *error);

/* Returns in *rho the spectral radius of the propagation over H plus its uncertainty, with entry errors of `accuracy`
 * over the norm: a scheme with no larger radius is not known to grow faster. SEAM_NO_MEMORY, SEAM_NOT_FINITE. */
seam_status analysis_undivided_radius(const analysis_first_order *undivided, double H, double accuracy, double *rho,
                                      seam_error *error);

#endif
