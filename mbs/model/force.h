/* A force element acts on one body or a pair of markers with generalised forces Q (6) on (x1, y1, φ1, x2, y2, φ2). */
#ifndef MBS_FORCE_H
#define MBS_FORCE_H

#include <string.h>

#include <seam/mbs.h>

#include "mbs/model/curve.h"
#include "mbs/model/kinematics.h"
#include "mbs/model/switching_modes.h"

/* Elastic law of an element along one coordinate: its force, positive when it pulls, as a function of the stretch s and
 * its rate v. The law is k s + c v, f(s, v), or the one-sided law of a strand or contact. */
typedef struct mbs_elastic_law {
  double stiffness, damping;
  seam_law nonlinear;      /* f(s, v) in place of k s + c v, if .value is not NULL */
  bool is_strand;          /* pulls with T = preload + k s + c v if T > 0 and preload + k s > 0, else its force is 0 */
  double preload;          /* N, tension of a strand at s = 0 */
  double exponent;         /* n > 0: a contact, which pushes with k δ^n (1 - c v), δ = -s, and never pulls */
  double zero;             /* stretch of zero potential: 0, or the initial stretch if F(0, 0) is not finite */
  mbs_one_sided_mode mode; /* strand, contact: F follows the law of this mode, even beyond the mode's end;
                              MBS_BY_MOTION: s and v select the mode */
} mbs_elastic_law;

static inline bool mbs_is_one_sided(const mbs_elastic_law *law) { return law->is_strand || law->exponent > 0; }

typedef struct mbs_force_type mbs_force_type;
struct mbs_cable; /* in mbs/model/cable.h */

enum { MBS_MAX_STATES = 2 };

typedef struct mbs_force {
  const mbs_force_type *type;
  mbs_force_kind kind;
  const char *name; /* owned by the model's names */
  int body[2];      /* bodies on which it acts; an element on one body has that body, then the ground */
  int frame[2];     /* frames of these bodies; a port's frame in place of a body that was cut off: see subsystem.h */
  int cut_port; /* port of the cut through this element; -1: not cut. The energies of parts leave out a cut element */
  int n_alike;  /* number of consecutive uncut elements of its type, from this one on; 1 if it is cut */
  mbs_vector marker[2]; /* positions in the frames of both bodies */
  mbs_vector axis; /* unit vector: in global axes for a spring along an axis; in the first body's axes for a consistent
                      bushing or a contact's line */
  bool body_axes;
  mbs_elastic_law elastic[3]; /* law of each coordinate */
  double rest[3];             /* value of each coordinate without load */
  seam_law load[2];           /* laws of time */
  bool starts_steady; /* states start with zero rates, since no start is given and the law depends on quantities */
  bool law_is_state_dependent; /* the load depends on laws of quantities, whose numbers are in law[] */
  int law[2];                  /* numbers of its laws of quantities (laws.h); -1: no such law */
  mbs_hydraulics hydraulics;
  double radius[2];              /* m, of a belt, contact or span of a cable */
  const struct mbs_cable *cable; /* cable of this span; the spans of a cable are consecutive elements with its name */
  int span;                      /* number of this span in the cable */
  int place[2];                  /* numbers of the points or discs of the cable at both ends of the span */
  mbs_drag drag;
  mbs_actuator actuator;
  mbs_contact contact;
  mbs_stop stop;
  mbs_curve_side curve; /* of a contact with a curve */
  int hard;       /* if is_hard: index in model->hard; later span of a hard cable: index in mbs_unilateral.segment */
  bool has_modes; /* its type has modes, and it is not cut; it then has no other states */
  int state;      /* index in the model's z of its first state or mode */
  double start[MBS_MAX_STATES]; /* initial values of its states */
} mbs_force;

/* Power that dampers dissipate, and power that loads supply, W. */
typedef struct mbs_power {
  double dissipated, driven;
} mbs_power;

/* Derivatives of an element's load Q by its states z; and derivatives of the rates Z of z by q, v, z and the value u of
 * the element's law. */
typedef struct mbs_state_gradient {
  double Qz[6][MBS_MAX_STATES];
  double Zq[MBS_MAX_STATES][6], Zv[MBS_MAX_STATES][6], Zz[MBS_MAX_STATES][MBS_MAX_STATES];
  double Zu[MBS_MAX_STATES];
} mbs_state_gradient;

/* States of a force element, z' = Z(u, q, v, z), with the value u of its law. */
typedef struct mbs_force_states {
  int n;
  const char *name[MBS_MAX_STATES];
  void (*rates)(const mbs_force *force, const mbs_pair *pair, double u, const double *z, double *rates);
  void (*derivatives)(const mbs_force *force, const mbs_pair *pair, double u, const double *z,
                      mbs_state_gradient *gradient);
  /* Finds z with Z = 0 at v = 0; this z does not depend on the pose. */
  void (*steady)(const mbs_force *force, double u, double *z);
  /* Returns a typical size of the element's states. */
  double (*nominal)(const mbs_force *force, const mbs_scales *scales);
  /* Returns the initial states (n) of a definition; NaN: steady state. */
  const double *(*given)(const mbs_force_def *def);
  /* Writes the cause of rates that are not finite, and what to do, to `why` (size bytes), for messages. */
  void (*not_finite)(const mbs_force *force, const mbs_pair *pair, const double *z, char *why, size_t size);
} mbs_force_states;

/* A type of force element: one row of the table of types, defined in a file of mbs/model/forces/. If a kind of element
 * has several types, one of these types has the name of the kind: choose(), check() and the first seven fields of that
 * type apply to all definitions of the kind. */
struct mbs_force_type {
  size_t min_bodies, max_bodies;
  bool is_of_each_body;            /* a definition becomes one element for each listed body */
  bool has_markers;                /* uses `at` */
  bool may_have_law, needs_law;    /* a definition may have a `law`; it must have one */
  bool law_is_elastic;             /* the law is f(s, v), not f(t) */
  bool is_hard;                    /* a contact, stop, rope or cable that is a constraint: see unilateral.h */
  const mbs_force_type *compliant; /* of a hard contact or a span of a hard cable: type of the same geometry that
                                      replaces it in the search for equilibria */
  bool slips;                      /* is_hard is true, and the bodies may slip at the point of contact */
  /* Returns the type for a definition if the kind has several types; NULL: the kind has only this type. */
  const mbs_force_type *(*choose)(const mbs_force_def *def);
  /* Sets laws and rest values that follow from the initial configuration; NULL: there are none. */
  seam_status (*set_initial)(mbs_force *force, const mbs_force_def *def, const mbs_pair *pair, seam_error *error);
  /* Finds Q, and adds the element's powers to `power`. z: the element's states, its modes, or the values of its laws of
   * quantities; it is not read if the element has none of these. */
  void (*load)(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Q[6], mbs_power *power);
  /* Adds to Q (3 (n_bodies + 1)) the loads of n consecutive elements that have neither laws nor states; NULL: load() is
   * used. */
  void (*add_loads)(const mbs_force *forces, int n, const mbs_frame *frames, double *Q, mbs_power *power);
  /* Finds the derivatives of the load: Kq = ∂Q/∂q, Kv = ∂Q/∂v. */
  void (*derivatives)(const mbs_force *force, const mbs_pair *pair, double t, const double *z, double Kq[6][6],
                      double Kv[6][6]);
  /* Finds unit_load = ∂Q/∂z[component]. z: values of the element's laws that depend on quantities. NULL: there are no
   * such laws. */
  void (*unit_load)(const mbs_force *force, const mbs_pair *pair, int component, const double *z, double unit_load[6]);
  int n_laws;                     /* number of laws of quantities that it may have */
  const mbs_force_states *states; /* NULL: the type has no states */
  const mbs_switches *switches;   /* switching functions of its modes; NULL: no modes */
  bool is_steady;                 /* Kq = 0, and Kv is constant */
  mbs_cut_traits cut;             /* coupling across a cut */
  seam_status (*check)(const mbs_force_def *def,
                       seam_error *error); /* checks fields that only this type uses; NULL: there is nothing to check */
  /* Returns true if friction acts in the element as soon as it slips; without slip this friction is zero. NULL: no
   * friction. */
  bool (*has_friction)(const mbs_force *force, const mbs_pair *pair);
  bool is_friction;       /* friction of a joint: the element has the joint's name, its law reads the reaction */
  const char *not_finite; /* cause of a load that is not finite, for messages; NULL: its law, or points that meet */
  /* Returns the potential energy, J; NULL: the element has none. */
  double (*potential)(const mbs_force *force, const mbs_pair *pair);
  /* An element may dissipate more power than Σ (F(s, v) - F(s, 0)) v over its coordinates. Returns the change of this
   * additional power for small changes dq and dv. NULL: there is no additional power. */
  double (*other_loss_change)(const mbs_force *force, const mbs_pair *pair, const double *z, const double dq[6],
                              const double dv[6]);
  /* For elements that act along coordinates: n_coordinates is 1 to 3. find_coordinates() finds the coordinates,
   * curvature() their curvatures. */
  int n_coordinates;
  void (*find_coordinates)(const mbs_force *force, const mbs_pair *pair, mbs_relative_coordinate *stretch);
  void (*curvature)(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature);
};

/* Fields shared by types of elements between markers of two bodies. */
#define MBS_BETWEEN_MARKERS .min_bodies = 2, .max_bodies = 2, .has_markers = true

#define MBS_FORCE_ROW(kind, name) extern const mbs_force_type mbs_force_##name;
MBS_FORCE_TABLE(MBS_FORCE_ROW)
#undef MBS_FORCE_ROW
extern const mbs_force_type mbs_port_wrench;

/* Returns the type that has the name of a kind. */
const mbs_force_type *mbs_force_kind_row(mbs_force_kind kind);

/* Returns the size, m, of the positions whose difference is the element's stretch; the round-off of the stretch is
 * proportional to it. */
static inline double mbs_size_of_positions(const mbs_force *force, const mbs_pair *pair) {
  double size = fabs(force->radius[0]) + fabs(force->radius[1]);
  for (int side = 0; side < 2; side++)
    size = fmax(size,
                hypot(pair->frame[side]->x, pair->frame[side]->y) + hypot(pair->marker[side].x, pair->marker[side].y));
  return size;
}

/* Returns true for a stop of an angle: its coordinate and gap are angles, not lengths. */
static inline bool mbs_is_angle_stop(const mbs_force *force) {
  return force->kind == MBS_STOP && force->stop.of == MBS_OF_ANGLE;
}

static inline mbs_pair mbs_force_pair(const mbs_force *force, const mbs_frame *frames) {
  return (mbs_pair){{&frames[force->frame[0]], &frames[force->frame[1]]}, {force->marker[0], force->marker[1]}};
}

/* Returns true if a span is now in the path of its cable. z: all states of the model, with the modes of discs; NULL:
 * the poses decide which discs are touched (cable.c). */
bool mbs_cable_has(const mbs_force *span, const mbs_frame *frames, const double *z);

/* Finds the load Q = (f, a × f, 0) of a force f at the first marker, with the offset a from the centre of mass. */
static inline void mbs_load_of_force(const mbs_pair *pair, mbs_vector f, double Q[6]) {
  const double torque = mbs_cross(mbs_rotate(pair->frame[0], pair->marker[0]), f);
  memcpy(Q, (double[6]){f.x, f.y, torque}, 6 * sizeof *Q);
}

/* Adds the load (6) of an element to the generalised forces Q of ground and bodies. */
static inline void mbs_add_load(const mbs_force *force, const double load[6], double *Q) {
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 3; i++)
      Q[3 * force->body[side] + i] += load[3 * side + i];
}

#endif
