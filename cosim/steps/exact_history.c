/* Integrates the whole mechanism backwards,
 *
 *   q' = v,   v' = a(t, q, v, z),   z' = Z(t, q, v, z),
 *
 * by the classical Runge-Kutta method with equal negative steps and a projection after each; their number is doubled
 * until the result changes by less than the tolerance. It runs only before the first step: simple, not fast. */
#include "cosim/steps/exact_history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/then.h"
#include "cosim/thresholds.h"
#include "mbs/dynamics/dynamics.h"
#include "solvers/erk.h"

/* Scratch; y = (q, v, z) has n numbers. */
typedef struct back {
  mbs_workspace *ws;
  mbs_state *now;
  size_t n;
  double *before;  /* (n) result with half as many steps */
  double *scratch; /* (SEAM_ERK_SCRATCH n) */
} back;

static seam_status rates(void *context, double t, const double *y, double *dy, seam_error *error) {
  back *self = context;
  const mbs_model *model = self->ws->model;
  const size_t n = 3 * (size_t)model->n_bodies;
  self->now->t = t;
  memcpy(self->now->q, y, self->n * sizeof *y);
  const seam_status status = mbs_accelerate(self->ws, self->now, error);
  for (size_t i = 0; i < n; i++) {
    dy[i] = self->now->v[i];
    dy[n + i] = self->now->a[i];
  }
  for (int i = 0; i < model->n_states; i++)
    dy[2 * n + (size_t)i] = self->ws->z_rates[i];
  return status;
}

static seam_status refine(back *self, mbs_state *state, double H, double *y, seam_error *error) {
  const seam_ode ode = {.n = self->n, .rhs = rates, .context = self};
  for (int n_steps = COSIM_FIRST_HISTORY_STEPS; n_steps <= COSIM_MAX_HISTORY_STEPS; n_steps *= 2) {
    const double h = H / n_steps;
    double size = 1;
    double difference = 0;
    memcpy(self->before, y, self->n * sizeof *y);
    memcpy(y, state->q, self->n * sizeof *y);
    for (int k = 0; k < n_steps; k++) {
      const double t = state->t - k * H / n_steps;
      seam_status status = seam_erk_step(seam_tableau_of("rk4"), &ode, t, -h, y, self->scratch, error);
      THEN(status, mbs_project(self->ws, t - h, y, y + 3 * self->ws->model->n_bodies, error));
      if (status != SEAM_OK)
        return status;
    }
    for (size_t i = 0; i < self->n; i++) {
      size = fmax(size, fabs(self->before[i]));
      difference = fmax(difference, fabs(self->before[i] - y[i]));
    }
    if (n_steps == COSIM_FIRST_HISTORY_STEPS || !(difference <= cosim_history_tolerance * size))
      continue;
    memcpy(state->q, y, self->n * sizeof *y);
    state->t -= H;
    return mbs_evaluate(self->ws, state, error);
  }
  return seam_fail(error, SEAM_NOT_CONVERGED,
                   "t = %.9g s: the mechanism cannot be integrated backwards by %.3g s: take 'history: raise'",
                   state->t, H);
}

seam_status cosim_integrate_back(mbs_workspace *ws, mbs_state *state, double H, seam_error *error) {
  const size_t n = mbs_n_controlled(ws->model);
  double *memory = calloc((2 + SEAM_ERK_SCRATCH) * n, sizeof *memory);
  back self = {.ws = ws, .n = n};
  seam_status status = mbs_state_create(ws->model, &self.now, error);
  if (status != SEAM_OK || memory == NULL) {
    status = seam_fail(error, SEAM_NO_MEMORY, "no memory for the past of the mechanism");
  } else {
    self.before = memory + n;
    self.scratch = self.before + n;
    status = refine(&self, state, H, memory, error);
  }
  mbs_state_destroy(self.now);
  free(memory);
  return status;
}
