/* Friction of a joint ([Armstrong]). s is the joint's coordinate: the angle of a revolute joint, the slide of a
 * prismatic joint or slot. ρ is the lever (radius of the pin, else 1), u = ρ ṡ the slip. μ and μ_s are the coefficients
 * of sliding and of static friction, v_s is the Stribeck speed, c the viscous damping, u° the speed of the smoothing. N
 * is the normal force, N° the preload; λ are the multipliers of the joint's rows:
 *
 *   F = -ρ μ(u) (N + N°) u/√(u² + u°²) - c ṡ,     μ(u) = μ + (μ_s - μ) exp(-(u/v_s)²)
 *
 *   N = √(λ_x² + λ_y²)                          revolute
 *   N = |λ_n|                                   slot, and prismatic without a length, where the torque has no effect
 *   N = |λ_n/2 + λ_φ/L| + |λ_n/2 - λ_φ/L|       prismatic: forces at both ends of a guide of length L on the second
 *                                               body, with the marker in its middle
 *
 * F is Coulomb friction for |u| far above u°. Instead of sticking, the joint creeps: a load of η μ_s (N + N°), η < 1,
 * makes it slip at about u° η/√(1 - η²).
 *
 * Hard friction (`hard`) replaces u/√(u² + u°²) by ±1 while the joint slips, and by 0 while it is at rest. It adds a
 * last row to the joint: g_hold = s - s°. The row is left out unless the joint sticks, at s = s°. The friction force is
 * then the negative multiplier of the row. Its size is at most ρ μ_s (N + N°) (friction_modes.c).
 *
 * At N = 0 the derivative of N is set to zero, which lies between the derivatives on both sides. */
#include "mbs/model/friction.h"

#include <math.h>

#include "mbs/model/forces/along.h"

static double sign(double x) { return (x > 0) - (x < 0); }

static double normal_of_pin(const mbs_friction *friction, const double *lambda, double by_lambda[mbs_max_rows]) {
  (void)friction;
  const double N = hypot(lambda[0], lambda[1]);
  for (int i = 0; i < 2; i++)
    by_lambda[i] = N > 0 ? lambda[i] / N : 0;
  return N;
}

static double normal_of_slot(const mbs_friction *friction, const double *lambda, double by_lambda[mbs_max_rows]) {
  (void)friction;
  by_lambda[0] = sign(lambda[0]);
  return fabs(lambda[0]);
}

static double normal_of_guide(const mbs_friction *friction, const double *lambda, double by_lambda[mbs_max_rows]) {
  by_lambda[1] = 0;
  if (friction->length == 0)
    return normal_of_slot(friction, lambda, by_lambda);
  const double ends[2] = {lambda[0] / 2 + lambda[1] / friction->length, lambda[0] / 2 - lambda[1] / friction->length};
  by_lambda[0] = (sign(ends[0]) + sign(ends[1])) / 2;
  by_lambda[1] = (sign(ends[0]) - sign(ends[1])) / friction->length;
  return fabs(ends[0]) + fabs(ends[1]);
}

mbs_friction_forces mbs_friction_at(const mbs_joint *joint, mbs_friction_mode mode, double rate, const double *lambda) {
  const mbs_friction *friction = &joint->friction;
  const double lever = mbs_friction_lever(joint);
  const double u = lever * rate;
  const double w = friction->is_hard ? INFINITY : hypot(u, friction->slip_speed);
  double share = u / w; /* u/√(u² + u°²); for hard friction ±1, or 0 at rest */
  double mu = friction->coefficient;
  double change = 0; /* derivative of μ(u) */
  mbs_friction_forces f = {0};
  if (friction->is_hard)
    share = mode == MBS_FRICTION_BY_MOTION ? sign(u) : (mode == MBS_SLIPS_UP) - (mode == MBS_SLIPS_DOWN);
  if (friction->static_coefficient > mu && friction->stribeck_speed > 0) {
    const double x = u / friction->stribeck_speed;
    const double more = (friction->static_coefficient - mu) * exp(-x * x);
    mu += more;
    change = -2 * x / friction->stribeck_speed * more;
  }
  const double factor = mu * share;
  const double slope = mu * (1 - share * share) / w + change * share;
  f.normal = friction->preload + joint->type->friction->normal(friction, lambda, f.normal_by_lambda);
  f.value = -lever * factor * f.normal - friction->viscous * rate;
  f.by_rate = -lever * lever * slope * f.normal - friction->viscous;
  for (int i = 0; i < mbs_n_reactions(joint->type); i++)
    f.by_lambda[i] = -lever * factor * f.normal_by_lambda[i];
  if (mode == MBS_STICKS) {
    const int stick_row = joint->type->n_rows - 1;
    f.value = -lambda[stick_row];
    f.by_rate = 0;
    f.by_lambda[stick_row] = -1;
  }
  return f;
}

double mbs_friction_limit(const mbs_joint *joint, const double *lambda) {
  const mbs_friction *friction = &joint->friction;
  double by_lambda[mbs_max_rows];
  const double N = friction->preload + joint->type->friction->normal(friction, lambda, by_lambda);
  return N * (isnan(friction->static_coefficient) ? friction->coefficient : friction->static_coefficient);
}

mbs_friction_mode mbs_friction_mode_of(const mbs_joint *joint, const double *z) {
  return joint->type->can_stick ? (mbs_friction_mode)lround(z[joint->mode]) : MBS_FRICTION_BY_MOTION;
}

/* ---- Force element ---- */

/* The force F, the value of the element's law, acts along the joint's coordinate s: Q = F Jᵀ. It dissipates -F ṡ. */

static void find_slide(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *s) {
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
  (void)z, (void)component;
  mbs_along_load(force, pair, 1, unit_load);
}

static bool has_friction(const mbs_force *force, const mbs_pair *pair) {
  (void)force, (void)pair;
  return true;
}

#define FRICTION                                                                                                       \
  .min_bodies = 2, .max_bodies = 2, .n_laws = 1, .unit_load = unit_load, .load = load,                                 \
  .derivatives = mbs_along_derivatives, .is_friction = true, .has_friction = has_friction, .n_coordinates = 1

static const mbs_force_type torque_element = {FRICTION, .find_coordinates = mbs_along_angle,
                                              .curvature = mbs_along_angle_curvature};
static const mbs_force_type force_element = {FRICTION, .find_coordinates = find_slide, .curvature = curvature_slide};

const mbs_friction_type mbs_friction_of_pin = {.force = &torque_element, .normal = normal_of_pin};
const mbs_friction_type mbs_friction_of_guide = {.force = &force_element, .normal = normal_of_guide};
const mbs_friction_type mbs_friction_of_slot = {.force = &force_element, .normal = normal_of_slot};

mbs_force mbs_friction_force_of(const mbs_joint *joint) {
  return (mbs_force){.type = joint->type->friction->force,
                     .kind = MBS_FORCE_KINDS,
                     .name = joint->name,
                     .body = {joint->body[0], joint->body[1]},
                     .frame = {joint->frame[0], joint->frame[1]},
                     .cut_port = -1,
                     .marker = {joint->marker[0], joint->marker[1]},
                     .axis = joint->axis,
                     .law_is_state_dependent = true,
                     .law = {-1, -1}};
}
