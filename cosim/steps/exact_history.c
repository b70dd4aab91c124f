/* Integrates the undivided mechanism backwards,
 *
 *   q' = v,   v' = a(t, q, v, z),   z' = Z(t, q, v, z),
 *
 * with the coordinates q, velocities v, accelerations a and the states z of equations and force elements. Method: the
 * classical Runge-Kutta method with equal negative steps, each followed by a projection onto the constraints. The
 * number of steps is doubled until no number in (q, v, z) changes by more than 1e-12 times the larger of 1 and the
 * largest number. This is simple rather than fast, since it runs only before the first macro step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/then.h"
#include "cosim/steps/simulation.h"
#include "cosim/thresholds.h"
#include "mbs/dynamics/dynamics.h"
#include "solvers/erk.h"

/* Context of rates(). y = (q, v, z) has n numbers; `now` is scratch. */
typedef struct backwards {
  mbs_workspace *ws;
  mbs_state *now;
  size_t n;
} backwards;

static seam_status rates(void *context, double t, const double *y, double *dy, seam_error *error) {
  backwards *self = context;
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

seam_status cosim_integrate_back(mbs_workspace *ws, mbs_state *state, double H, seam_error *error) {
  const size_t n = mbs_n_controlled(ws->model);
  double *y = calloc((2 + SEAM_ERK_SCRATCH) * n, sizeof *y); /* result; result with half as many steps; scratch */
  backwards self = {.ws = ws, .n = n};
  const seam_ode ode = {.n = n, .rhs = rates, .context = &self};
  bool agrees = false;
  seam_status status = mbs_state_create(ws->model, &self.now, error);
  if (status != SEAM_OK || y == NULL)
    status = seam_fail(error, SEAM_NO_MEMORY, "no memory for the past of the mechanism");
  for (int n_steps = COSIM_FIRST_HISTORY_STEPS; n_steps <= COSIM_MAX_HISTORY_STEPS && status == SEAM_OK && !agrees;
       n_steps *= 2) {
    const double h = H / n_steps;
    double size = 1;
    double difference = 0;
    memcpy(y + n, y, n * sizeof *y);
    memcpy(y, state->q, n * sizeof *y);
    for (int k = 0; k < n_steps && status == SEAM_OK; k++) {
      const double t = state->t - k * H / n_steps;
      status = seam_erk_step(seam_tableau_of("rk4"), &ode, t, -h, y, y + 2 * n, error);
      THEN(status, mbs_project(ws, t - h, y, y + 3 * ws->model->n_bodies, error));
    }
    for (size_t i = 0; i < n; i++) {
      size = fmax(size, fabs(y[n + i]));
      difference = fmax(difference, fabs(y[n + i] - y[i]));
    }
    agrees = n_steps > COSIM_FIRST_HISTORY_STEPS && difference <= cosim_history_tolerance * size;
  }
  if (status == SEAM_OK && agrees) {
    memcpy(state->q, y, n * sizeof *y);
    state->t -= H;
    status = mbs_evaluate(ws, state, error);
  } else if (status == SEAM_OK)
    status = seam_fail(error, SEAM_NOT_CONVERGED,
                       "t = %.9g s: the mechanism cannot be integrated backwards by %.3g s: take 'history: raise'",
                       state->t, H);
  mbs_state_destroy(self.now);
  free(y);
  return status;
}
