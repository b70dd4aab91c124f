/* Responses are laws of force elements that are functions of quantities, and equations of variables. Late responses
 * read accelerations a or multipliers λ, early ones do not (mbs/model/laws.h). The workspace must have the frames. */
#ifndef MBS_RESPONSES_H
#define MBS_RESPONSES_H

#include "mbs/model/workspace.h"

/* Evaluates early responses. */
void mbs_stage_laws(mbs_workspace *ws, const mbs_state *state);
/* Evaluates early and late responses, with a and lambda of the state. */
void mbs_respond(mbs_workspace *ws, const mbs_state *state);
/* Finds the values that sampled variables would have after a sample in this state. */
void mbs_respond_sampled(mbs_workspace *ws, const mbs_state *state);
/* Copies the rates of continuous variables from the responses to ws->z_rates. */
void mbs_stage_variables(mbs_workspace *ws);

/* Returns the derivative of response `number` by entry `column` of (q, v, z, a, λ). */
double mbs_response_slope(mbs_workspace *ws, const mbs_state *state, int number, int column);
/* Fills gradient (n_columns of the response) with the derivatives of response `number` by the entries that it reads. */
void mbs_response_gradient(mbs_workspace *ws, const mbs_state *state, int number, double *gradient);
/* Fills `changes` (responses) with the changes of all responses, to first order, by a change `inputs` (n_ports) of the
 * port inputs of a subsystem. q, v, z, a and λ do not change. */
void mbs_respond_to_inputs(mbs_workspace *ws, const mbs_state *state, const double *inputs, double *changes);

/* Fills unit_load with ∂Q/∂u at states z: the load on the two bodies of element k (from 0) of law `number` per unit of
 * the law's value u. unit_load is zero if the law changes the element's states instead. */
void mbs_law_unit_load(const mbs_workspace *ws, const double *z, int number, int k, double unit_load[6]);
/* Fills a (3n) and lambda (m) with ∂a/∂u and ∂λ/∂u for the value u of a late law, which loads one element only. The
 * workspace must have the factors of S. */
void mbs_influence(mbs_workspace *ws, const double *z, int number, double *a, double *lambda);
/* Finds the values of late laws together with a and lambda, by Newton's method. SEAM_SINGULAR: they are not unique. */
seam_status mbs_close_loop(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* Fails with SEAM_NOT_FINITE; the message names the law, force element or joint that is not finite, if one is found. */
seam_status mbs_not_finite(mbs_workspace *ws, double t, const double *z, seam_error *error);

/* ---- Sampled variables, constant between multiples of their sampling periods ---- */

/* Returns the time of the first sample after t; INFINITY: there is no such sample. */
double mbs_next_sample(const mbs_model *model, double t);
/* Returns true if a sample of a variable is due in the state. */
bool mbs_is_sample_due(const mbs_model *model, const mbs_state *state);
/* Returns true if a sampled variable reads accelerations or reactions: in a subsystem it has feedthrough. */
bool mbs_samples_read_forces(const mbs_model *model);
/* Updates the sampled variables whose sample is due at state->t, unless they have been updated already. The state must
 * be the last one evaluated in the workspace. SEAM_NOT_FINITE. */
seam_status mbs_store_samples(mbs_workspace *ws, mbs_state *state, seam_error *error);
/* Fills sampled variables, modes and records of impacts of `between`, a state at a time between *from and *to. A
 * sampled variable has its value in *from until its first sample after from->t, then its value in *to. Modes become
 * MBS_BY_MOTION (to be found); records of impacts are copied from *from. */
void mbs_copy_constant_states(const mbs_model *model, const mbs_state *from, const mbs_state *to, mbs_state *between);

/* In events.c: checks the values (n) to which `variables` (n) are to be set at t. SEAM_BAD_INPUT: a variable is not an
 * input, or a value is not finite. */
seam_status mbs_check_inputs(const mbs_model *model, const size_t *variables, const double *values, size_t n, double t,
                             seam_error *error);

#endif
