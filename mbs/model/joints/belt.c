/* Belt or chain over two pulleys, without stretch or slip: the length that leaves one pulley is taken up by the other.
 * The line from the first centre to the second has the direction θ. r1 and r2 are the radii, of opposite signs for a
 * crossed belt; g° is the initial value of the other terms:
 *
 *   g_b = r2 (φ2 - θ) - r1 (φ1 - θ) - g°
 *
 * as for a gear (gear.c). Other joints make the distance of the centres constant. λ is the tension of the strand that
 * touches the second pulley on the right of the line, less the tension of the other strand; the pulleys get the torques
 * r1 λ and -r2 λ. The pretension of the strands does no work and is not determined: the reactions lack its pull on the
 * axles along the line of centres. The force element belt (mbs/model/forces/elastic_belt.c) includes it. */
#include "mbs/model/joint.h"

static seam_status check(const mbs_joint_def *def, seam_error *error) {
  return mbs_joint_check_wheels(def, 2, "radii of its pulleys", error);
}

static void find_coordinates(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  mbs_relative_mesh(pair, joint->radius, joint->rest[0], s);
}

static void curvature(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  mbs_curvature_mesh(pair, joint->radius, c);
}

const mbs_joint_type mbs_joint_belt = {
    .n_rows = 1,
    .residual = {"g_b"},
    .has_markers = true,
    .rest_row = 0,
    .cut = {3, {0, 1, 2}, 4, {0, 1, 2, 3}, false},
    .check = check,
    .find_coordinates = find_coordinates,
    .curvature = curvature,
};
