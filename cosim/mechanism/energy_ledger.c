#include "cosim/mechanism/energy_ledger.h"

double cosim_power_into(const cosim_motion *marker, const double *wrench) {
  return wrench[0] * marker->v[0] + wrench[1] * marker->v[1] + wrench[2] * marker->v[2];
}

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
