#include "models/expression/lookup.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/note.h"
#include "models/thresholds.h"

enum { FEW_PIECES = 8 }; /* if a range of arguments covers more pieces, its enclosure has all values of the table */

typedef struct cubic {
  double origin, y, m, b, a;
} cubic;

/* Cubic 0 applies before the points, cubic k between the points with indices k-1 and k, and cubic n after the last
 * point. */
struct lookup {
  function f; /* its name is stored behind the cubics */
  atomic_bool *noted, noted_once;
  extrapolation beyond;
  bool has_kinks;
  bool is_constant; /* true: the function is piecewise constant, and has its last value at the last point and beyond */
  unsigned long long identity;
  size_t n;
  double first, last, span;
  range values; /* range of the values between the first and the last point */
  cubic cubics[];
};

typedef struct location {
  size_t piece;
  double d;       /* distance from the origin of the piece */
  double periods; /* number of complete periods between u and the points */
} location;

/* Returns the largest k, 1 <= k < n, for which the origin of cubic k is at or before u. Returns 1 if u is before all
 * points. */
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

static void include(range *all, double x) {
  all->low = fmin(all->low, x);
  all->high = fmax(all->high, x);
}

/* Extends a range to enclose the values of a cubic by its Bernstein coefficients ([Moore-Kearfott-Cloud], 5). */
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

bool lookup_has_kinks(const lookup *self) { return self->has_kinks; }

double lookup_period(const lookup *self) { return self->beyond == EXTRAPOLATION_PERIODIC ? self->span : 0; }

unsigned long long lookup_identity(const lookup *self) { return self->identity; }

const function *lookup_function(const lookup *self) { return &self->f; }

/* Returns the cubic between points k and k + 1 with their values and slopes m. If m is NULL, returns a straight line.
 * At a jump, where both points have the same x, returns the constant y of point k + 1. For INTERPOLATION_HOLD, returns
 * the constant y of point k elsewhere. */
static cubic hermite(interpolation kind, const samples *p, const double *m, size_t k) {
  const double h = p->x[k + 1] - p->x[k];
  if (kind == INTERPOLATION_HOLD || h == 0)
    return (cubic){p->x[k], p->y[h == 0 ? k + 1 : k], 0, 0, 0};
  const double D = (p->y[k + 1] - p->y[k]) / h;
  if (m == NULL)
    return (cubic){p->x[k], p->y[k], D, 0, 0};
  return (cubic){p->x[k], p->y[k], m[k], (3 * D - 2 * m[k] - m[k + 1]) / h, (m[k] + m[k + 1] - 2 * D) / (h * h)};
}

/* Sets the cubics that apply before and after the points. */
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
      self->has_kinks |= slopes[end] != 0;
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
  *self = (lookup){.f = {.name = name, .arity = 1, .table = self},
                   .beyond = def->beyond,
                   .has_kinks = !is_smooth(def->kind),
                   .is_constant = def->kind == INTERPOLATION_HOLD && def->beyond != EXTRAPOLATION_NONE &&
                                  def->beyond != EXTRAPOLATION_PERIODIC,
                   .identity = hash_numbers(hash, def->points.y, n),
                   .n = n,
                   .first = def->points.x[0],
                   .last = def->points.x[n - 1],
                   .span = def->points.x[n - 1] - def->points.x[0],
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
    status = interpolation_slopes(def->kind, p, m);
  for (size_t k = 0; status == SEAM_OK && k + 1 < p->n; k++) {
    cubic *c = &self->cubics[k + 1];
    *c = hermite(def->kind, p, m, k);
    if (isfinite(c->y) && isfinite(c->m) && isfinite(c->b) && isfinite(c->a))
      include_piece(&self->values, c, 0, p->x[k + 1] - p->x[k]);
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
