/* Stability of what the exchange couples: force elements between subsystems, with their states, holds and macro steps
 * of their own, and quantities that equations of one subsystem read of others. Predictions against co-simulated runs.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/run_radius.h"

/* ---- Exchanged couplings ---- */

/* Two discs on springs, the shaft between them evaluated by one of them, or by a subsystem without bodies. */
#define DISCS(SUBSYSTEMS, MORE)                                                                                        \
  "seam: 1\n"                                                                                                          \
  "points: {O: [0, 0]}\n"                                                                                              \
  "bodies:\n"                                                                                                          \
  "  m1: {mass: 1, inertia: 1, at: O}\n"                                                                               \
  "  m2: {mass: 1, inertia: 0.5, at: O}\n"                                                                             \
  "joints:\n"                                                                                                          \
  "  A: {type: revolute, bodies: [ground, m1], at: O}\n"                                                               \
  "  B: {type: revolute, bodies: [ground, m2], at: O}\n"                                                               \
  "forces:\n"                                                                                                          \
  "  wall: {type: torsion, bodies: [ground, m1], stiffness: 200, damping: 0.5}\n"                                      \
  "  shaft: {type: torsion, bodies: [m1, m2], stiffness: 1000, damping: 8}\n"                                          \
  "cosim:\n"                                                                                                           \
  "  subsystems: " SUBSYSTEMS "\n"                                                                                     \
  "  macro_step: 1e-3\n" MORE

static void expect_agreement(const char *text) {
  cosim_fixture f = at_rest(text, NULL);
  expect_border(&f, border_of(&f, 1e-4, 1), 2, 1e-6);
  cosim_fixture_free(&f);
}

Test(exchanges, a_force_element_is_evaluated_by_either_side) {
  expect_agreement(DISCS("{first: [m1], second: [m2]}", "  scheme: fd-k1-exchange\n"));
  expect_agreement(DISCS("{first: [m1], second: [m2]}", "  scheme: df-k0-exchange\n  sequence: gauss-seidel\n"));
}

Test(exchanges, a_subsystem_without_bodies_evaluates_a_force_element) {
  expect_agreement(DISCS("{first: [m1], second: [m2], elements: {forces: [shaft]}}", "  scheme: fd-k1-exchange\n"));
  expect_agreement(DISCS("{first: [m1], second: [m2], elements: {forces: [shaft, wall]}}",
                         "  scheme: fd-k0-exchange\n  sequence: gauss-seidel\n"));
}

Test(exchanges, holds_of_their_own_and_smooth_ones_are_those_of_runs) {
  expect_agreement(DISCS("{first: [m1], second: [m2]}",
                         "  scheme: fd-k0-exchange\n  couplings: {shaft: {orders: {force: 0, motion: 2}}}\n"));
  expect_agreement(DISCS("{first: [m1], second: [m2]}",
                         "  scheme: fd-k0-exchange\n"
                         "  couplings: {shaft: {orders: {force: 1, motion: 1}, smooth: true}}\n"));
}

Test(exchanges, subsystems_take_macro_steps_of_their_own) {
  expect_agreement(DISCS("{first: [m1], second: {bodies: [m2], macro_step: 2.5e-4}}", "  scheme: fd-k1-exchange\n"));
}

/* Under weight, on markers that turn, with a bushing, a preloaded spring and a cylinder whose pressures follow. */
#define ARMS(SUBSYSTEMS, SCHEME)                                                                                       \
  "seam: 1\n"                                                                                                          \
  "gravity: [0, -9.81]\n"                                                                                              \
  "points: {O: [0, 0], P: [1, 0.2], Q: [1.8, -0.3], W: [0.3, 1], M: [0.4, 0.4], N: [1.5, 0.4]}\n"                      \
  "bodies:\n"                                                                                                          \
  "  arm1: {rod: [O, P], mass: 3}\n"                                                                                   \
  "  arm2: {rod: [P, Q], mass: 1}\n"                                                                                   \
  "joints:\n"                                                                                                          \
  "  A: {type: revolute, bodies: [ground, arm1], at: O}\n"                                                             \
  "forces:\n"                                                                                                          \
  "  stay: {type: spring_damper, bodies: [ground, arm1], at: [W, P], stiffness: 900, damping: 20}\n"                   \
  "  hinge: {type: bushing, bodies: [arm1, arm2], at: P, stiffness: [3e3, 2e3, 40], damping: [30, 30, 2]}\n"           \
  "  tie: {type: spring_damper, bodies: [arm1, arm2], at: [M, Q], stiffness: 300, damping: 5, length: 1.2}\n"          \
  "  lift: {type: hydraulic_cylinder, bodies: [arm1, arm2], at: [M, N], area: 2e-4, cylinder_length: 1.5,\n"           \
  "         dissipation: 10, discharge: 0.67, density: 850, pump: 3e5, tank: 1e5, bulk: [6e-7, -1e-15],    \n"         \
  "         valve_area: 1e-6, spool: 0.5}\n"                                                                           \
  "cosim:\n"                                                                                                           \
  "  subsystems: " SUBSYSTEMS "\n"                                                                                     \
  "  macro_step: 1e-3\n"                                                                                               \
  "  scheme: " SCHEME "\n"

Test(exchanges, markers_turn_under_load_and_elements_have_states) {
  cosim_fixture f =
      at_rest(ARMS("{first: [arm1], second: [arm2], elements: {forces: [lift, tie]}}", "fd-k1-exchange"), NULL);
  expect_border(&f, border_of(&f, 1e-4, 1), 5, 1e-5);
  cosim_fixture_free(&f);
}

/* ---- Listed equations ---- */

/* A controller that filters what it measures, in a subsystem without bodies or with those that it drives. */
#define LISTED(SUBSYSTEMS, MORE)                                                                                       \
  "seam: 1\n"                                                                                                          \
  "parameters: {k: 100, d: 20}\n"                                                                                      \
  "points: {O: [0, 0]}\n"                                                                                              \
  "bodies:\n"                                                                                                          \
  "  m1: {mass: 1, inertia: 1, at: O}\n"                                                                               \
  "  m2: {mass: 1, inertia: 0.5, at: O}\n"                                                                             \
  "joints:\n"                                                                                                          \
  "  A: {type: revolute, bodies: [ground, m1], at: O}\n"                                                               \
  "  B: {type: revolute, bodies: [ground, m2], at: O}\n"                                                               \
  "forces:\n"                                                                                                          \
  "  drive: {type: torque, body: m1, torque: control.torque}\n"                                                        \
  "  shaft: {type: torsion, bodies: [m1, m2], stiffness: 1000, damping: 2}\n"                                          \
  "equations:\n"                                                                                                       \
  "  control:\n"                                                                                                       \
  "    inputs: {phi: m1.phi, omega: m1.omega}\n"                                                                       \
  "    states: {x: 0}\n"                                                                                               \
  "    rates: {x: (phi - x)/0.05}\n"                                                                                   \
  "    outputs: {torque: -k*x - d*omega - sin(phi)}\n"                                                                 \
  "cosim:\n"                                                                                                           \
  "  subsystems: " SUBSYSTEMS "\n"                                                                                     \
  "  macro_step: 1e-3\n" MORE

Test(exchanges, listed_equations_read_signals_of_other_subsystems) {
  expect_agreement(LISTED("{both: [m1, m2], c: {equations: [control]}}", ""));
  expect_agreement(LISTED("{both: [m1, m2], c: {equations: [control], signal_order: 2}}", ""));
  expect_agreement(
      LISTED("{first: [m1], second: {bodies: [m2], equations: [control], signal_order: 1}}", "  scheme: ff-k1\n"));
  expect_agreement(LISTED("{first: [m1], second: [m2], c: {equations: [control], signal_order: 1}}",
                          "  scheme: fd-k1-exchange\n  sequence: gauss-seidel\n"));
}

/* motor_slider_crank of the catalogue without voltage, the motor in a part of its own: the counter-voltage brakes. */
static const char motor[] =
    "seam: 1\n"
    "gravity: [0, -9.81]\n"
    "parameters: {a: 0.1, b: 0.4, R: 0.6, L: 3e-3, k: 0.5}\n"
    "points: {O: [0, 0], P: [0.05, -0.08660254037844387], Q: [0.4405124837953327, 0]}\n"
    "bodies:\n"
    "  crank: {rod: [O, P], mass: 1, inertia: 0.02}\n"
    "  rod: {rod: [P, Q], mass: 0.5}\n"
    "  slider: {mass: 1, inertia: 0.01, at: Q}\n"
    "joints:\n"
    "  main: {type: revolute, bodies: [ground, crank], at: O}\n"
    "  big_end: {type: revolute, bodies: [crank, rod], at: P}\n"
    "  small_end: {type: revolute, bodies: [rod, slider], at: Q}\n"
    "  guide: {type: prismatic, bodies: [ground, slider], at: Q, axis: [1, 0]}\n"
    "forces:\n"
    "  shaft: {type: torque, body: crank, torque: k*motor.i}\n"
    "  load: {type: spring_damper, bodies: [ground, slider], at: [O, Q], axis: [1, 0], damping: 5}\n"
    "equations:\n"
    "  motor: {inputs: {omega: crank.omega}, states: {i: 0}, rates: {i: -(R*i + k*omega)/L}}\n"
    "cosim:\n"
    "  subsystems: {mechanism: [crank, rod, slider], electric: {equations: [motor], signal_order: 1}}\n"
    "  macro_step: 1e-3\n";

Test(exchanges, a_motor_in_a_part_of_its_own_brakes_a_slider_crank) { expect_agreement(motor); }
