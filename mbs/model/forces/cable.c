/* Cable through points and over discs of any number of bodies, 0 ... n. Between two of them the cable is straight,
 * along their common tangent. With ρ = r of a disc on the left of the cable, -r of one on the right and 0 of a point,
 * with the distance d and direction θ of the centres and δ = ρ_k - ρ_k-1, span k has
 *
 *   the length  w_k = √(d² - δ²)     the direction  ψ_k = θ - asin(δ/d)
 *
 * and a disc between two spans carries the arc ρ_k (ψ_k+1 - ψ_k). On a disc at an end the cable is wound up: the cable
 * turns with that body by φ. Elsewhere it slides without friction, so that one tension T acts along the whole length
 *
 *   L = Σ w_k + Σ ρ_k (ψ_k+1 - ψ_k) + ρ_0 (ψ_1 - φ_0) + ρ_n (φ_n - ψ_n) + const
 *     = Σ (w_k - (ρ_k - ρ_k-1) ψ_k) - ρ_0 φ_0 + ρ_n φ_n + const
 *
 * a sum of functions s_k of two bodies each, as of a strand of a belt (elastic_belt.c). With s = L - L° and the law of
 * a strand (elastic.c), T = max(0, k s + c ṡ) where s > 0, and 0 if slack, span k has
 *
 *   Q_k = -T J_kᵀ      ∂Q_k/∂q = -T H_k - J_kᵀ T_s ∂s/∂q - J_kᵀ T_ṡ ∂ṡ/∂q      ∂Q_k/∂v = -J_kᵀ T_ṡ ∂ṡ/∂v
 *   V = k s²/2         P_dissipated = (T(s, ṡ) - T(s, 0)) ṡ                   P_driven = -T L°'
 *
 * s and ṡ are laws of the quantities L and L̇, which couple each span with all bodies. Arcs of discs between two spans
 * go from -0 to 3π/2, else L is NaN: a cable that leaves a disc does not come back to it. L is NaN, too, if a span at a
 * disc on which the cable is wound has turned by more than 3π/4 since the start, since turns are not counted. */
#include "mbs/model/cable.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mbs/model/elastic.h"
#include "mbs/model/forces/strand.h"
#include "mbs/thresholds.h"

/* ---- One span ---- */

static bool is_end(const mbs_force *force, int side) {
  return side == 0 ? force->span == 0 : force->span == force->cable->n_spans - 1;
}

/* A disc between two spans turns freely under the cable: its angle has no effect. */
static void measure(const mbs_force *force, const mbs_pair *pair, mbs_measure *s) {
  mbs_measure run;
  mbs_measure_mesh(pair, force->radius, 0, &run);
  for (int side = 0; side < 2; side++) {
    if (is_end(force, side))
      continue;
    const double carried = side == 0 ? -force->radius[0] : force->radius[1];
    run.s -= carried * pair->frame[side]->phi;
    run.J[3 * side + 2] -= carried;
  }
  mbs_strand_measures(pair, force->radius, &run, 1, s);
}

static void curvature(const mbs_force *force, const mbs_pair *pair, mbs_curvature *c) {
  mbs_strand_curvatures(pair, force->radius, 1, c);
}

static seam_jet tension(const mbs_cable *cable, const double stretch[2]) {
  return mbs_elastic_jet(&cable->law, stretch[0], stretch[1], MBS_BY_MOTION);
}

static void load(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                 mbs_power *power) {
  (void)t;
  const double T = tension(force->cable, z).value;
  mbs_measure s;
  measure(force, pair, &s);
  for (int i = 0; i < 6; i++)
    Q[i] = -T * s.J[i];
  power->driven -= T * mbs_measure_rate(&s, pair);
  if (force->span > 0)
    return;
  power->driven += T * z[1];
  power->dissipated += (T - mbs_elastic_rest_jet(&force->cable->law, z[0], MBS_BY_MOTION).value) * z[1];
}

static void derivatives(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Kq[6][6],
                        double Kv[6][6]) {
  (void)t;
  const double T = tension(force->cable, z).value;
  mbs_curvature c;
  curvature(force, pair, &c);
  memset(Kv, 0, 36 * sizeof(double));
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      Kq[i][j] = -T * c.H[i][j];
}

static void push(const mbs_force *force, const mbs_pair *pair, int component, const double *z, double push[6]) {
  const double slope = tension(force->cable, z).d[component];
  mbs_measure s;
  measure(force, pair, &s);
  for (int i = 0; i < 6; i++)
    push[i] = -slope * s.J[i];
}

/* ---- All spans ---- */

typedef struct tangent {
  double length, direction;
} tangent;

static tangent tangent_of(const mbs_force *span, const mbs_pair *pair) {
  mbs_measure gap[2];
  mbs_measure_gap(pair, gap);
  const double carried = span->radius[1] - span->radius[0];
  const double distance = hypot(gap[0].s, gap[1].s);
  return (tangent){sqrt((distance - carried) * (distance + carried)),
                   atan2(gap[1].s, gap[0].s) - asin(carried / distance)};
}

/* Returns an angle without full turns, within ±π of `middle`. */
static double turned(double angle, double middle) {
  return remainder(angle - middle, 2 * 3.14159265358979323846) + middle;
}

/* Returns the length on a disc between two spans; NaN: the cable has left the disc. */
static double arc(double radius, double from, double to) {
  static const double quarter = 3.14159265358979323846 / 2;
  const double angle = turned(radius < 0 ? from - to : to - from, quarter);
  return radius == 0 ? 0 : angle < -mbs_wrapped_at_least ? NAN : fabs(radius) * angle;
}

/* Returns the length that a disc at an end, with signed radius, has wound up since the start; NaN: the span's direction
 * has turned too far. */
static double wound(const mbs_cable *cable, int end, double radius, double direction, double angle) {
  static const double farthest = 0.75 * 3.14159265358979323846;
  const double turn = turned(direction - cable->direction[end], 0);
  return radius == 0 ? 0 : fabs(turn) > farthest ? NAN : radius * (turn - (angle - cable->angle[end]));
}

mbs_cable_reach mbs_cable_reach_of(const mbs_force *first, const mbs_frame *frames) {
  const mbs_cable *cable = first->cable;
  mbs_cable_reach reach = {0};
  double before = 0;
  for (int k = 0; k < cable->n_spans; k++) {
    const mbs_force *span = &first[k];
    const mbs_pair pair = mbs_force_pair(span, frames);
    const tangent at = tangent_of(span, &pair);
    mbs_measure s;
    measure(span, &pair, &s);
    reach.length += at.length;
    reach.length += k > 0 ? arc(span->radius[0], before, at.direction)
                          : wound(cable, 0, span->radius[0], at.direction, pair.frame[0]->phi);
    if (k == cable->n_spans - 1)
      reach.length -= wound(cable, 1, span->radius[1], at.direction, pair.frame[1]->phi);
    reach.rate += mbs_measure_rate(&s, &pair);
    before = at.direction;
  }
  return reach;
}

void mbs_cable_wind(mbs_cable *cable, const mbs_force *first, const mbs_frame *frames) {
  for (int end = 0; end < 2; end++) {
    const mbs_force *span = &first[end == 0 ? 0 : cable->n_spans - 1];
    const mbs_pair pair = mbs_force_pair(span, frames);
    cable->direction[end] = tangent_of(span, &pair).direction;
    cable->angle[end] = pair.frame[end]->phi;
  }
}

static seam_jet rest_at(const mbs_cable *cable, double t) {
  seam_jet rest = {.value = cable->rest};
  if (cable->length.value != NULL)
    cable->length.jet(cable->length.data, (double[2]){t, 0}, &rest);
  return rest;
}

void mbs_cable_stretch(const mbs_cable *cable, mbs_cable_reach reach, double t, double stretch[2]) {
  const seam_jet rest = rest_at(cable, t);
  stretch[0] = reach.length - rest.value;
  stretch[1] = reach.rate - rest.d[0];
}

void mbs_cable_stretch_change(const mbs_cable *cable, mbs_cable_reach change, double t, double dt, double changes[2]) {
  const seam_jet rest = rest_at(cable, t);
  changes[0] = change.length - rest.d[0] * dt;
  changes[1] = change.rate - rest.dd[0] * dt;
}

double mbs_cable_potential(const mbs_force *first, const mbs_frame *frames, double t) {
  const mbs_cable *cable = first->cable;
  double stretch[2];
  if (cable == NULL || first->span > 0)
    return 0;
  mbs_cable_stretch(cable, mbs_cable_reach_of(first, frames), t, stretch);
  const double T = mbs_elastic_rest_jet(&cable->law, stretch[0], MBS_BY_MOTION).value;
  return T * T / (2 * cable->law.stiffness);
}

/* ---- Laws of t, L and its rate ---- */

static double value(const void *data, const double *x, int component) {
  double stretch[2];
  mbs_cable_stretch(data, (mbs_cable_reach){x[1], x[2]}, x[0], stretch);
  return stretch[component];
}
static double stretch_of(const void *data, const double *x) { return value(data, x, 0); }
static double rate_of(const void *data, const double *x) { return value(data, x, 1); }

static double change(const void *data, const double *x, const double *dx, int component) {
  double changes[2];
  mbs_cable_stretch_change(data, (mbs_cable_reach){dx[1], dx[2]}, x[0], dx[0], changes);
  return changes[component];
}
static double stretch_change(const void *data, const double *x, const double *dx) { return change(data, x, dx, 0); }
static double rate_change(const void *data, const double *x, const double *dx) { return change(data, x, dx, 1); }

static seam_corner corner_at(double value, double rate, double noise) {
  const bool is_above = value > 0 || (value == 0 && rate > 0);
  return (seam_corner){.value = value,
                       .rate = rate,
                       .noise = noise,
                       .below = is_above ? 0 : -INFINITY,
                       .above = is_above ? INFINITY : 0,
                       .resolve = INFINITY,
                       .is_single = true};
}

/* Finds the corners where the cable becomes taut or slack, and where its damping cancels its tension. */
static void corners(const void *data, const double *x, const double *dx, seam_corner *at) {
  const mbs_cable *cable = data;
  const mbs_elastic_law *law = &cable->law;
  const double noise = mbs_stretch_noise;
  double s[2];
  double ds[2];
  mbs_cable_stretch(cable, (mbs_cable_reach){x[1], x[2]}, x[0], s);
  mbs_cable_stretch_change(cable, (mbs_cable_reach){dx[1], dx[2]}, x[0], dx[0], ds);
  at[0] = corner_at(s[0], ds[0], noise);
  if (law->damping > 0)
    at[1] = corner_at(law->stiffness * s[0] + law->damping * s[1], law->stiffness * ds[0] + law->damping * ds[1],
                      law->stiffness * noise);
}

mbs_function mbs_cable_function(mbs_cable *cable, int component) {
  if (component == 1)
    return (mbs_function){.value = rate_of, .change = rate_change, .data = cable};
  return (mbs_function){.value = stretch_of,
                        .change = stretch_change,
                        .destroy = free,
                        .data = cable,
                        .corners = corners,
                        .n_corners = cable->law.damping > 0 ? 2 : 1};
}

/* ---- The row ---- */

static seam_status check(const mbs_force_def *def, seam_error *error) {
  if (def->cable.at == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "cable '%s' has no places: give one on each of its bodies", def->name);
  if (!(def->stiffness[0] > 0))
    return seam_fail(error, SEAM_BAD_INPUT, "cable '%s': its stiffness must be positive", def->name);
  if (def->law_is_state_dependent)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "cable '%s': its length follows quantities: write a law of time, or wind it on a body that turns",
                     def->name);
  for (size_t i = 0; i < def->n_bodies && def->cable.radii != NULL; i++)
    if (!isfinite(def->cable.radii[i]))
      return seam_fail(error, SEAM_BAD_INPUT, "cable '%s': the radii of its discs must be finite", def->name);
  return SEAM_OK;
}

const mbs_force_type mbs_force_cable = {
    .min_bodies = 2,
    .max_bodies = SIZE_MAX,
    .has_markers = true,
    .takes_law = true,
    .load = load,
    .derivatives = derivatives,
    .push = push,
    .n_laws = MBS_CABLE_LAWS,
    .check = check,
    .not_finite = "it has left one of its discs or goes round it by more than 270 degrees, two of its discs or places "
                  "meet, or it has turned about one that it is wound on by more than 135 degrees: leave out the disc, "
                  "or turn the other way round it",
    .n_measures = 1,
    .measure = measure,
    .curvature = curvature,
};
