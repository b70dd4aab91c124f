/* Hard contacts against closed forms: bouncing, sticking and sliding, impacts of several contacts, Painlevé's rod. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/events.h>

#include "tests/support/model_run.h"

static const double pi = 3.14159265358979323846;

static model_run start_with(const char *text, const char *method, int order) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = method;
  options.order = order;
  options.rtol = options.atol = 1e-12;
  return model_run_begin(text, NULL, &options, INFINITY);
}

static model_run start(const char *text) { return start_with(text, "erk", 8); }

/* A ball at rest is knocked off its floor: no contact is closed then, and none has a force. */
Test(hard_contacts, a_contact_that_an_impact_has_opened_has_no_force) {
  model_run run =
      start("seam: 1\ngravity: [0, -10]\n"
            "bodies: {ball: {mass: 1, inertia: 0.01, at: [0, 0.1]},\n"
            "  hammer: {mass: 1, inertia: 0.01, at: [0, -0.6], velocity: [0, 8]}}\n"
            "forces:\n"
            "  floor: {type: contact, bodies: [ground, ball], at: {ground: [0, 0], ball: [0, 0]}, line: [1, 0],\n"
            "    radius: 0.1, hard: true}\n"
            "  hit: {type: contact, bodies: [hammer, ball], at: {hammer: [0, 0], ball: [0, 0]}, radii: [0.1, 0.1],\n"
            "    hard: true, restitution: 1}\n"
            "simulate: {end: 1}\n");
  model_run_reach(&run, 0.05);
  cr_expect_float_eq(model_run_read(&run, "floor.force"), 10, 1e-12);
  model_run_reach(&run, 0.1);
  cr_expect_gt(model_run_read(&run, "floor.gap"), 0.1);
  cr_expect_eq(model_run_read(&run, "floor.force"), 0, "is %g", model_run_read(&run, "floor.force"));
  cr_expect_eq(model_run_read(&run, "hit.force"), 0);
  model_run_end(&run);
}

Test(hard_contacts, a_start_with_an_overlap_is_refused_by_name) {
  model_run run = start("seam: 1\nbodies: {ball: {mass: 1, inertia: 0.01, at: [0, 0.1]}}\n"
                        "forces: {floor: {type: contact, bodies: [ground, ball], line: [1, 0],\n"
                        "  at: {ground: [0, 0], ball: [0, 0]}, radius: 0.1, hard: true}}\n"
                        "simulate: {end: 1}\n");
  seam_error error;
  run.state->q[1] = 0.0999999;
  cr_expect_eq(mbs_integrator_start(run.integrator, run.state, &error), SEAM_OK, "%s", error.message);
  run.state->q[1] = 0.05;
  cr_expect_eq(mbs_integrator_start(run.integrator, run.state, &error), SEAM_BAD_INPUT);
  cr_expect(strstr(error.message, "overlap by 0.05 m at hard contact 'floor'") != NULL, "%s", error.message);
  model_run_end(&run);
}

/* ---- A bouncing ball ---- */

#define BALL(KEYS)                                                                                                     \
  "seam: 1\ngravity: [0, -10]\nbodies: {ball: {mass: 2, inertia: 0.1, at: [0, 1.1]}}\n"                                \
  "forces: {floor: {type: contact, bodies: [ground, ball], at: [[0, 0], [0, 1.1]], line: [1, 0], radius: 0.1,\n"       \
  "  hard: true, " KEYS "}}\nsimulate: {end: 1}\n"

/* From the height h: the first impact at t1 = √(2 h/g) with √(2 g h), each later flight e times as long as the one
 * before; the end of all at t1 (1 + e)/(1 - e). */
Test(hard_contacts, a_ball_bounces_at_the_times_of_the_closed_form_up_to_their_limit) {
  static const double e[] = {0.3, 0.5, 0.8};
  for (int i = 0; i < 3; i++) {
    char text[600];
    snprintf(text, sizeof text, BALL("restitution: %g"), e[i]);
    model_run run = start(text);
    const double first = sqrt(2 / 10.0);
    double t = first;
    double v = sqrt(20);
    for (int k = 0; k < 8; k++) {
      v *= e[i];
      model_run_reach(&run, t + v / 10);
      cr_expect_float_eq(run.state->t - (v - run.state->v[1]) / 10, t, 1e-10, "e = %g, impact %d: off by %g", e[i], k,
                         run.state->t - (v - run.state->v[1]) / 10 - t);
      cr_expect_lt(model_run_imbalance(&run, 22), 1e-8 * 22);
      t += 2 * v / 10;
    }
    const double limit = first * (1 + e[i]) / (1 - e[i]);
    model_run_reach(&run, limit + 0.1);
    cr_expect_float_eq(run.state->z[1], limit, 1e-10, "off by %g", run.state->z[1] - limit);
    cr_expect_float_eq(run.state->q[1], 0.1, 1e-15);
    cr_expect_float_eq(run.state->v[1], 0, 1e-15, "%g", run.state->v[1]);
    cr_expect_float_eq(model_run_read(&run, "floor.force"), 20, 1e-12);
    cr_expect_lt(model_run_imbalance(&run, 22), 1e-8 * 22);
    model_run_end(&run);
  }
}

/* A disc that hits with the slip u: it slides throughout where u is large, with the impulse μ (1 + e) m v of friction,
 * else its slip ends, after u/(1/m + r²/J). */
Test(hard_contacts, an_impact_with_friction_slows_the_slip_by_the_closed_form) {
  static const double slip[] = {5, 0.5};
  for (int i = 0; i < 2; i++)
    for (int law = 0; law < 2; law++) {
      char text[700];
      snprintf(
          text, sizeof text,
          "seam: 1\nbodies: {ball: {mass: 2, inertia: 0.01, at: [0, 0.2], velocity: [%g, -1]}}\n"
          "forces: {floor: {type: contact, bodies: [ground, ball], at: [[0, 0], [0, 0.2]], line: [1, 0], radius: 0.1,\n"
          "  hard: true, restitution: 0.5, friction: 0.3, impact: %s}}\nsimulate: {end: 1}\n",
          slip[i], law == 0 ? "newton" : "poisson");
      model_run run = start(text);
      const double impulse = fmin(0.3 * 1.5 * 2 * 1, slip[i] / (1 / 2.0 + 0.1 * 0.1 / 0.01));
      model_run_reach(&run, 0.2);
      cr_expect_float_eq(run.state->v[0], slip[i] - impulse / 2, 1e-13);
      cr_expect_float_eq(run.state->v[1], 0.5, 1e-13);
      cr_expect_float_eq(run.state->v[2], -impulse * 0.1 / 0.01, 1e-12);
      model_run_end(&run);
    }
}

/* ---- A block on an incline ---- */

/* Along (cos α, sin α) with α = 30°, on two points. */
static model_run start_block(double mu, double speed) {
  char text[1500];
  const double c = cos(pi / 6);
  const double s = sin(pi / 6);
  snprintf(text, sizeof text,
           "seam: 1\ngravity: [0, -9.81]\n"
           "bodies: {block: {mass: 3, inertia: 0.2, at: [%.17g, %.17g], angle: pi/6, velocity: [%.17g, %.17g]}}\n"
           "forces:\n"
           "  left: {type: contact, bodies: [ground, block], at: {ground: [0, 0], block: [-0.4, -0.1]},\n"
           "    line: [%.17g, %.17g], hard: true, friction: %.17g}\n"
           "  right: {type: contact, bodies: [ground, block], at: {ground: [0, 0], block: [0.4, -0.1]},\n"
           "    line: [%.17g, %.17g], hard: true, friction: %.17g}\n"
           "simulate: {end: 1}\n",
           -0.1 * s, 0.1 * c, speed * c, speed * s, c, s, mu, c, s, mu);
  return start(text);
}

static double along(const double *x) { return x[0] * cos(pi / 6) + x[1] * sin(pi / 6); }

/* It sticks for μ > tan α, slides with g (sin α - μ cos α) for less. */
Test(hard_contacts, a_block_on_an_incline_sticks_up_to_the_coefficient_of_its_slope) {
  const double slope = tan(pi / 6);
  model_run run = start_block(slope * (1 + 1e-9), 0);
  const double before = along(run.state->q);
  const double energy = mbs_energy_of(run.ws, run.state).total;
  model_run_reach(&run, 2);
  cr_expect_float_eq(along(run.state->q), before, 1e-13);
  cr_expect_float_eq(model_run_read(&run, "left.force") + model_run_read(&run, "right.force"), 3 * 9.81 * cos(pi / 6),
                     1e-12);
  cr_expect_float_eq(model_run_read(&run, "left.friction") + model_run_read(&run, "right.friction"), 3 * 9.81 / 2,
                     1e-12);
  cr_expect_lt(model_run_imbalance(&run, energy), 1e-8);
  model_run_end(&run);
  run = start_block(slope * (1 - 1e-9), 0);
  model_run_reach(&run, 2);
  cr_expect_float_eq(along(run.state->q) - before, -9.81 / 2 * 1e-9 * 2, 1e-13, "%g", along(run.state->q) - before);
  model_run_end(&run);
}

/* Thrown upwards it slows down by g (sin α + μ cos α), and stays, or comes back. */
Test(hard_contacts, a_block_that_is_thrown_upwards_stops_and_sticks_or_slides_back) {
  static const double mu[] = {0.7, 0.3};
  for (int i = 0; i < 2; i++) {
    const double up = 9.81 * (0.5 + mu[i] * cos(pi / 6));
    const double down = fmax(9.81 * (0.5 - mu[i] * cos(pi / 6)), 0);
    model_run run = start_block(mu[i], 2);
    const double before = along(run.state->q);
    const double energy = mbs_energy_of(run.ws, run.state).total;
    const double t = 2 / up;
    model_run_reach(&run, 1);
    const double length = 2 * t - up * t * t / 2 - down * (1 - t) * (1 - t) / 2;
    cr_expect_float_eq(along(run.state->q) - before, length, 1e-11, "off by %g", along(run.state->q) - before - length);
    cr_expect_float_eq(along(run.state->v), -down * (1 - t), 1e-11);
    cr_expect_lt(model_run_imbalance(&run, energy), 1e-8);
    model_run_end(&run);
  }
}

/* ---- A rocking block ---- */

/* Of width 2 b and height 2 h on one of its edges: the angle φ and its rate, negative where it falls on the left. */
static model_run start_rocking(double b, double h, double phi, const char *keys) {
  char text[1500];
  snprintf(
      text, sizeof text,
      "seam: 1\ngravity: [0, -9.81]\n"
      "bodies: {block: {mass: 2, inertia: %.17g, at: [%.17g, %.17g], angle: %.17g}}\n"
      "forces:\n"
      "  left: {type: contact, bodies: [ground, block], at: {ground: [0, 0], block: [%.17g, %.17g]}, line: [1, 0],\n"
      "    hard: true, %s}\n"
      "  right: {type: contact, bodies: [ground, block], at: {ground: [0, 0], block: [%.17g, %.17g]}, line: [1, 0],\n"
      "    hard: true, %s}\n"
      "simulate: {end: 1}\n",
      2 * (b * b + h * h) / 3, -b * cos(phi) - h * sin(phi), -b * sin(phi) + h * cos(phi), phi, -b, -h, keys, b, -h,
      keys);
  return start(text);
}

/* On its right edge it falls towards φ = 0: with r² = b² + h², m r² + J = 4/3 m r² and the angle β = atan(b/h) of the
 * diagonal, ω follows from the energy; there the left edge hits, and with e = 0
 *
 *   ω⁺ = ω⁻ (1 - 3/2 sin² β)       ([Housner]) */
Test(hard_contacts, a_rocking_block_loses_the_rate_of_the_closed_form_at_each_impact) {
  const double b = 0.3;
  const double h = 1;
  const double ratio = 1 - 1.5 * b * b / (b * b + h * h);
  model_run run = start_rocking(b, h, -0.15, "friction: 2");
  const double energy = mbs_energy_of(run.ws, run.state).total;
  double kinetic = energy - 2 * 9.81 * h; /* at the impact */
  double largest = 0;
  cr_assert_gt(kinetic, 0);
  for (int k = 1; k < 3000; k++) {
    const double t = 0.01 * k;
    model_run_reach(&run, t);
    const mbs_energy e = mbs_energy_of(run.ws, run.state);
    const double now = e.total - 2 * 9.81 * h;
    if (now < kinetic * (1 - 1e-9) && now > 1e-4) {
      const double n = log(now / kinetic) / (2 * log(ratio));
      cr_expect_float_eq(n, round(n), 1e-8, "t = %g: %.12g impacts", t, n);
      kinetic = now;
    }
    largest = fmax(largest, fabs(e.total + e.dissipated - energy));
  }
  cr_expect_lt(largest, 1e-8);
  cr_expect_float_eq(run.state->q[2], 0, 1e-12);
  cr_expect_eq(model_run_read(&run, "left.mode") >= 3 && model_run_read(&run, "right.mode") >= 3, 1);
  cr_expect_float_eq(model_run_read(&run, "left.force"), 9.81, 1e-9);
  model_run_end(&run);
}

/* ---- Painlevé's rod ---- */

/* Of length 2, its lower end sliding to the left at 5 m/s. */
static void write_rod(char *text, size_t size, double angle, double mu, double rate) {
  snprintf(text, size,
           "seam: 1\ngravity: [0, -9.81]\n"
           "bodies: {rod: {mass: 1, inertia: 1/3, at: [%.17g, %.17g], angle: %.17g, velocity: [%.17g, %.17g], rate: "
           "%.17g}}\n"
           "forces: {tip: {type: contact, bodies: [ground, rod], at: {ground: [0, 0], rod: [-1, 0]}, line: [1, 0],\n"
           "  hard: true, friction: %.17g}}\n"
           "simulate: {end: 1}\n",
           cos(angle), sin(angle), angle, -5 - rate * sin(angle), rate * cos(angle), rate, mu);
}

/* 1 + 3 cos² θ - 3 μ sin θ cos θ, the response of the gap to the normal force, is zero at tan θ = 2 for μ = 4/3. */
Test(hard_contacts, painleves_rod_is_reported) {
  char text[1000];
  mbs_workspace *ws = NULL;
  mbs_state *state = NULL;
  const mbs_model *model = NULL;
  seam_error error = {0};
  write_rod(text, sizeof text, atan(2), 1.34, 0);
  seam_model_file *file = read_model(text, NULL);
  cr_assert_eq(seam_model_whole(file, &model, NULL), SEAM_OK);
  cr_assert_eq(mbs_workspace_create(model, &ws, NULL), SEAM_OK);
  cr_assert_eq(mbs_state_create(model, &state, NULL), SEAM_OK);
  cr_expect_eq(mbs_assemble(ws, state, NULL, NULL, &error), SEAM_JAMMED);
  cr_expect_str_eq(error.message,
                   "t = 0 s: contact 'tip' has no force that keeps the bodies apart (Painlevé): reduce the "
                   "friction, or make it compliant (leave out 'hard')");
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
  seam_model_file_destroy(file);
  write_rod(text, sizeof text, atan(2), 1.32, 0);
  model_run run = start(text);
  model_run_reach(&run, 0.001);
  cr_expect_gt(model_run_read(&run, "tip.force"), 100);
  model_run_end(&run);
}

/* A box of 1e12 kg stands on one of 1 kg: neither jams. */
Test(hard_contacts, masses_that_differ_too_much_are_reported) {
  const mbs_model *model = NULL;
  mbs_workspace *ws = NULL;
  mbs_state *state = NULL;
  seam_error error = {0};
  seam_model_file *file = read_model(
      "seam: 1\nname: boxes\ngravity: [0.3, -9.81]\n"
      "bodies: {b: {mass: 1, inertia: 1, at: [0, 0.5]}, m: {mass: 1e12, inertia: 1e12, at: [0.02, 1.5]}}\n"
      "repeat:\n  - for: {i: [0, 1]}\n    forces:\n"
      "      \"l{i}\": {type: contact, bodies: [ground, b], at: {ground: [0, 0], b: [i - 0.5, -0.5]}, line: [1, 0],\n"
      "        hard: true, friction: 0.5}\n"
      "      \"u{i}\": {type: contact, bodies: [b, m], at: {b: [0, 0.5], m: [i - 0.5, -0.5]}, line: [1, 0], hard: "
      "true,\n"
      "        friction: 0.5}\n"
      "simulate: {end: 1}\n",
      NULL);
  cr_assert_eq(seam_model_whole(file, &model, NULL), SEAM_OK);
  cr_assert_eq(mbs_workspace_create(model, &ws, NULL), SEAM_OK);
  cr_assert_eq(mbs_state_create(model, &state, NULL), SEAM_OK);
  cr_expect_eq(mbs_assemble(ws, state, NULL, NULL, &error), SEAM_JAMMED);
  cr_expect(strstr(error.message, "the masses of bodies that touch differ by the factor 1e+12") != NULL, "%s",
            error.message);
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
  seam_model_file_destroy(file);
}

/* ---- Impacts of several contacts ---- */

/* Three balls of the same mass on a line, the first at 1 m/s. */
static void expect_row(double gap, const char *keys, const double after[3]) {
  char text[1500];
  snprintf(text, sizeof text,
           "seam: 1\nbodies:\n"
           "  a: {mass: 2, inertia: 0.1, at: [%.17g, 0], velocity: [1, 0]}\n"
           "  b: {mass: 2, inertia: 0.1, at: [0, 0]}\n"
           "  c: {mass: 2, inertia: 0.1, at: [%.17g, 0]}\n"
           "forces:\n"
           "  ab: {type: contact, bodies: [a, b], at: {a: [0, 0], b: [0, 0]}, radii: [0.1, 0.1], hard: true, %s}\n"
           "  bc: {type: contact, bodies: [b, c], at: {b: [0, 0], c: [0, 0]}, radii: [0.1, 0.1], hard: true, %s}\n"
           "simulate: {end: 1}\n",
           -0.3, 0.2 + gap, keys, keys);
  model_run run = start(text);
  model_run_reach(&run, 0.5);
  for (int i = 0; i < 3; i++)
    cr_expect_float_eq(run.state->v[3 * i], after[i], 1e-13, "gap %g, %s: %.15g", gap, keys, run.state->v[3 * i]);
  cr_expect_lt(model_run_imbalance(&run, 1), 1e-12);
  model_run_end(&run);
}

/* Balls that touch share the impact; balls with a gap hand it on. */
Test(hard_contacts, a_row_of_balls_shares_an_impact_or_hands_it_on) {
  expect_row(0, "restitution: 1", (double[]){-1 / 3.0, 2 / 3.0, 2 / 3.0});
  expect_row(0, "restitution: 1, impact: poisson", (double[]){-1 / 3.0, 2 / 3.0, 2 / 3.0});
  expect_row(0, "restitution: 0.5", (double[]){0, 0.5, 0.5});
  expect_row(0, "restitution: 0", (double[]){1 / 3.0, 1 / 3.0, 1 / 3.0});
  expect_row(1e-3, "restitution: 1", (double[]){0, 0, 1});
  expect_row(1e-3, "restitution: 0.5", (double[]){0.203125, 0.234375, 0.5625});
}

/* A rod that hits with friction: its slip may stop and come back. The normal rate is returned by Newton's law unless
 * that would create energy (Kane's paradox); no law creates some. */
Test(hard_contacts, no_impact_creates_energy) {
  int n_corrected = 0;
  for (int i = 0; i < 60; i++) {
    const bool by_newton = i % 2 == 0;
    const double angle = 0.8 + 0.005 * i;
    const double e = 0.9 + 0.0016 * i;
    char text[1000];
    snprintf(
        text, sizeof text,
        "seam: 1\nbodies: {rod: {mass: 1, inertia: 1/12, at: [%.17g, %.17g], angle: %.17g, velocity: [%.17g, -1]}}\n"
        "forces: {tip: {type: contact, bodies: [ground, rod], at: {ground: [0, 0], rod: [-0.5, 0]}, line: [1, 0],\n"
        "  hard: true, friction: %g, restitution: %g, impact: %s}}\nsimulate: {end: 1}\n",
        cos(angle) / 2, 0.01 + sin(angle) / 2, angle, 0.1 * (i % 10), 0.1 + 0.05 * (i % 9), e,
        by_newton ? "newton" : "poisson");
    model_run run = start(text);
    const double before = mbs_energy_of(run.ws, run.state).total;
    model_run_reach(&run, 0.015);
    const double rate = model_run_read(&run, "tip.rate");
    cr_expect_geq(run.state->work[0], -1e-12, "case %d", i);
    cr_expect_lt(model_run_imbalance(&run, before), 1e-12);
    n_corrected += by_newton && rate < e - 1e-6;
    model_run_end(&run);
  }
  cr_expect_gt(n_corrected, 0);
}

/* ---- Impacts without end ---- */

static model_run start_press(double restitution) {
  char text[1000];
  snprintf(text, sizeof text,
           "seam: 1\nbodies:\n"
           "  ball: {mass: 1e-3, inertia: 1e-5, at: [0, 0.10005]}\n"
           "  plate: {mass: 10, inertia: 1, at: [0, 0.3006], velocity: [0, -1]}\n"
           "forces:\n"
           "  floor: {type: contact, bodies: [ground, ball], at: {ground: [0, 0], ball: [0, 0]}, line: [1, 0],\n"
           "    radius: 0.1, hard: true, restitution: %g}\n"
           "  press: {type: contact, bodies: [plate, ball], at: {plate: [0, 0], ball: [0, 0]}, radii: [0.1, 0.1],\n"
           "    hard: true, restitution: %g}\nsimulate: {end: 1}\n",
           restitution, restitution);
  return start(text);
}

static mbs_impact_record impacts_of(const model_run *run, const char *name) {
  const mbs_model *model = NULL;
  cr_assert_eq(seam_model_whole(run->file, &model, NULL), SEAM_OK);
  return mbs_impact_record_of(model, run->state, mbs_find_force(model, name));
}

/* A light ball between the floor and a heavy plate that falls on it: with the clearance d the ball's speed is
 * V/(1 - e), and the plate's V falls as d^(m/M (1 + e)/(1 - e)²...), so that impacts accumulate where d is zero, and
 * all energy is restitution's, half of it at each contact. */
Test(hard_contacts, impacts_between_two_bodies_accumulate_and_take_all_energy_by_restitution) {
  static const double restitution[] = {0.5, 0.9, 0.97};
  for (int i = 0; i < 3; i++) {
    model_run run = start_press(restitution[i]);
    model_run_reach(&run, 0.01);
    const mbs_impact_record floor = impacts_of(&run, "floor");
    const mbs_impact_record press = impacts_of(&run, "press");
    cr_expect_float_eq(run.state->v[4], 0, 1e-7, "e = %g: %g", restitution[i], run.state->v[4]);
    cr_expect_float_eq(run.state->q[4] - run.state->q[1], 0.2, 1e-9);
    cr_expect_float_eq(floor.loss + press.loss, 5, 1e-9, "e = %g: %.12g", restitution[i], floor.loss + press.loss);
    cr_expect_float_eq(floor.normal, 10, 1e-6);
    cr_expect_lt(floor.last, 0.00061);
    cr_expect_lt(model_run_imbalance(&run, 5), 1e-12);
    model_run_end(&run);
  }
}

/* With e = 1 it pushes the plate back, after π/√(m/M)/2 = 157 impacts of each, and nothing is lost. The action m v d is
 * that of the first impact on the way back too, so the plate's speed is 1 m/s again. */
Test(hard_contacts, many_fast_impacts_without_loss_send_back_what_fell) {
  model_run run = start_press(1);
  model_run_reach(&run, 0.01);
  cr_expect_eq(impacts_of(&run, "floor").count, 157);
  cr_expect_eq(impacts_of(&run, "press").count, 157);
  cr_expect_gt(run.state->v[4], 0.9999);
  cr_expect_float_eq(run.state->work[0], 0, 1e-9);
  cr_expect_lt(model_run_imbalance(&run, 5), 1e-12);
  model_run_end(&run);
}

/* A bar that just fits between two walls, and another one that hits it: u is e times the last one of each hit in turn,
 * until nothing is left, at once. */
#define FITS(restitution, speed)                                                                                       \
  "seam: 1\nbodies:\n"                                                                                                 \
  "  bar: {mass: 2, inertia: 0.1, at: [0, 0], velocity: [" speed ", 0]}\n"                                             \
  "forces:\n"                                                                                                          \
  "  left: {type: contact, bodies: [ground, bar], at: {ground: [-0.3, 0], bar: [-0.2, 0]}, line: [0, -1],\n"           \
  "    radius: 0.1, hard: true, restitution: " restitution "}\n"                                                       \
  "  right: {type: contact, bodies: [ground, bar], at: {ground: [0.3, 0], bar: [0.2, 0]}, line: [0, 1],\n"             \
  "    radius: 0.1, hard: true, restitution: " restitution "}\n"                                                       \
  "simulate: {end: 1}\n"

/* Blocks of 1 m on each other, heavy ones on light ones too: all but the highest rest, which slides v t - μ g t²/2. */
Test(hard_contacts, heavy_blocks_stand_and_slide_on_light_ones) {
  static const struct {
    double masses[3], v;
  } cases[] = {{{1, 1e6, 0}, 0}, {{1, 1e6, 0}, 1}, {{1, 1e6, 1}, 0}, {{1e6, 1, 1e6}, 1}, {{1e6, 1, 0}, 1}};
  for (size_t m = 0; m < sizeof cases / sizeof *cases; m++) {
    const double *masses = cases[m].masses;
    const double v = cases[m].v;
    char bodies[1000] = "";
    char forces[2000] = "";
    char text[4000];
    const int n = masses[2] > 0 ? 3 : 2;
    for (int i = 0; i < n; i++) {
      char below[8];
      snprintf(below, sizeof below, i > 0 ? "b%d" : "ground", i - 1);
      snprintf(bodies + strlen(bodies), sizeof bodies - strlen(bodies),
               "  b%d: {mass: %g, inertia: %g, at: [0, %g], velocity: [%g, 0]}\n", i, masses[i], masses[i] * 1.25 / 12,
               0.25 + 0.5 * i, i == n - 1 ? v : 0);
      for (int k = -1; k < 2; k += 2)
        snprintf(forces + strlen(forces), sizeof forces - strlen(forces),
                 "  c%d_%d: {type: contact, bodies: [%s, b%d], line: [1, 0], at: {%s: [0, %g], b%d: [%g, -0.25]}, "
                 "radius: 0, hard: true, friction: 0.3}\n",
                 i, k + 1, below, i, below, i > 0 ? 0.25 : 0, i, 0.5 * k);
    }
    snprintf(text, sizeof text, "seam: 2\ngravity: [0, -9.81]\nbodies:\n%sforces:\n%ssimulate: {end: 0.2}\n", bodies,
             forces);
    model_run run = model_run_begin(text, NULL, NULL, NAN);
    model_run_advance(&run, 0.2);
    cr_expect_eq(run.status, SEAM_OK, "%zu: %s", m, run.error.message);
    for (int i = 0; i < n; i++) {
      const double exact = i == n - 1 ? v * (0.2 - 0.3 * 9.81 * 0.02) : 0;
      cr_expect_float_eq(run.state->q[3 * i], exact, 1e-6, "%zu, %d: %.9g", m, i, run.state->q[3 * i]);
      cr_expect_float_eq(run.state->q[3 * i + 1], 0.25 + 0.5 * i, 1e-8, "%zu, %d", m, i);
    }
    model_run_end(&run);
  }
}

Test(hard_contacts, a_body_without_clearance_stays_where_it_is) {
  static const char *const texts[] = {FITS("0.5", "1"), FITS("0", "1"), FITS("0.9", "-1"), FITS("0.5", "0")};
  for (int i = 0; i < 4; i++) {
    model_run run = start(texts[i]);
    model_run_reach(&run, 1);
    cr_expect_float_eq(run.state->q[0], 0, 1e-9, "case %d: %g", i, run.state->q[0]);
    cr_expect_float_eq(run.state->work[0], i < 3 ? 1 : 0, 1e-12, "case %d: %g", i, run.state->work[0]);
    cr_expect_lt(model_run_imbalance(&run, i < 3 ? 1 : 0), 1e-12);
    model_run_end(&run);
  }
}

Test(hard_contacts, hits_in_turn_without_loss_and_clearance_are_refused) {
  const mbs_model *model = NULL;
  mbs_workspace *ws = NULL;
  mbs_state *state = NULL;
  mbs_integrator *integrator = NULL;
  seam_error error = {0};
  seam_model_file *file = read_model(FITS("1", "1"), NULL);
  const mbs_integrator_options options = mbs_default_integrator_options();
  cr_assert_eq(seam_model_whole(file, &model, NULL), SEAM_OK);
  cr_assert_eq(mbs_workspace_create(model, &ws, NULL), SEAM_OK);
  cr_assert_eq(mbs_state_create(model, &state, NULL), SEAM_OK);
  cr_assert_eq(mbs_assemble(ws, state, NULL, NULL, NULL), SEAM_OK);
  cr_assert_eq(mbs_integrator_create(model, &options, &integrator, NULL), SEAM_OK);
  cr_expect_eq(mbs_integrator_start(integrator, state, &error), SEAM_STEP_FAILED);
  cr_expect_str_eq(error.message, "t = 0 s: impacts of contact 'right' and others repeat without end, because there is "
                                  "no clearance between the bodies: give a clearance, or a smaller restitution");
  mbs_integrator_destroy(integrator);
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
  seam_model_file_destroy(file);
}

/* ---- With joints ---- */

#define PENDULUM                                                                                                       \
  "seam: 1\ngravity: [0, -9.81]\n"                                                                                     \
  "bodies: {bar: {mass: 2, inertia: 0.5, at: [0.6, 0.8], angle: 0.3}}\n"                                               \
  "joints: {pivot: {type: revolute, bodies: [ground, bar], at: [0, 0]}}\n"                                             \
  "forces: {wall: {type: contact, bodies: [ground, bar], at: {ground: [0, -0.5], bar: [0, 0]}, line: [1, 0],\n"        \
  "  radius: 0.1, hard: true, restitution: 0.6, friction: 0.4}}\nsimulate: {end: 1}\n"

/* A pendulum that hits with its centre: ω⁺ = -e ω⁻ without friction; with some, energy goes where the balance has it.
 */
Test(hard_contacts, a_pendulum_hits_and_comes_to_rest) {
  static const char *const methods[] = {"erk", "erk", "erk"};
  static const int orders[] = {4, 5, 8};
  for (int i = 0; i < 3; i++) {
    model_run run = start_with(PENDULUM, methods[i], orders[i]);
    const double before = mbs_energy_of(run.ws, run.state).total;
    for (int k = 1; k < 120; k++) {
      model_run_reach(&run, 0.05 * k);
      cr_expect_lt(model_run_imbalance(&run, before), 1e-8);
      cr_expect_geq(model_run_read(&run, "wall.gap"), -1e-12);
    }
    cr_expect_float_eq(run.state->q[1], -0.4, 1e-14);
    cr_expect_float_eq(run.state->v[2], 0, 1e-13);
    model_run_end(&run);
  }
}

/* ---- Bits ---- */

static void expect_same(const mbs_state *a, const mbs_state *b) {
  cr_expect_eq(memcmp(a->q, b->q, a->n_values * sizeof *a->q), 0);
}

/* Saved within a phase of sticking, restored in another integrator, twice. */
Test(hard_contacts, runs_have_the_same_bits_also_from_images_within_sticking) {
  const double slow = 0.4; /* it has stopped, and not yet left */
  model_run first = start_block(0.7, 2);
  model_run second = start_block(0.7, 2);
  const size_t size = mbs_integrator_image_size(first.integrator);
  void *image = malloc(size);
  cr_assert_not_null(image);
  model_run_reach(&first, slow);
  model_run_reach(&second, slow);
  expect_same(first.state, second.state);
  cr_expect_eq(model_run_read(&first, "left.mode"), 4);
  mbs_integrator_save(first.integrator, image);
  model_run_reach(&first, 1.5);
  model_run_reach(&second, 1.5);
  expect_same(first.state, second.state);
  model_run third = start_block(0.7, 2);
  cr_assert_eq(mbs_integrator_restore(third.integrator, image, size, NULL), SEAM_OK);
  model_run_reach(&third, 1.5);
  expect_same(first.state, third.state);
  free(image);
  model_run_end(&first);
  model_run_end(&second);
  model_run_end(&third);
}

/* ---- What is refused ---- */

Test(hard_contacts, keys_that_contradict_each_other_are_refused) {
  expect_refused(BALL("stiffness: 3"),
                 "text.yaml:5:15: error: 'stiffness' in force 'floor' cannot stand beside 'hard: true'\n"
                 "  hard: true, stiffness: 3}}\n"
                 "              ^\n"
                 "remove this key, or remove 'hard'");
}

static void expect_failure(const model_run *run, const char *method, const char *message) {
  mbs_integrator_options options = mbs_default_integrator_options();
  mbs_integrator *integrator = NULL;
  seam_error error = {0};
  const mbs_model *model = NULL;
  options.method = method;
  cr_assert_eq(seam_model_whole(run->file, &model, NULL), SEAM_OK);
  cr_expect_eq(mbs_integrator_create(model, &options, &integrator, &error), SEAM_BAD_INPUT);
  cr_expect_str_eq(error.message, message);
}

Test(hard_contacts, what_does_not_know_them_says_so) {
  model_run run = start(BALL("restitution: 0.5"));
  expect_failure(&run, "ida",
                 "contact 'floor' is hard, which integrator 'ida' does not support: take erk, radau or a method of "
                 "fixed steps, or leave out 'hard'");
  expect_failure(&run, "cvode",
                 "contact 'floor' is hard, which integrator 'cvode' does not support: take erk, radau or a method of "
                 "fixed steps, or leave out 'hard'");
  model_run_end(&run);
}

/* ---- Units ---- */

/* A point falls from 0.6 L upon a stop at 0.1 L, and after √(2 0.5/9.81) T bounces with 0.6 of its speed. */
Test(hard_contacts, a_point_bounces_in_any_units) {
  static const double units[][2] = {{1, 1},      {1, 1e6},     {1, 1e9},   {1e-3, 1e6}, {1e-9, 1},
                                    {1e-6, 1e4}, {1e-6, 1e-9}, {1e6, 1e6}, {1e9, 1}};
  for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
    const double L = units[u][0];
    const double T = units[u][1];
    char text[700];
    snprintf(text, sizeof text,
             "seam: 2\nparameters: {L: %g, T: %g}\ngravity: [0, -9.81*L/T^2]\n"
             "bodies: {b: {mass: 1, inertia: 0, at: [0, 0.6*L]}}\n"
             "forces: {c: {type: stop, of: slide, bodies: [ground, b], at: [[0, 0], [0, 0.6*L]], axis: [0, 1], "
             "lower: 0.1*L, hard: true, restitution: 0.6}}\nsimulate: {end: 3*T}\n",
             L, T);
    model_run run = model_run_begin(text, NULL, NULL, NAN);
    double begin = sqrt(2 * 0.5 / 9.81);
    double speed = 0.6 * 9.81 * begin;
    while (begin + 2 * speed / 9.81 < 1) {
      begin += 2 * speed / 9.81;
      speed *= 0.6;
    }
    model_run_reach(&run, T);
    const double y = 0.1 + speed * (1 - begin) - 9.81 / 2 * (1 - begin) * (1 - begin);
    cr_expect_float_eq(run.state->q[1] / L, y, 1e-8, "L = %g, T = %g: off by %g", L, T, run.state->q[1] / L - y);
    model_run_reach(&run, 3 * T);
    cr_expect_float_eq(run.state->q[1] / L, 0.1, 1e-12, "L = %g, T = %g: off by %g", L, T, run.state->q[1] / L - 0.1);
    model_run_end(&run);
  }
}

/* A ball slides on, and rolls from 3 L/(3.5 μ g) on: ω = -(5/7) 3 L/(0.1 L). */
Test(hard_contacts, a_ball_slides_until_it_rolls_in_any_units) {
  static const double units[][2] = {{1, 1}, {1e-8, 1}, {1e-9, 1}, {1, 1e-9}, {1e-6, 1e6}, {1e6, 1}};
  for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
    char text[700];
    snprintf(text, sizeof text,
             "seam: 2\nparameters: {L: %g, T: %g}\ngravity: [0, -9.81*L/T^2]\n"
             "bodies: {b: {mass: 1, inertia: 0.4*(0.1*L)^2, at: [0, 0.1*L], velocity: [3*L/T, 0]}}\n"
             "forces: {c: {type: contact, bodies: [ground, b], at: [[0, 0], [0, 0.1*L]], line: [1, 0], "
             "radius: 0.1*L, hard: true, friction: 0.2}}\nsimulate: {end: T}\n",
             units[u][0], units[u][1]);
    model_run run = model_run_begin(text, NULL, NULL, NAN);
    model_run_reach(&run, units[u][1]);
    const double omega = run.state->v[2] * units[u][1];
    cr_expect_float_eq(omega, -150 / 7.0, 1e-7, "L = %g, T = %g: %.10g", units[u][0], units[u][1], omega);
    model_run_end(&run);
  }
}

/* A row of balls between walls hands its velocities on; an arm swings between stops of its angle. */
Test(hard_contacts, rows_and_stops_of_angles_hit_in_any_units) {
  static const double units[][2] = {{1, 1}, {1e-6, 1e6}, {1e-9, 1}, {1e6, 1e-9}};
  double turned = NAN;
  for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
    const double L = units[u][0];
    const double T = units[u][1];
    char text[1500];
    snprintf(text, sizeof text,
             "seam: 2\nparameters: {L: %g, T: %g}\nbodies:\n"
             "  a: {mass: 1, inertia: L^2/1000, at: [-0.5*L, 0], velocity: [L/T, 0]}\n"
             "  b: {mass: 1, inertia: L^2/1000, at: [0, 0]}\n  c: {mass: 1, inertia: L^2/1000, at: [0.201*L, 0]}\n"
             "  arm: {mass: 1, inertia: L^2/100, at: [0.1*L, L], rate: 3/T}\n"
             "joints: {p: {type: revolute, bodies: [ground, arm], at: [0, L]}}\nforces:\n"
             "  ab: {type: contact, bodies: [a, b], at: [[-0.5*L, 0], [0, 0]], radii: [0.1*L, 0.1*L], hard: true, "
             "restitution: 1}\n"
             "  bc: {type: contact, bodies: [b, c], at: [[0, 0], [0.201*L, 0]], radii: [0.1*L, 0.1*L], hard: true, "
             "restitution: 1}\n"
             "  s: {type: stop, of: angle, bodies: [ground, arm], lower: -0.5, upper: 1, hard: true, "
             "restitution: 0.5}\nsimulate: {end: 3*T}\n",
             L, T);
    model_run run = model_run_begin(text, NULL, NULL, NAN);
    model_run_reach(&run, 1.5 * T);
    cr_expect_float_eq(model_run_read(&run, "c.vx") * T / L, 1, 1e-12);
    cr_expect_float_eq(model_run_read(&run, "a.vx") * T / L, 0, 1e-12);
    cr_expect_float_eq(model_run_read(&run, "arm.omega") * T, -0.75, 1e-7, "L = %g, T = %g: %.10g", L, T,
                       model_run_read(&run, "arm.omega") * T);
    turned = u == 0 ? model_run_read(&run, "arm.phi") : turned;
    cr_expect_float_eq(model_run_read(&run, "arm.phi"), turned, 1e-7);
    model_run_end(&run);
  }
}
