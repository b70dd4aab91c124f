/* An actuator exerts a force f along the distance s of two points. If rotary, it exerts a torque f along the angle
 * s = φ2 - φ1 of two bodies. f follows the command u, a law of time or of quantities, with a first-order lag T,
 * saturation and a limited rate ([Franklin]):
 *
 *   Q = f Jᵀ,   J = ∂s/∂q,   f' = clip((clip(u, ± limit) - f) / T, ± rate),   clip(x, ± l) = max(-l, min(x, l))
 *
 * A positive f increases s. f' has a kink where a limit is reached. The power f ṡ counts as driven. */
#include "mbs/model/forces/along.h"

#include <stdio.h>
#include <string.h>

#include "base/vector.h"

static void load(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                 mbs_power *power) {
  (void)t;
  power->driven += z[0] * mbs_along_load(force, pair, z[0], Q);
}

/* Returns NaN if x is NaN. */
static double clip(double x, double limit) { return x > limit ? limit : x < -limit ? -limit : x; }

static double free_rate(const mbs_force *force, double u, double f) {
  return (clip(u, force->actuator.limit) - f) / force->actuator.lag;
}

static void rates(const mbs_force *force, const mbs_pair *pair, double u, const double *z, double *rates) {
  (void)pair;
  rates[0] = clip(free_rate(force, u, z[0]), force->actuator.rate);
}

static void state_derivatives(const mbs_force *force, const mbs_pair *pair, double u, const double *z,
                              mbs_state_gradient *gradient) {
  mbs_relative_coordinate s;
  force->type->find_coordinates(force, pair, &s);
  memset(gradient, 0, sizeof *gradient);
  for (int i = 0; i < 6; i++)
    gradient->Qz[i][0] = s.J[i];
  if (!(fabs(free_rate(force, u, z[0])) < force->actuator.rate))
    return;
  gradient->Zz[0][0] = -1 / force->actuator.lag;
  gradient->Zu[0] = fabs(u) < force->actuator.limit ? 1 / force->actuator.lag : 0;
}

static void steady(const mbs_force *force, double u, double *z) { z[0] = clip(u, force->actuator.limit); }

static void not_finite(const mbs_force *force, const mbs_pair *pair, const double *z, char *why, size_t size) {
  (void)force, (void)pair, (void)z;
  snprintf(why, size, "the rate of its force is not finite, because its command is not");
}

static double nominal(const mbs_force *force, const mbs_scales *scales) {
  return fmin(force->actuator.limit, force->kind == MBS_ROTARY_ACTUATOR ? scales->energy : scales->force);
}

static const double *given(const mbs_force_def *def) { return &def->actuator.start; }

static seam_status check(const mbs_force_def *def, seam_error *error) {
  const mbs_actuator *a = &def->actuator;
  if (!is_positive(a->lag))
    return seam_fail(error, SEAM_BAD_INPUT, "actuator '%s': its lag %g must be positive and finite", def->name, a->lag);
  if (!(a->limit > 0 && a->rate > 0))
    return seam_fail(error, SEAM_BAD_INPUT, "actuator '%s': its limit %g and rate %g must be positive", def->name,
                     a->limit, a->rate);
  if (!isnan(a->start) && !(fabs(a->start) <= a->limit))
    return seam_fail(error, SEAM_BAD_INPUT, "actuator '%s': its start %g is beyond its limit %g", def->name, a->start,
                     a->limit);
  return SEAM_OK;
}

#define FOLLOWS                                                                                                        \
  .n = 1, .rates = rates, .derivatives = state_derivatives, .steady = steady, .nominal = nominal, .given = given,      \
  .not_finite = not_finite

static const mbs_force_states follows_by_force = {.name = {"force"}, FOLLOWS};
static const mbs_force_states follows_by_torque = {.name = {"torque"}, FOLLOWS};

#define ACTUATOR                                                                                                       \
  .min_bodies = 2, .max_bodies = 2, .may_have_law = true, .needs_law = true, .n_laws = 1, .load = load,                \
  .derivatives = mbs_along_derivatives, .check = check, .n_coordinates = 1

const mbs_force_type mbs_force_actuator = {
    ACTUATOR,
    .states = &follows_by_force,
    .has_markers = true,
    .cut = {2, {0, 1}, 2, {0, 1}, false},
    .find_coordinates = mbs_along_distance,
    .curvature = mbs_along_distance_curvature,
};

const mbs_force_type mbs_force_rotary_actuator = {
    ACTUATOR,
    .states = &follows_by_torque,
    .cut = {1, {2}, 1, {2}, true},
    .find_coordinates = mbs_along_angle,
    .curvature = mbs_along_angle_curvature,
};
