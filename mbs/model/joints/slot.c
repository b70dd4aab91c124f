/* Slot: a point of the second body on a line of the first; a prismatic joint with free rotation. d: from the first
 * marker to the point; a: arm from the centre of mass to a marker; e: direction of the line, and n its normal, which
 * rotate with the first body.
 *
 *   g_n = n · d     J = (-n, n⊥ · (d + a1), n, n · a2⊥)
 *
 * λ_n is the force on the first body along n. Hard friction adds g_hold on the slide e · d (mbs/model/friction.c). */
#include "mbs/model/friction.h"

static void find_coordinates(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  mbs_relative_along_body(pair, mbs_perp(joint->axis), &s[0]);
  if (joint->type->can_stick)
    mbs_relative_along_body(pair, joint->axis, &s[1]);
}

static void curvature(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  mbs_curvature_along_body(pair, mbs_perp(joint->axis), &c[0]);
  if (joint->type->can_stick)
    mbs_curvature_along_body(pair, joint->axis, &c[1]);
}

#define SLOT                                                                                                           \
  .has_markers = true, .has_axis = true, .rest_row = -1, .cut = {3, {0, 1, 2}, 4, {0, 1, 2, 3}, false},                \
  .friction = &mbs_friction_of_slot, .find_coordinates = find_coordinates, .curvature = curvature
static const mbs_joint_type with_stick_row = {SLOT, .n_rows = 2, .residual = {"g_n", "g_hold"}, .can_stick = true};

static const mbs_joint_type *choose(const mbs_joint_def *def) {
  return def->friction.is_hard ? &with_stick_row : &mbs_joint_slot;
}

const mbs_joint_type mbs_joint_slot = {SLOT, .n_rows = 1, .residual = {"g_n"}, .choose = choose};
