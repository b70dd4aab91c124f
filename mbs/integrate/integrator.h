/* The integrator of a mechanism, for other folders of Seam: extra states, restarts for short runs, listeners. */
#ifndef MBS_INTEGRATOR_H
#define MBS_INTEGRATOR_H

#include <stdbool.h>

#include "mbs/model/workspace.h"
#include "solvers/stepper.h"

/* Extra states r, such as quadratures and sensitivities, are integrated together with a model: r' = rates(t, state, r).
 * Their errors do not change step sizes. */
typedef struct mbs_extra_states {
  size_t n; /* largest number of extra states; a restart may take fewer */
  /* Fills dr (n) with the rates of r (n). Called right after mbs_accelerate(): the workspace has the frames, G and
   * factors of `now`, which has a and lambda. */
  seam_status (*rates)(void *context, mbs_workspace *ws, const mbs_state *now, size_t n, const double *r, double *dr,
                       seam_error *error);
  void *context;
} mbs_extra_states;

/* Works like mbs_integrator_create(), with extra states (NULL: none). Explicit one-step methods and cvode integrate
 * them, without hard contacts; else SEAM_BAD_INPUT. With cvode they must be quadratures: `rates` must not read r. */
seam_status mbs_integrator_create_with(const mbs_model *model, const mbs_integrator_options *options,
                                       const mbs_extra_states *extra, mbs_integrator **integrator, seam_error *error);

/* SEAM_BAD_INPUT: an option has an invalid value, or two options exclude each other. */
seam_status mbs_integrator_options_check(const mbs_integrator_options *options, seam_error *error);

/* Starts at *state with the first n extra states, whose values are r (NULL: zeros). One-step methods take the first
 * step size from *memory, or find one if all its fields are zero. SEAM_BAD_INPUT: n is too large. */
seam_status mbs_integrator_restart(mbs_integrator *self, const mbs_state *state, size_t n, const double *r,
                                   const seam_step_memory *memory, seam_error *error);

/* Restarts without extra states at the time of the last restart, from a slightly different state. Steps up to `end`
 * repeat the step lengths after that restart, without error tests. Returns false, without a restart, if
 * seam_integrator_repeat() is not possible, there is a kink up to `end`, the mechanism has modes or hard contacts, or
 * the method integrates the stabilised index-2 form. */
bool mbs_integrator_repeat(mbs_integrator *self, const mbs_state *state, double end);

/* A state and its known rates. Evaluations of the right-hand side at this state copy them. The caller keeps `state`
 * (NULL: none) and `rates` valid until its next call of mbs_integrator_set_evaluated_state(). */
typedef struct mbs_evaluated_state {
  const mbs_state *state;
  const double *rates; /* (n_states + n_work) mbs_rates() at the state */
  bool in_workspace;   /* the state is the last one evaluated in the workspace */
} mbs_evaluated_state;

void mbs_integrator_set_evaluated_state(mbs_integrator *self, const mbs_evaluated_state *evaluated);

/* Returns true for ida and cvode. */
bool mbs_is_multistep(const char *method);

double mbs_integrator_rtol(const mbs_integrator *self);

/* Integrates to t, at most the stop time (SEAM_BAD_INPUT). Writes *state at t, without a and lambda unless `evaluate`
 * is true, and the present extra states to r (may be NULL). */
seam_status mbs_integrator_reach(mbs_integrator *self, double t, mbs_state *state, double *r, bool evaluate,
                                 seam_error *error);

/* A smooth piece of the motion: a step, or an extrapolation through a singular configuration. `to` is just before a
 * kink, sample or switch that ends the piece. */
typedef struct mbs_step_piece {
  double from, to;  /* s */
  bool is_at_start; /* `from` is the start, or just after a kink, sample or switch, where motion and inputs may have
                       jumped */
} mbs_step_piece;

/* Calls hear() once for each smooth piece, in ascending order, before the motion after it is computed. hear() may call
 * mbs_integrator_reach() for times in the piece, both ends included. Its error ends mbs_integrator_advance(). */
void mbs_integrator_set_step_listener(mbs_integrator *self,
                                      seam_status (*hear)(void *context, const mbs_step_piece *piece,
                                                          seam_error *error),
                                      void *context);

/* Returns the first kink or corner of watched functions (mbs/output/readout.h) between two times in the last step,
 * where the motion itself is smooth; infinite times: there is none. If `before` <= from, `from` is at this kink. */
seam_kink mbs_integrator_watched_kink(mbs_integrator *self, double from, double to);

/* Begins the interval in which laws of time are smooth, from t to the next kink, as starts and restarts do. */
void mbs_integrator_begin_smooth(mbs_integrator *self, double t);

/* Returns the time of the last kink passed; NaN: none. */
double mbs_integrator_last_kink(const mbs_integrator *self);
/* Returns the time of the last switch (a change of mode, or a corner) since the last start or restart; NaN: none. */
double mbs_integrator_last_switch(const mbs_integrator *self);
/* Writes the state just before each later kink, at which velocities and work may jump, into *before (NULL: nowhere). */
void mbs_integrator_store_before_kinks(mbs_integrator *self, mbs_state *before);

seam_step_memory mbs_integrator_step_memory(const mbs_integrator *self);

mbs_workspace *mbs_integrator_workspace(mbs_integrator *self);

#endif
