#include "mbs/model/friction.h"
#include "mbs/model/workspace.h"
#include "mbs/output/measurements.h"

typedef struct contact {
  mbs_measure s;
  double rate;
  mbs_rubbing f;
} contact;

static contact contact_of(const mbs_workspace *ws, const mbs_state *state, int number) {
  const mbs_joint *joint = &ws->model->joints[number];
  const mbs_force force = mbs_friction_force_of(joint);
  const mbs_pair pair = mbs_joint_pair(joint, ws->frames);
  contact c;
  force.type->measure(&force, &pair, &c.s);
  c.rate = mbs_measure_rate(&c.s, &pair);
  c.f = mbs_friction_at(joint, mbs_friction_mode_of(joint, state->z), c.rate, state->lambda + joint->row);
  return c;
}

static void find_friction(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                          double *values) {
  const mbs_joint *joint = &ws->model->joints[number];
  const contact c = contact_of(ws, state, number);
  double ds[2];
  values[0] = c.f.value;
  values[1] = -c.f.value * c.rate;
  values[2] = c.f.normal;
  if (along == NULL)
    return;
  mbs_gap_change(&c.s, joint->body, along, ds);
  values[0] = c.f.by_rate * ds[1];
  values[2] = 0;
  for (int i = 0; i < joint->type->n_rows; i++) {
    values[0] += c.f.by_lambda[i] * along->lambda[joint->row + i];
    values[2] += c.f.normal_by_lambda[i] * along->lambda[joint->row + i];
  }
  values[1] = -values[0] * c.rate - c.f.value * ds[1];
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
#define SOFT(unit) .n = 3, .row = {FRICTION(unit)}, .follows = MBS_ALL_ROWS, .needs = MBS_FRAMES, .find = find_friction
#define HARD(unit)                                                                                                     \
  .n = 4, .row = {FRICTION(unit), {"sticks", "", "1 while it sticks"}}, .follows = MBS_ALL_ROWS, .needs = MBS_FRAMES,  \
  .find = find_sticking

const mbs_quantity_group mbs_quantity_friction_torque = {SOFT("Nm")};
const mbs_quantity_group mbs_quantity_friction_force = {SOFT("N")};
const mbs_quantity_group mbs_quantity_sticking_torque = {HARD("Nm")};
const mbs_quantity_group mbs_quantity_sticking_force = {HARD("N")};
