/* Samples at the ends of steps, under the inputs of the next one: they wait for them, or happen anew. */
#include <string.h>

#include "cosim/parts/multibody_internal.h"

/* Sampled variables apart. */
static bool is_same_motion(const mbs_model *model, const mbs_state *a, const mbs_state *b) {
  const size_t n = 3 * (size_t)model->n_bodies * sizeof(double);
  bool is_same = memcmp(a->q, b->q, n) == 0 && memcmp(a->v, b->v, n) == 0;
  for (int k = 0; k < model->laws.first_state; k++)
    is_same = is_same && a->z[k] == b->z[k];
  return is_same;
}

void cosim_multibody_let_sample_wait(cosim_multibody *self) {
  const bool waits = self->samples_wait && self->is_before_kink && mbs_is_sample_due(self->sub->model, self->state) &&
                     is_same_motion(self->sub->model, self->state, self->beyond_kink);
  if (!waits)
    return;
  self->is_before_kink = false;
  self->ws->smooth.from = NAN; /* to be found anew */
}

void cosim_multibody_let_samples_wait(cosim_part *base) { ((cosim_multibody *)base)->samples_wait = true; }

bool cosim_multibody_is_sample_due(const cosim_part *base) {
  const cosim_multibody *self = (const cosim_multibody *)base;
  return self->samples_wait && !self->is_before_kink && mbs_is_sample_due(self->sub->model, self->state);
}

void cosim_multibody_forget_samples(cosim_part *base) {
  cosim_multibody *self = (cosim_multibody *)base;
  const mbs_laws *laws = &self->sub->model->laws;
  if (laws->at[MBS_SAMPLED].n == 0)
    return;
  const double *first = self->whole->initial + 6 * self->whole->n_bodies;
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

/* ---- Anew ---- */

bool cosim_multibody_samples_inputs(const cosim_part *base) {
  const cosim_multibody *self = (const cosim_multibody *)base;
  bool reads = base->n_inputs > 0 && mbs_samples_follow(self->sub->model);
  for (int p = 0; p < self->sub->model->n_ports; p++)
    reads |= self->ports[p].def.kind == MBS_PORT_QUANTITY;
  return reads && self->sub->model->laws.at[MBS_SAMPLED].n > 0;
}

double cosim_multibody_next_sample(const cosim_part *base, double t) {
  return mbs_next_sample(((const cosim_multibody *)base)->sub->model, t);
}

bool cosim_multibody_take_back_samples(cosim_part *base) {
  cosim_multibody *self = (cosim_multibody *)base;
  const mbs_laws *laws = &self->sub->model->laws;
  for (int i = 0; i <= laws->n_variables; i++) /* the last one: the time of the last sample */
    if (i == laws->n_variables || laws->variable[i].sample > 0)
      self->state->z[laws->first_state + i] = self->before_kink->z[laws->first_state + i];
  self->is_evaluated = false;
  return mbs_is_sample_due(self->sub->model, self->state);
}
