/* Joints with hard friction: one more row, that of the coordinate, which is held while friction sticks and set aside
 * while it slips (mbs/friction.h).
 *
 *   g_hold = s - s°     s: angle φ2 - φ1 of a revolute joint, slide e · d of a prismatic joint or slot */
#include "mbs/friction.h"

/* ---- Revolute ---- */

static void measure_pin(const mbs_joint *joint, const mbs_pair *pair, mbs_measure *s) {
  (void)joint;
  mbs_measure_gap(pair, s);
  mbs_measure_angle(pair, &s[2]);
}

static void curvature_pin(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  (void)joint;
  mbs_curvature_gap(pair, c);
  c[2] = (mbs_curvature){0};
}

const mbs_joint_type mbs_held_revolute = {
    .n_rows = 3,
    .residual = {"g_x", "g_y", "g_hold"},
    .has_markers = true,
    .rest_row = -1,
    .holds = true,
    .switches = &mbs_friction_switches,
    .cut = {2, {0, 1}, 2, {0, 1}, true},
    .quantities = mbs_quantities_of_joint,
    .friction = &mbs_hard_friction_of_pin,
    .measure = measure_pin,
    .curvature = curvature_pin,
};

/* ---- Prismatic ---- */

static void measure_guide(const mbs_joint *joint, const mbs_pair *pair, mbs_measure *s) {
  mbs_joint_prismatic.measure(joint, pair, s);
  mbs_measure_along_body(pair, joint->axis, &s[2]);
}

static void curvature_guide(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  mbs_joint_prismatic.curvature(joint, pair, c);
  mbs_curvature_along_body(pair, joint->axis, &c[2]);
}

const mbs_joint_type mbs_held_prismatic = {
    .n_rows = 3,
    .residual = {"g_n", "g_phi", "g_hold"},
    .has_markers = true,
    .has_axis = true,
    .rest_row = 1,
    .holds = true,
    .switches = &mbs_friction_switches,
    .cut = {3, {0, 1, 2}, 4, {0, 1, 2, 3}, false},
    .quantities = mbs_quantities_of_guide,
    .friction = &mbs_hard_friction_of_guide,
    .measure = measure_guide,
    .curvature = curvature_guide,
};

/* ---- Slot ---- */

static void measure_slot(const mbs_joint *joint, const mbs_pair *pair, mbs_measure *s) {
  mbs_joint_slot.measure(joint, pair, s);
  mbs_measure_along_body(pair, joint->axis, &s[1]);
}

static void curvature_slot(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  mbs_joint_slot.curvature(joint, pair, c);
  mbs_curvature_along_body(pair, joint->axis, &c[1]);
}

const mbs_joint_type mbs_held_slot = {
    .n_rows = 2,
    .residual = {"g_n", "g_hold"},
    .has_markers = true,
    .has_axis = true,
    .rest_row = -1,
    .holds = true,
    .switches = &mbs_friction_switches,
    .cut = {3, {0, 1, 2}, 4, {0, 1, 2, 3}, false},
    .quantities = mbs_quantities_of_guide,
    .friction = &mbs_hard_friction_of_slot,
    .measure = measure_slot,
    .curvature = curvature_slot,
};
