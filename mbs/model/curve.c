/* Curves: their arcs, the foot of a point, and the signed distance as a coordinate of two bodies (equations: curve.h).
 * A curve is divided at its knots and kinks, then into arcs whose direction changes by at most mbs_arc_angle. So each
 * arc is close to its chord. Its point nearest to a point p is unique if p is nearer than its radii of curvature. */
#include "mbs/model/curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/then.h"
#include "mbs/thresholds.h"

enum { FIRST_PIECES = 16 };

/* ---- Points ---- */

/* Returns the point at s, limited to the range of s. At the end of the range the derivatives are limits from inside. */
static mbs_curve_point point_within(const mbs_curve *curve, const double range[2], double s) {
  const double at[2] = {fmin(fmax(s, range[0]), nextafter(range[1], range[0])), 0};
  seam_jet x;
  seam_jet y;
  curve->x.jet(curve->x.data, at, &x);
  curve->y.jet(curve->y.data, at, &y);
  return (mbs_curve_point){{x.value, y.value}, {x.d[0], y.d[0]}, {x.dd[0], y.dd[0]}};
}

mbs_curve_point mbs_curve_point_at(const mbs_curve *curve, int arc, double s) {
  return point_within(curve, curve->arcs[arc].s, s);
}

static double curvature_at(const mbs_curve_point *point) {
  const double speed = hypot(point->d.x, point->d.y);
  return mbs_cross(point->d, point->dd) / (speed * speed * speed);
}

/* Returns c''': the derivative of the quartic through five values of c'', exact for polynomials c up to degree six. */
mbs_vector mbs_curve_third(const mbs_curve *curve, int arc, double s) {
  static const double w[5][4] = {
      /* derivatives of Lagrange polynomials with nodes 0 ... 4: coefficients of powers of u */
      {-25.0 / 12, 35.0 / 12, -5.0 / 4, 1.0 / 6},
      {4, -26.0 / 3, 9.0 / 2, -2.0 / 3},
      {-3, 19.0 / 2, -6, 1},
      {4.0 / 3, -14.0 / 3, 7.0 / 2, -2.0 / 3},
      {-1.0 / 4, 11.0 / 12, -3.0 / 4, 1.0 / 6}};
  const double *range = curve->arcs[arc].s;
  const double h = (range[1] - range[0]) / 1024;
  const double first = fmin(fmax(s - 2 * h, range[0]), range[1] - 4 * h);
  const double u = (s - first) / h;
  mbs_vector third = {0};
  for (int i = 0; i < 5; i++) {
    const mbs_vector dd = point_within(curve, range, first + i * h).dd;
    const double weight = (w[i][0] + u * (w[i][1] + u * (w[i][2] + u * w[i][3]))) / h;
    third.x += weight * dd.x;
    third.y += weight * dd.y;
  }
  return third;
}

/* ---- Arcs ---- */

static double angle_from(mbs_vector a, mbs_vector b) { return atan2(mbs_cross(a, b), mbs_dot(a, b)); }

enum { SAMPLES = 5 };
/* Samples the curve at equal steps of its parameter s. SEAM_BAD_INPUT: a point is not finite or has no direction. */
static seam_status sample(const mbs_curve *curve, const double range[2], mbs_curve_point p[SAMPLES],
                          seam_error *error) {
  for (int i = 0; i < SAMPLES; i++) {
    const double s = range[0] + (range[1] - range[0]) * i / (SAMPLES - 1);
    p[i] = point_within(curve, range, s);
    const bool is_finite = isfinite(p[i].c.x) && isfinite(p[i].c.y) && isfinite(p[i].d.x) && isfinite(p[i].d.y) &&
                           isfinite(p[i].dd.x) && isfinite(p[i].dd.y) &&
                           hypot(p[i].c.x, p[i].c.y) < mbs_farthest_position;
    if (!is_finite)
      return seam_fail(error, SEAM_BAD_INPUT, "curve '%s' is not finite at s = %.9g: change its range or expression",
                       curve->name, s);
    if (p[i].d.x == 0 && p[i].d.y == 0)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "curve '%s' has no direction at s = %.9g, where its derivative is zero: write x and y as "
                       "functions of another parameter",
                       curve->name, s);
  }
  return SEAM_OK;
}

/* Sets arc->near to the Hermite polynomial of degree five in u = 0 ... 1 with c, c' and c'' of both ends. `position`,
 * `slope` and `curvature` are the contributions of its last three terms to c, c' and c'' at u = 1. */
static void set_polynomial(mbs_arc *arc, const mbs_curve_point *first, const mbs_curve_point *last) {
  const double w = arc->s[1] - arc->s[0];
  const double from[2][3] = {{first->c.x, w * first->d.x, w * w * first->dd.x / 2},
                             {first->c.y, w * first->d.y, w * w * first->dd.y / 2}};
  const double to[2][3] = {{last->c.x, w * last->d.x, w * w * last->dd.x},
                           {last->c.y, w * last->d.y, w * w * last->dd.y}};
  double a[2][6];
  for (int i = 0; i < 2; i++) {
    const double position = to[i][0] - from[i][0] - from[i][1] - from[i][2];
    const double slope = to[i][1] - from[i][1] - 2 * from[i][2];
    const double curvature = to[i][2] - 2 * from[i][2];
    memcpy(a[i], from[i], sizeof from[i]);
    a[i][3] = 10 * position - 4 * slope + curvature / 2;
    a[i][4] = -15 * position + 7 * slope - curvature;
    a[i][5] = 6 * position - 3 * slope + curvature / 2;
  }
  for (int k = 0; k < 6; k++)
    arc->near[k] = (mbs_vector){a[0][k], a[1][k]};
}

/* Appends the arcs of a range of s, which is halved until the direction and |c'| change little in each arc. */
static seam_status cut(mbs_curve *curve, double from, double to, int depth, seam_error *error) {
  const double range[2] = {from, to};
  const double middle = from + (to - from) / 2;
  mbs_curve_point p[SAMPLES];
  TRY(sample(curve, range, p, error));
  double angle = 0;
  double least = INFINITY;
  double most = 0;
  for (int i = 0; i < SAMPLES; i++) {
    const double speed = hypot(p[i].d.x, p[i].d.y);
    least = fmin(least, speed);
    most = fmax(most, speed);
    angle += i > 0 ? fabs(angle_from(p[i - 1].d, p[i].d)) : 0;
  }
  const bool is_flat = angle <= mbs_arc_angle && most <= mbs_arc_growth * least;
  if (!is_flat && depth > 0 && middle > from && middle < to) {
    if (curve->n_arcs >= MBS_MAX_ARCS)
      return seam_fail(error, SEAM_BAD_INPUT, "curve '%s' bends more than a million times: make it simpler",
                       curve->name);
    TRY(cut(curve, from, middle, depth - 1, error));
    return cut(curve, middle, to, depth - 1, error);
  }
  mbs_arc *grown = array_grow(curve->arcs, &curve->capacity, (size_t)curve->n_arcs + 1, sizeof *grown);
  if (grown == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for curve '%s'", curve->name);
  curve->arcs = grown;
  mbs_arc *arc = &curve->arcs[curve->n_arcs++];
  const mbs_curve_point *ends[2] = {&p[0], &p[SAMPLES - 1]};
  for (int i = 0; i < 2; i++) {
    const double speed = hypot(ends[i]->d.x, ends[i]->d.y);
    arc->s[i] = range[i];
    arc->end[i] = ends[i]->c;
    arc->t[i] = (mbs_vector){ends[i]->d.x / speed, ends[i]->d.y / speed};
  }
  /* With constant curvature and θ = angle, the largest distance from the chord would be tan(θ/4)/2 times its length.
   * The bulge is about eight times this distance, to allow for uneven curvature. */
  const double chord = hypot(arc->end[1].x - arc->end[0].x, arc->end[1].y - arc->end[0].y);
  arc->bulge = chord * fmin(angle, 1) + mbs_bulge_rounding * chord;
  set_polynomial(arc, ends[0], ends[1]);
  return SEAM_OK;
}

/* Returns the next s at which the curve is divided: a knot, a kink of x(s) or y(s), or the end of the curve. */
static double next_break(const mbs_curve_def *def, double s) {
  double next = def->to;
  for (size_t i = 0; i < def->n_knots; i++)
    if (def->knots[i] > s)
      next = fmin(next, def->knots[i]);
  const seam_law *const laws[2] = {&def->x, &def->y};
  for (int i = 0; i < 2; i++)
    if (laws[i]->next_kink != NULL) {
      const seam_kink kink = laws[i]->next_kink(laws[i]->data, s);
      next = kink.at > s ? fmin(next, kink.at) : next;
    }
  return next;
}

/* ---- Boxes ---- */

static void include(mbs_box *box, mbs_vector p, double margin) {
  box->low.x = fmin(box->low.x, p.x - margin);
  box->low.y = fmin(box->low.y, p.y - margin);
  box->high.x = fmax(box->high.x, p.x + margin);
  box->high.y = fmax(box->high.y, p.y + margin);
}

static void build_boxes(mbs_curve *curve, int node, int first, int n) {
  mbs_box *box = &curve->boxes[node];
  *box = (mbs_box){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
  if (n == 1) {
    for (int i = 0; i < 2; i++)
      include(box, curve->arcs[first].end[i], curve->arcs[first].bulge);
    return;
  }
  const int half = n / 2;
  const int other = node + 2 * half;
  build_boxes(curve, node + 1, first, half);
  build_boxes(curve, other, first + half, n - half);
  for (int i = 0; i < 2; i++) {
    const mbs_box *child = &curve->boxes[i == 0 ? node + 1 : other];
    include(box, child->low, 0);
    include(box, child->high, 0);
  }
}

/* ---- Checks ---- */

/* Returns true if two chords have a point in common, and are not parallel. */
static bool meet(const mbs_arc *a, const mbs_arc *b) {
  const mbs_vector u = {a->end[1].x - a->end[0].x, a->end[1].y - a->end[0].y};
  const mbs_vector v = {b->end[1].x - b->end[0].x, b->end[1].y - b->end[0].y};
  const mbs_vector w = {b->end[0].x - a->end[0].x, b->end[0].y - a->end[0].y};
  const double det = mbs_cross(u, v);
  const double on_a = mbs_cross(w, v) / det;
  const double on_b = mbs_cross(w, u) / det;
  return fabs(det) > mbs_chords_meet * hypot(u.x, u.y) * hypot(v.x, v.y) && fabs(on_a - 0.5) <= 0.5 + mbs_chords_meet &&
         fabs(on_b - 0.5) <= 0.5 + mbs_chords_meet;
}

/* Returns the number of an arc whose chord crosses the chord of `arc`; -1: no such arc. Searches the n arcs from
 * `first` on, which belong to `node` of the tree of boxes. Leaves out `arc`, all arcs before it, and its neighbours.
 * box: box of the chord of `arc`. */
static int find_crossing(const mbs_curve *curve, int arc, const mbs_box *box, int node, int first, int n) {
  const mbs_box *other = &curve->boxes[node];
  const bool overlap = box->low.x <= other->high.x && other->low.x <= box->high.x && box->low.y <= other->high.y &&
                       other->low.y <= box->high.y;
  if (first + n <= arc + 2 || !overlap)
    return -1;
  if (n == 1) {
    const bool is_next = curve->is_closed && arc == 0 && first == curve->n_arcs - 1;
    return !is_next && meet(&curve->arcs[arc], &curve->arcs[first]) ? first : -1;
  }
  const int half = n / 2;
  const int found = find_crossing(curve, arc, box, node + 1, first, half);
  return found >= 0 ? found : find_crossing(curve, arc, box, node + 2 * half, first + half, n - half);
}

static seam_status check_course(const mbs_curve *curve, seam_error *error) {
  for (int arc = 1; arc < curve->n_arcs; arc++) {
    const mbs_vector before = curve->arcs[arc - 1].end[1];
    const mbs_vector after = curve->arcs[arc].end[0];
    const double jump = hypot(after.x - before.x, after.y - before.y);
    if (jump > mbs_curve_same_point * curve->size)
      return seam_fail(error, SEAM_BAD_INPUT, "curve '%s' jumps by %.3g m at s = %.9g: its parts must meet",
                       curve->name, jump, curve->arcs[arc].s[0]);
  }
  const mbs_vector a = curve->arcs[0].end[0];
  const mbs_vector b = curve->arcs[curve->n_arcs - 1].end[1];
  const double gap = hypot(b.x - a.x, b.y - a.y);
  if (curve->is_closed && !(gap <= mbs_curve_same_point * curve->size))
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "curve '%s' does not close: it ends %.3g m from where it begins; change its range or leave out 'closed'",
        curve->name, gap);
  for (int arc = 0; arc < curve->n_arcs; arc++) {
    mbs_box box = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int i = 0; i < 2; i++)
      include(&box, curve->arcs[arc].end[i], 0);
    const int other = find_crossing(curve, arc, &box, 0, 0, curve->n_arcs);
    if (other >= 0)
      return seam_fail(
          error, SEAM_BAD_INPUT,
          "curve '%s' crosses itself at s = %.6g and s = %.6g, so its sides are undefined: split it into two curves",
          curve->name, curve->arcs[arc].s[0], curve->arcs[other].s[0]);
  }
  return SEAM_OK;
}

/* ---- Properties of the curve ---- */

/* Returns the length of an arc, m, from its start to s, by Gauss's rule with eight points; its error is round-off. */
static double length_to(const mbs_curve *curve, int arc, double s) {
  enum { HALF = 4 };
  static const double node[HALF] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
  static const double weight[HALF] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
  const double from = curve->arcs[arc].s[0];
  const double half = (s - from) / 2;
  double sum = 0;
  for (int i = 0; i < 2 * HALF; i++) {
    const double shift = (i < HALF ? -1 : 1) * node[i % HALF];
    const mbs_vector d = mbs_curve_point_at(curve, arc, from + half * (1 + shift)).d;
    sum += weight[i % HALF] * hypot(d.x, d.y);
  }
  return half * sum;
}

/* Finds lengths, changes of direction, the least and the largest curvature, and corners. */
static void find_properties(mbs_curve *curve) {
  const int n = curve->n_arcs;
  double direction_change = 0;
  curve->curvature[0] = INFINITY;
  curve->curvature[1] = -INFINITY;
  curve->corner[0] = curve->corner[1] = NAN;
  for (int i = 0; i < n; i++) {
    mbs_arc *arc = &curve->arcs[i];
    const mbs_vector before = curve->arcs[(i + n - 1) % n].t[1];
    arc->before = curve->length;
    arc->direction_change = direction_change;
    curve->length += length_to(curve, i, arc->s[1]);
    direction_change += angle_from(arc->t[0], arc->t[1]) + angle_from(arc->t[1], curve->arcs[(i + 1) % n].t[0]);
    for (int k = 0; k < SAMPLES; k++) {
      const double s = arc->s[0] + (arc->s[1] - arc->s[0]) * k / (SAMPLES - 1);
      const mbs_curve_point p = mbs_curve_point_at(curve, i, s);
      const double curvature = curvature_at(&p);
      for (int most = 0; most < 2; most++)
        if (most ? curvature > curve->curvature[1] : curvature < curve->curvature[0]) {
          curve->curvature[most] = curvature;
          curve->s_of_curvature[most] = s;
        }
    }
    if ((i > 0 || curve->is_closed) && fabs(angle_from(before, arc->t[0])) > mbs_sharp_corner)
      curve->corner[mbs_cross(before, arc->t[0]) > 0] = arc->s[0];
  }
}

/* Both results are continuous along the curve. At the start of a closed curve they begin at 0 again. */
double mbs_curve_arc_length(const mbs_curve *curve, const mbs_foot *foot, double *direction_change) {
  const mbs_arc *arc = &curve->arcs[foot->arc];
  *direction_change = arc->direction_change + angle_from(arc->t[0], foot->t);
  return arc->before + length_to(curve, foot->arc, foot->s);
}

/* ---- Creation ---- */

static seam_status fill(mbs_curve *curve, const mbs_curve_def *def, seam_error *error) {
  const int pieces = def->n_knots > 0 ? 1 : FIRST_PIECES;
  for (double s = def->from; s < def->to;) {
    const double end = next_break(def, s);
    for (int i = 0; i < pieces; i++)
      TRY(cut(curve, s + (end - s) * i / pieces, i == pieces - 1 ? end : s + (end - s) * (i + 1) / pieces,
              MBS_MAX_ARC_HALVINGS, error));
    s = end;
  }
  curve->boxes = calloc(2 * (size_t)curve->n_arcs + 1, sizeof *curve->boxes);
  if (curve->boxes == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for curve '%s'", curve->name);
  build_boxes(curve, 0, 0, curve->n_arcs);
  const mbs_box *all = &curve->boxes[0];
  curve->size = hypot(all->high.x - all->low.x, all->high.y - all->low.y);
  double area = 0; /* twice the signed area of the chords' polygon; if it is positive, the inside is on the left */
  for (int i = 0; i < curve->n_arcs; i++)
    area += mbs_cross(curve->arcs[i].end[0], curve->arcs[i].end[1]);
  curve->inside = area < 0 ? -1 : 1;
  find_properties(curve);
  return check_course(curve, error);
}

seam_status mbs_curve_create(const mbs_curve_def *def, mbs_curve **created, seam_error *error) {
  if (def->x.value == NULL || def->y.value == NULL || def->x.jet == NULL || def->y.jet == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "curve '%s' needs its laws x and y with derivatives", def->name);
  if (!(def->from < def->to) || !isfinite(def->from) || !isfinite(def->to))
    return seam_fail(error, SEAM_BAD_INPUT, "curve '%s': its range from %g to %g must grow and be finite", def->name,
                     def->from, def->to);
  for (size_t i = 0; i < def->n_knots; i++)
    if (!isfinite(def->knots[i]) || (i > 0 && !(def->knots[i] > def->knots[i - 1])))
      return seam_fail(error, SEAM_BAD_INPUT, "curve '%s': its knots must grow and be finite", def->name);
  mbs_curve *curve = calloc(1, sizeof *curve);
  char *name = strdup(def->name);
  if (curve == NULL || name == NULL) {
    free(curve);
    free(name);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for curve '%s'", def->name);
  }
  *curve = (mbs_curve){
      .name = name, .x = def->x, .y = def->y, .from = def->from, .to = def->to, .is_closed = def->is_closed};
  const seam_status status = fill(curve, def, error);
  if (status != SEAM_OK)
    curve->x.destroy = curve->y.destroy = NULL;
  RETURN_CREATED(status, curve, created, mbs_curve_destroy);
}

void mbs_curve_destroy(mbs_curve *curve) {
  if (curve == NULL)
    return;
  mbs_destroy_law(&curve->x);
  mbs_destroy_law(&curve->y);
  free(curve->name);
  free(curve->arcs);
  free(curve->boxes);
  free(curve);
}

/* ---- Foot ---- */

/* Finds the foot: the point of a curve c(s) that is nearest to a point p. Boxes exclude arcs that are farther from p
 * than the best point so far. In an arc, Newton's method with bisection finds the zero of F(s) = (c - p) · c'. It
 * starts from the zero of a polynomial close to the arc. The result depends on p alone, so equal states give bitwise
 * equal results. */

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

static double norm(mbs_vector a) { return sqrt(mbs_dot(a, a)); }

static double distance_of_box(const mbs_box *box, mbs_vector p) {
  const double x = fmax(0, fmax(box->low.x - p.x, p.x - box->high.x));
  const double y = fmax(0, fmax(box->low.y - p.y, p.y - box->high.y));
  return sqrt(x * x + y * y);
}

/* Makes an end of an arc the best point if it is nearest to p so far. A foot just inside an arc and the arc's end are
 * equally far from p, up to round-off. But their directions differ by the square root of round-off. So a foot inside an
 * arc is preferred to an end that is nearer by round-off only. */
static void try_end(foot_search *f, int arc, int end) {
  const double distance = norm(difference(f->p, f->curve->arcs[arc].end[end]));
  const bool is_other_inside = f->arc >= 0 && f->end < 0;
  if (!(distance < (is_other_inside ? (1 - mbs_foot_tie) * f->best : f->best)))
    return;
  f->best = distance;
  f->arc = arc;
  f->end = end;
  f->s = f->curve->arcs[arc].s[end];
}

/* Returns the u from 0 to 1 at which the arc's polynomial is nearest to p. `chord`: first guess, which is returned if
 * Newton's method leaves the arc. */
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

/* Makes the zero of F in an arc the best point if it is nearest to p so far. share: fraction of the arc at which
 * Newton's method begins. F must be negative at the arc's start and positive at its end. */
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
  const double distance = norm(difference(f->p, point.c));
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
  if (norm(difference(f->p, near)) - arc->bulge >= (1 + mbs_foot_tie) * f->best)
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
  const double speed = norm(point->d);
  const mbs_vector t = {point->d.x / speed, point->d.y / speed};
  const mbs_vector n = mbs_perp(t);
  const double distance = mbs_dot(n, difference(f->p, point->c));
  const double curvature = curvature_at(point);
  return (mbs_foot){MBS_ON_ARC, f->arc, f->s, distance, n, t, -curvature / (1 - curvature * distance)};
}

/* Returns the foot at a corner or an end; before, after: directions of the curve before and after it. The distance from
 * a corner has the sign of w · bisector. w leads from the corner to p; `bisector` lies between both normals. */
static mbs_foot at_corner(const foot_search *f, mbs_foot_kind kind, mbs_vector before, mbs_vector after) {
  const mbs_vector w = difference(f->p, f->curve->arcs[f->arc].end[f->end]);
  const mbs_vector bisector = mbs_perp((mbs_vector){before.x + after.x, before.y + after.y});
  const double distance = mbs_dot(bisector, w) < 0 && kind == MBS_AT_CORNER ? -f->best : f->best;
  mbs_foot foot = {.kind = kind, .arc = f->arc, .s = f->s, .distance = distance};
  if (f->best > 0) {
    foot.n = (mbs_vector){w.x / distance, w.y / distance};
    foot.b = 1 / distance;
  } else {
    const double size = norm(bisector);
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

static double foot_slope(const mbs_curve *curve, const mbs_foot *foot) {
  if (foot->kind != MBS_ON_ARC)
    return 0;
  const mbs_curve_point p = mbs_curve_point_at(curve, foot->arc, foot->s);
  const mbs_vector ddd = mbs_curve_third(curve, foot->arc, foot->s);
  const double square = mbs_dot(p.d, p.d);
  const double curvature = curvature_at(&p);
  /* κ |c'|³ = c' × c'' gives κ' |c'|⁴ = c' × c''' - 3 κ |c'| c' · c'' */
  const double rate = (mbs_cross(p.d, ddd) - 3 * curvature * sqrt(square) * mbs_dot(p.d, p.dd)) / (square * square);
  const double factor = 1 - curvature * foot->distance;
  return -rate / (factor * factor * factor);
}

/* ---- Coordinate ---- */

/* The signed distance φ of the second marker from a curve that is fixed on the first body. p is the position of the
 * second marker in the frame of the first body. p_e = e · p is its component along a direction e fixed in this frame
 * ("in body" in mbs/model/kinematics.c); p_n and p_t are those along n and t at the present foot. ∂ are here
 * derivatives by q of both bodies, and v are the rates of q; τ = ṗ_t, ν = ṗ_n. J, H and T are defined in kinematics.h;
 * φ, n, t and b in curve.h; b_t is ∂b/∂t of curve.h. T_n is T of p_n with n fixed:
 *
 *   J   = ∂p_n                          H = ∂²p_n + b ∂p_t ∂p_tᵀ             J̇ = H v
 *   vᵀ H v = vᵀ ∂²p_n v + b τ²
 *   T   = T_n + b (vᵀ ∂²p_t v) ∂p_t + τ² (b_t ∂p_t - b² ∂p_n) + 2 b τ (∂ṗ_t - b ν ∂p_t)
 *
 * since n and t turn as the foot moves: ∂n = b t ∂p_t, ∂t = -b n ∂p_t. The functions multiply all results by `side`. */

mbs_foot mbs_curve_foot_of(const mbs_pair *pair, const mbs_curve_side *of) {
  const mbs_frame *f1 = pair->frame[0];
  const mbs_frame *f2 = pair->frame[1];
  const mbs_vector a1 = mbs_rotate(f1, pair->marker[0]);
  const mbs_vector a2 = mbs_rotate(f2, pair->marker[1]);
  const mbs_vector d = {f2->x + a2.x - f1->x - a1.x, f2->y + a2.y - f1->y - a1.y};
  mbs_foot foot = mbs_curve_foot(of->curve, mbs_rotate_back(f1, d));
  if (foot.kind != MBS_BEYOND_END)
    return foot;
  if (of->ends_at_end)
    foot.distance = NAN;
  else if (of->side < 0) { /* beyond an end the coordinate is positive for both sides */
    foot.distance = -foot.distance;
    foot.n = (mbs_vector){-foot.n.x, -foot.n.y};
    foot.t = (mbs_vector){-foot.t.x, -foot.t.y};
    foot.b = -foot.b;
  }
  return foot;
}

void mbs_relative_to_curve(const mbs_pair *pair, const mbs_curve_side *of, mbs_relative_coordinate *coordinate) {
  const mbs_foot foot = mbs_curve_foot_of(pair, of);
  mbs_relative_coordinate along;
  mbs_relative_along_body(pair, (mbs_vector){of->side * foot.n.x, of->side * foot.n.y}, coordinate);
  mbs_relative_along_body(pair, foot.t, &along);
  const double rotation_rate = of->side * foot.b * mbs_relative_rate(&along, pair);
  coordinate->s = of->side * foot.distance;
  for (int i = 0; i < 6; i++)
    coordinate->Jdot[i] += rotation_rate * along.J[i];
}

void mbs_curvature_curve(const mbs_pair *pair, const mbs_curve_side *of, mbs_curvature *curvature) {
  const mbs_foot foot = mbs_curve_foot_of(pair, of);
  const double b = foot.b;
  const double slope = foot_slope(of->curve, &foot);
  mbs_relative_coordinate across;
  mbs_relative_coordinate along;
  mbs_curvature_along_body(pair, (mbs_vector){of->side * foot.n.x, of->side * foot.n.y}, curvature);
  mbs_relative_along_body(pair, foot.n, &across);
  mbs_relative_along_body(pair, foot.t, &along);
  const double tau = mbs_relative_rate(&along, pair);
  const double nu = mbs_relative_rate(&across, pair);
  const double convection = mbs_relative_convection(&along, pair);
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++)
      curvature->H[i][j] += of->side * b * along.J[i] * along.J[j];
    curvature->T[i] +=
        of->side * (b * convection * along.J[i] + tau * tau * (slope * along.J[i] - b * b * across.J[i]) +
                    2 * b * tau * (along.Jdot[i] - b * nu * along.J[i]));
  }
}
