/* The saddle-point system [W⁻¹ Gᵀ; G 0] with the Jacobian G and a diagonal W, in blocks: W = M⁻¹ for the equations of
 * motion, W = I for a displacement of least norm. A body is eliminated before its joints; a hub (mbs/model/hubs.h)
 * after the joints that hang on it. Elimination of all bodies except hubs leaves the system below. The index b denotes
 * these bodies, h the hubs. λ are the multipliers, r is a right-hand side, and w = -u with the displacements or
 * accelerations u of the hubs:
 *
 *   [G_b W_b G_bᵀ  G_h ] [λ]   [r]
 *   [G_hᵀ       -W_h⁻¹ ] [w] = [0]    that is, S λ = r with S = G W Gᵀ,
 *
 * in blocks of joints and hubs. The reference of a pivot is the sum of its terms before elimination (solvers/ldl.h). */
#ifndef MBS_ELIMINATION_H
#define MBS_ELIMINATION_H

#include "mbs/model/joint.h"
#include "solvers/ldl.h"

/* Smallest number of bodies for which threads share an evaluation. */
enum { MBS_LARGE = 2000 };

/* Diagonal block of S that belongs to a joint. */
typedef struct mbs_joint_block {
  int row;
  int n_rows;
  bool is_pin;
  int body[2];   /* bodies whose weights enter the block; 0, which has no weight, in place of a hub */
  int value;     /* index of the block's first value */
  int reference; /* index of the block's first reference */
} mbs_joint_block;

/* Contribution of a body to the off-diagonal block of two of its joints. Index 0: the joint that is eliminated later
 * (rows of the block); index 1: the joint that is eliminated earlier (columns). */
typedef struct mbs_body_block {
  int body;
  int row[2];
  int n_rows[2];
  int side[2]; /* side of each joint on which the body is */
  bool are_pins;
  int value;
} mbs_body_block;

typedef struct mbs_hub_block {
  int body;
  int value;
  int reference;
} mbs_hub_block;

/* Off-diagonal block of a joint and a hub. */
typedef struct mbs_hub_link {
  int body;
  int row;
  int n_rows;
  int side;
  bool hangs;    /* true: the joint hangs on the hub, and its rows are the columns of the block; false: they are rows */
  int value;     /* index of the block's first value */
  int reference; /* index of the joint's first reference */
} mbs_hub_link;

typedef struct mbs_elimination {
  seam_ldl_plan *plan;
  mbs_joint_block *joints; /* (n_joints) in ascending order of `value` */
  mbs_body_block *pairs;   /* (n_pairs) in ascending order of `value` */
  int *pair_of; /* (n_joints + 1) pairs whose columns belong to joints[i]: pair_of[i] to pair_of[i + 1] - 1 */
  mbs_hub_block *hubs;
  mbs_hub_link *links;
  int n_joints, n_pairs, n_hubs, n_links;
} mbs_elimination;

/* Plans the elimination of the joints' constraints for bodies 1..n_bodies (0 is the ground). SEAM_NO_MEMORY. */
seam_status mbs_elimination_create(mbs_elimination *elimination, const mbs_joint *joints, int n_joints, int n_bodies,
                                   seam_error *error);
void mbs_elimination_destroy(mbs_elimination *result);

/* Fills the solver's matrix and references. G: Jacobian rows (n_rows x 6); weight: diagonal W (3 (n_bodies + 1); 0 for
 * the ground). `workers` share the work (NULL: one thread). */
void mbs_elimination_fill(const mbs_elimination *self, const double (*G)[6], const double *weight,
                          const worker_group *workers, seam_ldl *solver);
/* Adds `fraction` times the diagonal of S to S, so that S has full rank even with redundant constraints. Call it before
 * the factorisation. */
void mbs_elimination_soften(const mbs_elimination *self, double fraction, seam_ldl *solver);
/* Decouples row k of a joint with n_rows rows from the other rows of S: sets its diagonal entry and its reference to 1.
 * The other entries of the row and column must be zero already. */
void mbs_elimination_exclude(const mbs_elimination *self, int joint, int n_rows, int k, seam_ldl *solver);

#endif
