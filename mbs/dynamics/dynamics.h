/* The equations of motion of a state: accelerations and multipliers, and projection onto the constraints. */
#ifndef MBS_DYNAMICS_H
#define MBS_DYNAMICS_H

#include "mbs/stages/stages.h"

/* As mbs_evaluate(), but multipliers of redundant constraints are zero. */
seam_status mbs_accelerate(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* The same, but modes of hard contacts are found anew in any case. */
seam_status mbs_accelerate_again(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Turns a = M⁻¹ Q (3n) into accelerations of the constrained mechanism and finds lambda (m); kinematics, factors and
 * forces are at hand. */
void mbs_solve_multipliers(mbs_workspace *ws, double *a, double *lambda);
/* Finds the change of a (3n) and lambda (m) by a load (6) of an element, without hard contacts; factors are at hand. */
void mbs_load_influence(mbs_workspace *ws, const mbs_force *force, const double load[6], double *a, double *lambda);

/* Like mbs_evaluate(), right after mbs_project() of this state: keeps its poses and the factors of a nearby pose, and
 * makes up for the difference by a second solution. */
seam_status mbs_evaluate_projected(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Fills power (n_work), W, after an evaluation: dissipated, driven in, those of the ports. */
void mbs_powers(const mbs_workspace *ws, double *power);

/* Fills rates (n_states + n_work) of z and work, in the order of a state. */
void mbs_rates(const mbs_workspace *ws, double *rates);

/* Finds accelerations of the mechanism released from rest: laws of time are frozen, variables kept, and states of force
 * elements steady. */
seam_status mbs_accelerate_from_rest(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Makes the least changes, in the norm of the masses, that meet g = 0 for q (3n) and then G v = f' for v (3n), to
 * rounding. SEAM_SINGULAR, SEAM_CONSTRAINT_LOST. */
seam_status mbs_project(mbs_workspace *ws, double t, double *q, double *v, seam_error *error);
/* Projects a start that deviates by up to 1e-6 of the largest coordinate and rate; SEAM_BAD_INPUT: it deviates more. A
 * start that meets the constraints keeps its bits. */
seam_status mbs_make_consistent(mbs_workspace *ws, double t, double *q, double *v, seam_error *error);
/* As mbs_project() at the end of a step, with factors of its last evaluation if near. of_rounding: see seam_ode. */
seam_status mbs_project_step(mbs_workspace *ws, double t, double *q, double *v, bool *of_rounding, seam_error *error);
/* SHAKE: corrects the end q (3n), v (3n) of a step of length h from (t, q0, v0) by constraint forces along G(q0): v +=
 * δ, q += h δ with g = 0 for q, as near as one factorisation allows. SEAM_SINGULAR. */
seam_status mbs_shake(mbs_workspace *ws, double t, double h, const double *q0, const double *v0, double *q, double *v,
                      seam_error *error);

/* SEAM_NOT_FINITE, naming the force element or joint that is not finite, if one is. */
seam_status mbs_not_finite(mbs_workspace *ws, double t, const double *z, seam_error *error);

/* SEAM_SINGULAR, naming scalar constraint `row`. */
seam_status mbs_singular(const mbs_model *model, double t, int row, seam_error *error);
/* The same during a motion: SEAM_BECAME_SINGULAR. */
seam_status mbs_became_singular(const mbs_model *model, double t, int row, seam_error *error);

#endif
