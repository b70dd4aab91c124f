/* Finds the foot: the point of a curve c(s) that is nearest to a point p. Boxes exclude arcs that are farther from p
 * than the best point so far. In an arc, Newton's method with bisection finds the zero of F(s) = (c - p) · c', starting
 * from the zero of a polynomial close to the arc. The result depends on p alone, not on earlier searches, so that equal
 * states give bitwise equal results. */
#include "mbs/model/curves/curve.h"

#include <math.h>

#include "mbs/thresholds.h"

typedef struct foot_search {
  const mbs_curve *curve;
  mbs_vector p;
  double best; /* smallest distance so far */
  int arc;
  double s;
  mbs_curve_point point;
  int end; /* the best point is this end of the arc, 0 or 1; -1: it is inside the arc */
} foot_search;

static mbs_vector difference(mbs_vector a, mbs_vector b) { return (mbs_vector){a.x - b.x, a.y - b.y}; }

static double length(mbs_vector a) { return sqrt(mbs_dot(a, a)); }

static double distance_of_box(const mbs_box *box, mbs_vector p) {
  const double x = fmax(0, fmax(box->low.x - p.x, p.x - box->high.x));
  const double y = fmax(0, fmax(box->low.y - p.y, p.y - box->high.y));
  return sqrt(x * x + y * y);
}

/* Makes an end of an arc the best point if it is nearer to p than the best point so far. If the foot is inside an arc
 * but close to the arc's end, the foot and the end are equally far from p up to round-off. But the directions of the
 * curve at these two points differ by the square root of round-off. So a foot inside an arc is preferred to an end that
 * is nearer by round-off only. */
static void try_end(foot_search *f, int arc, int end) {
  const double distance = length(difference(f->p, f->curve->arcs[arc].end[end]));
  const bool is_other_inside = f->arc >= 0 && f->end < 0;
  if (!(distance < (is_other_inside ? (1 - mbs_foot_tie) * f->best : f->best)))
    return;
  f->best = distance;
  f->arc = arc;
  f->end = end;
  f->s = f->curve->arcs[arc].s[end];
}

/* Returns u, 0 to 1, where the arc's polynomial is nearest to p. `chord`: initial value, which is returned if Newton's
 * method leaves the arc. */
static double share_of_polynomial(const mbs_arc *arc, mbs_vector p, double chord) {
  const mbs_vector *a = arc->near;
  double u = chord;
  for (int i = 0; i < MBS_MAX_CHORD_STEPS; i++) {
    mbs_vector c = a[5];
    mbs_vector d = {0};
    mbs_vector half = {0}; /* c''/2 */
    for (int k = 4; k >= 0; k--) {
      half = (mbs_vector){half.x * u + d.x, half.y * u + d.y};
      d = (mbs_vector){d.x * u + c.x, d.y * u + c.y};
      c = (mbs_vector){c.x * u + a[k].x, c.y * u + a[k].y};
    }
    const mbs_vector r = difference(c, p);
    const double slope = mbs_dot(d, d) + 2 * mbs_dot(r, half);
    const double next = u - mbs_dot(r, d) / slope;
    if (!(slope > 0) || !(next >= 0 && next <= 1))
      return chord;
    const double step = fabs(next - u);
    u = next;
    if (step <= mbs_foot_step) /* the remaining error is about the square of this step */
      break;
  }
  return u;
}

/* Makes the zero of F in an arc the best point if it is nearer to p than the best point so far. share: fraction of the
 * arc at which Newton's method begins. F must be negative at the arc's start and positive at its end. */
static void try_inside(foot_search *f, int arc, double share) {
  const double *range = f->curve->arcs[arc].s;
  const double width = range[1] - range[0];
  const double rounding = mbs_foot_rounding * fmax(fabs(range[0]), fabs(range[1]));
  double low = range[0];
  double high = range[1];
  double s = low + share * width;
  mbs_curve_point point = mbs_curve_point_at(f->curve, arc, s);
  for (int i = 0; i < MBS_MAX_FOOT_STEPS && high - low > rounding; i++) {
    const mbs_vector r = difference(point.c, f->p);
    const double F = mbs_dot(r, point.d);
    const double slope = mbs_dot(point.d, point.d) + mbs_dot(r, point.dd);
    *(F < 0 ? &low : &high) = s;
    double next = s - F / slope;
    const bool is_newton = slope > 0 && next >= low && next <= high;
    next = is_newton ? next : low + (high - low) / 2;
    const double step = fabs(next - s);
    s = next;
    point = mbs_curve_point_at(f->curve, arc, s);
    if (is_newton && step <= mbs_foot_newton * width) /* the remaining error is about the square of this step */
      break;
  }
  const double distance = length(difference(f->p, point.c));
  if (!(distance < (f->end >= 0 ? (1 + mbs_foot_tie) * f->best : f->best)))
    return;
  f->best = distance;
  f->arc = arc;
  f->end = -1;
  f->s = s;
  f->point = point;
}

static void try_arc(foot_search *f, int number) {
  const mbs_arc *arc = &f->curve->arcs[number];
  const mbs_vector chord = difference(arc->end[1], arc->end[0]);
  const double square = mbs_dot(chord, chord);
  /* projection of p onto the chord: 0 at its start, 1 at its end */
  const double share = square > 0 ? fmin(fmax(mbs_dot(difference(f->p, arc->end[0]), chord) / square, 0), 1) : 0;
  const mbs_vector near = {arc->end[0].x + share * chord.x, arc->end[0].y + share * chord.y};
  if (length(difference(f->p, near)) - arc->bulge >= (1 + mbs_foot_tie) * f->best)
    return;
  const bool leaves_first = mbs_dot(difference(arc->end[0], f->p), arc->t[0]) < 0;
  const bool leaves_last = mbs_dot(difference(arc->end[1], f->p), arc->t[1]) > 0;
  if (leaves_first && leaves_last) {
    try_inside(f, number, share_of_polynomial(arc, f->p, share));
    return;
  }
  if (!leaves_first)
    try_end(f, number, 0);
  if (!leaves_last)
    try_end(f, number, 1);
}

static void search(foot_search *f, int node, int first, int n) {
  if (n == 1) {
    try_arc(f, first);
    return;
  }
  const int half = n / 2;
  const int other = node + 2 * half;
  const double near = distance_of_box(&f->curve->boxes[node + 1], f->p);
  const double far = distance_of_box(&f->curve->boxes[other], f->p);
  const bool is_first = near <= far;
  for (int i = 0; i < 2; i++) {
    if ((i == 0) == is_first) {
      if (near < (1 + mbs_foot_tie) * f->best)
        search(f, node + 1, first, half);
    } else if (far < (1 + mbs_foot_tie) * f->best)
      search(f, other, first + half, n - half);
  }
}

static mbs_foot on_arc(const foot_search *f, const mbs_curve_point *point) {
  const double speed = length(point->d);
  const mbs_vector t = {point->d.x / speed, point->d.y / speed};
  const mbs_vector n = mbs_perp(t);
  const double distance = mbs_dot(n, difference(f->p, point->c));
  const double curvature = mbs_curvature_at(point);
  return (mbs_foot){MBS_ON_ARC, f->arc, f->s, distance, n, t, -curvature / (1 - curvature * distance)};
}

/* Returns the foot at a corner or an end; before, after: directions of the curve before and after it. The distance from
 * a corner has the sign of w · bisector, with w from the corner to p, and `bisector` between both normals. */
static mbs_foot at_corner(const foot_search *f, mbs_foot_kind kind, mbs_vector before, mbs_vector after) {
  const mbs_vector w = difference(f->p, f->curve->arcs[f->arc].end[f->end]);
  const mbs_vector bisector = mbs_perp((mbs_vector){before.x + after.x, before.y + after.y});
  const double distance = mbs_dot(bisector, w) < 0 && kind == MBS_AT_CORNER ? -f->best : f->best;
  mbs_foot foot = {.kind = kind, .arc = f->arc, .s = f->s, .distance = distance};
  if (f->best > 0) {
    foot.n = (mbs_vector){w.x / distance, w.y / distance};
    foot.b = 1 / distance;
  } else {
    const double size = length(bisector);
    foot.n = (mbs_vector){bisector.x / size, bisector.y / size};
  }
  foot.t = (mbs_vector){foot.n.y, -foot.n.x};
  return foot;
}

mbs_foot mbs_curve_foot(const mbs_curve *curve, mbs_vector p) {
  foot_search f = {.curve = curve, .p = p, .best = INFINITY, .arc = -1, .end = -1};
  search(&f, 0, 0, curve->n_arcs);
  if (f.arc < 0) /* p is not finite */
    return (mbs_foot){MBS_ON_ARC, 0, NAN, NAN, {NAN, NAN}, {NAN, NAN}, NAN};
  if (f.end < 0)
    return on_arc(&f, &f.point);
  const mbs_arc *arc = &curve->arcs[f.arc];
  const int next = f.arc + (f.end == 0 ? -1 : 1);
  const bool is_end = next < 0 || next == curve->n_arcs;
  const mbs_vector w = difference(p, arc->end[f.end]);
  if (is_end && !curve->is_closed && fabs(mbs_dot(w, arc->t[f.end])) > mbs_foot_beyond * curve->size)
    return at_corner(&f, MBS_BEYOND_END, arc->t[f.end], arc->t[f.end]);
  const mbs_arc *other = &curve->arcs[(next + curve->n_arcs) % curve->n_arcs];
  const mbs_vector across = is_end && !curve->is_closed ? arc->t[f.end] : other->t[1 - f.end];
  if (fabs(mbs_cross(arc->t[f.end], across)) > mbs_sharp_corner || mbs_dot(arc->t[f.end], across) < 0)
    return at_corner(&f, MBS_AT_CORNER, f.end == 0 ? across : arc->t[1], f.end == 0 ? arc->t[0] : across);
  const mbs_curve_point point = mbs_curve_point_at(curve, f.arc, f.s);
  return on_arc(&f, &point);
}

double mbs_foot_slope(const mbs_curve *curve, const mbs_foot *foot) {
  if (foot->kind != MBS_ON_ARC)
    return 0;
  const mbs_curve_point p = mbs_curve_point_at(curve, foot->arc, foot->s);
  const mbs_vector ddd = mbs_curve_third(curve, foot->arc, foot->s);
  const double square = mbs_dot(p.d, p.d);
  const double curvature = mbs_curvature_at(&p);
  /* κ |c'|³ = c' × c'' gives κ' |c'|⁴ = c' × c''' - 3 κ |c'| c' · c'' */
  const double rate = (mbs_cross(p.d, ddd) - 3 * curvature * sqrt(square) * mbs_dot(p.d, p.dd)) / (square * square);
  const double factor = 1 - curvature * foot->distance;
  return -rate / (factor * factor * factor);
}
