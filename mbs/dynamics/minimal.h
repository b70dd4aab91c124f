/* Minimal coordinates z of the motions that the constraints leave free, near a state. */
#ifndef MBS_MINIMAL_H
#define MBS_MINIMAL_H

#include "mbs/dynamics/linearised.h"

/* δq = N z, δv = N z' + Ṅ z and, under forces δQ in addition to those of the model, z'' = K z + D z' + Nᵀ δQ. Matrices
 * are stored by columns. N is orthonormal in the norm of the masses: Nᵀ M N = 1. These linearised equations are exact
 * at the state; as a linear system with constant coefficients they describe a motion only if v = 0 and a = 0 there. */
typedef struct mbs_minimal {
  const mbs_model *model;
  int n;             /* coordinates of all bodies, 3 n_bodies */
  int n_constrained; /* number of constraints: those of joints (independent ones, no prescribed accelerations), active
                        rows of contacts, and one for the rotation of each point mass */
  int f;             /* degrees of freedom, n - n_constrained */
  double *N, *Ndot;  /* (n x f) */
  double *K, *D;     /* (f x f) */
  double *factors;   /* (n x n_constrained) Householder factors of M^-1/2 Gᵀ */
  double *scales;    /* (n_constrained) LAPACK's tau */
  double *work;      /* (n + n_constrained + m) */
} mbs_minimal;

/* n_frozen: number of active rows of hard contacts. SEAM_NO_MEMORY. */
seam_status mbs_minimal_create(const mbs_model *model, int n_frozen, mbs_minimal **created, seam_error *error);
void mbs_minimal_destroy(mbs_minimal *self);

/* Fills N, Ṅ, K, D at the state of `linear`, right after mbs_linearise(). SEAM_BAD_INPUT: a body with a skate moves.
 * SEAM_NO_MEMORY. */
seam_status mbs_minimal_compute(mbs_minimal *self, const mbs_workspace *ws, const mbs_linearised *linear,
                                seam_error *error);

#endif
