/* What is asked of an integrator beside its steps: states inside them, statistics, and what others set. */
#include <string.h>

#include "base/then.h"
#include "mbs/failure.h"
#include "mbs/integrator_internal.h"
#include "mbs/kinks.h"

bool mbs_is_multistep(const char *method) {
  return method != NULL && (strcmp(method, "ida") == 0 || strcmp(method, "cvode") == 0);
}

double mbs_integrator_rtol(const mbs_integrator *self) { return self->rtol; }

/* ---- States inside steps ---- */

/* Accelerations and multipliers will be asked for too: the factors of the projection serve both. */
seam_status mbs_integrator_project_inside(void *context, double t, double *y, seam_error *error) {
  mbs_integrator *self = context;
  mbs_state *now = self->now;
  self->evaluated.in_workspace = false;
  now->t = t;
  if (self->ggl != NULL)
    mbs_ggl_unpack(self->ggl, y, now);
  else
    memcpy(now->z, y + 6 * self->model->n_bodies, (size_t)self->model->n_states * sizeof *y);
  mbs_take_holds(self->ws, now->z);
  seam_status status = mbs_project(self->ws, t, y, y + 3 * self->model->n_bodies, error);
  self->has_inside = false;
  if (status != SEAM_OK || self->of_motion)
    return status;
  memcpy(now->q, y, 6 * (size_t)self->model->n_bodies * sizeof *y);
  status = mbs_evaluate_projected(self->ws, now, error);
  THEN(status, mbs_check_redundant(self->ws, t, error));
  self->has_inside = status == SEAM_OK;
  if (self->has_inside && self->reader != NULL)
    mbs_take_stages(self->reader, self->ws, now);
  return status;
}

seam_status mbs_integrator_rates_of_ggl(void *context, double t, const double *y, double *dy, seam_error *error) {
  mbs_integrator *self = context;
  mbs_integrator_read_y(self, t, y, self->now);
  self->has_inside = false;
  const seam_status status = mbs_accelerate(self->ws, self->now, error);
  if (status == SEAM_OK)
    mbs_ggl_pack_rates(self->ggl, self->now, dy);
  return status;
}

void mbs_integrator_take_inside(const mbs_integrator *self, mbs_state *state) {
  const mbs_model *model = self->model;
  memcpy(state->a, self->now->a, 3 * (size_t)model->n_bodies * sizeof *state->a);
  memcpy(state->lambda, self->now->lambda, (size_t)model->n_rows * sizeof *state->lambda);
  memcpy(state->contact, self->now->contact, 2 * (size_t)model->n_hard * sizeof *state->contact);
  memcpy(state->undetermined, self->now->undetermined, (size_t)model->n_hard * sizeof *state->undetermined);
}

seam_status mbs_integrator_evaluate(mbs_integrator *self, mbs_state *state, seam_error *error) {
  if (self->has_inside && self->now->t == state->t) {
    mbs_integrator_take_inside(self, state);
    return SEAM_OK;
  }
  const seam_status status = mbs_evaluate(self->ws, state, error);
  if (status == SEAM_SINGULAR)
    return mbs_integrator_explain(self, status, state, error);
  if (status == SEAM_OK && self->reader != NULL)
    mbs_take_stages(self->reader, self->ws, state);
  return status == SEAM_OK ? mbs_check_redundant(self->ws, state->t, error) : status;
}

/* ---- Checks and failures ---- */

seam_status mbs_integrator_check_time(const mbs_integrator *self, const char *function, double t, seam_error *error) {
  if (isnan(self->reached))
    return seam_fail(error, SEAM_BAD_STATE, "%s(): the integrator has no state: start or restore it first", function);
  if (!isfinite(t))
    return seam_fail(error, SEAM_BAD_INPUT, "%s(): the time %g s is not finite", function, t);
  if (t < self->reached)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s(): the time %.17g s is before %.17g s, which is reached: ask for times in ascending order",
                     function, t, self->reached);
  return SEAM_OK;
}

seam_status mbs_integrator_explain(mbs_integrator *self, seam_status status, const mbs_state *state,
                                   seam_error *error) {
  const mbs_failure failure = {.status = status,
                               .state = state,
                               .entry = seam_integrator_worst_entry(self->integrator),
                               .has_multipliers = self->ggl != NULL,
                               .is_lost = self->integrator->progress.is_lost,
                               .rtol = self->fixed_step > 0 ? 0 : self->rtol};
  return mbs_explain(self->ws, &failure, error);
}

bool mbs_integrator_is_on_a_way(const mbs_integrator *self, double t) {
  return self->crossing != NULL && mbs_crossing_end(self->crossing) > t;
}

/* ---- The rest ---- */

void mbs_integrator_set_evaluated_state(mbs_integrator *self, const mbs_evaluated_state *evaluated) {
  self->evaluated = *evaluated;
}

void mbs_integrator_begin_smooth(mbs_integrator *self, double t) {
  const bool known = self->times.switching == 0 && t >= self->ws->smooth.from && t < self->times.next.at;
  if (!known)
    self->times.next = mbs_begin_smooth(self->ws, t);
  self->times.switching = 0;
}

void mbs_integrator_set_step_listener(mbs_integrator *self,
                                      seam_status (*hear)(void *context, const mbs_step_piece *piece,
                                                          seam_error *error),
                                      void *context) {
  self->steps = (mbs_step_listener){hear, context};
}

double mbs_integrator_last_kink(const mbs_integrator *self) { return self->times.last; }

double mbs_integrator_last_switch(const mbs_integrator *self) { return self->times.last_switch; }

void mbs_integrator_keep_before_kinks(mbs_integrator *self, mbs_state *before) { self->before_kink = before; }

seam_step_memory mbs_integrator_step_memory(const mbs_integrator *self) {
  return seam_integrator_step_memory(self->integrator);
}

mbs_workspace *mbs_integrator_workspace(mbs_integrator *self) { return self->ws; }

mbs_statistics mbs_integrator_statistics(const mbs_integrator *self) {
  const seam_statistics s = self != NULL ? seam_integrator_statistics(self->integrator) : (seam_statistics){0};
  return (mbs_statistics){.steps = s.steps,
                          .rejected = s.rejected,
                          .evaluations = s.evaluations,
                          .factorisations = s.factorisations,
                          .smallest_step = s.smallest_step,
                          .largest_step = s.largest_step};
}

void mbs_integrator_set_reader(mbs_integrator *self, mbs_workspace *reader) {
  if (self != NULL)
    self->reader = reader;
}

void mbs_integrator_set_interrupt(mbs_integrator *self, bool (*stop)(void *context, double t), void *context) {
  if (self != NULL)
    self->integrator->interrupt = (seam_interrupt){stop, context};
}

void mbs_integrator_set_stop(mbs_integrator *self, double t) {
  if (self == NULL || isnan(t))
    return;
  self->times.stop = t;
  mbs_integrator_apply_stop(self);
}

void mbs_integrator_read_y(mbs_integrator *self, double t, const double *y, mbs_state *state) {
  state->t = t;
  if (self->ggl != NULL)
    mbs_ggl_unpack(self->ggl, y, state);
  else
    memcpy(state->q, y, (mbs_n_controlled(self->model) + (size_t)self->model->n_work) * sizeof *y);
}
