/* Finds R of A = Q R, without Q. One row w of A after the other is rotated into R by Givens rotations,
 *
 *   [ c  s] [R_jj R_jk]   [r  R_jk']
 *   [-s  c] [w_j  w_k ] = [0  w_k' ],   r = √(R_jj² + w_j²),   c = R_jj / r,   s = w_j / r,
 *
 * with the first column j of w and all later columns k; primes mark new values. Rotations follow column by column until
 * w is zero. If w meets an empty row of R, it becomes this row ([George-Heath]; [Golub-Van Loan] 5.2.5). In the end
 * |R_jj| is the distance of column j from the span of the columns before it. If it is only rounding, the column is
 * dependent. Its row of R, without R_jj, is then rotated into later rows ([Heath]).
 *
 * The pattern of R is found first. Row j has the columns of all rows of A that begin with column j. It also has the
 * columns of its children: the earlier rows of R whose first column right of the diagonal is j. Row j is called their
 * parent. A row of A that begins with column j meets only row j of R and its ancestors. */
#include "solvers/rank.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "base/arrays.h"
#include "base/vector.h"
#include "solvers/thresholds.h"

enum { NONE = -1 };

/* A row of R. */
typedef struct triangle_row {
  double diagonal; /* 0: the row is empty */
  double *value;   /* (n_columns) entries right of the diagonal */
  int *column;
  int n_columns;
  int parent;             /* smallest of its columns, or NONE */
  int first_row;          /* first in the list of A's rows that begin with this column */
  int first_child, child; /* first row whose parent is this row; next row with the same parent */
} triangle_row;

typedef struct factor {
  int n_rows, n_columns;
  /* A by rows: the columns of each row in ascending order. */
  int *start; /* (n_rows + 1) */
  int *column;
  double *value;
  int *next_row;   /* (n_rows) next row of A in the list of first_row */
  triangle_row *R; /* (n_columns) */
  double *w;       /* (n_columns) the row being rotated; zero between rotations */
  int *mark;       /* (n_columns) 1 + number of the last row of R to which this column was added */
  int *found;      /* (n_columns) columns of the row whose pattern is being found */
} factor;

#define ARRAYS(X)                                                                                                      \
  X(&qr, start, (size_t)n_rows + 1)                                                                                    \
  X(&qr, column, n_entries)                                                                                            \
  X(&qr, value, n_entries)                                                                                             \
  X(&qr, next_row, (size_t)n_rows)                                                                                     \
  X(&qr, R, n)                                                                                                         \
  X(&qr, w, n)                                                                                                         \
  X(&qr, mark, n)                                                                                                      \
  X(&qr, found, n)

/* Fills A by rows, and lists for each column the rows that begin with it. While rows are being filled, start[i + 1] is
 * the index of the next entry of row i. */
static void fill_rows(factor *qr, const int *start, const int *row, const double *value) {
  int *index = qr->start + 1;
  for (int k = 0; k < start[qr->n_columns]; k++)
    index[row[k] + 1]++;
  for (int i = 0; i < qr->n_rows; i++)
    index[i + 1] += index[i];
  for (int j = 0; j < qr->n_columns; j++)
    for (int k = start[j]; k < start[j + 1]; k++) {
      const int to = index[row[k]]++;
      qr->column[to] = j;
      qr->value[to] = value[k];
    }
  for (int j = 0; j < qr->n_columns; j++)
    qr->R[j] = (triangle_row){.parent = NONE, .first_row = NONE, .first_child = NONE, .child = NONE};
  for (int i = qr->n_rows - 1; i >= 0; i--) {
    if (qr->start[i] == qr->start[i + 1])
      continue;
    int *first = &qr->R[qr->column[qr->start[i]]].first_row;
    qr->next_row[i] = *first;
    *first = i;
  }
}

/* ---- Pattern of R ---- */

static void find_columns(factor *qr, int j, const int *column, int n_columns) {
  triangle_row *R = &qr->R[j];
  for (int k = 0; k < n_columns; k++) {
    const int c = column[k];
    if (c == j || qr->mark[c] == j + 1)
      continue;
    qr->mark[c] = j + 1;
    qr->found[R->n_columns++] = c;
    if (R->parent == NONE || c < R->parent)
      R->parent = c;
  }
}

static bool find_row(factor *qr, int j, arena *memory) {
  triangle_row *R = &qr->R[j];
  for (int i = R->first_row; i != NONE; i = qr->next_row[i])
    find_columns(qr, j, qr->column + qr->start[i], qr->start[i + 1] - qr->start[i]);
  for (int i = R->first_child; i != NONE; i = qr->R[i].child)
    find_columns(qr, j, qr->R[i].column, qr->R[i].n_columns);
  const size_t n = (size_t)R->n_columns;
  R->column = arena_allocate(memory, n * sizeof *R->column);
  R->value = arena_allocate(memory, n * sizeof *R->value);
  if (R->column == NULL || R->value == NULL)
    return false;
  memcpy(R->column, qr->found, n * sizeof *R->column);
  if (R->parent != NONE) {
    R->child = qr->R[R->parent].first_child;
    qr->R[R->parent].first_child = j;
  }
  return true;
}

/* ---- Values of R ---- */

/* Makes w[j] zero by a rotation; returns the first column where w is not zero afterwards, or NONE. */
static int rotate(triangle_row *R, int j, double *w) {
  const double r = hypot(R->diagonal, w[j]);
  const double c = R->diagonal / r, s = w[j] / r;
  int first = NONE;
  R->diagonal = r;
  w[j] = 0;
  for (int k = 0; k < R->n_columns; k++) {
    const int column = R->column[k];
    const double above = R->value[k], below = w[column];
    R->value[k] = c * above + s * below;
    w[column] = c * below - s * above;
    if (w[column] != 0 && (first == NONE || column < first))
      first = column;
  }
  return first;
}

/* Rotates a row, given by columns and values, into R. */
static void rotate_in(factor *qr, const int *column, const double *value, int n_columns) {
  int j = NONE;
  for (int k = 0; k < n_columns; k++) {
    qr->w[column[k]] = value[k];
    if (value[k] != 0 && (j == NONE || column[k] < j))
      j = column[k];
  }
  while (j != NONE && qr->R[j].diagonal != 0)
    j = rotate(&qr->R[j], j, qr->w);
  if (j == NONE)
    return;
  triangle_row *R = &qr->R[j]; /* an empty row of R, which w fills */
  R->diagonal = qr->w[j];
  qr->w[j] = 0;
  for (int k = 0; k < R->n_columns; k++) {
    R->value[k] = qr->w[R->column[k]];
    qr->w[R->column[k]] = 0;
  }
}

/* Rotates short rows into R first, then rows with many more columns, as of a body with many joints. Long rows in R
 * would fill the short rows rotated with them. The work would grow with the cube of the length of long rows. */
static void rotate_rows_in(factor *qr) {
  const int n_usual = 4 * (1 + qr->start[qr->n_rows] / (qr->n_rows + 1));
  for (int pass = 0; pass < 2; pass++)
    for (int j = 0; j < qr->n_columns; j++)
      for (int i = qr->R[j].first_row; i != NONE; i = qr->next_row[i]) {
        const int n_entries = qr->start[i + 1] - qr->start[i];
        if ((n_entries > n_usual + 8) == (pass == 1))
          rotate_in(qr, qr->column + qr->start[i], qr->value + qr->start[i], n_entries);
      }
}

/* Returns the number of independent columns; lists the dependent columns unless `dependent` is NULL. */
static int find_dependent(factor *qr, double tolerance, int *dependent) {
  int rank = 0;
  for (int j = 0; j < qr->n_columns; j++) {
    const triangle_row *R = &qr->R[j];
    if (fabs(R->diagonal) > tolerance) {
      rank++;
      continue;
    }
    if (dependent != NULL)
      dependent[j - rank] = j;
    rotate_in(qr, R->column, R->value, R->diagonal != 0 ? R->n_columns : 0);
  }
  return rank;
}

/* ---- The rank ---- */

seam_status seam_column_rank(int n_rows, int n_columns, const int *start, const int *row, const double *value,
                             int *rank, int *dependent, seam_error *error) {
  if (!finite_all(value, start[n_columns]))
    return seam_fail(error, SEAM_NOT_FINITE, "the rank of %d columns: an entry is not finite", n_columns);
  arena memory = {0};
  factor qr = {.n_rows = n_rows, .n_columns = n_columns};
  const size_t n = (size_t)n_columns, n_entries = (size_t)start[n_columns];
  bool enough = true ARRAYS(ALLOCATE_ARRAY);
  if (enough)
    fill_rows(&qr, start, row, value);
  for (int j = 0; j < n_columns && enough; j++)
    enough = find_row(&qr, j, &memory);
  if (enough) {
    double largest = 0; /* largest norm of a column */
    for (int j = 0; j < n_columns; j++) {
      double norm = 0;
      for (int k = start[j]; k < start[j + 1]; k++)
        norm = hypot(norm, value[k]);
      largest = fmax(largest, norm);
    }
    rotate_rows_in(&qr);
    /* a dependent column keeps at most this much rounding ([Davis]) */
    *rank = find_dependent(&qr, seam_rank_rounding * (n_rows + n_columns) * largest, dependent);
  }
  ARRAYS(FREE_ARRAY)
  arena_release(&memory);
  return enough ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory to find the rank of %d columns", n_columns);
}
