/* Prescribed acceleration ã of a marker at p = r + a, with the arm a from the centre of mass r. The frame of the port
 * contains ã in place of a pose.
 *
 *   J q̈ + J̇ q̇ = ã,   J = ∂(p_x, p_y, φ)/∂q        ∂²p/∂φ² = -a
 *
 * Positions and velocities are not constrained: g and ġ are set to zero, so that projection displaces the marker only
 * to satisfy other constraints. The force on the body at the marker is -λ. */
#include "mbs/model/joint.h"

static void find_coordinates(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  const mbs_vector arm = mbs_rotate(pair->frame[0], pair->marker[0]);
  const double omega = pair->frame[0]->omega;
  const mbs_relative_coordinate of_pose[3] = {{.J = {[0] = 1, [2] = -arm.y}, .Jdot = {[2] = -arm.x * omega}},
                                              {.J = {[1] = 1, [2] = arm.x}, .Jdot = {[2] = -arm.y * omega}},
                                              {.J = {[2] = 1}}};
  for (int row = 0; row < joint->type->n_rows; row++)
    s[row] = of_pose[joint->type->coordinate[row]];
}

static void curvature(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  const mbs_vector arm = mbs_rotate(pair->frame[0], pair->marker[0]);
  const double omega = pair->frame[0]->omega;
  const mbs_curvature of_pose[3] = {{.H[2][2] = -arm.x, .T[2] = arm.y * omega * omega},
                                    {.H[2][2] = -arm.y, .T[2] = -arm.x * omega * omega}};
  for (int row = 0; row < joint->type->n_rows; row++)
    c[row] = of_pose[joint->type->coordinate[row]];
}

#define PRESCRIBED .rest_row = -1, .is_prescribed = true, .find_coordinates = find_coordinates, .curvature = curvature

const mbs_joint_type mbs_prescribed_position = {PRESCRIBED, .n_rows = 2, .residual = {"a_x", "a_y"},
                                                .coordinate = {0, 1}};

const mbs_joint_type mbs_prescribed_pose = {
    PRESCRIBED, .n_rows = 3, .residual = {"a_x", "a_y", "a_phi"}, .is_angle = {[2] = true}, .coordinate = {0, 1, 2},
};

const mbs_joint_type mbs_prescribed_angle = {PRESCRIBED, .n_rows = 1, .residual = {"a_phi"}, .is_angle = {true},
                                             .coordinate = {2}};
