/* What is asked of an integrator beside its steps. */
#include "mbs/integrator_internal.h"
#include "mbs/kinks.h"

void mbs_integrator_set_evaluated_state(mbs_integrator *self, const mbs_evaluated_state *evaluated) {
  self->evaluated = *evaluated;
}

void mbs_integrator_begin_smooth(mbs_integrator *self, double t) {
  const bool known = t >= self->ws->smooth.from && t < self->times.next.at;
  if (!known)
    self->times.next = mbs_begin_smooth(self->ws, t);
}

double mbs_integrator_last_kink(const mbs_integrator *self) { return self->times.last; }

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

void mbs_integrator_set_interrupt(mbs_integrator *self, bool (*stop)(void *context, double t), void *context) {
  if (self != NULL)
    self->integrator->interrupt = (seam_interrupt){stop, context};
}
