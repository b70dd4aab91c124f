/* Friction of a joint: a force F, found by its law, along the joint's coordinate s: Q = F Jᵀ. It takes -F ṡ. */
#include <string.h>

#include "mbs/force.h"

static void measure_angle(const mbs_force *force, const mbs_pair *pair, mbs_measure *s) {
  (void)force;
  mbs_measure_angle(pair, s);
}

static void curvature_angle(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  (void)force;
  (void)pair;
  *curvature = (mbs_curvature){0};
}

static void measure_slide(const mbs_force *force, const mbs_pair *pair, mbs_measure *s) {
  mbs_measure_along_body(pair, force->axis, s);
}

static void curvature_slide(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  mbs_curvature_along_body(pair, force->axis, curvature);
}

static void load(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                 mbs_power *power) {
  (void)t;
  mbs_measure s;
  force->type->measure(force, pair, &s);
  for (int i = 0; i < 6; i++)
    Q[i] = z[0] * s.J[i];
  power->dissipated -= z[0] * mbs_measure_rate(&s, pair);
}

static void derivatives(const mbs_force *force, const mbs_pair *pair, double t, const double *z,
                        double Kq[restrict 6][6], double Kv[restrict 6][6]) {
  (void)t;
  mbs_curvature curvature;
  force->type->curvature(force, pair, &curvature);
  memset(Kv, 0, 36 * sizeof(double));
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      Kq[i][j] = z[0] * curvature.H[i][j];
}

static void push(const mbs_force *force, const mbs_pair *pair, int component, double push[6]) {
  (void)component;
  mbs_measure s;
  force->type->measure(force, pair, &s);
  memcpy(push, s.J, sizeof s.J);
}

static bool rubs(const mbs_force *force, const mbs_pair *pair) {
  (void)force;
  (void)pair;
  return true;
}

#define FRICTION                                                                                                       \
  .min_bodies = 2, .max_bodies = 2, .n_laws = 1, .push = push, .load = load, .derivatives = derivatives,               \
  .is_friction = true, .rubs = rubs, .n_measures = 1

const mbs_force_type mbs_friction_torque = {FRICTION, .measure = measure_angle, .curvature = curvature_angle};
const mbs_force_type mbs_friction_force = {FRICTION, .measure = measure_slide, .curvature = curvature_slide};
