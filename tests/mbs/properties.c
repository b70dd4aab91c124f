/* What the definitions gave a model can be read back. */
#include <criterion/criterion.h>
#include <math.h>

#include <seam/models.h>

#include "tests/support/model_reader.h"

static seam_model_file *file;
static const mbs_model *model;

static void set_up(void) {
  file =
      read_model("seam: 1\n"
                 "gravity: [1, -9.81]\n"
                 "bodies:\n"
                 "  a: {mass: 2, inertia: 3, at: [1, 1], angle: pi/2}\n"
                 "  b: {mass: 4, inertia: 5, at: [2, 0]}\n"
                 "joints:\n"
                 "  pin: {type: revolute, bodies: [ground, a], at: [1, 3]}\n"
                 "  rail: {type: prismatic, bodies: [a, b], at: [2, 0], axis: [0, 2]}\n"
                 "  cogs: {type: gear, bodies: [a, b], ratio: -0.5}\n"
                 "  drive: {type: motion, of: phi, body: a, law: pi/2 + t}\n"
                 "  teeth: {type: rack, bodies: [a, b], at: [2, 0], axis: [0, 1], radius: -0.3}\n"
                 "  strap: {type: belt, bodies: [a, b], at: [[1, 1], [2, 0]], radii: [0.2, 0.3], crossed: true}\n"
                 "forces:\n"
                 "  spring: {type: spring_damper, bodies: [a, b], at: [[1, 2], [5, 0]], axis: [3, 4], stiffness: 6}\n"
                 "  law: {type: spring_damper, bodies: [a, b], at: [[1, 2], [5, 0]], force: s^3}\n"
                 "  push: {type: force, body: b, at: [2, 1], x: 1 + t, frame: body}\n"
                 "  strap2: {type: belt, bodies: [a, b], at: [[1, 1], [2, 0]], radii: [0.2, 0.3], stiffness: 5}\n"
                 "  floor: {type: contact, bodies: [a, b], at: [[1, 1], [2, 0]], line: [3, 4], radius: 0.3, "
                 "stiffness: 5}\n"
                 "  air: {type: viscous, bodies: [a, b], damping: [1, 2, 3]}\n",
                 (const char *const[]){NULL});
  model = seam_model_mechanism(file);
}

static void tear_down(void) { seam_model_file_destroy(file); }

TestSuite(properties, .init = set_up, .fini = tear_down);

static void expect_pair(const double pair[2], double x, double y) {
  cr_expect_lt(fabs(pair[0] - x), 1e-15);
  cr_expect_lt(fabs(pair[1] - y), 1e-15);
}

static mbs_joint_info joint(const char *name) { return mbs_joint_of(model, mbs_find_joint(model, name)); }
static mbs_force_info force(const char *name) { return mbs_force_of(model, mbs_find_force(model, name)); }

Test(properties, of_bodies) {
  double gravity[2];
  mbs_gravity(model, gravity);
  expect_pair(gravity, 1, -9.81);
  const mbs_body_info b = mbs_body_of(model, 1);
  cr_expect_str_eq(b.name, "b");
  cr_expect_eq(b.mass, 4);
  cr_expect_eq(b.inertia, 5);
  cr_expect(isnan(mbs_body_of(model, MBS_GROUND).mass) && isnan(mbs_body_of(model, 2).inertia));
}

/* Body a is turned by a quarter: its ξ axis points up. */
Test(properties, markers_are_in_the_frames_of_their_bodies) {
  expect_pair(joint("pin").markers[0], 1, 3);
  expect_pair(joint("pin").markers[1], 2, 0);
  expect_pair(force("spring").markers[0], 1, 0);
  expect_pair(force("spring").markers[1], 3, 0);
  expect_pair(force("push").markers[0], 0, 1);
}

Test(properties, what_has_no_places_has_no_markers) {
  const mbs_joint_info nothing = mbs_joint_of(model, SEAM_NONE);
  cr_expect(isnan(joint("cogs").markers[0][0]) && isnan(joint("cogs").markers[1][1]));
  cr_expect(isnan(joint("drive").markers[0][0]));
  cr_expect(isnan(force("push").markers[1][0]));
  cr_expect(isnan(force("air").markers[0][0]));
  cr_expect(isnan(nothing.markers[0][0]) && isnan(nothing.axis[1]) && isnan(nothing.radii[0]));
  cr_expect(isnan(mbs_force_of(NULL, 0).markers[0][0]));
}

Test(properties, axes_ratio_and_coordinate) {
  expect_pair(joint("rail").axis, 1, 0);
  cr_expect(isnan(joint("pin").axis[0]));
  expect_pair(force("spring").axis, 0.6, 0.8);
  cr_expect(isnan(force("law").axis[0]));
  cr_expect_eq(joint("cogs").ratio, -0.5);
  cr_expect(isnan(joint("pin").ratio));
  cr_expect_eq(joint("drive").of, MBS_OF_PHI);
  cr_expect_eq(joint("pin").of, MBS_MOTIONS);
}

Test(properties, radii_of_racks_and_belts) {
  expect_pair(joint("strap").radii, -0.2, 0.3);
  cr_expect_eq(joint("teeth").radii[0], -0.3);
  cr_expect(isnan(joint("cogs").radii[0]) && isnan(joint("cogs").radii[1]));
  expect_pair(force("strap2").radii, 0.2, 0.3);
  expect_pair(force("floor").radii, 0, 0.3);
  cr_expect(isnan(force("air").radii[0]));
  cr_expect_float_eq(hypot(force("floor").axis[0], force("floor").axis[1]), 1, 1e-15);
  cr_expect(isnan(force("strap2").axis[0]));
}

Test(properties, coefficients_and_loads) {
  cr_expect_eq(force("spring").stiffness[0], 6);
  cr_expect_eq(force("spring").damping[0], 0);
  cr_expect(isnan(force("law").stiffness[0]) && isnan(force("law").damping[2]));
  const mbs_force_info push = force("push");
  cr_expect_eq(push.load[0].value(push.load[0].data, (double[2]){2, 0}), 3);
  cr_expect(push.in_body_axes);
  cr_expect_null(force("spring").load[0].value);
}

Test(properties, of_contacts_and_states) {
  cr_expect_not(force("floor").has_impacts);
  cr_expect_eq(force("floor").curve, SEAM_NONE);
  cr_expect_null(mbs_state_of(model, mbs_n_states(model)).name);
  cr_expect(isnan(mbs_state_of(model, mbs_n_states(model)).nominal));
}
