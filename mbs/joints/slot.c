/* Slot: a point of the second body on a line of the first; the prismatic joint without its angle.
 *
 *   g_n = n · d     J = (-n, n⊥ · (d + a1), n, n · a2⊥)       n: normal of the axis, turning with the first body
 *
 * λ_n is the force on the first body along n. */
#include "mbs/friction.h"

static void measure(const mbs_joint *joint, const mbs_pair *pair, mbs_measure *s) {
  mbs_measure_along_body(pair, mbs_perp(joint->axis), s);
}

static void curvature(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  mbs_curvature_along_body(pair, mbs_perp(joint->axis), c);
}

static const mbs_joint_type *choose(const mbs_joint_def *def) {
  return def->friction.is_hard ? &mbs_held_slot : &mbs_joint_slot;
}

const mbs_joint_type mbs_joint_slot = {
    .n_rows = 1,
    .residual = {"g_n"},
    .has_markers = true,
    .has_axis = true,
    .rest_row = -1,
    .cut = {3, {0, 1, 2}, 4, {0, 1, 2, 3}, false},
    .quantities = mbs_quantities_of_guide,
    .friction = &mbs_friction_of_slot,
    .choose = choose,
    .measure = measure,
    .curvature = curvature,
};
