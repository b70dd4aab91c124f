/* Finds the slopes m_k at points (x_k, y_k). A piece is the interval between two neighbouring points; piece k has the
 * length h_k = x_k+1 - x_k and the mean slope D_k = (y_k+1 - y_k)/h_k. Each method has its own weights w1 and w2:
 *
 *     pchip    0 if D_k-1 D_k <= 0,
 *              else (w1 + w2)/(w1/D_k-1 + w2/D_k), w1 = 2 h_k + h_k-1, w2 = h_k + 2 h_k-1;
 *              at the first point m = ((2 h_0 + h_1) D_0 - h_0 D_1)/(h_0 + h_1), but 0 if m D_0 <= 0, and 3 D_0 if
 *              D_0 D_1 <= 0 and |m| > 3 |D_0|; at the last point the same, counted from the end
 *              ([Fritsch-Butland], ends: [Moler])
 *     akima    (w1 D_k-1 + w2 D_k)/(w1 + w2), w1 = |D_k+1 - D_k|, w2 = |D_k-1 - D_k-2|,
 *              (D_k-1 + D_k)/2 if w1 = w2 = 0; D is extrapolated linearly beyond the ends ([Akima])
 *     spline   h_k m_k-1 + 2 (h_k-1 + h_k) m_k + h_k-1 m_k+1 = 3 (h_k D_k-1 + h_k-1 D_k); the first two pieces are one
 *              cubic, and so are the last two ("not a knot", [deBoor])
 *
 * Periodic points continue with the points at the other end. */
#include "models/expression/interpolation.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

static double length_of(const samples *p, size_t piece) { return p->x[piece + 1] - p->x[piece]; }

static double difference(const samples *p, size_t piece) {
  return (p->y[piece + 1] - p->y[piece]) / length_of(p, piece);
}

/* Returns the piece before point k; before point 0 of periodic points, the last piece. */
static size_t piece_before(const samples *p, size_t k) { return k > 0 ? k - 1 : p->n - 2; }

static double pchip_slope(const samples *p, size_t k) {
  const size_t last = p->n - 2; /* index of the last piece */
  const bool is_inside = (k > 0 && k <= last) || p->is_periodic;
  const size_t at = is_inside ? piece_before(p, k) : k == 0 ? 0 : last;
  const size_t next = is_inside ? (k <= last ? k : 0) : k == 0 ? 1 : last - 1;
  const double h0 = length_of(p, at), D0 = difference(p, at);
  const double h1 = length_of(p, next), D1 = difference(p, next);
  if (is_inside) {
    const double w0 = 2 * h1 + h0;
    const double w1 = h1 + 2 * h0;
    return D0 * D1 <= 0 ? 0 : (w0 + w1) / (w0 / D0 + w1 / D1);
  }
  const double m = ((2 * h0 + h1) * D0 - h0 * D1) / (h0 + h1);
  if (m * D0 <= 0)
    return 0;
  return D0 * D1 <= 0 && fabs(m) > 3 * fabs(D0) ? 3 * D0 : m;
}

/* Returns D of a piece, whose index may be up to two beyond an end. */
static double difference_beyond(const samples *p, ptrdiff_t piece) {
  const ptrdiff_t n = (ptrdiff_t)p->n - 1;
  if (p->is_periodic)
    return difference(p, (size_t)((piece + 2 * n) % n));
  if (piece < 0)
    return difference(p, 0) + (double)piece * (difference(p, 1) - difference(p, 0));
  if (piece >= n)
    return difference(p, (size_t)n - 1) +
           (double)(piece - n + 1) * (difference(p, (size_t)n - 1) - difference(p, (size_t)n - 2));
  return difference(p, (size_t)piece);
}

static double akima_slope(const samples *p, size_t k) {
  double D[4];
  for (ptrdiff_t i = 0; i < 4; i++)
    D[i] = difference_beyond(p, (ptrdiff_t)k + i - 2);
  const double w1 = fabs(D[3] - D[2]);
  const double w2 = fabs(D[1] - D[0]);
  return w1 + w2 > 0 ? (w1 * D[1] + w2 * D[2]) / (w1 + w2) : (D[1] + D[2]) / 2;
}

/* Equations of a spline. They are tridiagonal, except for one more unknown in the first and last row if points are
 * periodic. */
typedef struct equations {
  size_t n;
  double *lower, *diagonal, *upper; /* (n) coefficients of m_k-1, m_k, m_k+1 in row k */
  double *right;                    /* (2n) right-hand side, then the vector u of solve_cyclic() */
} equations;

/* Fills row k with the condition that the second derivative is continuous at point k. */
static void smooth_row(const samples *p, const equations *e, size_t k) {
  const size_t before = piece_before(p, k);
  const double h0 = length_of(p, before);
  const double h1 = length_of(p, k);
  e->lower[k] = h1;
  e->diagonal[k] = 2 * (h0 + h1);
  e->upper[k] = h0;
  e->right[k] = 3 * (h1 * difference(p, before) + h0 * difference(p, k));
}

/* Fills the row of an end with the condition that the third derivative is continuous at the point next to the end.
 * `piece` is the piece at the end, `next` its neighbour. The unknowns are the slopes at the end (coefficient in
 * diagonal[row]) and at the point next to it (coefficient in neighbour[row]). */
static void end_row(const samples *p, const equations *e, size_t row, size_t piece, size_t next, double *neighbour) {
  const double h0 = length_of(p, piece);
  const double h1 = length_of(p, next);
  const double both = h0 + h1;
  e->diagonal[row] = h1;
  neighbour[row] = both;
  e->right[row] = ((h0 + 2 * both) * h1 * difference(p, piece) + h0 * h0 * difference(p, next)) / both;
}

static bool solve(const equations *e, int n_right) {
  return LAPACKE_dgtsv(LAPACK_COL_MAJOR, (int)e->n, n_right, e->lower + 1, e->diagonal, e->upper, e->right,
                       (int)e->n) == 0;
}

/* Solves the cyclic tridiagonal equations. The two corner entries of the matrix are split off as a product u vᵀ of rank
 * 1 (Sherman, Morrison). Returns false if the equations are singular. */
static bool solve_cyclic(const equations *e) {
  const size_t last = e->n - 1;
  const double g = -e->diagonal[0];
  const double v_last = e->lower[0] / g;
  double *u = e->right + e->n;
  u[0] = g;
  u[last] = e->upper[last];
  e->diagonal[0] -= g;
  e->diagonal[last] -= u[last] * v_last;
  if (!solve(e, 2))
    return false;
  const double share = (e->right[0] + v_last * e->right[last]) / (1 + u[0] + v_last * u[last]);
  for (size_t k = 0; k <= last; k++)
    e->right[k] -= share * u[k];
  return true;
}

static seam_status spline_slopes(const samples *p, double *m) {
  const size_t n = p->is_periodic ? p->n - 1 : p->n;
  double *memory = calloc(5 * n, sizeof *memory);
  if (memory == NULL)
    return SEAM_NO_MEMORY;
  const equations e = {n, memory, memory + n, memory + 2 * n, memory + 3 * n};
  for (size_t k = p->is_periodic ? 0 : 1; k + 1 < p->n; k++)
    smooth_row(p, &e, k);
  if (!p->is_periodic) {
    end_row(p, &e, 0, 0, 1, e.upper);
    end_row(p, &e, n - 1, n - 2, n - 3, e.lower);
  }
  const bool is_solved = p->is_periodic ? solve_cyclic(&e) : solve(&e, 1);
  for (size_t k = 0; k < p->n && is_solved; k++)
    m[k] = e.right[k < n ? k : 0];
  free(memory);
  return is_solved ? SEAM_OK : SEAM_NOT_FINITE;
}

seam_status interpolation_slopes(interpolation kind, const samples *points, double *m) {
  const samples *p = points;
  const bool is_spline = kind == INTERPOLATION_SPLINE;
  if (!p->is_periodic && (p->n == 2 || (is_spline && p->n == 3))) { /* a line, or a parabola through three points */
    const double D0 = difference(p, 0);
    const double curvature = p->n == 3 ? (difference(p, 1) - D0) / (p->x[2] - p->x[0]) : 0;
    for (size_t k = 0; k < p->n; k++)
      m[k] = D0 + curvature * (2 * p->x[k] - p->x[0] - p->x[1]);
    return SEAM_OK;
  }
  if (is_spline)
    return spline_slopes(p, m);
  for (size_t k = 0; k < p->n; k++)
    m[k] = kind == INTERPOLATION_PCHIP ? pchip_slope(p, k) : akima_slope(p, k);
  return SEAM_OK;
}
