/* Stiffness of a mechanism at rest against free motions: K of mbs/dynamics/minimal.h at v = 0, without the dense N. */
#ifndef MBS_STIFFNESS_H
#define MBS_STIFFNESS_H

#include "mbs/model/workspace.h"

typedef struct mbs_stiffness mbs_stiffness;

/* Keeps and uses ws. SEAM_NO_MEMORY. */
seam_status mbs_stiffness_create(mbs_workspace *ws, mbs_stiffness **created, seam_error *error);
void mbs_stiffness_destroy(mbs_stiffness *self);

/* Returns the degrees of freedom. */
int mbs_stiffness_order(const mbs_stiffness *self);

/* Finds K at *at_rest, right after mbs_accelerate_from_rest(ws, at_rest), and eigenvalues of its symmetric part, with N
 * orthonormal in the norm of the masses: all of a small mechanism; of a large one approximations from inside the
 * spectrum, near its ends and near zero. SEAM_NO_MEMORY, SEAM_NOT_CONVERGED. */
seam_status mbs_stiffness_take(mbs_stiffness *self, const mbs_state *at_rest, seam_error *error);

/* Return the largest eigenvalue, and the size up to which an eigenvalue is zero except for rounding. */
double mbs_stiffness_growth(const mbs_stiffness *self);
double mbs_stiffness_neutral(const mbs_stiffness *self);
/* Fills u (3n) with the motion that grows most, of length 1 in the norm of the masses. */
void mbs_stiffness_growing(const mbs_stiffness *self, double *u);

/* u (3n) = N (σ - K)⁻¹ Nᵀ Q for forces Q (3n). SEAM_SINGULAR, SEAM_NO_MEMORY. */
seam_status mbs_stiffness_solve(mbs_stiffness *self, double sigma, const double *forces, double *u);

/* Finds all motions whose eigenvalue is zero; mbs_stiffness_next_neutral() then writes the next one after *place, 0 at
 * first; false: there is none. Errors as above. */
seam_status mbs_stiffness_find_neutral(mbs_stiffness *self, seam_error *error);
bool mbs_stiffness_next_neutral(const mbs_stiffness *self, int *place, double *u);

#endif
