/* Curve: a circle of radius r about a point of the second body (the point alone if r = 0) stays in touch with a curve
 * fixed on the first body, on one side of it; the force may push or pull.
 *
 *   g_n = φ - r     φ: signed distance of the point from the curve, positive on that side (curve_coordinate.c)
 *
 * λ_n is the force on the first body along the curve's normal on that side. Each evaluation searches all arcs of the
 * curve for the point nearest to the centre of the circle. Beyond the ends of an open curve g_n is NaN. */
#include "mbs/model/joint.h"
#include "mbs/thresholds.h"

static void find_coordinates(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  mbs_relative_to_curve(pair, &joint->curve, s);
  s->s -= joint->radius[0];
}

static void curvature(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  mbs_curvature_curve(pair, &joint->curve, c);
}

static seam_status check(const mbs_joint_def *def, seam_error *error) {
  if (def->radii[0] >= 0 && def->radii[0] <= mbs_farthest_position)
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT, "joint '%s': its radius must be finite and not negative", def->name);
}

const mbs_joint_type mbs_joint_curve = {
    .n_rows = 1,
    .residual = {"g_n"},
    .has_markers = true,
    .rest_row = -1,
    .cut = {3, {0, 1, 2}, 4, {0, 1, 2, 3}, false},
    .not_finite = "its point has passed an end of its open curve: make the curve longer, or end the run before",
    .check = check,
    .find_coordinates = find_coordinates,
    .curvature = curvature,
};
