/* The equations of motion linearised about a state:
 *
 *   M δa + Gᵀ δλ = K δq + D δv + Q_z δz + Q_u δu + δQ,   G δa = Γ δq + γ_v δv + δγ,
 *   δz' = Z_q δq + Z_v δv + Z_z δz + Z_u δu,             δu = u_q δq + u_v δv + u_z δz + u_a δa + u_λ δλ
 *
 * Here u are the laws that depend on quantities; z contains states of force elements and variables; Z are their rates
 * (law.c). Γ is explained in linearised.c. */
#ifndef MBS_LINEARISED_H
#define MBS_LINEARISED_H

#include "mbs/model/workspace.h"

/* Derivatives of the load Q (6) of one force element by poses and rates of both bodies: its part of K and D. */
typedef struct mbs_gradient {
  double K[6][6], D[6][6];
} mbs_gradient;

/* Coefficients of one scalar constraint, for the two bodies of its joint. */
typedef struct mbs_row {
  double G[6], Jdot[6];
  double gamma_q[6]; /* Γ = ∂γ/∂q - ∂(G a)/∂q */
  double gamma_v[6]; /* ∂γ/∂v: -2 J̇ of a relative coordinate */
} mbs_row;

/* Active row (contact_rows.h) of a hard contact whose mode is constant, with its two bodies. The row of a hard cable
 * has several segments, each with two bodies. */
typedef struct mbs_frozen_row {
  const int *body;
  bool continues; /* a further segment of the row before */
  mbs_row row;
} mbs_frozen_row;

/* Laws and rates of variables, linearised. */
typedef struct mbs_linearised_laws {
  double **slope;    /* (responses) derivatives of each response by the entries of x that it reads; one block */
  double (*push)[6]; /* (n_pushes) Q_u on each element that a law loads; zero if the law acts on the element's states */
  double *change;    /* (responses) δu */
  const double *given; /* (responses) changes in addition to those by x = (q, v, z, a, λ); NULL: none */
  double *a, *lambda;  /* (3n x n_loop), (m x n_loop) ∂a/∂u, ∂λ/∂u of the laws that read a or λ; one block */
  double *matrix;      /* (n_loop x n_loop) factors of 1 - u_a ∂a/∂u - u_λ ∂λ/∂u */
  int *pivot;
} mbs_linearised_laws;

typedef struct mbs_linearised {
  const mbs_model *model;
  mbs_gradient *forces;       /* (n_forces) */
  mbs_state_gradient *states; /* (n_stateful) force elements with states */
  double (*joints)[6][6];     /* (n_joints) part of K of each joint: ∂(-Gᵀ λ)/∂q */
  mbs_row *rows;              /* (m) */
  mbs_frozen_row *frozen;     /* (n_frozen) rows of hard contacts: normals of closed, tangents of sticking ones */
  int n_frozen;               /* at most 2 n_hard + n_segments */
  mbs_linearised_laws laws;
} mbs_linearised;

/* SEAM_NO_MEMORY; SEAM_BAD_INPUT if the model has hard contacts. */
seam_status mbs_linearised_create(const mbs_model *model, mbs_linearised **created, seam_error *error);
/* Works like mbs_linearised_create(), for a model that may have hard contacts. The contacts keep the modes that they
 * have in the workspace at the call of mbs_linearise(). At this call bodies must be at rest, and no contact may
 * slide. */
seam_status mbs_linearised_create_frozen(const mbs_model *model, mbs_linearised **created, seam_error *error);
void mbs_linearised_destroy(mbs_linearised *self);

/* Linearises at *now. Call it right after mbs_accelerate(ws, now), because it uses the frames in ws, and lambda and a
 * of *now. */
void mbs_linearise(mbs_linearised *self, mbs_workspace *ws, const mbs_state *now);

static inline const mbs_gradient *mbs_linearised_force(const mbs_linearised *self, int i) { return &self->forces[i]; }

/* Adds K dq + D dv + Q_u (u_q dq + u_v dv) to dQ (3n), and Γ dq + γ_v dv to dgamma (m), for dq and dv (3n each; NULL:
 * zero). u are the laws that read neither a nor λ. */
void mbs_linearised_load(const mbs_linearised *self, const double *dq, const double *dv, double *dQ, double *dgamma);

/* Finds right-hand sides for the rate of a solution. The system M x + Gᵀ λ = Q, G x = γ has the derivative in time
 *
 *   M x' + Gᵀ λ' = Q' - Ġᵀ λ,   G x' = γ' - Ġ x
 *
 * Subtracts Ġᵀ λ from dQ (3n) and Ġ x from dgamma (m), for x (3n) and lambda (m). The rows of Ġ are Jdot. */
void mbs_linearised_turn(const mbs_linearised *self, const double *x, const double *lambda, double *dQ, double *dgamma);

/* Fills dz_rates (n_states) with Z_q dq + Z_v dv + Z_z dz + Z_u du along a direction. Its parts q and v must not be
 * NULL; other parts may be NULL, for zero. */
void mbs_linearised_rates(const mbs_linearised *self, const mbs_direction *along, double *dz_rates);

/* Solves for δa, δλ with δq = dq, δv = dv (3n each), δz = dz (n_states); NULL is zero. da (3n) holds δQ on entry and δa
 * on return; dlambda (m) holds δγ on entry and δλ on return, zero for redundant constraints. The workspace must have
 * the factors of mbs_accelerate() at the state of the linearisation. */
void mbs_linearised_solve(const mbs_linearised *self, mbs_workspace *ws, const double *dq, const double *dv,
                          const double *dz, double *da, double *dlambda);

/* ---- Hard contacts: linearised_contacts.c ---- */

void mbs_linearise_contacts(mbs_linearised *self, const mbs_workspace *ws, const mbs_state *now);
/* Adds the effect of the contact forces' changes to da (3n) and dlambda (m), which were found without contacts. */
void mbs_linearised_contacts_close(const mbs_linearised *self, mbs_workspace *ws, const double *dq, const double *dv,
                                   double *da, double *dlambda);
/* Fails with SEAM_BAD_INPUT, and names the contact, if one slides at *now or is closed while bodies move; ws must have
 * the modes. */
seam_status mbs_refuse_sliding(const mbs_workspace *ws, const mbs_state *now, seam_error *error);

/* ---- Laws: linearised_laws.c ---- */

bool mbs_linearised_laws_create(mbs_linearised_laws *self, const mbs_model *model);
void mbs_linearised_laws_destroy(mbs_linearised_laws *self);
void mbs_linearise_laws(mbs_linearised_laws *self, mbs_workspace *ws, const mbs_state *now);
/* Fills self->change along a direction, whose parts may be NULL: zero. */
void mbs_linearised_laws_change(const mbs_linearised_laws *self, const mbs_model *model, const mbs_direction *along);
/* Adds Q_u δu of the laws that read neither a nor λ to dQ (3n), after mbs_linearised_laws_change(). */
void mbs_linearised_laws_push(const mbs_linearised_laws *self, const mbs_model *model, double *dQ);
/* Adds the effect of the laws that read a or λ to da (3n) and dlambda (m), which were found with these laws constant.
 * The other parts of the direction are in `along`. */
void mbs_linearised_laws_close(const mbs_linearised_laws *self, const mbs_model *model, const mbs_direction *along,
                               double *da, double *dlambda);

#endif
