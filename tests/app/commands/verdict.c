/* The verdict on runs: status 3 for numbers that are wrong, 0 for those that are right. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/command.h"
#include "tests/support/run_results.h"

TestSuite(verdict, .init = enter_scratch, .fini = leave_scratch);

/* ω = 10 rad/s, without damping: T + V stays 0.5 J. */
static const char *const oscillator =
    "seam: 1\nparameters: {k: 100}\nbodies: {a: {mass: 1, inertia: 1, at: [1, 0]}}\n"
    "forces: {s: {type: spring_damper, bodies: [ground, a], at: [[-1, 0], [1, 0]], axis: [1, 0], length: 1.9, "
    "stiffness: k}}\nsimulate: {end: 10, output_step: 0.01}\n";

/* Two bodies glide side by side at 1 m/s, the spring between them at rest: nothing happens. */
static const char *const gliding =
    "seam: 1\nbodies:\n  a: {mass: 1, inertia: 1, at: [0, 0], velocity: [1, 0]}\n"
    "  b: {mass: 1, inertia: 1, at: [1, 0], velocity: [1, 0]}\n"
    "forces: {k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], stiffness: 1, damping: 1}}\n"
    "simulate: {end: 100, output_step: 1}\n"
    "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 0.1, scheme: ff-k0, integrator: rk4, micro_step: 1e-2}\n";

/* Ends the run with this status, and says so with this word (NULL: accurate or rough) on the screen and in the summary.
 */
static void expect_word(outcome run, int exit_status, const char *message, const char *word) {
  cr_expect_eq(run.exit_status, exit_status, "%s%s", run.out, run.err);
  cr_expect(has(run.out, message) || has(run.err, message), "%s%s", run.out, run.err);
  char *status = json_at("out/summary.json", "/verdict/status");
  char *said = json_at("out/summary.json", "/verdict/word");
  cr_expect_str_eq(status, "done");
  cr_expect(word != NULL ? strcmp(said, word) == 0 : strcmp(said, "accurate") == 0 || strcmp(said, "rough") == 0,
            "%s%s", run.out, run.err);
  cr_expect_eq(json_number_at("out/summary.json", "/verdict/exit_status"), exit_status);
  free(status);
  free(said);
  outcome_free(&run);
}

/* A condition makes a state of a subsystem a variable of the mechanism, which follows it; of the whole it is its own,
 * with a start. */
Test(verdict, the_whole_starts_with_the_states_that_conditions_name) {
  write_text("followed.yaml",
             "seam: 1\nbodies: {a: {mass: 1, inertia: 1, at: [0.1, 0]}}\n"
             "forces:\n  p: {type: force, body: a, at: [0, 0], x: 0}\n"
             "  s: {type: bushing, bodies: [ground, a], at: [0, 0], stiffness: [10, 10, 10], damping: [1, 1, 1]}\n"
             "simulate: {end: 1, output_step: 0.1}\nevents: {e: c.x > 2, f: d.z > 2, g: c.F > 2}\n"
             "cosim:\n  macro_step: 1e-3\n  subsystems:\n    plant: [a]\n"
             "    c: {inputs: [u], states: {x: 1}, rates: {x: u - x}, outputs: {F: x}}\n"
             "    d: {sample: 0.1, inputs: [u], states: {z: 1}, updates: {z: z/2 + u}, outputs: {F: z}}\n"
             "  signals:\n    - {from: plant.a.x, to: c.u}\n    - {from: plant.a.x, to: d.u}\n"
             "    - {from: c.F, to: plant.p.fx}\n");
  expect_word(SEAM("run", "followed.yaml", "--cosim", "-o", "out", "--quiet"), 0, "", NULL);
}

/* The place of a motion is kept, but what it drives in is not what Euler's steps move. */
Test(verdict, a_motion_is_wrong_with_steps_that_are_too_long) {
  write_text("motor.yaml", "seam: 1\ngravity: [0, -10]\n"
                           "bodies: {ball: {mass: 2, inertia: 1, at: [0, 0.2]}}\n"
                           "joints:\n"
                           "  rail: {type: prismatic, bodies: [ground, ball], at: [0, 0], axis: [0, 1]}\n"
                           "  M: {type: motion, of: y, body: ball, law: 0.2*cos(3*t)}\n"
                           "simulate: {end: 4, output_step: 0.05}\n");
  expect_word(SEAM("run", "motor.yaml", "--integrator", "euler", "--step", "0.1", "-o", "out", "--quiet"), 3,
              "wrong: ", "wrong");
  expect_word(SEAM("run", "motor.yaml", "-o", "out", "--quiet"), 0, "", NULL);
}

/* README's swing at rest: a reaction of 14.7 N is constant but for noise, and next to no energy moves. */
static const char *const hanging =
    "seam: 2\ngravity: [0, -9.81]\nparameters: {k: 2e7}\npoints: {A: [0, 0], B: [1, 0], C: [1, -0.5]}\n"
    "bodies:\n  rod: {rod: [A, B], mass: 1}\n  disc: {mass: 0.5, inertia: 0.01, at: C}\n"
    "joints: {A: {type: revolute, bodies: [ground, rod], at: A}}\n"
    "forces:\n  spring: {type: spring_damper, bodies: [rod, disc], at: [B, C], stiffness: k, damping: 0.5}\n"
    "  air: {type: viscous, bodies: [rod, disc], damping: [0.1, 0.1, 0]}\n"
    "measures: {fall: disc.ay, spin: disc.alpha}\n"
    "start: static\nsimulate: {end: 5, output_step: 0.01}\n"
    "cosim: {subsystems: {above: [rod], below: [disc]}, macro_step: 1e-3, scheme: ff-k1}\n";

Test(verdict, a_mechanism_at_rest_is_accurate_whatever_its_stiffness) {
  static const char *const stiffness[] = {"parameters.k=2e4", "parameters.k=2e7", "parameters.k=2e8"};
  write_text("hanging.yaml", hanging);
  for (size_t i = 0; i < 3; i++)
    expect_word(SEAM("run", "hanging.yaml", "--set", stiffness[i], "-o", "out"), 0, "nothing moved", "accurate");
  cr_expect_eq(json_number_at("out/summary.json", "/verdict/energy/moved"), 0);
  cr_expect_gt(json_number_at("out/summary.json", "/verdict/energy/allowed"), 0);
  expect_word(SEAM("run", "hanging.yaml", "--cosim", "--set", stiffness[0], "-o", "out"), 0, "nothing moved",
              "accurate");
}

/* A mass on a spring oscillates by 10 nm, in a mechanism of 100 m whose default tolerance is a micrometre: what moves
 * least is judged by its own travel, unless something else moves a thousand times as far. */
Test(verdict, small_motions_are_judged_by_their_own_travel) {
  static const double amplitude = 1e-8, rate = 100;
  for (int other = 0; other < 2; other++) {
    char text[900];
    snprintf(text, sizeof text,
             "seam: 2\ngravity: [0, -9.81]\nbodies:\n  a: {mass: 1, inertia: 1, at: [1, 0]}\n"
             "  far: {mass: 1, inertia: 1, at: [100, 0], velocity: [%d, 0]}\n"
             "joints:\n  rail: {type: prismatic, bodies: [ground, a], at: [1, 0], axis: [1, 0]}\n"
             "  other: {type: prismatic, bodies: [ground, far], at: [100, 0], axis: [1, 0]}\n"
             "forces:\n  s: {type: spring_damper, bodies: [ground, a], at: [[0, 0], [1, 0]], axis: [1, 0],\n"
             "    length: %.9f, stiffness: %g}\n"
             "  back: {type: spring_damper, bodies: [ground, far], at: [[99, 0], [100, 0]], axis: [1, 0],\n"
             "    length: 1, stiffness: 1}\n"
             "simulate: {end: 10, output_step: 0.01}\n",
             other, 1 - amplitude, rate * rate);
    write_text("small.yaml", text);
    outcome run = SEAM("run", "small.yaml", "-o", "out");
    csv rows = csv_read("out/trajectory.csv");
    double error = 0;
    for (size_t i = 0; i < rows.n_rows; i++)
      error = fmax(error, fabs(csv_at(&rows, i, "a.vx") + amplitude * rate * sin(rate * csv_at(&rows, i, "time"))));
    const double share = error / (2 * amplitude * rate);
    const double printed = json_number_at("out/summary.json", "/verdict/error/of_travel");
    if (other == 0) {
      cr_expect(printed > share / 3 && printed < 3 * share, "%g for %g\n%s", printed, share, run.out);
      cr_expect_gt(share, 1e-5, "in units of the mechanism's size the error is 1e-13");
    } else
      cr_expect(has(run.out, "accurate: "), "%s", run.out);
    csv_free(&rows);
    outcome_free(&run);
  }
}

/* 400 Hz look constant to macro steps of 5 and 2.5 ms. Without an undivided model, the golden section of the step shows
 * it: the receiver of sin(2 pi f t + 1) follows its mean, zero. */
Test(verdict, a_signal_whose_period_divides_the_macro_step_is_seen) {
  static const char *const frequencies[] = {"400", "800", "400.1", "1200", "2400"};
  for (int i = 0; i < 10; i++) {
    char text[500];
    snprintf(
        text, sizeof text,
        "seam: 2\nsimulate: {end: 2, output_step: 0.02}\ncosim:\n  macro_step: 0.005\n  subsystems:\n"
        "    A: {states: {q: 0}, rates: {q: 0}, outputs: {y: 'if(t < %d, 0, sin(2*pi*%s*t + 1))'}, integrals: {i: q}}\n"
        "    B: {inputs: [u], states: {s: 0}, rates: {s: u - s}, outputs: {s: s}}\n"
        "  signals: [{from: A.y, to: B.u, order: %d}]\n",
        i / 5, frequencies[i % 5], i % 5 == 2);
    write_text("fast.yaml", text);
    expect_word(SEAM("run", "fast.yaml", "--cosim", "-o", "out"), 3, "verdict: wrong: ", "wrong");
  }
}

/* A held signal follows a jump inside a macro step late or, under Gauss-Seidel, early. So it does in steps that are
 * divided, if the jump is in the last or first part. The runs are 2 to 9 % off. */
Test(verdict, a_jump_inside_a_macro_step_is_seen) {
  static const char *const at[] = {"r < 1.01", "r < 1.05", "r < 1.07", "r < 1.08", "r < 1.03", "r < 1.09", "t < 1.05"};
  for (int i = 0; i < 7; i++) {
    char text[500];
    snprintf(text, sizeof text,
             "seam: 2\nsimulate: {end: 2}\ncosim:\n  macro_step: 0.1\n  sequence: %s\n  subsystems:\n"
             "    A: {states: {r: 0}, rates: {r: 1}, outputs: {y: 'if(%s, 0, 1)'}}\n"
             "    B: {inputs: [u], states: {x: 0}, rates: {x: u - x}, outputs: {x: x}, integrals: {i: x}}\n"
             "  signals: [{from: A.y, to: B.u}]\n",
             i < 4 ? "jacobi" : "gauss-seidel", at[i]);
    write_text("jump.yaml", text);
    outcome run = SEAM("run", "jump.yaml", "--cosim", "-o", "out");
    cr_expect(has(run.out, "verdict: ") && !has(run.out, "accurate"), "%s: %s", at[i], run.out);
    outcome_free(&run);
  }
}

/* x = 1 - exp(1 - t), exact for a held input. Under Gauss-Seidel the receiver must not get the value after the jump
 * already in the step that ends with it. */
Test(verdict, a_jump_at_a_macro_point_acts_from_it_on) {
  write_text("jump.yaml",
             "seam: 2\nsimulate: {end: 2}\ncosim:\n  macro_step: 0.1\n  sequence: gauss-seidel\n"
             "  subsystems:\n"
             "    A: {states: {r: 0}, rates: {r: 1}, outputs: {y: 'if(t < 1, 0, 1)'}}\n"
             "    B: {inputs: [u], states: {x: 0}, rates: {x: u - x}, outputs: {x: x}, integrals: {i: x}}\n"
             "  signals: [{from: A.y, to: B.u}]\n");
  expect_word(SEAM("run", "jump.yaml", "--cosim", "-o", "out"), 0, "accurate: B.x is less than", "accurate");
  cr_expect_float_eq(csv_last("out/signals.csv", "B.x"), 1 - exp(-1), 1e-8);
}

/* The parts of a macro step of 10.29 ms have rounded ends. A step as long as the rounding would spoil extrapolations.
 */
Test(verdict, a_run_with_smaller_macro_steps_has_none_as_short_as_rounding) {
  write_text("rounded.yaml",
             "seam: 2\nsimulate: {end: 0.3, output_step: 0.01}\ncosim:\n  macro_step: 0.01029\n  subsystems:\n"
             "    A: {inputs: [f], states: {x: 1, v: 0}, rates: {x: v, v: f - x}, outputs: {x: x}, integrals: {i: x}}\n"
             "    B: {inputs: [x], states: {z: 0}, rates: {z: x - z}, outputs: {f: -10*x - z}}\n"
             "  signals: [{from: A.x, to: B.x, order: 2}, {from: B.f, to: A.f, order: 2}]\n");
  expect_word(SEAM("run", "rounded.yaml", "--cosim", "-o", "out"), 0, "B.f is", "accurate");
}

/* A chamber's pressure approaches its final value by 0.2 % of it; the loose tolerance is a third of that. The piston's
 * force, the sum over both chambers, is accurate. */
Test(verdict, pressures_are_judged) {
  write_text(
      "cylinder.yaml",
      "seam: 2\nbodies:\n  b: {mass: 21.9, inertia: 1, at: [1.08, 0]}\n"
      "joints:\n  g: {type: prismatic, bodies: [ground, b], at: [1.08, 0], axis: [1, 0]}\n"
      "forces:\n  h: {type: hydraulic_cylinder, bodies: [ground, b], at: [[0, 0], [1.08, 0]],\n"
      "    areas: [2.14e-4, 1.47e-4], cylinder_length: 0.395, dissipation: 3730, discharge: 0.67, density: 850,\n"
      "    pump: 5.37e6, tank: 1e5, bulk: [6.53e-10, -1.19e-18], valve_area: 3.46e-5, spool: 0.4}\n"
      "  s: {type: spring_damper, bodies: [ground, b], at: [[0, 0], [1.08, 0]], stiffness: 1.18e6,\n"
      "    damping: 2750}\n"
      "simulate: {end: 1, output_step: 0.005}\n");
  expect_word(SEAM("run", "cylinder.yaml", "--rtol", "1e-3", "-o", "out"), 3, "h.p2 is", "wrong");
  expect_word(SEAM("run", "cylinder.yaml", "--rtol", "1e-5", "-o", "out"), 0, "h.p2 is", "accurate");
}

/* The measure is zero but for rounding, and says nothing of the run: without it the run is wrong by 29 %. */
Test(verdict, a_measure_that_is_zero_does_not_hide_an_error) {
  static const char *const measures[] = {"measures={}", "measures={r: 2*b.omega + a.omega}"};
  write_text("gears.yaml",
             "seam: 2\ngravity: [0, -9.81]\nbodies:\n  a: {mass: 1, inertia: 0.1, at: [0, 0], rate: 10}\n"
             "  b: {mass: 2, inertia: 0.3, at: [0.3, 0]}\n  q: {mass: 1, inertia: 0.2, at: [0.3, 0]}\n"
             "joints:\n  ja: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
             "  jb: {type: revolute, bodies: [ground, b], at: [0.3, 0]}\n"
             "  g: {type: gear, bodies: [a, b], teeth: [20, 40]}\n"
             "  jq: {type: revolute, bodies: [ground, q], at: [0.3, 0]}\n"
             "forces:\n  l: {type: torsion, bodies: [ground, b], torque: -0.2*v + sin(3*t)}\n"
             "  t: {type: torsion, bodies: [b, q], stiffness: 50, damping: 0.05}\n"
             "simulate: {end: 6.283}\ncosim: {subsystems: {A: [a, b], B: [q]}, macro_step: 0.04, scheme: ff-k1}\n");
  for (int i = 0; i < 2; i++)
    expect_word(SEAM("run", "gears.yaml", "--cosim", "-o", "out", "--set", measures[i]), 3,
                "wrong: q.omega is 2 rad/s (29 % of its travel)", "wrong");
}

/* In its first step the run is twice as far as x = t^2 / 2, and m = atan(1) in place of atan(1/2). The derivative of m
 * by x, 1e9 at first, says nothing of its size. */
/* The motion is 0.3 % off, so that a measure jumps a little earlier or later. A continuous one is off where it is
 * steep. */
Test(verdict, a_measure_that_jumps_earlier_or_later_is_not_wrong) {
  static const char *const measures[] = {"sign(sin(300*m1.x))", "10*floor(3*m2.x) + m2.x", "abs(sin(300*m1.x))"};
  for (size_t i = 0; i < 3; i++) {
    char set[100];
    snprintf(set, sizeof set, "measures={m: \"%s\"}", measures[i]);
    expect_word(SEAM("run", "two_mass_oscillator", "--cosim", "--macro-step", "5e-3", "--output-step", "1e-4", "-o",
                     "out", "--set", set),
                i < 2 ? 0 : 3, i < 2 ? "verdict: accurate: m2.velocity" : "verdict: wrong: m ", i < 2 ? NULL : "wrong");
  }
}

Test(verdict, a_measure_that_is_steep_at_the_start_is_judged_by_its_travel) {
  write_text("steep.yaml",
             "seam: 2\nbodies: {a: {mass: 1, inertia: 1, at: [0, 0]}}\n"
             "joints: {rail: {type: prismatic, bodies: [ground, a], at: [-1, 0], axis: [1, 0]}}\n"
             "forces: {f: {type: force, body: a, x: 1}}\nmeasures: {m: atan(1e9*a.x)}\n"
             "simulate: {end: 0.1, output_step: 3.16228e-5, integrator: symplectic_euler, step: 3.16228e-5}\n");
  expect_word(SEAM("run", "steep.yaml", "-o", "out"), 3, "wrong: m is", "wrong");
  const double error = (atan(1) - atan(0.5)) / (M_PI / 2);
  const double printed = json_number_at("out/summary.json", "/verdict/error/of_travel");
  cr_expect(printed > error / 1.1 && printed < 1.1 * error, "%g for %g", printed, error);
}

/* A controller holds a pendulum at rest. What its inputs see trembles as the body does. */
Test(verdict, sensors_of_a_mechanism_at_rest_are_accurate) {
  write_text("held.yaml",
             "seam: 2\ngravity: [0, -9.81]\npoints: {A: [0, 0], P: [1, 0]}\nbodies: {p: {rod: [A, P], mass: 10}}\n"
             "joints: {A: {type: revolute, bodies: [ground, p], at: A}}\n"
             "forces: {s: {type: torsion, bodies: [ground, p], torque: c.u}}\nstart: static\n"
             "equations: {c: {inputs: {q: p.phi, w: p.omega}, outputs: {u: -2e3*q - 200*w}}}\n"
             "measures: {tip: p.vy + 0.5*p.omega*cos(p.phi)}\nsimulate: {end: 2}\n");
  expect_word(SEAM("run", "held.yaml", "-o", "out"), 0, "nothing moved", "accurate");
  expect_word(SEAM("run", "held.yaml", "-o", "out", "--rtol", "1e-6"), 0, "nothing moved", "accurate");
}

/* A pendulum that turns over on a cart. The stabilised index-2 method leaves an error of the multipliers as it is: by
 * its conditions the polynomial over a step may contain P2(2 τ - 1), which is 1 at both ends. */
Test(verdict, accelerations_at_a_joint_ask_for_extended_multipliers) {
  write_text("cart.yaml", "seam: 2\ngravity: [0, -9.81]\npoints: {C: [0, 0], T: [0.6, -0.8]}\n"
                          "bodies:\n  cart: {mass: 5, inertia: 0.1, at: C}\n  rod: {rod: [C, T], mass: 1}\n"
                          "joints:\n  rail: {type: prismatic, bodies: [ground, cart], at: C, axis: [1, 0]}\n"
                          "  pin: {type: revolute, bodies: [cart, rod], at: C}\n"
                          "forces:\n  wall: {type: spring_damper, bodies: [ground, cart], at: [[-1, 0], C], stiffness: "
                          "200, damping: 2}\n"
                          "  push: {type: force, body: cart, x: 30*sin(6*t)}\n"
                          "simulate: {end: 6, output_step: 0.01}\n"
                          "cosim: {subsystems: {cart: [cart], rod: [rod]}, macro_step: 2e-3, scheme: ff-index2-k1}\n");
  expect_word(SEAM("run", "cart.yaml", "--cosim", "-o", "out"), 0, "or:      --scheme ff-index1-k1\n", "rough");
  expect_word(SEAM("run", "cart.yaml", "--cosim", "--scheme", "ff-index1-k1", "-o", "out"), 0, "", "accurate");
}

/* A law of the wrong sign: what explodes is the model, and not its cut. */
Test(verdict, an_unstable_cut_of_a_model_that_grows_itself_is_not_blamed) {
  write_text(
      "wrong_sign.yaml",
      "seam: 2\nbodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [1, 0], velocity: [0.1, 0]}}\n"
      "forces: {k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], force: \"200*s\"}}\n"
      "simulate: {end: 3, output_step: 0.01}\n"
      "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 1e-3, scheme: ff-k1}\n");
  outcome run = SEAM("run", "wrong_sign.yaml", "--cosim", "-o", "out");
  cr_expect_eq(run.exit_status, 1);
  cr_expect(has(run.err, "the run is unstable, and so is the undivided run, where "), "%s", run.err);
  cr_expect(!has(run.err, "smaller macro step"), "%s", run.err);
  outcome_free(&run);
  run = SEAM("run", "wrong_sign.yaml", "--cosim", "--scheme", "fd-k0-explicit", "--set", "forces.k.force=-1e8*s", "-o",
             "out");
  cr_expect(has(run.err, "the co-simulation is unstable: "), "%s", run.err);
  outcome_free(&run);
}

/* Beyond the limits of stability (symplectic Euler hω < 2, rk4 hω < 2.78), and Euler, which has none. */
Test(verdict, exploding_fixed_steps_are_wrong) {
  static const char *const rows[][2] = {{"symplectic_euler", "0.21"}, {"rk4", "0.3"}, {"euler", "1e-2"}};
  write_text("osc.yaml", oscillator);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    expect_word(SEAM("run", "osc.yaml", "--integrator", rows[i][0], "--step", rows[i][1], "-o", "out", "--quiet"), 3,
                "wrong: ", "wrong");
  }
}

Test(verdict, right_runs_are_right) {
  static const char *const integrators[] = {"erk", "radau", "ida", "cvode"};
  static const char *const fixed[] = {"symplectic_euler", "rk2", "rk4"};
  write_text("osc.yaml", oscillator);
  for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++)
    expect_word(SEAM("run", "osc.yaml", "--integrator", integrators[i], "-o", "out"), 0, "verdict: ", NULL);
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    expect_word(SEAM("run", "osc.yaml", "--integrator", fixed[i], "--step", "1e-3", "-o", "out"), 0, "verdict: ", NULL);
}

/* Energy that disappears is as wrong as energy that appears. */
Test(verdict, lost_energy_of_a_cut_is_wrong) {
  static const char *const schemes[] = {"fd-k0-explicit", "dd-k0-explicit"};
  write_text("long.yaml", gliding);
  for (size_t i = 0; i < 2; i++)
    expect_word(SEAM("run", "long.yaml", "--cosim", "--scheme", schemes[i], "-o", "out", "--quiet"), 3,
                "wrong: ", "wrong");
  expect_word(SEAM("run", "long.yaml", "--cosim", "-o", "out"), 0, "verdict: ", NULL);
}

/* A driven body pulls another by a spring. The driver's velocity jumps at 0.3 s, which is a row and a macro point too.
 */
static const char *const jump =
    "seam: 1\nbodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [1, 0]}}\n"
    "joints: {m: {type: motion, of: x, body: a, law: \"if(t < 0.3, 0, 2*(t - 0.3))\"}}\n"
    "forces: {k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], stiffness: 10}}\n"
    "simulate: {end: 1, output_step: 0.01}\n"
    "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 0.01, scheme: ff-k1}\n";

Test(verdict, a_jump_of_a_prescribed_velocity_is_not_wrong) {
  static const char *const integrators[] = {"erk", "radau", "cvode"};
  write_text("jump.yaml", jump);
  expect_word(SEAM("run", "jump.yaml", "--cosim", "-o", "out"), 0, "verdict: ", NULL);
  for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++)
    expect_word(SEAM("run", "jump.yaml", "--integrator", integrators[i], "-o", "out"), 0, "verdict: ", NULL);
}

/* A stiff contact between two subsystems, whose opening and closing lie between nodes. Largest error of the motion, of
 * its range: 0.34 with macro steps of 10 ms, 4e-4 with 1 ms; energy holds to 10 % with both. */
static const char *const contact =
    "seam: 1\nbodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [1, 0], velocity: [-1, 0]}}\n"
    "forces:\n"
    "  g: {type: spring_damper, bodies: [ground, a], at: [[-1, 0], [0, 0]], axis: [1, 0], stiffness: 100, length: 1}\n"
    "  h: {type: spring_damper, bodies: [ground, b], at: [[2, 0], [1, 0]], axis: [1, 0], stiffness: 20, length: -1}\n"
    "  c: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], length: 0,\n"
    "      force: \"if(s < 0.9, 1e4*(s - 0.9), 0)\"}\n"
    "simulate: {end: 3, output_step: 0.01}\n"
    "cosim: {subsystems: {l: [a], r: [b]}, scheme: ff-colloc-s3}\n";

Test(verdict, coarse_macro_steps_over_a_contact_are_wrong) {
  write_text("contact.yaml", contact);
  expect_word(SEAM("run", "contact.yaml", "--cosim", "--macro-step", "1e-2", "-o", "out", "--quiet"), 3,
              "wrong: ", "wrong");
}

Test(verdict, fine_and_controlled_macro_steps_over_a_contact_are_right) {
  write_text("contact.yaml", contact);
  expect_word(SEAM("run", "contact.yaml", "--cosim", "--macro-step", "1e-3", "-o", "out"), 0, "verdict: ", NULL);
  expect_word(SEAM("run", "contact.yaml", "--cosim", "-o", "out"), 0, "verdict: ", NULL);
}

/* Schemes that look for no kinks of laws count them where they are, in the law of the contact above. */
Test(verdict, kinks_of_laws_inside_macro_steps_are_said_under_every_scheme) {
  static const char *const schemes[] = {"ff-k1", "ff-d-k2", "ff-k1-explicit"};
  static const char *const laws[] = {"forces.c.force=\"if(s < 0.9, 1e4*(s - 0.9), 0)\"",
                                     "forces.c.force=\"1e3*(max(s - 1.05, 0) + min(s - 0.95, 0))\"",
                                     "forces.c.force=\"50*(s - 1) + 30*(s - 1)^3 + v\""};
  write_text("contact.yaml", contact);
  for (size_t i = 0; i < 3; i++)
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
      outcome run = SEAM("run", "contact.yaml", "--cosim", "--macro-step", "1e-3", "--end", "0.3", "--scheme",
                         schemes[k], "--set", laws[i], "--check", "never", "-o", "out");
      cr_expect_eq(has(run.err, "note: laws of cut force elements have kinks or jumps inside"), i < 2, "%s: %s",
                   schemes[k], run.err);
      outcome_free(&run);
    }
}

/* Nine impacts of a ball, f H = 0.07. Largest error of its place, of its range: 0.49 with ff-k2, 0.20 with ff-d-k2,
 * 0.02 with ff-k1, whose last impact is 5 ms late: 17 % of the velocity. */
#define BOUNCES(BODY, LEFT)                                                                                            \
  "seam: 1\ngravity: [0, -9.81]\n"                                                                                     \
  "bodies: {table: {mass: 500, inertia: 1}, ball: {mass: 1, inertia: 0.01, at: [0, 0.7]}" BODY "}\n"                   \
  "joints: {f: {type: fixed, bodies: [ground, table], at: [0, 0]}}\n"                                                  \
  "forces:\n"                                                                                                          \
  "  c: {type: contact, bodies: [table, ball], at: [[0, 0], [0, 0.7]], line: [1, 0], radius: 0.2, stiffness: 1e4,\n"   \
  "      exponent: 1}\n"                                                                                               \
  "simulate: {end: 6, output_step: 0.01}\n"                                                                            \
  "cosim: {subsystems: {l: [" LEFT "], r: [ball]}, macro_step: 4.4e-3, scheme: ff-k1}\n"

static void expect_energy_of_contacts(const char *text, const char *scheme, bool is_right) {
  write_text("bounces.yaml", text);
  expect_word(SEAM("run", "bounces.yaml", "--cosim", "--scheme", scheme, "-o", "out"), is_right ? 0 : 3,
              "verdict: ", is_right ? NULL : "wrong");
}

/* Beside 1e5 kg at 10 m/s the energies of all bodies say nothing of the ball's. */
Test(verdict, energy_that_a_contact_at_a_cut_creates_or_destroys_is_wrong) {
  static const char *const schemes[] = {"ff-k2", "ff-d-k2", "ff-k1", "ff-colloc-s3", "dd-k1"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    expect_energy_of_contacts(BOUNCES("", "table"), schemes[i], i > 2);
    expect_energy_of_contacts(
        BOUNCES(", heavy: {mass: 1e5, inertia: 1, at: [5, 0], velocity: [0, 10]}", "table, heavy"), schemes[i], i > 2);
  }
}

/* Reactions between macro points are not checked; those of extrapolating schemes are interpolated. */
Test(verdict, reactions_between_far_macro_points_are_said_to_be_unchecked) {
  static const char *const schemes[][3] = {{"ff-colloc-s3", "evaluated, not checked", "0.0007"},
                                           {"ff-k1", "interpolated, not checked", "0.0007"},
                                           {"ff-colloc-s3", "evaluated, not checked", "0.002"}}; /* macro points */
  for (int i = 0; i < 3; i++) {
    outcome run = SEAM("run", "four_bar_bushing", "--cosim", "--scheme", schemes[i][0], "--end", "0.1", "--macro-step",
                       "0.001", "--output-step", schemes[i][2], "--check", "never", "-o", "out");
    cr_expect_eq(has(run.err, "accelerations, reactions and energies are not checked in rows between macro points"),
                 i < 2, "%s", run.err);
    char *said = json_at("out/summary.json", "/cosim/reactions_between_macro_points");
    cr_expect_str_eq(said, schemes[i][1]);
    free(said);
    outcome_free(&run);
    run = SEAM("run", "four_bar_bushing", "--cosim", "--scheme", schemes[i][0], "--end", "0.1", "--macro-step", "0.001",
               "--output-step", schemes[i][2], "--check", "never", "--quiet", "-o", "out");
    cr_expect_str_empty(run.err, "%s", run.err);
    outcome_free(&run);
  }
}

/* Steep friction in a subsystem turns within a macro step, and a multiplier of index 2 stays off: positions are right.
 */
Test(verdict, forces_at_a_cut_joint_that_stay_off_are_rough) {
  write_text("rubs.yaml", "seam: 1\ngravity: [0, -9.81]\n"
                          "bodies: {a: {rod: [[0, 0], [1, 0]], mass: 1}, b: {rod: [[1, 0], [2, 0]], mass: 1}}\n"
                          "joints:\n"
                          "  A: {type: revolute, bodies: [ground, a], at: [0, 0],\n"
                          "      friction: {coefficient: 0.3, radius: 0.05, slip_speed: 1e-3}}\n"
                          "  B: {type: revolute, bodies: [a, b], at: [1, 0]}\n"
                          "simulate: {end: 3, output_step: 0.01}\n"
                          "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 0.02, scheme: ff-index2-k1}\n");
  expect_word(SEAM("run", "rubs.yaml", "--cosim", "-o", "out"), 0, "of its range off at", "rough");
  expect_word(SEAM("run", "rubs.yaml", "--cosim", "--macro-step", "2e-3", "-o", "out"), 0, "verdict: ", NULL);
}

/* A load jumps just behind a macro point: forces at the end of that step are replaced, and no row shows them. */
Test(verdict, forces_that_are_found_anew_behind_a_jump_are_not_wrong) {
  write_text("jumps.yaml", "seam: 1\ngravity: [0, -9.81]\n"
                           "bodies: {a: {rod: [[0, 0], [1, 0]], mass: 1}, b: {rod: [[1, 0], [2, 0]], mass: 1}}\n"
                           "joints:\n"
                           "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
                           "  B: {type: revolute, bodies: [a, b], at: [1, 0]}\n"
                           "forces: {p: {type: force, body: b, y: \"if(t < 0.70001, 0, 20)\"}}\n"
                           "simulate: {end: 1, output_step: 0.02}\n"
                           "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 0.02, scheme: ff-index1-k1}\n");
  expect_word(SEAM("run", "jumps.yaml", "--cosim", "-o", "out"), 0, "verdict: ", NULL);
}

/* Nothing but rounding crosses the joint: that is no reaction that could be off. */
Test(verdict, a_joint_without_reaction_is_not_wrong) {
  write_text("still.yaml",
             "seam: 1\n"
             "bodies: {a: {rod: [[0, 0], [1, 0]], mass: 1}, b: {rod: [[1, 0], [2, 0]], mass: 1, velocity: [0, 0]}}\n"
             "joints: {B: {type: revolute, bodies: [a, b], at: [1, 0]}}\n"
             "simulate: {end: 1, output_step: 0.01}\n"
             "start: {a.vx: 1, b.vx: 1}\n"
             "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 1e-3, scheme: ff-index2-k1}\n");
  expect_word(SEAM("run", "still.yaml", "--cosim", "-o", "out"), 0, "verdict: ", NULL);
}

/* Message and summary stay. */
Test(verdict, a_wrong_run_can_be_accepted) {
  write_text("osc.yaml", oscillator);
  expect_word(SEAM("run", "osc.yaml", "--integrator", "euler", "--step", "1e-2", "--accept-wrong", "-o", "out"), 0,
              "wrong: ", "wrong");
}

/* A failure keeps its own status. */
Test(verdict, a_failed_run_is_not_called_wrong) {
  write_text("m.yaml", "seam: 1\nbodies: {b: {mass: 1, inertia: 1, at: [0, 0]}}\n"
                       "forces: {f: {type: force, body: b, at: [0, 0], x: sqrt(1 - t)}}\nsimulate: {end: 2}\n");
  outcome run = SEAM("run", "m.yaml", "-o", "out");
  cr_expect_eq(run.exit_status, 1, "%s", run.err);
  cr_expect_not(has(run.err, "wrong") || has(run.out, "verdict"), "%s", run.err);
  outcome_free(&run);
}

/* The potential of a force m/s² is infinite at rest: it is counted from the initial distance. */
Test(verdict, a_planet_has_a_potential) {
  write_text("planet.yaml",
             "seam: 1\n"
             "bodies: {sun: {mass: 1, inertia: 1, at: [0, 0]}, planet: {mass: 1e-3, inertia: 1, at: [2, 0], "
             "velocity: [0, 0.5]}}\n"
             "joints: {hold: {type: fixed, bodies: [ground, sun], at: [0, 0]}}\n"
             "forces: {g: {type: spring_damper, bodies: [sun, planet], at: [[0, 0], [2, 0]], length: 0, "
             "force: 1e-3/s^2}}\n"
             "simulate: {end: 5, output_step: 0.1, rtol: 1e-10}\n");
  outcome result = SEAM("run", "planet.yaml", "-o", "out");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  csv table = csv_read("out/trajectory.csv");
  for (size_t i = 0; i < table.n_rows; i++) {
    const double distance = hypot(csv_at(&table, i, "planet.x"), csv_at(&table, i, "planet.y"));
    cr_expect_float_eq(csv_at(&table, i, "energy.potential"), 1e-3 / 2 - 1e-3 / distance, 1e-15);
  }
  csv_free(&table);
  outcome_free(&result);
}

/* A crank that stops at once throws the rod: the impulse crosses the cut joint, where forces are polynomials. */
Test(verdict, an_impulse_through_a_cut_joint_is_not_done) {
  static const char *const schemes[] = {"ff-index2-k2", "ff-index2-k2-implicit", "ff-index2-k0", "ff-projection-k1",
                                        "ff-weighted-k1"};
  write_text("stop.yaml", "seam: 1\npoints: {A: [0, 0], B: [1, 0], C: [3, 0]}\n"
                          "bodies: {crank: {rod: [A, B], mass: 1}, rod: {rod: [B, C], mass: 1}}\n"
                          "joints:\n  A: {type: revolute, bodies: [ground, crank], at: A}\n"
                          "  B: {type: revolute, bodies: [crank, rod], at: B}\n"
                          "  turn: {type: motion, of: phi, body: crank, law: \"min(10*t, 1)\"}\n"
                          "simulate: {end: 1, output_step: 0.01}\n"
                          "cosim: {subsystems: {l: [crank], r: [rod]}, macro_step: 1e-3, scheme: ff-index2-k2}\n");
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    outcome result = SEAM("run", "stop.yaml", "--cosim", "--scheme", schemes[i], "-o", "out");
    cr_expect(result.exit_status == 1 || result.exit_status == 3, "%s: %d", schemes[i], result.exit_status);
    outcome_free(&result);
  }
}

/* The rate of a driver may jump at a row, and between macro points. */
Test(verdict, a_rate_that_jumps_is_no_alarm_in_a_cut_run) {
  static const char *const laws[] = {"if(t > 1, t-1, 0)", "if(t < 1, 0, t-1)", "max(t-1.0007, 0)"};
  write_text("kin.yaml", "seam: 1\nbodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [1, 0]}}\n"
                         "joints: {m: {type: motion, of: x, body: a, law: \"0\"}}\n"
                         "forces: {k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], stiffness: 10}}\n"
                         "simulate: {end: 2, output_step: 0.01}\n"
                         "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 2e-3, scheme: ff-k1}\n");
  for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
    char law[64];
    snprintf(law, sizeof law, "joints.m.law=\"%s\"", laws[i]);
    expect_word(SEAM("run", "kin.yaml", "--cosim", "--set", law, "-o", "out"), 0, "verdict: ", NULL);
  }
}

/* At whole periods an oscillator shows no exchange of energy at all. */
Test(verdict, rows_at_the_period_are_no_alarm) {
  static const char *const runs[][2] = {{"erk", ""}, {"ida", ""}, {"cvode", ""}, {"rk4", "simulate.step=1e-3"}};
  write_text("per.yaml", "seam: 1\nparameters: {w: 2*pi}\nbodies: {m: {mass: 1, inertia: 1, at: [1, 0]}}\n"
                         "forces: {k: {type: spring_damper, bodies: [ground, m], at: [[0, 0], [1, 0]], axis: [1, 0], "
                         "stiffness: w*w, length: 0.9}}\nsimulate: {end: 20, output_step: 1}\n");
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
    expect_word(SEAM("run", "per.yaml", "--integrator", runs[i][0], "--set",
                     runs[i][1][0] != '\0' ? runs[i][1] : "simulate.end=20", "-o", "out"),
                0, "verdict: ", NULL);
}

/* A jump far from the origin is a jump. */
Test(verdict, a_place_that_jumps_far_away_ends_the_run) {
  write_text("far.yaml", "seam: 1\nbodies: {a: {mass: 1, inertia: 1, at: [1e6, 0]}}\n"
                         "joints: {m: {type: motion, of: x, body: a, law: \"1e6 + if(t < 1, 0, 0.5)\"}}\n"
                         "simulate: {end: 2}\n");
  outcome result = SEAM("run", "far.yaml", "-o", "out");
  cr_expect_eq(result.exit_status, 1, "%s", result.err);
  cr_expect(has(result.err, "jumps by 0.5"), "%s", result.err);
  outcome_free(&result);
}

/* An integral over the last macro step is half as large where that is half as long. */
Test(verdict, integrals_over_macro_steps_are_not_judged) {
  write_text("dose.yaml",
             "seam: 1\nsimulate: {end: 5}\ncosim:\n  macro_step: 1e-3\n  subsystems:\n"
             "    src: {inputs: [b], states: {x: 1}, rates: {x: -x + 0.1*b}, outputs: {u: x}}\n"
             "    load: {inputs: [v], states: {q: 0}, rates: {q: v - q}, outputs: {y: q}, integrals: {dose: v}}\n"
             "  signals: [{from: src.u, to: load.v, order: 1}, {from: load.y, to: src.b, order: 1}]\n");
  expect_word(SEAM("run", "dose.yaml", "--cosim", "-o", "out"), 0, "verdict: accurate", NULL);
}

/* Signals are known at macro points alone: the last row of the check may lie between two of smaller macro steps. What
 * feeds through is solved at the start, and the run is 0.3 % off as long as y falls from -14.7. */
Test(verdict, a_signal_that_is_not_known_at_the_end_has_its_travel) {
  write_text("loop.yaml",
             "seam: 1\nsimulate: {end: 1, output_step: 0.01}\ncosim:\n  macro_step: 1.1e-4\n  subsystems:\n"
             "    s1: {inputs: [u], states: {x: 1}, rates: {x: -0.9*x + 0.5*u}, outputs: {y: 3*x + u, x: x}}\n"
             "    s2: {inputs: [u], states: {x: 1}, rates: {x: 10*u - x}, outputs: {y: -31*x - 0.9*u, x: x}}\n"
             "  signals: [{from: s1.y, to: s2.u}, {from: s2.y, to: s1.u}]\n");
  expect_word(SEAM("run", "loop.yaml", "--cosim", "-o", "out", "--quiet"), 0, "", NULL);
  const double share = json_number_at("out/summary.json", "/verdict/error/of_travel");
  cr_expect(share > 1e-3 && share < 6e-3, "%g", share);
}

/* A wall pushes for 31 ms, between rows of 1 s; at one of them the ball is closer to the wall than its error. */
Test(verdict, a_signal_has_the_travel_that_it_has_between_rows) {
  write_text("pulse.yaml", "seam: 2\nbodies: {b: {mass: 1, inertia: 0, velocity: [3, 0]}}\n"
                           "forces: {f: {type: force, body: b, x: c.u}}\nequations:\n"
                           "  c: {inputs: {x: b.x}, outputs: {u: \"if(x > 300, -1e4*(x - 300), 0)\"}}\n"
                           "simulate: {end: 150, output_step: 1}\n");
  static const char *const integrators[] = {"ida", "cvode", "radau", "erk"};
  for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++)
    expect_word(SEAM("run", "pulse.yaml", "--integrator", integrators[i], "-o", "out"), 0, "verdict: accurate", NULL);
}

/* ---- Checks by smaller macro steps ---- */

/* A part that restarts at each macro step: there is no undivided run. */
#define IDLE                                                                                                           \
  "    idle: {inputs: [u], states: {z: 0, J: 0}, outputs: [z],\n"                                                      \
  "      linear: {A: [[-1, 0], [0, 0]], B: [[0], [1]], C: [[1, 0]], restarts: [J]}}\n"

/* Runs the file and compares the printed error of a place with the true one at the end. */
static void expect_printed_error(const char *file, const char *place, double exact) {
  outcome run = SEAM("run", file, "--cosim", "-o", "out");
  char *by = json_at("out/summary.json", "/verdict/error/by");
  const double printed = json_number_at("out/summary.json", "/verdict/error/value");
  const double error = fabs(csv_last("out/trajectory.csv", place) - exact);
  cr_expect_str_eq(by, "smaller macro step");
  cr_expect_float_eq(printed, error, 0.1 * error, "%g of %g: %s", printed, error, run.out);
  cr_expect_eq(run.exit_status, 3, "%s", run.out);
  free(by);
  outcome_free(&run);
}

/* Steps of rk4 end at kinks, however long they are; halves of them would pass the pulse in as few. */
Test(verdict, a_pulse_between_fixed_steps_is_seen_by_smaller_macro_steps) {
  write_text("pulse.yaml",
             "seam: 2\nbodies: {b: {mass: 1, inertia: 1}}\n"
             "forces: {f: {type: force, body: b, x: \"1000*exp(-((t - 0.52)/1e-3)^2)\"}}\n"
             "simulate: {end: 1, output_step: 0.1}\ncosim:\n  macro_step: 0.1\n  integrator: rk4\n  micro_step: 0.05\n"
             "  subsystems:\n    p: [b]\n" IDLE "  signals: [{from: b.x, to: idle.u}]\n");
  expect_printed_error("pulse.yaml", "b.x", sqrt(acos(-1)) * (1 - 0.52));
}

/* Neither macro points nor those of half the macro step see the impulse of 0.01 Ns. */
Test(verdict, a_kink_between_macro_points_is_seen_by_smaller_macro_steps) {
  write_text("shoved.yaml",
             "seam: 2\nbodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [1, 0]}}\njoints:\n"
             "  s: {type: prismatic, bodies: [ground, a], at: [0, 0], axis: [1, 0]}\n"
             "  m: {type: motion, body: a, of: x, law: \"max(0, 0.1 - abs(t - 2.6))\"}\n"
             "forces: {k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], stiffness: 1}}\n"
             "simulate: {end: 4, output_step: 0.1}\ncosim:\n  macro_step: 0.8\n  scheme: ff-k0-implicit\n"
             "  subsystems:\n    p: [a]\n    q: [b]\n" IDLE "  signals: [{from: a.x, to: idle.u}]\n");
  expect_printed_error("shoved.yaml", "b.x", 1 + 0.01 * sin(4 - 2.6));
}

/* ---- Chaos ---- */

static void forget(outcome result) { outcome_free(&result); }

/* Two rods fall from the horizontal; their lengths differ by `change`. */
static void write_rods(const char *path, const char *change) {
  char text[800];
  snprintf(text, sizeof text,
           "seam: 1\nname: rods\ngravity: [0, -9.81]\nparameters: {l: 0.8 + %s}\n"
           "points: {O: [0, 0], P: [1, 0], Q: [1 + l, 0]}\n"
           "bodies: {upper: {rod: [O, P], mass: 1}, lower: {rod: [P, Q], mass: 0.7}}\n"
           "joints:\n  A: {type: revolute, bodies: [ground, upper], at: O}\n"
           "  B: {type: revolute, bodies: [upper, lower], at: P}\nsimulate: {end: 20, output_step: 0.01}\n"
           "cosim: {subsystems: {a: [upper], b: [lower]}, macro_step: 4e-3, scheme: ff-index1-k1}\n",
           change);
  write_text(path, text);
}

/* The largest difference of the rods' angles up to a time. */
static double apart(const csv *a, const csv *b, double until) {
  double most = 0;
  for (size_t k = 0; k < a->n_rows && csv_at(a, k, "time") <= until; k++)
    most = fmax(most, fabs(csv_at(a, k, "lower.phi") - csv_at(b, k, "lower.phi")));
  return most;
}

/* Two runs of rods that differ by 1e-10 m grow apart as fast as the verdict says. */
Test(verdict, chaos_is_named_with_the_time_in_which_errors_grow_tenfold) {
  static const char said[] = "the motion is chaotic or as sensitive, and differences grow tenfold every ";
  write_rods("m.yaml", "0");
  write_rods("n.yaml", "1e-10");
  for (int i = 0; i < 2; i++)
    outcome_free(&(outcome[]){
        SEAM("run", i == 0 ? "m.yaml" : "n.yaml", "--rtol", "1e-13", "--check", "never", "-o", i == 0 ? "a" : "b")}[0]);
  csv a = csv_read("a/trajectory.csv"), b = csv_read("b/trajectory.csv");
  const double own = 15 / log10(apart(&a, &b, 20) / apart(&a, &b, 5));
  csv_free(&a);
  csv_free(&b);
  forget(SEAM("run", "m.yaml", "-o", "out"));
  char *why = json_at("out/summary.json", "/verdict/error/why");
  cr_assert_eq(strncmp(why, said, strlen(said)), 0, "%s", why);
  const double found = atof(why + strlen(said));
  cr_expect(found > own / 1.5 && found < own * 1.5, "%g s, and %g s by two runs", found, own);
  free(why);
  outcome result = SEAM("compare", "m.yaml", "-o", "c");
  cr_expect(has(result.out, said), "%s", result.out);
  outcome_free(&result);
  result = SEAM("converge", "m.yaml", "--macro-steps", "8e-3:4e-3:2", "-o", "o");
  cr_expect(has(result.err, said), "%s", result.err);
  outcome_free(&result);
  result = SEAM("run", "m.yaml", "--end", "60", "-o", "out"); /* the part that is judged is too short for a word */
  cr_expect(has(result.out, "not checked: two undivided runs"), "%s", result.out);
  char *text = json_at("out/summary.json", "/verdict/text"); /* without line breaks */
  cr_expect(has(text, "off at t = "), "%s", text);
  free(text);
  outcome_free(&result);
}

/* Errors of an oscillator grow as the time, those of a ball by jumps where it bounces. */
Test(verdict, errors_that_grow_otherwise_are_no_chaos) {
  write_text("osc.yaml", oscillator);
  static const char *const models[] = {"osc.yaml", "bouncing_ball", "slider_crank_friction", "geneva"};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    forget(SEAM("run", models[i], "-o", "out"));
    char *why = json_at("out/summary.json", "/verdict/error/why");
    cr_expect_str_empty(why, "%s: %s", models[i], why);
    free(why);
  }
}

/* A motion that dies out within a second: the error is made at its beginning, however long the run. */
static const char *const dying =
    "seam: 2\nbodies:\n  a: {mass: 1, inertia: 1, at: [0, 0], velocity: [1, 0]}\n  b: {mass: 1, inertia: 1, at: [1, "
    "0]}\n"
    "forces:\n"
    "  g: {type: spring_damper, bodies: [ground, a], at: [[-1, 0], [0, 0]], axis: [1, 0], stiffness: 50, damping: 10}\n"
    "  h: {type: spring_damper, bodies: [ground, b], at: [[-1, 0], [1, 0]], axis: [1, 0], stiffness: 50, damping: 10}\n"
    "  k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], stiffness: 20, damping: 2}\n"
    "simulate: {end: 5, output_step: 0.05}\n"
    "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 0.05, scheme: fd-k0-exchange}\n";

Test(verdict, errors_of_short_motions_are_seen_in_long_runs) {
  static const char *const ends[] = {"5", "150", "700"};
  write_text("dying.yaml", dying);
  double first = NAN;
  for (int i = 0; i < 3; i++) {
    outcome run = SEAM("run", "dying.yaml", "--cosim", "--end", ends[i], "--check", "always", "-o", "out");
    const double share = json_number_at("out/summary.json", "/verdict/error/of_travel");
    first = i == 0 ? share : first;
    cr_expect(first > 0.1 && fabs(share - first) < 1e-6 * first, "%s s: %g, %g", ends[i], share, first);
    outcome_free(&run);
    run = SEAM("compare", "dying.yaml", "--end", ends[i], "-o", "out");
    cr_expect(has(run.out, "1.05e-01") && has(run.out, "a.place, 0.0059 m at t = 0.35 s"), "%s s: %s", ends[i],
              run.out);
    outcome_free(&run);
  }
}

Test(verdict, advice_is_what_can_be_done) {
  write_text("osc.yaml", oscillator);
  outcome run = SEAM("run", "osc.yaml", "--integrator", "rk4", "--step", "0.1", "-o", "out");
  cr_expect(has(run.out, "try:     a smaller --step, or another integrator\n"), "%s", run.out);
  outcome_free(&run);
  write_text("dying.yaml", dying);
  run = SEAM("run", "dying.yaml", "--cosim", "--rtol", "1e-9", "-o", "out");
  cr_expect(has(run.err, "note: with --cosim, --rtol is only for the undivided run that checks this run; for "
                         "subsystems give --set cosim.rtol=VALUE"),
            "%s", run.err);
  cr_expect(has(run.out, "or:      --scheme fd-k1-exchange\n"), "%s", run.out);
  outcome_free(&run);
  run = SEAM("run", "dying.yaml", "--cosim", "--scheme", "fd-k0", "--macro-step", "0.2", "-o", "out");
  cr_expect(has(run.out, "or:      --scheme fd-k1\n"), "%s", run.out);
  outcome_free(&run);
  run = SEAM("run", "dying.yaml", "--cosim", "--scheme", "fd-k1", "--macro-step", "0.2", "-o", "out");
  cr_expect(has(run.out, "or:      seam compare dying.yaml --schemes all --set \"cosim.macro_step=0.2\"\n"), "%s",
            run.out);
  outcome_free(&run);
  run = SEAM("run", "dying.yaml", "--cosim", "-o", "out", "--set",
             "cosim.step_control={method: predictor, tolerance: 10}");
  cr_expect(has(run.out, "try:     a smaller tolerance of 'step_control', or a shorter first macro step\n"), "%s%s",
            run.out, run.err);
  outcome_free(&run);
  run = SEAM("run", "dying.yaml", "--cosim", "-o", "out", "--set",
             "cosim.step_control={method: predictor, tolerance: 1e-9, shortest: 0.1}");
  cr_expect(has(run.out, "try:     a smaller tolerance or 'shortest' of 'step_control'\n"), "%s%s", run.out, run.err);
  outcome_free(&run);
}

/* Two rods on a bushing of 1e6 Ns/m: stability keeps steps of erk at 1.5e-6 s. */
Test(verdict, stiff_runs_are_told_of_an_integrator_that_is_faster) {
  write_text(
      "stiff.yaml",
      "seam: 2\ngravity: [0, -9.81]\npoints: {A: [0, 0], B: [1, 0], C: [0.5, 0.8]}\nparameters: {d: 1e6}\n"
      "bodies: {a: {rod: [A, C], mass: 1}, b: {rod: [B, C], mass: 1}}\n"
      "joints: {A: {type: revolute, bodies: [ground, a], at: A}, B: {type: revolute, bodies: [ground, b], at: B}}\n"
      "forces: {C: {type: bushing, bodies: [a, b], at: C, stiffness: [1e9, 1e9, 0], damping: [d, d, 0]}}\n"
      "simulate: {end: 0.1, output_step: 0.01}\n");
  outcome run = SEAM("run", "stiff.yaml", "-o", "out");
  cr_expect(has(run.err, "note: radau took "), "%s", run.err);
  cr_expect(has(run.err, ": --integrator radau\n"), "%s", run.err);
  cr_expect(has(run.out, "accurate"), "%s", run.out); /* although the run itself takes long */
  outcome_free(&run);
  run = SEAM("run", "stiff.yaml", "-o", "out", "--set", "parameters.d=1");
  cr_expect_not(has(run.err, "note: "), "%s", run.err);
  outcome_free(&run);
}

/* The residual of a gear is an angle: its bound was a share of the size in metres, which rounding exceeds here. */
Test(verdict, angles_of_constraints_are_judged_at_any_size) {
  outcome result = SEAM("run", "planetary_gear", "--set", "parameters.m=1e-12", "--set", "parameters.T=6e-20", "--set",
                        "parameters.d=2e-22", "--set", "bodies.sun.inertia=2e-23", "--set",
                        "bodies.planet.inertia=8e-24", "--set", "bodies.carrier.inertia=2.09e-21", "-o", "out");
  cr_expect_eq(result.exit_status, 0, "%s", result.out);
  cr_expect(has(result.out, "verdict: accurate"), "%s", result.out);
  outcome_free(&result);
}

/* Both undivided runs agree to less than the cut run differs from them, or the difference is a bound. */
Test(verdict, an_error_below_what_the_truth_is_known_to_is_a_bound) {
  outcome run = SEAM("run", "four_bar_fixed", "--cosim", "--end", "1", "-o", "out");
  const double confirmed = json_number_at("out/summary.json", "/verdict/error/confirmed");
  char *relation = json_at("out/summary.json", "/verdict/error/relation");
  cr_expect_str_eq(relation, "<");
  cr_expect_float_eq(json_number_at("out/summary.json", "/verdict/error/of_travel"), confirmed, 1e-6 * confirmed);
  cr_expect(has(run.out, " is less than "), "%s", run.out);
  free(relation);
  outcome_free(&run);
  run = SEAM("run", "four_bar_bushing", "--cosim", "--end", "1", "--macro-step", "0.01", "-o", "out");
  cr_expect(!has(run.out, "less than"), "%s", run.out);
  outcome_free(&run);
}

/* Against the trajectory of the undivided run, at the macro points. */
Test(verdict, a_measure_of_an_energy_is_judged) {
  write_text("damped.yaml",
             "seam: 2\nbodies:\n  a: {mass: 1, inertia: 1, at: [0, 0], velocity: [1, 0]}\n"
             "  b: {mass: 1, inertia: 1, at: [1, 0]}\n"
             "forces: {k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], stiffness: 10, "
             "damping: 2}}\nmeasures: {taken: energy.total + energy.dissipated}\nsimulate: {end: 2, output_step: 0.1}\n"
             "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 0.1, scheme: ff-k0-explicit}\n");
  outcome run = SEAM("run", "damped.yaml", "--cosim", "-o", "cut");
  cr_expect(has(run.out, "taken is 42 % of its range off at macro points"), "%s", run.out);
  outcome_free(&run);
  run = SEAM("run", "damped.yaml", "--rtol", "1e-10", "-o", "whole");
  outcome_free(&run);
  csv cut = csv_read("cut/trajectory.csv"), whole = csv_read("whole/trajectory.csv");
  double worst = 0;
  for (size_t k = 0; k < whole.n_rows; k++)
    worst = fmax(worst, fabs(csv_at(&cut, k, "taken") - csv_at(&whole, k, "taken")));
  cr_expect_float_eq(json_number_at("cut/summary.json", "/verdict/forces/value"), worst, 1e-6 * worst);
  csv_free(&cut);
  csv_free(&whole);
}

/* The motion is less than 1 % of its travel off, the cut spring's force more than 5 % of its range; other loads make
 * the range of accelerations larger. */
Test(verdict, forces_of_cut_elements_are_judged) {
  write_text("spring.yaml",
             "seam: 2\ngravity: [1.5, -3]\nbodies:\n  a: {mass: 17, inertia: 0.8, at: [-0.13, -0.35]}\n"
             "  b: {mass: 3, inertia: 0.2, at: [-0.56, -0.46]}\n"
             "joints: {J: {type: revolute, bodies: [ground, a], at: [0, 0]}}\n"
             "forces:\n  F: {type: spring_damper, bodies: [b, a], at: [[-0.56, -0.46], [-0.13, -0.35]], stiffness: "
             "19000}\n  fa: {type: force, body: a, x: 850*sin(30*t)}\n  fb: {type: force, body: b, x: "
             "150*sin(30*t)}\nsimulate: {end: 0.6, output_step: 1e-3}\n"
             "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 1e-3, scheme: ff-k0}\n");
  outcome run = SEAM("run", "spring.yaml", "--cosim", "--columns", "default,F", "-o", "cut");
  cr_expect(has(run.out, "verdict: rough: "), "%s", run.out);
  outcome_free(&run);
  run = SEAM("run", "spring.yaml", "--rtol", "1e-10", "--columns", "default,F", "-o", "whole");
  outcome_free(&run);
  char *name = json_at("cut/summary.json", "/verdict/forces/quantity");
  csv cut = csv_read("cut/trajectory.csv"), whole = csv_read("whole/trajectory.csv");
  cr_expect(strncmp(name, "F.", 2) == 0, "%s", name);
  double worst = 0;
  for (size_t k = 0; k < whole.n_rows; k++)
    worst = fmax(worst, fabs(csv_at(&cut, k, name) - csv_at(&whole, k, name)));
  cr_expect_gt(json_number_at("cut/summary.json", "/verdict/forces/of_travel"), 0.05, "%s", name);
  cr_expect_float_eq(json_number_at("cut/summary.json", "/verdict/forces/value"), worst, 1e-6 * worst, "%s", name);
  free(name);
  csv_free(&cut);
  csv_free(&whole);
}

/* The force jumps by the damping's share when the bodies touch, in the cut run some microseconds later. */
Test(verdict, a_measure_that_jumps_with_the_motion_may_jump_late) {
  write_text("touch.yaml",
             "seam: 2\nbodies:\n  a: {mass: 6, inertia: 1, at: [0, 0], velocity: [1.8, 0]}\n"
             "  b: {mass: 2.4, inertia: 1, at: [1, 0]}\njoints:\n"
             "  ga: {type: prismatic, bodies: [ground, a], at: [0, 0], axis: [1, 0]}\n"
             "  gb: {type: prismatic, bodies: [ground, b], at: [1, 0], axis: [1, 0]}\n"
             "forces:\n  s: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], length: 0.8, "
             "force: 'if(s < 0, max(-2e5*s - 240*v, 0), 0)'}\n"
             "  g: {type: spring_damper, bodies: [ground, a], at: [[0, 0], [0, 0]], axis: [1, 0], stiffness: 227}\n"
             "  h: {type: spring_damper, bodies: [ground, b], at: [[1, 0], [1, 0]], axis: [1, 0], stiffness: 72}\n"
             "measures: {F: s.force}\nsimulate: {end: 1.5}\n"
             "cosim: {subsystems: {l: [a], r: [b]}, scheme: ff-colloc-s2}\n");
  expect_word(SEAM("run", "touch.yaml", "--cosim", "-o", "out", "--quiet"), 0, "", "accurate");
}

/* All forces are round-off of stiff elements, which gives no scale. */
Test(verdict, a_mechanism_at_rest_is_accurate) {
  write_text("rest.yaml", "seam: 2\nbodies:\n  a: {mass: 15, inertia: 0.5, at: [0.25, -0.09], angle: -0.34}\n"
                          "  b: {mass: 2, inertia: 0.2, at: [0.8, -0.3], angle: -2.9}\n"
                          "joints: {J: {type: revolute, bodies: [ground, a], at: [0, 0]}}\nforces:\n"
                          "  F: {type: bushing, bodies: [a, b], at: [0.5, -0.18], stiffness: [1500, 4000, 480], "
                          "damping: [3, 3, 0.3]}\n"
                          "  tie: {type: spring_damper, bodies: [ground, b], at: [[-0.6, 0.4], [1.1, -0.4]], "
                          "stiffness: 740, damping: 2}\nsimulate: {end: 1}\n"
                          "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 1e-3, scheme: ff-k1}\n");
  expect_word(SEAM("run", "rest.yaml", "--cosim", "-o", "out", "--quiet"), 0, "", "accurate");
}

/* The first hundredth of the run has 50 macro steps; the coupling explodes in a few of them. */
Test(verdict, an_explosion_at_the_beginning_ends_the_run) {
  write_text("stiff.yaml",
             "seam: 2\ngravity: [0, -9.81]\nbodies:\n  rod: {rod: [[0, 0], [1, 0]], mass: 1}\n"
             "  disc: {mass: 0.5, inertia: 0.01, at: [1, -0.5]}\n"
             "joints: {A: {type: revolute, bodies: [ground, rod], at: [0, 0]}}\n"
             "forces: {k: {type: spring_damper, bodies: [rod, disc], at: [[1, 0], [1, -0.5]], stiffness: 2e6, damping: "
             "0.5}}\nsimulate: {end: 5}\n"
             "cosim: {subsystems: {l: [rod], r: [disc]}, macro_step: 1e-3, scheme: fd-k0}\n");
  outcome run = SEAM("run", "stiff.yaml", "--cosim", "-o", "out");
  cr_expect_eq(run.exit_status, 1);
  cr_expect(has(run.err, "the co-simulation is unstable: disc."), "%s", run.err);
  cr_expect_lt(json_number_at("out/summary.json", "/verdict/time"), 0.05);
  outcome_free(&run);
}
