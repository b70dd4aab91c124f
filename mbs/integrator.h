/* Integration of a mechanism inside Seam: numbers that ride along, and many short runs in a row. */
#ifndef MBS_INTEGRATOR_H
#define MBS_INTEGRATOR_H

#include <stdbool.h>

#include "mbs/workspace.h"
#include "solvers/integrator.h"

/* Numbers that ride along with the integration of a model: r' = rates(t, state, r). Quadratures and sensitivities;
 * their error is not controlled. */
typedef struct mbs_extra_states {
  size_t n; /* most of them */
  /* Called right after mbs_accelerate() on the workspace: frames, G, factors, a and lambda are those of `now`. r holds
   * the n numbers that ride at present. */
  seam_status (*rates)(void *context, mbs_workspace *ws, const mbs_state *now, size_t n, const double *r, double *dr,
                       seam_error *error);
  void *context;
} mbs_extra_states;

/* As mbs_integrator_create(); extra states may be NULL. SEAM_BAD_INPUT for extra states with methods other than
 * explicit one-step ones and cvode. With cvode they are quadratures: `rates` must not read r. */
seam_status mbs_integrator_create_with(const mbs_model *model, const mbs_integrator_options *options,
                                       const mbs_extra_states *extra, mbs_integrator **integrator, seam_error *error);

/* Starts at *state with n extra states r and a memory (zeros: none), as seam_integrator_restart().
 * mbs_integrator_start() takes all extra states, at zero. */
seam_status mbs_integrator_restart(mbs_integrator *self, const mbs_state *state, size_t n, const double *r,
                                   const seam_step_memory *memory, seam_error *error);

/* An evaluated state, which needs no evaluation when integration comes by. It outlives its use; NULL: none. */
typedef struct mbs_evaluated_state {
  const mbs_state *state;
  const double *rates; /* (n_states + n_work) mbs_rates() there */
  bool in_workspace;   /* was the last that was evaluated */
} mbs_evaluated_state;

void mbs_integrator_set_evaluated_state(mbs_integrator *self, const mbs_evaluated_state *evaluated);

/* Brings *state and the extra states to time t, which is not beyond the stop time. Leaves a and lambda alone when
 * `evaluate` is false. */
seam_status mbs_integrator_reach(mbs_integrator *self, double t, mbs_state *state, double *r, bool evaluate,
                                 seam_error *error);

seam_step_memory mbs_integrator_step_memory(const mbs_integrator *self);

/* The one it works with. */
mbs_workspace *mbs_integrator_workspace(mbs_integrator *self);

#endif
