/* Changes of the end of a step by impulses: what changes δu of the inputs over the step do by inertia alone, δv of ∫δu
 * dt and δq of ∬δu dt dt, by the linearised equations at the end. */
#include <string.h>

#include "cosim/parts/multibody_internal.h"

/* dv or dq (3n) of the impulses, or of their integrals, on all ports. */
static void respond(cosim_multibody *self, const double *impulse, double *change) {
  const size_t n = 3 * (size_t)self->sub->model->n_bodies;
  double *dQ = self->impulse_load;
  double *dgamma = dQ + n;
  memset(change, 0, n * sizeof *change);
  memset(self->dlambda, 0, (size_t)self->sub->model->n_rows * sizeof *change);
  for (int i = 0; i < self->base.n_inputs; i++) {
    cosim_multibody_load_change(self, i, impulse[i], dQ, dgamma);
    for (size_t j = 0; j < n; j++)
      change[j] += dQ[j];
    for (int row = 0; row < self->sub->model->n_rows; row++)
      self->dlambda[row] += dgamma[row];
  }
  mbs_linearised_solve(self->linear, self->ws, NULL, NULL, NULL, change, self->dlambda);
}

/* Adds the present state to the one beyond the kink, or takes it away: what changes between is added there too. */
static void move_beyond_kink(const cosim_multibody *self, double sign) {
  const size_t n = self->is_before_kink ? 3 * (size_t)self->sub->model->n_bodies : 0;
  for (size_t i = 0; i < n; i++) {
    self->beyond_kink->q[i] += sign * self->state->q[i];
    self->beyond_kink->v[i] += sign * self->state->v[i];
  }
  self->beyond_kink->work[2] += n > 0 ? sign * self->state->work[2] : 0;
}

/* The energy that the impulses bring enters the work of the first port. */
seam_status cosim_multibody_apply_impulses(cosim_part *base, const double *first, const double *second,
                                           const double *end, seam_error *error) {
  cosim_multibody *self = (cosim_multibody *)base;
  mbs_state *state = self->state;
  const size_t n = 3 * (size_t)self->sub->model->n_bodies;
  double *dv = self->impulse_load + n + self->sub->model->n_rows;
  double *dq = dv + n;
  cosim_multibody_linearise(self);
  move_beyond_kink(self, -1);
  const double before = mbs_energy_of(self->ws, state).total;
  respond(self, first, dv);
  respond(self, second, dq);
  for (size_t i = 0; i < n; i++) {
    state->v[i] += dv[i];
    state->q[i] += dq[i];
  }
  memcpy(self->end, end, (size_t)base->n_inputs * sizeof *end);
  const seam_status status = mbs_project(self->ws, state->t, state->q, state->v, error);
  state->work[2] += mbs_energy_of(self->ws, state).total - before;
  move_beyond_kink(self, 1);
  self->is_evaluated = false;
  return status;
}
