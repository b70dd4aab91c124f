/* Stops and ropes in model files: bounces, falls and throws in closed form, and what is refused. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mbs/output/readout.h"
#include "tests/support/impact.h"
#include "tests/support/model_run.h"

static const double g = 9.81;

/* ---- Stops ---- */

static const char *const coordinates[] = {
    "of: slide, at: [[0, 0], [0, 0]], axis: [1, 0], lower: -0.5, upper: 0.5",
    "of: distance, at: [[-3, 0], [0, 0]], lower: 2.5, upper: 3.5",
    "of: angle, lower: -0.5, upper: 0.5",
};

/* Free for 1 m or rad at 2 m/s or rad/s, and half a period on each linear stop. */
Test(stops, a_body_between_two_stops_is_back_after_each_cycle) {
  static const char *const methods[] = {"erk", "radau"};
  const double cycle = 2 * (0.5 + acos(-1) / sqrt(2e4 / 2));
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < 2; i++) {
      char text[600];
      snprintf(text, sizeof text,
               "seam: 1\nbodies: {b: {mass: 2, inertia: 2, %s}}\n"
               "forces: {s: {type: stop, bodies: [ground, b], %s, stiffness: 2e4, exponent: 1}}\nsimulate: {end: 1}\n",
               c == 2 ? "rate: 2" : "velocity: [2, 0]", coordinates[c]);
      model_run run = model_run_by(text, methods[i]);
      model_run_reach(&run, 3 * cycle);
      const int at = c == 2 ? 2 : 0;
      cr_expect_float_eq(run.state->q[at], 0, 1e-8, "%s, %s: %.3g", methods[i], coordinates[c], run.state->q[at]);
      cr_expect_float_eq(run.state->v[at], 2, 1e-8, "%s, %s: %.3g", methods[i], coordinates[c], run.state->v[at] - 2);
      cr_expect_lt(model_run_imbalance(&run, 4), 1e-8, "%.3g", model_run_imbalance(&run, 4));
      model_run_end(&run);
    }
}

/* At one end, with a restitution: two wagons part at e v. */
Test(stops, an_impact_on_a_stop_keeps_its_restitution) {
  model_run run = model_run_by(
      "seam: 1\nbodies: {a: {mass: 2, inertia: 1, velocity: [3, 0]}, b: {mass: 6, inertia: 1, at: [2, 0]}}\n"
      "forces: {s: {type: stop, of: slide, bodies: [a, b], at: [[0, 0], [2, 0]], axis: [1, 0], lower: 1, "
      "stiffness: 1e6, restitution: 0.4, impact_speed: 3}}\nsimulate: {end: 1}\n",
      "erk");
  model_run_reach(&run, 1);
  cr_expect_float_eq(run.state->v[3] - run.state->v[0], 1.2, 1e-8);
  cr_expect_float_eq(2 * run.state->v[0] + 6 * run.state->v[3], 6, 1e-10);
  cr_expect_float_eq(mbs_energy_of(run.ws, run.state).dissipated, 0.75 * (9 - 1.44), 1e-7);
  model_run_end(&run);
}

/* ---- Derivatives ---- */

static const char beyond[] =
    "seam: 1\nbodies: {a: {mass: 1, inertia: 1, rate: 0.3}, b: {mass: 2, inertia: 1, at: [2, 1], angle: 0.4, velocity: "
    "[0.4, "
    "-0.2], rate: -0.7}}\nforces:\n"
    "  angle: {type: stop, of: angle, bodies: [a, b], lower: 1, upper: 2, stiffness: 3, damping: 0.1}\n"
    "  distance: {type: stop, of: distance, bodies: [a, b], at: [[0.1, 0], [2, 1.1]], upper: 1, stiffness: 3, damping: "
    "0.1}\n"
    "  slide: {type: stop, of: slide, bodies: [a, b], at: [[0.1, 0], [2, 1.1]], axis: [3, 4], lower: 4, stiffness: 3, "
    "damping: 0.1}\n"
    "  rope: {type: rope, bodies: [a, b], at: [[0.1, 0], [2, 1.1]], length: 1, stiffness: 3, damping: 0.4}\n"
    "simulate: {end: 1}\n";

static void move(mbs_state *state, double step, const double dq[6], const double dv[6]) {
  for (int i = 0; i < 6; i++) {
    state->q[i] += step * dq[i];
    state->v[i] += step * dv[i];
  }
}

/* Of forces, losses and potentials along a direction, against differences; every element acts. */
Test(stops, quantities_have_exact_derivatives) {
  static const char *const names[] = {"angle.torque",   "angle.power",    "angle.loss",         "angle.potential",
                                      "distance.force", "distance.loss",  "distance.potential", "slide.force",
                                      "slide.loss",     "slide.position", "rope.force",         "rope.loss"};
  enum { N = sizeof names / sizeof *names };
  static const double dq[6] = {0.3, -0.7, 0.5, 0.2, 0.9, -0.4};
  static const double dv[6] = {0.1, 0.6, -0.2, -0.5, 0.3, 0.8};
  static const double zeros[6] = {0};
  const double step = 1e-6;
  model_run run = model_run_by(beyond, "erk");
  const mbs_model *model = NULL;
  mbs_quantity quantities[N];
  mbs_readout *readout = NULL;
  double value[2][N];
  double change[N];
  cr_assert_eq(seam_model_whole(run.file, &model, NULL), SEAM_OK);
  for (int i = 0; i < N; i++)
    cr_assert_eq(mbs_find_quantity(model, names[i], &quantities[i], NULL), SEAM_OK, "%s", names[i]);
  cr_assert_eq(mbs_readout_create(model, quantities, N, &readout, NULL), SEAM_OK);
  for (int side = 0; side < 2; side++) {
    move(run.state, side == 0 ? -step : 2 * step, dq, dv);
    mbs_read(readout, run.ws, run.state, value[side]);
  }
  move(run.state, -step, dq, dv);
  mbs_evaluate(run.ws, run.state, NULL);
  mbs_read_changes(readout, run.ws, run.state, &(mbs_direction){dq, dv, zeros, zeros, NULL, NULL}, change);
  for (int i = 0; i < N; i++) {
    const double expected = (value[1][i] - value[0][i]) / (2 * step);
    cr_expect_neq(expected, 0, "%s", names[i]);
    cr_expect_float_eq(change[i], expected, 1e-6 * (1 + fabs(expected)), "%s: %.9g instead of %.9g", names[i],
                       change[i], expected);
  }
  mbs_readout_destroy(readout);
  model_run_end(&run);
}

/* ---- Ropes ---- */

/* On the way down it passes its length at 2 m/s, is stretched for 2 (π - atan(ω v/g))/ω, and is slack for 2 v/g. */
Test(stops, a_body_on_a_rope_falls_and_is_thrown_back_for_ever) {
  static const char *const methods[] = {"erk", "radau", "cvode", "ida"};
  static const double tolerance[] = {1e-9, 1e-8, 1e-6, 1e-5};
  const double w = sqrt(5e3 / 2);
  const double period = 2 * (acos(-1) - atan(w * 2 / g)) / w + 4 / g;
  for (int i = 0; i < 4; i++) {
    model_run run = model_run_by(
        "seam: 1\ngravity: [0, -9.81]\nbodies: {b: {mass: 2, inertia: 1, at: [0, -1], velocity: [0, -2]}}\n"
        "forces: {r: {type: rope, bodies: [ground, b], at: [[0, 0], [0, -1]], length: 1, stiffness: 5e3}}\n"
        "simulate: {end: 1}\n",
        methods[i]);
    model_run_reach(&run, 4 * period);
    cr_expect_float_eq(run.state->q[1], -1, tolerance[i], "%s: %.3g", methods[i], run.state->q[1] + 1);
    cr_expect_float_eq(run.state->v[1], -2, 10 * tolerance[i], "%s: %.3g", methods[i], run.state->v[1] + 2);
    model_run_end(&run);
  }
}

/* A rope between two points that meet is slack: from its anchor a body flies off, and comes back through it. */
Test(stops, ends_may_meet) {
  static const char *const kinds[] = {"stiffness: 1e6", "hard: true, restitution: 1"};
  for (int k = 0; k < 2; k++) {
    char text[500];
    snprintf(text, sizeof text,
             "seam: 1\nbodies: {b: {mass: 1, inertia: 1, at: [0, 0], velocity: [1, 0]}}\n"
             "forces: {r: {type: rope, bodies: [ground, b], at: [[0, 0], [0, 0]], length: 1, %s}}\n"
             "simulate: {end: 3}\n",
             kinds[k]);
    const double taut = k == 0 ? acos(-1) / 1e3 : 0; /* half a period */
    model_run run = model_run_by(text, "erk");
    model_run_reach(&run, 0.5);
    cr_expect_float_eq(run.state->q[0], 0.5, 1e-12, "%s: %.12g", kinds[k], run.state->q[0]);
    model_run_reach(&run, 2.5 + taut);
    cr_expect_float_eq(run.state->q[0], -0.5, 1e-8, "%s: %.12g", kinds[k], run.state->q[0]);
    cr_expect_float_eq(run.state->v[0], -1, 1e-8, "%s: %.12g", kinds[k], run.state->v[0]);
    model_run_end(&run);
    model_run still = model_run_at_rest(text, NULL, NULL);
    cr_expect_eq(still.state->q[0], 0, "%s", kinds[k]);
    model_run_end(&still);
  }
}

/* The rim of a rotor pulls a rope taut and lets it go 159 times a second. Where it goes slack rounding left it taut,
 * and steps to nothing ended the run. */
Test(stops, a_rotor_pulls_a_soft_rope_in_each_turn) {
  static const char *const starts[] = {"[0.1, -1]", "[0.5, 0]", "[0.3, 0.3]"};
  static const char *const stiffness[] = {"1", "100", "1e4"};
  for (int i = 0; i < 18; i++) {
    char text[1000];
    const char *at = starts[i % 3];
    const char *method = i < 9 ? "erk" : "radau";
    snprintf(
        text, sizeof text,
        "seam: 1\ngravity: [0, -9.81]\nbodies:\n  rotor: {mass: 1, inertia: 1, at: [0, 0], rate: 1000}\n"
        "  load: {mass: 10, inertia: 0.001, at: %s}\njoints: {O: {type: revolute, bodies: [ground, rotor], at: [0, "
        "0]}}\n"
        "forces: {r: {type: rope, bodies: [rotor, load], at: [[0.1, 0], %s], stiffness: %s}}\nsimulate: {end: 1}\n",
        at, at, stiffness[i / 3 % 3]);
    mbs_integrator_options options = mbs_default_integrator_options();
    options.method = method;
    options.rtol = options.atol = 1e-8;
    model_run run = model_run_begin(text, NULL, &options, INFINITY);
    const double before = model_run_energy(&run);
    model_run_advance(&run, 0.3);
    cr_expect_eq(run.status, SEAM_OK, "%s, %s, from %s: %s", method, stiffness[i / 3 % 3], at, run.error.message);
    cr_expect_lt(fabs(model_run_imbalance(&run, before)), 1e-8 * before, "%s: %.3g J", method,
                 model_run_imbalance(&run, before));
    model_run_end(&run);
  }
}

/* A damped rope pulls with k s + c v from the moment on at which it is taut, and never pushes: what it takes is what
 * the body loses. */
Test(stops, a_damped_rope_balances_its_energy) {
  model_run run = model_run_by(
      "seam: 1\ngravity: [0, -9.81]\nbodies: {b: {mass: 2, inertia: 1, at: [0.3, -0.5]}}\n"
      "forces: {r: {type: rope, bodies: [ground, b], at: [[0, 0], [0.3, -0.5]], length: 1, stiffness: 5e3, "
      "damping: 30}}\nsimulate: {end: 1}\n",
      "erk");
  const double energy = model_run_energy(&run);
  model_run_reach(&run, 3);
  cr_expect_gt(mbs_energy_of(run.ws, run.state).dissipated, 1);
  cr_expect_lt(model_run_imbalance(&run, energy), 1e-8, "%.3g", model_run_imbalance(&run, energy));
  model_run_end(&run);
}

/* Thrown with v² = 3.5 g l at the bottom, a pendulum leaves its circle where cos φ = -(v²/(g l) - 2)/3 = -1/2. */
Test(stops, a_pendulum_on_a_stiff_rope_is_slack_where_its_tension_ends) {
  const double speed = sqrt(3.5 * g);
  char text[500];
  snprintf(text, sizeof text,
           "seam: 1\ngravity: [0, -9.81]\nbodies: {b: {mass: 1, inertia: 1, at: [0, -1], velocity: [%.17g, 0]}}\n"
           "forces: {r: {type: rope, bodies: [ground, b], at: [[0, 0], [0, -1]], length: %.17g, stiffness: 1e7}}\n"
           "simulate: {end: 1}\n",
           speed, 1 / (1 + 4.5 * g / 1e7)); /* stretched as it turns */
  model_run run = model_run_by(text, "erk");
  double height = NAN;
  for (int k = 1; k <= 20000 && isnan(height); k++) {
    model_run_reach(&run, 1e-4 * k);
    const double length = hypot(run.state->q[0], run.state->q[1]);
    if (k > 10 && length < 1 / (1 + 4.5 * g / 1e7) - 1e-9)
      height = run.state->q[1];
  }
  cr_expect_float_eq(height, 0.5, 5e-3, "%.6g", height);
  model_run_end(&run);
}

/* ---- The catalogue ---- */

static model_run start_entry(const char *name, const char *override) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.rtol = options.atol = 1e-10;
  return model_run_begin(seam_catalogue_text(name), override != NULL ? (const char *const[]){override, NULL} : NULL,
                         &options, INFINITY);
}

/* A height of e² h, but for the weight during the impact; without losses that of the fall. */
Test(stops, bouncing_ball) {
  for (int i = 0; i < 2; i++) {
    model_run run = start_entry("bouncing_ball", i == 0 ? NULL : "parameters.eps=1");
    const double energy = model_run_energy(&run);
    double top = 0;
    for (int k = 0; k <= 800; k++) {
      model_run_reach(&run, 0.5 + 1e-3 * k);
      top = fmax(top, run.state->q[1] - 0.05);
    }
    cr_expect_float_eq(top, i == 0 ? 0.64 : 1, i == 0 ? 5e-3 : 1e-6, "%.9g", top);
    cr_expect_lt(model_run_imbalance(&run, energy), 1e-8, "%.3g", model_run_imbalance(&run, energy));
    model_run_end(&run);
  }
}

/* The x of a restitution. */
static double damping_of(double e) {
  double low = 0;
  double high = 1 / e;
  for (int i = 0; i < 100; i++) {
    const double x = (low + high) / 2;
    *(restitution_of(x) > e ? &low : &high) = x;
  }
  return low;
}

/* Equal masses: v becomes v (1 - e)/2 and v (1 + e)/2; the second impact is slower. */
Test(stops, wagon_buffers) {
  model_run run = start_entry("wagon_buffers", NULL);
  model_run_reach(&run, 2.3);
  const double e = restitution_of(damping_of(0.6) * 1.6 / 2);
  cr_expect_float_eq(run.state->v[0], 0.4, 1e-7, "%.9g", run.state->v[0]);
  cr_expect_float_eq(run.state->v[3], 0.8 * (1 - e), 1e-7, "%.9g", run.state->v[3]);
  cr_expect_float_eq(run.state->v[6], 0.8 * (1 + e), 1e-7, "%.9g", run.state->v[6]);
  model_run_reach(&run, 10);
  cr_expect_lt(model_run_imbalance(&run, 4e4), 4e-4, "%.3g", model_run_imbalance(&run, 4e4));
  model_run_end(&run);
}

Test(stops, rope_slack_chain) {
  model_run run = start_entry("rope_slack_chain", NULL);
  const double energy = model_run_energy(&run);
  int n_slack = 0;
  for (int k = 1; k <= 400; k++) {
    model_run_reach(&run, 1e-2 * k);
    n_slack += hypot(run.state->q[6] - run.state->q[3], run.state->q[7] - run.state->q[4]) < 0.5;
  }
  cr_expect(n_slack > 20 && n_slack < 380, "%d", n_slack);
  cr_expect_lt(model_run_imbalance(&run, energy), 1e-7 * 20, "%.3g", model_run_imbalance(&run, energy));
  model_run_end(&run);
}

/* ---- Refused ---- */

#define REFUSED_STOP(name, keys, message)                                                                              \
  Test(refused_stops, name) {                                                                                          \
    expect_refused(                                                                                                    \
        "seam: 1\nbodies: {b: {mass: 1, inertia: 1}}\nforces:\n  s: {type: stop, bodies: [ground, b],\n    " keys      \
        "}\nsimulate: {end: 1}\n",                                                                                     \
        message);                                                                                                      \
  }

REFUSED_STOP(without_bounds, "of: angle, stiffness: 1",
             "text.yaml:4:3: error: force 's' needs 'lower', 'upper' or both\n"
             "  s: {type: stop, bodies: [ground, b],\n"
             "  ^")

REFUSED_STOP(bounds_that_cross, "of: angle, lower: 2, upper: 1, stiffness: 1",
             "text.yaml:5:33: error: 'upper' in force 's' must be above 'lower', but 1 is not above 2\n"
             "    of: angle, lower: 2, upper: 1, stiffness: 1}\n"
             "                                ^")

REFUSED_STOP(a_slide_without_places, "of: slide, axis: [1, 0], lower: 2, stiffness: 1",
             "text.yaml:5:9: error: force 's' needs 'at', as every stop of a distance or slide does\n"
             "    of: slide, axis: [1, 0], lower: 2, stiffness: 1}\n"
             "        ^\n"
             "add at: [P, Q]")

REFUSED_STOP(a_slide_without_axis, "of: slide, at: [[0, 0], [0, 0]], lower: 2, stiffness: 1",
             "text.yaml:5:9: error: force 's' needs 'axis', as every stop of a slide does\n"
             "    of: slide, at: [[0, 0], [0, 0]], lower: 2, stiffness: 1}\n"
             "        ^\n"
             "add axis: [x, y]")
