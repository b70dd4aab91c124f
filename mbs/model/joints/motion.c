/* Motion: a relative coordinate of two bodies, or a coordinate of one body, follows a law of time f(t). d: from the
 * first marker to the second; a: arm from the centre of mass to a marker.
 *
 *   g_m = φ2 - φ1 - f(t)     J = (0, 0, -1, 0, 0, 1)
 *       = |d| - f(t)         J = u · (-I, -a1⊥, I, a2⊥),   u = d / |d|
 *       = e · d - f(t)       J = (-e, e⊥ · (d + a1), e, e · a2⊥),   e: the axis, rotating with the first body
 *       = x - f(t), y - f(t), φ - f(t) of the first body, with the ground as second: one entry of J is 1
 *
 * If from_initial is set, f(t) is the change of the coordinate from its initial value. The constraint is rheonomic: ġ =
 * G v - f', g̈ = G a - γ° - f'', with γ° = -vᵀ H v. Its force does work: the power driven in is -λ f'. */
#include "mbs/model/joint.h"

#include <string.h>

static void find_angle_coordinate(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  (void)joint;
  mbs_relative_angle(pair, s);
}

static void find_slide_coordinate(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  mbs_relative_along_body(pair, joint->axis, s);
}

static void curvature_slide(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  mbs_curvature_along_body(pair, joint->axis, c);
}

/* Finds x, y or φ of the first body. */
static void find_own_coordinate(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  const mbs_frame *body = pair->frame[0];
  const int k = joint->type->coordinate[0];
  *s = (mbs_relative_coordinate){.s = (double[3]){body->x, body->y, body->phi}[k]};
  s->J[k] = 1;
}

static seam_status check(const mbs_joint_def *def, seam_error *error) {
  if (def->law.value == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "motion '%s' has no law: give it one", def->name);
  if (def->of >= MBS_OF_X && strcmp(def->bodies[1], "ground") != 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "motion '%s' moves a coordinate of one body: give the ground as the second body", def->name);
  return SEAM_OK;
}

#define MOTION .n_rows = 1, .residual = {"g_m"}, .rest_row = 0, .is_rheonomic = true, .check = check

static const mbs_joint_type of_distance = {
    MOTION,
    .has_markers = true,
    .cut = {2, {0, 1}, 2, {0, 1}, false},
    .find_coordinates = mbs_joint_coordinate_distance,
    .curvature = mbs_joint_curvature_distance,
};
static const mbs_joint_type of_slide = {
    MOTION,
    .has_markers = true,
    .has_axis = true,
    .cut = {3, {0, 1, 2}, 4, {0, 1, 2, 3}, false},
    .find_coordinates = find_slide_coordinate,
    .curvature = curvature_slide,
};
#define OF_BODY MOTION, .find_coordinates = find_own_coordinate, .curvature = mbs_joint_no_curvature
static const mbs_joint_type of_x = {OF_BODY, .coordinate = {0}};
static const mbs_joint_type of_y = {OF_BODY, .coordinate = {1}};
static const mbs_joint_type of_phi = {OF_BODY, .coordinate = {2}, .is_angle = {true}};

static const mbs_joint_type *choose(const mbs_joint_def *def) {
  const mbs_joint_type *const rows[MBS_MOTIONS] = {
      [MBS_OF_ANGLE] = &mbs_joint_motion,
      [MBS_OF_DISTANCE] = &of_distance,
      [MBS_OF_SLIDE] = &of_slide,
      [MBS_OF_X] = &of_x,
      [MBS_OF_Y] = &of_y,
      [MBS_OF_PHI] = &of_phi,
  };
  return rows[def->of];
}

/* The type with the name of the kind MBS_MOTION is the motion of an angle; its choose() returns the other types. */
const mbs_joint_type mbs_joint_motion = {
    MOTION,
    .is_angle = {true},
    .cut = {1, {2}, 1, {2}, true},
    .prescribed = &mbs_prescribed_angle,
    .choose = choose,
    .find_coordinates = find_angle_coordinate,
    .curvature = mbs_joint_no_curvature,
};
