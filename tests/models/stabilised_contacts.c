/* Hard contacts, stops and ropes by radau, in the stabilised form: closed forms, the explicit methods, orders, bits. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/events.h>

#include "tests/support/model_run.h"

static model_run start_with(const char *text, const char *method, double step) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = method;
  options.step = step;
  options.rtol = options.atol = 1e-11;
  return model_run_begin(text, NULL, &options, INFINITY);
}

static model_run start(const char *text) { return start_with(text, "radau", 0); }

/* Of the first force element. */
static mbs_impact_record record_of(const model_run *run) {
  const mbs_model *model = NULL;
  cr_assert_eq(seam_model_whole(run->file, &model, NULL), SEAM_OK);
  return mbs_impact_record_of(model, run->state, 0);
}

/* ---- Impacts ---- */

/* From the height 1 with √(20) m/s, each flight half as long as the one before. */
Test(stabilised_contacts, a_ball_bounces_at_the_times_of_the_closed_form_up_to_their_limit) {
  model_run run = start("seam: 1\ngravity: [0, -10]\nbodies: {ball: {mass: 2, inertia: 0.1, at: [0, 1.1]}}\n"
                        "forces: {floor: {type: contact, bodies: [ground, ball], at: [[0, 0], [0, 1.1]],\n"
                        "  line: [1, 0], radius: 0.1, hard: true, restitution: 0.5}}\nsimulate: {end: 1}\n");
  double t = sqrt(0.2);
  const double limit = 3 * t;
  double v = sqrt(20);
  for (int k = 0; k < 8; k++) {
    v /= 2;
    model_run_reach(&run, t + v / 10);
    cr_expect_float_eq(record_of(&run).last, t, 1e-10, "impact %d off by %g", k, record_of(&run).last - t);
    cr_expect_lt(model_run_imbalance(&run, 22), 1e-8 * 22);
    t += 2 * v / 10;
  }
  model_run_reach(&run, limit + 0.1);
  cr_expect_float_eq(run.state->z[1], limit, 1e-10, "off by %g", run.state->z[1] - limit);
  cr_expect_float_eq(run.state->q[1], 0.1, 1e-15);
  cr_expect_float_eq(model_run_read(&run, "floor.force"), 20, 1e-11);
  cr_expect_lt(model_run_imbalance(&run, 22), 1e-8 * 22);
  model_run_end(&run);
}

#define ROCKING                                                                                                        \
  "seam: 1\ngravity: [0, -9.81]\n"                                                                                     \
  "bodies: {block: {mass: 3, inertia: 3*(0.3^2 + 1)/3, at: [0.6*cos(0.2)/2 - sin(0.2), 0.6*sin(0.2)/2 + cos(0.2)],\n"  \
  "  angle: 0.2}}\n"                                                                                                   \
  "forces:\n"                                                                                                          \
  "  left: {type: contact, bodies: [ground, block], at: {ground: [0, 0], block: [-0.3, -1]}, line: [1, 0],\n"          \
  "    hard: true, friction: 0.5}\n"                                                                                   \
  "  right: {type: contact, bodies: [ground, block], at: {ground: [0, 0], block: [0.3, -1]}, line: [1, 0],\n"          \
  "    hard: true, friction: 0.5}\n"                                                                                   \
  "simulate: {end: 1}\n"

/* A block that rocks on two corners, sticking, with impacts from one to the other. */
Test(stabilised_contacts, a_rocking_block_moves_as_by_the_explicit_method) {
  model_run first = start_with(ROCKING, "erk", 0);
  model_run second = start(ROCKING);
  const double before = mbs_energy_of(first.ws, first.state).total;
  for (int k = 1; k <= 8; k++) {
    model_run_reach(&first, 0.5 * k);
    model_run_reach(&second, 0.5 * k);
    for (int i = 0; i < 3; i++)
      cr_expect_float_eq(second.state->q[i], first.state->q[i], 1e-8, "t = %g: off by %g", 0.5 * k,
                         second.state->q[i] - first.state->q[i]);
    cr_expect_lt(model_run_imbalance(&second, before), 1e-8);
  }
  cr_expect_geq(record_of(&second).count, 2, "%zu", record_of(&second).count);
  cr_expect_eq(record_of(&second).count, record_of(&first).count);
  model_run_end(&first);
  model_run_end(&second);
}

/* ---- Friction ---- */

static model_run start_block(double mu, double speed) {
  char text[1500];
  snprintf(text, sizeof text,
           "seam: 1\ngravity: [0, -9.81]\nparameters: {c: cos(pi/6), s: sin(pi/6), mu: %.17g, v: %.17g}\n"
           "bodies: {block: {mass: 3, inertia: 0.2, at: [-0.1*s, 0.1*c], angle: pi/6, velocity: [v*c, v*s]}}\n"
           "forces:\n"
           "  left: {type: contact, bodies: [ground, block], at: {ground: [0, 0], block: [-0.4, -0.1]},\n"
           "    line: [c, s], hard: true, friction: mu}\n"
           "  right: {type: contact, bodies: [ground, block], at: {ground: [0, 0], block: [0.4, -0.1]},\n"
           "    line: [c, s], hard: true, friction: mu}\n"
           "simulate: {end: 1}\n",
           mu, speed);
  return start(text);
}

static double along(const double *x) { return x[0] * sqrt(0.75) + x[1] / 2; }

Test(stabilised_contacts, a_block_on_an_incline_sticks_up_to_the_coefficient_of_its_slope) {
  const double slope = sqrt(1 / 3.0);
  model_run run = start_block(slope * (1 + 1e-9), 0);
  const double before = along(run.state->q);
  model_run_reach(&run, 2);
  cr_expect_float_eq(along(run.state->q), before, 1e-13);
  cr_expect_float_eq(model_run_read(&run, "left.friction") + model_run_read(&run, "right.friction"), 3 * 9.81 / 2,
                     1e-10);
  model_run_end(&run);
  run = start_block(slope * (1 - 1e-9), 0);
  model_run_reach(&run, 2);
  cr_expect_float_eq(along(run.state->q) - before, -9.81 / 2 * 1e-9 * 2, 1e-12, "%g", along(run.state->q) - before);
  model_run_end(&run);
}

/* Thrown upwards it slows down by g (sin α + μ cos α), and stays, or comes back; what friction takes is booked. */
Test(stabilised_contacts, a_block_that_is_thrown_upwards_stops_and_sticks_or_slides_back) {
  static const double mu[] = {0.7, 0.3};
  for (int i = 0; i < 2; i++) {
    const double up = 9.81 * (0.5 + mu[i] * sqrt(0.75));
    const double down = fmax(9.81 * (0.5 - mu[i] * sqrt(0.75)), 0);
    const double t = 2 / up;
    model_run run = start_block(mu[i], 2);
    const double before = along(run.state->q);
    const double energy = mbs_energy_of(run.ws, run.state).total;
    model_run_reach(&run, 1);
    const double length = 2 * t - up * t * t / 2 - down * (1 - t) * (1 - t) / 2;
    cr_expect_float_eq(along(run.state->q) - before, length, 1e-11, "off by %g", along(run.state->q) - before - length);
    cr_expect_float_eq(along(run.state->v), -down * (1 - t), 1e-11);
    cr_expect_lt(model_run_imbalance(&run, energy), 1e-8);
    model_run_end(&run);
  }
}

/* A full disc that rolls down a fixed circle from rest has 3/4 v² = g times the height that it lost. Then it slips, and
 * leaves. */
#define ON_CIRCLE                                                                                                      \
  "seam: 1\ngravity: [0, -9.81]\nparameters: {a: 0.3}\n"                                                               \
  "bodies: {disc: {mass: 2, inertia: 0.01, at: [1.1*sin(a), 1.1*cos(a)]}}\n"                                           \
  "forces: {c: {type: contact, bodies: [ground, disc], at: {ground: [0, 0], disc: [0, 0]}, radii: [1, 0.1],\n"         \
  "  hard: true, friction: 0.4}}\nsimulate: {end: 1}\n"

Test(stabilised_contacts, a_disc_rolls_slips_and_leaves_a_circle) {
  model_run run = start(ON_CIRCLE);
  model_run explicit_run = start_with(ON_CIRCLE, "erk", 0);
  const double energy = mbs_energy_of(run.ws, run.state).total;
  model_run_reach(&run, 0.2);
  cr_expect_eq(model_run_read(&run, "c.mode"), 4);
  const double v = hypot(run.state->v[0], run.state->v[1]);
  cr_expect_float_eq(0.75 * v * v, 9.81 * (1.1 * cos(0.3) - run.state->q[1]), 1e-11);
  cr_expect_float_eq(run.state->v[2], -v / 0.1, 1e-10);
  for (int k = 1; k <= 10; k++) {
    model_run_reach(&run, 0.2 + 0.08 * k);
    model_run_reach(&explicit_run, 0.2 + 0.08 * k);
    for (int i = 0; i < 3; i++)
      cr_expect_float_eq(run.state->q[i], explicit_run.state->q[i], 1e-8, "t = %g: off by %g", run.state->t,
                         run.state->q[i] - explicit_run.state->q[i]);
  }
  cr_expect_gt(run.state->work[0], 0.01, "it slipped");
  cr_expect_gt(model_run_read(&run, "c.gap"), 0.01, "it left");
  cr_expect_lt(model_run_imbalance(&run, energy), 1e-8);
  model_run_end(&run);
  model_run_end(&explicit_run);
}

/* Radau's order 5 in the states of what rolls. */
Test(stabilised_contacts, a_rolling_disc_converges_with_the_order_of_the_method) {
  double off[2];
  for (int i = 0; i < 2; i++) {
    model_run run = start_with(ON_CIRCLE, "radau", 0.05 / (1 << i));
    model_run fine = start_with(ON_CIRCLE, "erk", 0);
    model_run_reach(&run, 0.4);
    model_run_reach(&fine, 0.4);
    off[i] = fabs(run.state->q[2] - fine.state->q[2]);
    model_run_end(&run);
    model_run_end(&fine);
  }
  cr_expect_gt(log2(off[0] / off[1]), 4.5, "%g, %g", off[0], off[1]);
}

/* ---- Stops and ropes ---- */

/* A bead leaves its circle where the tension of its rope ends, and is caught again on its parabola. */
#define BEAD                                                                                                           \
  "seam: 1\ngravity: [0, -9.81]\n"                                                                                     \
  "bodies: {bead: {mass: 0.3, inertia: 1e-4, at: [0, -1], velocity: [sqrt(3.5*9.81), 0]}}\n"                           \
  "forces: {r: {type: rope, bodies: [ground, bead], at: [[0, 0], [0, -1]], hard: true, restitution: 0.5}}\n"           \
  "simulate: {end: 1}\n"

Test(stabilised_contacts, a_rope_slackens_and_is_taut_again) {
  model_run run = start(BEAD);
  model_run explicit_run = start_with(BEAD, "erk", 0);
  const double energy = mbs_energy_of(run.ws, run.state).total;
  for (int k = 1; k <= 20; k++) {
    model_run_reach(&run, 0.1 * k);
    model_run_reach(&explicit_run, 0.1 * k);
    for (int i = 0; i < 2; i++)
      cr_expect_float_eq(run.state->q[i], explicit_run.state->q[i], 1e-8, "t = %g: off by %g", run.state->t,
                         run.state->q[i] - explicit_run.state->q[i]);
    cr_expect_leq(model_run_read(&run, "r.length"), 1 + 1e-10);
  }
  cr_expect_geq(record_of(&run).count, 1);
  cr_expect_lt(model_run_imbalance(&run, energy), 1e-8);
  model_run_end(&run);
  model_run_end(&explicit_run);
}

/* With joints: a pendulum comes to rest on its stop. */
Test(stabilised_contacts, a_pendulum_comes_to_rest_on_its_stop) {
  model_run run = start("seam: 1\ngravity: [0, -9.81]\nbodies: {rod: {rod: [[0, 0], [2, 0]], mass: 3}}\n"
                        "joints: {A: {type: revolute, bodies: [ground, rod], at: [0, 0]}}\n"
                        "forces: {s: {type: stop, of: angle, bodies: [ground, rod], lower: -pi/3, hard: true,\n"
                        "  restitution: 0.6}}\nsimulate: {end: 1}\n");
  const double before = mbs_energy_of(run.ws, run.state).total;
  for (int k = 1; k <= 10; k++) {
    model_run_reach(&run, k);
    cr_expect_lt(model_run_imbalance(&run, before), 1e-8);
  }
  cr_expect_float_eq(model_run_read(&run, "s.angle"), -acos(0.5), 1e-12);
  cr_expect_float_eq(model_run_read(&run, "s.torque"), 3 * 9.81 / 2, 1e-9);
  model_run_end(&run);
}

/* ---- Bits ---- */

/* Saved within a phase of sticking, between impacts. */
Test(stabilised_contacts, runs_have_the_same_bits_also_from_images) {
  model_run first = start(ROCKING);
  model_run second = start(ROCKING);
  model_run third = start(ROCKING);
  const size_t size = mbs_integrator_image_size(first.integrator);
  void *image = malloc(size);
  cr_assert_not_null(image);
  model_run_reach(&first, 0.9);
  model_run_reach(&second, 0.9);
  mbs_integrator_save(first.integrator, image);
  model_run_reach(&first, 3);
  model_run_reach(&second, 3);
  cr_assert_eq(mbs_integrator_restore(third.integrator, image, size, NULL), SEAM_OK);
  model_run_reach(&third, 3);
  cr_expect_eq(memcmp(first.state->q, second.state->q, first.state->n_values * sizeof(double)), 0);
  cr_expect_eq(memcmp(first.state->q, third.state->q, first.state->n_values * sizeof(double)), 0);
  free(image);
  model_run_end(&first);
  model_run_end(&second);
  model_run_end(&third);
}
