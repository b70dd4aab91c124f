#include "solvers/lapack.h"

#include <lapacke.h>

seam_status seam_lapack_check(int info, seam_status status, const char *what, seam_error *error) {
  if (info == 0)
    return SEAM_OK;
  if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory: %s were not found", what);
  return seam_fail(error, status, "%s were not found", what);
}
