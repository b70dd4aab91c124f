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

mbs_contact_state mbs_contact_state_of(mbs_workspace *workspace, const mbs_state *state, size_t number) {
  mbs_contact_state found = {.force = SEAM_NONE};
  if (workspace == NULL || !mbs_state_fits(workspace->model, state))
    return found;
  const mbs_model *model = workspace->model;
  int i = 0;
  for (; i < model->n_forces && number >= (size_t)n_sides(&model->forces[i]); i++)
    number -= (size_t)n_sides(&model->forces[i]);
  if (i == model->n_forces)
    return found;
  const mbs_force *force = &model->forces[i];
  found.force = (size_t)i;
  mbs_stage_kinematics(workspace, state->q, state->v);
  const mbs_pair pair = mbs_force_pair(force, workspace->frames);
  const double position = mbs_size_of_positions(force, &pair);
  if (force->type->is_hard) {
    double rate;
    const double gap = mbs_gap_at(force, workspace->frames, state->z, mbs_law_time(workspace, state->t), &rate);
    found.is_strand = force->kind == MBS_ROPE || force->kind == MBS_CABLE;
    found.acts = state->contact[2 * force->hard] > 0;
    found.is_on_border = !found.acts && fabs(gap) <= mbs_gap_closed * position;
    return found;
  }
  const mbs_elastic_law *law = &force->elastic[number];
  mbs_relative_coordinate m[3];
  force->type->find_coordinates(force, &pair, m);
  const double s = m[number].s - force->rest[number];
  const double depth = -mbs_elastic_margin(law, MBS_OPEN, s, 0);
  const double size = mbs_rounding_of_depth * position;
  found.is_strand = law->is_strand;
  found.has_two = force->type->n_coordinates == 2;
  found.is_left = number == 1;
  found.acts = mbs_elastic_mode(law, s, mbs_relative_rate(&m[number], &pair)) == MBS_CLOSED;
  found.is_on_border =
      fabs(depth) <= (law->is_strand ? fabs(law->preload) * mbs_rounding_of_depth + law->stiffness * size : size);
  return found;
}
