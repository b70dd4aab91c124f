/* Short runs of an integrator, one after the other: each begins where it is asked to, with the steps that are known. */
#include "mbs/failure.h"
#include "mbs/integrator_internal.h"
#include "mbs/kinks.h"

seam_status mbs_integrator_restart(mbs_integrator *self, const mbs_state *state, size_t n, const double *r,
                                   const seam_step_memory *memory, seam_error *error) {
  if (n > self->extra.n)
    return seam_fail(error, SEAM_BAD_INPUT, "t = %.9g s: %zu extra states, but the integrator carries %zu at most",
                     state->t, n, self->extra.n);
  mbs_integrator_begin_smooth(self, state->t);
  const bool is_changed = self->ggl != NULL || self->model->switching.n > 0;
  seam_status status = SEAM_OK;
  if (is_changed) {
    mbs_state_copy(self->now, state);
    status = mbs_enter_modes(self->ws, self->now, false, error);
  }
  if (status == SEAM_OK && self->ggl != NULL)
    status = mbs_accelerate(self->ws, self->now, error);
  if (status != SEAM_OK)
    return status;
  const double *y = mbs_integrator_pack(self, is_changed ? self->now : state, n, r);
  status = seam_integrator_restart(self->integrator, state->t, y, mbs_integrator_length(self, n), memory, error);
  if (status != SEAM_OK)
    return status;
  self->n_extra = n;
  mbs_integrator_begin_at(self, state->t);
  return SEAM_OK;
}

bool mbs_integrator_repeat(mbs_integrator *self, const mbs_state *state, double end) {
  mbs_integrator_begin_smooth(self, state->t);
  if (self->ggl != NULL || self->model->switching.n > 0 || self->model->n_hard > 0 || self->times.next.at <= end)
    return false;
  const double *y = mbs_integrator_pack(self, state, 0, NULL);
  if (!seam_integrator_repeat(self->integrator, state->t, y, mbs_integrator_length(self, 0), end))
    return false;
  self->n_extra = 0;
  mbs_integrator_begin_at(self, state->t);
  return true;
}
