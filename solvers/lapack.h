/* Failures of LAPACKE. */
#ifndef SOLVERS_LAPACK_H
#define SOLVERS_LAPACK_H

#include <seam/status.h>

/* Returns the status for LAPACKE's `info`: SEAM_OK for 0, SEAM_NO_MEMORY if there was no memory for work arrays. For
 * other values fails with `status` and the message "WHAT were not found". */
seam_status seam_lapack_check(int info, seam_status status, const char *what, seam_error *error);

#endif
