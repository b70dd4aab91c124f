#include "cosim/mechanism/energy_ledger.h"

#include "cosim/parts/signal.h"

/* ---- Couplings of the mechanism ---- */

void cosim_energy_ledger_enter(cosim_energy_ledger *self, const cosim_mechanism_element *law, double t,
                               const cosim_path *path, const cosim_law_states *at, double work, double projected) {
  double tau[COSIM_MAX_PATH_NODES], weight[COSIM_MAX_PATH_NODES];
  const int n = cosim_path_nodes(path, tau, weight);
  /* Energies that the element dissipates and supplies in the step, by Gauss's rule between neighbouring nodes. */
  mbs_power taken = {0};
  for (int k = 0; k < n; k++) {
    const double s = tau[k];
    cosim_motion m[2];
    double lambda[COSIM_MAX_DIMS] = {0};
    double z[MBS_MAX_STATES] = {0};
    cosim_path_at(path, s, m);
    for (int i = 0; i < law->base.n_rows; i++)
      lambda[i] = (1 - s) * at->multipliers[0][i] + s * at->multipliers[1][i];
    for (int i = 0; i < cosim_mechanism_states(law); i++)
      z[i] = (1 - s) * at->states[0][i] + s * at->states[1][i];
    const mbs_power power = cosim_mechanism_power(law, t + s * path->H, m, lambda, z);
    taken.dissipated += weight[k] * power.dissipated;
    taken.driven += weight[k] * power.driven;
  }
  const double stored =
      cosim_mechanism_potential(law, path->motion[path->n - 1]) - cosim_mechanism_potential(law, path->motion[0]);
  const double created = work - self->work + stored + taken.dissipated - taken.driven + projected;
  self->work = work;
  self->dissipated += taken.dissipated;
  self->driven += taken.driven;
  self->creation.residual_power = created / path->H;
  self->creation.residual_energy += created;
}

/* ---- Couplings of user parts ---- */

/* A coupling of user parts over one step. */
typedef struct coupling_step {
  const cosim_master *master;
  const cosim_coupling_def *def;
  const cosim_cut *cut;
  const cosim_snapshot *begin, *end;
} coupling_step;

/* Returns the force along coordinate i on a side with the motion m, at the time s H after the beginning of the step. */
static double force_on(const coupling_step *p, int side, int i, const cosim_motion *m, double s) {
  const cosim_side *at = &p->cut->side[side];
  const cosim_signal *inputs = p->master->parts->member[at->part].inputs;
  if (cosim_scheme_drives(&p->cut->scheme, side, COSIM_FORCE))
    return cosim_signal_value(&inputs[at->force_input + i], s);
  if (p->def->is_rigid) /* a side receives an acceleration: interpolates its force linearly */
    return (side == 0 ? 1 : -1) * ((1 - s) * p->begin->wrench[side][i] + s * p->end->wrench[side][i]);
  const double x = cosim_signal_value(&inputs[at->position_input + i], s);
  const double v = cosim_signal_value(&inputs[at->velocity_input + i], s);
  return p->def->stiffness[i] * (x - m->x[i]) + p->def->damping[i] * (v - m->v[i]);
}

static double spring_energy(const cosim_coupling_def *def, const cosim_motion m[2]) {
  double energy = 0;
  for (int i = 0; i < def->n_dims && !def->is_rigid; i++)
    energy += def->stiffness[i] / 2 * (m[1].x[i] - m[0].x[i]) * (m[1].x[i] - m[0].x[i]);
  return energy;
}

void cosim_part_ledger_enter(cosim_part_ledger *self, const cosim_coupling_def *def, const cosim_cut *cut,
                             const cosim_master *master, int number, double H) {
  const cosim_snapshot begin = self->last;
  const coupling_step p = {master, def, cut, &begin, &self->last};
  double tau[COSIM_MAX_PATH_NODES], weight[COSIM_MAX_PATH_NODES];
  double energy = 0;
  cosim_master_snapshot(master, number, &self->last);
  const cosim_path path = cosim_master_path(master, number, begin.motion, H);
  const int n = cosim_path_nodes(&path, tau, weight);
  for (int node = 0; node < n; node++) {
    cosim_motion m[2];
    double dissipated = 0;
    cosim_path_at(&path, tau[node], m);
    for (int i = 0; i < def->n_dims && !def->is_rigid; i++)
      dissipated += def->damping[i] * (m[1].v[i] - m[0].v[i]) * (m[1].v[i] - m[0].v[i]);
    energy += weight[node] * dissipated;
    for (int side = 0; side < 2; side++)
      for (int i = 0; i < def->n_dims; i++)
        energy += weight[node] * force_on(&p, side, i, &m[side], tau[node]) * m[side].v[i];
  }
  energy = energy + spring_energy(def, self->last.motion) - spring_energy(def, begin.motion);
  self->creation.residual_power = energy / H;
  self->creation.residual_energy += energy;
  self->creation.power = 0;
  for (int i = 0; i < def->n_dims; i++)
    self->creation.power += force_on(&p, 0, i, &self->last.motion[0], 1) * self->last.motion[0].v[i];
}
