/* Hard contacts in steps of order 1. In symplectic ones rows of contacts act along the directions where a step begins,
 * as those of joints, and energy stays near its first value. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "tests/support/model_run.h"

static model_run begin_by(const char *text, const char *method, double step) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = method;
  options.step = step;
  return model_run_begin(text, NULL, &options, INFINITY);
}

static model_run begin(const char *text, double step) { return begin_by(text, "symplectic_euler", step); }

/* Largest change of the energy up to `end`, of which as much is left within its last quarter as within its first. */
static double swing_of(model_run *run, double from, double to, double before) {
  double most = 0;
  for (int i = 1; i <= 200; i++) {
    model_run_reach(run, from + (to - from) * i / 200);
    most = fmax(most, fabs(model_run_energy(run) - before));
  }
  return most;
}

static const char *const marble =
    "seam: 1\ngravity: [0, -9.81]\n"
    "bodies: {marble: {mass: 2, inertia: 0.01, at: [0.63639610306789, -0.63639610306789]}}\n"
    "forces: {bowl: {type: contact, bodies: [ground, marble], at: {ground: [0, 0], marble: [0, 0]},\n"
    "  radii: [1, 0.1], inside: true, hard: true, friction: %s}}\nsimulate: {end: 100}\n";

/* A marble slides to and fro in a bowl, or rolls there. */
Test(symplectic_contacts, energy_stays_near_its_first_value_where_a_marble_goes_to_and_fro) {
  static const char *const friction[] = {"0", "0.8"};
  for (int i = 0; i < 2; i++) {
    char text[500];
    double swing[2];
    snprintf(text, sizeof text, marble, friction[i]);
    for (int k = 0; k < 2; k++) {
      model_run run = begin(text, k == 0 ? 2e-3 : 1e-3);
      const double before = model_run_energy(&run);
      const double first = swing_of(&run, 0, 10, before);
      swing[k] = swing_of(&run, 90, 100, before);
      cr_expect_lt(swing[k], 1.05 * first, "%s: %g after %g J", friction[i], swing[k], first);
      cr_expect_float_eq(hypot(run.state->q[0], run.state->q[1]), 0.9, 1e-13);
      if (i == 1)
        cr_expect_float_eq(0.1 * run.state->q[2], -0.9 * (atan2(run.state->q[1], run.state->q[0]) + acos(-1) / 4),
                           1e-12);
      model_run_end(&run);
    }
    cr_expect_float_eq(swing[1] / swing[0], 0.5, 0.05, "%s: %g", friction[i], swing[1] / swing[0]);
  }
}

/* Two bars on hinges, the second one on a floor: joints and contact have one set of impulses. */
Test(symplectic_contacts, joints_and_contacts_hold_together) {
  model_run run = begin("seam: 1\ngravity: [0, -9.81]\n"
                        "bodies: {a: {rod: [[0, 1], [0.8, 0.4]], mass: 1}, b: {rod: [[0.8, 0.4], [1.4, 0]], mass: 1}}\n"
                        "joints:\n"
                        "  o: {type: revolute, bodies: [ground, a], at: [0, 1]}\n"
                        "  k: {type: revolute, bodies: [a, b], at: [0.8, 0.4]}\n"
                        "forces:\n"
                        "  foot: {type: contact, bodies: [ground, b], line: [1, 0], at: [[1.4, 0], [1.4, 0]],\n"
                        "    hard: true}\nsimulate: {end: 10}\n",
                        1e-4);
  const double before = model_run_energy(&run);
  for (int i = 1; i <= 20; i++) {
    model_run_reach(&run, 0.05 * i);
    cr_expect_gt(model_run_read(&run, "foot.gap"), -1e-12);
  }
  cr_expect_lt(model_run_imbalance(&run, before), 0.01 * fabs(before));
  model_run_end(&run);
}

/* Each impact turns what a step errs by around: energy is not kept through them, but to the first order. */
Test(symplectic_contacts, impacts_are_of_the_first_order) {
  double off[2];
  for (int k = 0; k < 2; k++) {
    model_run run = begin("seam: 1\ngravity: [0, -10]\n"
                          "bodies: {ball: {mass: 1, inertia: 0.01, at: [0, 1.1]}}\n"
                          "forces: {floor: {type: contact, bodies: [ground, ball], line: [1, 0],\n"
                          "  at: {ground: [0, 0], ball: [0, 0]}, radius: 0.1, hard: true, restitution: 1}}\n"
                          "simulate: {end: 100}\n",
                          k == 0 ? 1e-3 : 5e-4);
    const double before = model_run_energy(&run);
    off[k] = swing_of(&run, 0, 20, before);
    cr_expect_geq(model_run_read(&run, "floor.impacts"), 22);
    model_run_end(&run);
  }
  cr_expect_float_eq(off[1] / off[0], 0.5, 0.02, "%g, %g", off[0], off[1]);
}

/* A ball leaves a table that shakes, a sphere and a loop when its contact force has fallen to zero. Where it is later
 * differs from the exact place by an error of the first order. */
Test(symplectic_contacts, a_contact_opens_when_its_force_has_fallen_to_zero) {
  static const struct {
    const char *method, *bodies, *contact;
    double end;
  } of[] = {{"symplectic_euler",
             "ball: {mass: 2, inertia: 0.01, at: [0, 0], velocity: [0, 1.2]}, table: {mass: 5, inertia: 1, velocity: "
             "[0, 1.2]}",
             "bodies: [table, ball], at: {table: [0, 0], ball: [0, 0]}, line: [1, 0], friction: 0.1", 0.2},
            {"symplectic_euler", "ball: {mass: 2, inertia: 0.01, at: [0, 1.1], velocity: [0.5, 0]}",
             "bodies: [ground, ball], at: {ground: [0, 0], ball: [0, 0]}, radii: [1, 0.1]", 1},
            {"euler", "ball: {mass: 2, inertia: 0.01, at: [0, -1], velocity: [5.86, 0]}",
             "bodies: [ground, ball], at: {ball: [0, 0]}, curve: loop, side: inside", 0.6}};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    char text[800];
    double off[2];
    snprintf(text, sizeof text,
             "seam: 2\ngravity: [0, -9.81]\ncurves: {loop: {polar: '1'}}\nbodies: {%s}\n"
             "forces: {rest: {type: contact, %s, hard: true}}\n%s\nsimulate: {end: 1}\n",
             of[i].bodies, of[i].contact,
             i == 0 ? "joints: {drive: {type: motion, of: y, body: table, law: '0.1*sin(12*t)'}}" : "");
    model_run exact = model_run_by(text, "erk");
    model_run_reach(&exact, of[i].end);
    cr_assert_gt(model_run_read(&exact, "rest.gap"), 1e-3);
    for (int k = 0; k < 2; k++) {
      model_run run = begin_by(text, of[i].method, k == 0 ? 2e-4 : 1e-4);
      model_run_reach(&run, of[i].end);
      off[k] = hypot(run.state->q[0] - exact.state->q[0], run.state->q[1] - exact.state->q[1]);
      model_run_end(&run);
    }
    cr_expect_float_eq(off[1] / off[0], 0.5, 0.1, "%zu: %g, %g", i, off[0], off[1]);
    model_run_end(&exact);
  }
}
