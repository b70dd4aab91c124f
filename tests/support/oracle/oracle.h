/* A second opinion on the linear test models, in extended precision and from equations of its own. */
#ifndef TESTS_SUPPORT_ORACLE_ORACLE_H
#define TESTS_SUPPORT_ORACLE_ORACLE_H

#include <seam/analysis.h>

/* ρ of the linear test model (rigid: joined, and the coupling's own decay and frequency do not count), with the
 * uncertainty that a double eigenvalue would have; n_state is the order of the oracle's own map. SEAM_BAD_INPUT for a
 * scheme that the oracle does not know, SEAM_SINGULAR where the scheme is undefined. */
seam_status analysis_oracle(const seam_test_model *model, bool rigid, const char *scheme, seam_stability_point *point,
                            seam_error *error);

#endif
