#include "cosim/mechanism/energy_ledger.h"

#include "mbs/workspace.h"

/* ---- Between macro points ---- */

/* With s = τ / H and the change Δ over the step: x = x0 + H v0 s + (3 Δ - H (2 v0 + v1)) s² + (H (v0 + v1) - 2 Δ) s³.
 */
static cosim_motion motion_between(const cosim_motion *begin, const cosim_motion *end, double H, double s) {
  cosim_motion m = {.x = {0}};
  for (int i = 0; i < COSIM_MAX_DIMS; i++) {
    const double change = end->x[i] - begin->x[i];
    const double square = 3 * change - H * (2 * begin->v[i] + end->v[i]);
    const double cube = H * (begin->v[i] + end->v[i]) - 2 * change;
    m.x[i] = begin->x[i] + s * (H * begin->v[i] + s * (square + s * cube));
    m.v[i] = begin->v[i] + s * (2 * square + 3 * s * cube) / H;
  }
  return m;
}

static mbs_power power_between(const cosim_mechanism_element *law, const cosim_step_interval *p, double s) {
  const cosim_motion m[2] = {motion_between(&p->motion[0][0], &p->motion[1][0], p->H, s),
                             motion_between(&p->motion[0][1], &p->motion[1][1], p->H, s)};
  double lambda[COSIM_MAX_DIMS] = {0};
  for (int i = 0; i < law->base.n_rows; i++)
    lambda[i] = (1 - s) * p->multipliers[0][i] + s * p->multipliers[1][i];
  double z[MBS_MAX_STATES] = {0};
  for (int i = 0; i < cosim_mechanism_states(law); i++)
    z[i] = (1 - s) * p->states[0][i] + s * p->states[1][i];
  return cosim_mechanism_power(law, p->t + s * p->H, m, lambda, z);
}

/* ∫ P dt: exact for linear dampers on these cubics. */
static mbs_power integrate(const cosim_mechanism_element *law, const cosim_step_interval *p) {
  static const double node[3] = {0.11270166537925831, 0.5, 0.88729833462074169};
  static const double weight[3] = {5. / 18, 8. / 18, 5. / 18};
  mbs_power sum = {0};
  for (int i = 0; i < 3; i++) {
    const mbs_power power = power_between(law, p, node[i]);
    sum.dissipated += weight[i] * p->H * power.dissipated;
    sum.driven += weight[i] * p->H * power.driven;
  }
  return sum;
}

/* ---- Accounts ---- */

double cosim_power_into(const cosim_motion *marker, const double *wrench) {
  return wrench[0] * marker->v[0] + wrench[1] * marker->v[1] + wrench[2] * marker->v[2];
}

void cosim_energy_ledger_enter(cosim_energy_ledger *self, const cosim_mechanism_element *law,
                               const cosim_step_interval *interval, double work, double projected) {
  const mbs_power taken = integrate(law, interval);
  const double stored =
      cosim_mechanism_potential(law, interval->motion[1]) - cosim_mechanism_potential(law, interval->motion[0]);
  const double created = work - self->work + stored + taken.dissipated - taken.driven + projected;
  self->work = work;
  self->dissipated += taken.dissipated;
  self->driven += taken.driven;
  self->creation.residual_power = created / interval->H;
  self->creation.residual_energy += created;
}

double cosim_energy_of_parts(mbs_workspace *ws, const cosim_partition *partition, const mbs_state *state) {
  double energy = mbs_energy_of(ws, state).total;
  for (size_t k = 0; k < partition->n_cuts; k++) {
    const cosim_element_cut *cut = &partition->cuts[k];
    if (cut->is_joint)
      continue;
    const mbs_force *force = &partition->model->forces[cut->element];
    const mbs_pair pair = mbs_force_pair(force, ws->frames);
    energy -= force->type->potential == NULL ? 0 : force->type->potential(force, &pair);
  }
  return energy;
}
