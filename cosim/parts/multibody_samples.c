/* Handles samples that read inputs and are due at the end of a step. The inputs at this time are known only with the
 * next step. So the samples are deferred to the next step, or they are undone and taken again with these inputs. */
#include "cosim/parts/multibody_internal.h"

#include <math.h>

#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/responses.h"
#include "mbs/integrate/kinks.h"

/* Copies sampled variables, and the time of the last sample, from another state. */
static void take_samples(const mbs_model *model, mbs_state *to, const mbs_state *from) {
  const mbs_laws *laws = &model->laws;
  for (int i = 0; i <= laws->n_variables && laws->n_sampled > 0; i++)
    if (i == laws->n_variables || laws->variable[i].sample > 0)
      to->z[laws->first_state + i] = from->z[laws->first_state + i];
}

void cosim_multibody_defer_sample(cosim_multibody *self) {
  const mbs_model *model = self->sub->model;
  if (!self->samples_wait || !self->is_before_kink || !mbs_is_sample_due(model, self->state))
    return;
  take_samples(model, self->beyond_kink, self->state);
  mbs_state_copy(self->state, self->beyond_kink);
  self->is_before_kink = false;
  self->ws->smooth.from = NAN; /* the interval between kinks is to be found again */
}

bool cosim_multibody_get_outputs_beyond(cosim_part *base, double *outputs) {
  cosim_multibody *self = (cosim_multibody *)base;
  const double t = self->state->t;
  if (!cosim_multibody_cross_kink(base))
    return false;
  take_samples(self->sub->model, self->state, self->before_kink);
  cosim_multibody_get_outputs(base, outputs);
  mbs_set_laws_before(self->ws, fmin(mbs_integrator_last_kink(self->integrator), t));
  mbs_state_copy(self->state, self->before_kink);
  self->state->t = t;
  self->is_before_kink = true;
  self->is_evaluated = false;
  return true;
}

void cosim_multibody_defer_samples(cosim_part *base) { ((cosim_multibody *)base)->samples_wait = true; }

bool cosim_multibody_is_sample_due(const cosim_part *base) {
  const cosim_multibody *self = (const cosim_multibody *)base;
  return self->samples_wait && !self->is_before_kink && mbs_is_sample_due(self->sub->model, self->state);
}

void cosim_multibody_undo_start_samples(cosim_part *base) {
  cosim_multibody *self = (cosim_multibody *)base;
  const mbs_laws *laws = &self->sub->model->laws;
  if (laws->at[MBS_SAMPLED].n == 0)
    return;
  const double *first = self->undivided->initial + 6 * self->undivided->n_bodies;
  for (int i = 0; i <= laws->n_variables; i++) {
    const int k = laws->first_state + i;
    if (i == laws->n_variables || laws->variable[i].sample > 0)
      self->state->z[k] = first[self->sub->state_of[k]];
  }
  self->is_evaluated = false;
}

seam_status cosim_multibody_sample(cosim_part *base, seam_error *error) {
  cosim_multibody *self = (cosim_multibody *)base;
  mbs_integrator_begin_smooth(self->integrator, self->state->t);
  self->is_evaluated = self->first.is_evaluated = false;
  return mbs_sample(self->ws, self->state, error);
}

/* ---- Repeated samples ---- */

bool cosim_multibody_samples_inputs(const cosim_part *base) {
  const cosim_multibody *self = (const cosim_multibody *)base;
  bool reads = base->n_inputs > 0 && mbs_samples_read_forces(self->sub->model);
  for (int p = 0; p < self->sub->model->n_ports; p++)
    reads |= self->ports[p].def.kind == MBS_PORT_QUANTITY;
  return reads && self->sub->model->laws.at[MBS_SAMPLED].n > 0;
}

bool cosim_multibody_reads_at_samples(const cosim_part *base) {
  const mbs_laws *laws = &((const cosim_multibody *)base)->sub->model->laws;
  bool reads = false;
  for (mbs_eval_phase phase = MBS_EARLY; phase <= MBS_LATE; phase++)
    reads |= laws->at[phase].readout != NULL && laws->at[phase].readout->reads_inputs;
  return !reads && laws->at[MBS_SAMPLED].n > 0;
}

double cosim_multibody_next_sample(const cosim_part *base, double t) {
  return mbs_next_sample(((const cosim_multibody *)base)->sub->model, t);
}

bool cosim_multibody_undo_samples(cosim_part *base) {
  cosim_multibody *self = (cosim_multibody *)base;
  take_samples(self->sub->model, self->state, self->before_kink);
  self->is_evaluated = false;
  return mbs_is_sample_due(self->sub->model, self->state);
}
