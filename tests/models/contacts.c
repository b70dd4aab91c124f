/* Compliant contacts in model files: equilibria, impacts and slides in closed form, and what is refused with which
 * message. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "tests/support/impact.h"
#include "tests/support/model_run.h"

static model_run start(const char *text) { return model_run_by(text, "erk"); }

/* Of all energies over time, relative to `scale`. */
static double imbalance(const model_run *run, double before, double scale) {
  return model_run_imbalance(run, before) / scale;
}

/* ---- At rest ---- */

#define BALL(KEYS, CONTACT)                                                                                            \
  "seam: 1\nbodies: {ball: {mass: 2, inertia: 0.1, at: [0.6, 0.8], " KEYS "}}\n"                                       \
  "forces: {c: {type: contact, bodies: [ground, ball], at: [[0, 0], [0.6, 0.8]], " CONTACT "}}\n"                      \
  "simulate: {end: 1}\n"

/* k δ^n = m g. */
Test(contacts, a_ball_rests_where_its_weight_is_carried) {
  model_run run = start(BALL("", "line: [1, 0], radius: 0.81, stiffness: 4e4, damping: 2") "gravity: [0, -9.81]\n");
  cr_assert_eq(mbs_find_equilibrium(run.ws, run.state, NULL, NULL, &run.error), SEAM_OK, "%s", run.error.message);
  cr_expect_float_eq(run.state->q[1], 0.81 - pow(2 * 9.81 / 4e4, 1 / 1.5), 1e-12);
  model_run_end(&run);
  run = start(BALL("", "line: [1, 0], radius: 0.81, stiffness: 4e4, damping: 2") "gravity: [0, -9.81]\n");
  model_run_reach(&run, 60);
  cr_expect_float_eq(run.state->q[1], 0.81 - pow(2 * 9.81 / 4e4, 1 / 1.5), 1e-6);
  model_run_end(&run);
}

/* ---- Impacts ---- */

/* A free flight of v t1 is exact in a step of any length; then a body of 1 kg swings through half a period of ω = √k
 * and goes back. */
Test(contacts, what_stops_a_long_flight_is_not_passed_in_one_step) {
  static const char *const stops[] = {
      "type: contact, at: [[3001, 0], [0, 0]], radii: [1, 0], exponent: 1",
      "type: contact, at: [[3000, 0], [0, 0]], line: [0, 1], radius: 0, exponent: 1",
      "type: stop, of: slide, at: [[0, 0], [0, 0]], axis: [1, 0], upper: 3000, exponent: 1",
      "type: rope, at: [[-1000, 0], [0, 0]], length: 4000",
  };
  static const char *const methods[] = {"erk", "radau", "ida", "cvode"};
  static const double rates[] = {20, 300, 5e3};
  const double pi = 3.14159265358979323846;
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < 4; i++)
      for (int w = 0; w < 3; w++) {
        char text[500];
        snprintf(text, sizeof text,
                 "seam: 2\nbodies: {b: {mass: 1, inertia: 0, velocity: [3, 0]}}\n"
                 "forces: {f: {%s, bodies: [ground, b], stiffness: %.17g}}\nsimulate: {end: 1500}\n",
                 stops[k], rates[w] * rates[w]);
        mbs_integrator_options options = mbs_default_integrator_options();
        options.method = methods[i];
        model_run run = model_run_begin(text, NULL, &options, NAN);
        model_run_reach(&run, 1500);
        const double exact = 3000 - 3 * (500 - pi / rates[w]);
        cr_expect_float_eq(run.state->q[0], exact, 0.01, "%s, %s, %g rad/s: %.9g, not %.9g", methods[i], stops[k],
                           rates[w], run.state->q[0], exact);
        model_run_end(&run);
      }
}

/* Of the speed after an impact on the left of a line along (0.8, -0.6), whose normal is (0.6, 0.8). Returns the error
 * of the balance of energy. */
static double expect_speed_after(const char *contact, const char *method, double before, double after) {
  char text[600];
  snprintf(text, sizeof text,
           "seam: 1\nbodies: {ball: {mass: 2, inertia: 0.1, at: [0.6, 0.8], velocity: [%.17g, %.17g]}}\n"
           "forces: {c: {type: contact, bodies: [ground, ball], at: [[0, 0], [0.6, 0.8]], line: [0.8, -0.6],\n"
           "  radius: 0.9, %s}}\nsimulate: {end: 1}\n",
           -0.6 * before, -0.8 * before, contact);
  model_run run = model_run_by(text, method);
  const double kinetic = before * before;
  model_run_reach(&run, 0.3);
  cr_expect_float_eq(0.6 * run.state->v[0] + 0.8 * run.state->v[1], after, 2e-8, "%s, %s: %.12g instead of %.12g",
                     contact, method, 0.6 * run.state->v[0] + 0.8 * run.state->v[1], after);
  cr_expect_float_eq(0.8 * run.state->v[0] - 0.6 * run.state->v[1], 0, 1e-12);
  const double error = imbalance(&run, kinetic, kinetic);
  model_run_end(&run);
  return error;
}

static const char *const methods[] = {"erk", "radau", "cvode", "ida"};

Test(contacts, an_impact_keeps_the_restitution_that_is_given) {
  static const double e[] = {0.05, 0.6, 0.99, 1};
  for (int n = 0; n < 3; n++)
    for (int i = 0; i < 4; i++) {
      char contact[200];
      snprintf(contact, sizeof contact, "stiffness: 4e5, exponent: %g, restitution: %g, impact_speed: 2", 1 + 0.5 * n,
               e[i]);
      const double error = expect_speed_after(contact, "erk", 2, 2 * e[i]);
      cr_expect_lt(error, 2e-9, "%s: %.3g", contact, error);
    }
}

Test(contacts, impacts_with_damping_have_the_restitution_of_their_speed) {
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 2; k++) {
      const double before = 2 - k;
      const double after = before * restitution_of(0.3 * before);
      const double error = expect_speed_after("stiffness: 4e5, damping: 0.3", methods[i], before, after);
      cr_expect_lt(error, 2e-8, "%s: %.3g", methods[i], error);
    }
}

/* Without friction along the line of centres, (0.6, 0.8): the relative speed is that of the restitution. */
Test(contacts, wheels_of_unlike_masses_part_with_the_restitution) {
  model_run run = start("seam: 1\nbodies: {a: {mass: 2, inertia: 0.1, velocity: [0.9, 1.2]},\n"
                        "  b: {mass: 5, inertia: 0.4, at: [0.6, 0.8], velocity: [-0.3, -0.4]}}\n"
                        "forces: {c: {type: contact, bodies: [a, b], at: [[0, 0], [0.6, 0.8]], radii: [0.4, 0.5],\n"
                        "  stiffness: 4e5, restitution: 0.7, impact_speed: 2}}\nsimulate: {end: 1}\n");
  model_run_reach(&run, 0.3);
  const double *v = run.state->v;
  cr_expect_float_eq(0.6 * (v[3] - v[0]) + 0.8 * (v[4] - v[1]), 1.4, 2e-8);
  cr_expect_float_eq(2 * v[0] + 5 * v[3], 0.3, 1e-10);
  cr_expect_float_eq(2 * v[1] + 5 * v[4], 0.4, 1e-10);
  model_run_end(&run);
}

static double angular_momentum(const model_run *run) {
  const double *q = run->state->q;
  const double *v = run->state->v;
  return 2 * (q[0] * v[1] - q[1] * v[0]) + 0.1 * v[2] + 5 * (q[3] * v[4] - q[4] * v[3]) + 0.4 * v[5];
}

Test(contacts, an_oblique_impact_with_friction_keeps_momentum_and_balances_energy) {
  for (int i = 0; i < 4; i++) {
    model_run run =
        model_run_by("seam: 1\nbodies: {a: {mass: 2, inertia: 0.1, velocity: [1.5, 1], rate: 8},\n"
                     "  b: {mass: 5, inertia: 0.4, at: [0.6, 0.8], velocity: [-0.3, -0.4], rate: 3}}\n"
                     "forces: {c: {type: contact, bodies: [a, b], at: [[0, 0], [0.6, 0.8]], radii: [0.4, 0.5],\n"
                     "  stiffness: 4e5, damping: 0.2, friction: 0.3, slip_speed: 0.05}}\nsimulate: {end: 1}\n",
                     methods[i]);
    const double energy = model_run_energy(&run);
    const double momentum = angular_momentum(&run);
    model_run_reach(&run, 0.3);
    cr_expect_float_eq(2 * run.state->v[0] + 5 * run.state->v[3], 1.5, 1e-10);
    cr_expect_float_eq(2 * run.state->v[1] + 5 * run.state->v[4], 0, 1e-10);
    cr_expect_float_eq(angular_momentum(&run), momentum, 2e-8, "%s", methods[i]);
    cr_expect_lt(fabs(run.state->v[2]), 7, "friction slows the turn");
    cr_expect_gt(mbs_energy_of(run.ws, run.state).dissipated, 0.1);
    cr_expect_lt(imbalance(&run, energy, energy), 2e-8, "%s: %.3g", methods[i], imbalance(&run, energy, energy));
    model_run_end(&run);
  }
}

/* ---- Friction ---- */

/* Gravity turned by atan 0.75, so that the incline is along x. */
#define BLOCK(FRICTION)                                                                                                \
  "seam: 1\ngravity: [6, -8]\nbodies: {block: {mass: 3, inertia: 0.05, at: [0, 0.1]}}\n"                               \
  "forces:\n"                                                                                                          \
  "  l: {type: contact, bodies: [ground, block], at: [[0, 0], [-0.2, 0]], line: [1, 0], stiffness: 1e4,\n"             \
  "    exponent: 1, damping: 20, friction: " FRICTION ", slip_speed: 1e-3}\n"                                          \
  "  r: {type: contact, bodies: [ground, block], at: [[0, 0], [0.2, 0]], line: [1, 0], stiffness: 1e4,\n"              \
  "    exponent: 1, damping: 20, friction: " FRICTION ", slip_speed: 1e-3}\n"                                          \
  "simulate: {end: 1}\n"

/* η = tan α / μ = 0.8: u° η/√(1 - η²), but for the turn that presses the front. */
Test(contacts, a_block_creeps_below_the_angle_of_friction) {
  model_run run = model_run_by(BLOCK("0.9375"), "radau");
  model_run_reach(&run, 4);
  cr_expect_float_eq(run.state->v[0], 1e-3 * 0.8 / 0.6, 1e-9, "%.12g", run.state->v[0]);
  model_run_end(&run);
}

/* x" = g (sin α - μ cos α) = 6 - 0.5 * 8, to (u°/u)². */
Test(contacts, a_block_slides_above_the_angle_of_friction) {
  model_run run = model_run_by(BLOCK("0.5"), "radau");
  model_run_reach(&run, 2);
  const double before = run.state->v[0];
  model_run_reach(&run, 3);
  cr_expect_float_eq(run.state->v[0] - before, 2, 1e-6, "%.12g", run.state->v[0] - before);
  cr_expect_lt(imbalance(&run, 3 * 8 * 0.1, 50), 1e-8, "%.3g", imbalance(&run, 3 * 8 * 0.1, 50));
  model_run_end(&run);
}

/* ---- Refused ---- */

#define FIRST_LINE "  c: {type: contact, bodies: [ground, a], at: [[0, 0], [0, 0]],\n"
#define REFUSED_CONTACT(name, keys, message)                                                                           \
  Test(refused_contacts, name) {                                                                                       \
    expect_refused("seam: 1\nbodies: {a: {mass: 1, inertia: 1}}\nforces:\n" FIRST_LINE "    stiffness: 1" keys "}\n",  \
                   message);                                                                                           \
  }

REFUSED_CONTACT(shapes, "",
                "text.yaml:4:3: error: force 'c' needs 'radii' of two circles, or a 'line' or 'curve' on the first "
                "body\n" FIRST_LINE "  ^")

REFUSED_CONTACT(a_line_with_two_radii, ", line: [1, 0], radii: [1, 1]",
                "text.yaml:5:33: error: 'radii' in force 'c' cannot stand beside 'line' or 'curve'\n"
                "    stiffness: 1, line: [1, 0], radii: [1, 1]}\n"
                "                                ^\n"
                "replace 'radii' by 'radius', that of the circle on the second body")

REFUSED_CONTACT(circles_with_one_radius, ", radii: [1, 1], radius: 1",
                "text.yaml:5:34: error: 'radius' in force 'c' cannot stand beside 'radii'\n"
                "    stiffness: 1, radii: [1, 1], radius: 1}\n"
                "                                 ^\n"
                "remove 'radius': 'radii' gives the radii of both circles")

REFUSED_CONTACT(restitution_without_the_speed, ", radii: [1, 1], restitution: 0.5",
                "text.yaml:5:34: error: 'restitution' in force 'c' needs 'impact_speed' beside it\n"
                "    stiffness: 1, radii: [1, 1], restitution: 0.5}\n"
                "                                 ^")

REFUSED_CONTACT(restitution_and_damping, ", radii: [1, 1], damping: 1, restitution: 0.5, impact_speed: 1",
                "text.yaml:5:34: error: force 'c' has 'damping' and 'restitution'\n"
                "    stiffness: 1, radii: [1, 1], damping: 1, restitution: 0.5, impact_speed: 1}\n"
                "                                 ^\n"
                "keep one of the two")

REFUSED_CONTACT(friction_that_jumps_at_rest, ", radii: [1, 1], friction: 0.5",
                "text.yaml:5:34: error: 'friction' in force 'c' needs 'slip_speed' beside it\n"
                "    stiffness: 1, radii: [1, 1], friction: 0.5}\n"
                "                                 ^")

REFUSED_CONTACT(two_points, ", radii: [0, 0]",
                "text.yaml:4:3: error: contact 'c': two points never meet: give one of them a radius\n" FIRST_LINE
                "  ^")

REFUSED_CONTACT(an_impact_that_gains, ", radii: [1, 1], restitution: 1.5, impact_speed: 1",
                "text.yaml:4:3: error: contact 'c': its restitution 1.5 must be above 0 (0 would need infinite "
                "damping) and at most 1\n" FIRST_LINE "  ^")
