/* Stiffness of a mechanism at rest against the motions that its joints leave free: K of mbs/dynamics/minimal.h where v
 * = 0, without the dense basis N of these motions. */
#ifndef MBS_STIFFNESS_H
#define MBS_STIFFNESS_H

#include "mbs/model/workspace.h"

typedef struct mbs_stiffness mbs_stiffness;

/* Uses the workspace as long as it lives. SEAM_NO_MEMORY. */
seam_status mbs_stiffness_create(mbs_workspace *ws, mbs_stiffness **created, seam_error *error);
void mbs_stiffness_destroy(mbs_stiffness *self);

/* Degrees of freedom. */
int mbs_stiffness_order(const mbs_stiffness *self);

/* Takes K at *rest, right after mbs_accelerate_held(ws, rest), and eigenvalues of its symmetric part, N being
 * orthonormal in the norm of the masses. A small mechanism has all of them; a large one has approximations from inside
 * the spectrum, near its ends and near zero. SEAM_NO_MEMORY, SEAM_NOT_CONVERGED. */
seam_status mbs_stiffness_take(mbs_stiffness *self, const mbs_state *rest, seam_error *error);

/* The largest eigenvalue, and the size up to which one is zero but for rounding. */
double mbs_stiffness_growth(const mbs_stiffness *self);
double mbs_stiffness_neutral(const mbs_stiffness *self);
/* u (3n): the motion that grows most, in the norm of the masses 1. */
void mbs_stiffness_growing(const mbs_stiffness *self, double *u);

/* u (3n) = N (σ - K)⁻¹ Nᵀ Q for forces Q (3n). SEAM_SINGULAR, SEAM_NO_MEMORY. */
seam_status mbs_stiffness_solve(mbs_stiffness *self, double sigma, const double *forces, double *u);

/* Looks for all motions whose eigenvalue is zero; mbs_stiffness_next_neutral() then writes the next one after *place,
 * which is 0 at first, until there is none. Errors as above. */
seam_status mbs_stiffness_find_neutral(mbs_stiffness *self, seam_error *error);
bool mbs_stiffness_next_neutral(const mbs_stiffness *self, int *place, double *u);

#endif
