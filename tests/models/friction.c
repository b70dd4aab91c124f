/* Friction of joints in model files: motions against equations in minimal coordinates with reactions by hand, and
 * closed forms; inside a subsystem; what is refused with which message. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "tests/support/model_run.h"

static const double g = 9.81;

static const char *const methods[] = {"erk", "radau", "cvode", "ida"};

/* ---- A pendulum on a thick pin ---- */

#define PENDULUM                                                                                                       \
  "seam: 1\ngravity: [0, -9.81]\nbodies: {rod: {mass: 2, inertia: 0.3, at: [0.7, 0]}}\n"                               \
  "joints: {pin: {type: revolute, bodies: [ground, rod], at: [0, 0],\n"                                                \
  "  friction: {coefficient: 0.2, static: 0.3, stribeck_speed: 0.1, radius: 0.1, slip_speed: 2e-2, viscous: 0.03,\n"   \
  "    preload: 1.5}}}\nsimulate: {end: 1}\n"

/* With the reaction N of m (a - g) and the torque F = -ρ μ(u) (N + N°) u/√(u² + u°²) - c ω. */
static double swing(const double y[2]) {
  const double m = 2;
  const double l = 0.7;
  const double r = 0.1;
  const double u = r * y[1];
  const double mu = 0.2 + 0.1 * exp(-u * u / 0.01);
  double F = 0;
  double alpha = 0;
  for (int i = 0; i < 60; i++) {
    alpha = (F - m * g * l * cos(y[0])) / (0.3 + m * l * l);
    const double ax = l * (-alpha * sin(y[0]) - y[1] * y[1] * cos(y[0]));
    const double ay = l * (alpha * cos(y[0]) - y[1] * y[1] * sin(y[0]));
    const double N = m * hypot(ax, ay + g);
    F = -r * mu * (N + 1.5) * u / hypot(u, 2e-2) - 0.03 * y[1];
  }
  return alpha;
}

static void swing_by(double h, double y[2]) {
  const double k1[2] = {y[1], swing(y)};
  const double y2[2] = {y[0] + h / 2 * k1[0], y[1] + h / 2 * k1[1]};
  const double k2[2] = {y2[1], swing(y2)};
  const double y3[2] = {y[0] + h / 2 * k2[0], y[1] + h / 2 * k2[1]};
  const double k3[2] = {y3[1], swing(y3)};
  const double y4[2] = {y[0] + h * k3[0], y[1] + h * k3[1]};
  const double k4[2] = {y4[1], swing(y4)};
  for (int i = 0; i < 2; i++)
    y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
}

Test(friction, a_pendulum_swings_as_its_equation_says) {
  enum { STEPS = 20000 };
  double y[2] = {0, 0};
  for (int i = 0; i < STEPS; i++)
    swing_by(2.0 / STEPS, y);
  for (int i = 0; i < 4; i++) {
    model_run run = model_run_by(PENDULUM, methods[i]);
    model_run_reach(&run, 2);
    cr_expect_float_eq(run.state->q[2], y[0], i == 0 ? 1e-9 : 1e-7, "%s: %.3g", methods[i], run.state->q[2] - y[0]);
    cr_expect_float_eq(run.state->v[2], y[1], i == 0 ? 1e-8 : 1e-6, "%s: %.3g", methods[i], run.state->v[2] - y[1]);
    const mbs_energy e = mbs_energy_of(run.ws, run.state);
    cr_expect_gt(e.dissipated, 1);
    cr_expect_float_eq(e.total + e.dissipated, 0, i == 0 ? 1e-9 : 1e-6, "%s: %.3g", methods[i], e.total + e.dissipated);
    model_run_end(&run);
  }
}

/* ---- A block on an incline ---- */

/* Gravity turned by atan 0.75, so that the incline is along x; pushed by P at the height h. With the centre of mass e
 * above the guide the ends of a guide of length L press by N = max(m g cos β, 2 |e μ N + (h - e) P|/L). */
static void expect_slide(const char *friction, double P, double acceleration) {
  char text[700];
  snprintf(text, sizeof text,
           "seam: 1\ngravity: [5.886, -7.848]\n"
           "bodies: {block: {mass: 2, inertia: 0.1, at: [0, 0.2], velocity: [1, 0]}}\n"
           "joints: {rail: {type: prismatic, bodies: [ground, block], at: [0, 0], axis: [1, 0], friction: {%s}}}\n"
           "forces: {push: {type: force, body: block, at: [0, 0.5], x: %.17g}}\n"
           "simulate: {end: 1}\n",
           friction, P);
  model_run run = model_run_by(text, "erk");
  model_run_reach(&run, 0.5);
  const double v = run.state->v[0];
  cr_expect_float_eq(run.state->q[0], 0.5 + acceleration / 8, 1e-9, "%s: %.3g", friction,
                     run.state->q[0] - 0.5 - acceleration / 8);
  cr_expect_float_eq(v, 1 + acceleration / 2, 1e-9, "%s", friction);
  const mbs_energy e = mbs_energy_of(run.ws, run.state);
  const double work = P * (0.5 + acceleration / 8);
  cr_expect_float_eq(e.dissipated, 1 + (2 * 5.886 + P) * (0.5 + acceleration / 8) - v * v, 1e-8, "%s", friction);
  cr_expect_float_eq(e.driven, work, 1e-9);
  model_run_end(&run);
}

Test(friction, a_block_slides_down_by_what_its_weight_leaves) {
  expect_slide("coefficient: 0.3, slip_speed: 1e-7", 0, 5.886 - 0.3 * 7.848);
  expect_slide("coefficient: 0.3, slip_speed: 1e-7, preload: 2", 0, 5.886 - 0.3 * (7.848 + 1));
  expect_slide("coefficient: 0.3, slip_speed: 1e-7, length: 0.4", 0, 5.886 - 0.3 * 7.848);
}

/* N = 2 (h - e) P/(L - 2 e μ). */
Test(friction, both_ends_of_a_guide_carry_the_torque) {
  const double mu = 0.3;
  const double P = 30;
  const double L = 0.4;
  const double N = 2 * 0.3 * P / (L - 2 * 0.2 * mu);
  cr_assert_gt(N, 2 * 7.848);
  expect_slide("coefficient: 0.3, slip_speed: 1e-7, length: 0.4", P, 5.886 + (P - mu * N) / 2);
  expect_slide("coefficient: 0.3, slip_speed: 1e-7", P, 5.886 + P / 2 - mu * 7.848);
}

/* A load of η μ N creeps with u° η/√(1 - η²). */
Test(friction, what_would_stick_creeps_as_it_is_said) {
  const double eta = 0.75 / 0.9;
  model_run run = model_run_by("seam: 1\ngravity: [5.886, -7.848]\nbodies: {block: {mass: 2, inertia: 0.1}}\n"
                               "joints: {rail: {type: prismatic, bodies: [ground, block], at: [0, 0], axis: [1, 0],\n"
                               "  friction: {coefficient: 0.9, slip_speed: 1e-3}}}\nsimulate: {end: 1}\n",
                               "radau");
  model_run_reach(&run, 0.5);
  cr_expect_float_eq(run.state->v[0], 1e-3 * eta / sqrt(1 - eta * eta), 1e-9);
  model_run_end(&run);
}

/* A point on a line: its force is across it, whatever the turn. */
Test(friction, a_slot_rubs) {
  model_run run = model_run_by("seam: 1\ngravity: [5.886, -7.848]\n"
                               "bodies: {block: {mass: 2, inertia: 0.1, velocity: [1, 0], rate: 3}}\n"
                               "joints: {rail: {type: slot, bodies: [ground, block], at: [0, 0], axis: [1, 0],\n"
                               "  friction: {coefficient: 0.5, slip_speed: 1e-7}}}\nsimulate: {end: 1}\n",
                               "erk");
  model_run_reach(&run, 0.5);
  cr_expect_float_eq(run.state->v[0], 1 + 0.5 * (5.886 - 0.5 * 7.848), 1e-9);
  cr_expect_float_eq(run.state->v[2], 3, 1e-12);
  model_run_end(&run);
}

/* ---- Subsystems ---- */

#define TWO_PARTS(REST)                                                                                                \
  "seam: 1\ngravity: [0, -9.81]\n"                                                                                     \
  "bodies: {arm: {mass: 2, inertia: 0.3, at: [0.7, 0]}, load: {mass: 1, inertia: 0.1, at: [1.4, -0.5]}}\n"             \
  "joints: {pin: {type: revolute, bodies: [ground, arm], at: [0, 0],\n"                                                \
  "  friction: {coefficient: 0.2, radius: 0.2, slip_speed: 0.05}}" REST "}\n"                                          \
  "forces: {tie: {type: bushing, bodies: [arm, load], at: [1.4, 0], stiffness: [900, 900, 10], damping: [9, 9, 1]}}\n" \
  "simulate: {end: 0.5}\n"                                                                                             \
  "cosim: {subsystems: {one: [arm], two: [load]}, macro_step: 1e-3, scheme: ff-k2-implicit}\n"

Test(friction, it_acts_inside_a_subsystem) {
  model_run run = model_run_by(TWO_PARTS(""), "erk");
  seam_model_file *file = read_model(TWO_PARTS(""), NULL);
  cosim_simulation *simulation = NULL;
  seam_error error = {0};
  cr_assert_eq(cosim_create(seam_model_cosim(file), &simulation, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(cosim_start(simulation, run.state, &error), SEAM_OK, "%s", error.message);
  for (int i = 0; i < 500; i++)
    cr_assert_eq(cosim_advance(simulation, 1e-3, &error), SEAM_OK, "%s", error.message);
  model_run_reach(&run, 0.5);
  for (int i = 0; i < 6; i++)
    cr_expect_float_eq(cosim_state(simulation)->q[i], run.state->q[i], 1e-7, "%d: %.3g", i,
                       cosim_state(simulation)->q[i] - run.state->q[i]);
  cr_expect_float_eq(cosim_state(simulation)->work[0], run.state->work[0], 1e-5);
  cosim_destroy(simulation);
  seam_model_file_destroy(file);
  model_run_end(&run);
}

/* Cut at the joint that has it. */
Test(friction, it_cannot_be_at_a_cut) {
  seam_model_file *file =
      read_model(TWO_PARTS(", hinge: {type: revolute, bodies: [arm, load], at: [1.4, 0],\n"
                           "  friction: {coefficient: 0.1, radius: 0.1, slip_speed: 0.01}}"),
                 (const char *[]){"cosim.scheme={constitutive: ff-k2-implicit, constraint: ff-index2-k1}", NULL});
  cosim_simulation *simulation = NULL;
  seam_error error = {0};
  cr_expect_eq(cosim_create(seam_model_cosim(file), &simulation, &error), SEAM_BAD_INPUT);
  cr_expect_str_eq(error.message,
                   "coupling 'hinge': the friction of this joint depends on the joint's reaction, which a coupling "
                   "replaces; keep both bodies of the joint in one subsystem, or leave out 'friction'");
  seam_model_file_destroy(file);
}

/* ---- What is refused ---- */

#define GUIDE(FRICTION)                                                                                                \
  "seam: 1\nbodies: {a: {mass: 1, inertia: 1}}\njoints:\n"                                                             \
  "  J: {type: prismatic, bodies: [ground, a], at: [0, 0], axis: [1, 0], friction: " FRICTION "}\n"

Test(friction, keys_that_are_missing_or_foreign_are_named) {
  expect_refused(GUIDE("{coefficient: 0.2}"),
                 "text.yaml:4:71: error: 'friction' of joint 'J' needs 'slip_speed', or 'hard'\n"
                 "  J: {type: prismatic, bodies: [ground, a], at: [0, 0], axis: [1, 0], friction: {coefficient: 0.2}}\n"
                 "                                                                      ^\n"
                 "add 'slip_speed' in m/s, below which friction fades, or 'hard: true' for friction that sticks");
  expect_refused(GUIDE("{coefficient: 0.2, slip_speed: 1e-3, radius: 1}"),
                 "text.yaml:4:118: error: unknown key 'radius' in 'friction' of joint 'J'\n"
                 "], friction: {coefficient: 0.2, slip_speed: 1e-3, radius: 1}}\n"
                 "                                                  ^\n"
                 "known: coefficient, static, stribeck_speed, length, slip_speed, viscous, preload, hard");
  expect_refused(GUIDE("{coefficient: 0.2, slip_speed: 1e-3, static: 0.3}"),
                 "text.yaml:4:118: error: 'static' in 'friction' of joint 'J' needs 'stribeck_speed' beside it\n"
                 "], friction: {coefficient: 0.2, slip_speed: 1e-3, static: 0.3}}\n"
                 "                                                  ^");
  expect_refused(
      GUIDE("{coefficient: 0.2, slip_speed: 1e-3, static: 0.1, stribeck_speed: 1}"),
      "text.yaml:4:126: error: 'static' in 'friction' of joint 'J' must be at least 'coefficient' 0.2, but is 0.1\n"
      "ion: {coefficient: 0.2, slip_speed: 1e-3, static: 0.1, stribeck_speed: 1}}\n"
      "                                                  ^\n"
      "friction at rest is at least as large as friction of sliding");
  expect_refused(GUIDE("0.2"), "text.yaml:4:81: error: 'friction' of joint 'J' must be a map, but is a number or text\n"
                               "  J: {type: prismatic, bodies: [ground, a], at: [0, 0], axis: [1, 0], friction: 0.2}\n"
                               "                                                                                ^\n"
                               "write '{key: value, ...}', or indented lines 'key: value'");
}

/* The root of a negative number in a spring makes the reactions under friction not finite as well. */
Test(friction, is_not_blamed_for_a_law_that_is_not_finite) {
  model_run run =
      model_run_by("seam: 1\ngravity: [0, -9.81]\n"
                   "bodies: {rod: {rod: [[0, 0], [1, 0]], mass: 1}, disc: {mass: 0.5, inertia: 0.01, at: "
                   "[1, -0.5]}}\n"
                   "joints:\n  A: {type: revolute, bodies: [ground, rod], at: [0, 0], friction: {coefficient: "
                   "0.1, radius: 0.05, slip_speed: 1e-3}}\n"
                   "forces:\n  spring: {type: spring_damper, bodies: [rod, disc], at: [[1, 0], [1, -0.5]], "
                   "force: \"-200*s - 0.5*v + sqrt(0.2 - t)\"}\n",
                   "erk");
  model_run_advance(&run, 1);
  cr_expect_eq(run.status, SEAM_NOT_FINITE);
  cr_expect_not_null(strstr(run.error.message, "the law of force 'spring' is not finite"), "%s", run.error.message);
  model_run_end(&run);
}
