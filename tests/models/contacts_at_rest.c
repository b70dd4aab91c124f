/* Equilibria on contacts that are open at the start, soft and stiff; what friction leaves open; equations that read
 * reactions. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include <seam/measures.h>

#include "tests/support/model_run.h"

static const double g = 9.81;

/* ---- Closed forms ---- */

/* Lines of 45 degrees and of slope 1/2, through the origin: N1 (1, 1)/√2 + N2 (-1, 2)/√5 = (0, m g), and the gap to
 * each is -(N/k)^(2/3). */
static const char wedge[] =
    "seam: 1\nname: w\ngravity: [0, -9.81]\nbodies:\n  ball: {mass: 2, inertia: 0.1, at: [0.3, 2]}\nforces:\n"
    "  l: {type: contact, bodies: [ground, ball], at: [[0, 0], [0.3, 2]], line: [1, -1], radius: 0.1, stiffness: 1e6}\n"
    "  r: {type: contact, bodies: [ground, ball], at: [[0, 0], [0.3, 2]], line: [2, 1], radius: 0.1, stiffness: 1e6}\n"
    "simulate: {end: 1}\n";

Test(contacts_at_rest, a_ball_falls_between_two_lines) {
  mbs_equilibrium report;
  model_run run = model_run_at_rest(wedge, NULL, &report);
  const double N1 = 2 * g * sqrt(2) / 3;
  const double N2 = 2 * g * sqrt(5) / 3;
  const double x = run.state->q[0];
  const double y = run.state->q[1];
  cr_expect_float_eq((x + y) / sqrt(2), 0.1 - pow(N1 / 1e6, 2.0 / 3), 1e-12);
  cr_expect_float_eq((-x + 2 * y) / sqrt(5), 0.1 - pow(N2 / 1e6, 2.0 / 3), 1e-12);
  cr_expect_float_eq(model_run_read(&run, "l.force"), N1, 1e-9);
  cr_expect_float_eq(model_run_read(&run, "r.force"), N2, 1e-9);
  cr_expect_eq(report.n_neutral, 1, "it may turn");
  cr_expect_lt(report.acceleration, 1e-6);
  model_run_end(&run);
}

/* On two corners, below its centre of mass by 0.2 and beside it by 0.5 and 0.3: k δ1 = 3/8 m g, k δ2 = 5/8 m g. */
static const char block[] =
    "seam: 1\nname: b\ngravity: [0, -9.81]\nparameters: {k: 1e6, friction: 0}\nbodies:\n"
    "  block: {mass: 2, inertia: 0.1, at: [0.3, 2], angle: 0.4}\nforces:\n"
    "  l: {type: contact, bodies: [ground, block], at: {ground: [0, 0], block: [-0.5, -0.2]}, line: [1, 0],\n"
    "    stiffness: k, exponent: 1, friction: friction, slip_speed: 1e-3}\n"
    "  r: {type: contact, bodies: [ground, block], at: {ground: [0, 0], block: [0.3, -0.2]}, line: [1, 0],\n"
    "    stiffness: k, exponent: 1}\nsimulate: {end: 1}\n";

static double height(const model_run *run, double x) {
  const double *q = run->state->q;
  return q[1] + x * sin(q[2]) - 0.2 * cos(q[2]);
}

/* The stiffer ones are beyond the reach of steps that close one contact after the other. */
Test(contacts_at_rest, a_block_falls_on_its_corners_whatever_their_stiffness) {
  static const struct {
    const char *override;
    double k;
  } cases[] = {
      {"parameters.k=1e4", 1e4}, {"parameters.k=1e6", 1e6}, {"parameters.k=1e9", 1e9}, {"parameters.k=1e11", 1e11}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *overrides[] = {cases[i].override, NULL};
    mbs_equilibrium report;
    model_run run = model_run_at_rest(block, overrides, &report);
    const double k = cases[i].k;
    /* Lengths turn with the block: x' = x cos φ + 0.2 sin φ about its centre of mass. */
    const double c = cos(run.state->q[2]);
    const double s = sin(run.state->q[2]);
    const double left = 0.5 * c - 0.2 * s;
    const double right = 0.3 * c + 0.2 * s;
    cr_expect_float_eq(-k * height(&run, -0.5), 2 * g * right / (left + right), 1e-5 * 2 * g);
    cr_expect_float_eq(-k * height(&run, 0.3), 2 * g * left / (left + right), 1e-5 * 2 * g);
    cr_expect_gt(report.largest_move, 1.7);
    cr_expect_float_eq(report.largest_turn, 0.4, 1e-2);
    model_run_end(&run);
  }
}

/* A hub in a vertical guide at x = 1 carries W on a road of slope 0.1: N = W/cos α. */
Test(contacts_at_rest, a_wheel_stands_on_a_road) {
  const char text[] = "seam: 1\nname: r\ngravity: [0, -9.81]\nbodies:\n  wheel: {mass: 20, inertia: 1, at: [1, 1]}\n"
                      "  car: {mass: 300, inertia: 10, at: [1, 2]}\njoints:\n"
                      "  guide: {type: prismatic, bodies: [ground, car], at: [1, 2], axis: [0, 1]}\n"
                      "  hub: {type: prismatic, bodies: [car, wheel], at: [1, 1], axis: [0, 1]}\nforces:\n"
                      "  spring: {type: spring_damper, bodies: [wheel, car], at: [[1, 1], [1, 2]], stiffness: 2e4}\n"
                      "  road: {type: contact, bodies: [ground, wheel], at: [[0, 0], [1, 1]], line: [10, 1], radius: "
                      "0.3, stiffness: 2e7}\n"
                      "simulate: {end: 1}\n";
  model_run run = model_run_at_rest(text, NULL, NULL);
  const double cosine = 10 / sqrt(101);
  const double delta = pow(320 * g / cosine / 2e7, 2.0 / 3);
  cr_expect_float_eq(run.state->q[1], 0.1 + (0.3 - delta) / cosine, 1e-12);
  cr_expect_float_eq(run.state->q[4] - run.state->q[1], 1 - 300 * g / 2e4, 1e-12);
  model_run_end(&run);
}

/* Balls of radius 0.25 in a box that is 0.8 wide: the upper one leans on the right wall, 0.3 beside and 0.4 above the
 * lower one. Its weight presses with 1.25 m g on that, which presses with 0.75 m g on the left wall. */
#define BOX(ball, x, y)                                                                                                \
  "  floor_" ball ": {type: contact, bodies: [ground, " ball "], at: [[0, 0], [" x ", " y "]], line: [1, 0],\n"        \
  "    radius: 0.25, stiffness: 1e9, exponent: 1}\n"                                                                   \
  "  left_" ball ": {type: contact, bodies: [ground, " ball "], at: [[0, 0], [" x ", " y "]], line: [0, -1],\n"        \
  "    radius: 0.25, stiffness: 1e9, exponent: 1}\n"                                                                   \
  "  right_" ball ": {type: contact, bodies: [ground, " ball "], at: [[0.8, 0], [" x ", " y "]], line: [0, 1],\n"      \
  "    radius: 0.25, stiffness: 1e9, exponent: 1}\n"

Test(contacts_at_rest, balls_lean_on_each_other_and_on_walls) {
  const char text[] =
      "seam: 1\nname: box\ngravity: [0, -9.81]\nbodies:\n  a: {mass: 1, inertia: 0.1, at: [0.35, 0.6]}\n"
      "  b: {mass: 1, inertia: 0.1, at: [0.45, 1.4]}\nforces:\n" BOX("a", "0.35", "0.6")
          BOX("b", "0.45", "1.4") "  between: {type: contact, bodies: [a, b], at: [[0.35, 0.6], [0.45, 1.4]], radii: "
                                  "[0.25, 0.25], stiffness: 1e9,\n"
                                  "    exponent: 1}\nsimulate: {end: 1}\n";
  model_run run = model_run_at_rest(text, NULL, NULL);
  static const double expected[] = {0.25, 0.25, 0.55, 0.65};
  for (size_t i = 0; i < 4; i++)
    cr_expect_float_eq(run.state->q[3 * (i / 2) + i % 2], expected[i], 1e-6);
  cr_expect_float_eq(model_run_read(&run, "between.force"), 1.25 * g, 1e-5);
  cr_expect_float_eq(model_run_read(&run, "left_a.force"), 0.75 * g, 1e-5);
  cr_expect_float_eq(model_run_read(&run, "right_b.force"), 0.75 * g, 1e-5);
  cr_expect_float_eq(model_run_read(&run, "floor_a.force"), 2 * g, 1e-5);
  cr_expect_eq(model_run_read(&run, "floor_b.force"), 0);
  model_run_end(&run);
}

/* ---- Hard contacts ---- */

/* The centre lies where both lines are 0.1 m away: x + y = 0.1 √2, -x + 2 y = 0.1 √5. */
Test(contacts_at_rest, a_ball_lies_between_hard_lines) {
  mbs_equilibrium report;
  model_run run = model_run_at_rest(
      "seam: 1\nname: w\ngravity: [0, -9.81]\nbodies:\n  ball: {mass: 2, inertia: 0.1, at: [0.3, 2]}\nforces:\n"
      "  l: {type: contact, bodies: [ground, ball], at: [[0, 0], [0.3, 2]], line: [1, -1], radius: 0.1, hard: true}\n"
      "  r: {type: contact, bodies: [ground, ball], at: [[0, 0], [0.3, 2]], line: [2, 1], radius: 0.1, hard: true}\n"
      "  far: {type: contact, bodies: [ground, ball], at: [[0, -1], [0.3, 2]], line: [1, 0], radius: 0.1, hard: true}\n"
      "simulate: {end: 1}\n",
      NULL, &report);
  const double y = 0.1 * (sqrt(2) + sqrt(5)) / 3;
  cr_expect_float_eq(run.state->q[0], 0.1 * sqrt(2) - y, 1e-14);
  cr_expect_float_eq(run.state->q[1], y, 1e-14);
  cr_expect_float_eq(model_run_read(&run, "l.force"), 2 * g * sqrt(2) / 3, 1e-12);
  cr_expect_float_eq(model_run_read(&run, "r.force"), 2 * g * sqrt(5) / 3, 1e-12);
  cr_expect_eq(model_run_read(&run, "far.force"), 0);
  cr_expect_lt(report.acceleration, 1e-13);
  model_run_end(&run);
}

/* The left corner yields. */
Test(contacts_at_rest, a_block_stands_on_hard_and_compliant_corners) {
  model_run run = model_run_at_rest(
      "seam: 1\nname: b\ngravity: [0, -9.81]\nbodies:\n  block: {mass: 2, inertia: 0.1, at: [0.3, 2], angle: "
      "0.4}\nforces:\n"
      "  l: {type: contact, bodies: [ground, block], at: {ground: [0, 0], block: [-0.5, -0.2]}, line: [1, 0],\n"
      "    stiffness: 1e4, exponent: 1}\n"
      "  r: {type: contact, bodies: [ground, block], at: {ground: [0, 0], block: [0.5, -0.2]}, line: [1, 0], "
      "hard: true}\n"
      "simulate: {end: 1}\n",
      NULL, NULL);
  const double phi = run.state->q[2];
  const double left = 0.5 * cos(phi) - 0.2 * sin(phi);
  const double N = 2 * g * (cos(phi) - left) / cos(phi);
  cr_expect_float_eq(height(&run, 0.5), 0, 1e-13);
  cr_expect_float_eq(-1e4 * height(&run, -0.5), N, 1e-8);
  cr_expect_float_eq(model_run_read(&run, "r.force"), 2 * g - N, 1e-8);
  model_run_end(&run);
}

/* A ball at a height on a slope of 0.1 runs away, and stays where it was. */
static void expect_only_friction_to_hold(const char *text, double height) {
  model_run run = model_run_begin(text, NULL, NULL, INFINITY);
  cr_expect_eq(mbs_find_equilibrium(run.ws, run.state, NULL, NULL, &run.error), SEAM_NOT_CONVERGED);
  cr_expect(strstr(run.error.message, "the friction of 'slope' is zero at rest and cannot support the body") != NULL,
            "%s", run.error.message);
  cr_expect_eq(run.state->q[1], height);
  model_run_end(&run);
}

#define ON_A_SLOPE(HEIGHT, KEYS)                                                                                       \
  "seam: 1\nname: i\ngravity: [0, -9.81]\nbodies:\n  ball: {mass: 2, inertia: 0.1, at: [0, " HEIGHT "]}\nforces:\n"    \
  "  slope: {type: contact, bodies: [ground, ball], at: [[0, 0], [0, " HEIGHT "]], line: [1, 0.1], radius: 0.1,\n"     \
  "    " KEYS ", friction: 0.5}\nsimulate: {end: 1}\n"

Test(contacts_at_rest, what_hard_contacts_do_not_hold_runs_away) {
  expect_only_friction_to_hold(ON_A_SLOPE("0.2", "hard: true"), 0.2);
}

/* ---- Friction ---- */

Test(contacts_at_rest, friction_that_presses_is_named) {
  const char *overrides[] = {"parameters.friction=0.3", NULL};
  const char *names[2] = {NULL, NULL};
  model_run run = model_run_at_rest(block, overrides, NULL);
  cr_expect_eq(mbs_frictions_at_rest(run.ws, run.state, names, 2), 1);
  cr_expect_str_eq(names[0], "l");
  run.state->q[1] = 2; /* open */
  cr_expect_eq(mbs_frictions_at_rest(run.ws, run.state, names, 2), 0);
  model_run_end(&run);
  run = model_run_at_rest(block, NULL, NULL);
  cr_expect_eq(mbs_frictions_at_rest(run.ws, run.state, NULL, 0), 0, "without a coefficient");
  model_run_end(&run);
}

Test(contacts_at_rest, what_only_friction_holds_has_no_equilibrium) {
  expect_only_friction_to_hold(ON_A_SLOPE("0.09", "stiffness: 1e6, slip_speed: 1e-3"), 0.09);
}

/* ---- Reactions ---- */

/* f = A.fy and a torque of 0.2 f + 0.1 A.fy: -k φ - m g l/2 cos φ - 0.3 m g = 0. */
Test(contacts_at_rest, equations_that_read_reactions_rest_with_them) {
  const char text[] =
      "seam: 1\nname: f\ngravity: [0, -9.81]\npoints: {A: [0, 0], B: [1, 0]}\nbodies:\n  rod: {rod: [A, B], mass: 2}\n"
      "joints:\n  A: {type: revolute, bodies: [ground, rod], at: A}\nforces:\n"
      "  spring: {type: torsion, bodies: [ground, rod], stiffness: 50, damping: 1}\n"
      "  drive: {type: torque, body: rod, torque: \"0.2*filter.y + 0.1*A.fy\"}\nequations:\n"
      "  filter: {states: {y: 0}, rates: {y: (A.fy - y)/0.1}, outputs: {out: y}}\nsimulate: {end: 1}\n";
  mbs_equilibrium report;
  model_run run = model_run_at_rest(text, NULL, &report);
  const double phi = run.state->q[2];
  cr_expect_float_eq(-50 * phi - 2 * g * 0.5 * cos(phi) - 0.3 * 2 * g, 0, 1e-11);
  cr_expect_float_eq(model_run_read(&run, "filter.y"), -2 * g, 1e-12);
  cr_expect_lt(report.acceleration, 1e-12);
  cr_expect_lt(report.rate, 1e-11);
  model_run_end(&run);
}
