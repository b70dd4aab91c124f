/* Fixed joint: two markers coincide, with a constant relative angle φ°. r: centre of mass, a: arm from there to the
 * marker, d: from the first marker to the second.
 *
 *   g_x, g_y = d = r2 + a2 - r1 - a1       J = (-I, -a1⊥, I, a2⊥)
 *   g_phi    = φ2 - φ1 - φ°                J = (0, 0, -1, 0, 0, 1)
 *
 * λ is the wrench on the first body. ([Li] 4.10.2 prints g as first minus second.) */
#include "mbs/model/joint.h"

#include <string.h>

static void find_coordinates(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  (void)joint;
  mbs_relative_gap(pair, s);
  mbs_relative_angle(pair, &s[2]);
}

static void curvature(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  (void)joint;
  mbs_curvature_gap(pair, c);
  c[2] = (mbs_curvature){0};
}

static void constrain(const mbs_joint_geometry *joints, int n, const mbs_frame *frames, const mbs_constraints *of) {
  for (const mbs_joint_geometry *joint = joints; joint < joints + n; joint++) {
    const mbs_pair pair = mbs_geometry_pair(joint, frames);
    const int angle = joint->row + 2;
    mbs_constrain_gap(&pair, of->g + joint->row, of->G + joint->row, of->gamma + joint->row);
    of->g[angle] = pair.frame[1]->phi - pair.frame[0]->phi - joint->rest;
    of->gamma[angle] = 0;
    memcpy(of->G[angle], (double[6]){[2] = -1, [5] = 1}, sizeof of->G[angle]);
  }
}

const mbs_joint_type mbs_joint_fixed = {
    .n_rows = 3,
    .residual = {"g_x", "g_y", "g_phi"},
    .is_angle = {[2] = true},
    .has_markers = true,
    .rest_row = 2,
    .cut = {3, {0, 1, 2}, 3, {0, 1, 2}, true},
    .prescribed = &mbs_prescribed_pose,
    .find_coordinates = find_coordinates,
    .constrain = constrain,
    .curvature = curvature,
};
