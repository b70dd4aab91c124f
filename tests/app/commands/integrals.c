/* `over_run: [integral]` of a power that jumps against the work that the balance of energy counts, which the integrator
 * integrates by itself: at samples, at contacts and impacts, at stops, at any distance of rows. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/command.h"
#include "tests/support/run_results.h"

TestSuite(integrals, .init = enter_scratch, .fini = leave_scratch);

/* A sampled torque swings a double pendulum. */
static const char *const sampled =
    "seam: 1\n"
    "bodies:\n  a: {mass: 1, inertia: 0.1, at: [0.5, 0]}\n  b: {mass: 1, inertia: 0.1, at: [1.5, 0]}\n"
    "joints:\n  p: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
    "  q: {type: revolute, bodies: [a, b], at: [1, 0]}\n"
    "forces: {drive: {type: torque, body: a, torque: control.u}}\n"
    "equations:\n  control:\n    sample: 0.05\n    inputs: {w: a.omega, phi: a.phi}\n    states: {s: 0}\n"
    "    updates: {s: -phi}\n    outputs: {u: 14.7 - 3*w - 20*phi + 2*s}\n"
    "measures: {power: {expression: drive.power, over_run: [min, max, integral]}}\n"
    "simulate: {end: 1}\n"
    "cosim: {subsystems: {one: [a], two: [b]}, macro_step: 0.01, scheme: ff-colloc-s3}\n";

static double figure(const char *measure, const char *which, const char *what) {
  char path[100];
  snprintf(path, sizeof path, "/measures/%s/%s/%s", measure, which, what);
  return json_number_at("out/summary.json", path);
}

/* The integral is this work, but for `largest` of it, and says what it leaves open. */
static void expect_work(outcome run, double work, double largest) {
  cr_assert_eq(run.exit_status, 0, "%s", run.err);
  const double off = fabs(figure("power", "integral", "value") - work);
  cr_expect_leq(off, largest * fabs(work), "%.17g J, integral off by %g", work, off);
  cr_expect_leq(off, figure("power", "integral", "uncertainty") + 1e-8 * fabs(work), "off by %g", off);
  outcome_free(&run);
}

#define EXPECT_DRIVEN(largest, ...)                                                                                    \
  do {                                                                                                                 \
    outcome run = SEAM("run", "m.yaml", "-o", "out", __VA_ARGS__);                                                     \
    expect_work(run, csv_last("out/trajectory.csv", "energy.driven"), largest);                                        \
  } while (0)

static const char *const distances[] = {"0.001", "0.0333", "0.05", "1"};

Test(integrals, of_a_sampled_torques_power_is_its_work) {
  static const char *const methods[] = {"erk", "radau", "ida", "cvode"};
  write_text("m.yaml", sampled);
  for (size_t i = 0; i < sizeof distances / sizeof *distances; i++)
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
      EXPECT_DRIVEN(1e-8, "--output-step", distances[i], "--integrator", methods[k], "--rtol", "1e-11");
  EXPECT_DRIVEN(1e-8, "--output-step", "0.0333", "--integrator", "rk4", "--step", "1e-3");
}

/* A constant torque between samples: u = 3 (5 - w) at each, W = ∑ u Δφ, from rest 0.5 w²/2 in the end. */
Test(integrals, of_a_known_torque_are_exact_and_have_both_sides) {
  write_text("m.yaml", "seam: 1\nbodies: {r: {mass: 1, inertia: 0.5}}\n"
                       "joints: {pin: {type: revolute, bodies: [ground, r], at: [0, 0]}}\n"
                       "forces: {drive: {type: torque, body: r, torque: control.u}}\n"
                       "equations: {control: {sample: 0.05, inputs: {w: r.omega}, outputs: {u: 3*(5 - w)}}}\n"
                       "measures: {power: {expression: drive.power, over_run: [max, integral]}}\nsimulate: {end: 1}\n");
  double w = 0;
  double largest = 0;
  for (int k = 0; k < 20; k++) {
    const double u = 3 * (5 - w);
    w += 0.05 * u / 0.5;
    largest = fmax(largest, u * w); /* left of the next sample */
  }
  for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
    expect_work(SEAM("run", "m.yaml", "-o", "out", "--output-step", distances[i]), 0.25 * w * w, 1e-12);
    cr_expect_float_eq(figure("power", "max", "value"), largest, 1e-9);
  }
}

/* The work of a cut run goes by the macro points: of third order with three stages and more, of second with holds of
 * degree 1, whatever the rows. */
Test(integrals, of_a_sampled_torque_converge_when_cut) {
  static const char *const schemes[] = {"cosim.scheme=ff-colloc-s3", "cosim.scheme=ff-index2-k1"};
  static const double largest[] = {1e-7, 1e-5};
  write_text("m.yaml", sampled);
  for (size_t s = 0; s < 2; s++)
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
      EXPECT_DRIVEN(largest[s], "--cosim", "--set", schemes[s], "--output-step", distances[i]);
      EXPECT_DRIVEN(largest[s] / 4, "--cosim", "--set", schemes[s], "--output-step", distances[i], "--macro-step",
                    "0.005");
    }
}

/* A ball that falls on the ground, with what the contact is; something far away hardly pulls. */
static void write_ball(const char *contact) {
  char text[1200];
  snprintf(text, sizeof text,
           "seam: 1\ngravity: [0, -9.81]\npoints: {G: [0, 0], C: [0, 1]}\n"
           "bodies: {ball: {mass: 1, inertia: 0.1, at: C}, far: {mass: 1, inertia: 1, at: [5, 0]}}\n"
           "cosim: {subsystems: {one: [ball], two: [far]}, macro_step: 1e-2, scheme: ff-k1}\n"
           "forces:\n  floor: {type: contact, bodies: [ground, ball], at: [G, C], line: [1, 0], radius: 0.1, %s}\n"
           "  drag: {type: drag, body: ball, density: 1.2, coefficient: 0.5, area: 0.3}\n"
           "  soft: {type: spring_damper, bodies: [ball, far], at: [C, [5, 0]], stiffness: 1e-9}\n"
           "measures:\n  power: {expression: floor.power + drag.power, over_run: [integral]}\n"
           "  force: {expression: floor.force, over_run: [max, integral]}\n"
           "  speed: {expression: ball.vy, over_run: [min, max, integral]}\nsimulate: {end: 1.5}\n",
           contact);
  write_text("m.yaml", text);
}

/* Of the flight steps are long, of the contact short: rows of 0.5 s know neither. */
Test(integrals, of_contacts_are_what_they_dissipate) {
  write_ball("stiffness: 1e6, exponent: 1.5, damping: 0.3");
  for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
    outcome run = SEAM("run", "m.yaml", "-o", "out", "--output-step", distances[i], "--rtol", "1e-10");
    expect_work(run, -csv_last("out/trajectory.csv", "energy.dissipated"), 1e-6);
    const double upwards = figure("force", "integral", "value") - 9.81 * 1.5; /* and drag, which is small */
    cr_expect_float_eq(upwards, csv_last("out/trajectory.csv", "ball.vy"), 0.5);
    cr_expect_gt(figure("force", "max", "value"), 1000);
  }
}

/* Inside a subsystem the ball hits the ground between two macro points: who knows what the force is there. */
Test(integrals, of_what_happens_within_macro_steps_are_doubted) {
  write_ball("stiffness: 1e6, exponent: 1.5, damping: 0.3");
  outcome run = SEAM("run", "m.yaml", "-o", "out", "--cosim");
  cr_expect(has(run.err, " misses contacts, impacts and kinks of subsystems inside macro steps, so that "), "%s",
            run.err);
  char *open = json_at("out/summary.json", "/measures/force/integral/uncertainty");
  cr_expect_str_eq(open, "null");
  free(open);
  outcome_free(&run);
  run = SEAM("run", "m.yaml", "-o", "out", "--cosim", "--end", "0.4");
  cr_expect_not(has(run.err, "note: contacts"), "%s", run.err);
  cr_expect_float_eq(figure("speed", "integral", "value"), -9.81 * 0.08, 0.05);
  cr_expect(isfinite(figure("force", "integral", "uncertainty")));
  outcome_free(&run);
}

/* Velocities jump, and the integral of the force has none of the impulse. */
Test(integrals, of_impacts_end_and_begin_at_them) {
  write_ball("hard: true, restitution: 0.7");
  for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
    outcome run = SEAM("run", "m.yaml", "-o", "out", "--output-step", distances[i], "--rtol", "1e-10");
    const double lost = json_number_at("out/summary.json", "/impacts/floor/energy_lost");
    expect_work(run, lost - csv_last("out/trajectory.csv", "energy.dissipated"), 1e-8);
    cr_expect_float_eq(figure("speed", "integral", "value"), csv_last("out/trajectory.csv", "ball.y") - 1, 1e-9);
    cr_expect_float_eq(figure("speed", "max", "value"), -0.7 * figure("speed", "min", "value"), 1e-9);
    cr_expect_eq(figure("force", "integral", "value"), 0);
  }
}

/* What the integrator knows beyond the stop does not count. */
Test(integrals, end_where_the_run_does) {
  static const char *const stops[] = {"stop={when: 0.55 - ball.y}", "stop={when: ball.vy}"};
  write_ball("hard: true, restitution: 0.7");
  for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
    outcome run = SEAM("run", "m.yaml", "-o", "out", "--output-step", "0.5", "--set", stops[i]);
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    cr_expect_lt(csv_last("out/trajectory.csv", "time"), 0.5);
    cr_expect_float_eq(figure("speed", "integral", "value"), csv_last("out/trajectory.csv", "ball.y") - 1, 1e-9);
    outcome_free(&run);
  }
}

/* ---- What comes back to the same place in every sample ---- */

/* The error of each figure is within its uncertainty, which is `largest` at most. */
static void expect_open(const char *measure, const char *const *which, const double *exact, size_t n, double largest) {
  for (size_t i = 0; i < n; i++) {
    const double off = fabs(figure(measure, which[i], "value") - exact[i]);
    const double open = figure(measure, which[i], "uncertainty");
    cr_expect_leq(off, open + 1e-9, "%s.%s is off by %g, open %g", measure, which[i], off, open);
    cr_expect_leq(open, largest, "%s.%s: open %g", measure, which[i], open);
  }
}

static const char *const figures[] = {"mean", "rms", "min", "max"};

/* A rotor that turns evenly is followed by steps of many turns; slow, by those of a part of one. */
Test(integrals, of_a_fast_rotor_are_open) {
  static const char *const methods[] = {"erk", "radau", "ida"};
  static const double exact[] = {0, 0.70710678118654752, -1, 1};
  write_text("m.yaml", "seam: 1\nparameters: {w: 400*pi}\n"
                       "bodies: {rotor: {mass: 1, inertia: 1, at: [0, 0], rate: w}}\n"
                       "joints: {A: {type: revolute, bodies: [ground, rotor], at: [0, 0]}}\n"
                       "measures: {s: {expression: sin(rotor.phi), over_run: [mean, rms, min, max]}}\n"
                       "simulate: {end: 2, output_step: 0.01}\n");
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    outcome run = SEAM("run", "m.yaml", "-o", "out", "--integrator", methods[i]);
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    expect_open("s", figures, exact, 4, 4);
    outcome_free(&run);
    run = SEAM("run", "m.yaml", "-o", "out", "--integrator", methods[i], "--set", "parameters.w=2*pi");
    expect_open("s", figures, exact, 2, 5e-7);
    expect_open("s", figures + 2, exact + 2, 2, 2e-3);
    outcome_free(&run);
  }
}

/* A load with the period of the macro step, and one a hundred times slower. */
Test(integrals, of_a_load_in_step_with_macro_points_are_open) {
  static const char *const schemes[] = {"cosim.scheme=ff-k1", "cosim.scheme=fd-k1-exchange",
                                        "cosim.scheme=ff-colloc-s3"};
  static const double exact[] = {5, 6.1237243569579452, 0, 10};
  write_text("m.yaml",
             "seam: 1\nparameters: {f: 1000}\n"
             "bodies: {a: {mass: 1, inertia: 1, at: [0, 0]}, b: {mass: 1, inertia: 1, at: [1, 0]}}\n"
             "forces:\n  s: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], stiffness: 10}\n"
             "  r: {type: force, body: a, x: \"10*sin(2*pi*f*t)^2\"}\n"
             "measures: {fx: {expression: r.fx, over_run: [mean, rms, min, max]}}\n"
             "simulate: {end: 2, output_step: 0.01}\n"
             "cosim: {subsystems: {A: [a], B: [b]}, macro_step: 1e-3, scheme: ff-k1}\n");
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    outcome run = SEAM("run", "m.yaml", "-o", "out", "--cosim", "--set", schemes[i]);
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    expect_open("fx", figures, exact, 4, 25);
    outcome_free(&run);
    run = SEAM("run", "m.yaml", "-o", "out", "--cosim", "--set", schemes[i], "--set", "parameters.f=10");
    expect_open("fx", figures, exact, 2, 5e-4);
    expect_open("fx", figures + 2, exact + 2, 2, 0.03);
    outcome_free(&run);
  }
}
