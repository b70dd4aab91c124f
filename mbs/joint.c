/* The stiffness of all joints is ∂(-Gᵀ λ)/∂q = -Σ λ H. */
#include "mbs/joint.h"

#include <string.h>

seam_jet mbs_joint_prescribed_law(const mbs_joint *joint, double t) {
  seam_jet f = {0};
  if (joint->type->is_rheonomic)
    joint->law.jet(joint->law.data, (double[2]){t, 0}, &f);
  return f;
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
