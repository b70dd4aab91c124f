/* What impacts leave: their record in a state, and the listener of an integrator. */
#include <math.h>

#include <seam/events.h>

#include "mbs/integrator_internal.h"
#include "mbs/unilateral.h"

bool mbs_has_impacts(const mbs_model *model, size_t force) {
  return force < mbs_n_forces(model) && model->forces[force].type->is_hard && model->forces[force].has_modes;
}

mbs_impact_record mbs_impact_record_of(const mbs_model *model, const mbs_state *state, size_t force) {
  if (!mbs_has_impacts(model, force) || !mbs_state_fits(model, state))
    return (mbs_impact_record){.first = NAN, .last = NAN};
  const double *z = state->z + model->forces[force].state;
  const bool any = z[MBS_HARD_COUNT] > 0;
  return (mbs_impact_record){.count = any ? (size_t)llround(z[MBS_HARD_COUNT]) : 0,
                             .first = any ? z[MBS_HARD_FIRST] : NAN,
                             .last = any ? z[MBS_HARD_LATEST] : NAN,
                             .normal = z[MBS_HARD_NORMAL],
                             .tangential = z[MBS_HARD_TANGENTIAL],
                             .loss = z[MBS_HARD_LOSS]};
}

double mbs_bounces_taken(const mbs_model *model, const mbs_state *state) {
  double taken = 0;
  if (!mbs_state_fits(model, state))
    return NAN;
  for (int k = 0; k < model->n_hard; k++)
    if (mbs_has_impacts(model, (size_t)model->hard[k]))
      taken += state->z[model->forces[model->hard[k]].state + MBS_HARD_TAKEN];
  return taken;
}

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
    const mbs_blow *blow = &of->blow[k];
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
