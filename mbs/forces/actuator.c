/* Actuator: a force along the distance s of two points, or, of a rotary one, a torque along the angle s = φ2 - φ1 of
 * two bodies, which follows its command u, a law of time or of quantities, with a first-order lag, saturation and a
 * limited rate ([Franklin]):
 *
 *   Q = f Jᵀ,   f' = clip((clip(u, ± limit) - f) / T, ± rate)
 *
 * A positive f extends. The limits are hard: f' bends where one is reached. Power f ṡ is driven in. */
#include "mbs/force.h"

#include <string.h>

static void measure_distance(const mbs_force *force, const mbs_pair *pair, mbs_measure *s) {
  (void)force;
  mbs_measure_distance(pair, s);
}

static void curvature_distance(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  (void)force;
  mbs_curvature_distance(pair, curvature);
}

static void measure_angle(const mbs_force *force, const mbs_pair *pair, mbs_measure *s) {
  (void)force;
  mbs_measure_angle(pair, s);
}

static void curvature_angle(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  (void)force;
  (void)pair;
  *curvature = (mbs_curvature){0};
}

/* ---- Load ---- */

static void load(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                 mbs_power *power) {
  (void)t;
  mbs_measure s;
  force->type->measure(force, pair, &s);
  for (int i = 0; i < 6; i++)
    Q[i] = z[0] * s.J[i];
  power->driven += z[0] * mbs_measure_rate(&s, pair);
}

static void derivatives(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Kq[6][6],
                        double Kv[6][6]) {
  (void)t;
  mbs_curvature curvature;
  force->type->curvature(force, pair, &curvature);
  memset(Kv, 0, 36 * sizeof(double));
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      Kq[i][j] = z[0] * curvature.H[i][j];
}

/* ---- Its force is a state ---- */

/* NaN stays NaN. */
static double clip(double x, double limit) { return x > limit ? limit : x < -limit ? -limit : x; }

static double wanted(const mbs_force *force, double u) { return clip(u, force->actuator.limit); }

static double free_rate(const mbs_force *force, double u, double f) {
  return (wanted(force, u) - f) / force->actuator.lag;
}

static void rates(const mbs_force *force, const mbs_pair *pair, double u, const double *z, double *rates) {
  (void)pair;
  rates[0] = clip(free_rate(force, u, z[0]), force->actuator.rate);
}

static void state_derivatives(const mbs_force *force, const mbs_pair *pair, double u, const double *z,
                              mbs_state_gradient *gradient) {
  mbs_measure s;
  force->type->measure(force, pair, &s);
  memset(gradient, 0, sizeof *gradient);
  for (int i = 0; i < 6; i++)
    gradient->Qz[i][0] = s.J[i];
  if (!(fabs(free_rate(force, u, z[0])) < force->actuator.rate))
    return;
  gradient->Zz[0][0] = -1 / force->actuator.lag;
  gradient->Zu[0] = fabs(u) < force->actuator.limit ? 1 / force->actuator.lag : 0;
}

static void rest(const mbs_force *force, double u, double *z) { z[0] = wanted(force, u); }

static const double *given(const mbs_force_def *def) { return &def->actuator.start; }

/* ---- What may be given ---- */

static seam_status check(const mbs_force_def *def, seam_error *error) {
  const mbs_actuator *a = &def->actuator;
  if (!(a->lag > 0 && isfinite(a->lag)))
    return seam_fail(error, SEAM_BAD_INPUT, "actuator '%s': its lag %g must be positive and finite", def->name, a->lag);
  if (!(a->limit > 0 && a->rate > 0))
    return seam_fail(error, SEAM_BAD_INPUT, "actuator '%s': its limit %g and rate %g must be positive", def->name,
                     a->limit, a->rate);
  if (!isnan(a->start) && !(fabs(a->start) <= a->limit))
    return seam_fail(error, SEAM_BAD_INPUT, "actuator '%s': its start %g is beyond its limit %g", def->name, a->start,
                     a->limit);
  return SEAM_OK;
}

static const mbs_force_states follows = {
    .n = 1,
    .name = {"f"},
    .rates = rates,
    .derivatives = state_derivatives,
    .rest = rest,
    .given = given,
    .not_finite = "the rate of its force is not finite: its command is not",
};

#define ACTUATOR                                                                                                       \
  .min_bodies = 2, .max_bodies = 2, .takes_law = true, .needs_law = true, .n_laws = 1, .load = load,                   \
  .derivatives = derivatives, .states = &follows, .check = check, .n_measures = 1

const mbs_force_type mbs_force_actuator = {
    ACTUATOR,
    .has_markers = true,
    .cut = {2, {0, 1}, 2, {0, 1}, false},
    .quantities = mbs_quantities_of_actuator,
    .measure = measure_distance,
    .curvature = curvature_distance,
};

const mbs_force_type mbs_force_rotary_actuator = {
    ACTUATOR,
    .cut = {1, {2}, 1, {2}, true},
    .quantities = mbs_quantities_of_rotary_actuator,
    .measure = measure_angle,
    .curvature = curvature_angle,
};
