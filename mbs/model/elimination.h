/* The saddle-point system [W⁻¹ Gᵀ; G 0], W diagonal, as blocks: W = M⁻¹ of the equations of motion, or W = I of a least
 * movement. Bodies are eliminated before their joints, but for hubs (mbs/model/hubs.h), which come after those that
 * hang on them. What is left, with b the bodies eliminated at once and h the hubs, w = -u of these,
 *
 *   [G_b W_b G_bᵀ  G_h ] [λ]   [r]
 *   [G_hᵀ       -W_h⁻¹ ] [w] = [0]    is S λ = r,   S = G W Gᵀ,
 *
 * with blocks of joints and hubs. */
#ifndef MBS_ELIMINATION_H
#define MBS_ELIMINATION_H

#include "mbs/model/joint.h"
#include "solvers/ldl.h"

/* Bodies from which on the work of an evaluation is worth sharing among threads. */
enum { MBS_LARGE = 2000 };

/* The diagonal block of a joint. */
typedef struct mbs_joint_block {
  int row;
  int n_rows;
  bool is_pin;
  int body[2];   /* whose weights count: 0, without any, for a hub */
  int value;     /* first of the block */
  int reference; /* first of its rows */
} mbs_joint_block;

/* Contribution of a body where two of its joints meet: rows of the joint that is eliminated later, columns of the
 * other. */
typedef struct mbs_body_block {
  int body;
  int row[2];
  int n_rows[2];
  int side[2]; /* of the joint on which the body is */
  bool are_pins;
  int value;
} mbs_body_block;

typedef struct mbs_hub_block {
  int body;
  int value;
  int reference;
} mbs_hub_block;

/* The rows of a joint at a hub. */
typedef struct mbs_hub_link {
  int body;
  int row;
  int n_rows;
  int side;
  bool hangs;    /* the columns of the block are the joint's */
  int value;     /* first of the block */
  int reference; /* of the joint's rows */
} mbs_hub_link;

typedef struct mbs_elimination {
  seam_ldl_plan *plan;
  mbs_joint_block *joints; /* (n_joints) in the order of their values */
  mbs_body_block *pairs;   /* in the same order */
  int *pair_of;            /* (n_joints + 1) the first pair in the columns of each of `joints`; the first one's is 0 */
  int *block_of;           /* (n_joints) which of `joints` a joint is */
  mbs_hub_block *hubs;
  mbs_hub_link *links;
  int n_joints, n_pairs, n_hubs, n_links;
} mbs_elimination;

/* Plans the elimination for the joints' constraints between bodies 1..n_bodies (0 is the ground). SEAM_NO_MEMORY. */
seam_status mbs_elimination_create(mbs_elimination *elimination, const mbs_joint *joints, int n_joints, int n_bodies,
                                   seam_error *error);
void mbs_elimination_destroy(mbs_elimination *elimination);

/* Fills the matrix of the solver from the Jacobian rows G (n_rows x 6) and the weights (3 (n_bodies + 1), 0 of ground),
 * with the threads of a group of workers (NULL: one thread). */
void mbs_elimination_fill(const mbs_elimination *self, const double (*G)[6], const double *weight,
                          const worker_group *workers, seam_ldl *solver);
/* Adds `part` of S to its diagonal: of full rank also where constraints are redundant. */
void mbs_elimination_soften(const mbs_elimination *self, double part, seam_ldl *solver);
/* Makes the diagonal 1 of the k-th row of a joint whose other entries are zero. */
void mbs_elimination_set_aside(const mbs_elimination *self, int joint, int k, seam_ldl *solver);

#endif
