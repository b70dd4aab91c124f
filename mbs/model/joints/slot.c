/* Slot: a point of the second body on a line of the first; a prismatic joint with free rotation.
 *
 *   g_n = n · d     J = (-n, n⊥ · (d + a1), n, n · a2⊥)       n: normal of the axis, turning with the first body
 *
 * λ_n is the force on the first body along n.
 *
 * Hard friction adds the row g_hold = s - s° for the slide s = e · d: it holds while friction sticks, and is set aside
 * while friction slips (mbs/model/friction.h). */
#include "mbs/model/friction.h"

static void measure(const mbs_joint *joint, const mbs_pair *pair, mbs_measure *s) {
  mbs_measure_along_body(pair, mbs_perp(joint->axis), s);
}

static void curvature(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  mbs_curvature_along_body(pair, mbs_perp(joint->axis), c);
}

static void measure_held(const mbs_joint *joint, const mbs_pair *pair, mbs_measure *s) {
  measure(joint, pair, s);
  mbs_measure_along_body(pair, joint->axis, &s[1]);
}

static void curvature_held(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  curvature(joint, pair, c);
  mbs_curvature_along_body(pair, joint->axis, &c[1]);
}

#define SLOT                                                                                                           \
  .has_markers = true, .has_axis = true, .rest_row = -1, .cut = {3, {0, 1, 2}, 4, {0, 1, 2, 3}, false},                \
  .friction = &mbs_friction_of_slot
static const mbs_joint_type held = {
    SLOT,
    .n_rows = 2,
    .residual = {"g_n", "g_hold"},
    .holds = true,
    .measure = measure_held,
    .curvature = curvature_held,
};

static const mbs_joint_type *choose(const mbs_joint_def *def) {
  return def->friction.is_hard ? &held : &mbs_joint_slot;
}

const mbs_joint_type mbs_joint_slot = {
    SLOT, .n_rows = 1, .residual = {"g_n"}, .choose = choose, .measure = measure, .curvature = curvature,
};
