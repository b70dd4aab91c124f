/* Elastic cable without friction: the tension T is the same along the cable. Its length L is the sum of functions s_i
 * of the spans in its path (mbs/model/cable.c). With the free length L°, s = L - L°, stiffness k and damping c, T =
 * max(0, k s + c ṡ) where s > 0, else 0: the law of a strand (elastic.c). V is the potential. Span i, with J_i =
 * ∂s_i/∂q, H_i = ∂²s_i/∂q², T_s = ∂T/∂s and T_ṡ = ∂T/∂ṡ, has the load Q_i:
 *
 *   Q_i = -T J_iᵀ      ∂Q_i/∂q = -T H_i - J_iᵀ T_s ∂s/∂q - J_iᵀ T_ṡ ∂ṡ/∂q      ∂Q_i/∂v = -J_iᵀ T_ṡ ∂ṡ/∂v
 *   V = k s²/2         P_dissipated = (T(s, ṡ) - T(s, 0)) ṡ                   P_driven = -T L°'
 *
 * T depends on the total L and L̇. So the force of each span depends on the motion of all bodies that the cable touches.
 * A span that is not in the path has no tension. */
#include "mbs/model/cable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbs/model/elastic.h"
#include "mbs/model/forces/hard_contact.h"
#include "mbs/thresholds.h"

/* ---- One span ---- */

/* Returns the tension, with its derivatives, from the law that all spans of the cable share. */
static seam_jet tension(const mbs_force *span, const double stretch[2]) {
  if (isinf(stretch[0])) /* the span is not in the path */
    return (seam_jet){0};
  const mbs_elastic_law law = {.stiffness = span->elastic[0].stiffness,
                               .damping = span->elastic[0].damping,
                               .is_strand = !span->cable->is_two_sided};
  return mbs_elastic_jet(&law, stretch[0], stretch[1], MBS_BY_MOTION);
}

/* If the tension is zero, s of the span is not computed, because the discs of the span may have no common tangent. */
static void load(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                 mbs_power *power) {
  (void)t;
  const double T = tension(force, z).value;
  memset(Q, 0, 6 * sizeof *Q);
  if (T != 0) {
    mbs_relative_coordinate s;
    mbs_cable_coordinate(force, pair, &s);
    for (int i = 0; i < 6; i++)
      Q[i] = -T * s.J[i];
    power->driven -= T * mbs_relative_rate(&s, pair);
  }
  if (force->place[0] > 0 || isinf(z[0])) /* the first span of the path adds the power of all spans */
    return;
  power->driven += T * z[1];
  power->dissipated += (T - mbs_elastic_static_jet(&force->cable->law, z[0], MBS_BY_MOTION).value) * z[1];
}

static void derivatives(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Kq[6][6],
                        double Kv[6][6]) {
  (void)t;
  const double T = tension(force, z).value;
  mbs_curvature c;
  memset(Kq, 0, 36 * sizeof(double));
  memset(Kv, 0, 36 * sizeof(double));
  if (T == 0)
    return;
  mbs_cable_curvature(force, pair, &c);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      Kq[i][j] = -T * c.H[i][j];
}

static void unit_load(const mbs_force *force, const mbs_pair *pair, int component, const double *z,
                      double unit_load[6]) {
  const double slope = tension(force, z).d[component];
  mbs_relative_coordinate s;
  memset(unit_load, 0, 6 * sizeof *unit_load);
  if (slope == 0)
    return;
  mbs_cable_coordinate(force, pair, &s);
  for (int i = 0; i < 6; i++)
    unit_load[i] = -slope * s.J[i];
}

/* ---- All spans ---- */

void mbs_cable_stretch(const mbs_cable *cable, mbs_cable_length path, double t, double stretch[2]) {
  const seam_jet rest = mbs_cable_free_length(cable, t);
  stretch[0] = path.length - rest.value;
  stretch[1] = path.rate - rest.d[0];
}

double mbs_cable_potential(const mbs_force *first, const mbs_frame *frames, const double *z, double t) {
  const mbs_cable *cable = first->cable;
  double stretch[2];
  if (cable == NULL || cable->is_hard || first->span > 0)
    return 0;
  mbs_cable_stretch(cable, mbs_cable_length_of(first, frames, z), t, stretch);
  const double T = mbs_elastic_static_jet(&cable->law, stretch[0], MBS_BY_MOTION).value;
  return T * T / (2 * cable->law.stiffness);
}

/* ---- Laws of x: t, L and the rate of L. dx: changes of x ---- */

static double stretch_of(const void *data, const double *x) { return x[1] - mbs_cable_free_length(data, x[0]).value; }
static double rate_of(const void *data, const double *x) { return x[2] - mbs_cable_free_length(data, x[0]).d[0]; }

static double stretch_change(const void *data, const double *x, const double *dx) {
  return dx[1] - mbs_cable_free_length(data, x[0]).d[0] * dx[0];
}
static double rate_change(const void *data, const double *x, const double *dx) {
  return dx[2] - mbs_cable_free_length(data, x[0]).dd[0] * dx[0];
}

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

/* Finds the corners (kinks) of the law: where the cable becomes taut or slack and, with damping, where damping cancels
 * the tension. */
static void corners(const void *data, const double *x, const double *dx, seam_corner *at) {
  const mbs_cable *cable = data;
  const mbs_elastic_law *law = &cable->law;
  const double noise = mbs_stretch_noise * x[1];
  const double s[2] = {stretch_of(data, x), rate_of(data, x)};
  const double ds[2] = {stretch_change(data, x, dx), rate_change(data, x, dx)};
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
                        .n_corners = cable->is_hard           ? 0
                                     : cable->law.damping > 0 ? 2
                                                              : 1};
}

/* ---- The row ---- */

static seam_status check(const mbs_force_def *def, seam_error *error) {
  const seam_status status = def->contact.is_hard ? mbs_hard_check(def, "cable", error) : SEAM_OK;
  if (status != SEAM_OK)
    return status;
  if (def->cable.two_sided && !def->contact.is_hard)
    return seam_fail(error, SEAM_BAD_INPUT, "cable '%s' has 'two_sided', which only a hard cable takes: set 'hard'",
                     def->name);
  if (def->cable.at == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "cable '%s' has no places: give one on each of its bodies", def->name);
  if (!def->contact.is_hard && !(def->stiffness[0] > 0))
    return seam_fail(error, SEAM_BAD_INPUT, "cable '%s': its stiffness must be positive", def->name);
  if (def->law_is_state_dependent)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "cable '%s': the law of its length depends on quantities: write a law of time, or wind the cable "
                     "on a disc of a rotating body",
                     def->name);
  for (size_t i = 0; i < def->n_bodies && def->cable.radii != NULL; i++)
    if (!isfinite(def->cable.radii[i]))
      return seam_fail(error, SEAM_BAD_INPUT, "cable '%s': the radii of its discs must be finite", def->name);
  return SEAM_OK;
}

#define CABLE                                                                                                          \
  .min_bodies = 2, .max_bodies = MBS_MAX_CABLE_PLACES, .has_markers = true, .may_have_law = true, .load = load,        \
  .derivatives = derivatives, .unit_load = unit_load, .n_laws = MBS_CABLE_LAWS, .check = check, .n_coordinates = 1,    \
  .find_coordinates = mbs_cable_coordinate, .curvature = mbs_cable_curvature,                                          \
  .not_finite = "two of its discs or places meet, or its direction has turned about one that it is wound on by more "  \
                "than 135 degrees since the start: keep them apart, or turn the cable less"

const mbs_force_type mbs_force_cable = {CABLE};
const mbs_force_type mbs_cable_from_disc = {CABLE, .switches = &mbs_cable_switches};
