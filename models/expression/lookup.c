#include "models/expression/lookup.h"

#include <lapacke.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/note.h"
#include "models/thresholds.h"

enum { FEW_PIECES = 8 }; /* over more pieces, lookup_enclose() returns the range of the entire table */

typedef struct cubic {
  double origin, y, m, b, a;
} cubic;

/* Cubic 0 applies before the points, cubic k between points k-1 and k, and cubic n after the last point. */
struct lookup {
  function f; /* its name is stored behind the cubics */
  atomic_bool *noted, noted_once;
  extrapolation beyond;
  bool is_constant; /* piecewise constant, with the last value at the last point and beyond */
  size_t n;
  double first, last, span;
  range values; /* range of the values between the first and the last point */
  cubic cubics[];
};

/* ---- Value ------------------------------------------------------------------------------------------------------- */

typedef struct location {
  size_t piece;
  double d;       /* distance from the origin of the piece */
  double periods; /* number of complete periods between u and the points */
} location;

/* Returns the largest k, 1 <= k < n, with the origin of cubic k at or before u; 1 if there is none. */
static size_t find_piece(const lookup *self, double u) {
  size_t low = 1;
  size_t high = self->n;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    *(self->cubics[middle].origin <= u ? &low : &high) = middle;
  }
  return low;
}

static location locate(const lookup *self, double u) {
  const double rounding = self->beyond == EXTRAPOLATION_NONE ? models_table_slack * self->span : 0;
  double periods = 0;
  if (self->beyond == EXTRAPOLATION_PERIODIC) {
    periods = floor((u - self->first) / self->span);
    u = fmin(fmax(u - periods * self->span, self->first), self->last);
  }
  size_t piece = find_piece(self, u);
  if (u < self->first - rounding)
    piece = 0;
  if (u > self->last + rounding || (self->is_constant && u == self->last))
    piece = self->n;
  const bool is_constant = self->beyond == EXTRAPOLATION_HOLD && (piece == 0 || piece == self->n);
  return (location){piece, is_constant ? 0 : u - self->cubics[piece].origin, periods};
}

static double value_of(const cubic *c, double d) { return c->y + d * (c->m + d * (c->b + d * c->a)); }
static double slope_of(const cubic *c, double d) { return c->m + d * (2 * c->b + d * 3 * c->a); }

double lookup_value(const lookup *self, double u) {
  if (!isfinite(u) && (isnan(u) || self->beyond == EXTRAPOLATION_PERIODIC))
    return NAN;
  const location at = locate(self, u);
  return value_of(&self->cubics[at.piece], at.d);
}

void lookup_note_undefined(const lookup *self, double u) {
  if (!atomic_exchange(self->noted, true))
    seam_note("table '%s' has points from %g to %g and no value at %.12g: add points, or set 'extrapolation' to hold, "
              "linear or periodic",
              self->f.name, self->first, self->last, u);
}

const function *lookup_function(const lookup *self) { return &self->f; }
bool lookup_was_undefined(const lookup *self) { return atomic_load(self->noted); }
range lookup_points(const lookup *self) { return (range){self->first, self->last}; }

void lookup_slopes(const lookup *self, double u, partials *d) {
  const location at = locate(self, u);
  const cubic *c = &self->cubics[at.piece];
  d->u = slope_of(c, at.d);
  d->uu = 2 * c->b + 6 * c->a * at.d;
}

double lookup_state(const lookup *self, double u) {
  if (!isfinite(u))
    return u;
  const location at = locate(self, u);
  return at.periods * (double)(self->n - 1) + (double)at.piece;
}

range lookup_piece(const lookup *self, double u) {
  const location at = locate(self, u);
  const double shift = at.periods * self->span;
  const bool is_bounded = self->beyond != EXTRAPOLATION_NONE;
  range piece = {self->cubics[at.piece].origin + shift, self->last + shift};
  if (at.piece + 1 < self->n)
    piece.high = self->cubics[at.piece + 1].origin + shift;
  if (at.piece == 0 || (at.piece == 1 && !is_bounded))
    piece.low = -INFINITY;
  if (at.piece == self->n || (at.piece + 1 == self->n && !is_bounded))
    piece.high = INFINITY;
  return piece;
}

/* ---- Enclosure --------------------------------------------------------------------------------------------------- */

static void include(range *all, double x) {
  all->low = fmin(all->low, x);
  all->high = fmax(all->high, x);
}

/* Extends a range by the Bernstein coefficients of a cubic, which enclose it ([Moore-Kearfott-Cloud], 5). */
static void include_piece(range *all, const cubic *c, double from, double to) {
  const double third = (to - from) / 3;
  include(all, value_of(c, from));
  include(all, value_of(c, from) + third * slope_of(c, from));
  include(all, value_of(c, to) - third * slope_of(c, to));
  include(all, value_of(c, to));
}

range lookup_enclose(const lookup *self, range u) {
  const range all_reals = {-INFINITY, INFINITY};
  range all = {INFINITY, -INFINITY};
  if (!isfinite(u.low) || !isfinite(u.high))
    return self->beyond == EXTRAPOLATION_PERIODIC || self->beyond == EXTRAPOLATION_HOLD ? self->values : all_reals;
  const location low = locate(self, u.low);
  const location high = locate(self, u.high);
  if (self->beyond == EXTRAPOLATION_NONE && (low.piece == 0 || high.piece == self->n))
    return all_reals;
  if (low.periods != high.periods || high.piece - low.piece > FEW_PIECES) {
    all = self->values;
    include(&all, value_of(&self->cubics[low.piece], low.d));
    include(&all, value_of(&self->cubics[high.piece], high.d));
    return all;
  }
  for (size_t i = low.piece; i <= high.piece; i++) {
    const cubic *c = &self->cubics[i];
    const double end = i < high.piece ? self->cubics[i + 1].origin - c->origin : high.d;
    include_piece(&all, c, i == low.piece ? low.d : 0, end);
  }
  return all;
}

/* ---- Slopes at the points ---------------------------------------------------------------------------------------- */

/* Slopes m_k of smooth interpolations. Piece k, the interval from point k to the next, has the length
 * h_k = x_k+1 - x_k and the mean slope D_k = (y_k+1 - y_k)/h_k. Each method has its own weights w1 and w2:
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
  const ptrdiff_t n = p->n > 1 ? (ptrdiff_t)p->n - 1 : 1;
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

/* Equations of a spline: tridiagonal, but the first and last row of periodic points have one more unknown. */
typedef struct spline_rows {
  size_t n;
  double *lower, *diagonal, *upper; /* (n) coefficients of m_k-1, m_k, m_k+1 in row k */
  double *right;                    /* (2n) right-hand side, then the vector u of solve_cyclic() */
} spline_rows;

/* Fills row k: the second derivative is continuous at point k. */
static void smooth_row(const samples *p, const spline_rows *e, size_t k) {
  const size_t before = piece_before(p, k);
  const double h0 = length_of(p, before);
  const double h1 = length_of(p, k);
  e->lower[k] = h1;
  e->diagonal[k] = 2 * (h0 + h1);
  e->upper[k] = h0;
  e->right[k] = 3 * (h1 * difference(p, before) + h0 * difference(p, k));
}

/* Fills the row of an end: the third derivative is continuous at the point next to the end. `piece` is the piece at the
 * end, `next` its neighbour. The unknowns are the slopes at the end (coefficient diagonal[row]) and at the point next
 * to it (neighbour[row]). */
static void end_row(const samples *p, const spline_rows *e, size_t row, size_t piece, size_t next, double *neighbour) {
  const double h0 = length_of(p, piece);
  const double h1 = length_of(p, next);
  const double both = h0 + h1;
  e->diagonal[row] = h1;
  neighbour[row] = both;
  e->right[row] = ((h0 + 2 * both) * h1 * difference(p, piece) + h0 * h0 * difference(p, next)) / both;
}

static bool solve(const spline_rows *e, int n_right) {
  return LAPACKE_dgtsv(LAPACK_COL_MAJOR, (int)e->n, n_right, e->lower + 1, e->diagonal, e->upper, e->right,
                       (int)e->n) == 0;
}

/* Solves cyclic tridiagonal equations, by splitting off the two corners of the matrix as a product u vᵀ of rank 1
 * (Sherman, Morrison). Returns false if the equations are singular. */
static bool solve_cyclic(const spline_rows *e) {
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
  double *memory = calloc(5 * n + 1, sizeof *memory);
  if (memory == NULL)
    return SEAM_NO_MEMORY;
  const spline_rows e = {n, memory, memory + n, memory + 2 * n, memory + 3 * n};
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

static seam_status find_slopes(interpolation kind, const samples *p, double *m) {
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

/* ---- Creation ---------------------------------------------------------------------------------------------------- */

/* Returns the cubic between points k and k + 1 with their values and slopes m; m NULL: a straight line. It is constant
 * at a jump, where both points have the same x: y of point k + 1. INTERPOLATION_HOLD elsewhere gives y of point k. */
static cubic hermite(interpolation kind, const samples *p, const double *m, size_t k) {
  const double h = length_of(p, k);
  if (kind == INTERPOLATION_HOLD || h == 0)
    return (cubic){p->x[k], p->y[h == 0 ? k + 1 : k], 0, 0, 0};
  const double D = difference(p, k);
  if (m == NULL)
    return (cubic){p->x[k], p->y[k], D, 0, 0};
  return (cubic){p->x[k], p->y[k], m[k], (3 * D - 2 * m[k] - m[k + 1]) / h, (m[k] + m[k + 1] - 2 * D) / (h * h)};
}

/* Sets the cubics before and after the points. */
static void extend(lookup *self, const samples *p) {
  const cubic *behind = &self->cubics[self->n - 1];
  const double slopes[2] = {self->cubics[1].m, slope_of(behind, self->last - behind->origin)};
  const double y[2] = {p->y[0], p->y[self->n - 1]};
  const double x[2] = {self->first, self->last};
  for (int end = 0; end < 2; end++) {
    cubic *c = &self->cubics[end == 0 ? 0 : self->n];
    *c = (cubic){.origin = x[end], .y = self->beyond == EXTRAPOLATION_NONE ? NAN : y[end]};
    if (self->beyond == EXTRAPOLATION_LINEAR)
      c->m = slopes[end];
    else if (self->beyond == EXTRAPOLATION_HOLD)
      self->f.has_kinks |= slopes[end] != 0;
  }
}

static bool is_smooth(interpolation kind) { return kind != INTERPOLATION_LINEAR && kind != INTERPOLATION_HOLD; }

static lookup *allocate(const lookup_def *def) {
  const size_t n = def->points.n;
  const size_t size = sizeof(lookup) + (n + 1) * sizeof(cubic);
  const size_t length = strlen(def->name) + 1;
  lookup *self = malloc(size + length);
  if (self == NULL)
    return NULL;
  char *name = memcpy((char *)self + size, def->name, length);
  const uint64_t hash = hash_numbers(hash_word(hash_word(HASH_START, def->kind), def->beyond), def->points.x, n);
  const double span = def->points.x[n - 1] - def->points.x[0];
  *self = (lookup){.f = {.name = name,
                         .arity = 1,
                         .has_kinks = !is_smooth(def->kind),
                         .period = def->beyond == EXTRAPOLATION_PERIODIC ? span : 0,
                         .table = self,
                         .identity = hash_numbers(hash, def->points.y, n)},
                   .beyond = def->beyond,
                   .is_constant = def->kind == INTERPOLATION_HOLD && def->beyond != EXTRAPOLATION_NONE &&
                                  def->beyond != EXTRAPOLATION_PERIODIC,
                   .n = n,
                   .first = def->points.x[0],
                   .last = def->points.x[n - 1],
                   .span = span,
                   .values = {INFINITY, -INFINITY}};
  self->noted = &self->noted_once;
  atomic_init(self->noted, false);
  return self;
}

seam_status lookup_create(const lookup_def *def, lookup **created) {
  const samples *p = &def->points;
  lookup *self = allocate(def);
  double *m = is_smooth(def->kind) ? malloc(p->n * sizeof *m) : NULL;
  seam_status status = self == NULL || (is_smooth(def->kind) && m == NULL) ? SEAM_NO_MEMORY : SEAM_OK;
  if (status == SEAM_OK && m != NULL)
    status = find_slopes(def->kind, p, m);
  for (size_t k = 0; status == SEAM_OK && k + 1 < p->n; k++) {
    cubic *c = &self->cubics[k + 1];
    *c = hermite(def->kind, p, m, k);
    if (isfinite(c->y) && isfinite(c->m) && isfinite(c->b) && isfinite(c->a))
      include_piece(&self->values, c, 0, length_of(p, k));
    else
      status = SEAM_NOT_FINITE;
  }
  if (status == SEAM_OK && !(isfinite(self->values.low) && isfinite(self->values.high)))
    status = SEAM_NOT_FINITE;
  free(m);
  if (status == SEAM_OK) {
    extend(self, p);
    *created = self;
  } else
    lookup_destroy(self);
  return status;
}

void lookup_destroy(lookup *self) { free(self); }
