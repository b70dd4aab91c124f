/* The matrix S = G W Gᵀ of the constraints, W diagonal: the saddle-point system [M Gᵀ; G 0] with its diagonal mass
 * block eliminated (W = M⁻¹), or the normal equations of a least movement (W = I). */
#ifndef MBS_SCHUR_H
#define MBS_SCHUR_H

#include "mbs/joint.h"
#include "solvers/spd.h"

/* What one body adds to S where two joints of it (or one with itself) meet. */
typedef struct mbs_block {
  int body;
  int row[2]; /* first constraint of either joint */
  int n_rows[2];
  int side[2];               /* 0: the body is the joint's first, 1: its second */
  int slot[2][mbs_max_rows]; /* [0][k]: entry (row[0], row[1] + k); [1][k]: entry (row[1], row[0] + k) */
} mbs_block;

typedef struct mbs_schur {
  seam_spd_plan *plan;
  mbs_block *blocks;
  int n_blocks;
} mbs_schur;

/* Finds pattern and blocks of the joints' constraints between bodies 1..n_bodies (0 is the ground). */
seam_status mbs_schur_create(mbs_schur *schur, const mbs_joint *joints, int n_joints, int n_bodies, int n_rows,
                             seam_error *error);
void mbs_schur_destroy(mbs_schur *schur);

/* values of S from the Jacobian rows G (n_rows x 6) and the weights (3 (n_bodies + 1)). */
void mbs_schur_fill(const mbs_schur *schur, const double (*G)[6], const double *weight, double *values);

#endif
