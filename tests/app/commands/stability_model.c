/* `seam stability model`. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/command.h"

TestSuite(stability_model, .init = enter_scratch, .fini = leave_scratch);

static void expect_in(const char *text, const char *part) {
  cr_expect(has(text, part), "'%s' is not in:\n%s", part, text);
}

Test(stability_model, schemes_of_the_four_bar) {
  outcome result = SEAM("stability", "model", "four_bar_bushing", "--schemes", "ff-k1,ff-d-k2", "--error", "1e-4",
                        "--macro-steps", "1e-3:1e-1:21", "-o", "out");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  cr_expect_str_empty(result.err);
  expect_in(result.out, "about the equilibrium");
  expect_in(result.out, "ff-k1 ");
  expect_in(result.out, "stable macro steps [s], of 0.001 to 0.1\n");
  expect_in(result.out, "  up to 0.0413");
  expect_in(result.out, "  all\n");
  expect_in(result.out, "one period: ff-d-k2 with H = 0.02");
  expect_in(result.out, "0.686 rad from this state): H = 0.02512 s, with a position error of ");
  expect_in(result.out, "confirm with 'seam compare four_bar_bushing --schemes ff-d-k2 --macro-step 0.02");
  char *text = read_text("out/stability.csv");
  expect_in(text, "time,scheme,macro_step,rho,uncertainty,verdict,error\n0,ff-k1,0.001,0.99");
  expect_in(text, ",unstable,\n");
  free(text);
  text = read_text("out/limits.csv");
  expect_in(text, "\nstate,0,ff-k1,0.001,0.041");
  expect_in(text, "\nstate,0,ff-d-k2,0.001,0.1,0\n");
  free(text);
  text = read_text("out/recommendation.csv");
  expect_in(text, "scheme,macro_step,error,on_motion,error_on_motion,end,outcome\nff-d-k2,0.02");
  expect_in(text, ",kept\n");
  free(text);
  char *script = read_text("out/stability.gp");
  expect_in(script, "$curve0_0 << END\n0.001 0.99");
  expect_in(script, "'{/:Bold Stability of four\\_bar\\_bushing}'");
  expect_in(script, "set ylabel '{/:Italic ρ}'");
  expect_in(script, "plot 1 with lines linewidth 1");
  expect_in(script, "plot 0.0001 with lines linewidth 1");
  free(script);
  outcome_free(&result);
}

/* README's swing falls from the horizontal; near its equilibrium 12.6 ms would keep the error. */
#define SWING(simulate)                                                                                                \
  "seam: 1\nname: swing\ngravity: [0, -9.81]\npoints: {A: [0, 0], B: [1, 0], C: [1, -0.5]}\n"                          \
  "bodies:\n  rod: {rod: [A, B], mass: 1}\n  disc: {mass: 0.5, inertia: 0.01, at: C}\n"                                \
  "joints: {A: {type: revolute, bodies: [ground, rod], at: A}}\n"                                                      \
  "forces:\n  spring: {type: spring_damper, bodies: [rod, disc], at: [B, C], stiffness: 200, damping: 0.5}\n"          \
  "  air: {type: viscous, bodies: [rod, disc], damping: [0.1, 0.1, 0]}\n" simulate                                     \
  "cosim: {subsystems: {above: [rod], below: [disc]}, macro_step: 1e-3, scheme: ff-k1}\n"

/* The recommended macro step behind "confirm with". */
static double confirmed_step(const char *out) {
  const char *at = strstr(out, "confirm with");
  cr_assert_not_null(at, "%s", out);
  at = strstr(at, "--macro-step ");
  cr_assert_not_null(at, "%s", out);
  return strtod(at + strlen("--macro-step "), NULL);
}

Test(stability_model, a_promise_is_tried_on_the_files_own_motion) {
  write_text("swing.yaml", SWING("simulate: {end: 5}\n"));
  outcome result = SEAM("stability", "model", "swing.yaml", "--macro-steps", "1e-3:1e-1:21");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(result.out, "1.57 rad from this state): not H = 0.01");
  char step[32];
  snprintf(step, sizeof step, "%.4g", confirmed_step(result.out));
  cr_expect_lt(atof(step), 5e-3, "large motions need a shorter one");
  outcome_free(&result);
  result = SEAM("compare", "swing.yaml", "--macro-step", step, "-o", "out");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  outcome_free(&result);
  char *rows = read_text("out/compare.csv");
  const char *accurate = strstr(rows, ",accurate,");
  cr_assert_not_null(accurate, "%s", rows);
  cr_expect_lt(strtod(accurate + 10, NULL), 1e-3, "%s", rows);
  free(rows);
}

/* A load whose angle goes through a servo back to its torque: at H = 0.5409 s the predicted error crosses zero, where
 * the motion is wrong by more than its amplitude. */
#define SERVO                                                                                                          \
  "seam: 1\nname: mstab\nparameters: {w: 10, g: -0.6, k: 50, d: 5}\n"                                                  \
  "bodies:\n  crank: {mass: 1, inertia: 2, at: [0, 0]}\n  load: {mass: 1, inertia: 0.7, at: [1, 0]}\n"                 \
  "joints:\n  B: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"                                              \
  "  C: {type: revolute, bodies: [ground, load], at: [1, 0]}\n"                                                        \
  "  M: {type: motor, bodies: [ground, crank], angle: 0}\n"                                                            \
  "forces:\n  S: {type: torsion, bodies: [crank, load], stiffness: k, damping: d, angle: 0}\n"                         \
  "  T: {type: torque, body: load, torque: k*servo.x + d*servo.v}\n"                                                   \
  "equations:\n  servo:\n    inputs: {u: g*load.phi}\n    states: {x: 0, v: 0}\n"                                      \
  "    rates: {x: v, v: \"w^2*(u - x) - 2*w*v\"}\n"                                                                    \
  "cosim:\n  subsystems:\n    drive: {bodies: [crank], equations: [servo]}\n    out: [load]\n"                         \
  "  macro_step: 1e-3\n  scheme: ff-k0\nsimulate: {end: 0.7}\n"

Test(stability_model, an_error_that_crosses_zero_is_none_that_is_small) {
  write_text("mstab.yaml", SERVO);
  outcome result =
      SEAM("stability", "model", "mstab.yaml", "--at", "initial", "--macro-steps", "1e-5:0.5409:61", "-o", "out");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(result.out, "one period: ff-k0 with H = 0.0002193 s keeps the error below 0.001");
  expect_in(result.out, ", nothing moves: the recommendation could not be tried");
  outcome_free(&result);
  char *rows = read_text("out/stability.csv");
  const char *crossing = strstr(rows, "\n0,ff-k0,0.5409,");
  cr_assert_not_null(crossing, "%s", rows);
  cr_expect_lt(strtod(strstr(crossing, "stable,") + strlen("stable,"), NULL), 1e-3, "%s", rows);
  free(rows);
  result = SEAM("compare", "mstab.yaml", "--set", "bodies.load.angle=0.3", "--set", "simulate.end=1.0818",
                "--macro-step", "0.5409");
  expect_in(result.out, "wrong: ");
  outcome_free(&result);
  result = SEAM("compare", "mstab.yaml", "--set", "bodies.load.angle=0.3", "--macro-step", "0.0002193");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  outcome_free(&result);
}

/* Longer macro steps than any other scheme allows, and the run agrees. */
Test(stability_model, collocation_is_recommended_where_it_wins) {
  outcome result = SEAM("stability", "model", "four_bar_bushing", "--schemes", "ff-k1,ff-d-k2,ff-i-k0,ff-colloc-s2",
                        "--set", "simulate.end=3");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(result.out, "one period: ff-colloc-s2 with H = 0.1 s");
  expect_in(result.out, "compare four_bar_bushing --schemes ff-colloc-s2 --macro-step");
  cr_expect_gt(confirmed_step(result.out), 0.05);
  outcome_free(&result);
}

/* A bushing without damping: bands are intervals, and where one stage cannot follow the ringing, two are tried. */
Test(stability_model, the_next_best_scheme_is_tried_where_the_best_breaks_its_promise) {
  outcome result = SEAM("stability", "model", "four_bar_bushing", "--schemes", "ff-colloc-s1,ff-colloc-s2",
                        "--macro-steps", "1e-3:1e-1:9", "--error", "1.1e-3", "--set", "parameters.c=1e4", "--set",
                        "parameters.d=0", "--set", "simulate.end=2");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(result.out, "up to 0.01097, 0.01317 to 0.02757, from 0.03086\n");
  expect_in(result.out, ", nor any of 8 macro steps");
  expect_in(result.out, "compare four_bar_bushing --schemes ff-colloc-s2 --macro-step");
  outcome_free(&result);
}

Test(stability_model, a_motion_without_end_is_not_tried) {
  write_text("swing.yaml", SWING(""));
  outcome result = SEAM("stability", "model", "swing.yaml", "--macro-steps", "1e-3:5e-3:3");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(
      result.out,
      "not tried on the file's own motion (it starts 1.43 m and 1.57 rad from this state): model 'swing' gives no end");
  cr_expect_not(has(result.out, "confirm with"), "%s", result.out);
  outcome_free(&result);
}

Test(stability_model, without_schemes_it_takes_the_files) {
  outcome result = SEAM("stability", "model", "double_pendulum", "--macro-steps", "1e-3:1e-2:3");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(result.out, "ff-index2-k1");
  outcome_free(&result);
}

Test(stability_model, a_growing_mechanism_is_reported) {
  outcome result = SEAM("stability", "model", "double_pendulum", "--at", "initial", "--macro-steps", "1e-3:1e-2:3");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(result.out, "motions of the mechanism itself grow there");
  expect_in(result.out, "no recommendation: the state moves or accelerates");
  outcome_free(&result);
}

Test(stability_model, a_direction_that_turns_is_named) {
  write_text("slide.yaml", "seam: 1\nname: slide\ngravity: [0, -9.81]\nbodies:\n"
                           "  a: {mass: 1, inertia: 1, at: [0, 0]}\n  b: {mass: 1, inertia: 1, at: [1, 0]}\n"
                           "joints:\n  hinge: {type: revolute, bodies: [ground, a], at: [0, 1]}\n"
                           "  rail: {type: prismatic, bodies: [a, b], at: [1, 0], axis: [0, 1]}\n"
                           "forces:\n  rest: {type: spring_damper, bodies: [a, b], at: [[0, 1], [1, 0]], stiffness: "
                           "100, damping: 1}\n"
                           "cosim:\n  subsystems: {left: [a], right: [b]}\n  macro_step: 1e-3\n  scheme: "
                           "{constraint: ff-index2-k1, constitutive: ff-k1}\n");
  outcome result = SEAM("stability", "model", "slide.yaml", "--macro-steps", "1e-3:1e-2:3");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(result.out, "errors at 'rail' cannot be predicted");
  expect_in(result.out, "as in the file");
  outcome_free(&result);
}

Test(stability_model, instability_everywhere_is_reported) {
  outcome result = SEAM("stability", "model", "four_bar_bushing", "--schemes", "ff-k1", "--macro-steps", "5e-2:1e-1:3");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(result.out, "no scheme is stable");
  outcome_free(&result);
}

/* The row of `least` in limits.csv, and that of `motion`. */
static double limit_in(const char *rows, const char *kind, const char *scheme) {
  char head[64];
  snprintf(head, sizeof head, "\n%s,,%s,,", kind, scheme);
  const char *at = strstr(rows, head);
  cr_assert_not_null(at, "%s: %s", head, rows);
  return strtod(at + strlen(head), NULL);
}

/* No error is predicted there: none is written either. */
Test(stability_model, about_a_state_that_moves_errors_are_left_out) {
  write_text("swing.yaml", SWING("simulate: {end: 1, output_step: 0.1}\n"));
  outcome result = SEAM("stability", "model", "swing.yaml", "--at", "0.2", "-o", "out");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(result.out, "the motion itself may need much shorter macro steps: try --along\n");
  char *text = read_text("out/stability.csv");
  expect_in(text, ",stable,\n");
  cr_expect(!has(text, ",stable,0.") && !has(text, ",stable,1"), "%s", text);
  free(text);
  text = read_text("out/stability.gp");
  cr_expect(!has(text, "error over one period"), "%s", text);
  free(text);
  outcome_free(&result);
}

Test(stability_model, along_the_motion) {
  outcome result = SEAM("stability", "model", "four_bar_bushing", "--along", "--times", "3", "--macro-steps",
                        "1e-3:1e-1:11", "--schemes", "ff-k1", "--set", "simulate.end=1", "-o", "out");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(result.out, "0.0330");
  const char *motion = strstr(result.out, "\n    motion  ");
  cr_assert_not_null(motion, "%s", result.out);
  cr_expect(strstr(motion, "\n     least") != NULL, "the motion is first:\n%s", result.out);
  char *rows = read_text("out/limits.csv");
  expect_in(rows, "kind,time,scheme,from,to,undecided\nstate,0,ff-k1,0.001,0.0");
  cr_expect_float_eq(limit_in(rows, "least", "ff-k1"), 0.0330, 5e-4, "%s", rows);
  cr_expect_leq(limit_in(rows, "motion", "ff-k1"), limit_in(rows, "least", "ff-k1"), "%s", rows);
  free(rows);
  outcome_free(&result);
}

/* Horizontal and at rest: nothing turns the rods back, and the eigenvalue 1 of the whole is defective. What is found on
 * the motion is kept there ([Li] 4.9: order 4). */
Test(stability_model, robust_schemes_have_limits_where_the_mechanism_is_neutral) {
  write_text("dp.yaml", "seam: 1\nname: dp\ngravity: [0, -9.81]\npoints: {O: [0, 0], P: [1, 0], Q: [1.8, 0]}\n"
                        "bodies: {upper: {rod: [O, P], mass: 1}, lower: {rod: [P, Q], mass: 0.7}}\n"
                        "joints:\n  shoulder: {type: revolute, bodies: [ground, upper], at: O}\n"
                        "  elbow: {type: revolute, bodies: [upper, lower], at: P}\nsimulate: {end: 2}\n"
                        "cosim: {subsystems: {a: [upper], b: [lower]}, macro_step: 1e-3, scheme: ff-index2-k1}\n");
  outcome result = expect_success(SEAM("stability", "model", "dp.yaml", "--along", "--times", "5", "--macro-steps",
                                       "1e-3:1:31", "--schemes", "ff-index1-k1,ff-colloc-s2", "-o", "out"));
  char *rows = read_text("out/limits.csv");
  cr_expect_gt(limit_in(rows, "least", "ff-index1-k1"), 0.1, "%s", rows);
  cr_expect_gt(limit_in(rows, "least", "ff-colloc-s2"), 0.1, "%s", rows);
  char step[32];
  snprintf(step, sizeof step, "%.6g", limit_in(rows, "motion", "ff-colloc-s2"));
  cr_expect_gt(atof(step), 1e-2, "%s", rows);
  free(rows);
  outcome_free(&result);
  result = expect_success(SEAM("compare", "dp.yaml", "--schemes", "ff-colloc-s2", "--macro-step", step, "-o", "out"));
  expect_in(result.out, "accurate");
  cr_expect(!has(result.out, "unstable"), "%s", result.out);
  outcome_free(&result);
}

/* Near the equilibrium limits hold to a tenth; large motions leave less of them, here as everywhere. */
Test(stability_model, limits_are_verified_by_runs) {
  outcome result =
      expect_success(SEAM("stability", "model", "four_bar_bushing", "--schemes", "ff-k1,ff-d-k2", "--macro-steps",
                          "1e-2:1e-1:11", "--set", "simulate.end=2", "--verify", "0.9,1.1", "-o", "out"));
  expect_in(result.out, "0.9    0.03719  stable     stable ");
  expect_in(result.out, "1.1    0.04545  unstable   unstable, ");
  outcome_free(&result);
  char *rows = read_text("out/verify.csv");
  expect_in(rows, "scheme,limit,times,macro_step,predicted,near_state,motion,error,time\nff-k1,0.0413");
  expect_in(rows, ",stable,stable,");
  expect_in(rows, ",unstable,unstable,");
  cr_expect(!has(rows, "ff-d-k2"), "it has no limit there:\n%s", rows);
  free(rows);
  expect_refused_untouched(SEAM("stability", "model", "four_bar_bushing", "--verify", "0.9,x"),
                           "--verify takes up to 8 positive numbers");
  expect_refused_untouched(SEAM("stability", "model", "four_bar_bushing", "--verify", "0"), "--verify takes");
}

/* Returns the rows of verify.csv; the caller frees them. */
static char *verified(outcome result) {
  result = expect_success(result);
  outcome_free(&result);
  return read_text("out/verify.csv");
}

/* Two carts with pendulums under a controller that is held for too long: the small motion grows within a few seconds to
 * rods that whirl, and grows no more. At rest the file's own motion shows nothing. */
Test(stability_model, a_motion_that_grew_and_stays_large_is_unstable) {
  write_text("twin.yaml",
             "seam: 2\ngravity: [0, -9.81]\nbodies:\n"
             "  cart1: {mass: 4, inertia: 0.1, at: [0, 0]}\n  rod1: {rod: [[0, 0], [0, -0.8]], mass: 1}\n"
             "  cart2: {mass: 3, inertia: 0.1, at: [1.5, 0]}\n  rod2: {rod: [[1.5, 0], [1.5, -0.5]], mass: 0.5}\n"
             "joints:\n"
             "  rail1: {type: prismatic, bodies: [ground, cart1], at: [0, 0], axis: [1, 0]}\n"
             "  rail2: {type: prismatic, bodies: [ground, cart2], at: [1.5, 0], axis: [1, 0]}\n"
             "  pin1: {type: revolute, bodies: [cart1, rod1], at: [0, 0]}\n"
             "  pin2: {type: revolute, bodies: [cart2, rod2], at: [1.5, 0]}\n"
             "forces:\n"
             "  link: {type: spring_damper, bodies: [cart1, cart2], at: [[0, 0], [1.5, 0]], axis: [1, 0],\n"
             "         stiffness: 900, damping: 6}\n"
             "  drive: {type: force, body: cart1, x: control.u}\n"
             "equations:\n  control:\n"
             "    inputs: {x2: cart2.x - 1.5, v1: cart1.vx, a1: pin1.angle + pi/2}\n    states: {f: 0}\n"
             "    rates: {f: (60*(0.5 - x2) - 25*v1 + 15*a1 - f)/0.05}\n    outputs: {u: f}\n"
             "start: static\nsimulate: {end: 1, output_step: 0.5}\n"
             "cosim: {subsystems: {left: [cart1, rod1], right: [cart2, rod2],\n"
             "        brain: {equations: [control], signal_order: 1}}, macro_step: 2e-3, scheme: ff-k1}\n");
  char *rows =
      verified(SEAM("stability", "model", "twin.yaml", "--schemes", "ff-k1", "--verify", "0.9,1.1", "-o", "out"));
  expect_in(rows, ",stable,stable,not tried,");
  expect_in(rows, ",unstable,unstable,not tried,");
  free(rows);
}

/* Both bodies lie on one another at rest, and turn by rounding only. */
Test(stability_model, bodies_on_one_another_have_a_small_motion) {
  char *rows = verified(SEAM("stability", "model", "two_mass_oscillator", "--schemes", "ff-k1", "--macro-steps",
                             "1e-2:1e-1:11", "--verify", "0.1,0.9,1.1", "-o", "out"));
  expect_in(rows, ",0.1,");
  cr_expect_null(strstr(rows, ",stable,unstable,"), "%s", rows);
  expect_in(rows, ",stable,stable,");
  expect_in(rows, ",unstable,unstable,");
  free(rows);
}

/* The first macro steps overshoot the motion of a stiff belt that the undivided mechanism damps at once: the error is
 * many times that motion, but it decays. The centres of the discs move by rounding only. */
Test(stability_model, a_large_motion_that_decays_is_stable) {
  write_text("belt.yaml",
             "seam: 2\nbodies:\n  a: {mass: 1, inertia: 0.0757, at: [0.3, 0.7], rate: 0.1}\n"
             "  b: {mass: 1, inertia: 0.0137, at: [1.3, 0.7]}\njoints:\n"
             "  ra: {type: revolute, bodies: [ground, a], at: [0.3, 0.7]}\n"
             "  rb: {type: revolute, bodies: [ground, b], at: [1.3, 0.7]}\nforces:\n"
             "  sa: {type: torsion, bodies: [ground, a], stiffness: 0.45, damping: 0.0026}\n"
             "  c: {type: belt, bodies: [a, b], at: [[0.3, 0.7], [1.3, 0.7]], radii: [0.1, 0.15], stiffness: 10740,\n"
             "      damping: 14.34, tension: 50}\nsimulate: {end: 2}\n"
             "cosim: {subsystems: {A: [a], B: [b]}, macro_step: 0.001, scheme: dd-k1}\n");
  char *rows = verified(
      SEAM("stability", "model", "belt.yaml", "--macro-steps", "1e-2:5e-2:11", "--verify", "0.9,1.1", "-o", "out"));
  expect_in(rows, ",0.9,");
  expect_in(rows, ",stable,stable,");
  expect_in(rows, ",unstable,unstable,");
  cr_expect(!has(rows, ",stable,unstable,"), "%s", rows);
  free(rows);
}

/* A controller holds a cart by an integral that is 0 in the file: the small motion begins with the right one. */
Test(stability_model, small_motions_begin_with_the_states_of_the_equilibrium) {
  write_text("servo.yaml",
             "seam: 2\nbodies: {a: {mass: 1, inertia: 0.1, at: [0, 0]}, b: {mass: 1, inertia: 0.1, at: [1, 0]}}\n"
             "joints:\n  ga: {type: prismatic, bodies: [ground, a], at: [0, 0], axis: [1, 0]}\n"
             "  gb: {type: prismatic, bodies: [ground, b], at: [1, 0], axis: [1, 0]}\nforces:\n"
             "  s: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], stiffness: 100, damping: 2}\n"
             "  back: {type: spring_damper, bodies: [ground, a], at: [[0, 0], [0, 0]], axis: [1, 0], stiffness: 30}\n"
             "  push: {type: force, body: a, x: 0}\nsimulate: {end: 2}\ncosim:\n"
             "  subsystems:\n    left: [a]\n    right: [b]\n    c: {inputs: [x, v], states: {i: 0}, rates: {i: 1 - x}, "
             "outputs: {f: 20*(1 - x) - 8*v + 10*i}}\n"
             "  signals: [{from: left.a.x, to: c.x}, {from: left.a.vx, to: c.v}, {from: c.f, to: left.push.fx}]\n"
             "  macro_step: 1e-3\n  scheme: ff-k1\n");
  char *rows =
      verified(SEAM("stability", "model", "servo.yaml", "--schemes", "ff-k1", "--verify", "0.1,0.9", "-o", "out"));
  expect_in(rows, ",0.1,");
  cr_expect(strstr(rows, ",stable,stable,") != NULL && !has(rows, ",stable,unstable,"), "%s", rows);
  free(rows);
}

/* Two arms under weight whose distance is held: what is recommended keeps its promise in `compare`. */
Test(stability_model, schemes_are_tried_where_a_distance_is_cut) {
  write_text("dist.yaml",
             "seam: 1\nname: dist\ngravity: [0, -9.81]\n"
             "points: {O: [0, 0], P: [0.6, -0.8], Q: [1.2, -0.3], W: [2, 0]}\n"
             "bodies:\n  arm1: {rod: [O, P], mass: 2}\n  arm2: {rod: [W, Q], mass: 1}\n"
             "joints:\n"
             "  A: {type: revolute, bodies: [ground, arm1], at: O}\n"
             "  B: {type: revolute, bodies: [ground, arm2], at: W}\n"
             "  link: {type: distance, bodies: [arm1, arm2], at: [P, Q]}\n"
             "forces:\n  d1: {type: viscous, body: arm1, damping: [0, 0, 0.3]}\n"
             "simulate: {end: 2, output_step: 0.01}\n"
             "cosim: {subsystems: {first: [arm1], second: [arm2]}, macro_step: 1e-3, scheme: ff-index2-k1}\n");
  outcome result = SEAM("stability", "model", "dist.yaml", "--macro-steps", "1e-4:1e-1:7", "-o", "out");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(result.out, "errors cannot be predicted, because 'link' turns under load: ff-index2-k1 is tried");
  const char *confirm = strstr(result.out, "--macro-step ");
  cr_assert_not_null(confirm, "%s", result.out);
  char step[32];
  cr_assert_eq(sscanf(confirm, "--macro-step %31[0-9.e-]", step), 1);
  outcome compared = SEAM("compare", "dist.yaml", "--macro-step", step, "-o", "compared");
  cr_expect_eq(compared.exit_status, 0, "%s", compared.err);
  const char *row = strstr(compared.out, "ff-index2-k1 ");
  cr_assert_not_null(row, "%s", compared.out);
  const double error = strtod(row + strlen("ff-index2-k1 "), NULL);
  cr_expect_lt(error, 1e-3);
  cr_expect_gt(error, 1e-5, "a far longer macro step would do");
  outcome_free(&compared);
  outcome_free(&result);
  result = SEAM("stability", "model", "dist.yaml", "--macro-steps", "1e-4:1e-1:7", "--schemes",
                "ff-baumgarte-k1,ff-colloc-s3", "-o", "out");
  expect_in(result.out, "ff-colloc-s3 is tried"); /* the more exact one first */
  outcome_free(&result);
}

Test(stability_model, held_signals_are_said_to_be_late) {
  static const char *const orders[] = {"0", "2"};
  for (int i = 0; i < 2; i++) {
    char signals[200];
    snprintf(signals, sizeof signals,
             "cosim.signals=[{from: mechanism.crank.omega, to: motor.omega, order: 2}, {from: motor.torque, to: "
             "mechanism.shaft.torque, order: %s}]",
             orders[i]);
    outcome result = SEAM("stability", "model", "motor_slider_crank", "--at", "initial", "--macro-steps", "1e-3:2e-3:2",
                          "--set", signals);
    cr_expect_eq(result.exit_status, 0, "%s", result.err);
    cr_expect_eq(strstr(result.out, "signals of order 0, such as to 'mechanism.shaft.torque', lag by") != NULL, i == 0,
                 "%s", result.out);
    outcome_free(&result);
  }
}

Test(stability_model, corrections_are_refused_by_name_and_before_anything_is_printed) {
  static const struct {
    const char *model, *said;
  } rows[] = {{"nonlinear_oscillator", "the energy correction of"},
              {"spring_mass", "the model cannot run without co-simulation"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    outcome result = SEAM("stability", "model", rows[i].model);
    cr_expect_eq(result.exit_status, 2);
    cr_expect_str_empty(result.out);
    expect_in(result.err, rows[i].said);
    outcome_free(&result);
  }
}

/* Periods without a common one, which are known when the state is linearised; a motion without end. */
Test(stability_model, nothing_is_printed_before_a_refusal) {
#define TWO_SAMPLES(second)                                                                                            \
  "seam: 1\nname: refused\nbodies:\n  m: {mass: 1, inertia: 1, at: [0, 0]}\n"                                          \
  "  n: {mass: 1, inertia: 1, at: [0, 0]}\n"                                                                           \
  "equations:\n  a: {sample: 1e-2, states: {x: 0}, updates: {x: 0.5*x}}\n"                                             \
  "  b: {sample: " second ", states: {x: 0}, updates: {x: 0.5*x}}\n"                                                   \
  "forces:\n  f: {type: force, body: m, x: -a.x - b.x}\n"                                                              \
  "  hold: {type: bushing, bodies: [n, m], at: [0, 0], stiffness: [1, 1, 1], damping: [1, 1, 1]}\n"                    \
  "cosim: {subsystems: {first: [m], second: [n]}, macro_step: 1e-2, scheme: ff-k1}\n"
  static const struct { const char *option, *said; } rows[] = {{"--report", "common"}, {"--along", "no end time"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    write_text("refused.yaml", i == 0 ? TWO_SAMPLES("1.2345678e-2") : TWO_SAMPLES("2e-2"));
    outcome result = SEAM("stability", "model", "refused.yaml", rows[i].option);
    cr_expect_eq(result.exit_status, 2, "%s", result.err);
    cr_expect_str_empty(result.out);
    expect_in(result.err, rows[i].said);
    outcome_free(&result);
  }
}

Test(stability_model, contacts_stay_as_they_are) {
  outcome result =
      SEAM("stability", "model", "two_mass_soft_contact", "--at", "initial", "--macro-steps", "1e-3:2e-3:2");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  cr_expect_null(strstr(result.out, "contacts"), "%s", result.out); /* it is a law */
  outcome_free(&result);
  write_text("pads.yaml",
             "seam: 1\nname: pads\ngravity: [0, -10]\nbodies:\n"
             "  low: {mass: 1, inertia: 1, at: [0, 0]}\n  high: {mass: 2, inertia: 1, at: [0, 1]}\n"
             "joints:\n"
             "  A: {type: prismatic, bodies: [ground, low], at: [0, 0], axis: [0, 1]}\n"
             "  B: {type: prismatic, bodies: [ground, high], at: [0, 1], axis: [0, 1]}\n"
             "forces:\n"
             "  floor: {type: spring_damper, bodies: [ground, low], at: [[0, -2], [0, 0]], stiffness: 500, "
             "damping: 1}\n"
             "  pads: {type: contact, bodies: [low, high], at: [[0, 0], [0, 1]], radii: [0.5, 0.5], "
             "stiffness: 800, exponent: 1, damping: 0.01}\n"
             "cosim: {subsystems: {first: [low], second: [high]}, macro_step: 1e-3, scheme: ff-k1}\n");
  result = SEAM("stability", "model", "pads.yaml", "--macro-steps", "1e-3:2e-3:2");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(result.out, "contacts and strands stay as they are there: 'pads' closed\n");
  outcome_free(&result);
}

/* Runs with macro steps of 0.047 s keep the pole up, those with 0.0485 s do not. */
Test(stability_model, a_controller_with_signals) {
  outcome result = SEAM("stability", "model", "cart_pole", "--macro-steps", "1e-3:1e-1:11");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(result.out, "to 0.0475\n");
  expect_in(result.out, "keeps the error below 0.001");
  expect_in(result.out, "confirm with 'seam compare cart_pole --macro-step 0.00");
  outcome_free(&result);
}

/* Samples every 10 ms: macro steps divide that, and none is longer. The gain 210 is too large for these samples, also
 * without a cut. */
Test(stability_model, a_sampled_controller) {
  write_text("sampled.yaml", "seam: 1\nname: sampled\nbodies:\n  m: {mass: 1, inertia: 1, at: [0, 0]}\n"
                             "forces:\n  push: {type: force, body: m, x: 0}\n"
                             "  hold: {type: bushing, bodies: [ground, m], at: [0, 0], stiffness: [1, 1, 1], "
                             "damping: [1, 1, 1]}\n"
                             "cosim:\n  subsystems:\n    plant: [m]\n    control: {sample: 0.01, inputs: [v], outputs: "
                             "{f: -210*v}}\n"
                             "  signals: [{from: m.vx, to: control.v}, {from: control.f, to: plant.push.fx}]\n"
                             "  macro_step: 1e-2\n");
  outcome result = SEAM("stability", "model", "sampled.yaml", "--macro-steps", "1e-3:1e-1:11");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(result.out,
            "motions of the mechanism itself grow there, at 9.4"); /* ln(2.1 - 1) / 0.01 s, and less by damping */
  expect_in(result.out, "  up to 0.01\n");
  outcome_free(&result);
  result = SEAM("stability", "model", "sampled.yaml", "--macro-steps", "1e-3:1e-1:11", "--set",
                "cosim.subsystems.control.outputs.f=-190*v");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  cr_expect_not(has(result.out, "itself grow"), "%s", result.out);
  expect_in(result.out, "  up to 0.01\n");
  outcome_free(&result);
}

Test(stability_model, wrong_options_are_refused) {
  static const struct {
    const char *option, *value, *said;
  } rows[] = {{"--macro-steps", "1e-3:1e-1", "FROM:TO:COUNT"},
              {"--macro-steps", "1e-1:1e-3:5", "FROM:TO:COUNT"},
              {"--macro-steps", "1e-300:1e300:5", "1e+08 FROM"},
              {"--times", "3", "--along"},
              {"--error", "0", "--error"},
              {"--error", "1e-15", "--error"},
              {"--schemes", "ff-k9", "ff-k9"},
              {"--at", "noon", "'noon'"},
              {"--lambda", "1,2", "unknown option '--lambda'"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    outcome result = SEAM("stability", "model", "four_bar_bushing", rows[i].option, rows[i].value);
    cr_expect_eq(result.exit_status, 2, "%s %s", rows[i].option, rows[i].value);
    expect_in(result.err, rows[i].said);
    outcome_free(&result);
  }
  write_text("whole.yaml", "seam: 1\nname: whole\nbodies:\n  b: {mass: 1, inertia: 1, at: [0, 0]}\n");
  outcome result = SEAM("stability", "model", "whole.yaml");
  cr_expect_eq(result.exit_status, 2);
  outcome_free(&result);
}

/* One reason of the many, that which applies. */
static void expect_reason(const char *stiffness, const char *corrections, const char *steps, const char *reason) {
  char text[700];
  snprintf(text, sizeof text,
           "seam: 1\nname: reason\n"
           "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [1, 0]}}\n"
           "forces: {k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], stiffness: %s,\n"
           "             damping: %s}}\n"
           "cosim: {macro_step: 1e-3, subsystems: {l: [a], r: [b]}, scheme: fd-k0-exchange%s}\n",
           stiffness, stiffness[0] == '0' ? "0" : "1", corrections);
  write_text("reason.yaml", text);
  outcome result = SEAM("stability", "model", "reason.yaml", "--macro-steps", steps);
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(result.out, reason);
  outcome_free(&result);
}

Test(stability_model, without_prediction_it_says_the_reason) {
  expect_reason("100", ", corrections: {model_based: {alpha: 1}}", "1e-3:1e-2:3",
                "no recommendation: errors cannot be predicted for schemes with 'corrections': ");
  expect_reason("100", "", "1e-9:1e-8:3",
                "no recommendation: errors are predicted over a period of the slowest motion, 0.4454 s, with macro "
                "steps from 4.454e-07 s to this period: give some of these macro steps\n");
  expect_reason("0", "", "1e-3:1e-2:3",
                "no recommendation: no force resists small motions, and errors have no size to be compared with;\na "
                "motion with speed may be unstable where small motions are stable: try --along\n");
  write_text("signals.yaml", "seam: 2\ncosim:\n  macro_step: 1e-2\n  subsystems:\n"
                             "    a: {inputs: [u], states: {x: 1}, rates: {x: u - x}, outputs: {y: x}}\n"
                             "    b: {inputs: [u], states: {x: 1}, rates: {x: -u - x}, outputs: {y: x}}\n"
                             "  signals: [{from: a.y, to: b.u}, {from: b.y, to: a.u}]\n");
  outcome result = SEAM("stability", "model", "signals.yaml");
  expect_in(result.out, "no recommendation: errors are predicted for motions of bodies, but the model has none: ");
  outcome_free(&result);
}
