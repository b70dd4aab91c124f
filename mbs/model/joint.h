/* A joint holds one to three measures of a pair of markers: g = s - s° - f(t) = 0. */
#ifndef MBS_JOINT_H
#define MBS_JOINT_H

#include <seam/mbs.h>

#include "mbs/model/curves/curve.h"
#include "mbs/model/kinematics.h"

enum { mbs_max_rows = 3 }; /* scalar constraints of one joint */

typedef struct mbs_joint_type mbs_joint_type;

/* A joint; the fields that every evaluation reads come first. */
typedef struct mbs_joint {
  const mbs_joint_type *type;
  int body[2];          /* that it moves; 0 is the ground */
  int frame[2];         /* those of its bodies, but where a port stands for one: see subsystem.h */
  mbs_vector marker[2]; /* in each body's frame */
  int row;              /* first scalar constraint */
  int n_alike;          /* joints of its type from here on */
  mbs_joint_kind kind;
  int port;                  /* that prescribes accelerations */
  const char *name;          /* held by the model's names */
  mbs_vector axis;           /* unit vector, in the first body's frame */
  double rest[mbs_max_rows]; /* s° */
  double ratio;              /* gear */
  double radius[2];          /* rack, belt, curve */
  mbs_motion_of of;          /* motion */
  seam_law law;              /* motion: f(t) */
  mbs_friction friction;     /* its coefficient NaN: none */
  mbs_curve_side curve;      /* curve */
  int mode;                  /* first of its modes in z, of a type that has some */
} mbs_joint;

/* Fields of a joint that constrain() reads, in a list of their own: a joint's record is so long that reading it is most
 * of the time of large mechanisms. */
typedef struct mbs_joint_place {
  int frame[2];
  int row;
  mbs_vector marker[2];
  double rest; /* of the measure that has one */
} mbs_joint_place;

/* Data that products with G read. */
typedef struct mbs_joint_rows {
  int body[2]; /* 0 is the ground */
  int row;     /* the first of n_rows */
  int n_rows;
  bool is_pin; /* these are G = (-I, -a1⊥, I, a2⊥) */
} mbs_joint_rows;

/* Data that products with Gᵀ read: one of the two bodies of a joint. */
typedef struct mbs_joint_end {
  int row; /* the first of n_rows */
  int n_rows;
  int entry; /* of G: the first one of this body in the first row */
  int sign;  /* of a pin: that of its entries of the place; 0: it is none */
} mbs_joint_end;

/* Scalar constraints by number: residuals g, Jacobian G, right-hand sides γ of G a = γ. */
typedef struct mbs_constraints {
  double *g;
  double (*G)[6];
  double *gamma;
} mbs_constraints;

/* One row of the table of joints: a file in mbs/model/joints/ each. */
struct mbs_joint_type {
  int n_rows;
  bool is_pin;                        /* its rows are those of mbs_constrain_gap() alone */
  const char *residual[mbs_max_rows]; /* names */
  bool has_markers;                   /* uses `at` */
  bool has_axis;                      /* uses `axis` */
  int rest_row;         /* the measure that has a rest value; -1: none. What f(t) begins at, in a motion */
  bool rest_is_length;  /* it is a length, not an angle */
  bool is_rheonomic;    /* its only measure follows `law` */
  bool holds_frame;     /* its measures change when both bodies turn together: the ground's frame counts */
  bool is_nonholonomic; /* its rows hold velocities, which are rates of no g: that is 0 */
  bool holds; /* its last row keeps its coordinate where friction sticks, and is set aside where not (friction.h) */
  bool is_prescribed;                       /* only second rates are constrained: those of `coordinate`, by a port */
  int coordinate[mbs_max_rows];             /* prescribed: x, y or φ of the port, row by row */
  mbs_cut_traits cut;                       /* what crosses a cut through it */
  const struct mbs_friction_type *friction; /* how it rubs; NULL: it has no coordinate that could */
  const char *not_finite;                   /* what it means that its measures are not finite; NULL: they are */
  const mbs_joint_type *prescribed; /* the row that prescribes accelerations on one side of a cut; NULL: impossible */
  /* The row that a definition asks for, where a kind has several; NULL: this one. */
  const mbs_joint_type *(*choose)(const mbs_joint_def *def);
  seam_status (*check)(const mbs_joint_def *def, seam_error *error); /* of what only it takes; NULL: nothing */
  /* The measures s at a pose, with Jacobian and its rate. */
  void (*measure)(const mbs_joint *joint, const mbs_pair *pair, mbs_measure *s);
  /* Constraints that follow from them, for n joints in a row, of a type without a law; NULL: by measure(). */
  void (*constrain)(const mbs_joint_place *joints, int n, const mbs_frame *frames, const mbs_constraints *constraints);
  /* Their curvatures. */
  void (*curvature)(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *curvature);
};

#define MBS_JOINT_ROW(kind, name) extern const mbs_joint_type mbs_joint_##name;
MBS_JOINT_TABLE(MBS_JOINT_ROW)
#undef MBS_JOINT_ROW
extern const mbs_joint_type mbs_prescribed_place; /* x, y */
extern const mbs_joint_type mbs_prescribed_pose;  /* x, y, φ */
extern const mbs_joint_type mbs_prescribed_angle; /* φ */

/* The row of a definition's kind; the one that the definition asks for. */
const mbs_joint_type *mbs_joint_kind_row(mbs_joint_kind kind);
const mbs_joint_type *mbs_joint_type_of(const mbs_joint_def *def);

static inline mbs_pair mbs_joint_pair(const mbs_joint *joint, const mbs_frame *frames) {
  return (mbs_pair){{&frames[joint->frame[0]], &frames[joint->frame[1]]}, {joint->marker[0], joint->marker[1]}};
}

static inline mbs_pair mbs_place_pair(const mbs_joint_place *joint, const mbs_frame *frames) {
  return (mbs_pair){{&frames[joint->frame[0]], &frames[joint->frame[1]]}, {joint->marker[0], joint->marker[1]}};
}

/* ∂(J v)/∂q of a row: J̇, but for velocities that are rates of no measure (with their curvature). */
void mbs_joint_rate_gradient(const mbs_joint *joint, const mbs_pair *pair, const mbs_measure *row, double gradient[6]);

/* Rows that are its reaction. */
static inline int mbs_n_reactions(const mbs_joint_type *type) { return type->n_rows - (type->holds ? 1 : 0); }

static inline bool mbs_joint_rubs(const mbs_joint *joint) {
  return joint->type->friction != NULL && !isnan(joint->friction.coefficient);
}

/* s - s°, J and J̇ of each row. */
static inline void mbs_joint_measure(const mbs_joint *joint, const mbs_pair *pair, mbs_measure *s) {
  joint->type->measure(joint, pair, s);
  if (joint->type->rest_row >= 0)
    s[joint->type->rest_row].s -= joint->rest[joint->type->rest_row];
}

/* f, f', f'' of a joint that a law of time drives, at time t; zeros of any other. */
seam_jet mbs_joint_prescribed_law(const mbs_joint *joint, double t);

/* Finds K (6 x 6) = ∂Q/∂q of a joint's generalised forces Q = -Gᵀ λ, exact, for implicit integrators and
 * linearisations: from the curvatures of its rows and their multipliers (n_rows each). Row by row, ∂γ/∂q is -T and
 * ∂γ/∂v is -2 J̇. */
void mbs_joint_stiffness(const mbs_joint *joint, const mbs_curvature *curvature, const double *lambda, double K[6][6]);

#endif
