/* Gears whose axles are carried, racks and belts: ratios by Willis' formula, motions, torques and powers in closed
 * form. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "tests/support/model_run.h"

static model_run start(const char *text) { return model_run_by(text, "erk"); }

static const mbs_model *model_of(const model_run *run) { return seam_model_mechanism(run->file); }

static double angle(const model_run *d, const char *body) {
  return d->state->q[3 * mbs_find_body(model_of(d), body) + 2];
}
static double omega(const model_run *d, const char *body) {
  return d->state->v[3 * mbs_find_body(model_of(d), body) + 2];
}
static double alpha(const model_run *d, const char *body) {
  return d->state->a[3 * mbs_find_body(model_of(d), body) + 2];
}

static double torque_of(const model_run *d, const char *joint) {
  double wrench[3];
  mbs_reaction(d->ws, d->state, mbs_find_joint(model_of(d), joint), wrench);
  return wrench[2];
}

/* ---- A planetary gear: sun, planets on a carrier, ring ---- */

static const double sun_teeth = 20;
static const double planet_teeth = 16;
static const double ring_teeth = 52;

/* RING is the body with the teeth inside. */
#define PLANETARY(RING, MORE_BODIES, MORE)                                                                             \
  "seam: 1\n"                                                                                                          \
  "parameters: {zs: 20, zp: 16, zr: 52, a: 0.018, T: 3, L: -9}\n"                                                      \
  "bodies:\n"                                                                                                          \
  "  sun: {mass: 0.1, inertia: 2e-5}\n"                                                                                \
  "  carrier: {mass: 0.4, inertia: 9e-5}\n"                                                                            \
  "  planet: {mass: 0.06, inertia: 8e-6, at: [a, 0]}\n" MORE_BODIES "joints:\n"                                        \
  "  s: {type: revolute, bodies: [ground, sun], at: [0, 0]}\n"                                                         \
  "  c: {type: revolute, bodies: [ground, carrier], at: [0, 0]}\n"                                                     \
  "  p: {type: revolute, bodies: [carrier, planet], at: [a, 0]}\n"                                                     \
  "  outer: {type: gear, bodies: [sun, planet], at: [[0, 0], [a, 0]], teeth: [zs, zp]}\n"                              \
  "  inner: {type: gear, bodies: [" RING ", planet], at: [[0, 0], [a, 0]], teeth: [zr, zp], internal: true}\n" MORE    \
  "simulate: {end: 1}\n"

#define LOADED                                                                                                         \
  "forces:\n"                                                                                                          \
  "  in: {type: torque, body: sun, torque: T}\n"                                                                       \
  "  out: {type: torque, body: carrier, torque: L}\n"

static const double planet_turn =
    1 - ring_teeth / planet_teeth;                          /* of the planet for one of the carrier, ring at rest */
static const double step_down = 1 + ring_teeth / sun_teeth; /* sun over carrier */

/* Inertia of all that turns, reduced to the carrier. */
static const double reduced =
    2e-5 * step_down * step_down + 9e-5 + 0.06 * 0.018 * 0.018 + 8e-6 * planet_turn * planet_turn;

Test(transmissions, speeds_are_those_of_willis) {
  model_run d = start(PLANETARY("ground", "", LOADED));
  model_run_reach(&d, 0.1);
  cr_expect_float_eq(omega(&d, "sun") / omega(&d, "carrier"), step_down, 1e-12);
  cr_expect_float_eq(omega(&d, "planet") / omega(&d, "carrier"), planet_turn, 1e-12);
  model_run_end(&d);
}

/* (ω_r - ω_c) z_r = -(ω_s - ω_c) z_s with nothing at rest. */
Test(transmissions, with_a_ring_that_turns_it_is_a_differential) {
  model_run d = start(PLANETARY("ring", "  ring: {mass: 0.3, inertia: 2e-4, rate: 40}\n",
                                "  r: {type: revolute, bodies: [ground, ring], at: [0, 0]}\n" LOADED));
  for (int i = 1; i <= 10; i++) {
    model_run_reach(&d, 0.02 * i);
    const double carrier = omega(&d, "carrier");
    cr_expect_float_eq((omega(&d, "ring") - carrier) / (omega(&d, "sun") - carrier), -sun_teeth / ring_teeth, 1e-12);
  }
  cr_expect_gt(fabs(omega(&d, "ring") - 40), 1);
  model_run_end(&d);
}

/* Torques of 3 Nm on the sun and -9 Nm on the carrier: α = (3 · 3.6 - 9) / J of the carrier, for ever. Its turns, 500
 * or so, pass every branch of the line of centres. */
Test(transmissions, a_constant_torque_accelerates_it_evenly_over_many_turns) {
  model_run d = start(PLANETARY("ground", "", LOADED));
  const double expected = (3 * step_down - 9) / reduced;
  model_run_reach(&d, 1);
  cr_expect_float_eq(alpha(&d, "carrier"), expected, 1e-8 * expected);
  cr_expect_gt(angle(&d, "carrier"), 2000);
  cr_expect_float_eq(angle(&d, "carrier") / (expected / 2), 1, 1e-10);
  cr_expect_float_eq(angle(&d, "sun") / angle(&d, "carrier"), step_down, 1e-12);
  model_run_end(&d);
}

/* -3 · 3.6 Nm on the carrier balance 3 Nm on the sun; the ring takes 3 z_r / z_s, so that no torque is left. */
Test(transmissions, the_ring_takes_the_torque_that_the_others_leave) {
  model_run d = start(PLANETARY("ground", "",
                                "forces:\n"
                                "  in: {type: torque, body: sun, torque: T}\n"
                                "  out: {type: torque, body: carrier, torque: -T*(1 + zr/zs)}\n"));
  cr_expect_float_eq(alpha(&d, "sun"), 0, 1e-9);
  cr_expect_float_eq(torque_of(&d, "inner"), 3 - 3 * step_down, 1e-12);
  cr_expect_float_eq(torque_of(&d, "outer"), -3, 1e-12);
  model_run_end(&d);
}

/* Teeth do no work: what both torques bring is in the motion. */
Test(transmissions, power_is_in_balance) {
  model_run d = start(PLANETARY("ground", "", LOADED));
  for (int i = 1; i <= 5; i++) {
    model_run_reach(&d, 0.1 * i);
    const mbs_energy e = mbs_energy_of(d.ws, d.state);
    cr_expect_float_eq(e.driven, 3 * angle(&d, "sun") - 9 * angle(&d, "carrier"), 1e-9 * e.driven);
    cr_expect_float_eq(e.kinetic, e.driven, 1e-9 * e.driven);
  }
  model_run_end(&d);
}

/* The tangential force on the teeth, (1 - ratio) λ / d, over the pitch radius of the sun is its torque. */
Test(transmissions, teeth_press_at_the_pitch_circle) {
  model_run d = start(PLANETARY("ground", "", LOADED));
  double wrench[3];
  mbs_reaction(d.ws, d.state, mbs_find_joint(model_of(&d), "outer"), wrench);
  cr_expect_float_eq(wrench[0], 0, 1e-12);
  cr_expect_float_eq(wrench[1] * (0.018 * sun_teeth / (sun_teeth + planet_teeth)), wrench[2], 1e-12);
  model_run_end(&d);
}

/* ---- A wheel on an arm that rolls about a wheel at rest ---- */

/* The wheel turns 1 - ratio times as fast as the arm: J = m l² + J_a + J_w (1 - ratio)². The arm falls from a quarter
 * turn. */
Test(transmissions, a_planet_round_a_sun_at_rest_is_a_pendulum_with_more_inertia) {
  model_run d = start("seam: 1\ngravity: [0, -9.81]\n"
                      "bodies: {arm: {mass: 1, inertia: 0.2}, wheel: {mass: 2, inertia: 0.05, at: [0.7, 0]}}\n"
                      "joints:\n"
                      "  O: {type: revolute, bodies: [ground, arm], at: [0, 0]}\n"
                      "  P: {type: revolute, bodies: [arm, wheel], at: [0.7, 0]}\n"
                      "  mesh: {type: gear, bodies: [ground, wheel], at: [[0, 0], [0.7, 0]], ratio: -2.5}\n"
                      "simulate: {end: 1}\n");
  const double inertia = 0.2 + 2 * 0.7 * 0.7 + 0.05 * 3.5 * 3.5;
  cr_expect_float_eq(alpha(&d, "arm"), -2 * 9.81 * 0.7 / inertia, 1e-12);
  for (int i = 1; i <= 20; i++) {
    model_run_reach(&d, 0.2 * i);
    const double fall = -2 * 9.81 * 0.7 * sin(angle(&d, "arm"));
    cr_expect_float_eq(inertia * omega(&d, "arm") * omega(&d, "arm") / 2, fall, 1e-8);
    cr_expect_float_eq(angle(&d, "wheel"), 3.5 * angle(&d, "arm"), 1e-9);
  }
  model_run_end(&d);
}

/* ---- Rack and pinion ---- */

/* The pinion turns on the ground above the rack, which slides: φ counter-clockwise moves it by r φ. A torque on the
 * pinion and a force on the rack; AXIS backwards and RADIUS negative are the same mechanism. */
#define RACK(AXIS, RADIUS)                                                                                             \
  "seam: 1\n"                                                                                                          \
  "bodies: {pinion: {mass: 1, inertia: 0.02, at: [0, 0.15]}, bar: {mass: 3, inertia: 1}}\n"                            \
  "joints:\n"                                                                                                          \
  "  O: {type: revolute, bodies: [ground, pinion], at: [0, 0.15]}\n"                                                   \
  "  guide: {type: prismatic, bodies: [ground, bar], at: [0, 0], axis: [1, 0]}\n"                                      \
  "  teeth: {type: rack, bodies: [bar, pinion], at: [0, 0.15], axis: " AXIS ", radius: " RADIUS "}\n"                  \
  "forces: {M: {type: torque, body: pinion, torque: 2}, F: {type: force, body: bar, x: -4}}\n"                         \
  "simulate: {end: 1}\n"

static void expect_rack(const char *text, double along) {
  model_run d = start(text);
  const double forwards = (2 / 0.15 - 4) / (3 + 0.02 / (0.15 * 0.15));
  double wrench[3];
  model_run_reach(&d, 20);
  const double *q = d.state->q;
  cr_expect_float_eq(q[3], forwards * 200, 1e-8);
  cr_expect_float_eq(angle(&d, "pinion"), q[3] / 0.15, 1e-8);
  mbs_reaction(d.ws, d.state, mbs_find_joint(model_of(&d), "teeth"), wrench);
  cr_expect_float_eq(wrench[0], 3 * forwards + 4, 1e-10);
  cr_expect_float_eq(wrench[1], 0, 1e-10);
  cr_expect_float_eq(
      d.state->lambda[mbs_joint_of(model_of(&d), mbs_find_joint(model_of(&d), "teeth")).first_constraint],
      along * wrench[0], 1e-12);
  model_run_end(&d);
}

Test(transmissions, turns_become_slides) {
  expect_rack(RACK("[1, 0]", "0.15"), 1);
  expect_rack(RACK("[-2, 0]", "-0.15"), -1);
}

/* The rack is pressed by r λ about its marker where the pitch line touches, 0.15 below the pinion's centre. */
Test(transmissions, its_force_acts_on_the_pitch_line) {
  model_run d = start(RACK("[1, 0]", "0.15"));
  double wrench[3];
  mbs_reaction(d.ws, d.state, mbs_find_joint(model_of(&d), "teeth"), wrench);
  cr_expect_float_eq(wrench[2], 0.15 * wrench[0], 1e-12);
  model_run_end(&d);
}

/* A pinion on an arm that a rack on the ground turns as the arm carries it along: it rolls without slip. */
Test(transmissions, a_pinion_that_is_carried_rolls_on_a_rack_at_rest) {
  model_run d = start("seam: 1\n"
                      "bodies: {cart: {mass: 2, inertia: 1, velocity: [1.5, 0]},\n"
                      "  pinion: {mass: 1, inertia: 0.02, velocity: [1.5, 0], rate: -10}}\n"
                      "joints:\n"
                      "  guide: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0]}\n"
                      "  O: {type: revolute, bodies: [cart, pinion], at: [0, 0]}\n"
                      "  teeth: {type: rack, bodies: [ground, pinion], at: [0, 0], axis: [1, 0], radius: 0.15}\n"
                      "simulate: {end: 1}\n");
  model_run_reach(&d, 4);
  cr_expect_float_eq(d.state->q[0], 6, 1e-10);
  cr_expect_float_eq(angle(&d, "pinion"), -6 / 0.15, 1e-9);
  model_run_end(&d);
}

/* ---- Belt ---- */

#define BELT(MORE)                                                                                                     \
  "seam: 1\n"                                                                                                          \
  "bodies: {motor: {mass: 1, inertia: 0.01}, fan: {mass: 1, inertia: 0.3, at: [0.6, 0.8]}}\n"                          \
  "joints:\n"                                                                                                          \
  "  M: {type: revolute, bodies: [ground, motor], at: [0, 0]}\n"                                                       \
  "  F: {type: revolute, bodies: [ground, fan], at: [0.6, 0.8]}\n"                                                     \
  "  belt: {type: belt, bodies: [motor, fan], at: [[0, 0], [0.6, 0.8]], radii: [0.1, 0.25]" MORE "}\n"                 \
  "forces: {T: {type: torque, body: motor, torque: 5}}\n"                                                              \
  "simulate: {end: 1}\n"

static void expect_belt(const char *text, double sense) {
  model_run d = start(text);
  const double ratio = sense * 0.1 / 0.25;
  const double expected = 5 / (0.01 + ratio * ratio * 0.3);
  cr_expect_float_eq(alpha(&d, "motor"), expected, 1e-11);
  cr_expect_float_eq(alpha(&d, "fan"), ratio * expected, 1e-11);
  cr_expect_float_eq(0.25 * -d.state->lambda[4], 0.3 * ratio * expected, 1e-11);
  cr_expect_float_eq(torque_of(&d, "belt"), -ratio * 0.3 * ratio * expected, 1e-11);
  model_run_end(&d);
}

Test(transmissions, both_pulleys_turn_together_or_crossed_against_each_other) {
  expect_belt(BELT(""), 1);
  expect_belt(BELT(", crossed: true"), -1);
}

/* A belt from the ground's pulley to one on an arm, of the same size: the pulley keeps its direction however the arm
 * turns, as the lamp of a drawing board. */
Test(transmissions, equal_pulleys_on_an_arm_keep_a_direction) {
  model_run d = start("seam: 1\ngravity: [0, -9.81]\n"
                      "bodies: {arm: {mass: 1, inertia: 0.2, rate: 20}, lamp: {mass: 2, inertia: 0.3, at: [0.7, 0], "
                      "velocity: [0, 14]}}\n"
                      "joints:\n"
                      "  O: {type: revolute, bodies: [ground, arm], at: [0, 0]}\n"
                      "  P: {type: revolute, bodies: [arm, lamp], at: [0.7, 0]}\n"
                      "  belt: {type: belt, bodies: [ground, lamp], at: [[0, 0], [0.7, 0]], radii: [0.1, 0.1]}\n"
                      "simulate: {end: 1}\n");
  model_run_reach(&d, 3);
  cr_expect_gt(angle(&d, "arm"), 7);
  cr_expect_float_eq(angle(&d, "lamp"), 0, 1e-9);
  model_run_end(&d);
}

/* ---- A belt that stretches ---- */

/* The fan is held; K is what its belt is like beside a stiffness of 2000 N/m for each strand. */
#define STRAP(TORQUE, K)                                                                                               \
  "seam: 1\n"                                                                                                          \
  "bodies: {motor: {mass: 1, inertia: 0.01}, fan: {mass: 1, inertia: 0.3, at: [0.6, 0.8]}}\n"                          \
  "joints:\n"                                                                                                          \
  "  M: {type: revolute, bodies: [ground, motor], at: [0, 0]}\n"                                                       \
  "  F: {type: fixed, bodies: [ground, fan], at: [0.6, 0.8]}\n"                                                        \
  "forces:\n"                                                                                                          \
  "  belt: {type: belt, bodies: [motor, fan], at: [[0, 0], [0.6, 0.8]], radii: [0.1, 0.25], stiffness: 2000" K "}\n"   \
  "  T: {type: torque, body: motor, torque: " TORQUE "}\n"                                                             \
  "simulate: {end: 1}\n"

/* Tensions of both strands where the belt holds the torque, and the turn of the motor. */
static void expect_tensions(const char *text, double right, double left, double turn) {
  model_run d = start(text);
  cr_assert_eq(mbs_find_equilibrium(d.ws, d.state, NULL, NULL, &d.error), SEAM_OK, "%s", d.error.message);
  cr_expect_float_eq(model_run_read(&d, "belt.right"), right, 1e-8);
  cr_expect_float_eq(model_run_read(&d, "belt.left"), left, 1e-8);
  cr_expect_float_eq(angle(&d, "motor"), turn, 1e-10);
  model_run_end(&d);
}

/* Taut, both strands share a pull of 30 N: 15 N / 2000 N/m at 0.1 m. Without tension, or with less than half of the
 * pull, one carries all and the other is slack. A motor that turns on pulls with the strand that it winds up. */
Test(transmissions, its_strands_share_the_pull_until_one_is_slack) {
  expect_tensions(STRAP("-3", ", tension: 100"), 115, 85, -0.075);
  expect_tensions(STRAP("3", ", tension: 100"), 85, 115, 0.075);
  expect_tensions(STRAP("-3", ""), 30, 0, -0.15);
  expect_tensions(STRAP("-3", ", tension: 10"), 30, 0, -0.1);
  expect_tensions(STRAP("-3", ", tension: 100, crossed: true"), 85, 115, -0.075);
}

/* 2 T cos β along the line of centres, (0.6, 0.8), sin β = (r1 ± r2)/d. */
Test(transmissions, its_tension_bends_the_axles) {
  static const char *const keys[2] = {STRAP("0", ", tension: 100"), STRAP("0", ", tension: 100, crossed: true")};
  static const double difference[2] = {0.15, 0.35};
  for (int i = 0; i < 2; i++) {
    model_run d = start(keys[i]);
    const double along = 200 * sqrt(1 - difference[i] * difference[i]);
    cr_expect_float_eq(model_run_read(&d, "belt.fx"), 0.6 * along, 1e-10);
    cr_expect_float_eq(model_run_read(&d, "belt.fy"), 0.8 * along, 1e-10);
    cr_expect_float_eq(model_run_read(&d, "belt.torque"), 0, 1e-10);
    model_run_end(&d);
  }
}

/* e = r1 φ1 - r2 φ2 of a taut belt without damping: e" = -2 k (r1²/J1 + r2²/J2) e. */
Test(transmissions, pulleys_swing_against_each_other) {
  model_run d =
      start("seam: 1\n"
            "bodies: {motor: {mass: 1, inertia: 0.01, rate: 3}, fan: {mass: 1, inertia: 0.3, at: [0.6, 0.8]}}\n"
            "joints:\n"
            "  M: {type: revolute, bodies: [ground, motor], at: [0, 0]}\n"
            "  F: {type: revolute, bodies: [ground, fan], at: [0.6, 0.8]}\n"
            "forces: {belt: {type: belt, bodies: [motor, fan], at: [[0, 0], [0.6, 0.8]], radii: [0.1, 0.25],\n"
            "  stiffness: 2000, tension: 100}}\n"
            "simulate: {end: 1}\n");
  const double frequency = sqrt(4000 * (0.01 / 0.01 + 0.0625 / 0.3));
  for (int i = 1; i <= 10; i++) {
    model_run_reach(&d, 0.1 * i);
    cr_expect_float_eq(0.1 * angle(&d, "motor") - 0.25 * angle(&d, "fan"), 0.3 / frequency * sin(frequency * 0.1 * i),
                       1e-9);
  }
  model_run_end(&d);
}

/* Length of an open belt round two pulleys at rest, a textbook formula: both strands stretch by half of what it gains.
 */
static double length_round(double d) {
  const double beta = asin(0.15 / d);
  return 2 * d * cos(beta) + 0.1 * (acos(-1) - 2 * beta) + 0.25 * (acos(-1) + 2 * beta);
}

Test(transmissions, centres_that_move_apart_stretch_it) {
  model_run d = start("seam: 1\n"
                      "bodies: {fan: {mass: 1, inertia: 0.3, at: [0.5, 0]}}\n"
                      "joints: {rail: {type: prismatic, bodies: [ground, fan], at: [0.5, 0], axis: [1, 0]}}\n"
                      "forces:\n"
                      "  belt: {type: belt, bodies: [ground, fan], at: [[0, 0], [0.5, 0]], radii: [0.1, 0.25], "
                      "stiffness: 2000}\n"
                      "start: {rail.slide: 0.02}\n"
                      "simulate: {end: 1}\n");
  const double tension = 2000 * (length_round(0.52) - length_round(0.5)) / 2;
  cr_expect_float_eq(model_run_read(&d, "belt.right"), tension, 1e-10);
  cr_expect_float_eq(model_run_read(&d, "belt.left"), tension, 1e-10);
  cr_expect_float_eq(model_run_read(&d, "belt.potential"), tension * tension / 2000, 1e-10);
  model_run_end(&d);
}

/* On an arm that turns fifty times and more: energy stays, the branch of the line of centres does not jump. */
Test(transmissions, on_an_arm_it_keeps_energy_over_many_turns) {
  model_run d = start("seam: 1\ngravity: [0, -9.81]\n"
                      "bodies: {arm: {mass: 1, inertia: 0.2, rate: 40}, lamp: {mass: 2, inertia: 0.3, at: [0.7, 0], "
                      "velocity: [0, 28], rate: 60}}\n"
                      "joints:\n"
                      "  O: {type: revolute, bodies: [ground, arm], at: [0, 0]}\n"
                      "  P: {type: revolute, bodies: [arm, lamp], at: [0.7, 0]}\n"
                      "forces: {belt: {type: belt, bodies: [ground, lamp], at: [[0, 0], [0.7, 0]], radii: [0.1, 0.2],\n"
                      "  stiffness: 2e4, tension: 2000}}\n"
                      "simulate: {end: 1}\n");
  const double before = mbs_energy_of(d.ws, d.state).total;
  model_run_reach(&d, 10);
  cr_expect_gt(angle(&d, "arm"), 300);
  cr_expect_float_eq(mbs_energy_of(d.ws, d.state).total / before, 1, 1e-8);
  model_run_end(&d);
}

/* Pulleys of nearly the same size: 5 mm of stretch are more than what a turn of the line of centres changes. */
Test(transmissions, a_stretch_beyond_the_branches_ends_the_run) {
  model_run d = start("seam: 1\n"
                      "bodies: {motor: {mass: 1, inertia: 0.01, rate: 20}}\n"
                      "joints: {M: {type: revolute, bodies: [ground, motor], at: [0, 0]}}\n"
                      "forces: {belt: {type: belt, bodies: [motor, ground], at: [[0, 0], [1, 0]],\n"
                      "  radii: [0.1, 0.101], stiffness: 10}}\n"
                      "simulate: {end: 1}\n");
  model_run_advance(&d, 1);
  cr_expect_eq(d.status, SEAM_NOT_FINITE);
  cr_expect_not_null(
      strstr(d.error.message, "force 'belt' is not finite: its pulleys overlap, or the belt is stretched"), "%s",
      d.error.message);
  model_run_end(&d);
}
