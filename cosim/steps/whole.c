/* The state of the undivided mechanism at macro points, assembled from parts and couplings, with energies and signals.
 * Cut elements belong to no part; their work is in the energy ledgers of couplings. */
#include <string.h>

#include "cosim/steps/simulation.h"
#include "mbs/integrate/kinks.h"

/* Returns the multipliers of a cut joint in a state of the undivided mechanism; for a force element they are unused. */
static double *multipliers_of(const cosim_simulation *self, const cosim_element_cut *cut, const mbs_state *state) {
  return state->lambda + (cut->is_joint ? self->model->joints[cut->element].row : 0);
}

double cosim_present_power(const cosim_element_cut *cut) {
  const double *v = cut->now.snapshot.motion[0].v;
  const double *wrench = cut->now.snapshot.wrench[0];
  return wrench[0] * v[0] + wrench[1] * v[1] + wrench[2] * v[2];
}

void cosim_simulation_sample_undivided(const cosim_simulation *self, const mbs_state *state,
                                       cosim_snapshot *snapshots) {
  for (size_t k = 0; k < self->partition.n_cuts; k++) {
    cosim_element_cut *cut = &self->partition.cuts[k];
    const cosim_element *element = &cut->law.base;
    cosim_snapshot *now = &snapshots[k];
    cut->law.z = state->z + cut->law.force.state;
    memset(now, 0, sizeof *now);
    cosim_marker_motions(&self->partition, cut, state, now->motion);
    if (cut->is_joint) {
      double S[COSIM_MAX_FORCES][COSIM_MAX_DIMS];
      const double *lambda = state->lambda + self->model->joints[cut->element].row;
      element->ops->wrench_map(element, now->motion, S);
      for (int i = 0; i < COSIM_MAX_FORCES; i++)
        for (int row = 0; row < element->n_rows; row++)
          now->wrench[0][i] += S[i][row] * lambda[row];
    } else
      element->ops->wrench(element, now->motion, now->wrench[0]);
    memcpy(now->wrench[1], now->wrench[0], sizeof now->wrench[0]);
  }
}

/* Stores the snapshot of a coupling at the present macro point. If it cuts a joint, the joint's multipliers in
 * self->now become those of the transmitted wrench. */
static void sample(cosim_simulation *self, cosim_element_cut *cut) {
  const cosim_snapshot *now = &cut->now.snapshot;
  cosim_engine_sample(self->engine, cut, self->now);
  if (cut->is_joint)
    cosim_mechanism_multipliers(&cut->law, now->motion, now->wrench[0], multipliers_of(self, cut, self->now));
}

void cosim_simulation_copy_outputs(cosim_simulation *self) {
  for (const cosim_result_signal *at = self->partition.signals;
       at < self->partition.signals + self->partition.n_signals; at++)
    if (at->variable != SEAM_NONE)
      self->now->z[mbs_variable_of(self->model, at->variable).state] =
          cosim_engine_output(self->engine, at->subsystem, at->output);
}

static void write_parts(cosim_simulation *self) {
  memcpy(self->now->work, self->start_work, sizeof self->start_work);
  for (size_t k = 0; k < self->partition.n_mechanical; k++)
    cosim_multibody_write(self->partition.mechanical[k], self->now);
  self->now->t = self->engine->exchange->t;
  cosim_simulation_copy_outputs(self);
}

static void add_work_of_cuts(cosim_simulation *self) {
  for (size_t k = 0; k < self->partition.n_cuts; k++) {
    self->now->work[0] += self->partition.cuts[k].now.ledger.dissipated;
    self->now->work[1] += self->partition.cuts[k].now.ledger.driven;
  }
}

void cosim_simulation_assemble(cosim_simulation *self, double H) {
  write_parts(self);
  for (size_t k = 0; k < self->partition.n_cuts; k++) {
    cosim_element_cut *cut = &self->partition.cuts[k];
    const cosim_snapshot before = cut->now.snapshot;
    sample(self, cut);
    const cosim_path path =
        cut->is_exchanged
            ? (cosim_path){.H = H, .tau = {0, 1}, .motion = {before.motion, cut->now.snapshot.motion}, .n = 2}
            : cosim_master_path(self->engine->master, cut->master_index, before.motion, H);
    const cosim_law_states at = {
        .multipliers = {multipliers_of(self, cut, self->before), multipliers_of(self, cut, self->now)},
        .states = {self->before->z + cut->law.force.state, self->now->z + cut->law.force.state}};
    double work = 0; /* J, work on the subsystems through the ports */
    for (int side = 0; side < 2; side++)
      if (cut->port[side] >= 0)
        work += cosim_multibody_work(self->partition.parts[cut->subsystem[side]], cut->port[side]);
    cosim_energy_ledger_enter(&cut->now.ledger, &cut->law, self->before->t, &path, &at, work,
                              cut->base.scheme.method == COSIM_PROJECTION ? self->projected : 0);
    cut->now.ledger.creation.power = cosim_present_power(cut);
  }
  for (size_t k = 0; k < self->partition.n_part_couplings; k++) {
    cosim_part_cut *coupling = &self->partition.part_couplings[k];
    cosim_part_ledger_enter(&coupling->ledger, &self->definition.part_couplings[k], &coupling->base,
                            self->engine->master, (int)k, H);
  }
  add_work_of_cuts(self);
}

void cosim_simulation_assemble_present(cosim_simulation *self) {
  write_parts(self);
  add_work_of_cuts(self);
  for (size_t k = 0; k < self->partition.n_cuts; k++)
    sample(self, &self->partition.cuts[k]);
}

void cosim_simulation_copy_signals(cosim_simulation *self) {
  for (size_t i = 0; i < self->partition.n_signals; i++) {
    const cosim_result_signal *at = &self->partition.signals[i];
    self->signals[i] = cosim_engine_output(self->engine, at->subsystem, at->output);
  }
}

void cosim_simulation_follow_parts(cosim_simulation *self) {
  cosim_engine_update(self->engine);
  cosim_simulation_assemble_present(self);
  cosim_simulation_copy_signals(self);
}

seam_status cosim_extrapolate_state(cosim_simulation *self, const mbs_state *from, double h, seam_error *error) {
  mbs_state *to = self->scratch;
  mbs_state_copy(to, from);
  to->t = from->t + h;
  for (size_t i = 0; i < 3 * (size_t)self->model->n_bodies; i++) {
    to->q[i] += h * (from->v[i] + h / 2 * from->a[i]);
    to->v[i] += h * from->a[i];
  }
  (void)mbs_begin_smooth(self->ws, from->t);
  return mbs_evaluate(self->ws, to, error);
}
