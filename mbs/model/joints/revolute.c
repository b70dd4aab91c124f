/* Revolute joint: two markers coincide. r: centre of mass, a: arm to the marker, d: gap of the markers.
 *
 *   g_x, g_y = d = r2 + a2 - r1 - a1       J = (-I, -a1⊥, I, a2⊥)
 *
 * λ is the force on the first body. Hard friction adds g_hold on the angle φ2 - φ1 (mbs/model/friction.c). */
#include "mbs/model/friction.h"

static void find_coordinates(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  mbs_relative_gap(pair, s);
  if (joint->type->can_stick)
    mbs_relative_angle(pair, &s[2]);
}

static void curvature(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  mbs_curvature_gap(pair, c);
  if (joint->type->can_stick)
    c[2] = (mbs_curvature){0};
}

static void constrain(const mbs_joint_geometry *joints, int n, const mbs_frame *frames, const mbs_constraints *of) {
  for (const mbs_joint_geometry *joint = joints; joint < joints + n; joint++) {
    const mbs_pair pair = mbs_geometry_pair(joint, frames);
    mbs_constrain_gap(&pair, of->g + joint->row, of->G + joint->row, of->gamma + joint->row);
  }
}

#define REVOLUTE                                                                                                       \
  .has_markers = true, .rest_row = -1, .cut = {2, {0, 1}, 2, {0, 1}, true}, .friction = &mbs_friction_of_pin,          \
  .find_coordinates = find_coordinates, .curvature = curvature
static const mbs_joint_type with_stick_row = {
    REVOLUTE, .n_rows = 3, .residual = {"g_x", "g_y", "g_hold"}, .is_angle = {[2] = true}, .can_stick = true,
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
    .constrain = constrain,
};
