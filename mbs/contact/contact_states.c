/* Discrete states of one-sided elements: whether each acts, and whether it is on the border. */
#include <math.h>

#include "mbs/model/elastic.h"
#include "mbs/stages/contact_kinematics.h"
#include "mbs/stages/stages.h"
#include "mbs/thresholds.h"

static int n_sides(const mbs_force *force) {
  if (force->type->is_hard)
    return mbs_is_two_sided(force) ? 0 : 1;
  return mbs_is_one_sided(&force->elastic[0]) ? force->type->n_coordinates : 0;
}

size_t mbs_n_contact_states(const mbs_model *model) {
  size_t n = 0;
  for (int i = 0; model != NULL && i < model->n_forces; i++)
    n += (size_t)n_sides(&model->forces[i]);
  return n;
}

/* A hard contact acts if its normal force in the state is positive. */
static mbs_contact_state hard_state_of(const mbs_workspace *ws, const mbs_force *force, const mbs_pair *pair,
                                       const mbs_state *state) {
  double rate;
  const double gap = mbs_gap_at(force, ws->frames, state->z, mbs_law_time(ws, state->t), &rate);
  const bool acts = state->contact[2 * force->hard] > 0;
  return (mbs_contact_state){.is_strand = force->kind == MBS_ROPE || force->kind == MBS_CABLE,
                             .acts = acts,
                             .is_on_border = !acts && fabs(gap) <= mbs_gap_closed * mbs_size_of_positions(force, pair)};
}

static mbs_contact_state state_of(const mbs_force *force, const mbs_pair *pair, int k) {
  const mbs_elastic_law *law = &force->elastic[k];
  mbs_relative_coordinate m[3];
  force->type->find_coordinates(force, pair, m);
  const double s = m[k].s - force->rest[k];
  const double depth = -mbs_elastic_margin(law, MBS_OPEN, s, 0);
  const double size = mbs_rounding_of_depth * mbs_size_of_positions(force, pair);
  return (mbs_contact_state){
      .is_strand = law->is_strand,
      .has_two = force->type->n_coordinates == 2,
      .is_left = k == 1,
      .acts = mbs_elastic_mode(law, s, mbs_relative_rate(&m[k], pair)) == MBS_CLOSED,
      .is_on_border =
          fabs(depth) <= (law->is_strand ? fabs(law->preload) * mbs_rounding_of_depth + law->stiffness * size : size)};
}

mbs_contact_state mbs_contact_state_of(mbs_workspace *workspace, const mbs_state *state, size_t number) {
  const mbs_contact_state none = {.force = SEAM_NONE};
  if (workspace == NULL || !mbs_state_fits(workspace->model, state))
    return none;
  const mbs_model *model = workspace->model;
  for (int i = 0; i < model->n_forces; i++) {
    const size_t n = (size_t)n_sides(&model->forces[i]);
    if (number < n) {
      mbs_stage_kinematics(workspace, state->q, state->v);
      const mbs_pair pair = mbs_force_pair(&model->forces[i], workspace->frames);
      mbs_contact_state found = model->forces[i].type->is_hard
                                    ? hard_state_of(workspace, &model->forces[i], &pair, state)
                                    : state_of(&model->forces[i], &pair, (int)number);
      found.force = (size_t)i;
      return found;
    }
    number -= n;
  }
  return none;
}
