/* Motions that follow quantities: all forms of the equations against differences; rates of places through variables and
 * measures; what a builder refuses. */
#include <criterion/criterion.h>
#include <string.h>

#include <seam/equations.h>

#include "mbs/motor.h"
#include "tests/support/differences.h"
#include "tests/support/exact_forms.h"
#include "tests/support/laws.h"
#include "tests/support/measures.h"

static seam_error error;

typedef struct functions {
  coefficients place, x, y, torque;
} functions;

static void add_followed_motion(mbs_builder *builder) {
  mbs_joint_def def = mbs_default_joint_def();
  def.name = "motor";
  def.kind = MBS_MOTION;
  def.bodies[0] = "lead";
  def.bodies[1] = "arm";
  def.law_follows = true;
  cr_assert_eq(mbs_add_joint(builder, &def, &error), SEAM_OK, "%s", error.message);
}

static seam_status add_motion_law(mbs_builder *builder, const char *const *inputs, size_t n, mbs_function function) {
  mbs_motion_law_def def = mbs_default_motion_law_def();
  def.joint = "motor";
  def.inputs = inputs;
  def.n_inputs = n;
  def.function = function;
  return mbs_add_motion_law(builder, &def, &error);
}

/* A rod that swings carries one whose angle against it follows a state x, or that and the angle of a third body. */
static mbs_builder *carrier(void) {
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, (double[2]){0, -1});
  add_rod(builder, "lead", (double[2]){0, 0}, (double[2]){2, 0.5}, 1);
  add_rod(builder, "arm", (double[2]){2, 0.5}, (double[2]){2.2, -0.7}, 0.5);
  add_rod(builder, "bob", (double[2]){5, 0}, (double[2]){5.5, 0.3}, 0.8);
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "lead", (double[2]){0, 0});
  add_joint(builder, "B", MBS_REVOLUTE, "lead", "arm", (double[2]){2, 0.5});
  add_joint(builder, "C", MBS_REVOLUTE, "ground", "bob", (double[2]){5, 0});
  add_followed_motion(builder);
  return builder;
}

static mechanism driven(functions *f, bool by_bodies, bool by_forces) {
  static const char *const of_place[] = {"x", "y"};
  static const char *const of_place_with_body[] = {"x", "bob.phi"};
  static const char *const of_x[] = {"y", "x", "bob.phi"};
  static const char *const of_x_with_rate[] = {"y", "x", "bob.omega"};
  static const char *const of_y[] = {"x", "bob.omega", "y", "time"};
  static const char *const of_y_with_force[] = {"x", "bob.omega", "y", "C.fx"};
  static const char *const of_torque[] = {"arm.phi", "bob.omega"};
  mbs_builder *builder = carrier();
  *f = (functions){{{0.4, 0.3}, 2}, {{0.5, -0.3, 0.2}, 3}, {{-0.6, 0.2, -0.4, 0.1}, 4}, {{0.3, -0.2}, 2}};
  add_open(builder, "turn", MBS_TORQUE, "bob", NULL, (double[2]){0, 0});
  add_variable(builder, "x", 0.3, 0);
  add_variable(builder, "y", 0.2, 0);
  add_law(builder, "turn", 0, of_torque, 2, curved(&f->torque));
  set_rate(builder, "x", by_bodies ? of_x_with_rate : of_x, 3, curved(&f->x));
  set_rate(builder, "y", by_forces ? of_y_with_force : of_y, 4, curved(&f->y));
  f->place.n = by_forces ? 1 : 2;
  const mbs_function place = by_bodies ? curved(&f->place) : linear_of(&f->place);
  cr_assert_eq(add_motion_law(builder, by_bodies ? of_place_with_body : of_place, by_forces ? 1 : 2, place), SEAM_OK,
               "%s", error.message);
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  memcpy(m.state->v, (double[9]){0, 0, 0.4, 0, 0, 0, 0, 0, 0.7}, 9 * sizeof(double));
  mbs_take_holds(m.ws, m.state->z);
  cr_assert_eq(mbs_project(m.ws, m.state->t, m.state->q, m.state->v, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(mbs_accelerate(m.ws, m.state, &error), SEAM_OK, "%s", error.message);
  return m;
}

enum { N_VARIANTS = 3 };

/* 0: the speed reads another; 1: the place reads another; 2: the acceleration reads a reaction. */
static mechanism variant(functions *f, int i) { return driven(f, i == 1, i == 2); }

Test(motion_laws, a_motion_meets_place_speed_and_acceleration) {
  for (int i = 0; i < N_VARIANTS; i++) {
    functions f;
    mechanism m = variant(&f, i);
    double residuals[3][16];
    cr_assert_leq(mbs_n_constraints(m.model), 16);
    mbs_residuals(m.ws, m.state, residuals[0], residuals[1], residuals[2]);
    for (int level = 0; level < 3; level++)
      expect_close(residuals[level], (double[16]){0}, (int)mbs_n_constraints(m.model), 1e-12, "residuals");
    mechanism_free(&m);
  }
}

Test(motion_laws, the_linearised_equations_are_derivatives) {
  for (int i = 0; i < N_VARIANTS; i++) {
    functions f;
    mechanism m = variant(&f, i);
    expect_exact_linearisation(&m);
    mechanism_free(&m);
  }
}

Test(motion_laws, newtons_matrix_is_exact) {
  for (int i = 0; i < N_VARIANTS; i++) {
    functions f;
    mechanism m = variant(&f, i);
    expect_exact_newton(&m, 1e-3);
    expect_exact_newton(&m, 0.3);
    mechanism_free(&m);
  }
}

Test(motion_laws, the_jacobian_of_the_stabilised_form_is_exact) {
  for (int i = 0; i < N_VARIANTS; i++) {
    functions f;
    mechanism m = variant(&f, i);
    expect_exact_stabilised_form(&m);
    mechanism_free(&m);
  }
}

/* ---- What is refused ---- */

static void expect_message(seam_status status, const char *text) {
  cr_expect_eq(status, SEAM_BAD_INPUT);
  cr_expect(strstr(error.message, text) != NULL, "%s", error.message);
}

Test(motion_laws, laws_are_refused_with_their_joint) {
  static const char *const x[] = {"x"};
  coefficients one = {{1}, 1};
  mbs_builder *builder = carrier();
  add_variable(builder, "x", 0, 0);
  mbs_motion_law_def def = mbs_default_motion_law_def();
  def.joint = "A";
  def.inputs = x;
  def.n_inputs = 1;
  def.function = linear_of(&one);
  expect_message(mbs_add_motion_law(builder, &def, &error), "joint 'A' takes no law of quantities");
  def.joint = "none";
  expect_message(mbs_add_motion_law(builder, &def, &error), "'none', which is not defined");
  expect_message(add_motion_law(builder, (const char *const[]){"z"}, 1, linear_of(&one)), "z");
  coefficients friction = {{0.1, 1}, 2};
  expect_message(add_motion_law(builder, x, 1, friction_of(&friction)), "needs value(), change() and bend()");
  cr_assert_eq(add_motion_law(builder, x, 1, linear_of(&one)), SEAM_OK, "%s", error.message);
  expect_message(add_motion_law(builder, x, 1, linear_of(&one)), "joint 'motor' has two laws");
  mbs_builder_destroy(builder);
}

Test(motion_laws, a_law_that_was_announced_must_come) {
  mbs_model *model = NULL;
  expect_message(mbs_build(carrier(), &model, &error), "joint 'motor' has no law");
}

/* An equation whose function has no second derivatives. */
Test(motion_laws, equations_need_second_derivatives_too) {
  static const char *const x[] = {"x"};
  static const char *const y[] = {"y", "x"};
  coefficients one = {{1}, 1};
  coefficients friction = {{0.1, 1}, 2};
  mbs_model *model = NULL;
  mbs_builder *builder = carrier();
  add_variable(builder, "x", 0, 0);
  add_variable(builder, "y", 0, 0);
  set_rate(builder, "x", y, 2, friction_of(&friction));
  cr_assert_eq(add_motion_law(builder, x, 1, linear_of(&one)), SEAM_OK, "%s", error.message);
  expect_message(mbs_build(builder, &model, &error), "give it bend()");
}
