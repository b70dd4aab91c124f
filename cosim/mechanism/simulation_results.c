/* Results of a co-simulation of a mechanism: the whole at and between macro points, its couplings and their energies.
 */
#include <string.h>

#include "cosim/mechanism/simulation.h"

const mbs_state *cosim_state(const cosim_simulation *self) { return self->now; }

void cosim_state_between(const cosim_simulation *self, double t, mbs_state *state) {
  const mbs_state *a = self->before;
  const mbs_state *b = self->now;
  const size_t n = 3 * (size_t)self->model->n_bodies;
  const double H = b->t - a->t;
  const double s = H > 0 ? (t - a->t) / H : 1;
  for (size_t i = 0; i < b->n_values; i++)
    state->q[i] = a->q[i] + s * (b->q[i] - a->q[i]);
  for (size_t i = 0; i < n && H > 0; i++) {
    const cosim_cubic at = cosim_cubic_at((cosim_cubic){a->q[i], a->v[i]}, (cosim_cubic){b->q[i], b->v[i]}, H, s);
    state->q[i] = at.x;
    state->v[i] = at.v;
  }
  state->t = t;
}

size_t cosim_n_couplings(const cosim_simulation *self) { return self->partition.n_cuts; }

const char *cosim_coupling_name(const cosim_simulation *self, size_t coupling) {
  return self->partition.cuts[coupling].name;
}

const char *cosim_coupling_scheme(const cosim_simulation *self, size_t coupling) {
  return self->partition.cuts[coupling].scheme;
}

bool cosim_coupling_is_joint(const cosim_simulation *self, size_t coupling) {
  return self->partition.cuts[coupling].is_joint;
}

size_t cosim_coupling_element(const cosim_simulation *self, size_t coupling) {
  return self->partition.cuts[coupling].element;
}

bool cosim_coupling_is_exchanged(const cosim_simulation *self, size_t coupling) {
  return self->partition.cuts[coupling].is_exchanged;
}

void cosim_coupling_subsystems(const cosim_simulation *self, size_t coupling, size_t subsystems[2]) {
  memcpy(subsystems, self->partition.cuts[coupling].subsystem, 2 * sizeof *subsystems);
}

void cosim_coupling_wrenches(const cosim_simulation *self, size_t coupling, double wrench[2][3]) {
  const bool own_torque = self->partition.cuts[coupling].law.base.n_forces == COSIM_MAX_FORCES;
  const cosim_snapshot *now = &self->snapshots[coupling];
  for (int i = 0; i < 3; i++) {
    wrench[0][i] = now->wrench[0][i];
    wrench[1][i] = -now->wrench[1][i == 2 && own_torque ? 3 : i];
  }
}

size_t cosim_coupling_residuals(const cosim_simulation *self, size_t coupling, double g[3], double gd[3],
                                double gdd[3]) {
  const cosim_element *element = &self->partition.cuts[coupling].law.base;
  if (element->n_rows > 0)
    element->ops->residuals(element, self->now->t, self->snapshots[coupling].motion, g, gd, gdd);
  return (size_t)element->n_rows;
}

double cosim_coupling_created(const cosim_simulation *self, size_t coupling) {
  return self->ledgers[coupling].creation.residual_energy;
}

cosim_bond_energy cosim_coupling_energy(const cosim_simulation *self, size_t coupling) {
  return self->partition.cuts[coupling].is_exchanged ? self->engine->ops->energy_of_cut(self->engine, coupling)
                                                     : self->ledgers[coupling].creation;
}

/* ---- Bonds and signals ---- */

size_t cosim_n_bonds(const cosim_simulation *self) { return self->definition.n_bonds; }

const char *cosim_bond_name(const cosim_simulation *self, size_t bond) { return self->definition.bonds[bond].name; }

cosim_bond_energy cosim_bond_energy_of(const cosim_simulation *self, size_t bond) {
  return self->engine->ops->energy_of_bond(self->engine, bond);
}

size_t cosim_n_signals(const cosim_simulation *self) { return self->partition.n_signals; }

const char *cosim_signal_name(const cosim_simulation *self, size_t signal) {
  return self->partition.signals[signal].name;
}

double cosim_signal_now(const cosim_simulation *self, size_t signal) {
  const cosim_user_signal *at = &self->partition.signals[signal];
  return self->engine->ops->output(self->engine, at->subsystem, at->output);
}

/* ---- Couplings of user parts ---- */

size_t cosim_n_part_couplings(const cosim_simulation *self) { return self->partition.n_part_couplings; }

void cosim_part_coupling_wrench(const cosim_simulation *self, size_t coupling, double lambda[3]) {
  double W[COSIM_MAX_FORCES];
  cosim_master_wrench(self->engine->master, (int)coupling, W);
  memcpy(lambda, W, COSIM_MAX_DIMS * sizeof *lambda);
}

void cosim_set_multipliers(cosim_simulation *self, size_t coupling, const double lambda[3]) {
  cosim_master_set_wrench(self->engine->master, (int)coupling, lambda);
}
