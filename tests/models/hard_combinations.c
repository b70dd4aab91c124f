/* Hard contacts on curves, and beside the friction of joints: closed forms, by both forms of the equations. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include <seam/events.h>

#include "tests/support/model_run.h"

static const double pi = 3.14159265358979323846;
static const char *const methods[] = {"erk", "radau"};
enum { N_METHODS = 2 };

static mbs_impact_record record_of(const model_run *run, const char *name) {
  const mbs_model *model = NULL;
  cr_assert_eq(seam_model_whole(run->file, &model, NULL), SEAM_OK);
  return mbs_impact_record_of(model, run->state, mbs_find_force(model, name));
}

/* ---- Curves ---- */

#define DISC(contact)                                                                                                  \
  "seam: 1\ngravity: [0, -9.81]\nparameters: {a: 0.3}\n"                                                               \
  "curves: {hill: {x: cos(s), y: sin(s), from: 0, to: 2*pi, closed: true}}\n"                                          \
  "bodies: {disc: {mass: 2, inertia: 0.01, at: [1.1*sin(a), 1.1*cos(a)]}}\n"                                           \
  "forces: {c: {type: contact, bodies: [ground, disc], " contact ", hard: true, friction: 0.4}}\nsimulate: {end: 1}\n"

/* It rolls, slips and leaves. */
Test(hard_combinations, a_round_curve_is_a_circle) {
  for (int i = 0; i < N_METHODS; i++) {
    model_run circle = model_run_by(DISC("at: {ground: [0, 0], disc: [0, 0]}, radii: [1, 0.1]"), methods[i]);
    model_run curve = model_run_by(DISC("at: {disc: [0, 0]}, curve: hill, radius: 0.1"), methods[i]);
    for (int k = 1; k <= 10; k++) {
      model_run_reach(&circle, 0.1 * k);
      model_run_reach(&curve, 0.1 * k);
      for (int j = 0; j < 6; j++)
        cr_expect_float_eq(curve.state->q[j], circle.state->q[j], 1e-11, "%s, %d: off by %g", methods[i], j,
                           curve.state->q[j] - circle.state->q[j]);
      cr_expect_eq(model_run_read(&curve, "c.mode"), model_run_read(&circle, "c.mode"));
    }
    cr_expect_gt(model_run_read(&curve, "c.gap"), 0.01, "it left");
    model_run_end(&circle);
    model_run_end(&curve);
  }
}

/* A bead in a cycloid's bowl: the length of the way from the bottom is a cosine with √(g/4r), whatever the height. */
Test(hard_combinations, a_bead_in_a_cycloid_swings_in_equal_times) {
  for (int i = 0; i < N_METHODS; i++) {
    model_run run =
        model_run_by("seam: 1\ngravity: [0, -9.81]\nparameters: {r: 0.5, s0: 1.2}\n"
                     "curves: {bowl: {x: r*(s + sin(s)), y: r*(1 - cos(s)), from: -3, to: 3}}\n"
                     "bodies: {bead: {mass: 2, inertia: 0.1, at: [r*(s0 + sin(s0)), r*(1 - cos(s0))]}}\n"
                     "forces: {c: {type: contact, bodies: [ground, bead], at: {bead: [0, 0]}, curve: bowl,\n"
                     "  radius: 0, hard: true}}\nsimulate: {end: 1}\n",
                     methods[i]);
    const double omega = sqrt(9.81 / 2);
    const double before = mbs_energy_of(run.ws, run.state).total;
    for (int k = 1; k <= 12; k++) {
      const double t = 0.25 * k;
      model_run_reach(&run, t);
      const double half = asin(sin(0.6) * cos(omega * t)); /* of s, whose way is 4 r sin(s/2) */
      cr_expect_float_eq(run.state->q[0], 0.5 * (2 * half + sin(2 * half)), 1e-9, "%s, t = %g: off by %g", methods[i],
                         t, run.state->q[0] - 0.5 * (2 * half + sin(2 * half)));
      cr_expect_float_eq(run.state->q[1], 0.5 * (1 - cos(2 * half)), 1e-9);
      cr_expect_lt(model_run_imbalance(&run, before), 1e-8);
    }
    cr_expect_eq(record_of(&run, "c").count, 0);
    model_run_end(&run);
  }
}

/* A ball that falls on a slope of 45° flies off sideways: e of its normal speed, all of its tangential one. */
Test(hard_combinations, a_ball_bounces_off_the_slope_of_a_curve) {
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by("seam: 1\ngravity: [0, -10]\ncurves: {bowl: {x: s, y: s^2/2, from: -2, to: 2}}\n"
                                 "bodies: {p: {mass: 2, inertia: 0.1, at: [1, 1]}}\n"
                                 "forces: {c: {type: contact, bodies: [ground, p], at: {p: [0, 0]}, curve: bowl,\n"
                                 "  radius: 0, hard: true, restitution: 0.7}}\nsimulate: {end: 1}\n",
                                 methods[i]);
    const double t = sqrt(0.1);
    const double v = 10 * t;
    model_run_reach(&run, t + 0.01);
    const mbs_impact_record record = record_of(&run, "c");
    cr_expect_float_eq(record.first, t, 1e-10);
    cr_expect_float_eq(record.normal, 2 * 1.7 * v * sqrt(0.5), 1e-9);
    cr_expect_float_eq(run.state->v[0], -1.7 * v / 2, 1e-9);
    cr_expect_float_eq(run.state->v[1], -0.15 * v - 0.1, 1e-9, "%g", run.state->v[1] + 0.15 * v + 0.1);
    model_run_end(&run);
  }
}

/* ---- Friction of joints ---- */

#define RAIL(friction, ball, more)                                                                                     \
  "seam: 1\ngravity: [0, -10]\n"                                                                                       \
  "bodies:\n"                                                                                                          \
  "  slider: {mass: 2, inertia: 0.1, at: [0, 0]}\n"                                                                    \
  "  ball: {mass: 1, inertia: 0.01, " ball "}\n"                                                                       \
  "joints:\n"                                                                                                          \
  "  rail: {type: prismatic, bodies: [ground, slider], at: [0, 0], axis: [1, 0], friction: {" friction "}}\n"          \
  "  air: {type: prismatic, bodies: [ground, ball], at: [-1, 0], axis: [1, 0]}\n"                                      \
  "forces:\n"                                                                                                          \
  "  c: {type: contact, bodies: [ball, slider], at: {ball: [0, 0], slider: [0, 0]}, radii: [0.1, 0.1], hard: true,\n"  \
  "    restitution: 0.5}\n" more "simulate: {end: 1}\n"

/* The slider sticks, is knocked to 1 m/s, for which its rail's friction is no match, and sticks again after v²/2 μ g.
 */
Test(hard_combinations, a_body_that_sticks_is_knocked_off_and_sticks_again) {
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(RAIL("coefficient: 0.2, hard: true", "at: [-1, 0], velocity: [2, 0]", ""), methods[i]);
    const double before = mbs_energy_of(run.ws, run.state).total;
    model_run_reach(&run, 0.3);
    cr_expect_eq(model_run_read(&run, "rail.sticks"), 1);
    model_run_reach(&run, 0.5);
    cr_expect_float_eq(record_of(&run, "c").first, 0.4, 1e-10);
    cr_expect_float_eq(record_of(&run, "c").normal, 2, 1e-11);
    cr_expect_float_eq(run.state->v[0], 1 - 2 * 0.1, 1e-9, "%s: %.12g", methods[i], run.state->v[0]);
    cr_expect_eq(model_run_read(&run, "rail.friction"), -4);
    model_run_reach(&run, 2);
    cr_expect_float_eq(run.state->q[0], 1 / 4.0, 1e-9, "%s: %.12g", methods[i], run.state->q[0]);
    cr_expect_float_eq(run.state->v[0], 0, 1e-12);
    cr_expect_eq(model_run_read(&run, "rail.sticks"), 1);
    cr_expect_lt(model_run_imbalance(&run, before), 1e-8);
    model_run_end(&run);
  }
}

/* The same with friction that fades below 1 mm/s, to about that. */
Test(hard_combinations, regularised_friction_of_joints_goes_with_hard_contacts) {
  for (int i = 0; i < N_METHODS; i++) {
    model_run run =
        model_run_by(RAIL("coefficient: 0.2, slip_speed: 1e-4", "at: [-1, 0], velocity: [2, 0]", ""), methods[i]);
    const double before = mbs_energy_of(run.ws, run.state).total;
    model_run_reach(&run, 2);
    cr_expect_float_eq(run.state->q[0], 1 / 4.0, 1e-5, "%s: %.12g", methods[i], run.state->q[0]);
    cr_expect_float_eq(model_run_read(&run, "rail.friction_loss"), 0, 1e-6);
    cr_expect_lt(model_run_imbalance(&run, before), 1e-7);
    model_run_end(&run);
  }
}

/* Pushed by a ball with 2 t + 1 N it holds up to μ m g = 4 N, and moves with it from t = 1.5 s on. */
Test(hard_combinations, a_contact_presses_on_what_sticks_until_it_slips) {
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(
        RAIL("coefficient: 0.2, hard: true", "at: [-0.2, 0]", "  f: {type: force, body: ball, x: 2*t + 1}\n"),
        methods[i]);
    model_run_reach(&run, 1);
    cr_expect_float_eq(model_run_read(&run, "c.force"), 3, 1e-11);
    cr_expect_float_eq(model_run_read(&run, "rail.friction"), -3, 1e-11);
    cr_expect_float_eq(run.state->q[0], 0, 1e-13);
    model_run_reach(&run, 2.5);
    cr_expect_float_eq(run.state->v[0], 1 / 3.0, 1e-10, "%s: %.12g", methods[i], run.state->v[0]);
    cr_expect_float_eq(run.state->q[0], 1 / 9.0, 1e-10, "%s: %.12g", methods[i], run.state->q[0]);
    cr_expect_float_eq(model_run_read(&run, "c.force"), 6 - 2 / 3.0, 1e-9);
    model_run_end(&run);
  }
}

/* Pushed by 8 cos t against its stop, where friction rests as the stop holds it; from t = π/2 on friction holds it
 * alone, until 8 cos t = -4. */
Test(hard_combinations, a_stop_holds_what_friction_would_hold) {
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(
        "seam: 1\ngravity: [0, -10]\nbodies: {slider: {mass: 2, inertia: 0.1, at: [0, 0]}}\n"
        "joints: {rail: {type: prismatic, bodies: [ground, slider], at: [0, 0], axis: [1, 0],\n"
        "  friction: {coefficient: 0.2, hard: true}}}\n"
        "forces:\n"
        "  s: {type: stop, of: slide, bodies: [ground, slider], at: {ground: [0, 0], slider: [0, 0]}, axis: [1, 0],\n"
        "    upper: 0.1, hard: true}\n"
        "  f: {type: force, body: slider, x: 8*cos(t)}\nsimulate: {end: 1}\n",
        methods[i]);
    model_run_reach(&run, 1);
    cr_expect_float_eq(run.state->q[0], 0.1, 1e-13);
    cr_expect_float_eq(model_run_read(&run, "s.force"), -8 * cos(1.0), 1e-10);
    model_run_reach(&run, 2);
    cr_expect_eq(model_run_read(&run, "rail.sticks"), 1);
    cr_expect_float_eq(model_run_read(&run, "rail.friction"), -8 * cos(2.0), 1e-10);
    cr_expect_eq(model_run_read(&run, "s.force"), 0);
    const double t = 2 * pi / 3;
    model_run_reach(&run, 3);
    cr_expect_float_eq(run.state->v[0], (8 * (sin(3.0) - sin(t)) + 4 * (3 - t)) / 2, 1e-9, "%s: off by %g", methods[i],
                       run.state->v[0] - (8 * (sin(3.0) - sin(t)) + 4 * (3 - t)) / 2);
    model_run_end(&run);
  }
}

/* Other laws of reactions have no modes to alternate with. */
Test(hard_combinations, laws_that_read_reactions_are_refused_by_name) {
  const char *text =
      RAIL("coefficient: 0.2, hard: true", "at: [-1, 0]", "  f: {type: force, body: ball, x: \"0.1*rail.fy\"}\n");
  seam_model_file *file = NULL;
  seam_error error = {0};
  cr_expect_eq(seam_model_file_parse("text.yaml", text, strlen(text), NULL, 0, &file, &error), SEAM_BAD_INPUT);
  cr_expect(strstr(error.message,
                   "force 'f' depends on accelerations or reactions, which hard contact 'c' does not support") != NULL,
            "%s", error.message);
}
