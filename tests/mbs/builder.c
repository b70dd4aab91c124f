/* Building: what is refused, with which words; names and numbers of the model; who owns laws. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/mechanisms.h"

static mbs_builder *builder;
static seam_error error;

static void set_up(void) {
  builder = new_builder();
  add_body(builder, "b", 1, 1, (double[3]){0, 0, 0});
  error = (seam_error){0};
}

static void tear_down(void) { mbs_builder_destroy(builder); }

TestSuite(builder, .init = set_up, .fini = tear_down);

static void expect_refused(seam_status status, const char *words) {
  cr_expect_eq(status, SEAM_BAD_INPUT);
  cr_expect_eq(error.status, SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, words), "'%s' is not in: %s", words, error.message);
}

/* ---- Definitions ---- */

Test(builder, a_body_needs_its_mass) {
  mbs_body_def def = mbs_default_body_def();
  def.name = "c";
  def.inertia = 1;
  expect_refused(mbs_add_body(builder, &def, &error), "body 'c'");
}

Test(builder, a_negative_mass_is_refused) {
  mbs_body_def def = mbs_default_body_def();
  def.name = "c";
  def.mass = -1;
  def.inertia = 1;
  expect_refused(mbs_add_body(builder, &def, &error), "mass -1");
}

Test(builder, a_pose_that_is_not_finite_is_refused) {
  mbs_body_def def = mbs_default_body_def();
  def.name = "c";
  def.mass = def.inertia = 1;
  def.pose[1] = NAN;
  expect_refused(mbs_add_body(builder, &def, &error), "not finite");
}

Test(builder, an_uninitialised_body_is_refused) {
  const mbs_body_def def = {.name = "c", .mass = 1, .inertia = 1};
  expect_refused(mbs_add_body(builder, &def, &error), "not initialised");
}

Test(builder, an_uninitialised_joint_is_refused) {
  const mbs_joint_def def = {.name = "j", .bodies = {"ground", "b"}};
  expect_refused(mbs_add_joint(builder, &def, &error), "not initialised");
}

Test(builder, an_uninitialised_force_is_refused) {
  const mbs_force_def def = {.name = "f"};
  expect_refused(mbs_add_force(builder, &def, &error), "not initialised");
}

Test(builder, a_nameless_joint_is_refused) {
  mbs_joint_def def = mbs_default_joint_def();
  def.bodies[0] = "ground";
  def.bodies[1] = "b";
  expect_refused(mbs_add_joint(builder, &def, &error), "no name");
}

Test(builder, a_name_is_taken_once_among_all_elements) {
  mbs_joint_def def = mbs_default_joint_def();
  def.name = "b";
  def.bodies[0] = "ground";
  def.bodies[1] = "b";
  expect_refused(mbs_add_joint(builder, &def, &error), "the name is taken");
}

Test(builder, the_name_ground_is_taken) {
  mbs_body_def def = mbs_default_body_def();
  def.name = "ground";
  def.mass = def.inertia = 1;
  expect_refused(mbs_add_body(builder, &def, &error), "the name is taken");
}

Test(builder, an_unknown_body_is_refused) {
  mbs_joint_def def = mbs_default_joint_def();
  def.name = "j";
  def.bodies[0] = "ground";
  def.bodies[1] = "missing";
  expect_refused(mbs_add_joint(builder, &def, &error), "'missing' is not defined");
}

Test(builder, a_joint_of_a_body_with_itself_is_refused) {
  mbs_joint_def def = mbs_default_joint_def();
  def.name = "j";
  def.bodies[0] = def.bodies[1] = "b";
  expect_refused(mbs_add_joint(builder, &def, &error), "to itself");
}

Test(builder, a_prismatic_joint_needs_a_direction) {
  mbs_joint_def def = mbs_default_joint_def();
  def.name = "j";
  def.kind = MBS_PRISMATIC;
  def.bodies[0] = "ground";
  def.bodies[1] = "b";
  expect_refused(mbs_add_joint(builder, &def, &error), "no direction");
}

Test(builder, a_negative_stiffness_is_refused) {
  const char *bodies[2];
  mbs_force_def def = force_between("f", MBS_BUSHING, bodies, "ground", "b", (double[2]){0, 0});
  def.stiffness[2] = -1;
  expect_refused(mbs_add_force(builder, &def, &error), "not negative");
}

Test(builder, a_torque_needs_a_law) {
  const char *bodies[2];
  const mbs_force_def def = force_between("f", MBS_TORQUE, bodies, "b", NULL, (double[2]){0, 0});
  expect_refused(mbs_add_force(builder, &def, &error), "no law");
}

Test(builder, a_bushing_needs_two_bodies) {
  const char *bodies[2];
  const mbs_force_def def = force_between("f", MBS_BUSHING, bodies, "b", NULL, (double[2]){0, 0});
  expect_refused(mbs_add_force(builder, &def, &error), "its type needs 2");
}

/* A co-simulation of other things may have no mechanism. */
Test(builder, a_cable_has_at_most_64_places) {
  const char *bodies[65];
  mbs_force_def def = mbs_default_force_def();
  for (int i = 0; i < 65; i++)
    bodies[i] = "ground";
  def.name = "rope";
  def.kind = MBS_CABLE;
  def.bodies = bodies;
  def.n_bodies = 65;
  expect_refused(mbs_add_force(builder, &def, &error), "names 65 bodies, but its type takes 2 to 64");
}

Test(builder, a_model_may_be_empty) {
  mbs_model *model = NULL;
  cr_assert_eq(mbs_build(new_builder(), &model, &error), SEAM_OK, "%s", error.message);
  mbs_state *state = new_state(model);
  mbs_workspace *workspace = new_workspace(model);
  mbs_integrator *integrator = NULL;
  size_t none = 0;
  mbs_assembly report;
  cr_assert_eq(mbs_assemble(workspace, state, &report, &none, &error), SEAM_OK, "%s", error.message);
  cr_expect_eq(mbs_energy_of(workspace, state).total, 0);
  const mbs_integrator_options options = mbs_default_integrator_options();
  cr_assert_eq(mbs_integrator_create(model, &options, &integrator, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(mbs_integrator_start(integrator, state, &error), SEAM_OK, "%s", error.message);
  cr_expect_eq(mbs_integrator_advance(integrator, 1, state, &error), SEAM_OK, "%s", error.message);
  cr_expect_eq(state->t, 1);
  mbs_integrator_destroy(integrator);
  mbs_workspace_destroy(workspace);
  mbs_state_destroy(state);
  mbs_model_destroy(model);
}

Test(builder, what_is_refused_leaves_no_trace) {
  mbs_joint_def def = mbs_default_joint_def();
  def.name = "j";
  def.bodies[0] = "ground";
  def.bodies[1] = "missing";
  mbs_add_joint(builder, &def, &error);
  def.bodies[1] = "b";
  cr_expect_eq(mbs_add_joint(builder, &def, &error), SEAM_OK);
}

/* ---- Owners of laws ---- */

static int destroyed;

static double zero(const void *data, const double x[2]) {
  (void)data, (void)x;
  return 0;
}

static void count_destroyed(void *data) {
  (void)data;
  destroyed++;
}

static mbs_force_def force_with_laws(const char **bodies) {
  mbs_force_def def = force_between("f", MBS_POINT_FORCE, bodies, "b", NULL, (double[2]){0, 0});
  def.law = def.law_y = (seam_law){.value = zero, .destroy = count_destroyed};
  return def;
}

Test(builder, laws_of_a_refused_force_are_destroyed_once) {
  const char *bodies[2];
  mbs_force_def def = force_with_laws(bodies);
  bodies[0] = "missing";
  destroyed = 0;
  cr_expect_eq(mbs_add_force(builder, &def, &error), SEAM_BAD_INPUT);
  cr_expect_eq(destroyed, 2);
}

Test(builder, laws_are_destroyed_with_the_model) {
  const char *bodies[2];
  mbs_model *model = NULL;
  const mbs_force_def def = force_with_laws(bodies);
  mbs_builder *own = new_builder();
  destroyed = 0;
  add_body(own, "b", 1, 1, (double[3]){0, 0, 0});
  add_force(own, &def);
  cr_assert_eq(mbs_build(own, &model, &error), SEAM_OK);
  cr_expect_eq(destroyed, 0);
  mbs_model_destroy(model);
  cr_expect_eq(destroyed, 2);
}

Test(builder, laws_are_destroyed_with_the_builder) {
  const char *bodies[2];
  const mbs_force_def def = force_with_laws(bodies);
  mbs_builder *own = new_builder();
  destroyed = 0;
  add_body(own, "b", 1, 1, (double[3]){0, 0, 0});
  add_force(own, &def);
  mbs_builder_destroy(own);
  cr_expect_eq(destroyed, 2);
}

/* ---- Queries ---- */

Test(builder, the_model_counts_its_parts) {
  mechanism m = four_bar_bushing();
  cr_expect_eq(mbs_n_bodies(m.model), 4);
  cr_expect_eq(mbs_n_joints(m.model), 4);
  cr_expect_eq(mbs_n_forces(m.model), 5); /* the bushing, and air at each body */
  cr_expect_eq(mbs_n_constraints(m.model), 8);
  mechanism_free(&m);
}

Test(builder, the_model_finds_names) {
  mechanism m = four_bar_fixed();
  const size_t joint = mbs_find_joint(m.model, "M");
  const mbs_joint_info info = mbs_joint_of(m.model, joint);
  cr_expect_str_eq(mbs_body_of(m.model, info.bodies[0]).name, "bar2");
  cr_expect_str_eq(mbs_body_of(m.model, info.bodies[1]).name, "bar3");
  cr_expect_eq(info.kind, MBS_FIXED);
  cr_expect_eq(mbs_find_body(m.model, "M"), SEAM_NONE);
  cr_expect_eq(mbs_find_force(m.model, "M"), SEAM_NONE);
  cr_expect_eq(mbs_find_joint(m.model, "nothing"), SEAM_NONE);
  mechanism_free(&m);
}

Test(builder, ten_thousand_names_are_found) {
  enum { N = 10000 };
  char name[16];
  for (int i = 0; i < N; i++) {
    sprintf(name, "b%d", i);
    add_body(builder, name, 1, 1, (double[3]){i, 0, 0});
  }
  mechanism m = mechanism_build(builder);
  builder = NULL;
  for (size_t i = 0; i < N; i++) {
    sprintf(name, "b%zu", i);
    cr_assert_eq(mbs_find_body(m.model, name), i + 1, "%s", name); /* after `b` of set_up() */
    cr_assert_str_eq(mbs_body_of(m.model, i + 1).name, name);
  }
  cr_expect_eq(mbs_find_body(m.model, "b10000"), SEAM_NONE);
  cr_expect_eq(mbs_find_body(m.model, ""), SEAM_NONE);
  mechanism_free(&m);
}

Test(builder, kinds_have_the_names_of_the_model_file) {
  cr_expect_str_eq(mbs_joint_kind_text(MBS_REVOLUTE), "revolute");
  cr_expect_str_eq(mbs_joint_kind_text(MBS_MOTION), "motion");
  cr_expect_str_eq(mbs_force_kind_text(MBS_POINT_FORCE), "force");
  cr_expect_str_eq(mbs_force_kind_text(MBS_HYDRAULIC_CYLINDER), "hydraulic_cylinder");
}

Test(builder, joints_whose_wrench_turns_are_not_affine) {
  mechanism fixed = four_bar_fixed();
  cr_expect(mbs_joint_of(fixed.model, mbs_find_joint(fixed.model, "M")).is_affine);
  cr_expect(mbs_joint_of(fixed.model, mbs_find_joint(fixed.model, "A")).is_affine);
  mechanism_free(&fixed);
  mechanism slider = driven_slider_crank();
  size_t n = 0;
  for (size_t j = 0; j < mbs_n_joints(slider.model); j++)
    n += mbs_joint_of(slider.model, j).kind == MBS_PRISMATIC && !mbs_joint_of(slider.model, j).is_affine;
  cr_expect_eq(n, 1);
  mechanism_free(&slider);
}

Test(builder, the_ground_is_a_body_without_a_number) {
  mechanism m = four_bar_fixed();
  const mbs_joint_info joint = mbs_joint_of(m.model, mbs_find_joint(m.model, "A"));
  cr_expect_eq(joint.bodies[0], MBS_GROUND);
  cr_expect_eq(joint.bodies[1], mbs_find_body(m.model, "bar1"));
  cr_expect_eq(mbs_find_body(m.model, "ground"), MBS_GROUND);
  cr_expect_str_eq(mbs_body_of(m.model, MBS_GROUND).name, "ground");
  cr_expect_null(mbs_body_of(m.model, SEAM_NONE).name);
  mechanism_free(&m);
}

Test(builder, constraints_lead_back_to_their_joints) {
  mechanism m = four_bar_fixed();
  for (size_t j = 0; j < mbs_n_joints(m.model); j++)
    cr_expect_eq(mbs_constraint_of(m.model, mbs_joint_of(m.model, j).first_constraint).joint, j);
  cr_expect_str_eq(mbs_constraint_of(m.model, mbs_n_constraints(m.model) - 1).name, "g_phi");
  mechanism_free(&m);
}
