#include "cosim/master/coupling.h"

#include <string.h>

int cosim_n_slots(const cosim_cut *cut) {
  const int *component;
  int n = 0;
  for (int v = 0; v < cut->scheme.n_variables; v++)
    n += cosim_components(cut->element, cut->scheme.variable[v].kind, &component);
  return n;
}

cosim_coupling cosim_coupling_of(const cosim_cut *cut, cosim_slot *slots, int first_unknown) {
  cosim_coupling self = {.cut = cut, .corrects = cosim_scheme_corrects(&cut->scheme), .first_unknown = first_unknown};
  for (int v = 0; v < cut->scheme.n_variables; v++) {
    cosim_quantity *q = &self.quantity[v];
    const int *component;
    q->variable = &cut->scheme.variable[v];
    q->n_slots = cosim_components(cut->element, q->variable->kind, &component);
    q->n_new = cosim_n_new(&cut->scheme, q->variable->kind);
    q->slots = slots;
    for (int i = 0; i < q->n_slots; i++)
      *slots++ = (cosim_slot){.component = component[i]};
    self.n_unknowns += q->n_slots * q->n_new;
  }
  return self;
}

void cosim_coupling_set_rules(cosim_coupling *self, const cosim_past *past) {
  const cosim_scheme *scheme = &self->cut->scheme;
  for (int v = 0; v < scheme->n_variables; v++) {
    cosim_quantity *q = &self->quantity[v];
    q->predictor = cosim_predictor_rule(scheme->order, past);
    q->corrector = self->corrects ? cosim_corrector_rule(scheme, q->variable->kind, past)
                                  : cosim_following_rule(scheme->order, past);
    for (int i = 0; i < q->corrector.n_new; i++)
      q->integral_new[i] = cosim_signal_integral(&q->corrector.of_new[i]);
    for (int i = 0; i < q->corrector.n_history; i++)
      q->integral_history[i] = cosim_signal_integral(&q->corrector.of_history[i]);
  }
}

/* ---- Signals ---- */

cosim_signal cosim_predicted_signal(const cosim_quantity *q, const cosim_slot *slot) {
  cosim_signal signal = {.n_pieces = 1};
  for (int i = 0; i < q->predictor.n_history; i++)
    cosim_signal_add(&signal, slot->history[i], &q->predictor.of_history[i]);
  return signal;
}

cosim_signal cosim_corrected_signal(const cosim_quantity *q, const cosim_slot *slot) {
  cosim_signal signal = {.n_pieces = 1};
  for (int i = 0; i < q->corrector.n_new; i++)
    cosim_signal_add(&signal, slot->value[i], &q->corrector.of_new[i]);
  for (int i = 0; i < q->corrector.n_history; i++)
    cosim_signal_add(&signal, slot->history[i], &q->corrector.of_history[i]);
  return signal;
}

void cosim_coupling_predict(cosim_coupling *self) {
  for (int v = 0; v < self->cut->scheme.n_variables; v++) {
    cosim_quantity *q = &self->quantity[v];
    for (cosim_slot *slot = q->slots; slot < q->slots + q->n_slots; slot++) {
      const cosim_signal signal = cosim_predicted_signal(q, slot);
      for (int j = 0; j < q->n_new; j++)
        slot->value[j] = cosim_signal_value(&signal, q->corrector.node[j]);
    }
  }
}

/* ---- Sides ---- */

int cosim_input_of(const cosim_cut *cut, int side, const cosim_variable *variable, int component) {
  const cosim_side *at = &cut->side[side];
  const int first[cosim_n_kinds] = {[COSIM_FORCE] = at->force_input,
                                    [COSIM_POSITION] = at->position_input,
                                    [COSIM_VELOCITY] = at->velocity_input,
                                    [COSIM_ACCELERATION] = at->acceleration_input};
  if ((variable->target >= 0 && variable->target != side) || first[variable->kind] < 0)
    return -1;
  if (variable->kind == COSIM_ACCELERATION)
    for (int row = 0; row < cut->element->n_dims; row++)
      if (cut->element->dim[row] == component)
        return first[COSIM_ACCELERATION] + row;
  if (variable->kind == COSIM_FORCE && cut->element->n_forces == COSIM_MAX_FORCES) {
    if (component == (side == 0 ? 3 : 2))
      return -1; /* each side has a torque of its own */
    if (component == 3)
      return first[COSIM_FORCE] + 2;
  }
  return first[variable->kind] + component;
}

double cosim_sign_on(int side, const cosim_variable *variable) {
  return variable->kind == COSIM_FORCE && side == 1 ? -1 : 1;
}

void cosim_take_outputs(const cosim_cut *cut, int side, const double *outputs, cosim_point *point) {
  const cosim_side *at = &cut->side[side];
  cosim_motion *m = &point->motion[side];
  for (int i = 0; i < cut->element->n_dims; i++) {
    const int c = cut->element->dim[i];
    m->x[c] = outputs[at->position + c];
    m->v[c] = outputs[at->velocity + c];
    if (at->acceleration >= 0)
      m->a[c] = outputs[at->acceleration + c];
    if (at->position_integral >= 0)
      m->p[c] = outputs[at->position_integral + c];
    if (at->multiplier >= 0)
      point->multiplier[side][i] = outputs[at->multiplier + i];
  }
}

/* ---- Approximations ---- */

static cosim_approximation approximate(const cosim_quantity *q, const cosim_slot *slot, double H) {
  cosim_approximation w = {.end = slot->value[0]};
  for (int i = 0; i < q->corrector.n_new; i++) {
    w.slope += slot->value[i] * q->corrector.end_slope_new[i] / H;
    w.integral += slot->value[i] * q->integral_new[i] * H;
    w.new_value[i] = slot->value[i];
  }
  for (int i = 0; i < q->corrector.n_history; i++) {
    w.slope += slot->history[i] * q->corrector.end_slope_history[i] / H;
    w.integral += slot->history[i] * q->integral_history[i] * H;
  }
  return w;
}

void cosim_take_approximations(cosim_coupling *self, double H) {
  for (int v = 0; v < self->cut->scheme.n_variables; v++) {
    const cosim_quantity *q = &self->quantity[v];
    for (const cosim_slot *slot = q->slots; slot < q->slots + q->n_slots; slot++)
      self->point.w[v][slot->component] = approximate(q, slot, H);
  }
}

void cosim_take_unit(const cosim_coupling *self, int variable, int new_value, double H, cosim_approximation *change) {
  const cosim_quantity *q = &self->quantity[variable];
  *change = (cosim_approximation){.end = new_value == 0,
                                  .slope = q->corrector.end_slope_new[new_value] / H,
                                  .integral = q->integral_new[new_value] * H};
  change->new_value[new_value] = 1;
}

/* ---- Past ---- */

double cosim_value_of(const cosim_cut *cut, const cosim_variable *variable, int component, const cosim_motion m[2],
                      const double *wrench) {
  double W[COSIM_MAX_FORCES];
  switch (variable->kind) {
  case COSIM_FORCE:
    if (wrench != NULL)
      return wrench[component];
    cut->element->ops->wrench(cut->element, m, W);
    return W[component];
  case COSIM_POSITION:
    return m[variable->source].x[component];
  case COSIM_VELOCITY:
    return m[variable->source].v[component];
  default:
    return m[variable->target < 0 ? 0 : variable->target].a[component];
  }
}

void cosim_slot_remember(cosim_slot *slot, double value) {
  memmove(slot->history + 1, slot->history, (COSIM_MAX_HISTORY - 1) * sizeof *slot->history);
  slot->history[0] = value;
}
