/* The equations of motion (dynamics.c) linearised about a state. δ denotes small changes; δQ and δγ are given changes
 * of the right-hand sides. z contains states of force elements and variables, Z are their rates. u are the values of
 * laws that depend on quantities (responses.c). Indices denote partial derivatives. K, D and Γ: linearised.c.
 *
 *   M δa + Gᵀ δλ = K δq + D δv + Q_z δz + Q_u δu + δQ,   G δa = Γ δq + γ_v δv + δγ,
 *   δz' = Z_q δq + Z_v δv + Z_z δz + Z_u δu,             δu = u_q δq + u_v δv + u_z δz + u_a δa + u_λ δλ */
#ifndef MBS_LINEARISED_H
#define MBS_LINEARISED_H

#include "mbs/model/workspace.h"
#include "solvers/pattern.h"

/* Derivatives of the load Q (6) of one force element by the poses (K) and the velocities (D) of its two bodies. */
typedef struct mbs_gradient {
  double K[6][6], D[6][6];
} mbs_gradient;

/* Coefficients of one scalar constraint, for the two bodies of its joint. */
typedef struct mbs_row {
  double G[6], Jdot[6];
  double gamma_q[6]; /* Γ = ∂γ/∂q - ∂(G a)/∂q */
  double gamma_v[6]; /* ∂γ/∂v; -2 J̇ for a constraint on a relative coordinate */
} mbs_row;

/* Active row (contact_rows.h) of a hard contact whose mode is constant. A hard cable's row has several segments. */
typedef struct mbs_frozen_row {
  const int *body; /* the two bodies of the segment */
  bool continues;  /* true: this is a further segment of the preceding row */
  mbs_row row;
} mbs_frozen_row;

/* Laws and rates of variables, linearised. */
typedef struct mbs_linearised_laws {
  double **slope; /* (responses) derivatives of each response by the entries of x = (q, v, z, a, λ) that it reads */
  double *slopes; /* memory of all derivatives */
  double (*unit_load)[6]; /* (n_unit_loads) Q_u for each element that a law loads; zero if the law changes the element's
                        states instead */
  double *change;         /* (responses) δu */
  const double *given;    /* (responses) further changes of the responses, not caused by changes of x; NULL: zeros */
  double *a, *lambda;     /* (3n x n_loop), (m x n_loop) ∂a/∂u, ∂λ/∂u of the laws that read a or λ */
  double *matrix;         /* (n_loop x n_loop) factors of 1 - u_a ∂a/∂u - u_λ ∂λ/∂u */
  int *pivot;
} mbs_linearised_laws;

typedef struct mbs_linearised {
  const mbs_model *model;
  mbs_gradient *forces;       /* (n_forces) */
  mbs_state_gradient *states; /* (n_stateful) derivatives for the force elements with states */
  double (*joints)[6][6];     /* (n_joints) contribution of each joint to K: ∂(-Gᵀ λ)/∂q */
  mbs_row *rows;              /* (m) */
  mbs_frozen_row *frozen;     /* (n_frozen) normal rows of closed hard contacts, tangential rows of sticking ones */
  int n_frozen;               /* at most 2 n_hard + n_segments */
  mbs_linearised_laws laws;
} mbs_linearised;

/* SEAM_NO_MEMORY; SEAM_BAD_INPUT if the model has hard contacts. */
seam_status mbs_linearised_create(const mbs_model *model, mbs_linearised **created, seam_error *error);
/* Works like mbs_linearised_create(), for a model that may have hard contacts. They keep the modes that are in the
 * workspace at mbs_linearise(), which must satisfy mbs_refuse_sliding(). */
seam_status mbs_linearised_create_frozen(const mbs_model *model, mbs_linearised **created, seam_error *error);
void mbs_linearised_destroy(mbs_linearised *self);

/* Linearises at *now. Call it right after mbs_accelerate(ws, now), whose frames, lambda and a it uses. */
void mbs_linearise(mbs_linearised *self, mbs_workspace *ws, const mbs_state *now);

/* Adds K dq + D dv + Q_u (u_q dq + u_v dv) to dQ (3n), and Γ dq + γ_v dv to dgamma (m). dq, dv (3n): NULL means zero. u
 * are the values of laws that read neither a nor λ. */
void mbs_linearised_load(const mbs_linearised *self, const double *dq, const double *dv, double *dQ, double *dgamma);

/* The time derivative of M x + Gᵀ λ = Q, G x = γ is
 *
 *   M x' + Gᵀ λ' = Q' - Ġᵀ λ,   G x' = γ' - Ġ x
 *
 * Subtracts Ġᵀ λ from dQ (3n) and Ġ x from dgamma (m), for x (3n) and lambda (m). The rows of Ġ are Jdot. */
void mbs_linearised_turn(const mbs_linearised *self, const double *x, const double *lambda, double *dQ, double *dgamma);

/* Fills dz_rates (n_states) with Z_q dq + Z_v dv + Z_z dz + Z_u du along a direction. along->q and along->v must not be
 * NULL; other members may be NULL, which means zero. */
void mbs_linearised_rates(const mbs_linearised *self, const mbs_direction *along, double *dz_rates);

/* Solves for δa, δλ with δq = dq, δv = dv (3n each), δz = dz (n_states); NULL means zero. da (3n) is δQ on entry and δa
 * on return; dlambda (m) is δγ on entry and δλ on return, zero for redundant constraints. The workspace must have the
 * factors of mbs_accelerate() at the state of the linearisation. */
void mbs_linearised_solve(const mbs_linearised *self, mbs_workspace *ws, const double *dq, const double *dv,
                          const double *dz, double *da, double *dlambda);

/* Fails with SEAM_BAD_INPUT if a contact slides at *now, or is closed while bodies move. ws must have the modes. */
seam_status mbs_refuse_sliding(const mbs_workspace *ws, const mbs_state *now, seam_error *error);

/* Adds the block K of an element with two bodies to a matrix that has a row and a column for each coordinate. */
static inline void mbs_add_block(seam_pattern *s, const int body[2], int first_row, int first_column, double K[6][6]) {
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      if (mbs_has_coordinate(body, i) && mbs_has_coordinate(body, j))
        seam_pattern_add(s, first_row + mbs_coordinate(body, i), first_column + mbs_coordinate(body, j), K[i][j]);
}

#endif
