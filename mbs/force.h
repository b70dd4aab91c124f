/* A force element acts on one body or on a pair of markers with generalised forces Q (6) on (x1, y1, φ1, x2, y2, φ2).
 */
#ifndef MBS_FORCE_H
#define MBS_FORCE_H

#include <seam/mbs.h>

#include "mbs/kinematics.h"

/* Pull of a scalar element as a function of its stretch s and rate v: k s + c v, or a law f(s, v). */
typedef struct mbs_pull {
  double stiffness, damping;
  seam_law law; /* instead, when .value is not NULL */
} mbs_pull;

typedef struct mbs_force_type mbs_force_type;

typedef struct mbs_force {
  const mbs_force_type *type;
  mbs_force_kind kind;
  const char *name;     /* held by the model's names */
  int body[2];          /* that it moves; an element on one body has it in [0] and the ground in [1] */
  int frame[2];         /* those of its bodies, but where a port stands for one: see subsystem.h */
  bool is_cut;          /* acts through a port: its energies are no part's own */
  mbs_vector marker[2]; /* in each body's frame */
  mbs_vector axis;      /* unit vector: spring along an axis: global; consistent bushing: in the first body's frame */
  bool body_axes;
  mbs_pull pull[3]; /* one for each measure */
  double rest[3];   /* its value without load */
  seam_law load[2]; /* laws of time */
} mbs_force;

/* Power that leaves through dampers and that comes in through loads, W. */
typedef struct mbs_power {
  double dissipated, driven;
} mbs_power;

/* One row of the table of force elements: a file in mbs/forces/ each. */
struct mbs_force_type {
  void (*load)(const mbs_force *force, const mbs_pair *pair, double t, double Q[6], mbs_power *power);
  /* Kq = ∂Q/∂q, Kv = ∂Q/∂v. */
  void (*derivatives)(const mbs_force *force, const mbs_pair *pair, double t, double Kq[6][6], double Kv[6][6]);
  bool is_steady; /* Kq = 0 and Kv does not depend on the motion */
  /* Potential energy, J; NULL: none. */
  double (*potential)(const mbs_force *force, const mbs_pair *pair);
  /* Elastic elements: their stretches, one to three measures. */
  int n_measures;
  void (*measure)(const mbs_force *force, const mbs_pair *pair, mbs_measure *stretch);
  void (*curvature)(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature);
};

extern const mbs_force_type mbs_viscous;
extern const mbs_force_type mbs_spring_distance;
extern const mbs_force_type mbs_spring_axis;
extern const mbs_force_type mbs_torsion;
extern const mbs_force_type mbs_bushing_markers;
extern const mbs_force_type mbs_bushing_consistent;
extern const mbs_force_type mbs_point_force;
extern const mbs_force_type mbs_torque;
extern const mbs_force_type mbs_port_wrench;

static inline mbs_pair mbs_force_pair(const mbs_force *force, const mbs_frame *frames) {
  return (mbs_pair){{&frames[force->frame[0]], &frames[force->frame[1]]}, {force->marker[0], force->marker[1]}};
}

#endif
