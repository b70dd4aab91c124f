/* The equations of motion of a state: accelerations and multipliers, and projection onto the constraints. */
#ifndef MBS_DYNAMICS_H
#define MBS_DYNAMICS_H

#include "mbs/stages/stages.h"

/* All stages: as mbs_evaluate(), but multipliers of redundant constraints are zero. */
seam_status mbs_accelerate(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* The same with the modes of hard contacts found anew, whatever the state says. */
seam_status mbs_accelerate_again(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Finds a and lambda of the constrained mechanism; kinematics, factors and forces are at hand. */
void mbs_solve_multipliers(mbs_workspace *ws, double *a, double *lambda);
/* Finds the change of a (3n) and lambda (m) by a load (6) of an element, without hard contacts; factors are at hand. */
void mbs_load_influence(mbs_workspace *ws, const mbs_force *force, const double load[6], double *a, double *lambda);

/* As mbs_evaluate() right after mbs_project() of this state: its poses and factors are there, the latter so near that
 * one correction takes what they are off by. */
seam_status mbs_evaluate_projected(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Powers (n_work) after an evaluation: dissipated, driven in, those of the ports. */
void mbs_powers(const mbs_workspace *ws, double *power);

/* Rates (n_states + n_work) of z and work, in the order of a state. */
void mbs_rates(const mbs_workspace *ws, double *rates);

/* Accelerations of the mechanism released from rest, with time-dependent laws frozen at state->t, variables as they are
 * and z of force elements at rest. */
seam_status mbs_accelerate_held(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Least changes, in the norm of the masses, that meet g = 0 for q (3n) and then G v = 0 for v (3n), to rounding.
 * SEAM_SINGULAR, SEAM_CONSTRAINT_LOST. */
seam_status mbs_project(mbs_workspace *ws, double t, double *q, double *v, seam_error *error);
/* Projects a start that deviates a little, by up to 1e-6 of the largest coordinate and rate; SEAM_BAD_INPUT: it
 * deviates more. What meets the constraints already keeps its bits. */
seam_status mbs_make_consistent(mbs_workspace *ws, double t, double *q, double *v, seam_error *error);
/* The same at the end of a step whose last stage was the last evaluation: starts from its factors. */
seam_status mbs_project_step(mbs_workspace *ws, double t, double *q, double *v, bool *of_rounding, seam_error *error);
/* SHAKE: corrects q (3n), v (3n) at the end of a step of length h from (t, q0, v0) by forces of constraints along
 * G(q0): q += h δ, v += δ with g = 0 for q, as near as one factorisation takes it. SEAM_SINGULAR. */
seam_status mbs_shake(mbs_workspace *ws, double t, double h, const double *q0, const double *v0, double *q, double *v,
                      seam_error *error);

/* SEAM_NOT_FINITE, naming the force element that is not, if one is. */
seam_status mbs_not_finite(mbs_workspace *ws, double t, const double *z, seam_error *error);

/* SEAM_SINGULAR with the names that belong to scalar constraint `row`. */
seam_status mbs_singular(const mbs_model *model, double t, int row, seam_error *error);
/* The same on the way: SEAM_BECAME_SINGULAR. */
seam_status mbs_became_singular(const mbs_model *model, double t, int row, seam_error *error);

#endif
