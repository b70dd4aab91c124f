/* A mechanism under explicit exchange: the wiring makes its rounds, and where some cuts are under a master, this is in
 * one part of the exchange. */
#include <stdlib.h>
#include <string.h>

#include "cosim/mechanism/master_part.h"
#include "cosim/mechanism/simulation.h"

seam_status cosim_exchange_engine_create(cosim_simulation *self, const cosim_master_options *master,
                                         seam_error *error) {
  self->parts = calloc(self->partition.n_subsystems + 1, sizeof(cosim_part *));
  if (self->parts == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a co-simulation");
  const seam_status status =
      cosim_wiring_create(&self->partition, &self->options, master, self->parts, &self->wiring, error);
  if (status == SEAM_OK && self->wiring->master_part != NULL)
    self->master = cosim_master_part_master(self->wiring->master_part);
  return status;
}

/* ---- Start ---- */

static void start_parts(cosim_simulation *self, const mbs_state *state) {
  for (size_t s = 0; s < self->partition.n_subsystems; s++)
    if (cosim_is_mechanical(&self->partition, s))
      cosim_multibody_start(self->parts[s], state);
}

/* Own subsystems and signals between mechanical ones are unknown to the whole. */
int cosim_exchange_engine_past(const cosim_simulation *self) {
  bool known = self->options.exact_history && self->options.n_signals == 0;
  for (size_t s = 0; s < self->partition.n_subsystems; s++)
    known = known && cosim_is_mechanical(&self->partition, s);
  return known ? COSIM_MAX_HOLD + 1 : 1;
}

void cosim_exchange_engine_record(cosim_simulation *self, int number) {
  const cosim_parts *parts = self->wiring->exchange->parts;
  cosim_wiring_past *past = &self->wiring->past[number - 1];
  double *outputs = past->outputs;
  start_parts(self, self->before);
  past->t = self->before->t;
  for (const cosim_member *m = parts->member; m < parts->member + parts->n; m++) {
    m->part->ops->get_outputs(m->part, outputs);
    outputs += m->part->n_outputs;
  }
}

/* Records of the cuts under the master alone. */
static seam_status begin_master(cosim_simulation *self, const cosim_record *records, int n_past, seam_error *error) {
  const size_t n_cuts = self->partition.n_cuts;
  cosim_record *chosen = calloc((size_t)n_past * n_cuts + 1, sizeof *chosen);
  size_t n = 0;
  if (chosen == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the past of the mechanism");
  for (size_t i = 0; i < (size_t)n_past * n_cuts; i++)
    if (!self->partition.cuts[i % n_cuts].is_exchanged)
      chosen[n++] = records[i];
  cosim_master_begin(self->master, self->now->t, chosen, n_past);
  free(chosen);
  return SEAM_OK;
}

seam_status cosim_exchange_engine_begin(cosim_simulation *self, const cosim_record *records, int n_past,
                                        seam_error *error) {
  cosim_wiring *wiring = self->wiring;
  start_parts(self, self->now);
  seam_status status = self->master != NULL ? begin_master(self, records, n_past, error) : SEAM_OK;
  if (status == SEAM_OK)
    status = cosim_wiring_start(wiring, self->now->t, self->options.macro_step, error);
  if (status != SEAM_OK)
    return status;
  for (int i = 0; i + 1 < n_past; i++) {
    const double *outputs = wiring->past[i].outputs;
    for (int p = 0; p < wiring->exchange->n; p++) {
      cosim_exchange_remember(wiring->exchange, p, wiring->past[i].t, outputs);
      outputs += wiring->exchange->parts->member[p].part->n_outputs;
    }
  }
  wiring->rounds = 0;
  return SEAM_OK;
}

/* ---- Rounds ---- */

seam_status cosim_exchange_engine_advance(cosim_simulation *self, double H, seam_error *error) {
  const seam_status status = cosim_exchange_advance(self->wiring->exchange, H, error);
  self->wiring->rounds += status == SEAM_OK;
  return status;
}

/* The force on a side that is away, signed as on side 1. */
static void take_force(const cosim_simulation *self, const cosim_element_cut *cut, int side,
                       double W[COSIM_MAX_FORCES]) {
  const cosim_wiring *wiring = self->wiring;
  const bool own_torque = side == 1 && cut->law.base.n_forces == COSIM_MAX_FORCES;
  const double sign = side == 0 ? 1 : -1;
  double f[3];
  cosim_wiring_force(wiring, cut, side, f);
  W[0] = sign * f[0];
  W[1] = sign * f[1];
  W[own_torque ? 3 : 2] = sign * f[2];
}

void cosim_exchange_engine_sample(cosim_simulation *self, size_t number) {
  cosim_element_cut *cut = &self->partition.cuts[number];
  cut->law.z = self->now->z + cut->law.force.state;
  cosim_sight *sight = &self->sights[number];
  for (int side = 0; side < 2; side++)
    sight->motion[side] = cosim_marker_motion(self, cut, side, self->now);
  memset(sight->wrench, 0, sizeof sight->wrench);
  for (int side = 0; side < 2; side++)
    if (cut->is_remote[side])
      take_force(self, cut, side, sight->wrench[side]);
    else
      cut->law.base.ops->wrench(&cut->law.base, sight->motion, sight->wrench[side]);
}

/* ---- Control of the macro step ---- */

static int least_order(const cosim_exchange *exchange) {
  int order = COSIM_MAX_HOLD;
  for (const cosim_link *link = exchange->links; link < exchange->links + exchange->n_links; link++)
    order = link->order < order ? link->order : order;
  return order;
}

seam_status cosim_exchange_engine_control(cosim_simulation *self, seam_error *error) {
  const cosim_exchange *exchange = self->wiring->exchange;
  const cosim_step_indicator indicator = self->control.rule.indicator;
  self->control.rule.order = least_order(exchange);
  if (indicator == COSIM_ERROR_INDICATOR)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "step control by the local error repeats macro steps, which an explicit exchange of signals does "
                     "not: control by energy or prediction");
  if (indicator != COSIM_ENERGY_INDICATOR)
    return SEAM_OK;
  if (exchange->n_bonds == 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "step control by energy needs a power bond or an explicit fd or df coupling");
  for (const cosim_bond *bond = exchange->bonds; bond < exchange->bonds + exchange->n_bonds; bond++)
    if (!(bond->energy_scale > 0))
      return seam_fail(
          error, SEAM_BAD_INPUT,
          "step control by energy needs a positive energy scale at '%s', not %g J: set energy_scale there or of "
          "step_control",
          bond->name, bond->energy_scale);
  return SEAM_OK;
}

/* ---- Bonds and signals ---- */

size_t cosim_n_bonds(const cosim_simulation *self) { return self->options.n_bonds; }

const char *cosim_bond_name(const cosim_simulation *self, size_t bond) { return self->options.bonds[bond].name; }

cosim_bond_energy cosim_bond_energy_of(const cosim_simulation *self, size_t bond) {
  return cosim_exchange_energy(self->wiring->exchange, (int)bond);
}

size_t cosim_n_signals(const cosim_simulation *self) { return self->wiring == NULL ? 0 : self->wiring->n_signals; }

const char *cosim_signal_name(const cosim_simulation *self, size_t signal) {
  return self->wiring->signals[signal].name;
}

double cosim_signal_now(const cosim_simulation *self, size_t signal) {
  const cosim_user_signal *own = &self->wiring->signals[signal];
  return cosim_exchange_output(self->wiring->exchange, own->member, own->output);
}
