/* Prescribed acceleration ã of a marker at p = r + a, with the arm a from the centre of mass r. The frame of the port
 * contains ã in place of a pose.
 *
 *   J q̈ + J̇ q̇ = ã,   J = ∂(p_x, p_y, φ)/∂q        ∂²p/∂φ² = -a
 *
 * Positions and velocities are not constrained: g and ġ are set to zero, so that projection displaces the marker only
 * to satisfy other constraints. The force on the body at the marker is -λ. */
#include "mbs/model/joint.h"

static void find_position_coordinates(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  (void)joint;
  const mbs_vector arm = mbs_rotate(pair->frame[0], pair->marker[0]);
  const double omega = pair->frame[0]->omega;
  s[0] = (mbs_relative_coordinate){.J = {[0] = 1, [2] = -arm.y}, .Jdot = {[2] = -arm.x * omega}};
  s[1] = (mbs_relative_coordinate){.J = {[1] = 1, [2] = arm.x}, .Jdot = {[2] = -arm.y * omega}};
}

static void curvature_position(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  (void)joint;
  const mbs_vector arm = mbs_rotate(pair->frame[0], pair->marker[0]);
  const double omega = pair->frame[0]->omega;
  c[0] = (mbs_curvature){.H[2][2] = -arm.x, .T[2] = arm.y * omega * omega};
  c[1] = (mbs_curvature){.H[2][2] = -arm.y, .T[2] = -arm.x * omega * omega};
}

static void find_angle_coordinate(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  (void)joint;
  (void)pair;
  *s = (mbs_relative_coordinate){.J = {[2] = 1}};
}

static void find_pose_coordinates(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  find_position_coordinates(joint, pair, s);
  find_angle_coordinate(joint, pair, &s[2]);
}

static void curvature_pose(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  curvature_position(joint, pair, c);
  c[2] = (mbs_curvature){0};
}

const mbs_joint_type mbs_prescribed_position = {
    .n_rows = 2,
    .residual = {"a_x", "a_y"},
    .rest_row = -1,
    .is_prescribed = true,
    .coordinate = {0, 1},
    .find_coordinates = find_position_coordinates,
    .curvature = curvature_position,
};

const mbs_joint_type mbs_prescribed_pose = {
    .n_rows = 3,
    .residual = {"a_x", "a_y", "a_phi"},
    .is_angle = {[2] = true},
    .rest_row = -1,
    .is_prescribed = true,
    .coordinate = {0, 1, 2},
    .find_coordinates = find_pose_coordinates,
    .curvature = curvature_pose,
};

const mbs_joint_type mbs_prescribed_angle = {
    .n_rows = 1,
    .residual = {"a_phi"},
    .is_angle = {true},
    .rest_row = -1,
    .is_prescribed = true,
    .coordinate = {2},
    .find_coordinates = find_angle_coordinate,
    .curvature = mbs_joint_no_curvature,
};
