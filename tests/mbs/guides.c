/* Distance, slot and gear by physics: reactions and motions that can be worked out by hand. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "tests/support/mechanisms.h"

static const double origin[2] = {0, 0};
static const double mass = 3;
static const double g0 = 9.81;

static void expect_wrench(mechanism *m, const char *joint, const double expected[3], double tolerance) {
  double wrench[3];
  mbs_reaction(m->ws, m->state, mbs_find_joint(m->model, joint), wrench);
  for (int i = 0; i < 3; i++)
    cr_expect_float_eq(wrench[i], expected[i], tolerance, "component %d is %.15g, not %.15g", i, wrench[i],
                       expected[i]);
}

/* Moves m, which is assembled, to time t at the tolerance 1e-11. */
static void move(mechanism *m, double t) {
  mbs_integrator *integrator = mechanism_start(m, 8, 1e-11, 0);
  mbs_integrator_set_stop(integrator, t);
  mechanism_advance(m, integrator, t);
  mbs_integrator_destroy(integrator);
}

/* ---- Distance ---- */

/* A bob at `place` on a massless rod from the origin. */
static mechanism bob_on_rod(bool ground_first, const double place[2]) {
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_body(builder, "bob", mass, 0.2, (double[3]){place[0], place[1], 0});
  if (ground_first)
    add_distance(builder, "rod", "ground", origin, "bob", place);
  else
    add_distance(builder, "rod", "bob", place, "ground", origin);
  return mechanism_build(builder);
}

Test(guides, a_hanging_bob_pulls_the_ground_down) {
  mechanism m = bob_on_rod(true, (double[2]){0, -2});
  mechanism_assemble(&m);
  expect_wrench(&m, "rod", (double[3]){0, -mass * g0, 0}, 1e-12);
  mechanism_free(&m);
}

Test(guides, the_ground_holds_a_hanging_bob_up) {
  mechanism m = bob_on_rod(false, (double[2]){0, -2});
  mechanism_assemble(&m);
  expect_wrench(&m, "rod", (double[3]){0, mass * g0, 0}, 1e-12);
  mechanism_free(&m);
}

Test(guides, the_multiplier_is_the_pull_of_the_rod) {
  mechanism m = bob_on_rod(true, (double[2]){0, -2});
  mechanism_assemble(&m);
  cr_expect_float_eq(m.state->lambda[0], mass * g0, 1e-12);
  mechanism_free(&m);
}

Test(guides, a_bob_just_let_go_at_the_side_falls_freely) {
  mechanism m = bob_on_rod(true, (double[2]){2, 0});
  mechanism_assemble(&m);
  expect_wrench(&m, "rod", (double[3]){0, 0, 0}, 1e-12);
  cr_expect_float_eq(m.state->a[1], -g0, 1e-12);
  mechanism_free(&m);
}

/* With 3 m/s below the pivot: weight and m v² / l. */
Test(guides, a_swinging_bob_pulls_with_its_motion_too) {
  mechanism m = bob_on_rod(true, (double[2]){0, -2});
  m.state->v[0] = 3;
  mechanism_assemble(&m);
  expect_wrench(&m, "rod", (double[3]){0, -mass * (g0 + 9 / 2.0), 0}, 1e-12);
  mechanism_free(&m);
}

/* A rod that is held off the middle of its body turns it: body of m, J with the force F at the arm c: α = F c / J. A
 * bob at rest hanging from the end of its horizontal arm of 0.5 m: F = m g / (1 + m c² / J). */
Test(guides, a_rod_pulls_at_the_marker) {
  const double c = 0.5;
  const double inertia = 0.2;
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_body(builder, "bob", mass, inertia, (double[3]){-c, -2, 0});
  add_distance(builder, "rod", "ground", origin, "bob", (double[2]){0, -2});
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  const double force = mass * g0 / (1 + mass * c * c / inertia);
  expect_wrench(&m, "rod", (double[3]){0, -force, 0}, 1e-12);
  cr_expect_float_eq(m.state->a[2], force * c / inertia, 1e-12);
  mechanism_free(&m);
}

/* A uniform rod of 1 m on a pivot swings like a point at its centre of oscillation, 2/3 m away (Huygens). */
Test(guides, a_bob_swings_like_a_rod_on_a_revolute) {
  const double angle = 0.3;
  const double l = 2.0 / 3;
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_rod(builder, "rod", origin, (double[2]){cos(angle), sin(angle)}, 1);
  add_joint(builder, "pivot", MBS_REVOLUTE, "ground", "rod", origin);
  mechanism rod = mechanism_build(builder);
  mechanism bob = bob_on_rod(true, (double[2]){l * cos(angle), l * sin(angle)});
  mechanism_assemble(&rod);
  mechanism_assemble(&bob);
  for (int i = 1; i <= 20; i++) {
    move(&rod, 0.1 * i);
    move(&bob, 0.1 * i);
    cr_assert_float_eq(bob.state->q[0], l * cos(rod.state->q[2]), 1e-9, "at %g s", 0.1 * i);
    cr_assert_float_eq(bob.state->q[1], l * sin(rod.state->q[2]), 1e-9, "at %g s", 0.1 * i);
  }
  mechanism_free(&rod);
  mechanism_free(&bob);
}

Test(guides, a_bob_held_in_its_middle_keeps_its_rate) {
  mechanism m = bob_on_rod(true, (double[2]){2, 0});
  m.state->v[2] = 5;
  mechanism_assemble(&m);
  move(&m, 1);
  cr_expect_float_eq(m.state->v[2], 5, 1e-13);
  mechanism_free(&m);
}

/* ---- Slot ---- */

static const double incline = pi / 6;

/* A bead on a line through the origin that falls to the left. */
static mechanism bead_on_incline(void) {
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_body(builder, "bead", mass, 0.2, (double[3]){0, 0, 0});
  add_slot(builder, "line", "ground", "bead", origin, (double[2]){cos(incline), sin(incline)});
  return mechanism_build(builder);
}

Test(guides, a_bead_slides_down_its_incline) {
  mechanism m = bead_on_incline();
  mechanism_assemble(&m);
  move(&m, 1);
  const double s = -g0 * sin(incline) / 2;
  cr_expect_float_eq(m.state->q[0], s * cos(incline), 1e-12);
  cr_expect_float_eq(m.state->q[1], s * sin(incline), 1e-12);
  mechanism_free(&m);
}

/* The ground takes m g cos 30° against the normal n = (-sin 30°, cos 30°). */
Test(guides, a_bead_presses_its_line) {
  const double press = mass * g0 * cos(incline);
  mechanism m = bead_on_incline();
  mechanism_assemble(&m);
  expect_wrench(&m, "line", (double[3]){press * sin(incline), -press * cos(incline), 0}, 1e-12);
  mechanism_free(&m);
}

Test(guides, a_bead_turns_freely) {
  mechanism m = bead_on_incline();
  m.state->v[2] = 5;
  mechanism_assemble(&m);
  move(&m, 1);
  cr_expect_float_eq(m.state->q[2], 5, 1e-12);
  mechanism_free(&m);
}

static const double r0 = 0.5;
static const double rate = 2;
static const double start_angle = 0.2;

/* A bead at rest on a line that turns with `rate`, without gravity: r'' = Ω² r, r = r0 cosh Ω t. */
static mechanism bead_on_turning_line(void) {
  static const double turn[2] = {start_angle, rate};
  const double axis[2] = {cos(start_angle), sin(start_angle)};
  const double place[2] = {r0 * axis[0], r0 * axis[1]};
  mbs_builder *builder = new_builder();
  add_body(builder, "rotor", 1, 1, (double[3]){0, 0, start_angle});
  add_body(builder, "bead", mass, 0.2, (double[3]){place[0], place[1], 0});
  add_joint(builder, "pivot", MBS_REVOLUTE, "ground", "rotor", origin);
  add_motion(builder, "drive", MBS_OF_ANGLE, "ground", "rotor", law_of_steady_motion(turn));
  add_slot(builder, "line", "rotor", "bead", place, axis);
  mechanism m = mechanism_build(builder);
  const double start_rates[6] = {0, 0, rate, -rate * place[1], rate * place[0], 0};
  memcpy(m.state->v, start_rates, sizeof start_rates);
  mechanism_assemble(&m);
  return m;
}

Test(guides, a_bead_on_a_turning_line_flies_out) {
  mechanism m = bead_on_turning_line();
  move(&m, 1);
  const double r = r0 * cosh(rate);
  cr_expect_float_eq(m.state->q[3], r * cos(start_angle + rate), 1e-9);
  cr_expect_float_eq(m.state->q[4], r * sin(start_angle + rate), 1e-9);
  mechanism_free(&m);
}

/* It presses back on the rotor, the first body, with the Coriolis force 2 m r' Ω against the turning, at r. */
Test(guides, a_bead_on_a_turning_line_presses_with_its_coriolis_force) {
  mechanism m = bead_on_turning_line();
  move(&m, 1);
  const double angle = start_angle + rate;
  const double reach = r0 * cosh(rate) - r0; /* from the rotor's marker to the bead */
  const double press = 2 * mass * r0 * rate * sinh(rate) * rate;
  expect_wrench(&m, "line", (double[3]){press * sin(angle), -press * cos(angle), -press * reach}, 1e-6);
  mechanism_free(&m);
}

/* The torque on the rotor is 2 m r r' Ω, on the ground, the first body, its opposite. */
Test(guides, the_drive_of_a_turning_line_feels_its_bead) {
  mechanism m = bead_on_turning_line();
  move(&m, 1);
  const double torque = 2 * mass * r0 * cosh(rate) * r0 * rate * sinh(rate) * rate;
  expect_wrench(&m, "drive", (double[3]){0, 0, -torque}, 1e-6);
  mechanism_free(&m);
}

/* ---- Gear ---- */

static const double ratio = -2;
static const double inertia_1 = 0.5;
static const double inertia_2 = 0.3;

static mbs_builder *wheels(void) {
  const double place[2] = {1, 0};
  mbs_builder *builder = new_builder();
  add_body(builder, "first", 1, inertia_1, (double[3]){0, 0, 0.3});
  add_body(builder, "second", 1, inertia_2, (double[3]){1, 0, -0.4});
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "first", origin);
  add_joint(builder, "B", MBS_REVOLUTE, "ground", "second", place);
  add_gear(builder, "gear", "first", "second", ratio);
  return builder;
}

/* A torque of 4 Nm on the first wheel turns it with 4 / (J1 + ratio² J2). */
static mechanism driven_wheels(void) {
  static const double constant[3] = {4, 0, 0};
  const char *bodies[2];
  mbs_builder *builder = wheels();
  mbs_force_def torque = force_between("torque", MBS_TORQUE, bodies, "first", NULL, origin);
  torque.law = law_of_time(constant);
  add_force(builder, &torque);
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  return m;
}

static const double gear_acceleration = 4 / (inertia_1 + ratio * ratio * inertia_2);

Test(guides, both_wheels_are_accelerated) {
  mechanism m = driven_wheels();
  cr_expect_float_eq(m.state->a[2], gear_acceleration, 1e-13);
  cr_expect_float_eq(m.state->a[5], ratio * gear_acceleration, 1e-13);
  mechanism_free(&m);
}

/* On the first wheel acts what the second one takes, ratio times larger. */
Test(guides, a_gear_transmits_torque) {
  mechanism m = driven_wheels();
  expect_wrench(&m, "gear", (double[3]){0, 0, -ratio * ratio * inertia_2 * gear_acceleration}, 1e-13);
  mechanism_free(&m);
}

Test(guides, the_ratio_is_kept) {
  mechanism m = driven_wheels();
  for (int i = 1; i <= 10; i++) {
    move(&m, i);
    cr_assert_float_eq(m.state->q[5] + 0.4, ratio * (m.state->q[2] - 0.3), 1e-12 * fabs(m.state->q[5]));
    cr_assert_float_eq(m.state->v[5], ratio * m.state->v[2], 1e-12 * fabs(m.state->v[5]));
  }
  mechanism_free(&m);
}

/* A torsion spring on the second wheel: ω² = ratio² k / (J1 + ratio² J2). Started with the rate 1 of the first. */
static mechanism sprung_wheels(double stiffness) {
  const char *bodies[2];
  mbs_builder *builder = wheels();
  mbs_force_def spring = force_between("spring", MBS_TORSION, bodies, "ground", "second", origin);
  spring.stiffness[0] = stiffness;
  add_force(builder, &spring);
  mechanism m = mechanism_build(builder);
  m.state->v[2] = 1;
  m.state->v[5] = ratio;
  mechanism_assemble(&m);
  return m;
}

Test(guides, wheels_on_a_spring_swing_as_one) {
  const double k = 10;
  const double omega = sqrt(ratio * ratio * k / (inertia_1 + ratio * ratio * inertia_2));
  mechanism m = sprung_wheels(k);
  move(&m, 2);
  cr_expect_float_eq(m.state->q[2] - 0.3, sin(2 * omega) / omega, 1e-10);
  mechanism_free(&m);
}

Test(guides, wheels_on_a_spring_keep_their_energy) {
  mechanism m = sprung_wheels(10);
  const double start = mbs_energy_of(m.ws, m.state).total;
  for (int i = 1; i <= 20; i++) {
    move(&m, 0.5 * i);
    cr_assert_float_eq(mbs_energy_of(m.ws, m.state).total, start, 1e-10);
  }
  mechanism_free(&m);
}
