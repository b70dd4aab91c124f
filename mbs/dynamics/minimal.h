/* Minimal coordinates z near a state: one for each degree of freedom, for the motions that the constraints admit. */
#ifndef MBS_MINIMAL_H
#define MBS_MINIMAL_H

#include "mbs/dynamics/linearised.h"

/* Displacements are δq = N z, velocities δv = N z' + Ṅ z. With additional forces δQ, z'' = K z + D z' + Nᵀ δQ. With the
 * masses M, Nᵀ M N = 1. Matrices are stored by columns. They are exact at the state; they describe a motion over time
 * only if v = 0 and a = 0 there. */
typedef struct mbs_minimal {
  const mbs_model *model;
  int n;             /* number of coordinates of all bodies, 3 n_bodies */
  int n_constrained; /* number of constraints: independent constraints of joints without prescribed accelerations,
                        active rows of contacts, and one for the rotation of each point mass */
  int f;             /* degrees of freedom, n - n_constrained */
  double *N, *Ndot;  /* (n x f) */
  double *K, *D;     /* (f x f) */
  double *factors;   /* (n x n_constrained) Householder factors of M^-1/2 Gᵀ */
  double *scales;    /* (n_constrained) scalar factors of the reflectors (tau of LAPACK) */
  double *work;      /* (n + n_constrained + m) scratch */
} mbs_minimal;

/* n_frozen: number of active rows of hard contacts. SEAM_NO_MEMORY. */
seam_status mbs_minimal_create(const mbs_model *model, int n_frozen, mbs_minimal **created, seam_error *error);
void mbs_minimal_destroy(mbs_minimal *self);

/* Fills N, Ṅ, K, D at the state of `linear`, right after mbs_linearise(). SEAM_BAD_INPUT: the body of a joint that
 * constrains velocities alone (skate) moves. SEAM_NO_MEMORY. */
seam_status mbs_minimal_compute(mbs_minimal *self, const mbs_workspace *ws, const mbs_linearised *linear,
                                seam_error *error);

#endif
