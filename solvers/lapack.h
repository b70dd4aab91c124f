/* Failures of LAPACKE. */
#ifndef SOLVERS_LAPACK_H
#define SOLVERS_LAPACK_H

#include <seam/status.h>

/* Maps LAPACKE's `info`: 0 is SEAM_OK; no memory for work arrays is SEAM_NO_MEMORY; other values are `status` with the
 * message "WHAT were not found". */
seam_status seam_lapack_check(int info, seam_status status, const char *what, seam_error *error);

#endif
