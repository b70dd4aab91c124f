/* Equations of equilibrium for the pose and the states z of a mechanism together, and their solution. Mechanisms with
 * laws of quantities, variables or skates (constraints on velocities alone) need them. */
#ifndef MBS_EQUILIBRIUM_WITH_STATES_H
#define MBS_EQUILIBRIUM_WITH_STATES_H

#include "mbs/dynamics/minimal.h"
#include "solvers/pseudoinverse.h"

/* The equations r = 0, F = 0 for the minimal coordinates ζ, with δq = N δζ (minimal.h calls them z), and for the states
 * z of the model. r = Nᵀ M a, with the accelerations a of the mechanism when it is released from rest. F are the rates
 * of z; a sampled variable has F = (f - z)/T, with the next value f and the period T. Matrices are in columns. */
typedef struct mbs_equilibrium_equations {
  mbs_workspace *ws;
  const mbs_model *model;
  mbs_linearised *linear;
  mbs_minimal *minimal;
  int f, n_z, n; /* degrees of freedom; number of states, without the time of the last sample; their sum */
  double *R;     /* (n) r, then F */
  double *J, *D; /* derivatives of (r, F): J (n x n) by (ζ, z), D (n x f) by ζ' */
  double *V;     /* (n_z x f) F_v N, F_v = ∂F/∂v at constant a: changes of z in displacements by the columns of N */
  double *size;  /* (n) sum of the absolute values of the terms of each equation in r and F, for round-off */
  double *rows;  /* (n x n) matrix of a step: rows of r, then of independent combinations of F, then of
                    n_undetermined combinations of z */
  int n_undetermined;  /* number of combinations of z that F = 0 does not determine; only F_v changes them */
  double *combination; /* (n_z x n_z) column l: coefficients of combination l, of rows of F and of entries of z */
  double *length;      /* (f) mbs_displacement_length() of each column of N */

  /* Scratch. */
  seam_pseudoinverse of_rates;
  double *dq, *zeros, *a, *lambda, *dz, *changes;
} mbs_equilibrium_equations;

/* Call mbs_equilibrium_equations_free() even after a failure. SEAM_NO_MEMORY. */
seam_status mbs_equilibrium_equations_create(mbs_equilibrium_equations *self, mbs_workspace *ws, seam_error *error);
void mbs_equilibrium_equations_free(mbs_equilibrium_equations *self);

/* Evaluates *state by mbs_accelerate_from_rest(), which writes a, lambda and the states of force elements into it. Then
 * linearises the equations there. Fails with the errors of mbs_accelerate() and mbs_minimal_compute(). */
seam_status mbs_equilibrium_equations_linearise(mbs_equilibrium_equations *self, mbs_state *state, seam_error *error);
/* Fills self->R for *state, with N of the last linearisation. Call it right after mbs_accelerate_from_rest() for
 * *state. */
void mbs_equilibrium_residual(mbs_equilibrium_equations *self, const mbs_state *state);
/* Fills self->dq with the displacement N δζ of a step (δζ, δz). Returns its mbs_displacement_length(). */
double mbs_equilibrium_displacement(mbs_equilibrium_equations *self, const double *step);

/* Finds q and z, with a and lambda, at which accelerations and rates of variables are zero; *state must satisfy g = 0
 * on entry. weight (3 + 3n): weights of mbs_close_loops_in(), which restores g = 0 after each step. The report receives
 * the numbers of steps, of neutral motions, and of combinations of variables that F = 0 does not determine. neutral
 * (n_bodies, may be NULL): true for bodies that take part in neutral motions. SEAM_NOT_CONVERGED names a variable that
 * drifts, or a body that forces accelerate. SEAM_NO_MEMORY. */
seam_status mbs_find_equilibrium_with_states(mbs_workspace *ws, const double *weight, mbs_state *state,
                                             mbs_equilibrium *report, bool *neutral, seam_error *error);

/* Returns the reason why a search ended at *state without an equilibrium, for a message: `cause` if aᵀ M a fell below
 * half of `drive`, its first value. Otherwise stiff elements make steps short or, without them, nothing resists the
 * motion. */
const char *mbs_reason_of_failure(const mbs_model *model, const mbs_state *state, double drive, const char *cause);

/* Returns SEAM_NOT_CONVERGED. The message has `cause`, the body that forces accelerate most, and an element whose
 * friction may keep the mechanism at rest, if there is one. */
seam_status mbs_no_equilibrium(mbs_workspace *ws, const mbs_state *state, const char *cause, seam_error *error);

#endif
