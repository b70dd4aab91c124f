/* Distance joint (massless rod): two markers at a constant distance, which is not zero. d: from the first marker to the
 * second; a: arm from the centre of mass to a marker.
 *
 *   g_d = |d| - length     J = u · (-I, -a1⊥, I, a2⊥),   u = d / |d|
 *
 * λ is the tension of the rod, positive if it pulls the markers together. */
#include "mbs/model/joint.h"

static seam_status check(const mbs_joint_def *def, seam_error *error) {
  if (isnan(def->length) || (def->length > 0 && isfinite(def->length)))
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT, "distance '%s': its length %g must be positive and finite", def->name,
                   def->length);
}

const mbs_joint_type mbs_joint_distance = {
    .n_rows = 1,
    .residual = {"g_d"},
    .has_markers = true,
    .rest_row = 0,
    .rest_is_length = true,
    .cut = {2, {0, 1}, 2, {0, 1}, false},
    .check = check,
    .find_coordinates = mbs_joint_coordinate_distance,
    .curvature = mbs_joint_curvature_distance,
};
