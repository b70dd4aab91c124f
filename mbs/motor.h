/* Motions that follow quantities: s = f(x) (<seam/equations.h>). f, its rate and its second rate are responses
 * (mbs/law.h) made by a chain (mbs/chain.h); f and f' are found with the constraints, f'' is a response like those of
 * laws, in γ where laws are in Q:
 *
 *   g = s - f     G v = f'     G a = γ° + f''
 *
 * The force of the motion acts along ∂s/∂q alone. Where f or f' reads bodies, what a correction x = -W Gᵀ S⁻¹ r of
 * their coordinates or rates changes in f is given to the motion as well: with A = W Gᵀ S⁻¹ e, what a change of f does,
 *
 *   x + A δ,   (1 - f_x A) δ = f_x x. */
#ifndef MBS_MOTOR_H
#define MBS_MOTOR_H

#include "mbs/workspace.h"

/* After measures and equations of variables: makes the levels of all motions. As mbs_chain_create(). */
seam_status mbs_motors_make(mbs_model *model, seam_error *error);
/* With the columns of all responses. */
void mbs_motors_finish(mbs_model *model);
void mbs_motor_release(mbs_motor *motor);

/* Whether places of motions at rest follow those of bodies. SEAM_BAD_INPUT: beside samples; SEAM_NO_MEMORY. */
seam_status mbs_motors_check_rest(const mbs_model *model, bool *follow, seam_error *error);

/* Scratch. *created stays NULL where there is no motion of this kind. SEAM_NO_MEMORY. */
seam_status mbs_motors_at_create(const mbs_model *model, struct mbs_motors_at **created, seam_error *error);
void mbs_motors_at_destroy(struct mbs_motors_at *self);

/* What the functions below do where there are such motions. */
void mbs_motors_copy(mbs_workspace *ws, const double *z);
void mbs_motors_find(mbs_workspace *ws, double law_time);
void mbs_motors_find_rates(mbs_workspace *ws, const double *v);
void mbs_motors_keep(mbs_workspace *ws);
void mbs_motors_set_frozen(mbs_workspace *ws, bool is_frozen);

/* The states z (n_states) that f and f' are found with from now on. */
static inline void mbs_motors_take(mbs_workspace *ws, const double *z) {
  if (ws->motors != NULL)
    mbs_motors_copy(ws, z);
}
/* f and f' at a time of laws, with the frames at hand. */
static inline void mbs_stage_motors(mbs_workspace *ws, double law_time) {
  if (ws->motors != NULL)
    mbs_motors_find(ws, law_time);
}
/* The same of f' alone, for rates v (3n) of the bodies, where it reads any. */
static inline void mbs_stage_motor_rates(mbs_workspace *ws, const double *v) {
  if (ws->motors != NULL)
    mbs_motors_find_rates(ws, v);
}
/* f, f' and what of f'' is known before the forces. */
seam_jet mbs_motor_jet(const mbs_workspace *ws, const mbs_joint *joint);
/* After all of γ is there: f'' that follows from the forces comes on top. */
static inline void mbs_motors_begin(mbs_workspace *ws) {
  if (ws->motors != NULL)
    mbs_motors_keep(ws);
}
/* γ with that f'' of the responses. */
void mbs_motors_accelerate(mbs_workspace *ws);
/* Laws are frozen: no motion moves. */
static inline void mbs_motors_freeze(mbs_workspace *ws, bool is_frozen) {
  if (ws->motors != NULL)
    mbs_motors_set_frozen(ws, is_frozen);
}
bool mbs_motors_are_frozen(const mbs_workspace *ws);

/* x (3n), a change of coordinates (level 0) or rates (1) that meets G x = -r, becomes one that meets it with what f or
 * f' reads; the factors are those of S = G W Gᵀ. */
void mbs_motors_correct(mbs_workspace *ws, const double *weight, int level, double *x);
/* Derivative of f (level 0) or f' (1) along a direction, with frames at hand. */
double mbs_motor_change(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                        int level);
/* The same at the state that was staged last. */
double mbs_motor_change_at_hand(const mbs_workspace *ws, const mbs_direction *along, int number, int level);
/* Derivatives of f (level 0) or f' (1) by its columns. */
void mbs_motor_gradient(mbs_workspace *ws, int number, int level, double *gradient);
/* A = W Gᵀ S⁻¹ e (3n) of a motion, with the factors at hand; lambda (m) is scratch. */
void mbs_motor_effect(mbs_workspace *ws, const double *weight, int number, double *lambda, double *A);
/* What a change of f'' by 1 does to a (3n) and lambda (m), with the factors of S = G M⁻¹ Gᵀ. */
void mbs_motor_influence(mbs_workspace *ws, int number, double *a, double *lambda);

/* A kink in time at which f jumps: no motion can follow it. SEAM_CONSTRAINT_LOST. */
seam_status mbs_motors_check_kink(mbs_workspace *ws, const seam_kink *kink, const mbs_state *state, seam_error *error);

#endif
