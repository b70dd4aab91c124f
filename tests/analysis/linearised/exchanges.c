/* Stability of what the exchange couples: force elements between subsystems, with their states, holds and macro steps
 * of their own, and quantities that equations of one subsystem read of others. Predictions against co-simulated runs.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/model_texts.h"
#include "tests/support/run_radius.h"

/* ---- Exchanged couplings ---- */

/* Two discs on springs, the shaft between them evaluated by one of them, or by a subsystem without bodies. */
#define DISCS(SUBSYSTEMS, MORE)                                                                                        \
  "seam: 1\n" TWO_DISCS "forces:\n"                                                                                    \
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

/* A spring and damper without states, as user equations and listed: no macro step of delay more, as in runs. */
#define HELD(EQUATIONS, LAW, MORE)                                                                                     \
  "seam: 1\nbodies: {m: {mass: 1, inertia: 1, at: [0, 0]}}\n" EQUATIONS "forces:\n"                                    \
  "  hold: {type: bushing, bodies: [ground, m], at: [0, 0], stiffness: [10, 10, 10], damping: [1, 1, 1]}\n"            \
  "  pull: {type: force, body: m, x: 0, y: " LAW "}\n"                                                                 \
  "cosim:\n  macro_step: 1e-3\n  subsystems:\n    mass: [m]\n" MORE

Test(exchanges, outputs_that_follow_at_once_are_those_of_runs) {
  static const char *const texts[] = {
      HELD("", "0",
           "    sd: {inputs: [s, v], outputs: {f: -400*s - 20*v}}\n"
           "  signals:\n    - {from: mass.m.y, to: sd.s}\n    - {from: mass.m.vy, to: sd.v}\n"
           "    - {from: sd.f, to: mass.pull.fy}\n"),
      HELD("equations: {sd: {inputs: {s: m.y, v: m.vy}, outputs: {f: -400*s - 20*v}}}\n", "sd.f",
           "    sd: {equations: [sd]}\n")};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    cosim_fixture f = at_rest(texts[i], NULL);
    const double border = border_of(&f, 1e-3, 1);
    cr_expect_gt(border, 0.09, "%g", border);
    expect_border(&f, border, 1, 1e-6);
    cosim_fixture_free(&f);
  }
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
  "parameters: {k: 100, d: 20}\n" TWO_DISCS "forces:\n"                                                                \
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

/* ---- Errors ---- */

static double predicted_error(const char *text, const char *const *overrides, double H) {
  cosim_fixture f = at_rest(text, overrides);
  seam_linearised *linear = linearise(&f);
  double error = 0;
  cr_assert_eq(seam_linearised_error(linear, H, &error, NULL), SEAM_OK);
  seam_linearised_destroy(linear);
  cosim_fixture_free(&f);
  return error;
}

/* The same controller as listed equations and as a subsystem of user equations with signals. */
static const char with_signals[] = "seam: 1\n"
                                   "parameters: {k: 100, d: 20}\n" TWO_DISCS "forces:\n"
                                   "  drive: {type: torque, body: m1, torque: 0}\n"
                                   "  shaft: {type: torsion, bodies: [m1, m2], stiffness: 1000, damping: 2}\n"
                                   "cosim:\n"
                                   "  subsystems:\n"
                                   "    both: [m1, m2]\n"
                                   "    c:\n"
                                   "      inputs: [phi, omega]\n"
                                   "      states: {x: 0}\n"
                                   "      rates: {x: (phi - x)/0.05}\n"
                                   "      outputs: {torque: -k*x - d*omega - sin(phi), x: x}\n"
                                   "  signals:\n"
                                   "    - {from: m1.phi, to: c.phi, order: 1}\n"
                                   "    - {from: m1.omega, to: c.omega, order: 1}\n"
                                   "    - {from: c.torque, to: both.drive.torque, order: 1}\n"
                                   "  macro_step: 1e-3\n";

Test(exchanges, errors_fall_by_the_order_of_the_holds) {
  static const char *const listed[] = {
      LISTED("{both: [m1, m2], c: {equations: [control], signal_order: 0}}", ""),
      LISTED("{both: [m1, m2], c: {equations: [control], signal_order: 1}}", ""),
      LISTED("{both: [m1, m2], c: {equations: [control], signal_order: 2}}", ""),
      LISTED("{first: [m1], second: [m2], c: {equations: [control], signal_order: 1}}", "  scheme: ff-k1\n")};
  static const int orders[] = {1, 2, 3, 2};
  for (int i = 0; i < 4; i++) {
    const double coarse = predicted_error(listed[i], NULL, 1e-3);
    const double fine = predicted_error(listed[i], NULL, 5e-4);
    cr_expect_float_eq(log2(coarse / fine), orders[i], 0.05, "%d: %g to %g", i, coarse, fine);
  }
  static const char *const exchanged[] = {"fd-k0-exchange", "fd-k1-exchange", "fd-k2-exchange"};
  for (int order = 1; order <= 3; order++) {
    char text[2000];
    snprintf(text, sizeof text, DISCS("{first: [m1], second: [m2]}", "  scheme: %s\n"), exchanged[order - 1]);
    cr_expect_float_eq(log2(predicted_error(text, NULL, 5e-4) / predicted_error(text, NULL, 2.5e-4)), order, 0.05);
  }
}

/* From the start of the motion on which errors are predicted, with what a subsystem of order 0 needs of the past. */
static double ran_error(const char *text, double H) {
  cosim_fixture f = at_rest(text, NULL);
  const double scale = 1e-7;
  seam_modes *modes = NULL;
  cr_assert_eq(seam_modes_create(f.model, f.state, &modes, NULL), SEAM_OK);
  mbs_state *start_state = new_state(f.model);
  mbs_state_copy(start_state, f.state);
  double amplitude = 0, time = 0, largest = 0;
  const double inertia[] = {1, 0.5};
  double size[8] = {0};
  for (size_t k = 0; k < modes->n; k++) {
    const seam_mode *mode = &modes->mode[k];
    double sum = 0;
    for (int b = 0; b < 2; b++)
      sum += inertia[b] * (pow(mode->shape[0][3 * b + 2], 2) + pow(mode->shape[1][3 * b + 2], 2));
    const double kappa = pow(hypot(mode->s[0], mode->s[1]), 2);
    cr_assert(!mode->neutral && k < 8);
    size[k] = scale / (sqrt(sum) * kappa);
    amplitude = hypot(amplitude, scale / kappa);
    time = fmax(time, mode->s[1] > 0 ? 2 * acos(-1) / mode->s[1] : 1 / fabs(mode->s[0]));
    for (int b = 0; b < 2; b++) {
      const int i = 3 * b + 2;
      start_state->q[i] += size[k] * mode->shape[0][i];
      start_state->v[i] += size[k] * (mode->s[0] * mode->shape[0][i] - mode->s[1] * mode->shape[1][i]);
    }
    start_state->z[0] += size[k] * mode->states[0][0];
  }
  f.definition.options.macro_step = H;
  f.definition.options.integrator.rtol = 1e-12;
  f.definition.options.integrator.atol = 1e-18;
  cr_assert_eq(create_simulation(f.model, &f.definition, &f.run, NULL), SEAM_OK);
  cr_assert_eq(cosim_start(f.run, start_state, NULL), SEAM_OK);
  for (int step = 1; step * H <= time; step++) {
    double distance = 0;
    cr_assert_eq(cosim_advance(f.run, H, NULL), SEAM_OK);
    for (int b = 0; b < 2; b++) {
      double exact = f.state->q[3 * b + 2];
      for (size_t k = 0; k < modes->n; k++) {
        const seam_mode *mode = &modes->mode[k];
        exact += size[k] * exp(mode->s[0] * step * H) *
                 (mode->shape[0][3 * b + 2] * cos(mode->s[1] * step * H) -
                  mode->shape[1][3 * b + 2] * sin(mode->s[1] * step * H));
      }
      distance += inertia[b] * pow(cosim_state(f.run)->q[3 * b + 2] - exact, 2);
    }
    largest = fmax(largest, sqrt(distance));
  }
  seam_modes_destroy(modes);
  mbs_state_destroy(start_state);
  cosim_fixture_free(&f);
  return largest / amplitude;
}

Test(exchanges, errors_are_those_of_runs) {
  static const char text[] = LISTED("{both: [m1, m2], c: {equations: [control], signal_order: 0}}", "");
  static const double steps[] = {1e-3, 2.5e-4};
  for (int i = 0; i < 2; i++) {
    const double H = steps[i];
    const double predicted = predicted_error(text, NULL, H);
    const double ran = ran_error(text, H);
    cr_expect_float_eq(ran, predicted, 1e-4 * predicted, "H = %g: %.9g instead of %.9g", H, predicted, ran);
  }
}

Test(exchanges, signals_of_user_equations_have_the_errors_of_listed_ones) {
  static const char listed[] = LISTED("{both: [m1, m2], c: {equations: [control], signal_order: 1}}", "");
  const double expected = predicted_error(listed, NULL, 1e-3);
  cr_expect_gt(expected, 1e-5);
  cr_expect_float_eq(predicted_error(with_signals, NULL, 1e-3), expected, 1e-6 * expected);
}

/* About x = 1: the slope of its rate is that of the state, not of an output of its name. */
#define ROOT(output)                                                                                                   \
  "seam: 1\n"                                                                                                          \
  "parameters: {k: 100, d: 20}\n" TWO_DISCS "forces:\n"                                                                \
  "  drive: {type: torque, body: m1, torque: 0}\n"                                                                     \
  "  shaft: {type: torsion, bodies: [m1, m2], stiffness: 1000, damping: 2}\n"                                          \
  "cosim:\n"                                                                                                           \
  "  subsystems:\n"                                                                                                    \
  "    both: [m1, m2]\n"                                                                                               \
  "    c:\n"                                                                                                           \
  "      inputs: [phi, omega]\n"                                                                                       \
  "      states: {x: 1}\n"                                                                                             \
  "      rates: {x: (1 + phi - x^2)/0.1}\n"                                                                            \
  "      outputs: {torque: -k*(x - 1) - d*omega - phi, " output ": 5*x}\n"                                             \
  "  signals:\n"                                                                                                       \
  "    - {from: m1.phi, to: c.phi, order: 1}\n"                                                                        \
  "    - {from: m1.omega, to: c.omega, order: 1}\n"                                                                    \
  "    - {from: c.torque, to: both.drive.torque, order: 1}\n"                                                          \
  "  macro_step: 1e-3\n"

Test(exchanges, outputs_may_have_the_names_of_states) {
  expect_agreement(ROOT("x"));
  cr_expect_eq(predicted_error(ROOT("x"), NULL, 1e-3), predicted_error(ROOT("y"), NULL, 1e-3));
}

/* A variable of the mechanism follows the torque, which is none of the whole. */
Test(exchanges, conditions_of_events_name_outputs) {
  char text[2000];
  snprintf(text, sizeof text, "%sevents: {e: c.torque > 100, f: c.x > 100}\n", ROOT("x"));
  expect_agreement(text);
}
