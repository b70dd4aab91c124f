/* Bushing: linear spring-dampers in two directions and in the angle between two markers. Along each coordinate Δ they
 * pull with λ = k Δ + c Δ̇, with the stiffness k and damping c. d is the gap from the first marker to the second, φ°
 * the value of φ2 - φ1 without torque.
 *
 *   markers     Δ = (d_x, d_y, φ2 - φ1 - φ°) in global axes; each force acts at its own marker
 *               ([Li] 3.3). Conserves momentum and, undamped, energy, but not angular momentum: the two
 *               forces act at points a distance |d| apart.
 *   consistent  Δ = (e_ξ · d, e_η · d, φ2 - φ1 - φ°). The axes e_ξ and e_η rotate with the first body, and start as
 *               the global ones. Both forces act at the second marker. Conserves angular momentum too, and a rigid
 *               rotation of both bodies causes no force. */
#include "mbs/model/elastic.h"

static void find_marker_coordinates(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *stretch) {
  (void)force;
  mbs_relative_gap(pair, stretch);
  mbs_relative_angle(pair, &stretch[2]);
}

/* Computes Q = (f, a1 × f + τ, -f, -(a2 × f + τ)). f is the pulling force, τ the torque; a1, a2 are the arms of the
 * markers. */
static void load_markers(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6],
                         mbs_power *power) {
  (void)t;
  (void)z;
  const mbs_frame *f1 = pair->frame[0];
  const mbs_frame *f2 = pair->frame[1];
  const mbs_elastic_law *law = force->elastic;
  const seam_lanes a1 = mbs_arm(f1, pair->marker[0]);
  const seam_lanes a2 = mbs_arm(f2, pair->marker[1]);
  const seam_lanes stretch = (seam_lanes){f2->x, f2->y} + a2 - (seam_lanes){f1->x, f1->y} - a1;
  const seam_lanes rate = (seam_lanes){a1[1], -a1[0]} * f1->omega - (seam_lanes){f1->vx, f1->vy} +
                          (seam_lanes){f2->vx, f2->vy} + (seam_lanes){-a2[1], a2[0]} * f2->omega;
  const seam_lanes damping = {law[0].damping, law[1].damping};
  const seam_lanes f =
      (seam_lanes){law[0].stiffness, law[1].stiffness} * (stretch - (seam_lanes){force->rest[0], force->rest[1]}) +
      damping * rate;
  const seam_lanes lost = damping * rate * rate;
  const double spin = f2->omega - f1->omega;
  const double torque = law[2].stiffness * (f2->phi - f1->phi - force->rest[2]) + law[2].damping * spin;
  power->dissipated = power->dissipated + lost[0] + lost[1] + law[2].damping * spin * spin;
  Q[0] = f[0], Q[1] = f[1], Q[2] = a1[0] * f[1] - a1[1] * f[0] + torque;
  Q[3] = -f[0], Q[4] = -f[1], Q[5] = a2[1] * f[0] - a2[0] * f[1] - torque;
}

static void add_loads(const mbs_force *forces, int n, const mbs_frame *frames, double *Q, mbs_power *power) {
  mbs_power sum = *power;
  for (const mbs_force *force = forces; force < forces + n; force++) {
    const mbs_pair pair = mbs_force_pair(force, frames);
    double of_force[6];
    load_markers(force, &pair, 0, NULL, of_force, &sum);
    mbs_add_load(force, of_force, Q);
  }
  *power = sum;
}

static void curvature_markers(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  (void)force;
  mbs_curvature_gap(pair, curvature);
  curvature[2] = (mbs_curvature){0};
}

static void find_consistent_coordinates(const mbs_force *force, const mbs_pair *pair,
                                        mbs_relative_coordinate *stretch) {
  mbs_relative_along_body(pair, force->axis, &stretch[0]);
  mbs_relative_along_body(pair, mbs_perp(force->axis), &stretch[1]);
  mbs_relative_angle(pair, &stretch[2]);
}

static void curvature_consistent(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  mbs_curvature_along_body(pair, force->axis, &curvature[0]);
  mbs_curvature_along_body(pair, mbs_perp(force->axis), &curvature[1]);
  curvature[2] = (mbs_curvature){0};
}

static const mbs_force_type consistent = {
    MBS_ELASTIC,
    .cut = {3, {0, 1, 2}, 4, {0, 1, 2, 3}, false},
    .n_coordinates = 3,
    .find_coordinates = find_consistent_coordinates,
    .curvature = curvature_consistent,
};

static const mbs_force_type *choose(const mbs_force_def *def) {
  return def->consistent ? &consistent : &mbs_force_bushing;
}

/* The type of a bushing with the law `markers`; choose() returns that of another law. */
const mbs_force_type mbs_force_bushing = {
    MBS_BETWEEN_MARKERS,
    .choose = choose,
    .load = load_markers,
    .add_loads = add_loads,
    .derivatives = mbs_elastic_derivatives,
    .potential = mbs_elastic_potential,
    .cut = {3, {0, 1, 2}, 3, {0, 1, 2}, true},
    .n_coordinates = 3,
    .find_coordinates = find_marker_coordinates,
    .curvature = curvature_markers,
};
