/* Hard contacts: unilateral constraints with Coulomb's set-valued friction. With the gap g of a contact, its rate
 * u_N = N v and the slip u_T = T v at the point of contact,
 *
 *   g >= 0,  λ_N >= 0,  g λ_N = 0                          and        -λ_T in μ λ_N Sgn(u_T)
 *   M a + Gᵀ λ = Q + Σ (Nᵀ λ_N + Tᵀ λ_T),   G a = γ
 *
 * What each contact does at present is its mode, which is constant between switches (mbs/model/switches.h). */
#ifndef MBS_UNILATERAL_H
#define MBS_UNILATERAL_H

#include <math.h>
#include <stdbool.h>

#include "base/largest.h"
#include "mbs/model/cable.h"
#include "mbs/model/workspace.h"
#include "mbs/thresholds.h"
#include "solvers/lcp.h"

/* Modes of a hard contact, after MBS_BY_MOTION. Those from MBS_HARD_SMOOTH on are closed. */
enum {
  MBS_HARD_OPEN = 1,
  MBS_HARD_RIDES,           /* open, but touching: what closes others keeps it there */
  MBS_HARD_SMOOTH,          /* closed, without friction of its own */
  MBS_HARD_STICKS,          /* closed, u_T = 0 */
  MBS_HARD_FORWARDS,        /* closed, u_T > 0 */
  MBS_HARD_BACKWARDS,       /* closed, u_T < 0 */
  MBS_HARD_LIMIT_FORWARDS,  /* closed, with the friction of a motion forwards, but others keep u_T = 0 */
  MBS_HARD_LIMIT_BACKWARDS, /* the same backwards */
  MBS_HARD_MODES
};

/* Entries of a contact in z, all held: its mode, the time at which bounces end that were taken together, the way at
 * which it sticks (mbs_contact_way()); then its
 * record: impacts so far, times of the first and of the last one, sums of their normal and tangential impulses and of
 * the energies that they took, and of that what bounces took that were taken together. */
enum {
  MBS_HARD_MODE,
  MBS_HARD_SETTLES,
  MBS_HARD_HELD,
  MBS_HARD_COUNT,
  MBS_HARD_FIRST,
  MBS_HARD_LATEST,
  MBS_HARD_NORMAL,
  MBS_HARD_TANGENTIAL,
  MBS_HARD_LOSS,
  MBS_HARD_TAKEN,
  MBS_HARD_STATES,
  MBS_HARD_RECORDS = MBS_HARD_STATES - MBS_HARD_COUNT
};
#define MBS_HARD_NEVER (-1.0)

/* Returns the mode of a contact with these entries, which a method may have rounded. */
static inline double mbs_hard_mode_in(const double *z) { return (double)(int)(z[MBS_HARD_MODE] + 0.5); }
static inline bool mbs_hard_is_closed(double mode) { return mode >= MBS_HARD_SMOOTH; }
/* Returns the direction of slip in a mode, which friction opposes; 0: none. */
static inline int mbs_hard_direction(double mode) {
  const bool forwards = mode == MBS_HARD_FORWARDS || mode == MBS_HARD_LIMIT_FORWARDS;
  const bool backwards = mode == MBS_HARD_BACKWARDS || mode == MBS_HARD_LIMIT_BACKWARDS;
  return forwards - backwards;
}

/* A contact at the poses and rates at hand; rows and second rates N a + convection[0], T a + convection[1]. */
typedef struct mbs_contact_kinematics {
  double gap, rate, slip;
  double row[2][6], convection[2];
  double drive;   /* of its rate: of a law of time alone */
  double size[2]; /* of the terms whose sums the convections are */
  double slip_by_q[6];
} mbs_contact_kinematics;

/* Effect of an impact on a contact: impulses on the second body, along the rows of a touch, and the energy lost. */
typedef struct mbs_impact_result {
  double normal, tangential; /* N s */
  double loss;               /* J */
} mbs_impact_result;

/* Contacts that may press, as one problem of complementarity: rates N and T of each are A f + b, f = (λ_N, λ_T). */
typedef struct mbs_frictional {
  int n;
  int *contact;     /* (n) */
  double *A;        /* (2n x 2n) */
  double *b;        /* (2n) */
  double *mu;       /* (n) */
  double *grip;     /* (n) friction that is there without λ_N */
  int *direction;   /* (n) of a slip that is known; 0: it is to be found */
  double *f, *rate; /* (2n) the solution */
  double *mode;     /* (n) that it means */
} mbs_frictional;

/* Friction of a joint in an impact: its coordinate's row and rate before, and its impulse along it. */
typedef struct mbs_friction_impulse {
  double row[6], before, impulse;
} mbs_friction_impulse;

/* Unknown forces of what touches, see hyperstatic.c: n of up to 2n numbers, as in mbs_unilateral.held. */
typedef struct mbs_hyperstatic {
  int n, n_free;
  int *number, *direction; /* (n) direction: of the slip that its friction opposes; 0: none */
  double *null;            /* X (n x n), first a matrix, then the combinations without effect (n x n_free) */
  double *bound;           /* P X (bounds x n_free) row by row */
  double *scale, *eigenvalue, *before, *f; /* (n) */
} mbs_hyperstatic;

/* Part of a workspace: all that hard contacts need; n of them, m constraints, r joints with friction. */
typedef struct mbs_unilateral {
  int n;
  mbs_contact_kinematics *touch; /* (n) */
  double (*part)[6];             /* (n_parts) what continues the first row of hard cables, element by element */
  double *z;                     /* (n_states) of the present evaluation: modes of their discs ... */
  double t;                      /* ... and where it takes laws of time ... */
  bool is_frozen;                /* ... which stand still */
  double *mode;                  /* (n) of the present evaluation, never free */
  double *held_at;               /* (n) ways at which those that stick do; NaN: not known */
  double *kept;                  /* (n) modes before, see mbs_keep_modes() */
  double *force;                 /* (2n) λ_N, λ_T */
  bool *has_ended; /* (n) a mode that its force ends: closed with λ_N = 0, or sticking with |λ_T| = μ λ_N */
  /* Rows that hold at present, normals first. */
  int n_held;
  int *held;                           /* (2n) 2 contact, + 1 for the tangential row */
  double *of_a, *of_lambda;            /* (2n x 3 bodies, 2n x m) what a unit of each force does */
  double *matrix, *right, *a, *lambda; /* (2n x 2n, 2n, 3 bodies, m) */
  double *a_free, *v;                  /* (3 bodies) accelerations by the joints alone; velocities before an impact */
  int *pivot, *order;                  /* (2n) */
  double *before;                      /* (2n) rates before an impact: N, T */
  double *rate;                        /* (2n) the same with what friction of joints does */
  mbs_friction_impulse *rub;           /* (r) in the order of the joints */
  double *rub_by_rub, *rub_by_contact; /* (r x r, r x 2n) rates of coordinates by impulses */
  double *rub_lambda;                  /* (r x m) impulses of joints by those of friction */
  double *restitution;                 /* (n) of the contacts of the present impact */
  bool *ended_normal;                  /* (n) of a mode that has ended: its normal force */
  bool *returns;                       /* (n) open contacts that have come to zero and part */
  bool *stops;                         /* (n) whose slip has come to zero */
  bool is_switching;                   /* steps may end beyond an impact, switches do not */
  bool is_due;                         /* contacts are to change their modes */
  bool drifts;                         /* steps do not end on the constraints to rounding */
  bool *settles;                       /* (n) contacts whose bounces have become too short */
  bool *ends_soon;                     /* (n) of these: so soon that it is restitution */
  double still;                        /* m/s: rates that are smaller are none */
  double *impulse;                     /* (2n) */
  mbs_impact_result *blow;             /* (n) of the last switch; zero: none */
  mbs_frictional problem;
  mbs_hyperstatic hyperstatic;
  seam_lcp *lcp;
  double *lcp_matrix, *lcp_right; /* (4n x 4n, 4n) */
  int *lcp_first;                 /* (n) */
} mbs_unilateral;

/* Contact, stop or rope. */
static inline const char *mbs_hard_noun(const mbs_force *force) { return mbs_force_kind_text(force->kind); }

/* The bodies and numbers (6 each) of a row of a contact: of one element, or of each of a hard cable. */
typedef struct mbs_row_part {
  const int *body;
  const double *row;
} mbs_row_part;

static inline const mbs_force *mbs_hard_force(const mbs_workspace *ws, int contact) {
  return &ws->model->forces[ws->model->hard[contact]];
}

/* Parts of the normal (0) or tangential (1) row of a contact. */
static inline int mbs_n_row_parts(const mbs_force *force, int number) {
  return force->cable != NULL && number == 0 ? force->cable->n_spans : 1;
}
/* row: the numbers of its first part, which no factor takes from others. */
static inline mbs_row_part mbs_row_part_of(const mbs_unilateral *self, const mbs_force *force, const double row[6],
                                           int part) {
  return (mbs_row_part){force[part].body, part == 0 ? row : self->part[force[part].hard]};
}

/* Contacts that are closer touch; m. */
static inline double mbs_contact_kinematics_distance(const mbs_workspace *ws) {
  return mbs_touching * fmax(1, ws->model->size);
}
/* Rates that are smaller are none; m/s. */
static inline double mbs_contact_kinematics_rate(const mbs_workspace *ws, const double *v) {
  return mbs_still * fmax(1, largest_size(v, 3 * (size_t)ws->model->n_bodies));
}

/* NULL for n = 0. SEAM_NO_MEMORY. */
seam_status mbs_unilateral_create(const mbs_model *model, mbs_unilateral **created, seam_error *error);
void mbs_unilateral_destroy(mbs_unilateral *self);

#endif
