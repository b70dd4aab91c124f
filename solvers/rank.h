/* Rank of a sparse matrix by its columns. */
#ifndef SOLVERS_RANK_H
#define SOLVERS_RANK_H

#include <seam/status.h>

/* Columns of an (n_rows x n_columns) matrix in compressed form: start (n_columns + 1), row (sorted in each column),
 * value. *rank columns are independent; each other column is a combination of columns before it. dependent (n_columns,
 * may be NULL) lists these others in ascending order. A QR factorisation finds each column's distance from the span of
 * the columns before it. A column is dependent if its distance is below 20 (n_rows + n_columns) ε times the largest
 * column's norm. Fails with SEAM_NOT_FINITE or SEAM_NO_MEMORY. */
seam_status seam_column_rank(int n_rows, int n_columns, const int *start, const int *row, const double *value,
                             int *rank, int *dependent, seam_error *error);

#endif
