/* Gap and forces of a contact. */
#include "mbs/model/forces/contact.h"
#include "mbs/output/measurements.h"

static void find_contact(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                         double *values) {
  const mbs_force *force = &ws->model->forces[number];
  const mbs_pair pair = mbs_force_pair(force, ws->frames);
  mbs_relative_coordinate gap;
  force->type->find_coordinates(force, &pair, &gap);
  const mbs_slip slip = mbs_contact_slip(force, &pair, &gap);
  const mbs_gradients normal = mbs_contact_normal(force, &pair, &gap, mbs_mode_along_in(force, state, 0));
  const mbs_gradients friction = mbs_contact_friction(force, &normal, &slip);
  double dq[6];
  double dv[6];
  if (along == NULL) {
    values[0] = gap.s;
    values[1] = mbs_relative_rate(&gap, &pair);
    values[2] = normal.value;
    values[3] = friction.value;
    return;
  }
  mbs_gap_change(&gap, force->body, along, values);
  mbs_gather(force->body, along->q, dq);
  mbs_gather(force->body, along->v, dv);
  values[2] = mbs_dot6(normal.by_q, dq) + mbs_dot6(normal.by_v, dv);
  values[3] = mbs_dot6(friction.by_q, dq) + mbs_dot6(friction.by_v, dv);
}

const mbs_quantity_group mbs_quantity_contact = {
    .n = 4,
    .row = {{"gap", "m", "distance of the surfaces, negative where they press"},
            {"rate", "m/s", "rate of the gap"},
            {"force", "N", "normal force, positive pushes the bodies apart"},
            {"friction", "N", "force on the second body along the line, or to the right of the way to it"}},
    .needs = MBS_FRAMES,
    .find = find_contact,
};
