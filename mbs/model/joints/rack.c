/* Rack and pinion: the pinion, with its centre on the second body, rolls along a line of the first body, the rack. e is
 * the direction of this line and rotates with the rack, d the vector from the first marker to the centre, r the radius
 * of the pinion. g° is the initial value of the other terms:
 *
 *   g_t = e · d + r (φ2 - φ1) - g°     J = J_along + r (0, 0, -1, 0, 0, 1),   J_along: ∂(e · d)/∂q
 *
 * r is positive if the centre is on the left of the line. A pinion that rotates counter-clockwise then rolls
 * backwards, or pushes the rack forwards. Other joints keep the centre at its distance from the rack. λ is the force on
 * the rack along e, at the point where the pitch line touches the pinion; the opposite force acts on the pinion there.
 */
#include "mbs/model/joint.h"

static seam_status check(const mbs_joint_def *def, seam_error *error) {
  return mbs_joint_check_wheels(def, 1, "radius of its pinion", error);
}

static void find_coordinates(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  const double r = joint->radius[0];
  mbs_relative_along_body(pair, joint->axis, s);
  s->s += r * (pair->frame[1]->phi - pair->frame[0]->phi);
  s->J[2] -= r;
  s->J[5] += r;
}

static void curvature(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  mbs_curvature_along_body(pair, joint->axis, c);
}

const mbs_joint_type mbs_joint_rack = {
    .n_rows = 1,
    .residual = {"g_t"},
    .has_markers = true,
    .has_axis = true,
    .rest_row = 0,
    .cut = {3, {0, 1, 2}, 4, {0, 1, 2, 3}, false},
    .check = check,
    .find_coordinates = find_coordinates,
    .curvature = curvature,
};
