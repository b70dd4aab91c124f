/* A joint constrains one to three coordinates s of a pair of markers: g = s - s° - f(t) = 0, with a constant rest value
 * s° and, for a motion, a law of time f(t). */
#ifndef MBS_JOINT_H
#define MBS_JOINT_H

#include <seam/mbs.h>

#include "mbs/model/curve.h"
#include "mbs/model/kinematics.h"

enum { mbs_max_rows = 3 }; /* largest number of scalar constraints of a joint */

typedef struct mbs_joint_type mbs_joint_type;

/* A joint. The fields that every evaluation reads come first. */
typedef struct mbs_joint {
  const mbs_joint_type *type;
  int body[2];  /* bodies it joins; 0 is the ground */
  int frame[2]; /* frames of these bodies; a port's frame in place of a body that was cut off: see subsystem.h */
  mbs_vector marker[2]; /* positions in the frames of both bodies */
  int row;              /* index of its first scalar constraint */
  int n_alike;          /* number of consecutive joints of its type, from this one on */
  mbs_joint_kind kind;
  int port;                  /* of a prescribed joint: port that prescribes its accelerations */
  const char *name;          /* owned by the model's names */
  mbs_vector axis;           /* unit vector, in the first body's frame */
  double rest[mbs_max_rows]; /* s° */
  double ratio;              /* of a gear */
  double radius[2];          /* m; of a rack, rolling, belt or curve joint */
  mbs_motion_of of;          /* of a motion: its coordinate */
  seam_law law;              /* of a motion: f(t) */
  mbs_friction friction;     /* coefficient NaN: no friction */
  mbs_curve_side curve;      /* of a curve joint */
  int mode;                  /* if can_stick: index in z of its mode; next entry: coordinate at which it sticks */
} mbs_joint;

/* Fields of a joint that constrain() reads. They have their own array: in large mechanisms the reading of complete
 * joints would take most of the time. */
typedef struct mbs_joint_geometry {
  int frame[2];
  int row;
  mbs_vector marker[2];
  double rest; /* s° of the coordinate rest_row */
} mbs_joint_geometry;

/* Fields of a joint for products with its rows of G. */
typedef struct mbs_joint_rows {
  int body[2]; /* 0 is the ground */
  int row;     /* first of n_rows */
  int n_rows;
  bool is_pin; /* rows are G = (-I, -a1⊥, I, a2⊥), a: offsets of the markers */
} mbs_joint_rows;

/* One of the two bodies of a joint, for products with Gᵀ. */
typedef struct mbs_joint_end {
  int row; /* first of n_rows */
  int n_rows;
  int entry; /* index in G of this body's first entry in the first row */
  int sign;  /* of a pin: sign of its entries for x and y; 0: not a pin */
} mbs_joint_end;

/* Scalar constraints by number: residuals g, Jacobian G, right-hand sides γ of G a = γ. */
typedef struct mbs_constraints {
  double *g;
  double (*G)[6];
  double *gamma;
} mbs_constraints;

/* A type of joint: one row of the table of types, defined in joint.c. */
struct mbs_joint_type {
  int n_rows;
  bool is_pin;                        /* its rows are those of mbs_constrain_gap() */
  const char *residual[mbs_max_rows]; /* names of the rows */
  bool is_angle[mbs_max_rows];        /* its residual is an angle, not a length */
  bool has_markers;                   /* uses `at` */
  bool has_axis;                      /* uses `axis` */
  int rest_row; /* index of the coordinate with a rest value s° (motion: value to which f(t) is added); -1: none */
  bool rest_is_length;   /* the rest value is a length, not an angle */
  bool is_rheonomic;     /* its only coordinate follows `law` */
  bool depends_on_frame; /* its coordinates refer to the ground: they change if both bodies rotate together */
  bool is_nonholonomic;  /* its rows constrain velocities that are not rates of any g; g is 0 */
  bool can_stick;        /* hard friction (friction.h): the last row keeps the coordinate constant; it is left out while
                            the joint does not stick */
  bool is_prescribed;    /* constrains only second rates; they equal the accelerations in the port's frame */
  int coordinate[mbs_max_rows]; /* for each row 0, 1 or 2: x, y or φ of the port of a prescribed joint, or of the body
                                   whose coordinate a motion sets */
  mbs_cut_traits cut;           /* coupling across a cut */
  const struct mbs_friction_type *friction; /* friction of its coordinate; NULL: no friction */
  const char *not_finite;                   /* cause of coordinates that are not finite; NULL: they are finite */
  const mbs_joint_type *with_stick_row;     /* type of definitions with hard friction; NULL: there is none */
  const mbs_joint_type *prescribed; /* type that prescribes accelerations on one side of a cut; NULL: there is none */
  /* Returns the type for a definition if the kind has several types; NULL: the kind has only this type. */
  const mbs_joint_type *(*choose)(const mbs_joint_def *def);
  seam_status (*check)(const mbs_joint_def *def,
                       seam_error *error); /* checks fields that only this type uses; NULL: there is nothing to check */
  /* Finds the coordinates s at a pose, with J and J̇. */
  void (*find_coordinates)(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s);
  /* Finds the constraints of n consecutive joints of a type without a law; NULL: find_coordinates() is used. */
  void (*constrain)(const mbs_joint_geometry *joints, int n, const mbs_frame *frames,
                    const mbs_constraints *constraints);
  /* Finds the curvatures of the coordinates. */
  void (*curvature)(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *curvature);
};

#define MBS_JOINT_ROW(kind, name) extern const mbs_joint_type mbs_joint_##name;
MBS_JOINT_TABLE(MBS_JOINT_ROW)
#undef MBS_JOINT_ROW

const mbs_joint_type *mbs_joint_type_of(const mbs_joint_def *def);

static inline mbs_pair mbs_joint_pair(const mbs_joint *joint, const mbs_frame *frames) {
  return (mbs_pair){{&frames[joint->frame[0]], &frames[joint->frame[1]]}, {joint->marker[0], joint->marker[1]}};
}

static inline mbs_pair mbs_geometry_pair(const mbs_joint_geometry *joint, const mbs_frame *frames) {
  return (mbs_pair){{&frames[joint->frame[0]], &frames[joint->frame[1]]}, {joint->marker[0], joint->marker[1]}};
}

/* Finds ∂(J v)/∂q (6) of a row of a joint. It equals J̇, except for nonholonomic joints, for which it is computed from
 * H. */
void mbs_joint_rate_gradient(const mbs_joint *joint, const mbs_pair *pair, const mbs_relative_coordinate *row,
                             double gradient[6]);

/* Returns the number of a joint's scalar constraints, without the constraint that acts only while the joint sticks. */
static inline int mbs_n_reactions(const mbs_joint_type *type) { return type->n_rows - (type->can_stick ? 1 : 0); }

static inline bool mbs_joint_has_friction(const mbs_joint *joint) {
  return joint->type->friction != NULL && !isnan(joint->friction.coefficient);
}

/* Finds s - s°, J and J̇ of each row. */
static inline void mbs_joint_coordinates(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  joint->type->find_coordinates(joint, pair, s);
  if (joint->type->rest_row >= 0)
    s[joint->type->rest_row].s -= joint->rest[joint->type->rest_row];
}

/* Returns f, f', f'' of a joint with a law of time at time t; zeros for other joints. */
seam_jet mbs_joint_prescribed_law(const mbs_joint *joint, double t);

/* Finds the exact K (6 x 6) = ∂Q/∂q of a joint's generalised forces Q = -Gᵀ λ, for implicit integrators and
 * linearisations. curvature, lambda (n_rows each): curvatures and multipliers of its rows. The right-hand side γ of
 * each row of G a = γ has the derivatives ∂γ/∂q = -T and ∂γ/∂v = -2 J̇ (kinematics.h). */
void mbs_joint_stiffness(const mbs_joint *joint, const mbs_curvature *curvature, const double *lambda, double K[6][6]);

#endif
