/* Lemke's method ([Cottle-Pang-Stone] 4.4) for the problem of lcp.h, with an artificial variable z° in all rows:
 *
 *   w - M z - z° 1 = q
 *
 * First z° enters the basis at the row with the lowest q. If a variable has left, its complement enters in the next
 * step. The steps end when z° leaves, or when no row limits the entering variable (a ray). Rows of the basis's inverse
 * break ties of the ratio test lexicographically, so degenerate problems do not cycle. A ray with z° of the size of
 * rounding is a solution: if two rows bound one quantity from both sides, rounding of q may leave no exact solution.
 *
 * At the end the basic variables are computed again from M and q, without the rounding of the dense tableau. The basis
 * is wrong if one of them is negative by more than the rounding of M. Then a pivot was only rounding; the search is
 * repeated with another lower bound of pivots. It is also repeated after a ray: a row with a smaller pivot may limit
 * the entering variable. If a heavy body rests on a light one, pivots are as small as the ratio of light and heavy
 * mass. */
#include "solvers/lcp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "solvers/dense.h"
#include "solvers/thresholds.h"

struct seam_lcp {
  int n;
  double *tableau; /* (n x (2n + 2)) columns: w, z, z°, right-hand side */
  double *z, *w;   /* (n) */
  double *matrix;  /* (n x n) columns of the basis */
  int *basis;      /* (n) column number of each row's basic variable */
  int *pivot;
  bool *is_basic; /* (n) */
};

#define ARRAYS(X)                                                                                                      \
  X(self, tableau, 2 * square + 2 * m)                                                                                 \
  X(self, z, m)                                                                                                        \
  X(self, w, m)                                                                                                        \
  X(self, matrix, square)                                                                                              \
  X(self, basis, m)                                                                                                    \
  X(self, pivot, m)                                                                                                    \
  X(self, is_basic, m)

seam_status seam_lcp_create(int n, seam_lcp **created, seam_error *error) {
  const size_t m = (size_t)n, square = m * m;
  seam_lcp *self = calloc(1, sizeof *self);
  const bool enough = self != NULL ARRAYS(ALLOCATE_ARRAY);
  if (!enough) {
    seam_lcp_destroy(self);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for %d complementary unknowns", n);
  }
  *created = self;
  return SEAM_OK;
}

void seam_lcp_destroy(seam_lcp *self) {
  if (self == NULL)
    return;
  ARRAYS(FREE_ARRAY)
  free(self);
}

const double *seam_lcp_z(const seam_lcp *self) { return self->z; }
const double *seam_lcp_w(const seam_lcp *self) { return self->w; }
bool seam_lcp_is_basic(const seam_lcp *self, int i) { return self->is_basic[i]; }

/* ---- The tableau ---- */

static double *row_of(const seam_lcp *self, int i) { return self->tableau + i * (2 * self->n + 2); }

/* Returns the k-th key for comparing rows: the right-hand side, then the columns of w. */
static double key(const seam_lcp *self, int row, int k) { return row_of(self, row)[k == 0 ? 2 * self->n + 1 : k - 1]; }

/* Returns true if the keys of row a / pa come lexicographically before those of row b / pb. */
static bool comes_before(const seam_lcp *self, int a, double pa, int b, double pb) {
  for (int k = 0; k <= self->n; k++) {
    const double difference = key(self, a, k) / pa - key(self, b, k) / pb;
    if (fabs(difference) > seam_lcp_zero)
      return difference < 0;
  }
  return false;
}

/* Ratio test: returns the row whose basic variable reaches zero first while the variable of `column` grows; -1: none
 * does. Only pivots above `least` count. A tie with the row of z° goes to z°, so that it leaves. */
static int leaving_row(const seam_lcp *self, int column, double least) {
  int leaving = -1;
  for (int i = 0; i < self->n; i++) {
    const double pivot = row_of(self, i)[column];
    if (pivot <= least)
      continue;
    if (leaving < 0 || comes_before(self, i, pivot, leaving, row_of(self, leaving)[column]))
      leaving = i;
  }
  for (int i = 0; i < self->n && leaving >= 0; i++) {
    const double pivot = row_of(self, i)[column];
    if (self->basis[i] == 2 * self->n && pivot > least &&
        key(self, i, 0) / pivot <= key(self, leaving, 0) / row_of(self, leaving)[column] + seam_lcp_zero)
      return i;
  }
  return leaving;
}

static void exchange(seam_lcp *self, int row, int column) {
  const int width = 2 * self->n + 2;
  double *from = row_of(self, row);
  const double pivot = from[column];
  for (int j = 0; j < width; j++)
    from[j] /= pivot;
  for (int i = 0; i < self->n; i++) {
    double *to = row_of(self, i);
    const double part = to[column];
    if (i == row || part == 0)
      continue;
    for (int j = 0; j < width; j++)
      to[j] -= part * from[j];
    to[column] = 0;
  }
  self->basis[row] = column;
}

/* Returns true if z° is zero up to rounding. The rounding of large basic variables counts as rounding of z°. */
static bool is_zero(const seam_lcp *self) {
  double artificial = 0, most = 0;
  for (int i = 0; i < self->n; i++) {
    artificial = self->basis[i] == 2 * self->n ? key(self, i, 0) : artificial;
    most = fmax(most, fabs(key(self, i, 0)));
  }
  return artificial <= fmax(seam_lcp_ray_end, seam_lcp_rounding * most);
}

/* Runs Lemke's method on the tableau. z° enters at the row with the lowest right-hand side; if none is negative, the
 * tableau is already a solution. Pivots are above `least`. */
static seam_lcp_end search(seam_lcp *self, double least) {
  const int n = self->n;
  const int most = SEAM_LCP_PIVOTS * (n + 1);
  int row = -1, entering = 2 * n;
  for (int i = 0; i < n; i++)
    if (key(self, i, 0) < 0 && (row < 0 || comes_before(self, i, 1, row, 1)))
      row = i;
  if (row < 0)
    return SEAM_LCP_SOLVED;
  for (int i = 0; i < most; i++) {
    const int left = self->basis[row];
    exchange(self, row, entering);
    if (left == 2 * n)
      return SEAM_LCP_SOLVED;
    entering = left < n ? left + n : left - n;
    row = leaving_row(self, entering, least);
    if (row < 0)
      return is_zero(self) ? SEAM_LCP_SOLVED : SEAM_LCP_RAY;
  }
  return SEAM_LCP_FAILED;
}

/* ---- The solution ---- */

/* Returns entry i of the column that belongs to the k-th basic variable. */
static double basis_entry(const seam_lcp *self, const double *M, int i, int k) {
  const int n = self->n;
  const int variable = self->basis[k];
  return variable < n ? variable == i : variable < 2 * n ? -M[i + (variable - n) * n] : -1;
}

/* Estimates the rounding (n) of the basic variables x: that of each row's terms, times the inverse of the basis. It is
 * large if a heavy body rests on a light one: large forces nearly cancel. column: scratch (n). */
static void find_rounding(const seam_lcp *self, const double *M, const double *q, const double *x, double *rounding,
                          double *column) {
  const int n = self->n;
  memset(rounding, 0, (size_t)n * sizeof *rounding);
  for (int i = 0; i < n; i++) {
    double terms = fabs(q[i]);
    for (int k = 0; k < n; k++)
      terms += fabs(basis_entry(self, M, i, k) * x[k]);
    memset(column, 0, (size_t)n * sizeof *column);
    column[i] = seam_lcp_rounding * terms;
    seam_dense_solve(n, self->matrix, self->pivot, column);
    for (int k = 0; k < n; k++)
      rounding[k] += fabs(column[k]);
  }
}

/* Returns true if no basic variable is below zero by more than rounding. */
static bool is_feasible(const seam_lcp *self, const double *M, const double *q, const double *x) {
  const int n = self->n;
  double *rounding = self->tableau + n;
  double least = 0, most = 0;
  for (int k = 0; k < n; k++) {
    least = self->basis[k] < 2 * n ? fmin(least, x[k]) : least;
    most = fmax(most, fabs(x[k]));
  }
  if (!isfinite(most) || least < -seam_lcp_negative * fmax(most, 1))
    return false;
  if (least >= -seam_lcp_negative)
    return true;
  find_rounding(self, M, q, x, rounding, rounding + n);
  for (int k = 0; k < n; k++)
    if (self->basis[k] < 2 * n && x[k] < -fmax(seam_lcp_negative, rounding[k]))
      return false;
  return true;
}

/* Computes the basic variables from M and q. */
static seam_lcp_end solve_basis(seam_lcp *self, const double *M, const double *q) {
  const int n = self->n;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      self->matrix[i + k * n] = basis_entry(self, M, i, k);
  double *x = self->tableau; /* the tableau is not needed any more */
  memcpy(x, q, (size_t)n * sizeof *x);
  if (!seam_dense_factor(n, self->matrix, self->pivot))
    return SEAM_LCP_FAILED;
  seam_dense_solve(n, self->matrix, self->pivot, x);
  if (!is_feasible(self, M, q, x))
    return SEAM_LCP_FAILED;
  for (int k = 0; k < n; k++) {
    const int variable = self->basis[k];
    if (variable == 2 * n)
      continue;
    (variable < n ? self->w : self->z)[variable % n] = fmax(x[k], 0);
    if (variable >= n)
      self->is_basic[variable - n] = true;
  }
  return SEAM_LCP_SOLVED;
}

seam_lcp_end seam_lcp_solve(seam_lcp *self, int n, const double *M, const double *q) {
  seam_lcp_end end = SEAM_LCP_FAILED;
  self->n = n;
  if (n == 0)
    return SEAM_LCP_SOLVED;
  for (size_t i = 0; i < sizeof seam_lcp_pivots / sizeof *seam_lcp_pivots && end != SEAM_LCP_SOLVED; i++) {
    memset(self->z, 0, (size_t)n * sizeof *self->z);
    memset(self->w, 0, (size_t)n * sizeof *self->w);
    memset(self->is_basic, 0, (size_t)n * sizeof *self->is_basic);
    for (int k = 0; k < n; k++) {
      double *row = row_of(self, k);
      for (int j = 0; j < n; j++) {
        row[j] = k == j;
        row[n + j] = -M[k + j * n];
      }
      row[2 * n] = -1;
      row[2 * n + 1] = q[k];
      self->basis[k] = k;
    }
    end = search(self, seam_lcp_pivots[i]);
    if (end == SEAM_LCP_SOLVED)
      end = solve_basis(self, M, q);
  }
  return end;
}
