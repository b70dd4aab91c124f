/* Hard contacts that stick on curves: they stay where they are, and wheels roll the way that they turn. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <seam/curves.h>

#include "tests/support/model_run.h"

static const double pi = 3.14159265358979323846;

/* A block on two feet in a hollow, with gravity turned, and a pendulum that swings on it and loads its feet in turn. */
static const char *const block =
    "seam: 1\ngravity: [1, -9.81]\ncurves: {hollow: {x: s, y: 0.3*s^2 + 0.2*s^3, from: -2, to: 2}}\n"
    "bodies: {block: {mass: 2, inertia: 0.1, at: [0, 0.2]}, bob: {mass: 0.3, inertia: 0.01, at: [0.4, 0.2]}}\n"
    "joints: {pin: {type: revolute, bodies: [block, bob], at: [0, 0.2]}}\n"
    "forces:\n"
    "  left: {type: contact, bodies: [ground, block], curve: hollow, at: {block: [-0.3, -0.2 + 0.027 - 0.0054]},\n"
    "    hard: true, friction: 0.8}\n"
    "  right: {type: contact, bodies: [ground, block], curve: hollow, at: {block: [0.3, -0.2 + 0.027 + 0.0054]},\n"
    "    hard: true, friction: 0.8}\nsimulate: {end: 1000}\n";

Test(sticking_on_curves, a_block_in_a_hollow_stays_for_a_thousand_seconds) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.atol = 1e-10;
  model_run run = model_run_begin(block, NULL, &options, INFINITY);
  double start[3];
  memcpy(start, run.state->q, sizeof start);
  const double before = mbs_energy_of(run.ws, run.state).total;
  for (int i = 1; i <= 10; i++) {
    model_run_reach(&run, 100 * i);
    for (int k = 0; k < 3; k++)
      cr_expect_float_eq(run.state->q[k], start[k], 1e-13, "%d: %g", k, run.state->q[k] - start[k]);
  }
  cr_expect_lt(model_run_imbalance(&run, before), 1e-7);
  model_run_end(&run);
}

/* One foot in a hollow: a rod sways about it. */
Test(sticking_on_curves, a_foot_that_sticks_stays_while_its_body_sways) {
  mbs_integrator_options options = mbs_default_integrator_options();
  model_run run =
      model_run_begin("seam: 1\ngravity: [0.5, -9.81]\ncurves: {hollow: {x: s, y: cosh(s) - 1, from: -2, to: 2}}\n"
                      "bodies: {rod: {mass: 2, inertia: 0.1, at: [0, 0.3]}}\n"
                      "forces:\n"
                      "  hold: {type: spring_damper, bodies: [ground, rod], at: {ground: [0, 1.5], rod: [0, 0.3]},\n"
                      "    stiffness: 20, length: 0.6}\n"
                      "  foot: {type: contact, bodies: [ground, rod], curve: hollow, at: {rod: [0, -0.3]},\n"
                      "    hard: true, friction: 2}\nsimulate: {end: 300}\n",
                      NULL, &options, INFINITY);
  double sway = 0;
  for (int i = 1; i <= 3000; i++) {
    model_run_reach(&run, 0.1 * i);
    const double *q = run.state->q;
    sway = fmax(sway, fabs(q[2]));
    cr_assert_float_eq(q[0] + 0.3 * sin(q[2]), 0, 1e-13, "%g s: %g", 0.1 * i, q[0] + 0.3 * sin(q[2]));
    cr_assert_float_eq(q[1] - 0.3 * cos(q[2]), 0, 1e-13);
  }
  cr_expect_gt(sway, 0.05);
  model_run_end(&run);
}

/* ---- Wheels ---- */

/* Along y = 0.1 sin(3 s) from 0 to s: Simpson's rule. */
static double length_of_road(double s) {
  enum { N = 4000 };
  double sum = 0;
  for (int i = 0; i <= N; i++) {
    const double slope = 0.3 * cos(3 * s * i / N);
    sum += (i == 0 || i == N ? 1 : 2 + 2 * (i % 2)) * sqrt(1 + slope * slope);
  }
  return sum * s / (3 * N);
}

/* r φ - r θ + σ is constant, θ the slope at the foot; sense: of the curve along x. */
static double creep_on_road(const model_run *run, double sense) {
  const mbs_model *model = NULL;
  double s;
  double d[2];
  cr_assert_eq(seam_model_whole(run->file, &model, NULL), SEAM_OK);
  mbs_curve_distance(model, 0, run->state->q, &s);
  mbs_curve_at(model, 0, s, NULL, d, NULL, NULL);
  return 0.1 * run->state->q[2] - 0.1 * atan2(sense * d[1], sense * d[0]) + sense * length_of_road(s);
}

Test(sticking_on_curves, a_wheel_on_a_wavy_road_rolls_the_way_it_turns) {
  static const char *const sides[] = {"x: s, y: 0.1*sin(3*s), from: -6, to: 6",
                                      "x: -s, y: -0.1*sin(3*s), from: -6, to: 6"};
  for (int i = 0; i < 2; i++) {
    char text[900];
    mbs_integrator_options options = mbs_default_integrator_options();
    snprintf(text, sizeof text,
             "seam: 1\ngravity: [0, -30]\ncurves: {road: {%s}}\n"
             "bodies: {wheel: {mass: 2, inertia: 0.01, at: [0.5, 0.2]}}\n"
             "forces:\n"
             "  pull: {type: spring_damper, bodies: [ground, wheel], at: {ground: [-1, 0.4], wheel: [0, 0]},\n"
             "    stiffness: 6, length: 0}\n"
             "  tyre: {type: contact, bodies: [ground, wheel], curve: road, at: {wheel: [0, 0]}, radius: 0.1,\n"
             "    side: %s, hard: true, friction: 3}\nsimulate: {end: 100}\n",
             sides[i], i == 0 ? "left" : "right");
    model_run run = model_run_begin(text, NULL, &options, INFINITY);
    while (model_run_read(&run, "tyre.mode") != 4) /* it falls first */
      model_run_reach(&run, run.state->t + 0.05);
    const double sense = i == 0 ? 1 : -1;
    const double first = creep_on_road(&run, sense);
    double least = INFINITY;
    double most = -INFINITY;
    for (int k = 1; k <= 2000; k++) {
      model_run_reach(&run, 1 + 0.05 * k);
      cr_assert_eq(model_run_read(&run, "tyre.mode"), 4, "%g s", run.state->t);
      cr_assert_eq(model_run_read(&run, "tyre.impacts"), 1, "%g s", run.state->t);
      const double creep = creep_on_road(&run, sense) - first;
      cr_assert_float_eq(creep, 0, 1e-12, "%g s: %g", run.state->t, creep);
      least = fmin(least, run.state->q[0]);
      most = fmax(most, run.state->q[0]);
    }
    cr_expect_gt(most - least, 1);
    model_run_end(&run);
  }
}

/* Along the ellipse from 0 to s: trapezoidal sums are exact over whole turns, and Simpson's rule has the rest. */
static double length_of_egg(double s) {
  enum { N = 4000 };
  double sum = 0;
  for (int i = 0; i <= N; i++)
    sum += (i == 0 || i == N ? 1 : 2 + 2 * (i % 2)) * hypot(0.5 * sin(s * i / N), 0.4 * cos(s * i / N));
  return sum * s / (3 * N);
}

/* Around an ellipse, within and without, again and again: r φ = r θ ± σ, where it begins at s = 0. */
Test(sticking_on_curves, a_wheel_rolls_around_a_closed_curve_again_and_again) {
  for (int inside = 0; inside < 2; inside++) {
    char text[900];
    mbs_integrator_options options = mbs_default_integrator_options();
    snprintf(text, sizeof text,
             "seam: 1\ncurves: {egg: {x: 0.5*cos(s), y: 0.4*sin(s), from: 0, to: 2*pi, closed: true}}\n"
             "bodies: {wheel: {mass: 2, inertia: 0.01, at: [%s, 0], rate: %s, velocity: [0, 3]}}\n"
             "forces:\n"
             "  pull: {type: spring_damper, bodies: [ground, wheel], at: {ground: [0, 0], wheel: [0, 0]},\n"
             "    stiffness: %s, length: 0}\n"
             "  rim: {type: contact, bodies: [ground, wheel], curve: egg, at: {wheel: [0, 0]}, radius: 0.1,\n"
             "    side: %s, hard: true, friction: 3}\nsimulate: {end: 10}\n",
             inside ? "0.4" : "0.6", inside ? "-30" : "30", inside ? "1" : "200", inside ? "inside" : "outside");
    model_run run = model_run_begin(text, NULL, &options, INFINITY);
    const mbs_model *model = NULL;
    cr_assert_eq(seam_model_whole(run.file, &model, NULL), SEAM_OK);
    const double perimeter = length_of_egg(2 * pi);
    double last = 0;
    double s = 0; /* without its jumps */
    for (int i = 1; i <= 2000; i++) {
      double now;
      double d[2];
      model_run_reach(&run, 0.005 * i);
      cr_assert_eq(model_run_read(&run, "rim.mode"), 4, "%g s", run.state->t);
      mbs_curve_distance(model, 0, run.state->q, &now);
      s += remainder(now - last, 2 * pi);
      last = now;
      const double turns = floor(s / (2 * pi));
      mbs_curve_at(model, 0, now, NULL, d, NULL, NULL);
      const double rest = s - 2 * pi * turns;
      const double way = perimeter * turns + length_of_egg(rest);
      const double theta = 2 * pi * turns + rest + remainder(atan2(d[1], d[0]) - pi / 2 - rest, 2 * pi);
      const double creep = 0.1 * run.state->q[2] - 0.1 * theta - (inside ? -1 : 1) * way;
      cr_assert_float_eq(creep, 0, 1e-12, "%g s: %g", run.state->t, creep);
    }
    cr_expect_gt(s, 2 * pi * 5);
    model_run_end(&run);
  }
}

/* Saved while it sticks: the way goes with the state. */
Test(sticking_on_curves, an_image_keeps_the_way_to_the_bit) { model_run_expect_same_end(block, 3, 20); }
