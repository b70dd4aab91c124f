/* Failures of LAPACKE. */
#ifndef SOLVERS_LAPACK_H
#define SOLVERS_LAPACK_H

#include <lapacke.h>

#include <seam/status.h>

/* Fails with SEAM_NO_MEMORY or, for another `info` of LAPACKE that is not 0, `status` and "WHAT were not found". */
static inline seam_status seam_lapack_check(int info, seam_status status, const char *what, seam_error *error) {
  if (info == 0)
    return SEAM_OK;
  if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory: %s were not found", what);
  return seam_fail(error, status, "%s were not found", what);
}

#endif
