/* Gear: two bodies rotate in a fixed ratio, -z1/z2 for two wheels with z1 and z2 teeth, z1/z2 for a wheel inside a
 * ring. If a gear has centres, which a carrier may move, angles count from the direction θ of the line d from the first
 * centre to the second ([Willis]). a1, a2: offsets of the centres from the centres of mass; n: d/|d| rotated by π/2 to
 * the left; g°: initial value of the other terms.
 *
 *   g_phi = (φ2 - θ) - ratio (φ1 - θ) - g°
 *   J = (-c n, -ratio - c n · a1⊥, c n, 1 - c n · a2⊥),   c = -(1 - ratio)/|d|
 *
 * mbs_relative_mesh() makes g_phi independent of full revolutions of θ, so that the carrier may rotate without limit.
 * The first body gets the torque ratio λ and the second -λ about their centres; the force of the teeth on the second
 * body along n is (1 - ratio) λ/|d|. Without centres,
 *
 *   g_phi = (φ2 - φ2°) - ratio (φ1 - φ1°)      J = (0, 0, -ratio, 0, 0, 1)
 *
 * with absolute angles: the frame of the gear is the ground, on which the remaining torque acts. */
#include "mbs/model/joint.h"

static seam_status check(const mbs_joint_def *def, seam_error *error) {
  if (!isfinite(def->ratio) || def->ratio == 0)
    return seam_fail(error, SEAM_BAD_INPUT, "gear '%s': its ratio must be finite and not zero", def->name);
  return mbs_joint_check_wheels(def, 0, NULL, error);
}

static void find_coordinates(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  *s = (mbs_relative_coordinate){.s = pair->frame[1]->phi - joint->ratio * pair->frame[0]->phi,
                                 .J = {[2] = -joint->ratio, [5] = 1}};
}

static void find_mesh_coordinate(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  mbs_relative_mesh(pair, (double[2]){joint->ratio, 1}, joint->rest[0], s);
}

static void curvature_mesh(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  mbs_curvature_mesh(pair, (double[2]){joint->ratio, 1}, c);
}

#define GEAR .n_rows = 1, .residual = {"g_phi"}, .is_angle = {true}, .rest_row = 0, .check = check

static const mbs_joint_type between_centres = {
    GEAR,
    .has_markers = true,
    .cut = {3, {0, 1, 2}, 4, {0, 1, 2, 3}, false},
    .find_coordinates = find_mesh_coordinate,
    .curvature = curvature_mesh,
};

static const mbs_joint_type *choose(const mbs_joint_def *def) {
  return def->has_centres ? &between_centres : &mbs_joint_gear;
}

const mbs_joint_type mbs_joint_gear = {
    GEAR,
    .depends_on_frame = true,
    .cut = {1, {2}, 4, {0, 1, 2, 3}, false},
    .choose = choose,
    .find_coordinates = find_coordinates,
    .curvature = mbs_joint_no_curvature,
};
