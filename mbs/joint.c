/* The table of joints, and what all joints share: ∂(Gᵀ λ)/∂q = Σ λ H and, as γ = -vᵀ H v, ∂γ/∂q = -T. */
#include "mbs/joint.h"

#include <string.h>

const mbs_joint_type *const mbs_joint_types[MBS_JOINT_KINDS] = {
    [MBS_REVOLUTE] = &mbs_revolute,
    [MBS_PRISMATIC] = &mbs_prismatic,
    [MBS_FIXED] = &mbs_fixed,
};

void mbs_joint_derivatives(const mbs_joint *joint, const mbs_frame *frames, const double *lambda,
                           double stiffness[6][6], double gamma_q[][6]) {
  const mbs_pair pair = mbs_joint_pair(joint, frames);
  mbs_curvature c[mbs_max_rows];
  joint->type->curvature(joint, &pair, c);
  memset(stiffness, 0, 36 * sizeof(double));
  for (int row = 0; row < joint->type->n_rows; row++)
    for (int i = 0; i < 6; i++) {
      gamma_q[row][i] = -c[row].T[i];
      for (int j = 0; j < 6; j++) stiffness[i][j] += lambda[row] * c[row].H[i][j];
    }
}
