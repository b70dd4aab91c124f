/* The equations of motion of a state: accelerations and multipliers, and projection onto the constraints. */
#ifndef MBS_DYNAMICS_H
#define MBS_DYNAMICS_H

#include "mbs/stages/stages.h"

/* Works like mbs_evaluate(), but multipliers of redundant constraints are zero. */
seam_status mbs_accelerate(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Works like mbs_accelerate(), but always finds the modes of hard contacts instead of reading them from the state. */
seam_status mbs_accelerate_again(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Turns a = M⁻¹ Q (3n) into accelerations of the constrained mechanism and finds lambda (m). The workspace must have
 * kinematics, constraints and factors of the state. */
void mbs_solve_multipliers(mbs_workspace *ws, double *a, double *lambda);
/* Finds the accelerations a (3n) and multipliers lambda (m) that a load (6) on the two bodies of an element causes,
 * without the effect of hard contacts. The workspace must have the factors. */
void mbs_load_influence(mbs_workspace *ws, const mbs_force *force, const double load[6], double *a, double *lambda);

/* Works like mbs_evaluate(), but must be called right after mbs_project() for this state. It uses the frames and the
 * factors of S in the workspace. The factors may be those of a nearby pose; a second solution removes the error that
 * they cause. */
seam_status mbs_evaluate_projected(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Fills power (n_work), W, after an evaluation: dissipated power, power of drives, power of each port's load. */
void mbs_powers(const mbs_workspace *ws, double *power);

/* Fills `rates` (n_states + n_work) with the rates of z and of the work, after an evaluation. */
void mbs_rates(const mbs_workspace *ws, double *rates);

/* Finds the accelerations of the mechanism when it is released from rest; state->v must be zero. Laws of time and
 * variables are constant, and states of force elements get the values at which their rates are zero. */
seam_status mbs_accelerate_from_rest(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Projects q (3n) onto g = 0 and then v (3n) onto G v = f', up to rounding, by the least changes in the norm of the
 * masses. SEAM_SINGULAR, SEAM_CONSTRAINT_LOST. */
seam_status mbs_project(mbs_workspace *ws, double t, double *q, double *v, seam_error *error);
/* Projects a start whose residuals are at most 1e-6 of the largest coordinate and rate; SEAM_BAD_INPUT: they are
 * larger. A start that satisfies the constraints is not changed in any bit. */
seam_status mbs_make_consistent(mbs_workspace *ws, double t, double *q, double *v, seam_error *error);
/* Works like mbs_project() for the end of a step: it uses the factors of the last evaluation if the pose of that
 * evaluation is close enough. of_rounding: see project_near() in seam_ode. */
seam_status mbs_project_step(mbs_workspace *ws, double t, double *q, double *v, bool *of_rounding, seam_error *error);
/* SHAKE: corrects the end q (3n), v (3n) of a step of length h from (t, q0, v0) by constraint forces along G(q0): v +=
 * δ, q += h δ, such that q satisfies g = 0 as well as one factorisation allows. SEAM_SINGULAR. */
seam_status mbs_shake(mbs_workspace *ws, double t, double h, const double *q0, const double *v0, double *q, double *v,
                      seam_error *error);

/* Fails with SEAM_NOT_FINITE; the message names the law, force element or joint that is not finite, if one is found. */
seam_status mbs_not_finite(mbs_workspace *ws, double t, const double *z, seam_error *error);

/* Fails with SEAM_SINGULAR; the message names scalar constraint `row` as dependent. */
seam_status mbs_singular(const mbs_model *model, double t, int row, seam_error *error);
/* Works like mbs_singular(), but for a motion: fails with SEAM_BECAME_SINGULAR. */
seam_status mbs_became_singular(const mbs_model *model, double t, int row, seam_error *error);

#endif
