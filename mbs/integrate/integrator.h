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

/* As mbs_integrator_create(); extra states may be NULL. SEAM_BAD_INPUT for extra states with methods other than
 * explicit one-step ones and cvode. With cvode they are quadratures: `rates` must not read r. */
seam_status mbs_integrator_create_with(const mbs_model *model, const mbs_integrator_options *options,
                                       const mbs_extra_states *extra, mbs_integrator **integrator, seam_error *error);

/* SEAM_BAD_INPUT for options that do not fit together. */
seam_status mbs_integrator_options_check(const mbs_integrator_options *options, seam_error *error);

/* Starts at *state with n extra states r and a step-size memory (zeros: none), as seam_integrator_restart().
 * mbs_integrator_start() takes all extra states, at zero. */
seam_status mbs_integrator_restart(mbs_integrator *self, const mbs_state *state, size_t n, const double *r,
                                   const seam_step_memory *memory, seam_error *error);

/* Restarts without extra states where the last restart was, from a state that differs little, on the way to `end`: the
 * steps of then are taken again and not judged (seam_integrator_repeat()). Returns false and does nothing where there
 * are events or modes on the way, or the last restart was elsewhere. */
bool mbs_integrator_repeat(mbs_integrator *self, const mbs_state *state, double end);

/* A state that is evaluated already: the right-hand side there is taken from it. Both outlive their use; NULL: none. */
typedef struct mbs_evaluated_state {
  const mbs_state *state;
  const double *rates; /* (n_states + n_work) mbs_rates() there */
  bool in_workspace;   /* it was the last one evaluated in the workspace */
} mbs_evaluated_state;

void mbs_integrator_set_evaluated_state(mbs_integrator *self, const mbs_evaluated_state *evaluated);

/* True for ida and cvode. */
bool mbs_is_multistep(const char *method);

double mbs_integrator_rtol(const mbs_integrator *self);

/* Brings *state and the extra states to time t, which is not beyond the stop time. Leaves a and lambda alone when
 * `evaluate` is false. */
seam_status mbs_integrator_reach(mbs_integrator *self, double t, mbs_state *state, double *r, bool evaluate,
                                 seam_error *error);

/* A piece of the motion after a step, known and smooth. It ends left of the kink, sample or switch that ends it. */
typedef struct mbs_step_piece {
  double from, to;  /* s */
  bool is_at_start; /* of the run, or right of such an end: the motion and what it reads may have jumped there */
} mbs_step_piece;

/* Hears of each piece once, ascending, before anything behind it is known; states in it, both ends too, are those of
 * mbs_integrator_reach(), which a listener may call. What it returns ends mbs_integrator_advance(). */
void mbs_integrator_set_step_listener(mbs_integrator *self,
                                      seam_status (*hear)(void *context, const mbs_step_piece *piece,
                                                          seam_error *error),
                                      void *context);

/* Laws of time are evaluated in the workspace as those of a step that begins at t; starts and restarts do the same. */
void mbs_integrator_begin_smooth(mbs_integrator *self, double t);

/* Time of the kink that was passed last; NaN: none. */
double mbs_integrator_last_kink(const mbs_integrator *self);
/* The same of a switch, since the last start; NaN: none. */
double mbs_integrator_last_switch(const mbs_integrator *self);
/* Writes the state before each kink into *before: its velocities and work differ where the rate of a prescribed motion
 * jumps. */
void mbs_integrator_keep_before_kinks(mbs_integrator *self, mbs_state *before);

seam_step_memory mbs_integrator_step_memory(const mbs_integrator *self);

/* The one it works with. */
mbs_workspace *mbs_integrator_workspace(mbs_integrator *self);

#endif
