/* Exponential of a small dense matrix. */
#ifndef SOLVERS_EXPM_H
#define SOLVERS_EXPM_H

#include <seam/status.h>

/* Writes E = exp(A), A (n x n), both column by column. Fails with SEAM_NO_MEMORY or SEAM_NOT_FINITE. */
seam_status seam_expm(int n, const double *A, double *E, seam_error *error);

#endif
