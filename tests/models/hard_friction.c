/* Hard friction of joints in model files: what sticks and when it slips, in closed form; mechanisms in which every
 * joint rubs; kinks, subsystems, saved states. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/results/over_run.h"
#include "tests/support/model_run.h"

static const char *const methods[] = {"erk", "radau", "cvode", "ida"};
static const double errors[] = {1e-9, 1e-8, 1e-7, 1e-6};
enum { N_METHODS = 4 };

/* ---- A block on an incline, with gravity turned by atan 0.75 ---- */

#define INCLINE(V, FRICTION)                                                                                           \
  "seam: 1\ngravity: [5.886, -7.848]\n"                                                                                \
  "bodies: {block: {mass: 2, inertia: 0.1, at: [0.1, 0], velocity: [" V ", 0]}}\n"                                     \
  "joints: {rail: {type: prismatic, bodies: [ground, block], at: [0, 0], axis: [1, 0], friction: {" FRICTION "}}}\n"   \
  "simulate: {end: 1}\n"

/* Upwards at 2 m/s it stops after v²/(2 (g sin β + μ g cos β)), and stays. */
Test(hard_friction, a_block_stops_and_stays_where_it_is) {
  const double way = 4 / (2 * (5.886 + 0.8 * 7.848));
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(INCLINE("-2", "coefficient: 0.8, hard: true"), methods[i]);
    cr_expect_eq(model_run_read(&run, "rail.sticks"), 0);
    model_run_reach(&run, 0.2);
    const double place = run.state->q[0];
    cr_expect_float_eq(place, 0.1 - way, 1e-10, "%s: %.3g", methods[i], place - 0.1 + way);
    cr_expect_eq(model_run_read(&run, "rail.sticks"), 1);
    for (int k = 1; k <= 10; k++) {
      model_run_reach(&run, 100 * k);
      cr_expect_eq(run.state->q[0], place, "%s moves by %.3g", methods[i], run.state->q[0] - place);
      cr_expect_float_eq(run.state->v[0], 0, 1e-20, "%s: %.3g", methods[i], run.state->v[0]);
    }
    cr_expect_float_eq(model_run_read(&run, "rail.friction"), -2 * 5.886, 1e-9, "it bears the weight");
    cr_expect_float_eq(mbs_energy_of(run.ws, run.state).dissipated, 0.8 * 2 * 7.848 * way, 1e-8);
    model_run_end(&run);
  }
}

/* tan β = 0.75 is the limit. */
Test(hard_friction, the_limit_of_sticking_is_that_of_the_static_coefficient) {
  model_run below = model_run_by(INCLINE("0", "coefficient: 0.5, static: 0.75000001, hard: true"), "erk");
  model_run above = model_run_by(INCLINE("0", "coefficient: 0.5, static: 0.74999999, hard: true"), "erk");
  model_run_reach(&below, 10);
  model_run_reach(&above, 1);
  cr_expect_eq(below.state->q[0], 0.1);
  cr_expect_float_eq(above.state->q[0], 0.1 + (5.886 - 0.5 * 7.848) / 2, 1e-10);
  model_run_end(&below);
  model_run_end(&above);
}

/* With N = m g it stops after the way
 *   ∫ u du / (g (μ + (μs - μ) exp(-u²/u0²))) = u0²/(2 g μ) (S + ln((μ + (μs - μ) e^-S) / μs)),   S = v²/u0². */
Test(hard_friction, a_block_stops_along_a_steep_stribeck_curve) {
  for (int i = 0; i < 2; i++) /* erk and radau; a step of cvode or ida passes over the curve */
    for (int k = 0; k < 12; k++) {
      const int step = 1 + k / 4;
      const double u0 = pow(10, -5 + k % 4), v = 0.3 * step;
      char text[400];
      snprintf(text, sizeof text,
               "seam: 2\ngravity: [0, -10]\nbodies: {block: {mass: 2, inertia: 0.1, velocity: [%g, 0]}}\n"
               "joints: {rail: {type: prismatic, bodies: [ground, block], at: [0, 0], axis: [1, 0],\n"
               "  friction: {coefficient: 0.2, static: 0.3, stribeck_speed: %g, hard: true}}}\nsimulate: {end: 1}\n",
               v, u0);
      const double S = v * v / (u0 * u0);
      const double way = u0 * u0 / (2 * 10 * 0.2) * (S + log((0.2 + 0.1 * exp(-S)) / 0.3));
      model_run run = model_run_by(text, methods[i]);
      model_run_reach(&run, 1);
      cr_expect_float_eq(run.state->q[0], way, 1e-7, "%s, u0 = %g, v = %g: %.3g", methods[i], u0, v,
                         run.state->q[0] - way);
      cr_expect_eq(model_run_read(&run, "rail.sticks"), 1);
      model_run_end(&run);
    }
}

/* ---- A block that is pushed ---- */

#define PUSHED(FORCE)                                                                                                  \
  "seam: 1\ngravity: [0, -10]\nbodies: {block: {mass: 2, inertia: 0.1}}\n"                                             \
  "joints: {rail: {type: slot, bodies: [ground, block], at: [0, 0], axis: [1, 0],\n"                                   \
  "  friction: {coefficient: 0.2, static: 0.3, hard: true}}}\n"                                                        \
  "forces: {push: {type: force, body: block, x: \"" FORCE "\"}}\nsimulate: {end: 10}\n"

/* It slips from F = 2 t = 0.3 m g on: m x'' = 2 t - 0.2 m g. */
Test(hard_friction, a_growing_force_moves_it_when_the_limit_is_reached) {
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(PUSHED("2*t"), methods[i]);
    model_run_reach(&run, 2.9999);
    cr_expect_eq(run.state->q[0], 0);
    cr_expect_float_eq(model_run_read(&run, "rail.friction"), -2 * 2.9999, 1e-10);
    model_run_reach(&run, 4);
    cr_expect_float_eq(run.state->v[0], 1.5, errors[i], "%s", methods[i]);
    cr_expect_float_eq(run.state->q[0], 7.0 / 6 - 0.5, errors[i], "%s: %.9g", methods[i], run.state->q[0]);
    model_run_end(&run);
  }
}

/* Nothing jumps when a block with one coefficient begins to slip, m s'' = r t - μ N: only rounding is left of r t - μ
 * N, in any direction. */
Test(hard_friction, it_begins_to_slip_when_force_and_friction_cancel) {
  for (int i = 0; i < N_METHODS; i++)
    for (int k = 0; k < 30; k++) {
      const double angle = 0.2 * k;
      const double rate = pow(10, k % 5 - 2);
      const double begin = 0.3 * (2 + 0.1 * k) / rate; /* s */
      char text[800];
      snprintf(text, sizeof text,
               "seam: 2\nparameters: {c: cos(%g), s: sin(%g), r: %g}\n"
               "bodies: {block: {mass: 0.7, inertia: 1, at: [1.7, 2.3]}}\n"
               "joints: {rail: {type: prismatic, bodies: [ground, block], at: [1.7, 2.3], axis: [c, s],\n"
               "  friction: {coefficient: 0.3, preload: %.17g, hard: true}}}\n"
               "forces: {push: {type: force, body: block, x: c*r*t, y: s*r*t}}\nsimulate: {end: %.17g}\n",
               angle, angle, rate, 2 + 0.1 * k, 2 * begin);
      model_run run = model_run_by(text, methods[i]);
      model_run_advance(&run, 2 * begin);
      cr_expect_eq(run.status, SEAM_OK, "%s, %d: %s", methods[i], k, run.error.message);
      const double way = hypot(run.state->q[0] - 1.7, run.state->q[1] - 2.3);
      const double exact = rate * begin * begin * begin / (6 * 0.7);
      cr_expect_float_eq(way, exact, 10 * errors[i] * fmax(1, exact), "%s, %d: %.12g, not %.12g", methods[i], k, way,
                         exact);
      model_run_end(&run);
    }
}

/* Both at a kink of a law of time. */
Test(hard_friction, a_force_that_jumps_frees_it_at_once_and_stops_it_later) {
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(PUSHED("if(t < 1, 5, if(t < 2, 10, 0))"), methods[i]);
    model_run_reach(&run, 1);
    cr_expect_eq(run.state->q[0], 0, "%s", methods[i]);
    model_run_reach(&run, 2);
    cr_expect_float_eq(run.state->v[0], 3, errors[i], "%s", methods[i]);
    model_run_reach(&run, 3.4);
    cr_expect_gt(run.state->v[0], 0.1);
    model_run_reach(&run, 5);
    cr_expect_float_eq(run.state->v[0], 0, 1e-20, "%s", methods[i]);
    cr_expect_float_eq(run.state->q[0], 1.5 + 2.25, errors[i], "%s", methods[i]);
    model_run_end(&run);
  }
}

/* ---- Stick-slip: a mass on a belt of speed V, tied to the ground by a spring ---- */

#define BELT                                                                                                           \
  "seam: 1\ngravity: [0, -9.81]\nbodies:\n  belt: {mass: 1, inertia: 1, velocity: [0.1, 0]}\n"                         \
  "  block: {mass: 1.5, inertia: 0.1, at: [%.17g, 0], velocity: [0.1, 0]}\njoints:\n"                                  \
  "  drive: {type: prismatic, bodies: [ground, belt], at: [0, 0], axis: [1, 0]}\n"                                     \
  "  speed: {type: motion, of: x, body: belt, law: 0.1*t}\n"                                                           \
  "  rub: {type: prismatic, bodies: [belt, block], at: {belt: [0, 0], block: [0, 0]}, axis: [1, 0], angle: 0,\n"       \
  "    friction: {coefficient: 0.2, static: 0.3, hard: true}}\n"                                                       \
  "forces: {spring: {type: spring_damper, bodies: [ground, block], at: {ground: [0, 0], block: [0, 0]},\n"             \
  "  axis: [1, 0], length: 0, stiffness: 12}}\nsimulate: {end: 100}\n"

/* From x° - X with V it sticks for 2 X/V up to x° + X, X = (μ_s - μ) m g/k, and swings about x° = μ m g/k until it has
 * the belt's speed again, for (π + 2 atan(V/(ω X)))/ω. */
Test(hard_friction, stick_slip_has_the_period_of_its_closed_form) {
  const double V = 0.1;
  const double omega = sqrt(12 / 1.5);
  const double X = 0.1 * 1.5 * 9.81 / 12;
  const double middle = 0.2 * 1.5 * 9.81 / 12;
  const double sticks = 2 * X / V;
  const double slips = (acos(-1) + 2 * atan(V / (omega * X))) / omega;
  char text[1200];
  snprintf(text, sizeof text, BELT, middle - X);
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(text, methods[i]);
    const double before = model_run_energy(&run);
    for (int k = 0; k < 10; k++) {
      const double t = k * (sticks + slips);
      model_run_reach(&run, t + sticks / 2);
      cr_expect_float_eq(run.state->q[3], middle, (k + 1) * errors[i], "%s %d", methods[i], k);
      cr_expect_eq(model_run_read(&run, "rub.sticks"), 1);
      model_run_reach(&run, t + sticks + slips / 2);
      cr_expect_float_eq(run.state->v[3], -hypot(V, omega * X), 10 * (k + 1) * errors[i], "%s", methods[i]);
      cr_expect_float_eq(run.state->q[3], middle, (k + 1) * errors[i], "%s %d: %.3g", methods[i], k,
                         run.state->q[3] - middle);
      cr_expect_eq(model_run_read(&run, "rub.sticks"), 0);
    }
    cr_expect_lt(fabs(model_run_imbalance(&run, before)), 10 * errors[i], "%s: %.3g J", methods[i],
                 model_run_imbalance(&run, before));
    cr_expect_lt(mbs_integrator_statistics(run.integrator).steps, 5000, "%s", methods[i]);
    model_run_end(&run);
  }
}

/* A body driven at 1 m/s against v (1 + sin²(60 s)): only the works change, both by the same, so that no balance shows
 * their errors. Before work was under error control erk was off by 1 %, in 103 steps. */
Test(hard_friction, work_is_as_accurate_where_nothing_else_changes) {
  static const char text[] =
      "seam: 1\nbodies: {a: {mass: 1, inertia: 1, velocity: [1, 0]}}\n"
      "joints: {m: {type: motion, of: x, body: a, law: t}}\n"
      "forces: {f: {type: spring_damper, bodies: [ground, a], at: [[-1, 0], [0, 0]], axis: [1, 0], length: 0,\n"
      "  force: \"v*(1 + sin(60*s)^2)\"}}\nsimulate: {end: 20}\n";
  const double exact = 30 - (sin(120 * 21.) - sin(120)) / 240;
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(text, methods[i]);
    model_run_reach(&run, 20);
    for (int k = 0; k < 2; k++)
      cr_expect_float_eq(run.state->work[k], exact, 100 * errors[i], "%s: %.3g J", methods[i],
                         run.state->work[k] - exact);
    model_run_end(&run);
  }
}

/* ---- A slider-crank in which all joints rub: at rest they hold the same thing ---- */

#define CRANK(FRICTION)                                                                                                \
  "seam: 1\ngravity: [0, -9.81]\n"                                                                                     \
  "parameters: {a: 0.2, b: 0.5, phi: 60*deg, px: a*cos(phi), py: a*sin(phi), qx: px + sqrt(b^2 - py^2)}\n"             \
  "points: {O: [0, 0], P: [px, py], Q: [qx, 0]}\nbodies:\n"                                                            \
  "  crank: {rod: [O, P], mass: 1}\n  rod: {rod: [P, Q], mass: 1.5}\n  slider: {mass: 2, inertia: 0.01, at: Q}\n"      \
  "joints:\n"                                                                                                          \
  "  main: {type: revolute, bodies: [ground, crank], at: O, friction: {radius: 0.02, " FRICTION "}}\n"                 \
  "  big_end: {type: revolute, bodies: [crank, rod], at: P, friction: {radius: 0.02, " FRICTION "}}\n"                 \
  "  small_end: {type: revolute, bodies: [rod, slider], at: Q, friction: {radius: 0.02, " FRICTION "}}\n"              \
  "  guide: {type: prismatic, bodies: [ground, slider], at: Q, axis: [1, 0],\n"                                        \
  "    friction: {length: 0.2, " FRICTION "}}\nsimulate: {end: 10}\n"

Test(hard_friction, a_mechanism_comes_to_rest_though_every_joint_would_hold_it) {
  double angle = NAN;
  for (int i = 0; i < 2; i++) {
    model_run run = model_run_by(CRANK("coefficient: 0.1, hard: true"), methods[i]);
    const double energy = model_run_energy(&run);
    model_run_reach(&run, 4);
    const mbs_energy e = mbs_energy_of(run.ws, run.state);
    cr_expect_float_eq(e.total + e.dissipated, energy, 1e-8, "%s: %.3g", methods[i], e.total + e.dissipated - energy);
    cr_expect_gt(e.dissipated, 1);
    cr_expect_float_eq(run.state->v[2], 0, 1e-12, "%s", methods[i]);
    if (i > 0)
      cr_expect_float_eq(run.state->q[2], angle, 1e-7, "%.3g", run.state->q[2] - angle);
    angle = run.state->q[2];
    model_run_reach(&run, 1000);
    cr_expect_float_eq(run.state->q[2], angle, 1e-12, "%s", methods[i]);
    model_run_end(&run);
  }
}

/* As the slip fades ever faster. */
Test(hard_friction, soft_friction_comes_ever_closer_to_it) {
  model_run hard = model_run_by(CRANK("coefficient: 0.1, hard: true"), "erk");
  model_run_reach(&hard, 0.9);
  double before = INFINITY;
  for (int k = 0; k < 4; k++) {
    static const char *const texts[] = {
        CRANK("coefficient: 0.1, slip_speed: 1e-2"), CRANK("coefficient: 0.1, slip_speed: 1e-3"),
        CRANK("coefficient: 0.1, slip_speed: 1e-4"), CRANK("coefficient: 0.1, slip_speed: 1e-5")};
    model_run soft = model_run_by(texts[k], "radau");
    model_run_reach(&soft, 0.9);
    const double distance = fabs(soft.state->q[2] - hard.state->q[2]);
    cr_expect_lt(distance, before / 5, "%d: %.3g, %.3g", k, distance, before);
    before = distance;
    model_run_end(&soft);
  }
  cr_expect_lt(before, 3e-4, "%.3g", before);
  model_run_end(&hard);
}

/* Where the crank begins at a right angle the rod does not turn at first, so that the small end rests without friction
 * until it does; at dead centres the guide rests for a moment. Neither stops the crank. */
#define DEAD_POINTS(DRIVE)                                                                                             \
  "seam: 1\ngravity: [0, -9.81]\nparameters: {r: 0.1, l: 0.3, mu: 0.1}\n"                                              \
  "points: {O: [0, 0], A: [0, r], B: [sqrt(l^2 - r^2), 0]}\n"                                                          \
  "bodies:\n"                                                                                                          \
  "  crank: {rod: [O, A], mass: 1}\n  rod: {rod: [A, B], mass: 2}\n  piston: {mass: 1.5, inertia: 0.01, at: B}\n"      \
  "joints:\n"                                                                                                          \
  "  main: {type: revolute, bodies: [ground, crank], at: O, friction: {coefficient: mu, radius: 0.02, hard: true}}\n"  \
  "  big: {type: revolute, bodies: [crank, rod], at: A, friction: {coefficient: mu, radius: 0.015, hard: true}}\n"     \
  "  small: {type: revolute, bodies: [rod, piston], at: B, friction: {coefficient: mu, radius: 0.01, hard: true}}\n"   \
  "  guide: {type: prismatic, bodies: [ground, piston], at: B, axis: [1, 0],\n"                                        \
  "    friction: {coefficient: mu, length: 0.08, hard: true}}\n" DRIVE "simulate: {end: 3}\n"

Test(hard_friction, what_rests_at_a_dead_point_slips_on) {
  model_run run = model_run_by(DEAD_POINTS("forces: {drive: {type: torque, body: crank, torque: 12}}\n"), "erk");
  const double energy = model_run_energy(&run);
  double least = INFINITY;
  for (int k = 1; k <= 50; k++) {
    model_run_reach(&run, 0.02 * k);
    const mbs_energy e = mbs_energy_of(run.ws, run.state);
    cr_expect_float_eq(e.total + e.dissipated - e.driven, energy, 1e-6 * e.driven, "%g s", 0.02 * k);
    least = k > 5 ? fmin(least, fabs(run.state->v[2])) : least;
  }
  cr_expect_gt(least, 40);
  model_run_end(&run);
}

/* All of it turns around at one time, whatever rounding leaves of single slips. */
Test(hard_friction, a_mechanism_turns_around_as_a_whole) {
  model_run run = model_run_by(DEAD_POINTS("start: {crank.omega: 20}\n"), "erk");
  const double energy = model_run_energy(&run);
  model_run_reach(&run, 3);
  const mbs_energy e = mbs_energy_of(run.ws, run.state);
  cr_expect_float_eq(e.total + e.dissipated, energy, 1e-7);
  model_run_end(&run);
}

/* An eccentric disc, which a motor turns, lifts an arm with a rubbing pin. Where the arm turns around, the contact
 * determines its rate, so the pin must not stick, however inexact the slip is. With P the centre of the disc and the
 * arm's circle at the distance r from the pin, |r u - P| = 0.1 for the direction u of the arm. */
Test(hard_friction, a_pin_does_not_stick_against_a_contact_that_moves_the_joint) {
  static const double tolerances[] = {1e-8, 1e-6, 1e-5, 1e-3};
  const double r = 0.8;
  for (int i = 0; i < 8; i++) {
    mbs_integrator_options options = mbs_default_integrator_options();
    options.method = methods[i / 4];
    options.rtol = tolerances[i % 4];
    model_run run = model_run_begin(
        "seam: 2\ngravity: [0, -9.81]\n"
        "bodies: {arm: {rod: [[0, 0], [1, 0]], mass: 1}, disc: {mass: 2, inertia: 0.01, at: [0.8, -0.1]}}\n"
        "joints:\n"
        "  pin: {type: revolute, bodies: [ground, arm], at: [0, 0],\n"
        "    friction: {coefficient: 0.2, radius: 0.02, hard: true}}\n"
        "  axle: {type: revolute, bodies: [ground, disc], at: [0.8, -0.08]}\n"
        "  motor: {type: motor, bodies: [ground, disc], speed: 2*cos(3*t) + 3}\n"
        "forces: {lift: {type: contact, bodies: [disc, arm], at: {disc: [0, 0], arm: [0.3, 0]}, radii: [0.05, 0.05],\n"
        "  hard: true, friction: 0.1}}\nsimulate: {end: 4}\n",
        NULL, &options, INFINITY);
    for (int k = 1; k <= 8; k++) {
      const double t = 0.5 * k;
      const double turn = 3 * t + 2.0 / 3 * sin(3 * t);
      const double x = 0.8 + 0.02 * sin(turn);
      const double y = -0.08 - 0.02 * cos(turn);
      const double d = hypot(x, y);
      model_run_reach(&run, t);
      const double angle = atan2(y, x) + acos((d * d + r * r - 0.01) / (2 * d * r));
      cr_expect_float_eq(run.state->q[2], angle, 1e-8, "%s, %g: %.3g", methods[i / 4], options.rtol,
                         run.state->q[2] - angle);
    }
    model_run_end(&run);
  }
}

/* ---- Subsystems and saved states ---- */

#define TWO_PARTS                                                                                                      \
  "seam: 1\ngravity: [0, -9.81]\n"                                                                                     \
  "bodies: {arm: {mass: 2, inertia: 0.3, at: [0.7, 0]}, load: {mass: 1, inertia: 0.1, at: [1.4, -0.5]}}\n"             \
  "joints: {pin: {type: revolute, bodies: [ground, arm], at: [0, 0],\n"                                                \
  "  friction: {coefficient: 0.4, radius: 0.3, hard: true}}}\n"                                                        \
  "forces: {tie: {type: bushing, bodies: [arm, load], at: [1.4, 0], stiffness: [900, 900, 10], damping: [9, 9, 1]}}\n" \
  "simulate: {end: 3}\n"                                                                                               \
  "cosim: {subsystems: {one: [arm], two: [load]}, macro_step: 1e-3, scheme: ff-k2-implicit}\n"

Test(hard_friction, it_acts_inside_a_subsystem) {
  model_run run = model_run_by(TWO_PARTS, "erk");
  seam_model_file *file = read_model(TWO_PARTS, NULL);
  cosim_simulation *simulation = NULL;
  seam_error error = {0};
  cr_assert_eq(cosim_create(seam_model_cosim(file), &simulation, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(cosim_start(simulation, run.state, &error), SEAM_OK, "%s", error.message);
  for (int k = 1; k <= 4; k++) {
    for (int i = 0; i < 500; i++)
      cr_assert_eq(cosim_advance(simulation, 1e-3, &error), SEAM_OK, "%s", error.message);
    model_run_reach(&run, 0.5 * k);
    for (int i = 0; i < 6; i++)
      cr_expect_float_eq(cosim_state(simulation)->q[i], run.state->q[i], 1e-6, "%d %d: %.3g", k, i,
                         cosim_state(simulation)->q[i] - run.state->q[i]);
  }
  cosim_destroy(simulation);
  seam_model_file_destroy(file);
  model_run_end(&run);
}

/* Saved while it sticks, and while it slips. */
Test(hard_friction, a_saved_run_goes_on_with_the_same_bits) {
  char text[1200];
  snprintf(text, sizeof text, BELT, 0.1);
  for (int k = 0; k < 12; k++) {
    model_run run = model_run_by(text, "erk");
    model_run other = model_run_by(text, "erk");
    model_run_reach(&run, 0.31 + 0.37 * k);
    const size_t size = mbs_integrator_image_size(run.integrator);
    void *image = malloc(size);
    cr_assert_not_null(image);
    mbs_integrator_save(run.integrator, image);
    cr_assert_eq(mbs_integrator_restore(other.integrator, image, size, &other.error), SEAM_OK, "%s",
                 other.error.message);
    model_run_reach(&run, 6);
    model_run_reach(&other, 6);
    cr_expect_arr_eq(run.state->q, other.state->q, 12 * sizeof(double), "%d", k);
    free(image);
    model_run_end(&run);
    model_run_end(&other);
  }
}

/* ---- Joints that let each other go ---- */

#define CHAIN(LAW)                                                                                                     \
  "seam: 1\ngravity: [0, -9.81]\n"                                                                                     \
  "bodies:\n"                                                                                                          \
  "  a: {rod: [[0, 1.5], [0.4569, 1.157798]], mass: 2.033}\n"                                                          \
  "  b: {rod: [[0.4569, 1.157798], [0.94077, 1.351384]], mass: 1.246}\n"                                               \
  "  c: {rod: [[0.94077, 1.351384], [1.466073, 1.111906]], mass: 0.74}\n"                                              \
  "  d: {rod: [[1.466073, 1.111906], [1.810237, 0.851242]], mass: 2.569}\n"                                            \
  "joints:\n"                                                                                                          \
  "  o: {type: revolute, bodies: [ground, a], at: [0, 1.5]}\n"                                                         \
  "  j: {type: revolute, bodies: [a, b], at: [0.4569, 1.157798],\n"                                                    \
  "    friction: {coefficient: 0.17, radius: 0.015, " LAW "}}\n"                                                       \
  "  k: {type: revolute, bodies: [b, c], at: [0.94077, 1.351384],\n"                                                   \
  "    friction: {coefficient: 0.39, radius: 0.081, " LAW "}}\n"                                                       \
  "  l: {type: revolute, bodies: [c, d], at: [1.466073, 1.111906]}\nsimulate: {end: 1}\n"

/* At the start two joints cannot hold: each goes another way than it would if the other one held. */
Test(hard_friction, a_joint_that_is_let_go_may_turn_back_when_another_one_is) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.rtol = 1e-9;
  model_run hard = model_run_begin(CHAIN("hard: true"), NULL, &options, INFINITY);
  model_run soft = model_run_begin(CHAIN("slip_speed: 1e-6"), NULL, &options, INFINITY);
  const double before = model_run_energy(&hard);
  for (int i = 1; i <= 6; i++) {
    model_run_reach(&hard, 0.05 * i);
    model_run_reach(&soft, 0.05 * i);
    for (int k = 0; k < 12; k++)
      cr_expect_float_eq(hard.state->q[k], soft.state->q[k], 2e-5, "%d, %d: %g", i, k,
                         hard.state->q[k] - soft.state->q[k]);
  }
  cr_expect_lt(model_run_imbalance(&hard, before), 1e-7);
  model_run_end(&hard);
  model_run_end(&soft);
}

/* The first row: what rests at the start sticks, or slips the way it begins to, with the forces that follow. */
Test(hard_friction, a_start_knows_what_sticks_and_what_slips_at_once) {
  static const double coefficients[] = {0.3, 30};
  for (int k = 0; k < 2; k++) {
    char text[500];
    snprintf(text, sizeof text,
             "seam: 1\ngravity: [0, -9.81]\n"
             "bodies: {a: {rod: [[0, 0], [1, 0]], mass: 1}, b: {rod: [[1, 0], [2, 0]], mass: 1}}\n"
             "joints:\n"
             "  A: {type: revolute, bodies: [ground, a], at: [0, 0],\n"
             "      friction: {coefficient: %g, radius: 0.05, hard: true}}\n"
             "  B: {type: revolute, bodies: [a, b], at: [1, 0]}\n"
             "simulate: {end: 1}\n",
             coefficients[k]);
    model_run run = model_run_by(text, "erk");
    model_run next = model_run_by(text, "erk");
    model_run_reach(&next, 1e-7);
    cr_expect_eq(model_run_read(&run, "A.friction"), 0, "nothing is known of it before");
    cr_assert_eq(mbs_begin_friction(run.ws, run.state, &run.error), SEAM_OK, "%s", run.error.message);
    static const char *const names[] = {"A.friction", "A.sticks", "B.fx", "B.fy", "a.alpha", "b.alpha"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      cr_expect_float_eq(model_run_read(&run, names[i]), model_run_read(&next, names[i]), 1e-5, "%g: %s is %g, not %g",
                         coefficients[k], names[i], model_run_read(&run, names[i]), model_run_read(&next, names[i]));
    cr_expect_eq(model_run_read(&run, "A.sticks"), k);
    cr_expect_gt(fabs(model_run_read(&run, "A.friction")), 0.01);
    model_run_end(&run);
    model_run_end(&next);
  }
}

/* A load m on a slide m' goes up a mast by 0.1 m/s; its inertia at the height s presses the guide of length L, and
 * (m' + m) a = P - 2 μ m |a| s/L has no solution where 2 μ m s/L comes to m' + m, at t = 1.6 s. */
Test(hard_friction, what_jams_on_the_way_is_a_failure_of_the_run) {
  static const char *const jam = "seam: 1\ngravity: [0, 0]\n"
                                 "bodies:\n"
                                 "  slide: {mass: 0.1, inertia: 0.01, at: [0, 0], velocity: [10, 0]}\n"
                                 "  load: {mass: 2, inertia: 0.1, at: [0, 0.05], velocity: [10, 0.1]}\n"
                                 "joints:\n"
                                 "  guide: {type: prismatic, bodies: [ground, slide], at: [0, 0], axis: [1, 0],\n"
                                 "    friction: {coefficient: 0.5, length: 0.2, hard: true}}\n"
                                 "  mast: {type: prismatic, bodies: [slide, load], at: [0, 0], axis: [0, 1]}\n"
                                 "forces: {push: {type: force, body: slide, at: [0, 0], x: -0.1}}\n";
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(jam, methods[i]);
    model_run_reach(&run, 1.5);
    model_run_advance(&run, 5);
    cr_expect_eq(run.status, SEAM_BECAME_SINGULAR, "%s: %s", methods[i], run.error.message);
    cr_expect_eq(run.error.status, run.status, "%s", methods[i]);
    cr_expect(run.state->t > 1.59 && run.state->t < 1.6, "%s: %g", methods[i], run.state->t);
    cr_expect_not_null(strstr(run.error.message,
                              "s: the friction of joint 'guide' depends on reactions that depend on this friction"));
    cr_expect_not_null(strstr(run.error.message, "the mechanism jams; reduce its coefficient"));
    model_run_end(&run);
  }
}

/* At 2 L/T on a slide with μ = 0.3 a block stops after 2²/(2 9.81 μ) L. */
Test(hard_friction, a_block_stops_in_any_units) {
  static const double units[][2] = {{1, 1}, {1e6, 1}, {1e5, 1}, {1e-9, 1}, {1, 1e-9}, {1e-6, 1e6}};
  for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
    char text[500];
    snprintf(
        text, sizeof text,
        "seam: 2\nparameters: {L: %g, T: %g}\ngravity: [0, -9.81*L/T^2]\n"
        "bodies: {b: {mass: 1, inertia: L^2, velocity: [2*L/T, 0]}}\n"
        "joints: {p: {type: prismatic, bodies: [ground, b], at: [0, 0], axis: [1, 0], friction: {coefficient: 0.3, "
        "hard: true}}}\nsimulate: {end: 2*T}\n",
        units[u][0], units[u][1]);
    model_run run = model_run_begin(text, NULL, NULL, NAN);
    model_run_reach(&run, 2 * units[u][1]);
    const double x = run.state->q[0] / units[u][0];
    cr_expect_float_eq(x, 4 / (2 * 9.81 * 0.3), 1e-9, "L = %g, T = %g: %.12g", units[u][0], units[u][1], x);
    model_run_end(&run);
  }
}

/* ---- A block of 1 kg on a spring, with friction that grows from μ = 0.2 to μ_s = 0.4 towards a stop ---- */

#define SPRING(V, S, LOAD)                                                                                             \
  "seam: 2\ngravity: [0, -9.81]\nbodies: {a: {mass: 1, inertia: 1, velocity: [" V ", 0]}}\n"                           \
  "joints: {j: {type: prismatic, bodies: [ground, a], at: [0, 0], axis: [1, 0], friction: {coefficient: 0.2, "         \
  "static: 0.4, stribeck_speed: " S ", hard: true}}}\n"                                                                \
  "forces: {s: {type: spring_damper, bodies: [ground, a], at: [[-1, 0], [0, 0]], axis: [1, 0], " LOAD "}}\n"           \
  "measures: {q: j.friction}\n"

static const double mu = 0.2, mu_s = 0.4, weight = 9.81;

/* Returns x where it stops: dx/dv = v/a(x, v) from v to 0, by the method of Runge and Kutta; its error is below 1e-10.
 */
static double stop_of(double v, double stribeck_speed, double stiffness) {
  enum { N = 10000 };
  const double h = -v / N;
  double x = 0;
  for (int i = 0; i < N; i++) {
    double slope = 0;
    double sum = 0;
    for (int k = 0; k < 4; k++) {
      const double part = k == 0 ? 0 : k == 3 ? h : h / 2;
      const double at = v + i * h + part;
      const double grip = mu + (mu_s - mu) * exp(-at * at / (stribeck_speed * stribeck_speed));
      slope = at / (-stiffness * (x + part * slope) - grip * weight);
      sum += (k == 0 || k == 3 ? 1.0 / 6 : 1.0 / 3) * slope;
    }
    x += h * sum;
  }
  return x;
}

/* Slipping it is held back by up to μ_s m g, then it sticks, and friction bears the spring. It never slips back: the
 * friction would have the other sign. An error in u at the stop once made it slip back for an instant. */
Test(hard_friction, a_block_that_stops_does_not_slip_back) {
  static const double speeds[] = {0.002, 0.008896, 0.03, 0.1};
  static const double tolerances[] = {1e-3, 3e-4, 9.4e-5, 3e-5, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};
  static const int orders[] = {4, 5, 8};
  const mbs_quantity friction = {MBS_MEASURES, 0, 0};
  for (size_t i = 0; i < 4 * 9 * 3 * 2; i++) {
    const double speed = speeds[i % 4];
    const int way = i % 8 < 4 ? 1 : -1;
    mbs_integrator_options options = mbs_default_integrator_options();
    options.rtol = tolerances[i / 8 % 9];
    options.order = orders[i / 72];
    char text[800];
    snprintf(text, sizeof text, SPRING("%.17g", "%.17g", "stiffness: 496.7"), way * 0.2127, speed);
    model_run run = model_run_begin(text, NULL, &options, INFINITY);
    seam_over_run *over_run = NULL;
    cr_assert_eq(seam_over_run_create(seam_model_mechanism(run.file), &friction, 1, &over_run, NULL), SEAM_OK);
    mbs_integrator_set_reader(run.integrator, run.ws);
    seam_over_run_sample_steps(over_run, run.integrator, run.ws, 1e-3);
    model_run_reach(&run, 0.2);
    cr_assert_eq(seam_over_run_end(over_run, 0.2, NULL), SEAM_OK);
    const double bears = 496.7 * stop_of(0.2127, speed, 496.7);
    const double holds = way * seam_over_run_of(over_run, 0, way > 0 ? SEAM_MAX : SEAM_MIN).value;
    cr_expect_float_eq(holds, bears, 30 * options.rtol * bears, "speed %g, rtol %g, order %d: %.9g of %.9g", speed,
                       options.rtol, options.order, holds, bears);
    cr_expect_float_eq(way * model_run_read(&run, "j.friction"), bears, 30 * options.rtol * bears);
    seam_over_run_destroy(over_run);
    model_run_end(&run);
  }
}

/* Its spring is pulled at V = 0.1102 m/s. It slips when k V t = μ_s m g, only forwards, and the pull then rises by at
 * most V √(k m), as it would at constant friction. In a step of 0.0154 s of rk4, too long for the first slip, u falls
 * below zero at once, and the block was said to switch without end. */
Test(hard_friction, a_step_that_is_too_long_for_the_first_slip_is_taken_in_parts) {
  const double V = 0.1102;
  const double k = 285;
  const double slips = mu_s * weight / (k * V);
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = "rk4";
  options.step = 0.0154;
  model_run run = model_run_begin(SPRING("0", "0.00803", "force: \"-285*(s - 0.1102*t)\""), NULL, &options, INFINITY);
  model_run_reach(&run, slips - 1e-6);
  cr_expect_eq(model_run_read(&run, "j.sticks"), 1);
  for (int i = 1; i <= 100; i++) {
    const double before = run.state->q[0];
    model_run_reach(&run, slips + 0.1 * i);
    const double pull = k * (V * run.state->t - run.state->q[0]);
    cr_expect_geq(run.state->q[0], before - 1e-3 * V * 0.1, "%g s", run.state->t);
    cr_expect_lt(fabs(pull), mu_s * weight + V * sqrt(k), "%g s: %.9g N", run.state->t, pull);
  }
  cr_expect_gt(run.state->q[0], 0.9 * V * 10);
  model_run_end(&run);
}
