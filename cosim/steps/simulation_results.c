/* Results: states of the undivided mechanism at and between macro points, couplings and their energies. Results of an
 * item that does not exist are NULL, SEAM_NONE or NaN. */
#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "cosim/parts/signal.h"
#include "cosim/steps/simulation.h"
#include "cosim/thresholds.h"
#include "mbs/dynamics/responses.h"
#include "mbs/integrate/kinks.h"
#include "mbs/model/laws.h"
#include "mbs/stages/stages.h"

const mbs_state *cosim_state(const cosim_simulation *self) { return self == NULL ? NULL : self->now; }

/* Returns the state at the end of the last step, before a kink or jump there. */
static const mbs_state *end_of_step(const cosim_simulation *self) {
  return self->is_beyond_kink ? self->end : self->now;
}

const mbs_state *cosim_state_before_jump(const cosim_simulation *self) {
  const bool has_one = self != NULL && self->has_started && (self->is_beyond_kink || self->is_at_switch);
  return has_one ? end_of_step(self) : NULL;
}

bool cosim_has_switched_inside(const cosim_simulation *self) {
  for (size_t k = 0; self != NULL && self->has_started && k < self->partition.n_mechanical; k++)
    if (cosim_multibody_last_switch(self->partition.mechanical[k]) > self->before->t)
      return true;
  return false;
}

void cosim_state_between(const cosim_simulation *self, double t, mbs_state *state) {
  if (self == NULL || !mbs_state_fits(self->model, state))
    return;
  const mbs_state *a = self->before;
  const mbs_state *b = end_of_step(self);
  const double H = self->now->t - a->t;
  const double s = H > 0 ? (t - a->t) / H : 1;
  const bool is_inside = s > cosim_same_time && s < 1 - cosim_same_time;
  if (!(s >= -cosim_same_time && s <= 1 + cosim_same_time)) {
    mbs_fill_nan(state->q, state->n_values);
    state->t = t;
    return;
  }
  for (size_t i = 0; i < b->n_values; i++)
    state->q[i] = a->q[i] + s * (b->q[i] - a->q[i]);
  state->t = a->t + s * (b->t - a->t);
  for (size_t k = 0; k < self->partition.n_mechanical && b->t > a->t; k++)
    cosim_multibody_between(self->partition.mechanical[k], a, b, state->t, state);
  if (is_inside && cosim_takes_long_steps(self)) { /* a and lambda are those of the undivided mechanism */
    /* Work is interpolated by the cubic through work and power at both macro points. */
    const mbs_state *ends[2] = {a, b};
    cosim_end_powers *powers = self->powers;
    for (int i = 0; i < 2 && !powers->are_known; i++) { /* evaluated with the laws of time that are valid in the step */
      mbs_state_copy(self->scratch, ends[i]);
      (void)mbs_begin_smooth(self->ws, a->t);
      (void)mbs_evaluate(self->ws, self->scratch, NULL);
      mbs_powers(self->ws, i == 0 ? powers->begin : powers->end);
    }
    powers->are_known = true;
    for (int i = 0; i < 2; i++)
      state->work[i] = cosim_cubic_at((cosim_cubic){a->work[i], powers->begin[i]},
                                      (cosim_cubic){b->work[i], powers->end[i]}, b->t - a->t, s)
                           .x;
    (void)mbs_begin_smooth(self->ws, state->t);
    (void)mbs_evaluate(self->ws, state, NULL);
  }
  state->t = t;
  mbs_copy_constant_states(self->model, a, self->now, state);
}

/* ---- Accelerations and reactions between macro points ---- */

/* Sets `deviations` to a, lambda and contact of the parts at a macro point minus those of the undivided mechanism in
 * the same state. Extrapolated signals and coupling errors cause the deviations. Between macro points accelerations may
 * vary arbitrarily, for instance by a law of time whose period is the macro step. Therefore only deviations are
 * interpolated, and added to values of the undivided mechanism. Returns false if the evaluation fails. */
static bool compare_end(const cosim_simulation *self, const mbs_state *end, double *deviations) {
  mbs_state_copy(self->scratch, end);
  (void)mbs_begin_smooth(self->ws, self->before->t);
  if (mbs_evaluate(self->ws, self->scratch, NULL) != SEAM_OK)
    return false;
  for (size_t i = 0; i < mbs_n_evaluated(self->model); i++)
    deviations[i] = end->a[i] - self->scratch->a[i];
  return true;
}

void cosim_evaluate_between(const cosim_simulation *self, double t, mbs_state *state) {
  cosim_state_between(self, t, state);
  if (self == NULL || cosim_takes_long_steps(self) || !isfinite(state->a[0]))
    return;
  const mbs_state *b = end_of_step(self);
  cosim_end_powers *ends = self->powers;
  if (!ends->are_compared)
    ends->are_compared =
        compare_end(self, self->before, ends->deviations[0]) && compare_end(self, b, ends->deviations[1]);
  (void)mbs_begin_smooth(self->ws, t);
  mbs_state_copy(self->scratch, state);
  if (!ends->are_compared || mbs_evaluate(self->ws, self->scratch, NULL) != SEAM_OK)
    return;
  const double s = (t - self->before->t) / (b->t - self->before->t);
  for (size_t i = 0; i < mbs_n_evaluated(self->model); i++)
    state->a[i] = self->scratch->a[i] + ends->deviations[0][i] + s * (ends->deviations[1][i] - ends->deviations[0][i]);
}

/* ---- Couplings ---- */

size_t cosim_n_couplings(const cosim_simulation *self) { return self == NULL ? 0 : self->partition.n_cuts; }

static const cosim_element_cut *cut_at(const cosim_simulation *self, size_t coupling) {
  return coupling < cosim_n_couplings(self) ? &self->partition.cuts[coupling] : NULL;
}

cosim_coupling_info cosim_coupling_of(const cosim_simulation *self, size_t coupling) {
  const cosim_element_cut *cut = cut_at(self, coupling);
  if (cut == NULL)
    return (cosim_coupling_info){.element = SEAM_NONE, .subsystems = {SEAM_NONE, SEAM_NONE}};
  return (cosim_coupling_info){.name = cut->base.name,
                               .scheme = cut->base.scheme.name,
                               .is_joint = cut->is_joint,
                               .is_exchanged = cut->is_exchanged,
                               .element = cut->element,
                               .subsystems = {cut->subsystem[0], cut->subsystem[1]}};
}

void cosim_coupling_wrenches(const cosim_simulation *self, size_t coupling, double wrench[2][3]) {
  const cosim_element_cut *cut = cut_at(self, coupling);
  if (cut == NULL) {
    mbs_fill_nan(wrench[0], 6);
    return;
  }
  const bool has_torque_2 = cut->law.base.n_forces == COSIM_MAX_FORCES;
  const cosim_snapshot *now = &cut->now.snapshot;
  for (int i = 0; i < 3; i++) {
    wrench[0][i] = now->wrench[0][i];
    wrench[1][i] = -now->wrench[1][i == 2 && has_torque_2 ? 3 : i];
  }
}

size_t cosim_coupling_residuals(const cosim_simulation *self, size_t coupling, double g[3], double gd[3],
                                double gdd[3]) {
  const cosim_element_cut *cut = cut_at(self, coupling);
  if (cut == NULL || cut->law.base.n_rows == 0)
    return 0;
  const cosim_element *element = &cut->law.base;
  element->ops->residuals(element, self->now->t, cut->now.snapshot.motion, g, gd, gdd);
  return (size_t)element->n_rows;
}

static const cosim_bond_energy no_energy = {NAN, NAN, NAN};

double cosim_coupling_created(const cosim_simulation *self, size_t coupling) {
  const cosim_element_cut *cut = cut_at(self, coupling);
  return cut == NULL ? NAN : cut->now.ledger.creation.residual_energy;
}

cosim_bond_energy cosim_coupling_energy(const cosim_simulation *self, size_t coupling) {
  const cosim_element_cut *cut = cut_at(self, coupling);
  if (cut == NULL)
    return no_energy;
  return cut->is_exchanged ? self->engine->exchange->bonds[cut->bond].energy : cut->now.ledger.creation;
}

/* ---- Bonds and signals ---- */

size_t cosim_n_bonds(const cosim_simulation *self) { return self == NULL ? 0 : self->definition.n_bonds; }

const char *cosim_bond_name(const cosim_simulation *self, size_t bond) {
  return bond < cosim_n_bonds(self) ? self->definition.bonds[bond].name : NULL;
}

cosim_bond_energy cosim_bond_energy_of(const cosim_simulation *self, size_t bond) {
  return bond < cosim_n_bonds(self) ? self->engine->exchange->bonds[bond].energy : no_energy;
}

size_t cosim_n_signals(const cosim_simulation *self) { return self == NULL ? 0 : self->partition.n_signals; }

cosim_signal_info cosim_signal_of(const cosim_simulation *self, size_t signal) {
  if (signal >= cosim_n_signals(self))
    return (cosim_signal_info){0};
  const cosim_result_signal *at = &self->partition.signals[signal];
  const bool *of_step = self->partition.parts[at->subsystem]->of_step;
  return (cosim_signal_info){at->name, at->unit, at->meaning, of_step != NULL && of_step[at->output]};
}

double cosim_signal_now(const cosim_simulation *self, size_t signal) {
  if (signal >= cosim_n_signals(self))
    return NAN;
  const cosim_result_signal *at = &self->partition.signals[signal];
  if (!at->is_skipped)
    return self->signals[signal];
  if (!self->has_started || self->is_broken)
    return NAN;
  cosim_part *part = self->partition.parts[at->subsystem];
  part->ops->get_outputs(part, self->partition.outputs);
  return self->partition.outputs[at->output];
}

/* ---- Couplings of user parts ---- */

size_t cosim_n_part_couplings(const cosim_simulation *self) {
  return self == NULL ? 0 : self->partition.n_part_couplings;
}

const cosim_coupling_def *cosim_part_coupling(const cosim_simulation *self, size_t coupling) {
  return coupling < cosim_n_part_couplings(self) ? &self->definition.part_couplings[coupling] : NULL;
}

void cosim_part_coupling_wrench(const cosim_simulation *self, size_t coupling, double lambda[3]) {
  double W[COSIM_MAX_FORCES];
  mbs_fill_nan(lambda, COSIM_MAX_DIMS);
  if (coupling >= cosim_n_part_couplings(self))
    return;
  cosim_master_wrench(self->engine->master, (int)coupling, W);
  memcpy(lambda, W, COSIM_MAX_DIMS * sizeof *lambda);
}

cosim_bond_energy cosim_part_coupling_energy(const cosim_simulation *self, size_t coupling) {
  return coupling < cosim_n_part_couplings(self) ? self->partition.part_couplings[coupling].ledger.creation : no_energy;
}

void cosim_set_multipliers(cosim_simulation *self, size_t coupling, const double lambda[3]) {
  if (coupling < cosim_n_part_couplings(self) && self->has_started && finite_all(lambda, COSIM_MAX_DIMS))
    cosim_master_set_wrench(self->engine->master, (int)coupling, lambda);
}

/* ---- Diagnostics of the exchange ---- */

bool cosim_worst_hold(const cosim_simulation *self, cosim_hold_error *found) {
  return self != NULL && found != NULL && cosim_exchange_worst_hold(self->engine->exchange, found);
}

bool cosim_most_limited(const cosim_simulation *self, cosim_limit_reached *found) {
  return self != NULL && found != NULL && cosim_exchange_most_limited(self->engine->exchange, found);
}

const char *cosim_unidentified_part(const cosim_simulation *self) {
  return self == NULL ? NULL : cosim_exchange_unidentified_part(self->engine->exchange);
}
