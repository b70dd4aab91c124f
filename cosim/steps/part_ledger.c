#include "cosim/mechanism/part_ledger.h"

#include "cosim/parts/signal.h"
#include "cosim/steps/simulation.h"

/* A coupling of user parts over one step. */
typedef struct coupling_step {
  const cosim_master *master;
  const cosim_coupling_def *def;
  const cosim_cut *cut;
  const cosim_snapshot *begin, *end;
} coupling_step;

/* Returns the force along coordinate i on a side whose motion is m, at the time s H after the beginning of the step. */
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

void cosim_part_ledgers_begin(cosim_simulation *self) {
  for (size_t k = 0; k < self->partition.n_part_couplings; k++) {
    cosim_part_ledger *ledger = &self->partition.part_couplings[k].ledger;
    *ledger = (cosim_part_ledger){0};
    cosim_master_snapshot(self->engine->master, (int)k, &ledger->last);
  }
}

/* The energy that a coupling creates in a step, J, is the work on both sides + energy dissipated by the damper + change
 * of the energy stored in the spring. Work and dissipation are integrated by Gauss's rule. */
void cosim_part_ledgers_enter(cosim_simulation *self, double H) {
  const cosim_master *master = self->engine->master;
  for (size_t k = 0; k < self->partition.n_part_couplings; k++) {
    const cosim_coupling_def *def = &self->definition.part_couplings[k];
    cosim_part_cut *coupling = &self->partition.part_couplings[k];
    cosim_part_ledger *ledger = &coupling->ledger;
    const cosim_snapshot begin = ledger->last;
    const coupling_step p = {master, def, &coupling->base, &begin, &ledger->last};
    double tau[COSIM_MAX_PATH_NODES], weight[COSIM_MAX_PATH_NODES];
    double energy = 0;
    cosim_master_snapshot(master, (int)k, &ledger->last);
    const cosim_path path = cosim_master_path(master, (int)k, begin.motion, H);
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
    energy = energy + spring_energy(def, ledger->last.motion) - spring_energy(def, begin.motion);
    ledger->creation.residual_power = energy / H;
    ledger->creation.residual_energy += energy;
    ledger->creation.power = 0;
    for (int i = 0; i < def->n_dims; i++)
      ledger->creation.power += force_on(&p, 0, i, &ledger->last.motion[0], 1) * ledger->last.motion[0].v[i];
  }
}
