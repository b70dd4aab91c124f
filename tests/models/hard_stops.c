/* Hard stops and ropes in model files: impacts in closed form, rest on a bound, energy, and what is refused. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/events.h>

#include "tests/support/model_run.h"

static const double pi = 3.14159265358979323846;

static model_run start(const char *text) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.rtol = options.atol = 1e-12;
  return model_run_begin(text, NULL, &options, INFINITY);
}

static const mbs_model *model_of(const model_run *run) {
  const mbs_model *model = NULL;
  cr_assert_eq(seam_model_whole(run->file, &model, NULL), SEAM_OK);
  return model;
}

/* Times of impacts, in the order in which they come. */
typedef struct heard {
  double time[200];
  size_t n;
} heard;

static seam_status hear(void *context, const mbs_impact_event *impact, const mbs_state *state, seam_error *error) {
  heard *of = context;
  (void)state;
  (void)error;
  cr_assert_lt(of->n, sizeof of->time / sizeof *of->time);
  of->time[of->n++] = impact->time;
  return SEAM_OK;
}

/* ---- Stops ---- */

static const char *const coordinates[] = {
    "of: slide, at: [[0, 0], [0, 0]], axis: [1, 0], lower: -0.5, upper: 0.5",
    "of: distance, at: [[-3, 0], [0, 0]], lower: 2.5, upper: 3.5",
    "of: angle, lower: -0.5, upper: 0.5",
};

/* To and fro, each flight 1/e as long as the one before, all of it within steps that know of no force. */
Test(hard_stops, a_body_flies_between_two_bounds) {
  for (int c = 0; c < 3; c++) {
    char text[600];
    heard of = {0};
    snprintf(text, sizeof text,
             "seam: 1\nbodies: {b: {mass: 2, inertia: 2, %s}}\n"
             "forces: {s: {type: stop, bodies: [ground, b], %s, hard: true, restitution: 0.8}}\nsimulate: {end: 1}\n",
             c == 2 ? "rate: 2" : "velocity: [2, 0]", coordinates[c]);
    model_run run = start(text);
    mbs_integrator_set_impact_listener(run.integrator, hear, &of);
    double t = 0.25;
    double v = 2;
    model_run_reach(&run, 20);
    cr_assert_gt(of.n, 9);
    for (size_t k = 0; k < of.n; k++) {
      cr_expect_float_eq(of.time[k], t, 1e-10, "%s: impact %zu off by %g", coordinates[c], k, of.time[k] - t);
      v *= 0.8;
      t += 1 / v;
    }
    cr_expect_float_eq(fabs(run.state->v[c == 2 ? 2 : 0]), v, 1e-12);
    cr_expect_lt(model_run_imbalance(&run, 4), 1e-12);
    cr_expect_eq(model_run_read(&run, "s.impacts"), (double)of.n);
    cr_expect_float_eq(model_run_read(&run, "s.impact_loss"), 4 * (1 - pow(0.64, (double)of.n)), 1e-11);
    cr_expect_float_eq(model_run_read(&run, "s.impulse"), 2 * 1.8 * 2 * (1 - pow(0.8, (double)of.n)) / 0.2, 1e-11);
    model_run_end(&run);
  }
}

/* A gap that is passed to and back within one step of a body that is free elsewhere. */
Test(hard_stops, an_excursion_beyond_a_bound_within_a_step_is_found) {
  model_run run =
      start("seam: 1\ngravity: [0, -10]\n"
            "bodies: {b: {mass: 1, inertia: 1, at: [0, 0], velocity: [0, 10]}}\n"
            "forces: {s: {type: stop, bodies: [ground, b], of: slide, at: {ground: [0, 0], b: [0, 0]},\n"
            "  axis: [0, 1], lower: -0.5, upper: 4.999, hard: true, restitution: 0}}\nsimulate: {end: 1}\n");
  const double t = 1 - sqrt(0.0002);
  model_run_reach(&run, 1.9);
  cr_expect_float_eq(mbs_impact_record_of(model_of(&run), run.state, 0).first, t, 1e-10);
  cr_expect_float_eq(run.state->q[1], 4.999 - 5 * (1.9 - t) * (1.9 - t), 1e-10);
  model_run_end(&run);
}

/* A pendulum falls from the horizontal onto its stop at 60° below: ω⁻ = √(3 g sin 60°/l) of a rod, then it bounces with
 * e ω until it rests there, where the torque of the weight is held. */
Test(hard_stops, a_pendulum_comes_to_rest_on_its_stop) {
  model_run run = start("seam: 1\ngravity: [0, -9.81]\nbodies: {rod: {rod: [[0, 0], [2, 0]], mass: 3}}\n"
                        "joints: {A: {type: revolute, bodies: [ground, rod], at: [0, 0]}}\n"
                        "forces: {s: {type: stop, of: angle, bodies: [ground, rod], lower: -pi/3, hard: true,\n"
                        "  restitution: 0.6}}\nsimulate: {end: 1}\n");
  heard of = {0};
  mbs_integrator_set_impact_listener(run.integrator, hear, &of);
  const double before = mbs_energy_of(run.ws, run.state).total;
  const double omega = sqrt(3 * 9.81 * sin(pi / 3) / 2);
  double t = 0;
  while (of.n == 0)
    model_run_reach(&run, t += 0.01);
  model_run_reach(&run, t);
  const mbs_impact_record record = mbs_impact_record_of(model_of(&run), run.state, 0);
  cr_expect_float_eq(record.normal, 4 * 1.6 * omega, 1e-9, "%g", record.normal - 4 * 1.6 * omega);
  cr_expect_float_eq(record.loss, 2 * omega * omega * 0.64, 1e-9);
  cr_expect_lt(model_run_imbalance(&run, before), 1e-8);
  model_run_reach(&run, 10);
  cr_expect_float_eq(run.state->q[2], -pi / 3, 1e-13);
  cr_expect_float_eq(model_run_read(&run, "s.angle"), -pi / 3, 1e-13);
  cr_expect_eq(model_run_read(&run, "s.mode"), 3);
  cr_expect_float_eq(model_run_read(&run, "s.torque"), 3 * 9.81 * cos(pi / 3), 1e-11);
  cr_expect_lt(model_run_imbalance(&run, before), 1e-8);
  model_run_end(&run);
}

/* Pushed against its upper bound, then pulled away: it leaves when the force changes its sign. */
Test(hard_stops, a_body_leaves_its_bound_when_it_is_pulled_away) {
  model_run run = start("seam: 1\nbodies: {b: {mass: 2, inertia: 1}}\n"
                        "forces:\n"
                        "  s: {type: stop, bodies: [ground, b], of: slide, at: {ground: [0, 0], b: [0, 0]},\n"
                        "    axis: [1, 0], upper: 0, hard: true}\n"
                        "  f: {type: force, body: b, x: cos(t)}\nsimulate: {end: 1}\n");
  model_run_reach(&run, 1);
  cr_expect_float_eq(model_run_read(&run, "s.force"), -cos(1.0), 1e-12);
  cr_expect_eq(run.state->q[0], 0);
  model_run_reach(&run, 3);
  const double tau = 3 - pi / 2;
  cr_expect_float_eq(run.state->q[0], -(tau - sin(tau)) / 2, 1e-11);
  cr_expect_eq(model_run_read(&run, "s.force"), 0);
  model_run_end(&run);
}

/* ---- Ropes ---- */

/* A bead thrown straight down on a rope: it comes back at e times its speed, each time at a time that is known. */
Test(hard_stops, a_bead_on_a_rope_bounces_at_the_times_of_the_closed_form) {
  const double e = 0.7;
  const double g = 9.81;
  heard of = {0};
  model_run run = start("seam: 1\ngravity: [0, -9.81]\nbodies: {bead: {mass: 0.3, inertia: 1e-4, at: [0, -0.2]}}\n"
                        "forces: {r: {type: rope, bodies: [ground, bead], at: [[0, 0], [0, -0.2]], length: 1,\n"
                        "  hard: true, restitution: 0.7}}\nsimulate: {end: 1}\n");
  mbs_integrator_set_impact_listener(run.integrator, hear, &of);
  double t = sqrt(2 * 0.8 / g);
  double v = g * t;
  const double limit = t * (1 + e) / (1 - e);
  model_run_reach(&run, limit + 1);
  cr_assert_gt(of.n, 15);
  for (size_t k = 0; k < 15; k++) {
    cr_expect_float_eq(of.time[k], t, 1e-10, "impact %zu off by %g", k, of.time[k] - t);
    v *= e;
    t += 2 * v / g;
  }
  cr_expect_float_eq(run.state->q[1], -1, 1e-14);
  cr_expect_float_eq(model_run_read(&run, "r.force"), -0.3 * g, 1e-12);
  cr_expect_float_eq(model_run_read(&run, "r.fy"), -0.3 * g, 1e-12);
  cr_expect_float_eq(model_run_read(&run, "r.stretch"), 0, 1e-14);
  cr_expect_float_eq(run.state->work[0], 0.3 * g * 0.8, 1e-9);
  model_run_end(&run);
}

/* In a circle on a taut rope without gravity; then a bead that rises above the centre too slowly leaves its circle
 * where the tension ends, m v²/l = m g sin β, and flies on a parabola until the rope is taut again. */
Test(hard_stops, a_rope_slackens_where_its_tension_ends) {
  const double g = 9.81;
  const double v0 = sqrt(3.5 * g);
  model_run run = start("seam: 1\ngravity: [0, -9.81]\n"
                        "bodies: {bead: {mass: 0.3, inertia: 1e-4, at: [0, -1], velocity: [sqrt(3.5*9.81), 0]}}\n"
                        "forces: {r: {type: rope, bodies: [ground, bead], at: [[0, 0], [0, -1]], hard: true}}\n"
                        "simulate: {end: 1}\n");
  const double before = mbs_energy_of(run.ws, run.state).total;
  cr_expect_float_eq(model_run_read(&run, "r.length"), 1, 1e-15);
  model_run_reach(&run, 0.1);
  const double y = run.state->q[1];
  cr_expect_float_eq(model_run_read(&run, "r.length"), 1, 1e-13);
  cr_expect_float_eq(-model_run_read(&run, "r.force"), 0.3 * (v0 * v0 - 2 * g * (y + 1) - g * y), 1e-9);
  double t = 0.1;
  while (model_run_read(&run, "r.mode") == 3)
    model_run_reach(&run, t += 1e-3);
  /* v² = v0² - 2 g (1 + s) = g s at the height s = sin β above the centre */
  const double s = (v0 * v0 / g - 2) / 3;
  const double c = sqrt(1 - s * s);
  const double v = sqrt(g * s);
  const double vx = run.state->v[0];
  cr_expect_float_eq(vx, -v * s, 1e-9, "off by %g", vx + v * s);
  /* |r| = 1 again on the parabola from (c, s) with (-v s, v c) */
  const double tau = 4 * v * c / g;
  const double since = (run.state->q[0] - c) / vx;
  const double taut = t - since + tau;
  model_run_reach(&run, taut + 0.2);
  const mbs_impact_record record = mbs_impact_record_of(model_of(&run), run.state, 0);
  cr_expect_eq(record.count, 1);
  cr_expect_float_eq(record.first, taut, 1e-8, "off by %g", record.first - taut);
  cr_expect_lt(model_run_imbalance(&run, before), 1e-9);
  cr_expect_float_eq(model_run_read(&run, "r.length"), 1, 1e-13);
  model_run_end(&run);
}

/* Two bodies on a rope: with e = 0 they go on together, and momentum stays. */
Test(hard_stops, a_rope_between_two_bodies_keeps_momentum) {
  model_run run =
      start("seam: 1\nbodies: {a: {mass: 1, inertia: 1, velocity: [-1, 0]}, b: {mass: 3, inertia: 1, at: [1, 0],\n"
            "  velocity: [2, 0]}}\n"
            "forces: {r: {type: rope, bodies: [a, b], at: [[0, 0], [1, 0]], length: 2, hard: true}}\n"
            "simulate: {end: 1}\n");
  model_run_reach(&run, 1);
  cr_expect_float_eq(run.state->v[0], 1.25, 1e-13);
  cr_expect_float_eq(run.state->v[3], 1.25, 1e-13);
  const mbs_impact_record record = mbs_impact_record_of(model_of(&run), run.state, 0);
  cr_expect_float_eq(record.first, 1 / 3.0, 1e-10);
  cr_expect_float_eq(record.normal, 2.25, 1e-12);
  cr_expect_float_eq(record.loss, 0.5 * 0.75 * 9, 1e-12);
  model_run_end(&run);
}

/* With contacts, in one problem: a ball on a hard floor and a rope that holds it, taut at the same time. */
Test(hard_stops, ropes_and_contacts_share_an_impact) {
  model_run run =
      start("seam: 1\ngravity: [0, -10]\nbodies: {ball: {mass: 2, inertia: 0.1, at: [0, 1.1], velocity: [1, 0]}}\n"
            "forces:\n"
            "  floor: {type: contact, bodies: [ground, ball], at: [[0, 0], [0, 1.1]], line: [1, 0], radius: 0.1,\n"
            "    hard: true, restitution: 0.5}\n"
            "  wall: {type: stop, of: slide, bodies: [ground, ball], at: {ground: [0, 0], ball: [0, 0]},\n"
            "    axis: [1, 0], upper: sqrt(0.2), hard: true, restitution: 0.5}\n"
            "simulate: {end: 1}\n");
  const double t = sqrt(0.2);
  model_run_reach(&run, t + 0.1);
  cr_expect_float_eq(run.state->v[0], -0.5, 1e-13);
  cr_expect_float_eq(run.state->v[1], 0.5 * 10 * t - 1, 1e-10);
  model_run_end(&run);
}

/* ---- At rest ---- */

Test(hard_stops, an_equilibrium_rests_on_stops_and_ropes) {
  model_run run =
      start("seam: 1\ngravity: [0, -9.81]\n"
            "bodies: {rod: {rod: [[0, 0], [2, 0]], mass: 3}, load: {mass: 2, inertia: 0.1, at: [2, -0.5]}}\n"
            "joints: {A: {type: revolute, bodies: [ground, rod], at: [0, 0]}}\n"
            "forces:\n"
            "  s: {type: stop, of: angle, bodies: [ground, rod], lower: -0.3, hard: true}\n"
            "  r: {type: rope, bodies: [rod, load], at: {rod: [1, 0], load: [0, 0]}, length: 1, hard: true}\n"
            "simulate: {end: 1}\n");
  mbs_equilibrium report;
  seam_error error;
  cr_assert_eq(mbs_find_equilibrium(run.ws, run.state, &report, NULL, &error), SEAM_OK, "%s", error.message);
  cr_expect_float_eq(run.state->q[2], -0.3, 1e-9);
  cr_expect_float_eq(run.state->q[3], 2 * cos(0.3), 1e-8);
  cr_expect_float_eq(run.state->q[4], -2 * sin(0.3) - 1, 1e-8);
  cr_expect_float_eq(model_run_read(&run, "r.force"), -2 * 9.81, 1e-5);
  cr_expect_float_eq(model_run_read(&run, "s.torque"), (3 + 4) * 9.81 * cos(0.3), 1e-5);
  model_run_end(&run);
}

/* ---- Bits ---- */

Test(hard_stops, an_image_goes_on_to_the_bit) {
  const char *text = "seam: 1\ngravity: [0, -9.81]\nbodies: {rod: {rod: [[0, 0], [2, 0]], mass: 3}}\n"
                     "joints: {A: {type: revolute, bodies: [ground, rod], at: [0, 0]}}\n"
                     "forces: {s: {type: stop, of: angle, bodies: [ground, rod], lower: -pi/3, hard: true,\n"
                     "  restitution: 0.6}}\nsimulate: {end: 1}\n";
  model_run run = start(text);
  model_run again = start(text);
  const size_t size = mbs_integrator_image_size(run.integrator);
  void *image = malloc(size);
  cr_assert_not_null(image);
  model_run_reach(&run, 1.3);
  mbs_integrator_save(run.integrator, image);
  model_run_reach(&run, 5);
  cr_assert_eq(mbs_integrator_restore(again.integrator, image, size, NULL), SEAM_OK);
  model_run_reach(&again, 5);
  cr_expect_eq(memcmp(run.state->q, again.state->q, run.state->n_values * sizeof(double)), 0);
  free(image);
  model_run_end(&run);
  model_run_end(&again);
}

/* ---- What is refused ---- */

#define STOP(keys)                                                                                                     \
  "seam: 1\nbodies: {b: {mass: 2, inertia: 1}}\nforces:\n  s: {type: stop, bodies: [ground, b], of: angle, lower: "    \
  "-0.5, " keys "}\nsimulate: {end: 1}\n"
#define ROPE(keys)                                                                                                     \
  "seam: 1\nbodies: {b: {mass: 2, inertia: 1}}\nforces:\n  r: {type: rope, bodies: [ground, b], at: [[0, 1], [0, 0]"   \
  "], " keys "}\nsimulate: {end: 1}\n"

/* The line and the place are those of the reader. */
static void expect_error(const char *text, const char *message) {
  seam_model_file *file = NULL;
  seam_error error = {0};
  cr_expect_eq(seam_model_file_parse("text.yaml", text, strlen(text), NULL, 0, &file, &error), SEAM_BAD_INPUT);
  cr_expect(strstr(error.message, message) != NULL, "%s", error.message);
}

Test(hard_stops, keys_that_contradict_each_other_are_refused) {
  expect_refused(STOP("hard: true, damping: 3"),
                 "text.yaml:4:76: error: 'damping' in force 's' cannot stand beside 'hard: true'\n"
                 "  s: {type: stop, bodies: [ground, b], of: angle, lower: -0.5, hard: true, damping: 3}\n"
                 "                                                                           ^\n"
                 "remove this key, or remove 'hard'");
  expect_error(STOP("restitution: 0.5"), "text.yaml:4:3: error: force 's' needs 'stiffness', or 'hard: true'");
  expect_error(STOP("stiffness: 3, impact: poisson"),
               "text.yaml:4:78: error: 'impact' in force 's' has no effect: only a hard stop has an impact law");
  expect_error(ROPE("hard: true, stiffness: 3"),
               "text.yaml:4:74: error: 'stiffness' in force 'r' cannot stand beside 'hard: true'");
  expect_error(ROPE("stiffness: 3, restitution: 0.5"),
               "text.yaml:4:76: error: 'restitution' in force 'r' has no effect: only a hard rope has a restitution");
  expect_error(ROPE("hard: true, restitution: 1.5"), "rope 'r': its restitution 1.5 must be within 0 and 1");
}

/* It is an angle, whatever the unit of length. */
Test(hard_stops, how_far_a_start_may_be_beyond_a_bound_does_not_depend_on_units) {
  static const double length[] = {1e-6, 1, 1e3};
  for (int i = 0; i < 6; i++) {
    char text[600];
    const double angle = i % 2 == 0 ? 1e-3 : 1e-5;
    const double L = length[i / 2];
    snprintf(text, sizeof text,
             "seam: 2\nbodies: {b: {rod: [[0, 0], [%g, 0]], mass: 2}}\n"
             "joints: {pin: {type: revolute, bodies: [ground, b], at: [0, 0]}}\n"
             "forces: {s: {type: stop, bodies: [ground, b], of: angle, upper: 0, hard: true}}\nsimulate: {end: 1}\n",
             L);
    model_run run = start(text);
    run.state->q[0] = L / 2 * cos(angle);
    run.state->q[1] = L / 2 * sin(angle);
    run.state->q[2] = angle;
    cr_expect_eq(mbs_integrator_start(run.integrator, run.state, NULL), i % 2 == 0 ? SEAM_BAD_INPUT : SEAM_OK,
                 "%g rad, %g m", angle, L);
    model_run_end(&run);
  }
}

Test(hard_stops, a_start_beyond_a_bound_is_refused_by_name) {
  static const char *const texts[] = {
      STOP("upper: 0.1, hard: true"),
      ROPE("length: 1.5, hard: true"),
  };
  static const char *const messages[] = {
      "hard stop 's' is violated by 0.4 rad at the start: place its bodies within its bounds",
      "hard rope 'r' is violated by 0.5 m at the start",
  };
  for (int i = 0; i < 2; i++) {
    model_run run = start(texts[i]);
    seam_error error;
    if (i == 0)
      run.state->q[2] = 0.5;
    else
      run.state->q[1] = -1;
    cr_expect_eq(mbs_integrator_start(run.integrator, run.state, &error), SEAM_BAD_INPUT);
    cr_expect(strstr(error.message, messages[i]) != NULL, "%s", error.message);
    model_run_end(&run);
  }
}
