#include "solvers/multistep.h"

#include <stdlib.h>
#include <string.h>

#include "base/then.h"

static void begin(seam_multistep *self) {
  self->end = self->now->t;
  seam_progress_begin(&self->base.progress, self->end, &self->now->statistics);
  self->method->begin(self);
}

static void start_at(seam_multistep *self, double t, const double *y, seam_statistics so_far) {
  *self->now = (seam_multistep_state){.t = t, .stop = INFINITY, .statistics = so_far};
  memcpy(self->y_now, y, self->n * sizeof *y);
  self->next_begin = (seam_error){.status = SEAM_OK};
  begin(self);
}

static seam_status start(seam_integrator *base, double t, const double *y, seam_error *error) {
  (void)error;
  start_at((seam_multistep *)base, t, y, (seam_statistics){0});
  return SEAM_OK;
}

static seam_status restart(seam_integrator *base, double t, const double *y, size_t n, const seam_step_memory *unused,
                           seam_error *error) {
  (void)unused;
  seam_multistep *self = (seam_multistep *)base;
  if (n != self->n)
    return seam_fail(error, SEAM_BAD_INPUT, "t = %.9g s: %s integrates all of its %zu values, not %zu", t,
                     self->method->name, self->n, n);
  start_at(self, t, y, self->now->statistics);
  return SEAM_OK;
}

static seam_status restore(seam_integrator *base, const void *image, seam_error *error) {
  (void)error;
  seam_multistep *self = (seam_multistep *)base;
  memcpy(self->now, image, base->image_size);
  self->next_begin = (seam_error){.status = SEAM_OK};
  begin(self);
  return SEAM_OK;
}

static seam_status extend(seam_integrator *base, double t, seam_error *error) {
  (void)t;
  seam_multistep *self = (seam_multistep *)base;
  TRY(seam_integrator_check_interrupt(base, self->end, error));
  TRY(seam_progress_check(&base->progress, self->end, self->now->stop, &self->now->statistics, error));
  const seam_error *ahead = &self->next_begin;
  if (ahead->status != SEAM_OK)
    return ahead->message[0] != '\0' ? seam_fail(error, ahead->status, "%s", ahead->message) : ahead->status;
  return self->method->step(self, error);
}

static seam_status advance(seam_integrator *base, double t, double *y, double *reached, seam_error *error) {
  seam_multistep *self = (seam_multistep *)base;
  seam_status status = SEAM_OK;
  while (status == SEAM_OK && t - self->end > self->resolution)
    status = extend(base, t, error);
  self->now->t = t;
  THEN(status, self->method->find_state(self, t, error));
  if (status != SEAM_OK) {
    self->now->t = self->end;
    self->method->find_state(self, self->end, NULL);
    if (self->method->restarts_after_failure)
      begin(self);
  }
  memcpy(y, self->y_now, self->n * sizeof *y);
  *reached = self->now->t;
  return status;
}

static size_t worst_entry(const seam_integrator *base) {
  const seam_multistep *self = (const seam_multistep *)base;
  return self->method->worst_entry(self);
}

static void destroy(seam_integrator *base) {
  seam_multistep *self = (seam_multistep *)base;
  self->method->destroy(self);
  SUNContext_Free(&self->context);
  free(self->now);
  free(self);
}

bool seam_multistep_begin(seam_multistep *self, const seam_multistep_method *method, size_t n) {
  static const seam_integrator_ops ops = {
      .start = start,
      .restart = restart,
      .advance = advance,
      .extend = extend,
      .worst_entry = worst_entry,
      .restore = restore,
      .destroy = destroy,
  };
  self->base.ops = &ops;
  self->method = method;
  self->n = n;
  self->base.image_size = sizeof *self->now + n * sizeof *self->y_now;
  self->now = calloc(1, self->base.image_size);
  if (self->now == NULL || SUNContext_Create(SUN_COMM_NULL, &self->context) != SUN_SUCCESS)
    return false;
  SUNContext_SetLogger(self->context, NULL);
  self->base.image = self->now;
  self->base.stop = &self->now->stop;
  self->base.statistics = &self->now->statistics;
  self->base.end = &self->end;
  self->now->stop = INFINITY;
  self->y_now = (double *)(self->now + 1);
  return true;
}

/* ---- Failures ---- */

int seam_multistep_callback_result(seam_multistep *self, seam_status status) {
  if (status == SEAM_OK)
    return 0;
  self->cause.status = status;
  return status == SEAM_NOT_FINITE || status == SEAM_SINGULAR || status == SEAM_CONSTRAINT_LOST ? 1 : -1;
}

seam_status seam_multistep_explain(const seam_multistep *self, int flag, seam_error *error) {
  if (self->cause.status != SEAM_OK)
    return seam_fail(error, self->cause.status, "%s", self->cause.message);
  for (const seam_multistep_failure *row = self->method->failures; row->text != NULL; row++)
    if (row->flag == flag)
      return seam_fail(error, row->status, "t = %.9g s: %s", self->end, row->text);
  return seam_fail(error, SEAM_STEP_FAILED, "t = %.9g s: %s gives up with its flag %d: take another integrator",
                   self->end, self->method->library, flag);
}

seam_status seam_multistep_refuse(const seam_multistep *self, int flag, bool is_memory, seam_error *error) {
  if (is_memory)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for an integrator of %zu values", self->n);
  return seam_fail(error, SEAM_BAD_INPUT,
                   "%s refuses its settings with its flag %d: check rtol, atol and the largest step",
                   self->method->library, flag);
}
