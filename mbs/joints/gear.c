/* Gear: the turns of two bodies in a fixed ratio.
 *
 *   g_phi = (φ2 - φ2°) - ratio (φ1 - φ1°)     J = (0, 0, -ratio, 0, 0, 1)
 *
 * λ is such that the first body gets the torque ratio λ and the second -λ. Angles are absolute: the gear's frame is the
 * ground, which takes the rest. */
#include "mbs/joint.h"

static seam_status check(const mbs_joint_def *def, seam_error *error) {
  if (!isfinite(def->ratio) || def->ratio == 0)
    return seam_fail(error, SEAM_BAD_INPUT, "gear '%s': its ratio must be finite and not zero", def->name);
  if (!isnan(def->angle))
    return seam_fail(error, SEAM_BAD_INPUT, "gear '%s' takes no angle: both angles count from the initial ones",
                     def->name);
  return SEAM_OK;
}

static void measure(const mbs_joint *joint, const mbs_pair *pair, mbs_measure *s) {
  *s =
      (mbs_measure){.s = pair->frame[1]->phi - joint->ratio * pair->frame[0]->phi, .J = {[2] = -joint->ratio, [5] = 1}};
}

static void curvature(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  (void)joint;
  (void)pair;
  *c = (mbs_curvature){0};
}

const mbs_joint_type mbs_joint_gear = {
    .n_rows = 1,
    .residual = {"g_phi"},
    .rest_row = 0,
    .holds_frame = true,
    .cut = {1, {2}, 4, {0, 1, 2, 3}, false},
    .check = check,
    .quantities = mbs_quantities_of_joint,
    .measure = measure,
    .curvature = curvature,
};
