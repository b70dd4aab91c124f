/* Hard contacts: unilateral constraints with Coulomb's set-valued friction. A contact has a gap g with the rate u_N =
 * N v, a slip u_T = T v at the point of contact, and a coefficient μ. Sgn(u) is the sign of u, or [-1, 1] for u = 0:
 *
 *   g >= 0,  λ_N >= 0,  g λ_N = 0                          and        -λ_T in μ λ_N Sgn(u_T)
 *   M a + Gᵀ λ = Q + Σ (Nᵀ λ_N + Tᵀ λ_T),   G a = γ
 *
 * M are the masses, a the accelerations, Q all other forces, λ the multipliers of the joints' constraints G a = γ. The
 * mode of a contact says which of these cases holds; it is constant between switches (mbs/contact/switches.h). */
#ifndef MBS_UNILATERAL_H
#define MBS_UNILATERAL_H

#include <math.h>
#include <stdbool.h>

#include "mbs/model/cable.h"
#include "mbs/model/workspace.h"
#include "mbs/thresholds.h"
#include "solvers/lcp.h"

/* Modes of a hard contact, in addition to MBS_BY_MOTION (0). All modes from MBS_HARD_SMOOTH on are closed. */
enum {
  MBS_HARD_OPEN = 1,
  MBS_HARD_UNLOADED,        /* touches with λ_N = 0: other contacts, which are closed, make its gap zero */
  MBS_HARD_SMOOTH,          /* closed, λ_T = 0 */
  MBS_HARD_STICKS,          /* closed, u_T = 0 */
  MBS_HARD_FORWARDS,        /* closed, u_T > 0 */
  MBS_HARD_BACKWARDS,       /* closed, u_T < 0 */
  MBS_HARD_LIMIT_FORWARDS,  /* closed, λ_T = -μ λ_N as for u_T > 0, but other contacts make u_T zero */
  MBS_HARD_LIMIT_BACKWARDS, /* closed, λ_T = μ λ_N as for u_T < 0, but other contacts make u_T zero */
};

/* Entries of a contact in z, constant between switches. The entries after MBS_HARD_STUCK_AT describe past impacts. */
enum {
  MBS_HARD_MODE,
  MBS_HARD_MERGED_UNTIL, /* s, time at which the merged bounces would end; MBS_HARD_NEVER: no bounces are merged */
  MBS_HARD_STUCK_AT,     /* tangential position at which the contact sticks: mbs_contact_tangential_position() */
  MBS_HARD_COUNT,        /* number of impacts */
  MBS_HARD_FIRST,        /* s, time of the first impact */
  MBS_HARD_LATEST,       /* s, time of the last impact */
  MBS_HARD_NORMAL,       /* sum of normal impulses */
  MBS_HARD_TANGENTIAL,   /* sum of tangential impulses */
  MBS_HARD_LOSS,         /* J, sum of energy losses */
  MBS_HARD_MERGED_LOSS,  /* J, energy lost because bounces were merged */
  MBS_HARD_STATES,
  MBS_HARD_RECORDS = MBS_HARD_STATES - MBS_HARD_COUNT
};
#define MBS_HARD_NEVER (-1.0)

/* Returns the mode of a contact in the states z of a model, rounded to an integer. A two-sided contact is always
 * MBS_HARD_SMOOTH. */
static inline double mbs_hard_mode_in(const mbs_force *force, const double *z) {
  return mbs_is_two_sided(force) ? MBS_HARD_SMOOTH : (double)(int)(z[force->state + MBS_HARD_MODE] + 0.5);
}
static inline bool mbs_hard_is_closed(double mode) { return mode >= MBS_HARD_SMOOTH; }
/* Returns 1 for a mode with the friction of sliding forwards, -1 for backwards, 0 for all other modes. */
static inline int mbs_hard_direction(double mode) {
  const bool forwards = mode == MBS_HARD_FORWARDS || mode == MBS_HARD_LIMIT_FORWARDS;
  const bool backwards = mode == MBS_HARD_BACKWARDS || mode == MBS_HARD_LIMIT_BACKWARDS;
  return forwards - backwards;
}

/* Kinematics of a contact at the present poses and velocities: gap, its rate, and slip. The second rates are row[i] a +
 * convection[i], normal for i = 0 and tangential for i = 1. */
typedef struct mbs_contact_kinematics {
  double gap, rate, slip;
  double row[2][6], convection[2];
  double drive;   /* part of the rate that a law of time causes */
  double size[2]; /* size of the terms of each convection, for its round-off */
  double slip_by_q[6];
} mbs_contact_kinematics;

/* Effect of an impact on a contact: impulses on the second body along the contact's rows N and T, and the energy
 * lost. */
typedef struct mbs_impact_result {
  double normal, tangential; /* N s */
  double loss;               /* J */
} mbs_impact_result;

/* Complementarity problem of n contacts that may press (mbs/dynamics/contact_rows.c). f has (λ_N, λ_T) of each
 * contact; the rates along N and T are A f + b. */
typedef struct mbs_frictional {
  int n;
  int *contact;            /* (n) numbers of hard contacts */
  double *A;               /* (2n x 2n) */
  double *b;               /* (2n) */
  double *mu;              /* (n) */
  double *friction_offset; /* (n) part of the friction limit that does not depend on λ_N */
  int *direction;          /* (n) known direction of slip; 0: to be found */
  bool *two_sided;         /* (n) λ_N has either sign, and the rate along N is zero */
  double *reduced;         /* (2n x (2n + 1)) A and b after elimination of the two-sided contacts */
  double *f, *rate;        /* (2n) forces and rates of the solution */
  double *mode;            /* (n) modes of the contacts in the solution */
} mbs_frictional;

/* Friction of a joint in an impact: J of the joint's coordinate (row), its rate before the impact, and the impulse of
 * friction along it. */
typedef struct mbs_friction_impulse {
  double row[6], before, impulse;
} mbs_friction_impulse;

/* Undetermined contact forces: problem and scratch of mbs/dynamics/hyperstatic.c, for n forces. */
typedef struct mbs_hyperstatic {
  int n, n_free;
  int *number, *direction; /* (n) row number as in mbs_unilateral.active; direction of slip, 0: no slip */
  double *null;            /* first the Gram matrix (n x n), then its null space X (n x n_free) */
  double *bound;           /* (bounds x n_free) P X row by row, with the bounds P f >= 0 of the forces f */
  double *scale, *eigenvalue, *before, *f; /* (n) scaling and eigenvalues; forces before and after the reduction */
} mbs_hyperstatic;

/* Part of a workspace for n hard contacts, b bodies, m constraints and r joints with friction. */
typedef struct mbs_unilateral {
  int n;
  mbs_contact_kinematics *kinematics; /* (n) */
  double (*segment)[6];               /* (n_segments) entries of hard cables' normal rows for spans after the first */
  double *z;           /* (n_states) states of the present evaluation, with the modes of the cables' discs */
  double t;            /* s, time at which the laws for the free lengths of hard cables are evaluated */
  bool is_frozen;      /* true: the free lengths of hard cables count as constant */
  double *mode;        /* (n) modes in the present evaluation, never MBS_BY_MOTION */
  double *stuck_at;    /* (n) tangential positions at which contacts stick; NaN: not known */
  double *stored_mode; /* (n) modes of the previous pass of find_modes() in dynamics.c */
  double *force;       /* (2n) λ_N, λ_T */
  bool *has_ended; /* (n) the contact's force has ended its mode: λ_N has fallen to 0, or |λ_T| of a sticking contact
                      has reached μ λ_N */
  /* Active rows: normals of closed contacts, then tangents of sticking contacts. */
  int n_active;
  int *active;                          /* (2n) row numbers: 2 contact for the normal, + 1 for the tangent */
  double *of_a, *of_lambda;             /* (2n x 3b, 2n x m) a and λ per unit of each contact force */
  double *matrix, *right, *a, *lambda;  /* (2n x 2n, 2n, 3b, m) D of contact_rows.c or its factors; scratch */
  double *a_free, *v;                   /* (3b) accelerations without contact forces; velocities before an impact */
  int *pivot, *order;                   /* (2n) */
  double *before;                       /* (2n) rates along N and T before an impact */
  double *rate;                         /* (2n) `before` plus the changes by impulses of joint friction */
  mbs_friction_impulse *joint_friction; /* (r) joints with friction, in the order of their numbers */
  double *friction_by_friction;         /* (r x r) effects of friction impulses on rates of joints' coordinates */
  double *friction_by_contact;          /* (r x 2n) effects of contact impulses on these rates */
  double *friction_lambda;              /* (r x m) impulses of constraints per impulse of friction */
  double *restitution;                  /* (n) coefficients of restitution in the present impact */
  bool *ended_normal;                   /* (n) if has_ended: true if λ_N has ended the mode, false if λ_T has */
  bool *returns;                        /* (n) open contacts whose gap has come to zero */
  bool *stops;                          /* (n) contacts whose slip has come to zero */
  bool is_switching; /* set by callers of mbs_switch_contacts() around the call: a step may have ended just after an
                        impact, so projection also removes overlaps of open contacts */
  bool is_due;       /* a mode has ended: mbs_switch_contacts() must be called */
  bool drifts;       /* steps leave constraints violated by more than round-off */
  bool *merges;      /* (n) contacts whose bounces are merged, as they are too short to resolve */
  bool *ends_soon;   /* (n) the merged bounces end so soon that MBS_HARD_MERGED_LOSS leaves out their losses */
  double zero_rate;  /* m/s, smaller gap rates and slips count as zero */
  double *impulse;   /* (2n) */
  mbs_impact_result *impact; /* (n) impacts in the last switch of modes; zeros: no impact */
  mbs_frictional problem;
  mbs_hyperstatic hyperstatic;
  seam_lcp *lcp;
  double *lcp_matrix, *lcp_right; /* (4n x 4n, 4n) */
  int *lcp_first;                 /* (n) */
} mbs_unilateral;

/* Returns the noun for messages: contact, stop, rope or cable. */
static inline const char *mbs_hard_noun(const mbs_force *force) { return mbs_force_kind_text(force->kind); }

/* Segment of a contact's row N or T: the two bodies of one element and the six entries for them. The normal row of a
 * hard cable has a segment for each span, other rows have one segment. */
typedef struct mbs_row_segment {
  const int *body;
  const double *row;
} mbs_row_segment;

static inline const mbs_force *mbs_hard_force(const mbs_workspace *ws, int contact) {
  return &ws->model->forces[ws->model->hard[contact]];
}

/* Returns the number of segments of the normal row (number 0) or the tangential row (1) of a contact. */
static inline int mbs_n_row_segments(const mbs_force *force, int number) {
  return force->cable != NULL && number == 0 ? force->cable->n_spans : 1;
}
/* Returns segment number `segment` of a row. `row`: entries of the first segment; the caller may have scaled them if
 * there is only one segment. */
static inline mbs_row_segment mbs_row_segment_of(const mbs_unilateral *self, const mbs_force *force,
                                                 const double row[6], int segment) {
  return (mbs_row_segment){force[segment].body, segment == 0 ? row : self->segment[force[segment].hard]};
}

/* Returns the gap of a hard contact at time t, m or rad; *rate: its rate. z: all states of the model. */
double mbs_gap_at(const mbs_force *force, const mbs_frame *frames, const double *z, double t, double *rate);

/* Returns the factor that makes a contact's gap a length: the scale of length for an angle stop, else 1. */
static inline double mbs_contact_unit(const mbs_workspace *ws, int contact) {
  return mbs_is_angle_stop(mbs_hard_force(ws, contact)) ? ws->model->scales.length : 1;
}
/* Returns the size with which a contact's gap is compared: that of the mechanism, m, or 1 rad for an angle stop. */
static inline double mbs_size_of_gap(const mbs_workspace *ws, int contact) {
  return mbs_is_angle_stop(mbs_hard_force(ws, contact)) ? 1 : ws->model->size;
}
/* Returns the gap below which a contact touches, m or rad. */
static inline double mbs_contact_kinematics_distance(const mbs_workspace *ws, int contact) {
  const mbs_force *force = mbs_hard_force(ws, contact);
  const mbs_pair pair = mbs_force_pair(force, ws->frames);
  const mbs_scales *scales = &ws->model->scales;
  const double of_positions =
      mbs_is_angle_stop(force) ? 0 : mbs_difference_rounding * mbs_size_of_positions(force, &pair);
  const double of_time = mbs_roundings_of_time * fabs(ws->unilateral->t) * scales->speed;
  const double touching = mbs_touching * fmax(scales->length, ws->model->size);
  return fmax(touching, fmax(of_positions, of_time)) / mbs_contact_unit(ws, contact);
}
/* Returns true if a contact touches or overlaps. At the time of a switch, the projection of other contacts may leave an
 * overlap larger than the distance above. */
static inline bool mbs_contact_touches(const mbs_workspace *ws, int contact) {
  return ws->unilateral->kinematics[contact].gap <= mbs_contact_kinematics_distance(ws, contact);
}
/* Returns the rate, m/s, below which gap rates and slips count as zero, for velocities v (3n). */
static inline double mbs_contact_kinematics_rate(const mbs_workspace *ws, const double *v) {
  return mbs_zero_rate * mbs_largest_motion(ws->model, v, ws->model->scales.speed);
}
/* Returns ws->unilateral->zero_rate in the unit of one contact's gap rate, m/s or rad/s. */
static inline double mbs_contact_zero_rate(const mbs_workspace *ws, int contact) {
  return ws->unilateral->zero_rate / mbs_contact_unit(ws, contact);
}

#endif
