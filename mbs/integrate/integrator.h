/* Integration of a mechanism inside Seam: with extra states, and many short runs in a row. */
#ifndef MBS_INTEGRATOR_H
#define MBS_INTEGRATOR_H

#include <stdbool.h>

#include "mbs/model/workspace.h"
#include "solvers/stepper.h"

/* Extra states, integrated with those of a model: r' = rates(t, state, r). Quadratures and sensitivities; their error
 * is not controlled. */
typedef struct mbs_extra_states {
  size_t n; /* capacity */
  /* Called right after mbs_accelerate() on the workspace: frames, G, factors, a and lambda are those of `now`. r holds
   * the n that are integrated at present. */
  seam_status (*rates)(void *context, mbs_workspace *ws, const mbs_state *now, size_t n, const double *r, double *dr,
                       seam_error *error);
  void *context;
} mbs_extra_states;

/* As mbs_integrator_create(); extra states may be NULL. SEAM_BAD_INPUT for extra states with hard contacts, or with
 * methods other than explicit one-step ones and cvode. With cvode they are quadratures: `rates` must not read r. */
seam_status mbs_integrator_create_with(const mbs_model *model, const mbs_integrator_options *options,
                                       const mbs_extra_states *extra, mbs_integrator **integrator, seam_error *error);

/* SEAM_BAD_INPUT for options that do not fit together. */
seam_status mbs_integrator_options_check(const mbs_integrator_options *options, seam_error *error);

/* Starts at *state with n extra states r and a step-size memory (zeros: none), as seam_integrator_restart().
 * mbs_integrator_start() takes all extra states, at zero. */
seam_status mbs_integrator_restart(mbs_integrator *self, const mbs_state *state, size_t n, const double *r,
                                   const seam_step_memory *memory, seam_error *error);

/* Restarts without extra states at the time of the last restart, from a state that differs little, on the way to `end`:
 * takes the same steps again, without error tests (seam_integrator_repeat()). Returns false and does nothing if the
 * last restart was elsewhere, a kink is on the way, or the mechanism has modes or the stabilised form. */
bool mbs_integrator_repeat(mbs_integrator *self, const mbs_state *state, double end);

/* A state whose rates are known: the right-hand side copies them. State and rates must outlive their use; NULL:
 * none. */
typedef struct mbs_evaluated_state {
  const mbs_state *state;
  const double *rates; /* (n_states + n_work) mbs_rates() there */
  bool in_workspace;   /* it is the last one evaluated in the workspace */
} mbs_evaluated_state;

void mbs_integrator_set_evaluated_state(mbs_integrator *self, const mbs_evaluated_state *evaluated);

/* Returns true for ida and cvode. */
bool mbs_is_multistep(const char *method);

double mbs_integrator_rtol(const mbs_integrator *self);

/* Brings *state and the extra states to time t, not beyond the stop time; with `evaluate`, a and lambda as well. */
seam_status mbs_integrator_reach(mbs_integrator *self, double t, mbs_state *state, double *r, bool evaluate,
                                 seam_error *error);

/* A smooth piece of the motion after a step. It ends left of the kink, sample or switch that ends it. */
typedef struct mbs_step_piece {
  double from, to;  /* s */
  bool is_at_start; /* of the run, or right of a kink, sample or switch: motion and inputs may have jumped */
} mbs_step_piece;

/* hear() is called once for each piece, ascending, before anything behind the piece is known; it may call
 * mbs_integrator_reach() for states in the piece, both ends included. Its error ends mbs_integrator_advance(). */
void mbs_integrator_set_step_listener(mbs_integrator *self,
                                      seam_status (*hear)(void *context, const mbs_step_piece *piece,
                                                          seam_error *error),
                                      void *context);

/* Sets the smooth interval of laws of time to that of a step that begins at t; starts and restarts do so too. */
void mbs_integrator_begin_smooth(mbs_integrator *self, double t);

/* Returns the time of the last kink passed; NaN: none. */
double mbs_integrator_last_kink(const mbs_integrator *self);
/* The same of switches, since the last start. */
double mbs_integrator_last_switch(const mbs_integrator *self);
/* Writes the state before each kink into *before: velocities and work jump if the rate of a prescribed motion jumps. */
void mbs_integrator_keep_before_kinks(mbs_integrator *self, mbs_state *before);

seam_step_memory mbs_integrator_step_memory(const mbs_integrator *self);

/* Returns the integrator's own workspace. */
mbs_workspace *mbs_integrator_workspace(mbs_integrator *self);

#endif
