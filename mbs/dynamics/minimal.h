/* Minimal coordinates of free motions near a state. */
#ifndef MBS_MINIMAL_H
#define MBS_MINIMAL_H

#include "mbs/dynamics/linearised.h"

/* δq = N z, δv = N z' + Ṅ z and, under forces δQ besides those of the model, z'' = K z + D z' + Nᵀ δQ.
 * Matrices column by column. N is orthonormal in the norm of the masses: Nᵀ M N = 1. The equations are exact at that
 * state. As a linear system they keep its coefficients, which are constant only if v = 0 and a = 0. */
typedef struct mbs_minimal {
  const mbs_model *model;
  int n;             /* coordinates of all bodies, 3 n_bodies */
  int n_constrained; /* constrained rows: joints' (independent, no prescribed accelerations), contacts', rotations of
                        point masses */
  int f;             /* degrees of freedom, n - n_constrained */
  double *N, *Ndot;  /* (n x f) */
  double *K, *D;     /* (f x f) */
  double *factors;   /* (n x n_constrained) Householder factors of M^-1/2 Gᵀ */
  double *scales;    /* (n_constrained) LAPACK's tau */
  double *work;      /* (n + n_constrained + m) */
} mbs_minimal;

/* n_frozen: rows of hard contacts that hold. SEAM_NO_MEMORY. */
seam_status mbs_minimal_create(const mbs_model *model, int n_frozen, mbs_minimal **created, seam_error *error);
void mbs_minimal_destroy(mbs_minimal *self);

/* Fills N, Ṅ, K, D at the state of `linear`, right after mbs_linearise(). SEAM_BAD_INPUT: a skate moves.
 * SEAM_NO_MEMORY. */
seam_status mbs_minimal_compute(mbs_minimal *self, const mbs_workspace *ws, const mbs_linearised *linear,
                                seam_error *error);

#endif
