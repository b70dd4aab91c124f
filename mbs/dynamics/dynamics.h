/* The equations of motion of a state: accelerations and multipliers, and projection onto the constraints. */
#ifndef MBS_DYNAMICS_H
#define MBS_DYNAMICS_H

#include "mbs/stages/stages.h"

/* Works like mbs_evaluate(), but sets multipliers of redundant constraints to zero. */
seam_status mbs_accelerate(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Works like mbs_accelerate(), but always finds the modes of hard contacts instead of reading them from the state. */
seam_status mbs_accelerate_again(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Works like mbs_evaluate(), but uses the frames and the factors of S in the workspace. Call it right after
 * mbs_project() for this state. A second solution corrects the result if the factors are those at a nearby pose. */
seam_status mbs_evaluate_projected(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* In hyperstatic.c: replaces multipliers and forces of hard contacts in *state by those of least norm that give the
 * same accelerations, and sets state->undetermined. The state must be the last one evaluated in the workspace. */
void mbs_reduce_to_least_norm(mbs_workspace *ws, mbs_state *state);
/* In hyperstatic.c: replaces the multipliers lambda (m) by those that give the same forces with the least sum of
 * squares. The workspace must have G and the factors of S. */
void mbs_least_norm(mbs_workspace *ws, double *lambda);

/* Evaluates the state if it has sampled variables, and updates those whose sample is due (mbs_store_samples()). */
seam_status mbs_sample(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Finds the accelerations of the mechanism when it is released from rest; state->v must be zero. Laws of time and
 * variables are constant, and states of force elements are set to the values at which their rates are zero. */
seam_status mbs_accelerate_from_rest(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* ---- Projection ---- */

/* Projects q (3n) onto g = 0, then v (3n) onto G v = f', up to rounding. The changes are the least ones in the norm of
 * the masses. SEAM_SINGULAR, SEAM_CONSTRAINT_LOST. */
seam_status mbs_project(mbs_workspace *ws, double t, double *q, double *v, seam_error *error);
/* Projects an initial state whose residuals are at most 1e-6 of the largest coordinate or rate; SEAM_BAD_INPUT: they
 * are larger. Does not change a state that satisfies the constraints. */
seam_status mbs_make_consistent(mbs_workspace *ws, double t, double *q, double *v, seam_error *error);
/* Works like mbs_project() for the end of a step, with the factors of S of the last evaluation if its pose is near.
 * *of_rounding becomes true if the projection removes only rounding errors, and always in models with hard contacts. */
seam_status mbs_project_step(mbs_workspace *ws, double t, double *q, double *v, bool *of_rounding, seam_error *error);
/* SHAKE: corrects q (3n), v (3n) at the end of a step of length h from (t, q0, v0). Impulses along G(q0) give v += δ, q
 * += h δ. Then q satisfies g = 0 as accurately as Newton steps with one factorisation allow. SEAM_SINGULAR. */
seam_status mbs_shake(mbs_workspace *ws, double t, double h, const double *q0, const double *v0, double *q, double *v,
                      seam_error *error);

#endif
