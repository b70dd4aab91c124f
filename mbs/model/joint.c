/* Functions for joints of all kinds. The stiffness of a joint is ∂(-Gᵀ λ)/∂q = -Σ λ H, with the multipliers λ and
 * curvatures H of its rows. */
#include "mbs/model/joint.h"

#include <string.h>

seam_jet mbs_joint_prescribed_law(const mbs_joint *joint, double t) {
  seam_jet f = {0};
  if (joint->type->is_rheonomic)
    joint->law.jet(joint->law.data, (double[2]){t, 0}, &f);
  return f;
}

void mbs_joint_rate_gradient(const mbs_joint *joint, const mbs_pair *pair, const mbs_relative_coordinate *row,
                             double gradient[6]) {
  memcpy(gradient, row->Jdot, 6 * sizeof *gradient);
  if (!joint->type->is_nonholonomic)
    return;
  mbs_curvature c;
  joint->type->curvature(joint, pair, &c);
  for (int j = 0; j < 6; j++) {
    const double column[6] = {c.H[0][j], c.H[1][j], c.H[2][j], c.H[3][j], c.H[4][j], c.H[5][j]};
    gradient[j] = mbs_row_rate(column, pair);
  }
}

void mbs_joint_stiffness(const mbs_joint *joint, const mbs_curvature *curvature, const double *lambda,
                         double K[restrict 6][6]) {
  memset(K, 0, 36 * sizeof(double));
  for (int row = 0; row < joint->type->n_rows; row++)
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++)
        K[i][j] -= lambda[row] * curvature[row].H[i][j];
}

/* ---- Functions of several types ---- */

void mbs_joint_coordinate_distance(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  (void)joint;
  mbs_relative_distance(pair, s);
}

void mbs_joint_curvature_distance(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  (void)joint;
  mbs_curvature_distance(pair, c);
}

void mbs_joint_no_curvature(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  (void)joint;
  (void)pair;
  *c = (mbs_curvature){0};
}

seam_status mbs_joint_check_wheels(const mbs_joint_def *def, int n, const char *radius, seam_error *error) {
  const char *noun = mbs_joint_kind_text(def->kind);
  for (int i = 0; i < n; i++)
    if (!isfinite(def->radii[i]) || def->radii[i] == 0)
      return seam_fail(error, SEAM_BAD_INPUT, "%s '%s': the %s must be finite and not zero", noun, def->name, radius);
  if (!isnan(def->angle))
    return seam_fail(error, SEAM_BAD_INPUT, "%s '%s' takes no angle: %s", noun, def->name,
                     n == 1 ? "its angle counts from the initial one; leave 'angle' out"
                            : "both angles count from the initial ones; leave 'angle' out");
  return SEAM_OK;
}
