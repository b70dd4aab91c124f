/* Rolling: a wheel of the second body, with its centre at the second marker, stays on a line of the first body and does
 * not slip. The line goes through the first marker in the direction e; n = e⊥. d is the vector from this marker to the
 * centre. The radius r is positive if the centre is on the left of the line; g° is the initial value of other terms:
 *
 *   g_n = n · d - r,   g_t = e · d + r (φ2 - φ1) - g°
 *
 * as for a slot and a rack together. λ_n and λ_t are the forces on the first body along n and e at the contact. */
#include "mbs/model/joint.h"

static seam_status check(const mbs_joint_def *def, seam_error *error) {
  return mbs_joint_check_wheels(def, 1, "radius of its wheel", error);
}

static void find_coordinates(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  const double r = joint->radius[0];
  mbs_relative_along_body(pair, mbs_perp(joint->axis), &s[0]);
  mbs_relative_along_body(pair, joint->axis, &s[1]);
  s[0].s -= r;
  s[1].s += r * (pair->frame[1]->phi - pair->frame[0]->phi);
  s[1].J[2] -= r;
  s[1].J[5] += r;
}

static void curvature(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  mbs_curvature_along_body(pair, mbs_perp(joint->axis), &c[0]);
  mbs_curvature_along_body(pair, joint->axis, &c[1]);
}

const mbs_joint_type mbs_joint_rolling = {
    .n_rows = 2,
    .residual = {"g_n", "g_t"},
    .has_markers = true,
    .has_axis = true,
    .rest_row = 1,
    .cut = {3, {0, 1, 2}, 4, {0, 1, 2, 3}, false},
    .check = check,
    .find_coordinates = find_coordinates,
    .curvature = curvature,
};
