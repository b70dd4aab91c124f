/* A force element acts on one body or on a pair of markers with generalised forces Q (6) on (x1, y1, φ1, x2, y2, φ2).
 */
#ifndef MBS_FORCE_H
#define MBS_FORCE_H

#include <seam/mbs.h>

#include "mbs/model/curves/curve.h"
#include "mbs/model/kinematics.h"
#include "mbs/model/modes.h"

/* Force of a scalar element as a function of its stretch s and rate v, positive when it pulls: k s + c v, f(s, v), or
 * that of a strand or a contact. */
typedef struct mbs_elastic_law {
  double stiffness, damping;
  seam_law nonlinear; /* instead, when .value is not NULL */
  bool is_strand;  /* it pulls with preload + k s + c v where preload + k s > 0, never pushes, and is slack elsewhere */
  double preload;  /* N */
  double exponent; /* > 0: a contact, which pushes with k δ^n (1 - c v), δ = -s, and never pulls */
  double zero;     /* stretch at which its potential is zero: that of no load, if the law is finite there */
  mbs_mode mode; /* of a strand or a contact: the piece that holds, also beyond its end; MBS_BY_MOTION: each in turn */
} mbs_elastic_law;

static inline bool mbs_is_one_sided(const mbs_elastic_law *law) { return law->is_strand || law->exponent > 0; }

typedef struct mbs_force_type mbs_force_type;
struct mbs_cable; /* mbs/model/cable.h */

enum { MBS_MAX_STATES = 2 };

typedef struct mbs_force {
  const mbs_force_type *type;
  mbs_force_kind kind;
  const char *name; /* held by the model's names */
  int body[2];      /* that it moves; an element on one body has it in [0] and the ground in [1] */
  int frame[2];     /* those of its bodies, but where a port stands for one: see subsystem.h */
  int cut_port;     /* through which it acts where it was cut, so that its energies belong to no part; -1: not cut */
  int n_alike;      /* elements of its type from here on that are not cut; 1 where it is cut */
  mbs_vector marker[2]; /* in each body's frame */
  mbs_vector axis; /* unit vector: spring along an axis: global; consistent bushing, line of a contact: in the first
                      body's frame */
  bool body_axes;
  mbs_elastic_law elastic[3];  /* one for each measure */
  double rest[3];              /* its value without load */
  seam_law load[2];            /* laws of time */
  bool rests_at_start;         /* its states, under a law of quantities */
  bool law_is_state_dependent; /* at least one of the next is given */
  int law[2];                  /* of quantities, by number, in place of its own (law.h); -1: none */
  mbs_hydraulics hydraulics;
  double radius[2];              /* belt, contact, span of a cable */
  const struct mbs_cable *cable; /* that it is a span of: the elements of its name, in a row */
  int span;                      /* its number there ... */
  int place[2];                  /* ... and those of its ends along the cable */
  mbs_drag drag;
  mbs_actuator actuator;
  mbs_contact contact;
  mbs_stop stop;
  mbs_curve_side curve;         /* contact with a curve */
  int hard;                     /* number among hard contacts, or among elements that continue the row of one */
  bool has_modes;               /* of its type, which takes no other states and no laws of quantities */
  int state;                    /* first of its states, or of its modes, among those of the model */
  double start[MBS_MAX_STATES]; /* their values at the start */
} mbs_force;

/* Power that leaves through dampers and that comes in through loads, W. */
typedef struct mbs_power {
  double dissipated, driven;
} mbs_power;

/* Derivatives of the load Q of an element and of the rates Z of its states, by these states z, by q and v, and by the
 * value u of its law. */
typedef struct mbs_state_gradient {
  double Qz[6][MBS_MAX_STATES];
  double Zq[MBS_MAX_STATES][6], Zv[MBS_MAX_STATES][6], Zz[MBS_MAX_STATES][MBS_MAX_STATES];
  double Zu[MBS_MAX_STATES];
} mbs_state_gradient;

/* States of a force element, z' = Z(u, q, v, z). */
typedef struct mbs_force_states {
  int n;
  const char *name[MBS_MAX_STATES];
  void (*rates)(const mbs_force *force, const mbs_pair *pair, double u, const double *z, double *rates);
  void (*derivatives)(const mbs_force *force, const mbs_pair *pair, double u, const double *z,
                      mbs_state_gradient *gradient);
  /* z with Z = 0 for v = 0, in whatever pose. */
  void (*rest)(const mbs_force *force, double u, double *z);
  /* A usual size of each. */
  double (*nominal)(const mbs_force *force, const mbs_scales *scales);
  /* States at the start (n) that a definition gives; NaN: those at rest. */
  const double *(*given)(const mbs_force_def *def);
  const char *not_finite; /* what it means that rates are not finite */
} mbs_force_states;

/* One row of the table of force elements: a file in mbs/model/forces/ each. Where a kind has several rows, the first
 * eight columns are read from that of the kind. */
struct mbs_force_type {
  size_t min_bodies, max_bodies;
  bool is_of_each_body;      /* one element for each body that the definition lists */
  bool has_markers;          /* uses `at` */
  bool takes_law, needs_law; /* the definition's `law` ... */
  bool law_is_elastic;       /* ... is f(s, v), not of time */
  bool is_hard;              /* a contact, stop or rope that is a constraint: see unilateral.h */
  bool slips;                /* ... and knows a slip at the point of contact */
  /* The row that a definition asks for; NULL: this one. */
  const mbs_force_type *(*choose)(const mbs_force_def *def);
  /* Its laws and rest values, where they follow from the initial configuration; NULL: they do not. */
  seam_status (*take_initial)(mbs_force *force, const mbs_force_def *def, const mbs_pair *pair, seam_error *error);
  /* z: the element's states, its modes, or the values of its laws of quantities, where it has such; else not read. */
  void (*load)(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6], mbs_power *power);
  /* Adds the loads of n elements in a row, of a type without law and states, to Q (3 (n_bodies + 1)); NULL: by load().
   */
  void (*add_loads)(const mbs_force *forces, int n, const mbs_frame *frames, double *Q, mbs_power *power);
  /* Kq = ∂Q/∂q, Kv = ∂Q/∂v. */
  void (*derivatives)(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Kq[6][6],
                      double Kv[6][6]);
  /* ∂Q/∂u of a law of quantities, with the values z of all of its laws; NULL: none acts on Q. */
  void (*push)(const mbs_force *force, const mbs_pair *pair, int component, const double *z, double push[6]);
  int n_laws;                                                        /* of quantities that it takes */
  const mbs_force_states *states;                                    /* NULL: none */
  const mbs_switches *switches;                                      /* of its modes; NULL: none */
  bool is_steady;                                                    /* Kq = 0 and Kv does not depend on the motion */
  mbs_cut_traits cut;                                                /* what crosses a cut through it */
  seam_status (*check)(const mbs_force_def *def, seam_error *error); /* of what only it takes; NULL: nothing */
  /* Returns true if it rubs with a force that is zero at rest where its bodies do not slip; NULL: it has no
   * friction. */
  bool (*rubs)(const mbs_force *force, const mbs_pair *pair);
  bool is_friction;       /* of a joint, whose name it has and whose law is that of its reaction */
  const char *not_finite; /* what it means that its load is not finite; NULL: its law is not, or its points coincide */
  /* Potential energy, J; NULL: none. */
  double (*potential)(const mbs_force *force, const mbs_pair *pair);
  /* Change of the power that is lost beside (F(s, v) - F(s, 0)) v of its measures; NULL: there is none. */
  double (*other_loss_change)(const mbs_force *force, const mbs_pair *pair, const double *z, const double dq[6],
                              const double dv[6]);
  /* Elements along measures: one to three of them. */
  int n_measures;
  void (*measure)(const mbs_force *force, const mbs_pair *pair, mbs_measure *stretch);
  void (*curvature)(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature);
};

#define MBS_FORCE_ROW(kind, name) extern const mbs_force_type mbs_force_##name;
MBS_FORCE_TABLE(MBS_FORCE_ROW)
#undef MBS_FORCE_ROW
extern const mbs_force_type mbs_port_wrench;
extern const mbs_force_type mbs_friction_torque, mbs_friction_force; /* of joints */

/* The row of a kind. */
const mbs_force_type *mbs_force_kind_row(mbs_force_kind kind);
/* m, of the places that a stretch is the difference of. */
static inline double mbs_size_of_places(const mbs_force *force, const mbs_pair *pair) {
  double size = fabs(force->radius[0]) + fabs(force->radius[1]);
  for (int side = 0; side < 2; side++)
    size = fmax(size,
                hypot(pair->frame[side]->x, pair->frame[side]->y) + hypot(pair->marker[side].x, pair->marker[side].y));
  return size;
}

static inline mbs_pair mbs_force_pair(const mbs_force *force, const mbs_frame *frames) {
  return (mbs_pair){{&frames[force->frame[0]], &frames[force->frame[1]]}, {force->marker[0], force->marker[1]}};
}

/* Returns true if a cable has a span now; z: all states of the model, or NULL: by the motion (cable.c). */
bool mbs_cable_has(const mbs_force *span, const mbs_frame *frames, const double *z);

/* Adds the load (6) of an element to the generalised forces Q of ground and bodies. */
static inline void mbs_add_load(const mbs_force *force, const double load[6], double *Q) {
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 3; i++)
      Q[3 * force->body[side] + i] += load[3 * side + i];
}

#endif
