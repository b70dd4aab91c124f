/* Stiffness of a mechanism at rest in the motions that its joints admit: the matrix K (f x f) of mbs/dynamics/minimal.h
 * at v = 0, without the dense matrix N. */
#ifndef MBS_STIFFNESS_H
#define MBS_STIFFNESS_H

#include "mbs/model/workspace.h"

typedef struct mbs_stiffness mbs_stiffness;

/* Evaluations use ws, which must outlive *created. SEAM_NO_MEMORY. */
seam_status mbs_stiffness_create(mbs_workspace *ws, mbs_stiffness **created, seam_error *error);
void mbs_stiffness_destroy(mbs_stiffness *self);

/* Returns f, the number of degrees of freedom. */
int mbs_stiffness_order(const mbs_stiffness *self);

/* Finds K at *at_rest, right after mbs_accelerate_from_rest(ws, at_rest), and eigenvalues of its symmetric part: all
 * for a small mechanism, approximations near both ends of the spectrum and near zero for a large one. SEAM_NO_MEMORY,
 * SEAM_NOT_CONVERGED. */
seam_status mbs_stiffness_compute(mbs_stiffness *self, const mbs_state *at_rest, seam_error *error);

/* Return the largest eigenvalue, 1/s², and the bound, 1/s², up to which an absolute eigenvalue counts as zero. */
double mbs_stiffness_growth(const mbs_stiffness *self);
double mbs_stiffness_neutral(const mbs_stiffness *self);
/* Fills u (3n) with the displacement that belongs to the largest eigenvalue; uᵀ M u = 1. */
void mbs_stiffness_growing(const mbs_stiffness *self, double *u);

/* Finds the displacements u (3n) = N (σ - K)⁻¹ Nᵀ Q of all bodies for forces Q (3n). SEAM_SINGULAR, SEAM_NO_MEMORY. */
seam_status mbs_stiffness_solve(mbs_stiffness *self, double sigma, const double *forces, double *u);

/* Finds all motions whose eigenvalue is zero. Each call of mbs_stiffness_next_neutral() then writes the next of them to
 * u (3n), and returns false after the last; *index is 0 before the first. SEAM_NO_MEMORY, SEAM_NOT_CONVERGED. */
seam_status mbs_stiffness_find_neutral(mbs_stiffness *self, seam_error *error);
bool mbs_stiffness_next_neutral(const mbs_stiffness *self, int *index, double *u);

#endif
