/* Friction of a joint: a force F, the value of its law, along the joint's coordinate s: Q = F Jᵀ. It dissipates -F
 * ṡ. */
#include "mbs/model/forces/along.h"

static void find_slide_coordinate(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *s) {
  mbs_relative_along_body(pair, force->axis, s);
}

static void curvature_slide(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  mbs_curvature_along_body(pair, force->axis, curvature);
}

static void load(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                 mbs_power *power) {
  (void)t;
  power->dissipated -= z[0] * mbs_along_load(force, pair, z[0], Q);
}

static void unit_load(const mbs_force *force, const mbs_pair *pair, int component, const double *z,
                      double unit_load[6]) {
  (void)z;
  (void)component;
  mbs_along_load(force, pair, 1, unit_load);
}

static bool has_friction(const mbs_force *force, const mbs_pair *pair) {
  (void)force;
  (void)pair;
  return true;
}

#define FRICTION                                                                                                       \
  .min_bodies = 2, .max_bodies = 2, .n_laws = 1, .unit_load = unit_load, .load = load,                                 \
  .derivatives = mbs_along_derivatives, .is_friction = true, .has_friction = has_friction, .n_coordinates = 1

const mbs_force_type mbs_friction_torque = {FRICTION, .find_coordinates = mbs_along_angle,
                                            .curvature = mbs_along_angle_curvature};
const mbs_force_type mbs_friction_force = {FRICTION, .find_coordinates = find_slide_coordinate,
                                           .curvature = curvature_slide};
