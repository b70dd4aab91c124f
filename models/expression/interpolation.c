/* With h_k = x_k+1 - x_k and D_k = (y_k+1 - y_k)/h_k, the slopes are
 *
 *     pchip    0 if D_k-1 D_k <= 0, else (w1 + w2)/(w1/D_k-1 + w2/D_k), w1 = 2 h_k + h_k-1, w2 = h_k + 2 h_k-1;
 *              at an end ((2 h_0 + h_1) D_0 - h_0 D_1)/(h_0 + h_1), bounded so that it keeps the sign of D_0 and is at
 *              most 3 D_0 ([Fritsch-Butland], ends: [Moler])
 *     akima    (w1 D_k-1 + w2 D_k)/(w1 + w2), w1 = |D_k+1 - D_k|, w2 = |D_k-1 - D_k-2|, their mean if w1 = w2 = 0; D is
 *              extrapolated linearly beyond the ends ([Akima])
 *     spline   h_k m_k-1 + 2 (h_k-1 + h_k) m_k + h_k-1 m_k+1 = 3 (h_k D_k-1 + h_k-1 D_k); the first two pieces are one
 *              cubic, and so are the last two ("not a knot", [deBoor])
 *
 * Periodic points continue at the other end. */
#include "models/expression/interpolation.h"

#include <lapacke.h>
#include <math.h>
#include <stdlib.h>

static double length_of(const samples *p, size_t piece) { return p->x[piece + 1] - p->x[piece]; }

static double difference(const samples *p, size_t piece) {
  return (p->y[piece + 1] - p->y[piece]) / length_of(p, piece);
}

/* Returns the piece before point k; before point 0, the last piece (of periodic points). */
static size_t piece_before(const samples *p, size_t k) { return k > 0 ? k - 1 : p->n - 2; }

/* ---- pchip ------------------------------------------------------------------------------------------------------- */

static double harmonic(double h0, double D0, double h1, double D1) {
  if (D0 * D1 <= 0)
    return 0;
  const double w0 = 2 * h1 + h0;
  const double w1 = h1 + 2 * h0;
  return (w0 + w1) / (w0 / D0 + w1 / D1);
}

/* Returns the slope at an end with piece (h0, D0) and its neighbour (h1, D1). */
static double end_slope(double h0, double D0, double h1, double D1) {
  const double m = ((2 * h0 + h1) * D0 - h0 * D1) / (h0 + h1);
  if (m * D0 <= 0)
    return 0;
  return D0 * D1 <= 0 && fabs(m) > 3 * fabs(D0) ? 3 * D0 : m;
}

static double pchip_slope(const samples *p, size_t k) {
  const size_t last = p->n - 2; /* piece */
  const size_t before = piece_before(p, k);
  const size_t after = k <= last ? k : 0;
  if ((k > 0 && k <= last) || p->is_periodic)
    return harmonic(length_of(p, before), difference(p, before), length_of(p, after), difference(p, after));
  const size_t end = k == 0 ? 0 : last;
  const size_t next = k == 0 ? 1 : last - 1;
  return end_slope(length_of(p, end), difference(p, end), length_of(p, next), difference(p, next));
}

/* ---- akima ------------------------------------------------------------------------------------------------------- */

/* Returns D of a piece, up to two beyond the ends. */
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

/* ---- spline ------------------------------------------------------------------------------------------------------ */

/* Equations of a spline: tridiagonal, with one more unknown in the first and last row for periodic points. */
typedef struct equations {
  size_t n;
  double *lower, *diagonal, *upper; /* (n) coefficients of m_k-1, m_k, m_k+1 in row k */
  double *right;                    /* (2n) right-hand side, then the second one of solve_cyclic() */
} equations;

/* Fills the equation of a continuous second derivative at point k. */
static void smooth_row(const samples *p, const equations *e, size_t k) {
  const size_t before = piece_before(p, k);
  const double h0 = length_of(p, before);
  const double h1 = length_of(p, k);
  e->lower[k] = h1;
  e->diagonal[k] = 2 * (h0 + h1);
  e->upper[k] = h0;
  e->right[k] = 3 * (h1 * difference(p, before) + h0 * difference(p, k));
}

/* Returns the right-hand side for a continuous third derivative at the point next to the end; the equation has two
 * unknown slopes. */
static double one_cubic(double h0, double D0, double h1, double D1) {
  const double both = h0 + h1;
  return ((h0 + 2 * both) * h1 * D0 + h0 * h0 * D1) / both;
}

static void end_rows(const samples *p, const equations *e) {
  const size_t n = p->n;
  const double h0 = length_of(p, 0);
  const double h1 = length_of(p, 1);
  e->diagonal[0] = h1;
  e->upper[0] = h0 + h1;
  e->right[0] = one_cubic(h0, difference(p, 0), h1, difference(p, 1));
  const double hn = length_of(p, n - 2);
  const double hm = length_of(p, n - 3);
  e->lower[n - 1] = hn + hm;
  e->diagonal[n - 1] = hm;
  e->right[n - 1] = one_cubic(hn, difference(p, n - 2), hm, difference(p, n - 3));
}

static bool solve(const equations *e, int n_right) {
  return LAPACKE_dgtsv(LAPACK_COL_MAJOR, (int)e->n, n_right, e->lower + 1, e->diagonal, e->upper, e->right,
                       (int)e->n) == 0;
}

/* Solves with both corners of the matrix written as u vᵀ and subtracted (Sherman, Morrison). */
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

static void copy_slopes(const samples *p, const equations *e, double *m) {
  for (size_t k = 0; k < e->n; k++)
    m[k] = e->right[k];
  if (p->is_periodic)
    m[p->n - 1] = m[0];
}

static seam_status spline_slopes(const samples *p, double *m) {
  const size_t n = p->is_periodic ? p->n - 1 : p->n;
  double *memory = calloc(5 * n, sizeof *memory);
  if (memory == NULL)
    return SEAM_NO_MEMORY;
  const equations e = {n, memory, memory + n, memory + 2 * n, memory + 3 * n};
  for (size_t k = p->is_periodic ? 0 : 1; k + 1 < p->n; k++)
    smooth_row(p, &e, k);
  if (!p->is_periodic)
    end_rows(p, &e);
  const bool is_solved = p->is_periodic ? solve_cyclic(&e) : solve(&e, 1);
  if (is_solved)
    copy_slopes(p, &e, m);
  free(memory);
  return is_solved ? SEAM_OK : SEAM_NOT_FINITE;
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

/* Slopes of a line through two points, or a parabola through three. */
static void few_slopes(const samples *p, double *m) {
  const double D0 = difference(p, 0);
  const double bend = p->n == 3 ? (difference(p, 1) - D0) / (p->x[2] - p->x[0]) : 0;
  for (size_t k = 0; k < p->n; k++)
    m[k] = D0 + bend * (2 * p->x[k] - p->x[0] - p->x[1]);
}

seam_status interpolation_slopes(interpolation kind, const samples *points, double *m) {
  const bool is_spline = kind == INTERPOLATION_SPLINE;
  if (!points->is_periodic && (points->n == 2 || (is_spline && points->n == 3))) {
    few_slopes(points, m);
    return SEAM_OK;
  }
  if (is_spline)
    return spline_slopes(points, m);
  for (size_t k = 0; k < points->n; k++)
    m[k] = kind == INTERPOLATION_PCHIP ? pchip_slope(points, k) : akima_slope(points, k);
  return SEAM_OK;
}
