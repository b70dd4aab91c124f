#include "cosim/mechanism/energy_ledger.h"

/* Returns ∫ P dt over the step, exact for linear dampers if the markers move along the cubics. */
static mbs_power integrate(const cosim_mechanism_element *law, const cosim_step_interval *step,
                           const cosim_law_states *at) {
  static const double node[3] = {0.11270166537925831, 0.5, 0.88729833462074169};
  static const double weight[3] = {5. / 18, 8. / 18, 5. / 18};
  mbs_power sum = {0};
  for (int k = 0; k < 3; k++) {
    const double s = node[k];
    const cosim_motion m[2] = {cosim_motion_between(&step->begin->motion[0], &step->end->motion[0], step->H, s),
                               cosim_motion_between(&step->begin->motion[1], &step->end->motion[1], step->H, s)};
    double lambda[COSIM_MAX_DIMS] = {0};
    double z[MBS_MAX_STATES] = {0};
    for (int i = 0; i < law->base.n_rows; i++)
      lambda[i] = (1 - s) * at->multipliers[0][i] + s * at->multipliers[1][i];
    for (int i = 0; i < cosim_mechanism_states(law); i++)
      z[i] = (1 - s) * at->states[0][i] + s * at->states[1][i];
    const mbs_power power = cosim_mechanism_power(law, step->t + s * step->H, m, lambda, z);
    sum.dissipated += weight[k] * step->H * power.dissipated;
    sum.driven += weight[k] * step->H * power.driven;
  }
  return sum;
}

double cosim_power_into(const cosim_motion *marker, const double *wrench) {
  return wrench[0] * marker->v[0] + wrench[1] * marker->v[1] + wrench[2] * marker->v[2];
}

void cosim_energy_ledger_enter(cosim_energy_ledger *self, const cosim_mechanism_element *law,
                               const cosim_step_interval *step, const cosim_law_states *at, double work,
                               double projected) {
  const mbs_power taken = integrate(law, step, at);
  const double stored =
      cosim_mechanism_potential(law, step->end->motion) - cosim_mechanism_potential(law, step->begin->motion);
  const double created = work - self->work + stored + taken.dissipated - taken.driven + projected;
  self->work = work;
  self->dissipated += taken.dissipated;
  self->driven += taken.driven;
  self->creation.residual_power = created / step->H;
  self->creation.residual_energy += created;
}
