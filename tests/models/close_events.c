/* Events that are next to each other, or at an end of a step, a row or the run: each is taken once, whatever the scale.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/model_run.h"

static const struct {
  const char *name;
  int order;
} methods[] = {{"erk", 8}, {"erk", 5}, {"erk", 4}, {"radau", 8}, {"ida", 8}, {"cvode", 8}};
enum { n_methods = sizeof methods / sizeof *methods, n_onestep = 4 };

static model_run begin(const char *text, int method, double largest_step) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = methods[method].name;
  options.order = methods[method].order;
  options.largest_step = largest_step;
  return model_run_begin(text, NULL, &options, NAN);
}

/* ---- Two balls, and a wall ---- */

/* Equal balls exchange their velocities; the wall is as far from the second one as twice the gap. */
static void expect_balls(double gap, double v, double end, bool has_wall, int method) {
  char text[900];
  const double r = 0.1;
  snprintf(text, sizeof text,
           "seam: 1\nbodies:\n  b1: {mass: 1, inertia: 0.004, velocity: [%.17g, 0]}\n"
           "  b2: {mass: 1, inertia: 0.004, at: [%.17g, 0]}\nforces:\n"
           "  hit: {type: contact, bodies: [b1, b2], at: [[0, 0], [%.17g, 0]], radii: [%g, %g], hard: true, "
           "restitution: 1}\n%s",
           v, 2 * r + gap, 2 * r + gap, r, r, has_wall ? "" : "simulate: {end: 1}\n");
  if (has_wall) {
    char wall[300];
    snprintf(
        wall, sizeof wall,
        "  wall: {type: contact, bodies: [ground, b2], at: {ground: [%.17g, 0], b2: [0, 0]}, line: [0, 1], radius: "
        "%g, hard: true, restitution: 1}\nsimulate: {end: 1}\n",
        3 * r + 3 * gap, r);
    strcat(text, wall);
  }
  const double first = gap / v;
  const double back = 5 * first;
  model_run run = begin(text, method, end / 100);
  mbs_integrator_set_stop(run.integrator, end);
  for (int i = 1; i <= 100 && run.status == SEAM_OK; i++)
    model_run_advance(&run, i < 100 ? i * (end / 100) : end);
  cr_expect_eq(run.status, SEAM_OK, "gap %g, %g m/s, end %g, %s %d: %s", gap, v, end, methods[method].name,
               methods[method].order, run.error.message);
  double moved = v * (end - first);
  if (has_wall && moved > 2 * gap)
    moved = 4 * gap - moved;
  const bool is_back = has_wall && end > back;
  const double x1 = is_back ? gap - v * (end - back) : fmin(v * end, gap);
  const double x2 = is_back || end < first ? 0 : moved;
  cr_expect_float_eq(run.state->q[0], x1, 1e-9, "gap %g, %g m/s, end %g: b1 %.12g, not %.12g", gap, v, end,
                     run.state->q[0], x1);
  cr_expect_float_eq(run.state->q[3] - 2 * r - gap, x2, 1e-9, "gap %g, %g m/s, end %g: b2 %.12g, not %.12g", gap, v,
                     end, run.state->q[3] - 2 * r - gap, x2);
  model_run_end(&run);
}

Test(close_events, balls_hit_at_round_times) {
  static const double gaps[] = {0.0025, 0.01, 0.02, 0.05, 0.1};
  static const double speeds[] = {0.5, 1, 2, 4};
  static const double ends[] = {0.1, 0.2, 0.5, 1};
  for (int i = 0; i < 160; i++)
    expect_balls(gaps[i % 5], speeds[i / 5 % 4], ends[i / 20 % 4], i >= 80, i % n_onestep);
}

/* ---- A small box on both corners ---- */

/* Whatever the line's angle, along which gravity has no part: the height at 0.1 s is that of a body with one freedom
 * (an integration of its own). */
Test(close_events, a_small_box_lands_on_two_corners_at_any_angle) {
  const double height = 1.96015331e-3;
  for (int k = 0; k < 40; k++)
    for (int i = 0; i < n_methods; i++) {
      char text[1200];
      const double al = (0.1 + 0.65 * k) * acos(-1) / 180;
      snprintf(
          text, sizeof text,
          "seam: 1\nparameters: {al: %.17g, h: 1e-3, m: 2e-6, k: 10, gap: 3e-3}\n"
          "gravity: [\"-9.81*sin(al)\", \"-9.81*cos(al)\"]\n"
          "bodies: {box: {mass: m, inertia: 2*m*h*h/3, at: [\"(h+gap)*sin(al)\", \"(h+gap)*cos(al)\"], angle: -al}}\n"
          "forces:\n"
          "  c1: {type: contact, bodies: [ground, box], at: {ground: [0, 0], box: [\"-h\", \"-h\"]}, line: "
          "[\"cos(al)\", \"-sin(al)\"], radius: 0, stiffness: k, exponent: 1.5, damping: 0.5}\n"
          "  c2: {type: contact, bodies: [ground, box], at: {ground: [0, 0], box: [\"h\", \"-h\"]}, line: "
          "[\"cos(al)\", \"-sin(al)\"], radius: 0, stiffness: k, exponent: 1.5, damping: 0.5}\n"
          "simulate: {end: 0.1}\n",
          al);
      model_run run = begin(text, i, 1e-3);
      for (int row = 1; row <= 100 && run.status == SEAM_OK; row++)
        model_run_advance(&run, 1e-3 * row);
      cr_expect_eq(run.status, SEAM_OK, "%g rad, %s %d: %s", al, methods[i].name, methods[i].order, run.error.message);
      const double y = run.state->q[0] * sin(al) + run.state->q[1] * cos(al) - 1e-3;
      cr_expect_float_eq(y, height, i < n_onestep ? 2e-9 : 2e-7, "%g rad, %s %d: %.10g m", al, methods[i].name,
                         methods[i].order, y);
      model_run_end(&run);
    }
}

/* ---- A small pendulum between equal stops ---- */

/* Lossless stops on both sides: its energy stays. */
Test(close_events, a_small_pendulum_swings_between_equal_stops) {
  for (int k = 0; k < 80; k++) {
    char text[800];
    const double L = k % 2 == 0 ? 0.01 : 0.001;
    const double a = 0.21 + 0.01 * k;
    snprintf(text, sizeof text,
             "seam: 1\ngravity: [0, -9.81]\nparameters: {L: %g, a: %.17g}\n"
             "bodies: {p: {mass: 1e-3, inertia: 1e-3*L^2/12, at: [\"L*sin(a)\", \"-L*cos(a)\"], angle: a}}\n"
             "joints: {A: {type: revolute, bodies: [ground, p], at: [0, 0]}}\n"
             "forces: {s: {type: stop, of: angle, bodies: [ground, p], lower: -a - 0.1, upper: a + 0.1, "
             "stiffness: 1e-3*9.81*L*20, exponent: 1}}\n"
             "start: {p.omega: \"3*sqrt(9.81/L)\"}\nsimulate: {end: 1}\n",
             L, a);
    model_run run = begin(text, k % n_onestep, 1e-2);
    const double before = mbs_energy_of(run.ws, run.state).total;
    for (int row = 1; row <= 100 && run.status == SEAM_OK; row++)
      model_run_advance(&run, 1e-2 * row);
    cr_expect_eq(run.status, SEAM_OK, "%g m, %g rad, %s %d: %s", L, a, methods[k % n_onestep].name,
                 methods[k % n_onestep].order, run.error.message);
    const double after = mbs_energy_of(run.ws, run.state).total;
    cr_expect_float_eq(after, before, 1e-4 * 1e-3 * 9.81 * L, "%g m, %g rad: %.3g J", L, a, after - before);
    model_run_end(&run);
  }
}

/* ---- Kinks at the very beginning ---- */

static const char *const one_sided[] = {
    "c: {type: contact, bodies: [ground, b], at: [[0, -1], [0, 0]], line: [1, 0], radius: 0.1, stiffness: 1e4}",
    ("c: {type: stop, of: slide, bodies: [ground, b], at: [[0, 0], [0, 0]], axis: [0, 1], lower: -1, stiffness: 1e4, "
     "exponent: 1}"),
    "c: {type: rope, bodies: [ground, b], at: [[0, 10], [0, 0]], length: 10.5, stiffness: 1e4, damping: 0}",
};

Test(close_events, a_law_that_switches_at_the_start_needs_no_step) {
  static const char *const laws[] = {"max(0, sin(10*t))", "if(t > 0, 1, 0)", "sign(sin(10*t))"};
  const double t = 0.1;
  const double exact[] = {t / 10 - sin(10 * t) / 100, t * t / 2, t * t / 2};
  for (int l = 0; l < 3; l++)
    for (int c = 0; c < 3; c++)
      for (int i = 0; i < n_methods; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "seam: 1\ngravity: [0, -9.81]\nbodies: {b: {mass: 1, inertia: 1}}\nforces:\n"
                 "  f: {type: force, body: b, x: \"%s\"}\n  %s\nsimulate: {end: 1}\n",
                 laws[l], one_sided[c]);
        model_run run = begin(text, i, 0.01);
        model_run_advance(&run, t);
        cr_expect_eq(run.status, SEAM_OK, "%s, %.8s, %s: %s", laws[l], one_sided[c], methods[i].name,
                     run.error.message);
        cr_expect_float_eq(run.state->q[0], exact[l], 1e-6, "%s, %.8s, %s: %.10g", laws[l], one_sided[c],
                           methods[i].name, run.state->q[0]);
        model_run_end(&run);
      }
}

/* ---- Kinks that are close beside the time ---- */

static void expect_pulses(double from, double period, int method) {
  char text[500];
  const int n = 200;
  snprintf(text, sizeof text,
           "seam: 1\nbodies: {b: {mass: 1, inertia: 1}}\n"
           "forces: {f: {type: force, body: b, x: \"if(t/%.17g - floor(t/%.17g) < 0.3, 1, 0)/%.17g\"}}\n"
           "simulate: {end: 1}\n",
           period, period, period);
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = methods[method].name;
  options.order = methods[method].order;
  model_run run = model_run_begin(text, NULL, &options, INFINITY);
  run.state->t = from;
  cr_assert_eq(mbs_integrator_start(run.integrator, run.state, &run.error), SEAM_OK, "%s", run.error.message);
  model_run_advance(&run, from + n * period);
  cr_expect_eq(run.status, SEAM_OK, "%g s from %g s on: %s", period, from, run.error.message);
  cr_expect_float_eq(run.state->v[0], 0.3 * n, 0.3 * n * 1e-5, "%g s from %g s on: %.10g", period, from,
                     run.state->v[0]);
  model_run_end(&run);
}

Test(close_events, pulses_of_any_period_count) {
  expect_pulses(0, 1e-9, 0);
  expect_pulses(0, 1e-13, 0);
  expect_pulses(0, 1e3, 3);
  expect_pulses(7e4, 1e-3, 0);
  expect_pulses(7e5, 1e-2, 0);
  expect_pulses(7e5, 1e-2, 4);
}
