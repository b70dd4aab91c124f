#include "mbs/model/friction.h"
#include "mbs/output/measurements.h"

static void find_friction(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                          double *values) {
  const mbs_joint *joint = &ws->model->joints[number];
  const mbs_force force = mbs_friction_force_of(joint);
  const mbs_pair pair = mbs_joint_pair(joint, ws->frames);
  mbs_relative_coordinate s;
  force.type->find_coordinates(&force, &pair, &s);
  const double rate = mbs_relative_rate(&s, &pair);
  const mbs_friction_forces f =
      mbs_friction_at(joint, mbs_friction_mode_of(joint, state->z), rate, state->lambda + joint->row);
  double ds[2];
  values[0] = f.value;
  values[1] = -f.value * rate;
  values[2] = f.normal;
  if (along == NULL)
    return;
  mbs_gap_change(&s, joint->body, along, ds);
  values[0] = f.by_rate * ds[1];
  values[2] = 0;
  for (int i = 0; i < joint->type->n_rows; i++) {
    values[0] += f.by_lambda[i] * along->lambda[joint->row + i];
    values[2] += f.normal_by_lambda[i] * along->lambda[joint->row + i];
  }
  values[1] = -values[0] * rate - f.value * ds[1];
}

static void find_sticking(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                          double *values) {
  find_friction(ws, state, along, number, values);
  values[3] = along == NULL && mbs_friction_mode_of(&ws->model->joints[number], state->z) == MBS_STICKS;
}

#define FRICTION(unit)                                                                                                 \
  {"friction", unit, "friction along its coordinate, positive drives it up"},                                          \
      {"friction_loss", "W", "power that friction takes"}, {                                                           \
    "normal", "N", "sum of the normal forces that rub"                                                                 \
  }
#define SOFT(unit)                                                                                                     \
  .n = 3, .row = {FRICTION(unit)}, .needs_dynamics = MBS_ALL_ROWS, .needs = MBS_FRAMES, .find = find_friction
#define HARD(unit)                                                                                                     \
  .n = 4, .row = {FRICTION(unit), {"sticks", "", "1 while it sticks"}}, .needs_dynamics = MBS_ALL_ROWS,                \
  .needs = MBS_FRAMES, .find = find_sticking

const mbs_quantity_group mbs_quantity_friction_torque = {SOFT("Nm")};
const mbs_quantity_group mbs_quantity_friction_force = {SOFT("N")};
const mbs_quantity_group mbs_quantity_sticking_torque = {HARD("Nm")};
const mbs_quantity_group mbs_quantity_sticking_force = {HARD("N")};
