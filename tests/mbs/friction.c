/* Friction of joints: derivatives in every form of the equations, what definitions are refused, mechanisms that jam.
 * Motions are in tests/models/friction.c. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "mbs/dynamics/dynamics.h"
#include "mbs/model/friction.h"
#include "mbs/stages/stages.h"
#include "tests/support/differences.h"
#include "tests/support/exact_forms.h"
#include "tests/support/measures.h"

static seam_error error;

static mbs_joint_def joint_at(const char *name, mbs_joint_kind kind, const char *first, const char *second, double x,
                              double y) {
  mbs_joint_def def = mbs_default_joint_def();
  def.name = name;
  def.kind = kind;
  def.bodies[0] = first;
  def.bodies[1] = second;
  def.axis[0] = 0.8;
  def.axis[1] = 0.6;
  def.friction =
      (mbs_friction){.coefficient = 0.15, .static_coefficient = 0.2, .stribeck_speed = 0.7, .slip_speed = 0.4};
  for (int side = 0; side < 2; side++)
    memcpy(def.at[side].position, (double[2]){x, y}, sizeof def.at[side].position);
  return def;
}

static void add(mbs_builder *builder, const mbs_joint_def *def) {
  cr_assert_eq(mbs_add_joint(builder, def, &error), SEAM_OK, "%s", error.message);
}

/* Three bodies that swing, slide along each other, and along a slot. */
static mechanism rubbing_by(bool is_hard) {
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_body(builder, "arm", 1, 0.3, (double[3]){0.5, 0.3, 0.4});
  add_body(builder, "block", 2, 0.5, (double[3]){1.3, 0.9, -0.7});
  add_body(builder, "tip", 0.7, 0.2, (double[3]){2, 0.5, 0.2});
  mbs_joint_def pin = joint_at("pin", MBS_REVOLUTE, "ground", "arm", 0, 0);
  pin.friction.radius = 0.3;
  pin.friction.viscous = 0.1;
  add(builder, &pin);
  mbs_joint_def guide = joint_at("guide", MBS_PRISMATIC, "arm", "block", 1, 0.8);
  guide.friction.length = 1.5;
  guide.friction.preload = 2;
  add(builder, &guide);
  mbs_joint_def hinge = joint_at("hinge", MBS_REVOLUTE, "block", "tip", 1.6, 0.7);
  hinge.friction.radius = 0.2;
  hinge.friction.static_coefficient = NAN;
  add(builder, &hinge);
  mbs_joint_def slot = joint_at("slot", MBS_SLOT, "tip", "ground", 2.2, 0.4);
  if (is_hard) {
    slot.friction.is_hard = guide.friction.is_hard = true;
    slot.friction.slip_speed = 0;
  }
  add(builder, &slot);
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  for (int i = 0; i < 9; i++)
    m.state->v[i] = sin(1 + 2 * i);
  cr_assert_eq(mbs_project(m.ws, 0, m.state->q, m.state->v, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(mbs_accelerate(m.ws, m.state, &error), SEAM_OK, "%s", error.message);
  return m;
}

static mechanism rubbing(void) { return rubbing_by(false); }

/* ---- Derivatives ---- */

/* The slot slips up or down, or sticks where it is. */
static mechanism hard_in(mbs_friction_mode mode) {
  mechanism m = rubbing_by(true);
  const mbs_joint *slot = &m.model->joints[3];
  const double place = read_one(&m, "slot.slide");
  m.state->z[slot->mode] = mode;
  m.state->z[slot->mode + 1] = place;
  mbs_load_stick_states(m.ws, m.state->z);
  cr_assert_eq(mbs_project(m.ws, 0, m.state->q, m.state->v, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(mbs_accelerate(m.ws, m.state, &error), SEAM_OK, "%s", error.message);
  return m;
}

static const mbs_friction_mode modes[] = {MBS_SLIPS_UP, MBS_SLIPS_DOWN, MBS_STICKS, MBS_AT_REST};

Test(friction, every_mode_of_hard_friction_has_exact_derivatives) {
  for (int i = 0; i < 4; i++) {
    mechanism m = hard_in(modes[i]);
    cr_expect_eq(read_one(&m, "slot.sticks"), modes[i] == MBS_STICKS);
    expect_exact_linearisation(&m);
    expect_exact_newton(&m, 0.3);
    expect_exact_stabilised_form(&m);
    mechanism_free(&m);
  }
}

/* What sticks has no rate; its friction is what keeps it so, and no part of the reaction. */
Test(friction, what_sticks_is_held_by_its_friction) {
  mechanism m = hard_in(MBS_STICKS);
  cr_expect_float_eq(read_one(&m, "slot.rate"), 0, 1e-13);
  cr_expect_float_eq(read_one(&m, "slot.acceleration"), 0, 1e-11);
  cr_expect_gt(fabs(read_one(&m, "slot.friction")), 0.1);
  cr_expect_float_eq(read_one(&m, "slot.f_along"), 0, 1e-12);
  cr_expect_float_eq(fabs(read_one(&m, "slot.f_across")), read_one(&m, "slot.normal"), 1e-12);
  mechanism_free(&m);
}

Test(friction, the_linearised_equations_are_derivatives) {
  mechanism m = rubbing();
  cr_expect_gt(fabs(read_one(&m, "guide.friction")), 0.1);
  expect_exact_linearisation(&m);
  mechanism_free(&m);
}

Test(friction, newtons_matrix_is_exact) {
  mechanism m = rubbing();
  expect_exact_newton(&m, 1e-3);
  expect_exact_newton(&m, 0.3);
  mechanism_free(&m);
}

Test(friction, the_jacobian_of_the_stabilised_form_is_exact) {
  mechanism m = rubbing();
  expect_exact_stabilised_form(&m);
  mechanism_free(&m);
}

typedef struct varied {
  const mbs_joint *joint;
} varied;

static void force_of(const void *context, const double *x, double *y) {
  const mbs_friction_forces f = mbs_friction_at(((const varied *)context)->joint, MBS_FRICTION_BY_MOTION, x[2], x);
  y[0] = f.value;
  y[1] = f.normal;
}

Test(friction, its_force_has_exact_derivatives) {
  mechanism m = rubbing();
  for (int j = 0; j < m.model->n_joints; j++)
    for (int k = -2; k <= 2; k++) {
      const mbs_joint *joint = &m.model->joints[j];
      const double x[3] = {3.2 - 1.1 * k, 0.7 * k - 0.2, 0.3 * k};
      double J[6];
      differentiate(force_of, &(varied){joint}, x, 3, 2, J);
      const mbs_friction_forces f = mbs_friction_at(joint, MBS_FRICTION_BY_MOTION, x[2], x);
      for (int i = 0; i < joint->type->n_rows; i++) {
        cr_expect_float_eq(f.by_lambda[i], J[i], 1e-9, "%s %d", joint->name, k);
        cr_expect_float_eq(f.normal_by_lambda[i], J[3 + i], 1e-9, "%s %d", joint->name, k);
      }
      cr_expect_float_eq(f.by_rate, J[2], 1e-9, "%s %d", joint->name, k);
    }
  mechanism_free(&m);
}

Test(friction, a_joint_without_load_has_a_derivative) {
  mechanism m = rubbing();
  const double none[2] = {0, 0};
  for (int j = 0; j < m.model->n_joints; j++) {
    const mbs_friction_forces f = mbs_friction_at(&m.model->joints[j], MBS_FRICTION_BY_MOTION, 0.3, none);
    for (int i = 0; i < m.model->joints[j].type->n_rows; i++)
      cr_expect_eq(f.by_lambda[i], 0);
  }
  mechanism_free(&m);
}

/* Power that bodies lose is what friction takes. */
Test(friction, its_loss_is_the_power_of_the_force) {
  mechanism m = rubbing();
  const double of_joints = read_one(&m, "pin.friction_loss") + read_one(&m, "guide.friction_loss") +
                           read_one(&m, "hinge.friction_loss") + read_one(&m, "slot.friction_loss");
  cr_assert_eq(mbs_accelerate(m.ws, m.state, &error), SEAM_OK);
  double power[2];
  mbs_powers(m.ws, power);
  cr_expect_float_eq(power[0], of_joints, 1e-12 * of_joints);
  double work = 0;
  for (int b = 0; b < 3; b++)
    for (int i = 0; i < 3; i++)
      work += m.state->v[3 * b + i] * (m.model->mass[3 * (b + 1) + i] * m.state->a[3 * b + i] -
                                       (i < 2 ? m.model->mass[3 * (b + 1)] * standard_gravity[i] : 0));
  cr_expect_float_eq(work, -of_joints, 1e-12 * of_joints);
  mechanism_free(&m);
}

/* ---- What is refused ---- */

static void expect_refused_def(mbs_joint_def def, const char *part) {
  mbs_builder *builder = new_builder();
  add_body(builder, "a", 1, 1, (double[3]){0, 0, 0});
  def.bodies[1] = "a";
  def.bodies[0] = "ground";
  cr_expect_eq(mbs_add_joint(builder, &def, &error), SEAM_BAD_INPUT);
  cr_expect(strstr(error.message, part) != NULL, "%s", error.message);
  mbs_builder_destroy(builder);
}

Test(friction, numbers_that_mean_nothing_are_refused) {
  const mbs_joint_def guide = joint_at("J", MBS_PRISMATIC, "", "", 0, 0);
  const mbs_joint_def pin = joint_at("J", MBS_REVOLUTE, "", "", 0, 0);
  mbs_joint_def def = guide;
  def.friction.coefficient = -0.1;
  expect_refused_def(def, "not negative");
  def = guide;
  def.friction.preload = INFINITY;
  expect_refused_def(def, "finite");
  def = guide;
  def.friction.slip_speed = 0;
  expect_refused_def(def, "positive 'slip_speed'");
  def.friction.is_hard = true;
  def.friction.slip_speed = 0.1;
  expect_refused_def(def, "takes no slip speed");
  def = guide;
  def.friction.static_coefficient = 0.1;
  expect_refused_def(def, "at least the kinetic one");
  def = guide;
  def.friction.stribeck_speed = 0;
  expect_refused_def(def, "positive 'stribeck_speed'");
  def = guide;
  def.friction.radius = 1;
  expect_refused_def(def, "only the friction of a revolute joint");
  expect_refused_def(pin, "positive 'radius', that of its pin");
  def = pin;
  def.friction.radius = def.friction.length = 1;
  expect_refused_def(def, "only the friction of a prismatic joint");
  def = joint_at("J", MBS_FIXED, "", "", 0, 0);
  expect_refused_def(def, "takes no friction");
}

/* A door with two hinges at one line would carry its weight in any proportion. */
Test(friction, reactions_that_nothing_determines_are_refused) {
  mbs_builder *builder = new_builder();
  mbs_model *model = NULL;
  add_body(builder, "door", 1, 1, (double[3]){0, 0, 0});
  mbs_joint_def first = joint_at("first", MBS_PRISMATIC, "ground", "door", 0, 0);
  mbs_joint_def second = joint_at("second", MBS_PRISMATIC, "ground", "door", 0.8, 0.6);
  second.friction.coefficient = NAN;
  add(builder, &first);
  add(builder, &second);
  cr_expect_eq(mbs_build(builder, &model, &error), SEAM_BAD_INPUT);
  cr_expect(strstr(error.message, "'first'") != NULL && strstr(error.message, "undetermined") != NULL, "%s",
            error.message);
}

/* What is redundant elsewhere does no harm. */
Test(friction, redundancy_of_other_joints_is_allowed) {
  mbs_builder *builder = new_builder();
  add_body(builder, "door", 1, 1, (double[3]){0, 0, 0});
  add_body(builder, "arm", 1, 1, (double[3]){2, 0, 0});
  add_prismatic(builder, "first", "ground", "door", (double[2]){0, 0}, (double[2]){1, 0});
  add_prismatic(builder, "second", "ground", "door", (double[2]){1, 0}, (double[2]){1, 0});
  mbs_joint_def pin = joint_at("pin", MBS_REVOLUTE, "ground", "arm", 1.5, 0);
  pin.friction.radius = 0.1;
  add(builder, &pin);
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  cr_expect_eq(mbs_accelerate(m.ws, m.state, &error), SEAM_OK, "%s", error.message);
  mechanism_free(&m);
}

/* ---- Jamming ---- */

/* A block whose centre of mass is e above its guide of length L: with a force P along the guide, its torque about the
 * guide is m a e, and m a = P - 2 μ |m a e|/L for v > 0. There is one a only if 2 μ e/L < 1. */
static mechanism tall_block(double height) {
  mbs_builder *builder = new_builder();
  const char *bodies[2];
  add_body(builder, "block", 2, 1, (double[3]){0, height, 0});
  mbs_joint_def guide = joint_at("guide", MBS_PRISMATIC, "ground", "block", 0, 0);
  guide.axis[0] = 1;
  guide.axis[1] = 0;
  guide.friction = (mbs_friction){.coefficient = 0.25, .static_coefficient = NAN, .slip_speed = 1e-9, .length = 0.5};
  add(builder, &guide);
  mbs_force_def spring = force_between("spring", MBS_SPRING_DAMPER, bodies, "ground", "block", (double[2]){-1, 0});
  spring.at[1].position[0] = 0;
  spring.stiffness[0] = 12;
  spring.rest = 2;
  add_force(builder, &spring);
  mechanism m = mechanism_build(builder);
  m.state->v[0] = 1;
  return m;
}

Test(friction, a_guide_that_does_not_jam_has_the_acceleration_of_its_ends) {
  const double e = 0.9;
  mechanism m = tall_block(e);
  cr_assert_eq(mbs_accelerate(m.ws, m.state, &error), SEAM_OK, "%s", error.message);
  cr_expect_float_eq(m.state->a[0], 12 / (2 * (1 + 2 * 0.25 * e / 0.5)), 1e-12);
  mechanism_free(&m);
}

Test(friction, a_guide_that_jams_is_reported) {
  mechanism m = tall_block(1.1);
  m.state->v[0] = -1;
  cr_expect_eq(mbs_accelerate(m.ws, m.state, &error), SEAM_SINGULAR);
  cr_expect(strstr(error.message, "t = 0 s: the friction of joint 'guide' depends on reactions") == error.message, "%s",
            error.message);
  cr_expect(strstr(error.message, "jams") != NULL, "%s", error.message);
  mechanism_free(&m);
}
