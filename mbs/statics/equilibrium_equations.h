/* The equations of equilibrium for pose and states of a mechanism together, linearised. */
#ifndef MBS_EQUILIBRIUM_EQUATIONS_H
#define MBS_EQUILIBRIUM_EQUATIONS_H

#include "mbs/dynamics/minimal.h"
#include "solvers/pseudoinverse.h"

/* The equations r = 0, F = 0 for free motions δq = N ζ (N and, as z, ζ: minimal.h) and states z of the model. r = Nᵀ M
 * a, with the accelerations a of the mechanism when it is released from rest. F are the rates of z; for a sampled
 * variable F = (f - z)/T, with its next value f and its period T. Matrices are stored by columns. */
typedef struct mbs_equilibrium_equations {
  mbs_workspace *ws;
  const mbs_model *model;
  mbs_linearised *linear;
  mbs_minimal *minimal;
  int f, n_z, n; /* numbers of free motions, of states (without the time of the last sample), and their sum */
  double *R;     /* (n) r, F */
  double *J, *D; /* J: (n x n) derivatives of (r, F) by (ζ, z); D: (n x f) by ζ' */
  double *V;     /* (n_z x f) F_v N, F_v = ∂F/∂v at constant a: changes of z while the mechanism moves along N */
  double *size;  /* (n) sums of the absolute terms of r and F ... */
  double *reach; /* ... and of F if other states are as large as their own equations allow; 0 for r */
  double *rows;  /* (n x n) matrix of a step: rows of r, independent combinations of F, n_kept combinations of z */
  int n_kept;    /* number of combinations of z that F does not determine: only F_v changes them, along the motion */
  double *combination; /* (n_z x n_z) factors of the rows of F, or of z, in each combination, by columns */
  double *length;      /* (f) mbs_move_length() of each motion in N */

  /* Scratch. */
  seam_pseudoinverse of_rates;
  double *dq, *still, *a, *lambda, *dz, *changes;
} mbs_equilibrium_equations;

/* Free with mbs_equilibrium_equations_free(), also after a failure. SEAM_NO_MEMORY. */
seam_status mbs_equilibrium_equations_create(mbs_equilibrium_equations *self, mbs_workspace *ws, seam_error *error);
void mbs_equilibrium_equations_free(mbs_equilibrium_equations *self);

/* Evaluates *state by mbs_accelerate_from_rest(), which writes a, lambda and the states of force elements into it, and
 * linearises the equations there. Fails as mbs_accelerate() and mbs_minimal_compute(). */
seam_status mbs_equilibrium_equations_take(mbs_equilibrium_equations *self, mbs_state *state, seam_error *error);
/* Fills R for *state, right after mbs_accelerate_from_rest() of it; uses N of the last linearisation. */
void mbs_equilibrium_residual(mbs_equilibrium_equations *self, const mbs_state *state);
/* Fills right (n) with the right-hand side of a step: R, in the combinations of `rows`; 0 for the n_kept combinations
 * of z. */
void mbs_equilibrium_right_side(const mbs_equilibrium_equations *self, double *right);

/* Corrects dz (n_z), the change of states in a move dq (3n) from the state of the linearisation, so that the n_kept
 * combinations of z change by F_v dq alone. */
void mbs_equilibrium_keep(mbs_equilibrium_equations *self, const double *dq, double *dz);

/* Fills dq (3n) with the move N ζ of a step (ζ, δz). */
void mbs_equilibrium_displacement(const mbs_equilibrium_equations *self, const double *step, double *dq);

#endif
