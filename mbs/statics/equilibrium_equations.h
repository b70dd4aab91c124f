/* The linearised equations of equilibrium for the pose and the states z of a mechanism together. */
#ifndef MBS_EQUILIBRIUM_EQUATIONS_H
#define MBS_EQUILIBRIUM_EQUATIONS_H

#include "mbs/dynamics/minimal.h"
#include "solvers/pseudoinverse.h"

/* The equations r = 0, F = 0 for the minimal coordinates ζ, with δq = N ζ (minimal.h calls them z), and for the states
 * z of the model. r = Nᵀ M a, with the accelerations a of the mechanism when it is released from rest. F are the rates
 * of z; for a sampled variable F = (f - z)/T, with next value f and period T. Matrices are stored by columns. */
typedef struct mbs_equilibrium_equations {
  mbs_workspace *ws;
  const mbs_model *model;
  mbs_linearised *linear;
  mbs_minimal *minimal;
  int f, n_z, n; /* degrees of freedom, number of states (without the time of the last sample), and the sum of both */
  double *R;     /* (n) r, then F */
  double *J, *D; /* derivatives of (r, F): J (n x n) by (ζ, z), D (n x f) by ζ' */
  double *V;     /* (n_z x f) F_v N, F_v = ∂F/∂v at constant a: changes of z in displacements by the columns of N */
  double *size;  /* (n) sum of the absolute values of the terms of each equation in r and F */
  double *other_terms; /* (n) for F: further terms by other states, see equilibrium_equations.c; 0 for r */
  double *rows; /* (n x n) matrix of a step: rows of r, then of independent combinations of F, then of n_undetermined
                   combinations of z */
  int n_undetermined;  /* number of combinations of z that F = 0 does not determine; only F_v changes them */
  double *combination; /* (n_z x n_z) column l: coefficients of combination l; the same coefficients combine rows of F
                          and entries of z */
  double *length;      /* (f) mbs_displacement_length() of each column of N */

  /* Scratch. */
  seam_pseudoinverse of_rates;
  double *dq, *zeros, *a, *lambda, *dz, *changes;
} mbs_equilibrium_equations;

/* Call mbs_equilibrium_equations_free() even after a failure. SEAM_NO_MEMORY. */
seam_status mbs_equilibrium_equations_create(mbs_equilibrium_equations *self, mbs_workspace *ws, seam_error *error);
void mbs_equilibrium_equations_free(mbs_equilibrium_equations *self);

/* Evaluates *state by mbs_accelerate_from_rest(), which writes a, lambda and the states of force elements into *state.
 * Then linearises the equations there. Fails with the errors of mbs_accelerate() and mbs_minimal_compute(). */
seam_status mbs_equilibrium_equations_linearise(mbs_equilibrium_equations *self, mbs_state *state, seam_error *error);
/* Fills self->R for *state, with N of the last linearisation. Call it right after mbs_accelerate_from_rest() for
 * *state. */
void mbs_equilibrium_residual(mbs_equilibrium_equations *self, const mbs_state *state);
/* Fills right (n) with the right-hand side of a step: the combinations of self->R that belong to self->rows, and 0 for
 * the n_undetermined combinations of z. */
void mbs_equilibrium_right_side(const mbs_equilibrium_equations *self, double *right);

/* Corrects dz (n_z), the change of states in a displacement dq (3n) from the state of the linearisation. Afterwards the
 * n_undetermined combinations of dz equal the same combinations of F_v dq. */
void mbs_equilibrium_correct_states(mbs_equilibrium_equations *self, const double *dq, double *dz);

/* Fills dq (3n) with the displacement N ζ of a step (ζ, δz). */
void mbs_equilibrium_displacement(const mbs_equilibrium_equations *self, const double *step, double *dq);

#endif
