#include "cosim/mechanism/energy_ledger.h"

#include "base/largest.h"
#include "mbs/workspace.h"

/* ---- Between macro points ---- */

static mbs_power power_between(const cosim_mechanism_element *law, const cosim_step_interval *step,
                               const cosim_law_states *at, double s) {
  const cosim_motion m[2] = {cosim_motion_between(&step->begin->motion[0], &step->end->motion[0], step->H, s),
                             cosim_motion_between(&step->begin->motion[1], &step->end->motion[1], step->H, s)};
  double lambda[COSIM_MAX_DIMS] = {0};
  for (int i = 0; i < law->base.n_rows; i++)
    lambda[i] = (1 - s) * at->multipliers[0][i] + s * at->multipliers[1][i];
  double z[MBS_MAX_STATES] = {0};
  for (int i = 0; i < cosim_mechanism_states(law); i++)
    z[i] = (1 - s) * at->states[0][i] + s * at->states[1][i];
  return cosim_mechanism_power(law, step->t + s * step->H, m, lambda, z);
}

static const double node[3] = {0.11270166537925831, 0.5, 0.88729833462074169};
static const double weight[3] = {5. / 18, 8. / 18, 5. / 18};

/* ∫ P dt: exact for linear dampers on these cubics. */
static mbs_power integrate(const cosim_mechanism_element *law, const cosim_step_interval *step,
                           const cosim_law_states *at) {
  mbs_power sum = {0};
  for (int i = 0; i < 3; i++) {
    const mbs_power power = power_between(law, step, at, node[i]);
    sum.dissipated += weight[i] * step->H * power.dissipated;
    sum.driven += weight[i] * step->H * power.driven;
  }
  return sum;
}

/* Energy into the sides by the law itself: of the motion between them, and of each side. */
typedef struct flow {
  double between, sides; /* J, sizes */
  double force;          /* N or Nm */
} flow;

static void add_flow(const cosim_mechanism_element *law, const cosim_motion m[2], double seconds, flow *sum) {
  double W[COSIM_MAX_FORCES] = {0};
  law->base.ops->wrench(&law->base, m, W);
  const double on_second[3] = {-W[0], -W[1], law->base.n_forces == COSIM_MAX_FORCES ? -W[3] : -W[2]};
  const double power[2] = {cosim_power_into(&m[0], W), cosim_power_into(&m[1], on_second)};
  sum->between += seconds * fabs(power[0] + power[1]);
  sum->sides += seconds * (fabs(power[0]) + fabs(power[1])) / 2;
  sum->force = fmax(sum->force, largest_size(W, COSIM_MAX_FORCES));
}

/* ---- Ledgers ---- */

double cosim_power_into(const cosim_motion *marker, const double *wrench) {
  return wrench[0] * marker->v[0] + wrench[1] * marker->v[1] + wrench[2] * marker->v[2];
}

/* Where forces are far from those of the law, work says more than the law does. */
static void enter_flow(cosim_energy_ledger *self, const cosim_mechanism_element *law, const cosim_step_interval *step,
                       double work) {
  flow of_law = {0};
  for (int i = 0; i < 3; i++) {
    const cosim_motion m[2] = {cosim_motion_between(&step->begin->motion[0], &step->end->motion[0], step->H, node[i]),
                               cosim_motion_between(&step->begin->motion[1], &step->end->motion[1], step->H, node[i])};
    add_flow(law, m, weight[i] * step->H, &of_law);
  }
  self->flow += fmax(work, of_law.between) / 2;
  self->moved += fmax(work / 2, of_law.sides);
  self->force = fmax(self->force, of_law.force);
}

void cosim_energy_ledger_open(cosim_energy_ledger *self) {
  self->when_open = self->creation.residual_energy;
  self->largest_created = fmax(self->largest_created, fabs(self->when_open));
  self->passed = fmax(self->passed, self->flow);
  self->flow = 0;
}

void cosim_energy_ledger_enter(cosim_energy_ledger *self, const cosim_mechanism_element *law,
                               const cosim_step_interval *step, const cosim_law_states *at, double work,
                               double projected) {
  if (law->base.has_kinks)
    enter_flow(self, law, step, fabs(work - self->work));
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
