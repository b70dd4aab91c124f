/* Revolute joint: two markers coincide. r: centre of mass, a: arm to the marker, d: gap of the markers.
 *
 *   g_x, g_y = d = r2 + a2 - r1 - a1       J = (-I, -a1⊥, I, a2⊥)
 *
 * λ is the force on the first body.
 *
 * Hard friction adds the constraint g_hold = s - s° on the angle s = φ2 - φ1, with the value s° at which the joint
 * sticks. While the joint does not stick, this constraint is left out (mbs/model/friction.h). */
#include "mbs/model/friction.h"

static void find_coordinates(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  (void)joint;
  mbs_relative_gap(pair, s);
}

static void curvature(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  (void)joint;
  mbs_curvature_gap(pair, c);
}

static void constrain(const mbs_joint_geometry *joints, int n, const mbs_frame *frames, const mbs_constraints *of) {
  for (const mbs_joint_geometry *joint = joints; joint < joints + n; joint++) {
    const mbs_pair pair = mbs_geometry_pair(joint, frames);
    mbs_constrain_gap(&pair, of->g + joint->row, of->G + joint->row, of->gamma + joint->row);
  }
}

static void find_coordinates_with_stick_row(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  find_coordinates(joint, pair, s);
  mbs_relative_angle(pair, &s[2]);
}

static void curvature_with_stick_row(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  curvature(joint, pair, c);
  c[2] = (mbs_curvature){0};
}

#define REVOLUTE                                                                                                       \
  .has_markers = true, .rest_row = -1, .cut = {2, {0, 1}, 2, {0, 1}, true}, .friction = &mbs_friction_of_pin
static const mbs_joint_type with_stick_row = {
    REVOLUTE,
    .n_rows = 3,
    .residual = {"g_x", "g_y", "g_hold"},
    .is_angle = {[2] = true},
    .can_stick = true,
    .find_coordinates = find_coordinates_with_stick_row,
    .curvature = curvature_with_stick_row,
};

static const mbs_joint_type *choose(const mbs_joint_def *def) {
  return def->friction.is_hard ? &with_stick_row : &mbs_joint_revolute;
}

const mbs_joint_type mbs_joint_revolute = {
    REVOLUTE,
    .n_rows = 2,
    .is_pin = true,
    .residual = {"g_x", "g_y"},
    .prescribed = &mbs_prescribed_position,
    .choose = choose,
    .find_coordinates = find_coordinates,
    .constrain = constrain,
    .curvature = curvature,
};
