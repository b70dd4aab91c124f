/* What an accepted step says of itself: kinks in laws of cut elements, energies of contacts, reactions beside the
 * whole. */
#include <math.h>

#include "base/largest.h"
#include "cosim/mechanism/simulation.h"
#include "mbs/kinks.h"
#include "mbs/model.h"

double *cosim_multipliers_of(const cosim_simulation *self, const cosim_element_cut *cut, const mbs_state *state) {
  return state->lambda + (cut->is_joint ? self->model->joints[cut->element].row : 0);
}

static double relative_speed(const cosim_element *element, const cosim_motion m[2]) {
  double largest = 0;
  for (int i = 0; i < element->n_dims; i++)
    largest = fmax(largest, fabs(m[1].v[element->dim[i]] - m[0].v[element->dim[i]]));
  return largest;
}

/* Of a law whose scheme looks for no kinks, over the last step. */
static bool bends_unseen(const cosim_simulation *self, size_t coupling) {
  const cosim_element_cut *cut = &self->partition.cuts[coupling];
  const cosim_element *element = &cut->law.base;
  const cosim_snapshot *now = &self->snapshots[coupling];
  if (!element->has_kinks || element->switches ||
      self->partition.couplings[coupling].scheme.method == COSIM_COLLOCATION)
    return false;
  const cosim_motion before[2] = {cosim_marker_motion(&self->partition, cut, 0, self->before),
                                  cosim_marker_motion(&self->partition, cut, 1, self->before)};
  return cosim_law_is_bent(element, before, now->motion);
}

/* Of the laws of cut force elements, in a step that is accepted. */
static void count_kinks(cosim_simulation *self) {
  const cosim_master *master = self->engine->master;
  const cosim_law_kink kink = master == NULL ? (cosim_law_kink){.coupling = -1} : cosim_master_law_kink(master);
  cosim_statistics *count = &self->others;
  bool bends = kink.coupling >= 0;
  count->law_kink_error += kink.velocity;
  for (size_t k = 0; k < self->partition.n_cuts; k++) {
    const cosim_element *element = &self->partition.cuts[k].law.base;
    if (element->n_rows == 0 && !element->is_affine)
      count->law_speed = fmax(count->law_speed, relative_speed(element, self->snapshots[k].motion));
    bends |= bends_unseen(self, k);
  }
  count->law_kinks += bends;
}

/* The whole knows no held outputs. */
bool cosim_checks_reactions(const cosim_simulation *self) {
  bool has_joint = false;
  for (size_t k = 0; k < self->partition.n_cuts; k++)
    has_joint |= self->partition.cuts[k].is_joint;
  return has_joint && self->model->n_redundant == 0 && !self->partition.by_exchange &&
         self->definition.n_signals + self->partition.n_held == 0;
}

/* Under the laws of time that hold in the step that has ended. */
static void check_reactions(cosim_simulation *self) {
  cosim_statistics *found = &self->others;
  if (!cosim_checks_reactions(self) || cosim_begins_anew_inside(self))
    return;
  mbs_state_copy(self->scratch, self->now);
  (void)mbs_begin_smooth(self->ws, self->before->t);
  if (mbs_evaluate(self->ws, self->scratch, NULL) != SEAM_OK) {
    found->reaction_error = INFINITY;
    return;
  }
  for (const cosim_element_cut *cut = self->partition.cuts; cut < self->partition.cuts + self->partition.n_cuts;
       cut++) {
    const double *transmitted = cosim_multipliers_of(self, cut, self->now);
    const double *of_whole = cosim_multipliers_of(self, cut, self->scratch);
    for (int row = 0; row < (cut->is_joint ? cut->law.base.n_rows : 0); row++) {
      found->reaction_error = fmax(found->reaction_error, fabs(transmitted[row] - of_whole[row]));
      found->largest_reaction = fmax(found->largest_reaction, fabs(of_whole[row]));
    }
  }
}

/* Where its element exerts no force, nothing of what a coupling created is given back. */
static bool is_open(const cosim_element *element, const cosim_motion m[2]) {
  double W[COSIM_MAX_FORCES];
  element->ops->wrench(element, m, W);
  return largest_size(W, COSIM_MAX_FORCES) == 0;
}

/* By contacts, strands and laws with kinks, as far as they have opened since. */
static void watch_contacts(cosim_simulation *self) {
  double created = 0;
  for (size_t k = 0; k < self->partition.n_cuts; k++) {
    const cosim_element *element = &self->partition.cuts[k].law.base;
    cosim_energy_ledger *ledger = &self->ledgers[k];
    if (element->has_kinks && is_open(element, self->snapshots[k].motion))
      cosim_energy_ledger_open(ledger);
    created += fabs(ledger->when_open);
  }
  self->others.contact_energy = fmax(self->others.contact_energy, created);
}

void cosim_simulation_judge(cosim_simulation *self) {
  count_kinks(self);
  watch_contacts(self);
  check_reactions(self);
}
