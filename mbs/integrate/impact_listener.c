/* The listener of an integrator to impacts. */
#include <math.h>

#include <seam/events.h>

#include "mbs/integrate/integrator_internal.h"
#include "mbs/model/unilateral.h"

void mbs_integrator_set_impact_listener(mbs_integrator *self,
                                        seam_status (*hear)(void *context, const mbs_impact_event *impact,
                                                            const mbs_state *state, seam_error *error),
                                        void *context) {
  if (self != NULL)
    self->listener = (mbs_impact_listener){hear, context};
}

seam_status mbs_integrator_report_impacts(const mbs_integrator *self, const mbs_state *state, seam_error *error) {
  const mbs_unilateral *of = self->ws->unilateral;
  seam_status status = SEAM_OK;
  for (int k = 0; of != NULL && self->listener.hear != NULL && k < of->n && status == SEAM_OK; k++) {
    const mbs_impact_result *blow = &of->blow[k];
    if (!(blow->normal > 0))
      continue;
    const size_t force = (size_t)self->model->hard[k];
    const mbs_impact_event impact = {.force = force,
                                     .time = state->t,
                                     .normal = blow->normal,
                                     .tangential = blow->tangential,
                                     .loss = blow->loss,
                                     .count = mbs_impact_record_of(self->model, state, force).count};
    status = self->listener.hear(self->listener.context, &impact, state, error);
  }
  return status;
}
