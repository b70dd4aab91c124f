#include "solvers/rank.h"

#include <stdbool.h>
#include <string.h>

#include <SuiteSparseQR_C.h>

/* SuiteSparseQR takes long indices only. */
static cholmod_sparse *copy_matrix(int n_rows, int n_columns, const int *start, const int *row, const double *value,
                                   cholmod_common *common) {
  const size_t n_entries = (size_t)start[n_columns];
  cholmod_sparse *A =
      cholmod_l_allocate_sparse((size_t)n_rows, (size_t)n_columns, n_entries, 1, 1, 0, CHOLMOD_REAL, common);
  if (A == NULL)
    return NULL;
  SuiteSparse_long *column = A->p;
  SuiteSparse_long *index = A->i;
  for (int j = 0; j <= n_columns; j++)
    column[j] = start[j];
  for (size_t k = 0; k < n_entries; k++)
    index[k] = row[k];
  memcpy(A->x, value, n_entries * sizeof *value);
  return A;
}

/* R is a staircase: an independent column opens the next row, a dependent one does not. */
static void list_dependent(const cholmod_sparse *R, int *dependent) {
  const SuiteSparse_long *start = R->p;
  const SuiteSparse_long *row = R->i;
  SuiteSparse_long n_opened = 0;
  for (size_t j = 0; j < R->ncol; j++) {
    bool opens = false;
    for (SuiteSparse_long k = start[j]; k < start[j + 1]; k++)
      opens = opens || row[k] == n_opened;
    if (opens)
      n_opened++;
    else
      *dependent++ = (int)j;
  }
}

seam_status seam_column_rank(int n_rows, int n_columns, const int *start, const int *row, const double *value,
                             int *rank, int *dependent, seam_error *error) {
  cholmod_common common;
  cholmod_l_start(&common);
  cholmod_sparse *A = copy_matrix(n_rows, n_columns, start, row, value, &common);
  cholmod_sparse *R = NULL;
  SuiteSparse_long found = -1;
  if (A != NULL)
    found = SuiteSparseQR_C(SPQR_ORDERING_FIXED, SPQR_DEFAULT_TOL, 0, 0, A, NULL, NULL, NULL, NULL, &R, NULL, NULL,
                            NULL, NULL, &common);
  const bool done = A != NULL && found >= 0 && common.status >= CHOLMOD_OK;
  *rank = (int)found;
  if (done && dependent != NULL)
    list_dependent(R, dependent);
  cholmod_l_free_sparse(&A, &common);
  cholmod_l_free_sparse(&R, &common);
  cholmod_l_finish(&common);
  return done ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory to find the rank of %d columns", n_columns);
}
