/* Distance joint (massless rod): two markers at one distance, which is not zero.
 *
 *   g_d = |d| - length
 *
 * λ is the pull of the rod: positive when it draws the two together. */
#include "mbs/joint.h"

static void measure(const mbs_joint *joint, const mbs_pair *pair, mbs_measure *s) {
  (void)joint;
  mbs_measure_distance(pair, s);
}

static void curvature(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  (void)joint;
  mbs_curvature_distance(pair, c);
}

const mbs_joint_type mbs_distance = {
    .n_rows = 1,
    .residual = {"g_d"},
    .rest_row = 0,
    .rest_is_length = true,
    .measure = measure,
    .curvature = curvature,
};
