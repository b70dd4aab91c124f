/* Reaction f of a joint on its first body. Its components are along the axes of a chosen body with the angle φ: R(φ)ᵀ
 * f. */
#include "mbs/output/measurements.h"

static void find(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                 double *values) {
  const mbs_named_measure *measure = &ws->model->measures[number];
  const mbs_frame *axes = &ws->frames[measure->axes];
  double wrench[3];
  double d[3];
  mbs_reaction_evaluated(ws, state, measure->joint, wrench);
  mbs_vector f = {wrench[0], wrench[1]};
  if (along == NULL) {
    f = mbs_components(axes, f);
    values[2] = wrench[2];
  } else {
    mbs_reaction_change(ws, state, along, measure->joint, d);
    f = mbs_components_change(axes, f, (mbs_vector){d[0], d[1]}, mbs_angle_change(along, measure->axes));
    values[2] = d[2];
  }
  values[0] = f.x;
  values[1] = f.y;
}

static const mbs_quantity_group reaction = {
    .n = 3,
    .row = {{"fx", "N", "reaction on the first body, along the x axis of the measure"},
            {"fy", "N", "reaction on the first body, along the y axis of the measure"},
            {"torque", "Nm", "reaction on the first body, about its marker"}},
    .is_usual = true,
    .needs_dynamics = MBS_ALL_ROWS,
    .needs = MBS_ROWS,
    .find = find,
};
static const mbs_quantity_group *const quantities[] = {&reaction, NULL};

const mbs_measure_type mbs_measured_reaction = {.has_axes = true, .has_joint = true, .quantities = quantities};
