/* `seam static` and `seam modes`. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/command.h"

TestSuite(statics, .init = enter_scratch, .fini = leave_scratch);

static void expect_in(const char *text, const char *part) {
  cr_expect(has(text, part), "'%s' is not in:\n%s", part, text);
}

/* Number in row (the header is 0) and column of a file of numbers; the column by its name. */
static double number_in(const char *path, int row, const char *column) {
  char *text = read_text(path);
  char *rest = NULL;
  char *line = strtok_r(text, "\n", &rest);
  int at = 0;
  char *inner = NULL;
  for (char *word = strtok_r(line, ",", &inner); word && strcmp(word, column) != 0; word = strtok_r(NULL, ",", &inner))
    at++;
  for (int i = 0; i < row && line; i++)
    line = strtok_r(NULL, "\n", &rest);
  cr_assert_not_null(line, "%s has no row %d", path, row);
  for (; at > 0; at--)
    line = strchr(line, ',') + 1;
  const double number = strtod(line, NULL);
  free(text);
  return number;
}

/* ---- static ---- */

Test(statics, a_double_pendulum_hangs) {
  outcome result = SEAM("static", "double_pendulum", "-o", "out");
  cr_expect_eq(result.exit_status, 0);
  cr_expect_str_empty(result.err);
  expect_in(result.out, "model: double_pendulum\n");
  expect_in(result.out, "degrees of freedom: 2\n");
  expect_in(result.out, "-19.62");
  cr_expect_float_eq(number_in("out/static.csv", 1, "link2.y"), -1.5, 1e-12);
  cr_expect_float_eq(number_in("out/static.csv", 1, "pivot.fy"), -2 * 9.81, 1e-11);
  cr_expect_eq(number_in("out/static.csv", 1, "link1.vx"), 0);
  outcome_free(&result);
}

/* A mass in a guide, m s^3 + 40 s^2 + 400 s + ki of which grows where ki > 8000. */
static void write_integral(const char *gain) {
  char text[1000];
  (void)snprintf(
      text, sizeof text,
      "seam: 1\nname: pi\ngravity: [0, -9.81]\nbodies:\n  block: {mass: 2, inertia: 1, at: [0, 0]}\njoints:\n"
      "  guide: {type: prismatic, bodies: [ground, block], at: [0, 0], axis: [0, 1]}\nforces:\n  drive: {type: "
      "force, body: block, at: [0, 0], y: \"400*(0.3 - block.y) - 40*block.vy + %s*control.sum\"}\n"
      "equations:\n  control:\n    states: {sum: 0}\n    rates: {sum: 0.3 - block.y}\n    outputs: {u: sum}\n"
      "start: static\nsimulate: {end: 0.5}\n",
      gain);
  write_text("pi.yaml", text);
}

Test(statics, integrals_rest_and_their_gain_decides_on_stability) {
  write_integral("500");
  outcome calm = SEAM("static", "pi.yaml", "-o", "out");
  cr_expect_eq(calm.exit_status, 0, "%s", calm.err);
  expect_in(calm.out, "no motion about the equilibrium grows, with laws and states\n");
  expect_in(calm.out, "control.sum: 0.03924\n");
  cr_expect_float_eq(number_in("out/static.csv", 1, "block.y"), 0.3, 1e-14);
  outcome_free(&calm);
  outcome run = SEAM("run", "pi.yaml", "-o", "run");
  cr_expect_eq(run.exit_status, 0, "%s", run.err);
  cr_expect_float_eq(number_in("run/trajectory.csv", 101, "block.y"), 0.3, 1e-12);
  outcome_free(&run);
  write_integral("16000");
  outcome wild = SEAM("static", "pi.yaml", "-o", "out", "--quiet");
  cr_expect_eq(wild.exit_status, 3);
  expect_in(
      wild.err,
      "suspect: the equilibrium is not stable, because with inertia, damping and states a motion about it grows by");
  cr_expect_float_eq(number_in("out/static.csv", 1, "control.sum"), 2 * 9.81 / 16000, 1e-14);
  outcome_free(&wild);
}

Test(statics, friction_that_may_hold_is_named) {
  write_text(
      "block.yaml",
      "seam: 1\nname: block\ngravity: [0, -9.81]\nbodies:\n  block: {mass: 2, inertia: 0.1, at: [0.3, 2]}\nforces:\n"
      "  l: {type: contact, bodies: [ground, block], at: {ground: [0, 0], block: [-0.5, -0.2]}, line: [1, 0],\n"
      "    stiffness: 1e6, friction: 0.3, slip_speed: 1e-3}\n"
      "  r: {type: contact, bodies: [ground, block], at: {ground: [0, 0], block: [0.5, -0.2]}, line: [1, 0],\n"
      "    stiffness: 1e6}\nsimulate: {end: 1}\n");
  outcome result = SEAM("static", "block.yaml", "-o", "out");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(result.out, "friction is zero at rest: of many equilibria this is the one without the friction of: l\n");
  expect_in(result.out, "left at rest: accelerations ");
  outcome_free(&result);
}

Test(statics, laws_of_time_are_frozen) {
  write_text("driven.yaml", "seam: 1\nname: driven\nbodies:\n  b: {mass: 1, inertia: 1, at: [0, 0]}\njoints:\n"
                            "  p: {type: revolute, bodies: [ground, b], at: [0, 0]}\n"
                            "  m: {type: motion, of: angle, bodies: [ground, b], law: 3*t}\n");
  outcome result = SEAM("static", "driven.yaml", "--at", "0.5", "-o", "out");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(result.out, "the mechanism cannot move");
  cr_expect_float_eq(number_in("out/static.csv", 1, "b.phi"), 1.5, 1e-12);
  outcome_free(&result);
}

static const char locked[] = "seam: 1\nname: beam\ngravity: [0, -10]\nbodies:\n  b: {rod: [[0, 0], [2, 0]], mass: 1}\n"
                             "joints:\n  wall: {type: fixed, bodies: [ground, b], at: [0, 0]}\n";

Test(statics, a_locked_mechanism_has_reactions_but_does_not_run) {
  write_text("beam.yaml", locked);
  outcome result = SEAM("static", "beam.yaml", "-o", "out");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  cr_expect_float_eq(number_in("out/static.csv", 1, "wall.torque"), -10, 1e-12);
  outcome_free(&result);
  result = SEAM("check", "beam.yaml");
  cr_expect_eq(result.exit_status, 2);
  expect_in(result.err, "locked");
  outcome_free(&result);
}

Test(statics, free_motions_are_named) {
  write_text("free.yaml", "seam: 1\nname: free\nbodies:\n  stone: {mass: 1, inertia: 1, at: [0, 0]}\n");
  outcome result = SEAM("static", "free.yaml");
  cr_expect_eq(result.exit_status, 0);
  expect_in(result.out, "nothing resists 3 independent motions of: stone\n");
  outcome_free(&result);
  result = SEAM("static", "free.yaml", "--set", "gravity=[0, -1]");
  cr_expect_eq(result.exit_status, 1);
  expect_in(result.err, "'stone'");
  outcome_free(&result);
}

/* A rod on a pivot, held by a point spring: its equilibrium has no closed form. */
static const char held[] =
    "seam: 1\nname: held\ngravity: [0, -9.81]\nparameters: {phi: 0.3}\nbodies:\n"
    "  rod: {mass: 2, inertia: 0.2, at: [cos(phi)/2, sin(phi)/2], angle: phi}\njoints:\n"
    "  pivot: {type: revolute, bodies: [ground, rod], at: {ground: [0, 0], rod: [-0.5, 0]}}\n"
    "forces:\n  spring: {type: spring_damper, bodies: [ground, rod], length: 0.5, stiffness: 60,\n"
    "           at: {ground: [0, 1], rod: [0.5, 0]}}\nsimulate: {end: 5, output_step: 5}\n";

Test(statics, an_equilibrium_is_a_fixed_point_of_run) {
  char override[64];
  write_text("held.yaml", held);
  outcome result = SEAM("static", "held.yaml", "-o", "out", "--quiet");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  cr_expect_str_empty(result.out);
  outcome_free(&result);
  const double phi = number_in("out/static.csv", 1, "rod.phi");
  snprintf(override, sizeof override, "parameters.phi=%.17g", phi);
  result = SEAM("run", "held.yaml", "-o", "run", "--quiet", "--set", override);
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  cr_expect_float_neq(phi, 0.3, 0.01);
  cr_expect_float_eq(number_in("run/trajectory.csv", 2, "rod.phi"), phi, 1e-9);
  outcome_free(&result);
}

/* ---- modes ---- */

Test(statics, modes_of_a_pendulum) {
  write_text("pendulum.yaml", "seam: 1\nname: pendulum\ngravity: [0, -9.81]\nbodies:\n"
                              "  rod: {rod: [[0, 0], [0.6, -0.8]], mass: 3}\njoints:\n"
                              "  pivot: {type: revolute, bodies: [ground, rod], at: [0, 0]}\nsimulate: {end: 1}\n");
  outcome result = SEAM("modes", "pendulum.yaml", "-o", "out");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(result.out, "about the equilibrium");
  const double omega = sqrt(1.5 * 9.81);
  cr_expect_float_eq(number_in("out/modes.csv", 1, "imaginary"), omega, 1e-12);
  cr_expect_float_eq(number_in("out/modes.csv", 1, "frequency"), omega / (2 * acos(-1)), 1e-12);
  cr_expect_eq(number_in("out/modes.csv", 1, "rod.x"), 1);
  outcome_free(&result);
}

/* Above, on and at rest in a floor; the other contact is far away. */
Test(statics, modes_say_what_contacts_do) {
  static const struct {
    const char *height, *at, *said;
  } rows[] = {
      {"parameters.h=0.1", "initial", "stay as they are there: 'floor' open, 'wall' open\n"},
      {"parameters.h=0", "initial", "the side that does not act is taken: 'floor' touches\n"},
      {"parameters.h=0.1", "equilibrium", "stay as they are there: 'floor' closed, 'wall' open\n"},
  };
  write_text("floor.yaml", "seam: 1\nname: floor\ngravity: [0, -9.81]\nparameters: {h: 0}\n"
                           "bodies:\n  b: {mass: 1, inertia: 1, at: [0, h]}\n"
                           "forces:\n"
                           "  hold: {type: spring_damper, bodies: [ground, b], at: [[0, 2], [0, h]], stiffness: 1, "
                           "damping: 1}\n"
                           "  floor: {type: contact, bodies: [ground, b], at: [[0, 0], [0, h]], line: [1, 0], "
                           "stiffness: 1e4}\n"
                           "  wall: {type: contact, bodies: [ground, b], at: [[-1, 0], [0, h]], line: [0, -1], "
                           "stiffness: 1e4}\n");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    outcome result = SEAM("modes", "floor.yaml", "--at", rows[i].at, "--set", rows[i].height, "-o", "out");
    cr_expect_eq(result.exit_status, 0, "%s", result.err);
    cr_expect_not_null(strstr(result.out, rows[i].said), "%s", result.out);
    outcome_free(&result);
  }
}

Test(statics, modes_show_states_of_force_elements) {
  outcome result = SEAM("modes", "hydraulic_crane", "--at", "initial", "-o", "out");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  cr_expect_gt(fabs(number_in("out/modes.csv", 3, "lift.p1")), 1e3);
  cr_expect(isfinite(number_in("out/modes.csv", 3, "lift.p2.imaginary")));
  outcome_free(&result);
}

/* A torque turns the crank for ever: no step is to blame, and modes take another state. */
Test(statics, nothing_may_resist) {
  write_text("crank.yaml", "seam: 1\nbodies: {crank: {mass: 1, inertia: 1}}\n"
                           "joints: {A: {type: revolute, bodies: [ground, crank], at: [0, 0]}}\n"
                           "forces: {drive: {type: torque, body: crank, torque: 2}}\n");
  outcome result = SEAM("static", "crank.yaml");
  cr_expect_eq(result.exit_status, 1);
  expect_in(result.err,
            "no stable equilibrium was found: nothing resists the motion, and forces still drive body 'crank'");
  outcome_free(&result);
  result = SEAM("modes", "crank.yaml");
  cr_expect_eq(result.exit_status, 1);
  expect_in(result.err, "; or take another state, --at initial or --at TIME\n");
  outcome_free(&result);
}

/* A spring resists, and is too stiff for the search. */
Test(statics, stiff_springs_are_named) {
  write_text("stiff.yaml", "seam: 2\ngravity: [0, -9.81]\npoints: {A: [0, 0], B: [1, 0], C: [1, -0.5]}\n"
                           "bodies:\n  rod: {rod: [A, B], mass: 1}\n  disc: {mass: 0.5, inertia: 0.01, at: C}\n"
                           "joints: {A: {type: revolute, bodies: [ground, rod], at: A}}\n"
                           "forces: {spring: {type: spring_damper, bodies: [rod, disc], at: [B, C], stiffness: 1e10, "
                           "damping: 0.5}}\n");
  outcome result = SEAM("static", "stiff.yaml");
  cr_expect_eq(result.exit_status, 1);
  expect_in(result.err, "stiff elements keep the steps of the search too short");
  outcome_free(&result);
}

/* The crane's equilibrium is not stable. */
Test(statics, no_stable_equilibrium_of_the_hydraulic_crane) {
  outcome result = SEAM("static", "hydraulic_crane");
  cr_expect_eq(result.exit_status, 1);
  expect_in(result.err, "no stable equilibrium was found");
  outcome_free(&result);
}

Test(statics, modes_say_about_which_state) {
  static const char *const at[] = {"initial", "0.3", "equilibrium"};
  static const char *const said[] = {"not an equilibrium: coefficients are frozen", "which moves",
                                     "about the equilibrium"};
  for (int i = 0; i < 3; i++) {
    outcome result = SEAM("modes", "four_bar_bushing", "--at", at[i]);
    cr_expect_eq(result.exit_status, 0, "%s", result.err);
    expect_in(result.out, said[i]);
    outcome_free(&result);
  }
  outcome result = SEAM("modes", "four_bar_bushing", "--at", "noon");
  cr_expect_eq(result.exit_status, 2);
  expect_in(result.err, "'noon'");
  outcome_free(&result);
}

/* A crank that a motion turns rests in an equilibrium: modes about its motion take a time. */
Test(statics, modes_of_a_driven_crank_say_that_it_rests) {
  write_text(
      "crank.yaml",
      "seam: 2\ngravity: [0, -9.81]\nbodies: {crank: {rod: [[0, 0], [1, 0]], mass: 1}, bob: {mass: 1, inertia: 1, "
      "at: [1, -1]}}\njoints:\n  O: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
      "  drive: {type: motion, bodies: [ground, crank], of: angle, law: 5*t}\n"
      "  P: {type: revolute, bodies: [crank, bob], at: [1, 0]}\nsimulate: {end: 1}\n");
  outcome result = SEAM("modes", "crank.yaml");
  expect_in(result.out, "note: 'drive' stays as it is at the start; --at TIME linearises about its motion\n");
  outcome_free(&result);
  result = SEAM("modes", "crank.yaml", "--at", "0.1");
  cr_expect_not(has(result.out, "note:"));
  outcome_free(&result);
}

/* A ball above what carries it, in units of T seconds, L metres and M kilogrammes: it rests where the weight is
 * carried, and falls there though nothing resists at the start. */
Test(statics, a_body_falls_to_its_rest_in_any_units) {
  static const char *const carriers[] = {
      "{type: contact, bodies: [ground, b], at: [[0, 0], [0, 0.3*L]], line: [1, 0], radius: 0.1*L, stiffness: K, "
      "exponent: 1}",
      "{type: stop, of: slide, bodies: [ground, b], at: [[0, 0], [0, 0.3*L]], axis: [0, 1], lower: 0.1*L, hard: true}",
      "{type: rope, bodies: [ground, b], at: [[0, 2*L], [0, 0.3*L]], length: 1.9*L, stiffness: K}",
      "{type: cable, bodies: [ground, b], at: [[0, 2*L], [0, 0.3*L]], length: 1.9*L, stiffness: K}",
      "{type: spring_damper, bodies: [ground, b], at: [[0, 0], [0, 0.3*L]], axis: [0, 1], length: 0.1*L, "
      "force: \"K*max(0, -s)\"}",
      "{type: force, body: b, y: \"K*max(0, 0.1*L - b.y)\"}"};
  static const char *const units[][3] = {{"1", "1", "1"},       {"1", "1", "300"},      {"1", "1", "1e5"},
                                         {"1e-6", "1", "1e6"},  {"1e6", "1e9", "1e-9"}, {"1", "1e9", "1"},
                                         {"1", "1e-12", "1e4"}, {"1e-9", "1e-12", "1"}};
  for (size_t i = 0; i < sizeof carriers / sizeof *carriers; i++)
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
      char text[1200];
      snprintf(text, sizeof text,
               "seam: 2\nparameters: {L: %s, M: %s, T: %s, K: 1e4*M/T^2}\ngravity: [0, -9.81*L/T^2]\n"
               "bodies: {b: {mass: M, inertia: 0.004*M*L^2, at: [0, 0.3*L]}}\n"
               "joints: {x: {type: slot, bodies: [ground, b], at: [0, 0.3*L], axis: [0, 1]}}\nforces:\n  c: %s\n"
               "simulate: {end: T}\n",
               units[u][0], units[u][1], units[u][2], carriers[i]);
      write_text("falls.yaml", text);
      outcome result = SEAM("static", "falls.yaml", "-o", "out");
      cr_assert_eq(result.exit_status, 0, "%s\n%s", result.err, text);
      outcome_free(&result);
      const double rest = i == 1 ? 0.1 : 0.1 - 9.81e-4;
      const double y = number_in("out/static.csv", 1, "b.y") / strtod(units[u][0], NULL);
      cr_expect_float_eq(y, rest, 1e-8, "off by %g L\n%s", y - rest, text);
    }
}
