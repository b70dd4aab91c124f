/* Kinks in the laws of cut elements within an accepted step. */
#include "cosim/mechanism/simulation.h"
#include "mbs/kinks.h"
#include "mbs/model.h"

double *cosim_multipliers_of(const cosim_simulation *self, const cosim_element_cut *cut, const mbs_state *state) {
  return state->lambda + (cut->is_joint ? self->model->joints[cut->element].row : 0);
}

/* A law whose scheme looks for no kinks may have bent over the last step. */
static bool bends_unseen(const cosim_simulation *self, const cosim_element_cut *cut) {
  const cosim_element *element = &cut->law.base;
  if (!element->has_kinks || element->switches || cut->base.scheme.method == COSIM_COLLOCATION)
    return false;
  const cosim_motion before[2] = {cosim_marker_motion(&self->partition, cut, 0, self->before),
                                  cosim_marker_motion(&self->partition, cut, 1, self->before)};
  return cosim_law_is_bent(element, before, cut->now.snapshot.motion);
}

void cosim_count_law_kinks(cosim_simulation *self) {
  const cosim_master *master = self->engine->master;
  bool bends = master != NULL && cosim_master_law_kink(master).coupling >= 0;
  for (size_t k = 0; k < self->partition.n_cuts; k++)
    bends |= bends_unseen(self, &self->partition.cuts[k]);
  self->others.law_kinks += bends;
}
