/* Reaction of a joint on its first body, along the axes of any body: R(φ)ᵀ f. */
#include "mbs/workspace.h"

static void read(const mbs_workspace *ws, const mbs_state *state, int number, double *values) {
  const mbs_named_measure *measure = &ws->model->measures[number];
  const mbs_frame *axes = &ws->frames[measure->axes];
  double wrench[3];
  mbs_reaction_at_hand(ws, state, measure->joint, wrench);
  values[0] = axes->cos * wrench[0] + axes->sin * wrench[1];
  values[1] = axes->cos * wrench[1] - axes->sin * wrench[0];
  values[2] = wrench[2];
}

static const mbs_quantity_group reaction = {
    .n = 3,
    .row = {{"fx", "N", "reaction on the first body, along the x axis of the measure"},
            {"fy", "N", "reaction on the first body, along the y axis of the measure"},
            {"torque", "Nm", "reaction on the first body, about its marker"}},
    .is_usual = true,
    .needs = MBS_ROWS,
    .read = read,
};
static const mbs_quantity_group *const quantities[] = {&reaction, NULL};

const mbs_measure_type mbs_measured_reaction = {.has_axes = true, .has_joint = true, .quantities = quantities};
