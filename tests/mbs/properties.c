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

Test(properties, of_bodies) {
  double gravity[2];
  double mass = 0;
  double inertia = 0;
  mbs_gravity(model, gravity);
  expect_pair(gravity, 1, -9.81);
  mbs_body_mass(model, 1, &mass, &inertia);
  cr_expect_eq(mass, 4);
  cr_expect_eq(inertia, 5);
  mbs_body_mass(model, MBS_GROUND, &mass, &inertia);
  cr_expect(isnan(mass) && isnan(inertia));
}

/* Body a is turned by a quarter: its ξ axis points up. */
Test(properties, markers_are_in_the_frames_of_their_bodies) {
  double at[2];
  cr_expect(mbs_joint_marker(model, mbs_find_joint(model, "pin"), 0, at));
  expect_pair(at, 1, 3);
  cr_expect(mbs_joint_marker(model, mbs_find_joint(model, "pin"), 1, at));
  expect_pair(at, 2, 0);
  cr_expect(mbs_force_marker(model, mbs_find_force(model, "spring"), 0, at));
  expect_pair(at, 1, 0);
  cr_expect(mbs_force_marker(model, mbs_find_force(model, "spring"), 1, at));
  expect_pair(at, 3, 0);
  cr_expect(mbs_force_marker(model, mbs_find_force(model, "push"), 0, at));
  expect_pair(at, 0, 1);
}

Test(properties, what_has_no_places_has_no_markers) {
  double at[2] = {0, 0};
  cr_expect_not(mbs_joint_marker(model, mbs_find_joint(model, "cogs"), 0, at));
  cr_expect(isnan(at[0]) && isnan(at[1]));
  cr_expect_not(mbs_joint_marker(model, mbs_find_joint(model, "drive"), 0, at));
  cr_expect_not(mbs_force_marker(model, mbs_find_force(model, "push"), 1, at));
  cr_expect_not(mbs_force_marker(model, mbs_find_force(model, "air"), 0, at));
  cr_expect_not(mbs_joint_marker(model, mbs_find_joint(model, "pin"), 2, at));
  cr_expect_not(mbs_joint_marker(model, SEAM_NONE, 0, at));
  cr_expect_not(mbs_force_marker(NULL, 0, 0, at));
}

Test(properties, axes_ratio_and_coordinate) {
  double axis[2];
  cr_expect(mbs_joint_axis(model, mbs_find_joint(model, "rail"), axis));
  expect_pair(axis, 1, 0);
  cr_expect_not(mbs_joint_axis(model, mbs_find_joint(model, "pin"), axis));
  cr_expect(mbs_force_axis(model, mbs_find_force(model, "spring"), axis));
  expect_pair(axis, 0.6, 0.8);
  cr_expect_not(mbs_force_axis(model, mbs_find_force(model, "law"), axis));
  cr_expect_eq(mbs_joint_ratio(model, mbs_find_joint(model, "cogs")), -0.5);
  cr_expect(isnan(mbs_joint_ratio(model, mbs_find_joint(model, "pin"))));
  cr_expect_eq(mbs_joint_motion_of(model, mbs_find_joint(model, "drive")), MBS_OF_PHI);
  cr_expect_eq(mbs_joint_motion_of(model, mbs_find_joint(model, "pin")), MBS_MOTIONS);
}

Test(properties, radii_of_racks_and_belts) {
  double radii[2];
  cr_expect(mbs_joint_radii(model, mbs_find_joint(model, "strap"), radii));
  expect_pair(radii, -0.2, 0.3);
  cr_expect(mbs_joint_radii(model, mbs_find_joint(model, "teeth"), radii));
  cr_expect_eq(radii[0], -0.3);
  cr_expect(mbs_force_radii(model, mbs_find_force(model, "strap2"), radii));
  expect_pair(radii, 0.2, 0.3);
  cr_expect(mbs_force_radii(model, mbs_find_force(model, "floor"), radii));
  expect_pair(radii, 0, 0.3);
  cr_expect(mbs_force_line(model, mbs_find_force(model, "floor"), radii));
  cr_expect_float_eq(hypot(radii[0], radii[1]), 1, 1e-15);
  cr_expect_not(mbs_force_line(model, mbs_find_force(model, "strap2"), radii));
  cr_expect_not(mbs_force_radii(model, mbs_find_force(model, "air"), radii));
  cr_expect_not(mbs_joint_radii(model, mbs_find_joint(model, "cogs"), radii));
  cr_expect(isnan(radii[0]) && isnan(radii[1]));
}

Test(properties, coefficients_and_loads) {
  double stiffness[3];
  double damping[3];
  double load[2];
  bool in_body_axes = false;
  mbs_force_coefficients(model, mbs_find_force(model, "spring"), stiffness, damping);
  cr_expect_eq(stiffness[0], 6);
  cr_expect_eq(damping[0], 0);
  mbs_force_coefficients(model, mbs_find_force(model, "law"), stiffness, damping);
  cr_expect(isnan(stiffness[0]) && isnan(damping[2]));
  mbs_applied_load(model, mbs_find_force(model, "push"), 2, load, &in_body_axes);
  expect_pair(load, 3, 0);
  cr_expect(in_body_axes);
  mbs_applied_load(model, mbs_find_force(model, "spring"), 2, load, NULL);
  cr_expect(isnan(load[0]));
}
