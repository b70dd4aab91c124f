/* Equations of a mechanism at rest for its pose and its states together, linearised. */
#ifndef MBS_REST_EQUATIONS_H
#define MBS_REST_EQUATIONS_H

#include "mbs/dynamics/minimal.h"
#include "solvers/pseudoinverse.h"

/* The equations r = 0, F = 0 for free motions δq = N ζ and states z: r = Nᵀ M a, and F are the rates of z, of sampled
 * variables (f - z)/T. Matrices column by column. */
typedef struct mbs_rest_equations {
  mbs_workspace *ws;
  const mbs_model *model;
  mbs_linearised *linear;
  mbs_minimal *minimal;
  int f, n_z, n;  /* free motions, states but the time of the last sample, both */
  double *R;      /* (n) r, F */
  double *J, *D;  /* (n x n) their derivatives by (ζ, z), (n x f) by ζ' */
  double *V;      /* (n_z x f) of F by rates alone, along N, with a as it is */
  double *size;   /* (n) of what they are sums of, */
  double *reach;  /* (n) and what that becomes where states in F are as large as their own terms; 0 of r */
  double *rows;   /* (n x n) of a step: those of r, independent ones of F, and what z keeps */
  int n_kept;     /* of the latter */
  double *part;   /* (n_z x n_z) what each of these takes of the rows of F, or of z */
  double *length; /* (f) of the motions in N: m over the mechanism's size, or rad */

  /* Scratch. */
  seam_pseudoinverse of_rates;
  double *dq, *still, *a, *lambda, *dz, *changes;
} mbs_rest_equations;

/* Free with mbs_rest_equations_free() whatever the result. SEAM_NO_MEMORY. */
seam_status mbs_rest_equations_create(mbs_rest_equations *self, mbs_workspace *ws, seam_error *error);
void mbs_rest_equations_free(mbs_rest_equations *self);

/* Takes all of it at *state, whose a, lambda and states of force elements become those at rest. Errors of
 * mbs_accelerate(). */
seam_status mbs_rest_equations_take(mbs_rest_equations *self, mbs_state *state, seam_error *error);
/* Takes R alone, right after mbs_accelerate_held() of this state, with N as it was. */
void mbs_rest_rates(mbs_rest_equations *self, const mbs_state *state);
/* right (n): R of the rows of a step. */
void mbs_rest_right(const mbs_rest_equations *self, double *right);

/* dz (n_z) for a way dq (3n) from where it was taken: what z keeps is made what rates make of it on all of that way. */
void mbs_rest_keep(mbs_rest_equations *self, const double *dq, double *dz);

/* dq (3n) of a step (n), and the largest of its components. */
void mbs_rest_displacement(const mbs_rest_equations *self, const double *step, double *dq);
double mbs_rest_length(const mbs_rest_equations *self, const double *dq);

#endif
