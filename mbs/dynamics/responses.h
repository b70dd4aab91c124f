/* Laws and variables in an evaluation, whose frames are in the workspace. */
#ifndef MBS_RESPONSES_H
#define MBS_RESPONSES_H

#include "mbs/model/workspace.h"

/* Responses of one phase, where what they read is in the workspace. */
void mbs_respond_at_hand(mbs_workspace *ws, const mbs_state *at, mbs_eval_phase phase);
/* Early responses. */
void mbs_stage_laws(mbs_workspace *ws, const mbs_state *state);
/* Early and late responses, with a and lambda of the state as they are. */
void mbs_respond(mbs_workspace *ws, const mbs_state *state);
/* Next values of sampled variables, likewise. */
void mbs_respond_sampled(mbs_workspace *ws, const mbs_state *state);
/* Derivatives of early and late responses along a direction, into ws->response_change; right after mbs_respond(). */
void mbs_respond_along(mbs_workspace *ws, const mbs_state *state, const mbs_direction *along);
/* Derivative of one response by one column of (q, v, z, a, λ). */
double mbs_response_slope(mbs_workspace *ws, const mbs_state *state, int number, int column);
/* Derivatives (n_columns) of one response by what it is a function of. */
void mbs_response_gradient(mbs_workspace *ws, const mbs_state *state, int number, double *gradient);
/* Derivatives (responses) of all responses along quantities (n_ports) that a part receives, the motion as it is. */
void mbs_respond_to_inputs(mbs_workspace *ws, const mbs_state *state, const double *inputs, double *changes);
/* ∂Q/∂u of a law at states z, on the k-th of its elements; zero where it acts through states. */
void mbs_law_push(const mbs_workspace *ws, const double *z, int number, int k, double push[6]);
/* ∂a/∂u (3n) and ∂λ/∂u (m) of a late law, which loads one element, with the factors at hand. */
void mbs_influence(mbs_workspace *ws, const double *z, int number, double *a, double *lambda);
/* Rates of the variables, from the responses. */
void mbs_stage_variables(mbs_workspace *ws);

/* ---- Sampled variables: samples.c ---- */

/* Sampled variables whose time has come change; those that were changed at this time already stay. SEAM_SINGULAR and
 * other errors of an evaluation, where reactions are read. */
seam_status mbs_sample(mbs_workspace *ws, mbs_state *state, seam_error *error);
/* Returns true if the time of a sampled variable has come in the state. */
bool mbs_is_sample_due(const mbs_model *model, const mbs_state *state);
/* Returns true if sampled variables read accelerations or reactions, which follow at once from what a part receives. */
bool mbs_samples_follow(const mbs_model *model);
/* Time of the first sample after t; INFINITY: none. */
double mbs_next_sample(const mbs_model *model, double t);

/* Values for variables at t: SEAM_BAD_INPUT where one is not an input, or a value is not finite. In
 * integrator_inputs.c. */
seam_status mbs_check_inputs(const mbs_model *model, const size_t *variables, const double *values, size_t n, double t,
                             seam_error *error);

/* Fills sampled variables and modes of a state between two others: variables are those of the second from their first
 * sample on, modes are free. */
void mbs_hold_states(const mbs_model *model, const mbs_state *from, const mbs_state *to, mbs_state *between);

/* Solves for late laws together with a and lambda: law.c. */
seam_status mbs_close_loop(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Names a law that is not finite; SEAM_OK: all are. */
seam_status mbs_law_not_finite(const mbs_workspace *ws, double t, seam_error *error);

#endif
