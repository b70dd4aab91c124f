/* The whole mechanism integrated backwards, with s = -t:
 *
 *   dq/ds = -v,   dv/ds = -a(-s, q, v, z),   dz/ds = -Z(-s, q, v, z)
 *
 * by the classical Runge-Kutta method with equal steps, projected after each; twice as many of them until that changes
 * the result by less than the tolerance. Done once, before the first step: simple, not fast. */
#include "cosim/mechanism/exact_history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { first_steps = 4, MAX_STEPS = 1 << 14 };
static const double tolerance = 1e-12;

/* Scratch: y = (q, v, z), n numbers each. */
typedef struct back {
  mbs_workspace *ws;
  mbs_state *now;
  size_t n;
  double *begin, *stage, *sum, *before; /* (n) */
} back;

static seam_status rates(back *self, double t, const double *y, double *dy, seam_error *error) {
  const mbs_model *model = self->ws->model;
  const size_t n = 3 * (size_t)model->n_bodies;
  self->now->t = t;
  memcpy(self->now->q, y, self->n * sizeof *y);
  const seam_status status = mbs_accelerate(self->ws, self->now, error);
  for (size_t i = 0; i < n; i++) {
    dy[i] = -self->now->v[i];
    dy[n + i] = -self->now->a[i];
  }
  for (int i = 0; i < model->n_states; i++)
    dy[2 * n + (size_t)i] = -self->ws->z_rates[i];
  return status;
}

/* y becomes that at t - h. */
static seam_status step_back(back *self, double t, double h, double *y, seam_error *error) {
  static const double node[4] = {0, 0.5, 0.5, 1};
  static const double weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  memcpy(self->begin, y, self->n * sizeof *y);
  memcpy(self->sum, y, self->n * sizeof *y);
  for (int s = 0; s < 4; s++) {
    const seam_status status = rates(self, t - node[s] * h, y, self->stage, error);
    if (status != SEAM_OK)
      return status;
    for (size_t i = 0; i < self->n; i++) {
      self->sum[i] += h * weight[s] * self->stage[i];
      y[i] = self->begin[i] + h * node[s < 3 ? s + 1 : 3] * self->stage[i];
    }
  }
  memcpy(y, self->sum, self->n * sizeof *y);
  return mbs_project(self->ws, t - h, y, y + 3 * self->ws->model->n_bodies, error);
}

static seam_status go_back(back *self, const mbs_state *from, double H, int n_steps, double *y, seam_error *error) {
  memcpy(y, from->q, self->n * sizeof *y);
  seam_status status = SEAM_OK;
  for (int k = 0; k < n_steps && status == SEAM_OK; k++)
    status = step_back(self, from->t - k * H / n_steps, H / n_steps, y, error);
  return status;
}

static bool agree(const double *a, const double *b, size_t n) {
  double size = 1;
  double difference = 0;
  for (size_t i = 0; i < n; i++) {
    size = fmax(size, fabs(a[i]));
    difference = fmax(difference, fabs(a[i] - b[i]));
  }
  return difference <= tolerance * size;
}

static seam_status refine(back *self, mbs_state *state, double H, double *y, seam_error *error) {
  for (int n_steps = first_steps; n_steps <= MAX_STEPS; n_steps *= 2) {
    memcpy(self->before, y, self->n * sizeof *y);
    const seam_status status = go_back(self, state, H, n_steps, y, error);
    if (status != SEAM_OK)
      return status;
    if (n_steps == first_steps || !agree(self->before, y, self->n))
      continue;
    memcpy(state->q, y, self->n * sizeof *y);
    state->t -= H;
    return mbs_evaluate(self->ws, state, error);
  }
  return seam_fail(error, SEAM_NOT_CONVERGED,
                   "t = %.9g s: the mechanism cannot be followed back by %.3g s: take history: raise", state->t, H);
}

seam_status cosim_integrate_back(mbs_workspace *ws, mbs_state *state, double H, seam_error *error) {
  const size_t n = mbs_n_controlled(ws->model);
  double *memory = calloc(5 * n, sizeof *memory);
  back self = {.ws = ws, .now = mbs_state_create(ws->model), .n = n};
  seam_status status = SEAM_NO_MEMORY;
  if (memory == NULL || self.now == NULL) {
    seam_fail(error, status, "no memory for the past of the mechanism");
  } else {
    self.begin = memory + n;
    self.stage = self.begin + n;
    self.sum = self.stage + n;
    self.before = self.sum + n;
    status = refine(&self, state, H, memory, error);
  }
  mbs_state_destroy(self.now);
  free(memory);
  return status;
}
