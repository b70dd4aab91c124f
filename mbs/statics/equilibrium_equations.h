/* Equations of a mechanism at rest for its pose and its states together, linearised. */
#ifndef MBS_EQUILIBRIUM_EQUATIONS_H
#define MBS_EQUILIBRIUM_EQUATIONS_H

#include "mbs/dynamics/minimal.h"
#include "solvers/pseudoinverse.h"

/* The equations r = 0, F = 0 for free motions δq = N ζ and states z: r = Nᵀ M a, and F are the rates of z, of sampled
 * variables (f - z)/T. Matrices column by column. */
typedef struct mbs_equilibrium_equations {
  mbs_workspace *ws;
  const mbs_model *model;
  mbs_linearised *linear;
  mbs_minimal *minimal;
  int f, n_z, n;       /* free motions; states without the time of the last sample; both */
  double *R;           /* (n) r, F */
  double *J, *D;       /* (n x n) their derivatives by (ζ, z), (n x f) by ζ' */
  double *V;           /* (n_z x f) derivatives of F by rates alone, along N, with constant a */
  double *size;        /* (n) sizes of their terms ... */
  double *reach;       /* ... and of the terms of F if states are as large as their own equations allow; 0 for r */
  double *rows;        /* (n x n) matrix of a step: rows of r, independent combinations of F, kept combinations of z */
  int n_kept;          /* number of kept combinations */
  double *combination; /* (n_z x n_z) weights of the rows of F, or of z, in each combination, column by column */
  double *length;      /* (f) of the motions in N: m over the mechanism's size, or rad */

  /* Scratch. */
  seam_pseudoinverse of_rates;
  double *dq, *still, *a, *lambda, *dz, *changes;
} mbs_equilibrium_equations;

/* Free with mbs_equilibrium_equations_free(), also after a failure. SEAM_NO_MEMORY. */
seam_status mbs_equilibrium_equations_create(mbs_equilibrium_equations *self, mbs_workspace *ws, seam_error *error);
void mbs_equilibrium_equations_free(mbs_equilibrium_equations *self);

/* Linearises the equations at *state, whose a, lambda and states of force elements become those at rest. Errors of
 * mbs_accelerate() and mbs_minimal_compute(). */
seam_status mbs_equilibrium_equations_take(mbs_equilibrium_equations *self, mbs_state *state, seam_error *error);
/* Fills R, right after mbs_accelerate_from_rest() of this state; N stays. */
void mbs_equilibrium_residual(mbs_equilibrium_equations *self, const mbs_state *state);
/* Fills right (n) with R, in the combinations of a step. */
void mbs_equilibrium_right_side(const mbs_equilibrium_equations *self, double *right);

/* Corrects dz (n_z) for a move dq (3n) from the state of the equations: kept combinations of z change by the rates
 * along this move. */
void mbs_equilibrium_keep(mbs_equilibrium_equations *self, const double *dq, double *dz);

/* Fills dq (3n) of a step (n). */
void mbs_equilibrium_displacement(const mbs_equilibrium_equations *self, const double *step, double *dq);

#endif
