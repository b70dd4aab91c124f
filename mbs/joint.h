/* A joint holds one to three measures of a pair of markers at zero: g = s = 0. */
#ifndef MBS_JOINT_H
#define MBS_JOINT_H

#include <seam/mbs.h>

#include "mbs/kinematics.h"

enum { mbs_max_rows = 3 }; /* scalar constraints of one joint */

typedef struct mbs_joint_type mbs_joint_type;

typedef struct mbs_joint {
  const mbs_joint_type *type;
  mbs_joint_kind kind;
  const char *name; /* held by the model's names */
  int body[2];          /* frames; 0 is the ground */
  mbs_vector marker[2]; /* in each body's frame */
  mbs_vector axis;      /* unit vector, in the first body's frame */
  double angle;         /* φ2 - φ1 that is kept */
  int row;              /* first scalar constraint */
} mbs_joint;

/* One row of the table of joints: a file in mbs/joints/ each. */
struct mbs_joint_type {
  int n_rows;
  const char *residual[mbs_max_rows]; /* names */
  bool keeps_angle;                   /* uses `angle` */
  bool has_axis;                      /* uses `axis` */
  /* The measures g at a pose, with Jacobian and its rate. */
  void (*measure)(const mbs_joint *joint, const mbs_pair *pair, mbs_measure *g);
  /* Their curvatures. */
  void (*curvature)(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *curvature);
};

extern const mbs_joint_type *const mbs_joint_types[MBS_JOINT_KINDS]; /* by kind */

extern const mbs_joint_type mbs_revolute;
extern const mbs_joint_type mbs_prismatic;
extern const mbs_joint_type mbs_fixed;

static inline mbs_pair mbs_joint_pair(const mbs_joint *joint, const mbs_frame *frames) {
  return (mbs_pair){{&frames[joint->body[0]], &frames[joint->body[1]]}, {joint->marker[0], joint->marker[1]}};
}

/* Derivatives that implicit integrators and linearisations need, exact:
 * stiffness (6 x 6) = ∂(Gᵀ λ)/∂q;  gamma_q (n_rows x 6) = ∂γ/∂q.  ∂γ/∂v is -2 J̇, row by row. */
void mbs_joint_derivatives(const mbs_joint *joint, const mbs_frame *frames, const double *lambda,
                           double stiffness[6][6], double gamma_q[][6]);

#endif
