/* What a program may do wrong with the engine: status and words of each refusal, and answers of functions that return
 * no status. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/mechanisms.h"
#include "tests/support/misuse.h"

static mbs_builder *builder;
static mechanism four_bar, pendulum;
static seam_error error;

static void set_up(void) {
  builder = new_builder();
  add_body(builder, "b", 1, 1, (double[3]){0, 0, 0});
  add_body(builder, "c", 1, 1, (double[3]){1, 0, 0});
  four_bar = four_bar_fixed();
  pendulum = double_pendulum();
  mechanism_assemble(&four_bar);
  mechanism_assemble(&pendulum);
  error = (seam_error){0};
}

static void tear_down(void) {
  mbs_builder_destroy(builder);
  mechanism_free(&four_bar);
  mechanism_free(&pendulum);
}

TestSuite(misuse, .init = set_up, .fini = tear_down);

/* ---- Definitions ---- */

static const double cosine[3] = {0, 1, 1};

static void far_kind(mbs_joint_def *def) { def->kind = (mbs_joint_kind)77; }
static void negative_kind(mbs_joint_def *def) { def->kind = (mbs_joint_kind)-1; }
static void far_motion(mbs_joint_def *def) {
  def->kind = MBS_MOTION;
  def->of = (mbs_motion_of)50;
  def->law = law_of_time(cosine);
}
static void law_without_jet(mbs_joint_def *def) {
  def->kind = MBS_MOTION;
  def->law = law_of_time(cosine);
  def->law.jet = NULL;
}
static void far_frame(mbs_joint_def *def) { def->at[1].frame = (mbs_marker_frame)9; }
static void place_of_nan(mbs_joint_def *def) { def->at[0].position[1] = NAN; }
static void infinite_angle(mbs_joint_def *def) { def->angle = INFINITY; }
static void no_second_body(mbs_joint_def *def) { def->bodies[1] = NULL; }
static void gear_with_angle(mbs_joint_def *def) {
  def->kind = MBS_GEAR;
  def->ratio = 2;
  def->angle = 0.5;
}
static void rack_without_radius(mbs_joint_def *def) { def->kind = MBS_RACK; }
static void far_place(mbs_joint_def *def) { def->at[1].position[1] = -1e150; }
static void belt_without_radii(mbs_joint_def *def) { def->kind = MBS_BELT; }
static void belt_with_angle(mbs_joint_def *def) {
  def->kind = MBS_BELT;
  def->radii[0] = def->radii[1] = def->angle = 1;
}
static void belt_at_one_place(mbs_joint_def *def) {
  def->kind = MBS_BELT;
  def->radii[0] = def->radii[1] = 1;
}

Test(misuse, joints_that_cannot_be_are_refused) {
  static const struct {
    void (*spoil)(mbs_joint_def *def);
    const char *words;
  } rows[] = {{far_kind, "joint 'j': there is no kind 77"},
              {negative_kind, "joint 'j': there is no kind -1"},
              {far_motion, "motion 'j': 'of' is 50, which is not a coordinate"},
              {law_without_jet, "joint 'j': its law has value() but no jet()"},
              {far_frame, "joint 'j': the frame of its place is 9"},
              {place_of_nan, "joint 'j': its place is not finite"},
              {far_place, "joint 'j': its place (0, -1e+150) is farther than 1e+100 m"},
              {infinite_angle, "angle or length is not finite"},
              {no_second_body, "body '' is not defined"},
              {gear_with_angle, "gear 'j' takes no angle"},
              {rack_without_radius, "rack 'j': the radius of its pinion must be finite and not zero"},
              {belt_without_radii, "belt 'j': the radii of its pulleys must be finite and not zero"},
              {belt_with_angle, "belt 'j' takes no angle"},
              {belt_at_one_place, "joint 'j': its two centres coincide"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    mbs_joint_def def = mbs_default_joint_def();
    def.name = "j";
    def.bodies[0] = "b";
    def.bodies[1] = "c";
    rows[i].spoil(&def);
    expect_refused(mbs_add_joint(builder, &def, &error), SEAM_BAD_INPUT, rows[i].words, &error);
  }
}

static void far_force(mbs_force_def *def) { def->kind = (mbs_force_kind)99; }
static void no_bodies(mbs_force_def *def) { def->bodies = NULL; }
static void infinite_rest(mbs_force_def *def) { def->rest = -INFINITY; }
static void elastic_law_without_jet(mbs_force_def *def) {
  def->kind = MBS_TORSION;
  def->law = law_of_time(cosine);
  def->law.jet = NULL;
}
static void far_frame_of_force(mbs_force_def *def) { def->at[0].frame = (mbs_marker_frame)-3; }
static void elastic_belt(mbs_force_def *def) {
  def->kind = MBS_ELASTIC_BELT;
  def->stiffness[0] = 10;
  def->at[1].position[0] = 0.5;
  def->radii[0] = def->radii[1] = 0.1;
}
static void belt_without_pulleys(mbs_force_def *def) {
  elastic_belt(def);
  def->radii[1] = 0;
}
static void belt_without_stiffness(mbs_force_def *def) {
  elastic_belt(def);
  def->stiffness[0] = 0;
}
static void belt_that_pushes(mbs_force_def *def) {
  elastic_belt(def);
  def->preload = -1;
}
static void belt_of_pulleys_that_overlap(mbs_force_def *def) {
  elastic_belt(def);
  def->radii[0] = -0.45;
}
static void contact_on_line(mbs_force_def *def) {
  def->kind = MBS_CONTACT;
  def->stiffness[0] = 10;
  def->contact.has_line = def->has_axis = true;
  def->axis[0] = 1;
}
static void contact_of_points(mbs_force_def *def) {
  contact_on_line(def);
  def->contact.has_line = def->has_axis = false;
}
static void contact_without_stiffness(mbs_force_def *def) {
  contact_on_line(def);
  def->stiffness[0] = 0;
}
static void contact_on_line_without_direction(mbs_force_def *def) {
  contact_on_line(def);
  def->has_axis = false;
}
static void contact_of_line_with_radius(mbs_force_def *def) {
  contact_on_line(def);
  def->radii[0] = 1;
}
static void contact_with_negative_radius(mbs_force_def *def) {
  contact_on_line(def);
  def->radii[1] = -1;
}
static void contact_softer_than_linear(mbs_force_def *def) {
  contact_on_line(def);
  def->contact.exponent = 0.9;
}
static void contact_that_gains(mbs_force_def *def) {
  contact_on_line(def);
  def->contact.restitution = 1.1;
}
static void restitution_without_speed(mbs_force_def *def) {
  contact_on_line(def);
  def->contact.restitution = 0.5;
}
static void restitution_and_damping(mbs_force_def *def) {
  restitution_without_speed(def);
  def->contact.impact_speed = 1;
  def->damping[0] = 1;
}
static void friction_without_speed(mbs_force_def *def) {
  contact_on_line(def);
  def->contact.friction = 0.5;
}
static void resistance_without_speed(mbs_force_def *def) {
  def->kind = MBS_DRAG;
  def->n_bodies = 1;
  def->drag.resistance = 1;
}
static void infinite_wind(mbs_force_def *def) {
  def->kind = MBS_DRAG;
  def->n_bodies = 1;
  def->drag.wind[1] = INFINITY;
}

Test(misuse, forces_that_cannot_be_are_refused) {
  static const struct {
    void (*spoil)(mbs_force_def *def);
    const char *words;
  } rows[] = {{far_force, "force 'f': there is no kind 99"},
              {no_bodies, "force 'f': its list of bodies is NULL"},
              {infinite_rest, "rest length or angle is not finite"},
              {elastic_law_without_jet, "force 'f': its law has value() but no jet()"},
              {far_frame_of_force, "force 'f': the frame of its place is -3"},
              {belt_without_pulleys, "belt 'f': the radii of its pulleys must be finite and not zero"},
              {belt_without_stiffness, "belt 'f': its stiffness must be positive"},
              {belt_that_pushes, "belt 'f': its initial tension must be finite and not negative"},
              {belt_of_pulleys_that_overlap,
               "belt 'f': its centres are 0.5 m apart, but pulleys of 0.45 and 0.1 m need "
               "more than 0.55 m"},
              {contact_of_points, "contact 'f': two points never meet: give one of them a radius"},
              {contact_without_stiffness, "contact 'f': its stiffness must be positive"},
              {contact_on_line_without_direction, "contact 'f': its line needs a direction: set has_axis and axis"},
              {contact_of_line_with_radius, "contact 'f': its first radius must be 0, because its first side is a "
                                            "line: give the radius of the circle second"},
              {contact_with_negative_radius, "contact 'f': its radii must be finite and not negative"},
              {contact_softer_than_linear, "contact 'f': its 'exponent' 0.9 must be 1 or more"},
              {contact_that_gains, "contact 'f': its restitution 1.1 must be above 0"},
              {restitution_without_speed, "contact 'f': its restitution needs a positive 'impact_speed'"},
              {restitution_and_damping, "contact 'f' has damping and restitution: keep one of the two"},
              {friction_without_speed, "contact 'f': its friction must be finite and not negative, and needs"},
              {resistance_without_speed, "drag 'f': its 'resistance' would jump at rest: give a positive 'speed'"},
              {infinite_wind, "drag 'f': its wind is not finite"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *bodies[2];
    mbs_force_def def = force_between("f", MBS_BUSHING, bodies, "b", "c", standard_gravity);
    rows[i].spoil(&def);
    expect_refused(mbs_add_force(builder, &def, &error), SEAM_BAD_INPUT, rows[i].words, &error);
  }
}

static int n_destroyed;
static void count_destroyed(void *data) {
  (void)data;
  n_destroyed++;
}

Test(misuse, laws_of_an_uninitialised_definition_are_not_called) {
  mbs_joint_def def = {.name = "j", .bodies = {"b", "c"}, .law.destroy = count_destroyed};
  expect_refused(mbs_add_joint(builder, &def, &error), SEAM_BAD_INPUT, "not initialised", &error);
  cr_expect_eq(n_destroyed, 0);
}

Test(misuse, gravity_that_is_not_finite_is_refused) {
  mbs_model *model = NULL;
  mbs_set_gravity(builder, NULL);
  mbs_set_gravity(NULL, standard_gravity);
  mbs_set_gravity(builder, (double[2]){0, NAN});
  expect_refused(mbs_build(builder, &model, &error), SEAM_BAD_INPUT, "gravity (0, nan) must be finite", &error);
  cr_expect_null(model);
  builder = NULL;
}

/* ---- NULL ---- */

Test(misuse, arguments_of_null_are_named) {
  const mbs_body_def body = mbs_default_body_def();
  const mbs_joint_def joint = mbs_default_joint_def();
  const mbs_force_def force = mbs_default_force_def();
  const mbs_integrator_options options = mbs_default_integrator_options();
  mbs_integrator *integrator = mechanism_start(&pendulum, 8, 1e-8, 0);
  mbs_integrator *made = NULL;
  const mbs_model *model = pendulum.model;
  mbs_workspace *ws = pendulum.ws;
  char image[8] = "";
#define EXPECT(call, function, argument)                                                                               \
  expect_refused(call, SEAM_BAD_INPUT, function "(): its argument '" argument "' is NULL", &error)
  EXPECT(mbs_builder_create(NULL, &error), "mbs_builder_create", "created");
  EXPECT(mbs_add_body(NULL, &body, &error), "mbs_add_body", "builder");
  EXPECT(mbs_add_body(builder, NULL, &error), "mbs_add_body", "def");
  EXPECT(mbs_add_joint(NULL, &joint, &error), "mbs_add_joint", "builder");
  EXPECT(mbs_add_joint(builder, NULL, &error), "mbs_add_joint", "def");
  EXPECT(mbs_add_force(NULL, &force, &error), "mbs_add_force", "builder");
  EXPECT(mbs_add_force(builder, NULL, &error), "mbs_add_force", "def");
  EXPECT(mbs_build(NULL, (mbs_model **)&model, &error), "mbs_build", "builder");
  EXPECT(mbs_build(builder, NULL, &error), "mbs_build", "created");
  EXPECT(mbs_state_create(NULL, &pendulum.state, &error), "mbs_state_create", "model");
  EXPECT(mbs_state_create(model, NULL, &error), "mbs_state_create", "created");
  EXPECT(mbs_workspace_create(NULL, &ws, &error), "mbs_workspace_create", "model");
  EXPECT(mbs_workspace_create(model, NULL, &error), "mbs_workspace_create", "created");
  EXPECT(mbs_evaluate(NULL, pendulum.state, &error), "mbs_evaluate", "ws");
  EXPECT(mbs_evaluate(ws, NULL, &error), "mbs_evaluate", "state");
  EXPECT(mbs_assemble(ws, NULL, NULL, NULL, &error), "mbs_assemble", "state");
  EXPECT(mbs_find_equilibrium(ws, NULL, NULL, NULL, &error), "mbs_find_equilibrium", "state");
  EXPECT(mbs_integrator_create(NULL, &options, &made, &error), "mbs_integrator_create", "model");
  EXPECT(mbs_integrator_create(model, NULL, &made, &error), "mbs_integrator_create", "options");
  EXPECT(mbs_integrator_create(model, &options, NULL, &error), "mbs_integrator_create", "created");
  EXPECT(mbs_integrator_start(integrator, NULL, &error), "mbs_integrator_start", "state");
  EXPECT(mbs_integrator_advance(integrator, 1, NULL, &error), "mbs_integrator_advance", "state");
  EXPECT(mbs_integrator_restore(integrator, NULL, 0, &error), "mbs_integrator_restore", "image");
  EXPECT(mbs_integrator_restore(NULL, image, 0, &error), "mbs_integrator_restore", "self");
#undef EXPECT
  mbs_integrator_destroy(integrator);
}

Test(misuse, null_and_numbers_beyond_the_last_answer_nothing) {
  const mbs_model *const models[] = {pendulum.model, NULL};
  for (int i = 0; i < 2; i++) {
    const mbs_model *model = models[i];
    const size_t beyond[] = {1000, SEAM_NONE};
    for (int k = 0; k < 2; k++) {
      const mbs_joint_info joint = mbs_joint_of(model, beyond[k]);
      const mbs_force_info force = mbs_force_of(model, beyond[k]);
      cr_expect_null(mbs_body_of(model, beyond[k]).name);
      cr_expect(joint.name == NULL && joint.kind == MBS_JOINT_KINDS && joint.first_constraint == SEAM_NONE);
      cr_expect(joint.bodies[0] == SEAM_NONE && joint.bodies[1] == SEAM_NONE && !joint.is_affine);
      cr_expect(force.name == NULL && force.kind == MBS_FORCE_KINDS && !force.has_impacts);
      cr_expect(force.bodies[0] == SEAM_NONE && force.bodies[1] == SEAM_NONE);
      cr_expect_null(mbs_constraint_of(model, beyond[k]).name);
      cr_expect_null(mbs_state_of(model, beyond[k]).name);
      cr_expect_eq(mbs_constraint_of(model, beyond[k]).joint, SEAM_NONE);
      cr_expect_eq(mbs_state_of(model, beyond[k]).force, SEAM_NONE);
    }
    cr_expect_eq(mbs_find_body(model, NULL), SEAM_NONE);
    cr_expect_eq(mbs_find_joint(model, NULL), SEAM_NONE);
    cr_expect_eq(mbs_find_force(model, "nothing"), SEAM_NONE);
  }
  cr_expect_eq(mbs_n_bodies(NULL) + mbs_n_joints(NULL) + mbs_n_forces(NULL) + mbs_n_constraints(NULL), 0);
  cr_expect_null(mbs_joint_kind_text((mbs_joint_kind)-1));
  cr_expect_null(mbs_force_kind_text(MBS_FORCE_KINDS));
  cr_expect_eq(mbs_method_steps(NULL), 0);
}

/* ---- States of another model, elements that do not exist ---- */

Test(misuse, a_state_of_another_model_is_refused) {
  mbs_integrator *integrator = mechanism_start(&pendulum, 8, 1e-8, 0);
  const char *words = "the state belongs to another model";
  expect_refused(mbs_evaluate(pendulum.ws, four_bar.state, &error), SEAM_BAD_INPUT, words, &error);
  expect_refused(mbs_assemble(pendulum.ws, four_bar.state, NULL, NULL, &error), SEAM_BAD_INPUT, words, &error);
  expect_refused(mbs_find_equilibrium(pendulum.ws, four_bar.state, NULL, NULL, &error), SEAM_BAD_INPUT, words, &error);
  expect_refused(mbs_integrator_start(integrator, four_bar.state, &error), SEAM_BAD_INPUT, words, &error);
  expect_refused(mbs_integrator_advance(integrator, 1, four_bar.state, &error), SEAM_BAD_INPUT, words, &error);
  mbs_integrator_destroy(integrator);
}

Test(misuse, values_at_a_state_of_another_model_are_nan) {
  const size_t n = 3 * mbs_n_bodies(pendulum.model);
  const size_t m = mbs_n_constraints(pendulum.model);
  double g[16], forces[16], wrench[3];
  cr_assert(m <= 16 && n <= 16);
  mbs_residuals(pendulum.ws, four_bar.state, g, NULL, NULL);
  cr_expect(isnan(g[0]) && isnan(g[m - 1]));
  mbs_inverse_dynamics(pendulum.ws, four_bar.state, g, g, forces);
  cr_expect(isnan(forces[0]) && isnan(forces[n - 1]));
  cr_expect(isnan(mbs_energy_of(pendulum.ws, four_bar.state).total));
  mbs_reaction(pendulum.ws, four_bar.state, 0, wrench);
  cr_expect(isnan(wrench[0]));
  mbs_reaction(pendulum.ws, pendulum.state, SEAM_NONE, wrench);
  cr_expect(isnan(wrench[2]));
  mbs_force_wrench(four_bar.ws, four_bar.state, 1000, wrench);
  cr_expect(isnan(wrench[1]));
  cr_expect(isnan(mbs_force_push(four_bar.ws, four_bar.state, 1000)));
}

Test(misuse, states_of_different_lengths_are_not_copied) {
  const double before = pendulum.state->q[0];
  mbs_state_copy(pendulum.state, four_bar.state);
  cr_expect_eq(pendulum.state->q[0], before);
  mbs_state_copy(pendulum.state, NULL);
  mbs_state_copy(NULL, pendulum.state);
}

/* ---- Order of calls and times, alike for every method ---- */

#define METHOD(name, steps) #name,
static const char *const methods[] = {MBS_METHOD_TABLE(METHOD)};
#undef METHOD
enum { n_methods = sizeof methods / sizeof *methods };

static double step_of(const char *method) { return (mbs_method_steps(method) & MBS_ADAPTIVE_STEPS) != 0 ? 0 : 1e-3; }

Test(misuse, an_integrator_starts_before_it_advances) {
  for (int i = 0; i < n_methods; i++) {
    mbs_integrator_options options = mbs_default_integrator_options();
    mbs_integrator *integrator = NULL;
    const double before = pendulum.state->q[0];
    options.method = methods[i];
    options.step = step_of(methods[i]);
    cr_assert_eq(mbs_integrator_create(pendulum.model, &options, &integrator, &error), SEAM_OK);
    expect_refused(mbs_integrator_advance(integrator, 0.1, pendulum.state, &error), SEAM_BAD_STATE,
                   "start or restore it first", &error);
    cr_expect_eq(pendulum.state->q[0], before);
    mbs_integrator_destroy(integrator);
  }
}

Test(misuse, times_that_cannot_be_reached_are_refused_by_every_method) {
  for (int i = 0; i < n_methods; i++) {
    mechanism m = double_pendulum();
    mechanism_assemble(&m);
    mbs_integrator *integrator = mechanism_start_by(&m, methods[i], 1e-6, step_of(methods[i]));
    mechanism_advance(&m, integrator, 0.1);
    const double there = m.state->q[0];
    expect_refused(mbs_integrator_advance(integrator, NAN, m.state, &error), SEAM_BAD_INPUT, "not finite", &error);
    expect_refused(mbs_integrator_advance(integrator, INFINITY, m.state, &error), SEAM_BAD_INPUT, "not finite", &error);
    expect_refused(mbs_integrator_advance(integrator, 0.0999, m.state, &error), SEAM_BAD_INPUT,
                   "ask for times in ascending order", &error);
    expect_refused(mbs_integrator_advance(integrator, -1, m.state, &error), SEAM_BAD_INPUT, "ascending", &error);
    cr_expect(m.state->t == 0.1 && m.state->q[0] == there, "%s", methods[i]);
    mechanism_advance(&m, integrator, 0.1);
    mechanism_advance(&m, integrator, 0.2);
    mbs_integrator_destroy(integrator);
    mechanism_free(&m);
  }
}

Test(misuse, a_restored_integrator_knows_the_time_it_reached) {
  for (int i = 0; i < n_methods; i++) {
    mechanism m = double_pendulum();
    mechanism_assemble(&m);
    mbs_integrator *first = mechanism_start_by(&m, methods[i], 1e-6, step_of(methods[i]));
    mbs_integrator *second = mechanism_start_by(&m, methods[i], 1e-6, step_of(methods[i]));
    mechanism_advance(&m, first, 0.1);
    void *image = malloc(mbs_integrator_image_size(first));
    mbs_integrator_save(first, image);
    cr_assert_eq(mbs_integrator_restore(second, image, mbs_integrator_image_size(first), &error), SEAM_OK);
    expect_refused(mbs_integrator_advance(second, 0.05, m.state, &error), SEAM_BAD_INPUT, "ascending", &error);
    mechanism_advance(&m, second, 0.2);
    free(image);
    mbs_integrator_destroy(first);
    mbs_integrator_destroy(second);
    mechanism_free(&m);
  }
}

/* Equal layouts, other numbers; laws in C are known by value and derivatives at 0. */
Test(misuse, an_image_of_a_stiffer_model_is_refused) {
  static const double laws[2][4] = {{100, 0, 1, 0}, {200, 0, 1, 0}};
  static const double stiffness[] = {1000, 2000};
  void *image = NULL;
  size_t size = 0;
  for (int i = 0; i < 3; i++) { /* the first; another law; another stiffness */
    const char *bodies[2];
    mbs_builder *b = new_builder();
    add_body(b, "a", 1, 1, (double[3]){0, 0, 0});
    mbs_force_def spring = force_between("s", MBS_BUSHING, bodies, "ground", "a", standard_gravity);
    spring.stiffness[0] = stiffness[i == 2];
    add_force(b, &spring);
    mbs_force_def torsion = force_between("t", MBS_TORSION, bodies, "ground", "a", standard_gravity);
    torsion.law = law_of_stretch(laws[i == 1]);
    add_force(b, &torsion);
    mechanism m = mechanism_build(b);
    mechanism_assemble(&m);
    mbs_integrator *integrator = mechanism_start(&m, 8, 1e-8, 0);
    if (i == 0) {
      size = mbs_integrator_image_size(integrator);
      image = malloc(size);
      mbs_integrator_save(integrator, image);
    }
    const seam_status expected = i == 0 ? SEAM_OK : SEAM_BAD_STATE;
    cr_expect_eq(mbs_integrator_restore(integrator, image, size, &error), expected, "%d", i);
    mbs_integrator_destroy(integrator);
    mechanism_free(&m);
  }
  free(image);
}

Test(misuse, a_state_at_no_time_is_refused) {
  mbs_integrator *integrator = mechanism_start(&pendulum, 8, 1e-8, 0);
  pendulum.state->t = NAN;
  expect_refused(mbs_integrator_start(integrator, pendulum.state, &error), SEAM_BAD_INPUT, "time of the state", &error);
  expect_refused(mbs_evaluate(pendulum.ws, pendulum.state, &error), SEAM_BAD_INPUT, "time of the state", &error);
  mbs_integrator_destroy(integrator);
}

Test(misuse, a_state_that_is_not_assembled_is_refused) {
  mechanism m = four_bar_fixed();
  seam_error cause = {0};
  mechanism_assemble(&m);
  mbs_integrator *integrator = mechanism_start(&m, 8, 1e-8, 0);
  m.state->q[2] += 0.1;
  cr_expect_eq(mbs_integrator_start(integrator, m.state, &cause), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(cause.message, "the state contradicts joint"), "%s", cause.message);
  cr_expect_not_null(strstr(cause.message, "position"), "%s", cause.message);
  mechanism_assemble(&m);
  m.state->v[2] += 0.1;
  cr_expect_eq(mbs_integrator_start(integrator, m.state, &cause), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(cause.message, "velocity"), "%s", cause.message);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}
