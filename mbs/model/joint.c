/* Stiffness of a joint: ∂(-Gᵀ λ)/∂q = -Σ λ H. */
#include "mbs/model/joint.h"

#include <string.h>

seam_jet mbs_joint_prescribed_law(const mbs_joint *joint, double t) {
  seam_jet f = {0};
  if (joint->type->is_rheonomic)
    joint->law.jet(joint->law.data, (double[2]){t, 0}, &f);
  return f;
}

void mbs_joint_rate_gradient(const mbs_joint *joint, const mbs_pair *pair, const mbs_measure *row, double gradient[6]) {
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
  for (int row = 0; row < joint->type->n_rows; row++) {
    const double force = lambda[row];
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++)
        K[i][j] -= force * curvature[row].H[i][j];
  }
}
