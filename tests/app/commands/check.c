/* `seam check`. */
#include <criterion/criterion.h>
#include <seam/models.h>
#include <stdio.h>
#include <sys/stat.h>

#include "tests/support/command.h"

TestSuite(check, .init = enter_scratch, .fini = leave_scratch);

static void expect_in(const char *text, const char *part) {
  cr_expect(has(text, part), "'%s' is not in:\n%s", part, text);
}

Test(check, the_four_bar_is_described) {
  outcome result = SEAM("check", "four_bar_bushing");
  cr_expect_eq(result.exit_status, 0);
  cr_expect_str_empty(result.err);
  expect_in(result.out, "model: four_bar_bushing\n");
  expect_in(result.out, "bodies: 4\n");
  expect_in(result.out, "bushing        bar2, bar3\n");
  expect_in(result.out, "degrees of freedom: 4 (12 coordinates, 8 constraints of rank 8)\n");
  expect_in(result.out, "redundant constraints: 0\n");
  expect_in(result.out, "largest move: ");
  outcome_free(&result);
}

Test(check, laws_are_said_by_what_they_do) {
  write_text("crank.yaml", "seam: 2\nbodies: {crank: {mass: 1, inertia: 1, rate: 1}}\n"
                           "joints: {A: {type: revolute, bodies: [ground, crank], at: [0, 0]}}\n"
                           "forces:\n  load: {type: torsion, bodies: [ground, crank], torque: -3*v}\n"
                           "  rope: {type: spring_damper, bodies: [ground, crank], at: [[2, 0], [0, 0]], length: 1, "
                           "stiffness: 2}\n");
  outcome result = expect_success(SEAM("check", "crank.yaml"));
  expect_in(result.out, "ground, crank: torque -3 Nm, turns clockwise, brakes\n");
  expect_in(result.out, "ground, crank: force -2 N, pulls together\n");
  outcome_free(&result);
}

/* What is allowed and seldom meant is noted, with quiet not. */
Test(check, slips_are_noted) {
  write_text("slips.yaml", "seam: 2\nbodies:\n  a: {rod: [[0, 0], [1, 0]], mass: 1}\n"
                           "  b: {rod: [[1.3, 0], [2.3, 0]], mass: 1}\n  alone: {mass: 1, inertia: 1}\n"
                           "  far: {mass: 1, inertia: 0.01}\n"
                           "simulate: {end: 0.1}\njoints:\n  A: {type: revolute, bodies: [ground, a], at: [0.5, 0]}\n"
                           "  B: {type: revolute, bodies: [a, b], at: [1, 0]}\n"
                           "  C: {type: revolute, bodies: [ground, far], at: [2.5, 0]}\n"
                           "forces:\n  wrong: {type: spring_damper, bodies: [a, b], at: [[0, 0], [2, 0]], force: 3*s}\n"
                           "  right: {type: spring_damper, bodies: [a, b], at: [[0, 0], [2, 0]], force: -3*s}\n"
                           "  coil: {type: torsion, bodies: [ground, a], torque: 2*s}\n"
                           "  pad: {type: bushing, bodies: [ground, b], at: [2.5, 0], stiffness: [1, 1, 0]}\n");
  static const char *const commands[] = {"check", "run"};
  for (size_t i = 0; i < 2; i++) {
    outcome result = expect_success(SEAM(commands[i], "slips.yaml"));
    expect_in(result.err, "joint 'B' is fixed 0.3 m beyond the end of rod 'b'");
    expect_in(result.err, "bushing 'pad' is fixed 0.2 m beyond the end of rod 'b'");
    expect_in(result.err,
              "body 'far' has no 'at': its centre of mass is placed at the origin, 2.5 m from the nearest joint");
    expect_in(result.err, "no joint and no force element holds or loads body 'alone': it goes straight on");
    expect_in(result.err, "the law of 'wrong' increases every deflection, as a spring with the negative stiffness -3 "
                          "N/m at the start does");
    expect_in(result.err, "the law of 'coil' increases every deflection, as a spring with the negative stiffness -2 "
                          "Nm/rad at the start does");
    cr_expect(!has(result.err, "'right'") && !has(result.err, "'A'") && !has(result.err, "rod 'a'"), "%s", result.err);
    outcome_free(&result);
    result = expect_success(SEAM(commands[i], "slips.yaml", "--quiet"));
    cr_expect_str_empty(result.err);
    outcome_free(&result);
  }
}

Test(check, discs_that_a_cable_does_not_touch_are_noted) {
  write_text("discs.yaml", "seam: 2\nbodies: {m: {mass: 1, inertia: 0, at: [1, 0]}}\nforces:\n"
                           "  c: {type: cable, bodies: [ground, ground, ground, m], at: [[-3, 0], [-2, -1], [-1, -1], "
                           "[1, 0]],\n      radii: [0, 0.1, -0.1, 0], hard: true}\n");
  outcome result = expect_success(SEAM("check", "discs.yaml"));
  expect_in(result.err, "cable 'c' does not touch the disc at its place 3, on 'ground', at the start: if it should, "
                        "change the sign of its radius");
  cr_expect(!has(result.err, "place 2"), "%s", result.err);
  outcome_free(&result);
}

Test(check, every_model_of_the_catalogue_passes) {
  for (size_t i = 0; i < seam_catalogue_size(); i++) {
    outcome result = SEAM("check", seam_catalogue_name(i));
    cr_expect_eq(result.exit_status, 0, "%s: %s", seam_catalogue_name(i), result.err);
    cr_expect(!has(result.err, "rod '") && !has(result.err, "holds or loads") &&
                  !has(result.err, "increases every deflection,"),
              "%s: %s", seam_catalogue_name(i), result.err);
    outcome_free(&result);
  }
}

Test(check, verbose_shows_the_assembled_poses) {
  outcome result = SEAM("check", "double_pendulum", "--verbose");
  expect_in(result.out, ": x ");
  expect_in(result.out, "omega ");
  outcome_free(&result);
}

Test(check, measures_have_their_values_at_the_start) {
  outcome result = SEAM("check", "double_pendulum", "--set", "measures={half: {expression: 0.5 + t, unit: N}}");
  expect_in(result.out, "measures: 1\n  half              0.5 N\n");
  outcome_free(&result);
}

Test(check, equations_have_their_states_and_rates_and_events_are_listed) {
  outcome result =
      SEAM("check", "double_pendulum", "--set",
           "equations={m: {inputs: {w: link1.phi}, states: {i: 2}, rates: {i: 3 - i + 0*w}, units: {i: A}}}", "--set",
           "events={a: m.i > 2.5, b: {when: m.i > 2.9, stop: true}}", "--set",
           "cosim.subsystems.other={equations: [m], signal_order: 1}");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(result.out, "states of equations: 1\n  m.i               2 A, rate 1 A/s\n");
  expect_in(result.out, "events: 2\n  a: m.i > 2.5\n  b: m.i > 2.9, ends the run\n");
  expect_in(result.out, "    equations: m\n    order of their signals: 1\n");
  outcome_free(&result);
  result = SEAM("check", "double_pendulum", "--set", "measures={push: -link1.omega}");
  expect_in(result.out, "  push              0 \n"); /* not -0 */
  outcome_free(&result);
  result = SEAM("check", "cart_pole_sampled");
  expect_in(result.out, "  control.theta0    0.1, next value 0.1, every 0.02 s\n");
  outcome_free(&result);
}

/* As a run, which ends at its first row. */
Test(check, a_measure_that_is_not_finite_at_the_start_is_named) {
  const char *const override = "measures={root: sqrt(-1 - t)}";
  outcome result = SEAM("check", "double_pendulum", "--set", override);
  cr_expect_eq(result.exit_status, 1);
  expect_in(result.out, "  root              not finite\n");
  expect_in(result.err, "t = 0 s: root is not finite; guard the measure by if()");
  outcome quiet = SEAM("check", "double_pendulum", "--quiet", "--set", override);
  outcome run = SEAM("run", "double_pendulum", "--quiet", "--set", override);
  cr_expect_eq(quiet.exit_status, run.exit_status);
  cr_expect_str_eq(quiet.err, run.err);
  outcome_free(&result);
  outcome_free(&quiet);
  outcome_free(&run);
}

Test(check, quiet_leaves_the_exit_status) {
  outcome result = SEAM("check", "double_pendulum", "--quiet");
  cr_expect_eq(result.exit_status, 0);
  cr_expect_str_empty(result.out);
  cr_expect_str_empty(result.err);
  outcome_free(&result);
}

Test(check, a_file_comes_before_the_catalogue) {
  write_text("double_pendulum", "seam: 1\nname: mine\nbodies:\n  b: {mass: 1, inertia: 1, at: [0, 0]}\n");
  outcome result = SEAM("check", "double_pendulum");
  expect_in(result.out, "model: mine\nbodies: 1\n");
  outcome_free(&result);
}

Test(check, a_directory_does_not_hide_the_catalogue) {
  mkdir("double_pendulum", 0777);
  outcome result = SEAM("check", "double_pendulum");
  cr_expect_eq(result.exit_status, 0);
  outcome_free(&result);
}

Test(check, the_readers_message_comes_as_it_is) {
  write_text("bad.yaml", "seam: 1\nbodeis: {}\n");
  outcome result = SEAM("check", "bad.yaml");
  cr_expect_eq(result.exit_status, 2);
  cr_expect_str_empty(result.out);
  expect_in(result.err, "bad.yaml:2:1: error: ");
  expect_in(result.err, "did you mean 'bodies'?");
  outcome_free(&result);
}

Test(check, a_directory_is_not_a_model) {
  outcome result = SEAM("check", "/");
  cr_expect_eq(result.exit_status, 2);
  outcome_free(&result);
}

Test(check, set_overrides_the_file) {
  outcome result = SEAM("check", "pendulum_chain", "--set", "parameters.N=3");
  expect_in(result.out, "bodies: 3\n");
  outcome_free(&result);
}

Test(check, assembly_says_which_body_moved) {
  write_text("moved.yaml", "seam: 1\nbodies:\n  b: {mass: 1, inertia: 1, at: [1.25, 0]}\njoints:\n"
                           "  A: {type: revolute, bodies: [ground, b], at: {ground: [0, 0], b: [-1, 0]}}\n");
  outcome result = SEAM("check", "moved.yaml");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(result.out, "largest move: 0.25 m, of b\n");
  outcome_free(&result);
}

Test(check, a_parameter_that_a_law_hides_is_noted) {
  static const char model[] =
      "seam: 2\nparameters: {%s: 0.1}\nbodies: {b: {mass: 1, inertia: 1, at: [0, 0]}}\n"
      "forces: {pull: {type: spring_damper, bodies: [ground, b], at: [[1, 0], [0, 0]], force: \"-50*(s - %s*t)\"}}\n";
  static const char *const names[] = {"v", "speed"};
  for (int i = 0; i < 2; i++) {
    char text[400];
    snprintf(text, sizeof text, model, names[i], names[i]);
    write_text("m.yaml", text);
    outcome result = SEAM("check", "m.yaml");
    cr_expect_eq(has(result.err, "note: 'force' of force 'pull' reads v as its variable, not as the parameter 'v'"),
                 i == 0, "%s", result.err);
    outcome_free(&result);
  }
}

Test(check, redundant_constraints_are_named) {
  write_text("twice.yaml", "seam: 1\nbodies:\n  b: {mass: 1, inertia: 1, at: [1, 0]}\njoints:\n"
                           "  A: {type: revolute, bodies: [ground, b], at: [0, 0]}\n"
                           "  B: {type: revolute, bodies: [ground, b], at: [0, 0]}\n");
  outcome result = SEAM("check", "twice.yaml");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(result.out, "degrees of freedom: 1 (3 coordinates, 4 constraints of rank 2)\n");
  expect_in(result.out, "redundant constraints: 2\n  B.g_x\n  B.g_y\n");
  outcome_free(&result);
  result = SEAM("check", "brake");
  expect_in(result.out, "(3 coordinates, 3 constraints of rank 2, 1 of hard friction)\nredundant constraints: 0\n");
  outcome_free(&result);
}

Test(check, redundant_constraints_that_contradict_each_other_are_refused) {
  write_text("apart.yaml", "seam: 1\nbodies:\n  b: {mass: 1, inertia: 1, at: [0, 0]}\njoints:\n"
                           "  A: {type: revolute, bodies: [ground, b], at: {ground: [0, 0], b: [0, 0]}}\n"
                           "  B: {type: revolute, bodies: [ground, b], at: {ground: [0.1, 0], b: [0, 0]}}\n");
  outcome result = SEAM("check", "apart.yaml");
  cr_expect_eq(result.exit_status, 2);
  expect_in(result.err, "apart.yaml:6:3: error: joint 'B' cannot close");
  expect_in(result.err, "\n  B: {type: revolute");
  outcome_free(&result);
}

Test(check, a_flat_start_names_the_joint) {
  write_text("flat.yaml", "seam: 1\npoints: {A: [0, 0], B: [2, 0], P: [1, 0], Q: [3, 0]}\nbodies:\n"
                          "  left: {rod: [A, P], mass: 1}\n  right: {rod: [B, Q], mass: 1}\n"
                          "  coupler: {rod: [P, Q], mass: 1}\njoints:\n"
                          "  A: {type: revolute, bodies: [ground, left], at: A}\n"
                          "  B: {type: revolute, bodies: [ground, right], at: B}\n"
                          "  P: {type: revolute, bodies: [left, coupler], at: P}\n"
                          "  Q: {type: revolute, bodies: [right, coupler], at: Q}\n");
  outcome result = SEAM("check", "flat.yaml");
  cr_expect_eq(result.exit_status, 2);
  expect_in(result.err, "the configuration is singular: Q.g_x");
  outcome_free(&result);
}

Test(check, new_joints_are_listed_by_type) {
  write_text("all.yaml", "seam: 1\nbodies:\n  a: {mass: 1, inertia: 1, at: [1, 0]}\n"
                         "  b: {mass: 1, inertia: 1, at: [2, 0]}\njoints:\n"
                         "  D: {type: distance, bodies: [ground, a], at: [[0, 0], [1, 0]]}\n"
                         "  S: {type: slot, bodies: [ground, b], at: [2, 0], axis: [1, 0]}\n"
                         "  G: {type: gear, bodies: [a, b], ratio: 3}\n"
                         "  M: {type: motion, body: b, of: x, law: 2 + t}\n");
  outcome result = SEAM("check", "all.yaml");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(result.out, "distance       ground, a\n");
  expect_in(result.out, "slot           ground, b\n");
  expect_in(result.out, "gear           a, b\n");
  expect_in(result.out, "motion         b, ground\n");
  expect_in(result.out, "degrees of freedom: 2 (6 coordinates, 4 constraints of rank 4)\n");
  outcome_free(&result);
}

Test(check, a_loop_that_cannot_close_names_the_joint) {
  write_text("open.yaml", "seam: 1\nbodies:\n  b: {mass: 1, inertia: 1, at: [0, 0]}\njoints:\n"
                          "  A: {type: revolute, bodies: [ground, b], at: {ground: [-1, 0], b: [-0.5, 0]}}\n"
                          "  B: {type: revolute, bodies: [ground, b], at: {ground: [1, 0], b: [0.5, 0]}}\n");
  outcome result = SEAM("check", "open.yaml");
  cr_expect_eq(result.exit_status, 2);
  cr_expect_str_not_empty(result.err);
  outcome_free(&result);
}

Test(check, a_model_of_equations_shows_its_subsystems_and_signals) {
  write_text("own.yaml",
             "seam: 1\ncosim:\n  macro_step: 0.1\n  sequence: gauss-seidel\n  subsystems:\n"
             "    mass: {inputs: [F, wind], states: {x: 1, v: 0}, rates: {x: v, v: F + wind}, outputs: {x: x}}\n"
             "    spring: {inputs: [x], outputs: {F: -x}, integrals: {impulse: -x}, macro_step: 0.02}\n"
             "  signals:\n"
             "    - {from: spring.F, to: mass.F}\n"
             "    - {from: mass.x, to: spring.x, order: 1, gain: 2, smooth: true}\n"
             "  bonds: {p: {ports: [{input: mass.F, output: mass.x}, {input: spring.x, output: spring.F}]}}\n"
             "  corrections: {balance: {input: mass.F, integral: spring.impulse}}\n"
             "  step_control: {method: ecco, tolerance: 1e-4, energy_scale: 1}\n");
  outcome result = SEAM("check", "own.yaml");
  cr_expect_str_empty(result.err);
  cr_expect_str_eq(result.out, "model: own\n"
                               "subsystems: 2\n"
                               "  mass\n"
                               "    inputs: F, wind\n"
                               "    states: x, v\n"
                               "    outputs: x\n"
                               "  spring: macro step 0.02 s, 5 in one of the whole\n"
                               "    inputs: x\n"
                               "    outputs: F, impulse\n"
                               "macro step: 0.1 s at first, then by ecco, tolerance 0.0001, gauss-seidel\n"
                               "signals: 2\n"
                               "  spring.F -> mass.F, order 0\n"
                               "  mass.x -> spring.x, order 1, gain 2, smooth\n"
                               "inputs that nothing feeds: mass.wind\n"
                               "bonds: 1\n"
                               "  p\n"
                               "corrections: 1\n"
                               "  balance of mass.F, by spring.impulse, over 1 macro step\n");
  outcome_free(&result);
  result = SEAM("run", "own.yaml", "--cosim", "--end", "0.2", "--check", "never", "-o", "out");
  cr_expect(has(result.err, "note: inputs that nothing feeds stay zero: mass.wind\n"), "%s", result.err);
  outcome_free(&result);
}

Test(check, the_motion_decides_on_the_first_macro_step_of_collocation) {
  write_text("step.yaml",
             "seam: 1\n"
             "bodies: {a: {mass: 1, inertia: 1, at: [0, 0]}, b: {mass: 1, inertia: 1, at: [1, 0]}}\n"
             "forces: {k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], stiffness: 1, damping: 0}}\n"
             "simulate: {end: 1}\n"
             "cosim: {subsystems: {x: [a], y: [b]}, scheme: ff-colloc-s3}\n");
  outcome result = SEAM("check", "step.yaml");
  expect_in(result.out, "macro step: from the motion at first, then by error, tolerance 1e-06\n");
  outcome_free(&result);
}

Test(check, the_subsystems_of_a_mechanism_are_listed) {
  outcome result = SEAM("check", "hydraulic_crane");
  expect_in(result.out, "subsystems: ");
  expect_in(result.out, "    bodies: ");
  expect_in(result.out, "    force elements: ");
  outcome_free(&result);
}

static const char cut[] = "seam: 1\n"
                          "bodies: {a: {mass: 1, inertia: 1, at: [0, 0]}, b: {mass: 1, inertia: 1, at: [1, 0]}}\n"
                          "forces:\n"
                          "  k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], stiffness: 1}\n"
                          "cosim:\n"
                          "  subsystems: {left: [a], right: [b]}\n"
                          "  macro_step: 1e-3\n"
                          "  # scheme\n";

Test(check, couplings_without_a_scheme_are_shown) {
  write_text("cut.yaml", cut);
  outcome result = SEAM("check", "cut.yaml");
  cr_expect_eq(result.exit_status, 0);
  expect_in(result.out, "no scheme is given");
  expect_in(result.out, "ff-k1           master    left, right");
  outcome_free(&result);
}

/* What is refused only when the mechanism is cut has its place in the file all the same. */
Test(check, refusals_of_cuts_have_a_place) {
  write_text("cut.yaml", cut);
  outcome result = SEAM("check", "cut.yaml", "--set", "cosim.scheme=ff-index2-k1");
  cr_expect_eq(result.exit_status, 2);
  expect_in(result.err,
            "cut.yaml:4:3: error: coupling 'k': this is a force element: take ff-k1; 'ff-index2-k1' is for joints");
  expect_in(result.err, "\n  k: {type: spring_damper, bodies: [a, b]");
  outcome_free(&result);
  result = SEAM("check", "cut.yaml", "--set", "joints={P: {type: prismatic, bodies: [a, b], at: [0, 0], axis: [1, 0]}}",
                "--set", "cosim.scheme=ff-k1");
  expect_in(result.err, "coupling 'P': this is a joint and 'k' a force element, which need different schemes: write "
                        "'scheme: {constitutive: ff-k1, constraint: ff-index2-k1}'");
  outcome_free(&result);
  result =
      SEAM("schemes", "cut.yaml", "--set", "joints={P: {type: prismatic, bodies: [a, b], at: [0, 0], axis: [1, 0]}}",
           "--set", "cosim.scheme=ff-k1"); /* of which none fits both */
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(result.out, "at cut force elements:\n  ff-k0 ");
  expect_in(result.out, "\nat cut joints:\n");
  expect_in(result.out, "\n  ff-index2-k1 ");
  expect_in(result.out, "scheme: {constitutive: ff-k1, constraint: ff-index2-k1}\n");
  outcome_free(&result);
  result = SEAM("run", "cut.yaml", "--cosim", "--end", "1", "--scheme", "ff-k9");
  cr_expect_eq(result.exit_status, 2);
  expect_in(result.err, "--scheme: error: 'ff-k9' is not the name of a scheme: the order must be k0 to k3");
  outcome_free(&result);
}

/* A coupling with sides says its scheme itself. */
Test(check, schemes_of_couplings_with_sides_are_seen) {
  write_text("sides.yaml",
             "seam: 1\nname: sides\nbodies: {a: {mass: 1, inertia: 1}}\n"
             "forces: {push: {type: force, body: a, at: [0, 0], x: 0, y: 0}}\n"
             "cosim:\n"
             "  macro_step: 1e-3\n"
             "  subsystems:\n"
             "    left: [a]\n"
             "    unit: {inputs: [f], states: {x: 0, v: 1}, rates: {x: v, v: f/5}, outputs: {px: x, pv: v}}\n"
             "  couplings:\n"
             "    M:\n"
             "      scheme: ff-k1\n"
             "      stiffness: 100\n"
             "      sides:\n"
             "        - {marker: left.push, along: [x]}\n"
             "        - {subsystem: unit, force: f, position: px, velocity: pv}\n");
  outcome result = SEAM("check", "sides.yaml");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  cr_expect_not(has(result.out, "no scheme is given"), "%s", result.out);
  cr_expect(has(result.out, "M                 ff-k1           master    left.push, unit"), "%s", result.out);
  outcome_free(&result);
}

Test(check, the_force_of_an_element_with_a_long_name_is_shown) {
  enum { LENGTH = 300 };
  char name[LENGTH + 1] = {0};
  char text[LENGTH + 300];
  memset(name, 'f', LENGTH);
  snprintf(
      text, sizeof text,
      "seam: 2\nname: m\nbodies:\n  b: {mass: 1, inertia: 1}\n"
      "forces:\n  %s: {type: spring_damper, bodies: [ground, b], at: [[-2, 0], [0, 0]], stiffness: 3, length: 1}\n",
      name);
  write_text("long.yaml", text);
  outcome result = expect_success(SEAM("check", "long.yaml"));
  cr_expect(has(result.out, "ground, b: force -3 N, pulls together\n"), "%s", result.out);
  outcome_free(&result);
}

Test(check, two_sided_cables_take_degrees_of_freedom) {
  write_text("lift.yaml", "seam: 2\ngravity: [0, -9.81]\n"
                          "bodies: {a: {mass: 1, inertia: 0, at: [-0.1, 0]}, b: {mass: 2, inertia: 0, at: [0.1, 0]}}\n"
                          "forces: {c: {type: cable, bodies: [a, ground, b], at: [[-0.1, 0], [0, 1], [0.1, 0]],\n"
                          "  radii: [0, -0.1, 0], hard: true, two_sided: true}}\nsimulate: {end: 1}\n");
  outcome run = SEAM("check", "lift.yaml");
  cr_expect(has(run.out, "degrees of freedom: 3 (4 coordinates, 0 constraints of rank 0, 1 two-sided cable)\n"), "%s%s",
            run.out, run.err);
  outcome_free(&run);
}

/* A four-bar mechanism that fits, and a pin or a second motion: no joint's lengths are to blame. */
Test(check, what_has_too_many_constraints_is_told_their_number) {
  static const char *const more[] = {"E: {type: revolute, bodies: [ground, b2], at: [1.2, 0.7]}",
                                     "m: {type: motion, of: phi, body: b1, law: t}\n"
                                     "  n: {type: motion, of: phi, body: b3, law: 1 + 2*t}"};
  for (int i = 0; i < 2; i++) {
    char text[1000];
    snprintf(text, sizeof text,
             "seam: 2\npoints: {A: [0, 0], B: [0.5, 0.5], C: [2, 1], D: [2.5, 0]}\n"
             "bodies:\n  b1: {rod: 0.7, near: [A, B], mass: 1}\n  b2: {rod: 1.5, near: [B, C], mass: 1}\n"
             "  b3: {rod: 1.1, near: [D, C], mass: 1}\n"
             "joints:\n  A: {type: revolute, bodies: [ground, b1], at: A}\n"
             "  B: {type: revolute, bodies: [b1, b2], at: B}\n  C: {type: revolute, bodies: [b2, b3], at: C}\n"
             "  D: {type: revolute, bodies: [ground, b3], at: D}\n  %s\n",
             more[i]);
    write_text("many.yaml", text);
    outcome run = SEAM("check", "many.yaml");
    cr_expect_eq(run.exit_status, 2);
    expect_in(run.err, "there are 10 constraints for 9 coordinates: a joint, motion or motor may be too many");
    outcome_free(&run);
  }
}

/* A wrong name in a signal is shown where it stands. */
Test(check, signals_are_refused_where_they_stand) {
  write_text("signals.yaml",
             "seam: 2\nbodies: {a: {mass: 1, inertia: 1}}\nforces: {f: {type: force, body: a, x: 0}}\n"
             "simulate: {end: 1}\ncosim:\n  subsystems: {one: [a], c: {inputs: [x], outputs: {u: -x}}}\n"
             "  signals:\n    - {from: one.b.x, to: c.x}\n    - {from: c.u, to: one.f.fx}\n  macro_step: 1e-2\n");
  outcome result = SEAM("check", "signals.yaml");
  cr_expect_eq(result.exit_status, 2);
  expect_in(result.err, "signals.yaml:8:14: error: signal: 'one.b.x' is not a signal: subsystem 'one' has no body and "
                        "no force element on one body named 'b'");
  outcome_free(&result);
}
