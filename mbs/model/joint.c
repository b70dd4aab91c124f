/* Joints. Each type has a section with its equations, and a row of functions and properties (joint.h). In all of them q
 * are the poses of both bodies. r: centre of mass; a: arm from there to the marker; d: from the first marker to the
 * second; e: axis of the joint, fixed on the first body, a line through the first marker; n = e⊥. */
#include "mbs/model/joint.h"

#include <string.h>

#include "mbs/model/friction.h"
#include "mbs/thresholds.h"

#define MBS_TEXT(kind, name) #name,
const char *mbs_joint_kind_text(mbs_joint_kind kind) {
  static const char *const names[] = {MBS_JOINT_TABLE(MBS_TEXT)};
  return (unsigned)kind < MBS_JOINT_KINDS ? names[kind] : NULL;
}
#undef MBS_TEXT

const mbs_joint_type *mbs_joint_type_of(const mbs_joint_def *def) {
  static const mbs_joint_type *const rows[] = {
#define MBS_JOINT_ROW(kind, name) &mbs_joint_##name,
      MBS_JOINT_TABLE(MBS_JOINT_ROW)};
  const mbs_joint_type *row = rows[def->kind];
  if (def->friction.is_hard && row->with_stick_row != NULL)
    return row->with_stick_row;
  return row->choose != NULL ? row->choose(def) : row;
}

seam_jet mbs_joint_prescribed_law(const mbs_joint *joint, double t) {
  seam_jet f = {0};
  if (joint->type->is_rheonomic)
    joint->law.jet(joint->law.data, (double[2]){t, 0}, &f);
  return f;
}

void mbs_joint_rate_gradient(const mbs_joint *joint, const mbs_pair *pair, const mbs_relative_coordinate *row,
                             double gradient[6]) {
  memcpy(gradient, row->Jdot, 6 * sizeof *gradient);
  if (!joint->type->is_nonholonomic)
    return;
  mbs_curvature c;
  joint->type->curvature(joint, pair, &c);
  for (int j = 0; j < 6; j++) {
    const double column[6] = {c.H[0][j], c.H[1][j], c.H[2][j], c.H[3][j], c.H[4][j], c.H[5][j]};
    gradient[j] = mbs_row_rate(column, pair);
  }
}

void mbs_joint_stiffness(const mbs_joint *joint, const mbs_curvature *curvature, const double *lambda,
                         double K[restrict 6][6]) {
  memset(K, 0, 36 * sizeof(double));
  for (int row = 0; row < joint->type->n_rows; row++)
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++)
        K[i][j] -= lambda[row] * curvature[row].H[i][j];
}

/* ---- Functions of several types ---- */

static void find_separation(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  (void)joint;
  mbs_relative_distance(pair, s);
}

static void curvature_separation(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  (void)joint;
  mbs_curvature_distance(pair, c);
}

static void find_slide(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  mbs_relative_along_body(pair, joint->axis, s);
}

static void curvature_slide(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  mbs_curvature_along_body(pair, joint->axis, c);
}

/* Finds d and, if the type has a third row, φ2 - φ1. */
static void find_gap_and_angle(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  mbs_relative_gap(pair, s);
  if (joint->type->n_rows == 3)
    mbs_relative_angle(pair, &s[2]);
}

static void curvature_gap_and_angle(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  mbs_curvature_gap(pair, c);
  if (joint->type->n_rows == 3)
    c[2] = (mbs_curvature){0};
}

static void no_curvature(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  (void)joint, (void)pair;
  *c = (mbs_curvature){0};
}

/* Fields of types between markers: a cut couples their positions and angles, and transmits a force and two torques. */
#define POSES .has_markers = true, .cut = {3, {0, 1, 2}, 4, {0, 1, 2, 3}, false}

/* Checks a joint of wheels. Its radii (none for a gear, two for a belt, else one) must be finite and not zero. It must
 * have no `angle`. SEAM_BAD_INPUT. */
static seam_status check_wheels(const mbs_joint_def *def, seam_error *error) {
  const char *noun = mbs_joint_kind_text(def->kind);
  const int n = def->kind == MBS_GEAR ? 0 : def->kind == MBS_BELT ? 2 : 1;
  const char *radius = def->kind == MBS_BELT   ? "radii of its pulleys"
                       : def->kind == MBS_RACK ? "radius of its pinion"
                                               : "radius of its wheel";
  for (int i = 0; i < n; i++)
    if (!isfinite(def->radii[i]) || def->radii[i] == 0)
      return seam_fail(error, SEAM_BAD_INPUT, "%s '%s': the %s must be finite and not zero", noun, def->name, radius);
  if (!isnan(def->angle))
    return seam_fail(error, SEAM_BAD_INPUT, "%s '%s' takes no angle: %s", noun, def->name,
                     n == 1 ? "its angle counts from the initial one; leave 'angle' out"
                            : "both angles count from the initial ones; leave 'angle' out");
  return SEAM_OK;
}

/* ---- Prescribed acceleration ---- */

/* The marker at p = r + a of a body has the acceleration ã. The port's frame holds ã in place of a pose:
 *
 *   J q̈ + J̇ q̇ = ã,   J = ∂(p_x, p_y, φ)/∂q        ∂²p/∂φ² = -a
 *
 * g and ġ are zero: projection moves the marker only as other constraints require. The force on the body at the marker
 * is -λ. */

static void find_prescribed(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  const mbs_vector arm = mbs_rotate(pair->frame[0], pair->marker[0]);
  const double omega = pair->frame[0]->omega;
  const mbs_relative_coordinate of_pose[3] = {{.J = {[0] = 1, [2] = -arm.y}, .Jdot = {[2] = -arm.x * omega}},
                                              {.J = {[1] = 1, [2] = arm.x}, .Jdot = {[2] = -arm.y * omega}},
                                              {.J = {[2] = 1}}};
  for (int row = 0; row < joint->type->n_rows; row++)
    s[row] = of_pose[joint->type->coordinate[row]];
}

static void curvature_prescribed(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  const mbs_vector arm = mbs_rotate(pair->frame[0], pair->marker[0]);
  const double omega = pair->frame[0]->omega;
  const mbs_curvature of_pose[3] = {{.H[2][2] = -arm.x, .T[2] = arm.y * omega * omega},
                                    {.H[2][2] = -arm.y, .T[2] = -arm.x * omega * omega}};
  for (int row = 0; row < joint->type->n_rows; row++)
    c[row] = of_pose[joint->type->coordinate[row]];
}

#define PRESCRIBED                                                                                                     \
  .rest_row = -1, .is_prescribed = true, .find_coordinates = find_prescribed, .curvature = curvature_prescribed

static const mbs_joint_type prescribed_position = {PRESCRIBED, .n_rows = 2, .residual = {"a_x", "a_y"},
                                                   .coordinate = {0, 1}};

static const mbs_joint_type prescribed_pose = {
    PRESCRIBED, .n_rows = 3, .residual = {"a_x", "a_y", "a_phi"}, .is_angle = {[2] = true}, .coordinate = {0, 1, 2},
};

static const mbs_joint_type prescribed_angle = {PRESCRIBED, .n_rows = 1, .residual = {"a_phi"}, .is_angle = {true},
                                                .coordinate = {2}};

/* ---- Revolute ---- */

/* Two markers coincide.
 *
 *   g_x, g_y = d = r2 + a2 - r1 - a1       J = (-I, -a1⊥, I, a2⊥)
 *
 * λ is the force on the first body. Hard friction adds g_hold on the angle φ2 - φ1 (friction.c). */

static void constrain_revolute(const mbs_joint_geometry *joints, int n, const mbs_frame *frames,
                               const mbs_constraints *of) {
  for (const mbs_joint_geometry *joint = joints; joint < joints + n; joint++) {
    const mbs_pair pair = mbs_geometry_pair(joint, frames);
    mbs_constrain_gap(&pair, of->g + joint->row, of->G + joint->row, of->gamma + joint->row);
  }
}

#define REVOLUTE                                                                                                       \
  .has_markers = true, .rest_row = -1, .cut = {2, {0, 1}, 2, {0, 1}, true}, .friction = &mbs_friction_of_pin,          \
  .find_coordinates = find_gap_and_angle, .curvature = curvature_gap_and_angle
static const mbs_joint_type revolute_with_stick_row = {
    REVOLUTE, .n_rows = 3, .residual = {"g_x", "g_y", "g_hold"}, .is_angle = {[2] = true}, .can_stick = true,
};

const mbs_joint_type mbs_joint_revolute = {
    REVOLUTE,
    .n_rows = 2,
    .is_pin = true,
    .residual = {"g_x", "g_y"},
    .prescribed = &prescribed_position,
    .with_stick_row = &revolute_with_stick_row,
    .constrain = constrain_revolute,
};

/* ---- Fixed ---- */

/* Two markers coincide, with a constant relative angle φ°.
 *
 *   g_x, g_y = d                           J = (-I, -a1⊥, I, a2⊥)
 *   g_phi    = φ2 - φ1 - φ°                J = (0, 0, -1, 0, 0, 1)
 *
 * λ is the wrench on the first body. ([Li] 4.10.2 prints g as first minus second.) */

static void constrain_fixed(const mbs_joint_geometry *joints, int n, const mbs_frame *frames,
                            const mbs_constraints *of) {
  for (const mbs_joint_geometry *joint = joints; joint < joints + n; joint++) {
    const mbs_pair pair = mbs_geometry_pair(joint, frames);
    const int angle = joint->row + 2;
    mbs_constrain_gap(&pair, of->g + joint->row, of->G + joint->row, of->gamma + joint->row);
    of->g[angle] = pair.frame[1]->phi - pair.frame[0]->phi - joint->rest;
    of->gamma[angle] = 0;
    memcpy(of->G[angle], (double[6]){[2] = -1, [5] = 1}, sizeof of->G[angle]);
  }
}

const mbs_joint_type mbs_joint_fixed = {
    .n_rows = 3,
    .residual = {"g_x", "g_y", "g_phi"},
    .is_angle = {[2] = true},
    .has_markers = true,
    .rest_row = 2,
    .cut = {3, {0, 1, 2}, 3, {0, 1, 2}, true},
    .prescribed = &prescribed_pose,
    .find_coordinates = find_gap_and_angle,
    .constrain = constrain_fixed,
    .curvature = curvature_gap_and_angle,
};

/* ---- Prismatic ---- */

/* The second marker stays on the axis of the first body, without relative rotation.
 *
 *   g_n   = n · d            J = (-n, n⊥ · (d + a1), n, n · a2⊥)
 *   g_phi = φ2 - φ1 - φ°     J = (0, 0, -1, 0, 0, 1)
 *
 * λ_n is the force on the first body along n. Hard friction adds g_hold on the slide e · d (friction.c). */

/* A slot has no angle. */
static void find_guide(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  mbs_relative_along_body(pair, mbs_perp(joint->axis), s++);
  if (joint->kind == MBS_PRISMATIC)
    mbs_relative_angle(pair, s++);
  if (joint->type->can_stick)
    mbs_relative_along_body(pair, joint->axis, s);
}

static void curvature_guide(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  mbs_curvature_along_body(pair, mbs_perp(joint->axis), c++);
  if (joint->kind == MBS_PRISMATIC)
    *c++ = (mbs_curvature){0};
  if (joint->type->can_stick)
    mbs_curvature_along_body(pair, joint->axis, c);
}

#define PRISMATIC                                                                                                      \
  POSES, .has_axis = true, .is_angle = {[1] = true}, .rest_row = 1, .friction = &mbs_friction_of_guide,                \
         .find_coordinates = find_guide, .curvature = curvature_guide
static const mbs_joint_type prismatic_with_stick_row = {PRISMATIC, .n_rows = 3, .residual = {"g_n", "g_phi", "g_hold"},
                                                        .can_stick = true};

const mbs_joint_type mbs_joint_prismatic = {PRISMATIC, .n_rows = 2, .residual = {"g_n", "g_phi"},
                                            .with_stick_row = &prismatic_with_stick_row};

/* ---- Slot ---- */

/* A point of the second body stays on the axis of the first: a prismatic joint with free rotation.
 *
 *   g_n = n · d     J = (-n, n⊥ · (d + a1), n, n · a2⊥)
 *
 * λ_n is the force on the first body along n. Hard friction adds g_hold on the slide e · d (friction.c). */

#define SLOT                                                                                                           \
  POSES, .has_axis = true, .rest_row = -1, .friction = &mbs_friction_of_slot, .find_coordinates = find_guide,          \
         .curvature = curvature_guide
static const mbs_joint_type slot_with_stick_row = {SLOT, .n_rows = 2, .residual = {"g_n", "g_hold"}, .can_stick = true};

const mbs_joint_type mbs_joint_slot = {SLOT, .n_rows = 1, .residual = {"g_n"}, .with_stick_row = &slot_with_stick_row};

/* ---- Distance ---- */

/* A massless rod: two markers keep a constant distance, which is not zero.
 *
 *   g_d = |d| - length     J = u · (-I, -a1⊥, I, a2⊥),   u = d / |d|
 *
 * λ is the tension of the rod: a positive λ pulls the markers together. */

static seam_status check_distance(const mbs_joint_def *def, seam_error *error) {
  if (isnan(def->length) || (def->length > 0 && isfinite(def->length)))
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT, "distance '%s': its length %g must be positive and finite", def->name,
                   def->length);
}

const mbs_joint_type mbs_joint_distance = {
    .n_rows = 1,
    .residual = {"g_d"},
    .has_markers = true,
    .rest_row = 0,
    .rest_is_length = true,
    .cut = {2, {0, 1}, 2, {0, 1}, false},
    .check = check_distance,
    .find_coordinates = find_separation,
    .curvature = curvature_separation,
};

/* ---- Motion ---- */

/* A relative coordinate of two bodies, or a coordinate of one body, follows a law of time f(t).
 *
 *   g_m = φ2 - φ1 - f(t)     J = (0, 0, -1, 0, 0, 1)
 *       = |d| - f(t)         J = u · (-I, -a1⊥, I, a2⊥),   u = d / |d|
 *       = e · d - f(t)       J = (-e, e⊥ · (d + a1), e, e · a2⊥)
 *       = x - f(t), y - f(t), φ - f(t) of the first body, with the ground as second: one entry of J is 1
 *
 * If from_initial is set, f(t) is the change from the initial value. The constraint is rheonomic: ġ = G v - f',
 * g̈ = G a - γ° - f'', with γ° = -vᵀ H v. Its force does work: the power driven in is -λ f'. */

static void find_angle(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  (void)joint;
  mbs_relative_angle(pair, s);
}

/* Finds x, y or φ of the first body. */
static void find_own_coordinate(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  const mbs_frame *body = pair->frame[0];
  const int k = joint->type->coordinate[0];
  *s = (mbs_relative_coordinate){.s = (double[3]){body->x, body->y, body->phi}[k]};
  s->J[k] = 1;
}

static seam_status check_motion(const mbs_joint_def *def, seam_error *error) {
  if (def->law.value == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "motion '%s' has no law: give it one", def->name);
  if (def->of >= MBS_OF_X && strcmp(def->bodies[1], "ground") != 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "motion '%s' moves a coordinate of one body: give the ground as the second body", def->name);
  return SEAM_OK;
}

#define MOTION .n_rows = 1, .residual = {"g_m"}, .rest_row = 0, .is_rheonomic = true, .check = check_motion

static const mbs_joint_type of_distance = {
    MOTION,
    .has_markers = true,
    .cut = {2, {0, 1}, 2, {0, 1}, false},
    .find_coordinates = find_separation,
    .curvature = curvature_separation,
};
static const mbs_joint_type of_slide = {
    MOTION, POSES, .has_axis = true, .find_coordinates = find_slide, .curvature = curvature_slide,
};
#define OF_BODY MOTION, .find_coordinates = find_own_coordinate, .curvature = no_curvature
static const mbs_joint_type of_x = {OF_BODY, .coordinate = {0}};
static const mbs_joint_type of_y = {OF_BODY, .coordinate = {1}};
static const mbs_joint_type of_phi = {OF_BODY, .coordinate = {2}, .is_angle = {true}};

static const mbs_joint_type *choose_motion(const mbs_joint_def *def) {
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

/* The type listed for MBS_MOTION, the motion of an angle. choose_motion() returns the types of other motions. */
const mbs_joint_type mbs_joint_motion = {
    MOTION,
    .is_angle = {true},
    .cut = {1, {2}, 1, {2}, true},
    .prescribed = &prescribed_angle,
    .choose = choose_motion,
    .find_coordinates = find_angle,
    .curvature = no_curvature,
};

/* ---- Gear ---- */

/* Two bodies rotate in a fixed ratio: -z1/z2 for wheels with z1 and z2 teeth, z1/z2 for a wheel inside a ring. A gear
 * may have centres, which a carrier moves. Its angles then count from the direction θ of d, the line of centres
 * ([Willis]). n: d/|d| rotated by π/2 to the left; g°: initial value of the other terms.
 *
 *   g_phi = (φ2 - θ) - ratio (φ1 - θ) - g°
 *   J = (-c n, -ratio - c n · a1⊥, c n, 1 - c n · a2⊥),   c = -(1 - ratio)/|d|
 *
 * mbs_relative_mesh() makes g_phi independent of full revolutions of θ, so the carrier may rotate without limit. About
 * their centres, the first body gets the torque ratio λ and the second -λ. The teeth push the second body along n with
 * the force (1 - ratio) λ/|d|. Without centres,
 *
 *   g_phi = (φ2 - φ2°) - ratio (φ1 - φ1°)      J = (0, 0, -ratio, 0, 0, 1)
 *
 * with absolute angles: the frame of the gear is the ground, on which the remaining torque acts. */

static seam_status check_gear(const mbs_joint_def *def, seam_error *error) {
  if (!isfinite(def->ratio) || def->ratio == 0)
    return seam_fail(error, SEAM_BAD_INPUT, "gear '%s': its ratio must be finite and not zero", def->name);
  return check_wheels(def, error);
}

static void find_gear(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  *s = (mbs_relative_coordinate){.s = pair->frame[1]->phi - joint->ratio * pair->frame[0]->phi,
                                 .J = {[2] = -joint->ratio, [5] = 1}};
}

static void find_mesh_coordinate(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  mbs_relative_mesh(pair, (double[2]){joint->ratio, 1}, joint->rest[0], s);
}

static void curvature_mesh(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  mbs_curvature_mesh(pair, (double[2]){joint->ratio, 1}, c);
}

#define GEAR .n_rows = 1, .residual = {"g_phi"}, .is_angle = {true}, .rest_row = 0, .check = check_gear

static const mbs_joint_type between_centres = {
    GEAR,
    POSES,
    .find_coordinates = find_mesh_coordinate,
    .curvature = curvature_mesh,
};

static const mbs_joint_type *choose_gear(const mbs_joint_def *def) {
  return def->has_centres ? &between_centres : &mbs_joint_gear;
}

const mbs_joint_type mbs_joint_gear = {
    GEAR,
    .depends_on_frame = true,
    .cut = {1, {2}, 4, {0, 1, 2, 3}, false},
    .choose = choose_gear,
    .find_coordinates = find_gear,
    .curvature = no_curvature,
};

/* ---- Rack ---- */

/* The pinion has the radius r and its centre on the second body. It rolls along the axis of the first body, the rack.
 *
 *   g_t = e · d + r (φ2 - φ1) - g°     J = J_along + r (0, 0, -1, 0, 0, 1),   J_along: ∂(e · d)/∂q
 *
 * g° is the initial value of the other terms. r is positive if the centre is on the left of the axis. A pinion that
 * rotates counter-clockwise then rolls backwards, or pushes the rack forwards. Other joints keep the centre at its
 * distance from the rack. λ is the force on the rack along e, where the pitch line touches the pinion; the opposite
 * force acts on the pinion there. */

static void find_rack(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  const double r = joint->radius[0];
  mbs_relative_along_body(pair, joint->axis, s);
  s->s += r * (pair->frame[1]->phi - pair->frame[0]->phi);
  s->J[2] -= r;
  s->J[5] += r;
}

const mbs_joint_type mbs_joint_rack = {
    .n_rows = 1,
    .residual = {"g_t"},
    POSES,
    .has_axis = true,
    .rest_row = 0,
    .check = check_wheels,
    .find_coordinates = find_rack,
    .curvature = curvature_slide,
};

/* ---- Belt ---- */

/* A belt or chain over two pulleys, without stretch or slip: one pulley takes up the length that leaves the other. r1
 * and r2 are the radii, of opposite signs for a crossed belt; θ is the direction of d, g° the initial value of the
 * other terms:
 *
 *   g_b = r2 (φ2 - θ) - r1 (φ1 - θ) - g°
 *
 * as for a gear. Other joints keep the distance of the centres. One strand touches the second pulley on the right of
 * the line of centres; λ is its tension less that of the other. The pulleys get the torques r1 λ and -r2 λ. The
 * pretension does no work and is undetermined. So the reactions lack its pull on the axles. The force element belt
 * (forces/springs.c) includes it. */

static void find_belt(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  mbs_relative_mesh(pair, joint->radius, joint->rest[0], s);
}

static void curvature_belt(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  mbs_curvature_mesh(pair, joint->radius, c);
}

const mbs_joint_type mbs_joint_belt = {
    .n_rows = 1,
    .residual = {"g_b"},
    POSES,
    .rest_row = 0,
    .check = check_wheels,
    .find_coordinates = find_belt,
    .curvature = curvature_belt,
};

/* ---- Rolling ---- */

/* A wheel of radius r on the second body stays on the axis of the first body and does not slip. Its centre is the
 * second marker:
 *
 *   g_n = n · d - r,   g_t = e · d + r (φ2 - φ1) - g°
 *
 * as for a slot and a rack together. r is positive if the centre is on the left of the axis; g° is the initial value of
 * the other terms. λ_n and λ_t are the forces on the first body along n and e at the contact. */

static void find_rolling(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  mbs_relative_along_body(pair, mbs_perp(joint->axis), &s[0]);
  s[0].s -= joint->radius[0];
  find_rack(joint, pair, &s[1]);
}

static void curvature_rolling(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  mbs_curvature_along_body(pair, mbs_perp(joint->axis), &c[0]);
  curvature_slide(joint, pair, &c[1]);
}

const mbs_joint_type mbs_joint_rolling = {
    .n_rows = 2,
    .residual = {"g_n", "g_t"},
    POSES,
    .has_axis = true,
    .rest_row = 1,
    .check = check_wheels,
    .find_coordinates = find_rolling,
    .curvature = curvature_rolling,
};

/* ---- Curve ---- */

/* A circle of radius r about a point of the second body (r = 0: the point alone) stays in touch with a curve. The curve
 * is fixed on the first body. The circle is on one side of it; the force may push or pull.
 *
 *   g_n = φ - r     φ: signed distance of the point from the curve, positive on that side (curve.c)
 *
 * λ_n is the force on the first body along the curve's normal on that side. Each evaluation searches all arcs for the
 * point nearest to the centre. Beyond the ends of an open curve g_n is NaN. */

static void find_curve(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  mbs_relative_to_curve(pair, &joint->curve, s);
  s->s -= joint->radius[0];
}

static void curvature_curve(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  mbs_curvature_curve(pair, &joint->curve, c);
}

static seam_status check_curve(const mbs_joint_def *def, seam_error *error) {
  if (def->radii[0] >= 0 && def->radii[0] <= mbs_farthest_position)
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT, "joint '%s': its radius must be finite and not negative", def->name);
}

const mbs_joint_type mbs_joint_curve = {
    .n_rows = 1,
    .residual = {"g_n"},
    POSES,
    .rest_row = -1,
    .not_finite = "its point has passed an end of its open curve: make the curve longer, or end the run before",
    .check = check_curve,
    .find_coordinates = find_curve,
    .curvature = curvature_curve,
};

/* ---- Skate ---- */

/* A knife edge, or a wheel that rolls without slipping sideways, seen from above. Its direction e rotates with the
 * body. With the velocity v of the centre of mass, the marker has the velocity u = v + ω a⊥:
 *
 *   n · u = 0        J = (n, n · a⊥)        J̇ = (-ω e, 0)        H = ∂J/∂q: (0, 0, -e_x), (0, 0, -e_y), 0
 *
 * This constraint on velocities is not the rate of any g ([Bloch], chapter 1): H is not symmetric. λ is the force on
 * the body against n; it does no work. */

static seam_status check_skate(const mbs_joint_def *def, seam_error *error) {
  if (strcmp(def->bodies[1], "ground") != 0)
    return seam_fail(error, SEAM_BAD_INPUT, "skate '%s' constrains one body: give the ground as the second body",
                     def->name);
  return SEAM_OK;
}

static void find_skate(const mbs_joint *joint, const mbs_pair *pair, mbs_relative_coordinate *s) {
  const mbs_frame *body = pair->frame[0];
  const mbs_vector e = mbs_rotate(body, joint->axis);
  *s = (mbs_relative_coordinate){.J = {-e.y, e.x, mbs_dot(joint->axis, pair->marker[0])},
                                 .Jdot = {-body->omega * e.x, -body->omega * e.y, 0}};
}

static void curvature_skate(const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  const mbs_frame *body = pair->frame[0];
  const mbs_vector e = mbs_rotate(body, joint->axis);
  memset(c, 0, sizeof *c);
  c->H[0][2] = -e.x;
  c->H[1][2] = -e.y;
  c->T[2] = -body->omega * mbs_cross(e, (mbs_vector){body->vx, body->vy}); /* vᵀ H v = -ω e · v */
}

const mbs_joint_type mbs_joint_skate = {
    .n_rows = 1,
    .residual = {"g_n"},
    .is_nonholonomic = true,
    .has_markers = true,
    .has_axis = true,
    .rest_row = -1,
    .check = check_skate,
    .find_coordinates = find_skate,
    .curvature = curvature_skate,
};
