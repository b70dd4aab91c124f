/* Drag and actuators in model files: motions in closed form, and what is refused with which message. */
#include <criterion/criterion.h>
#include <math.h>

#include <seam/analysis.h>

#include "tests/support/model_run.h"

static model_run start(const char *text) { return model_run_by(text, "erk"); }

/* ---- Drag of the air ---- */

#define FREE_BODY(KEYS)                                                                                                \
  "seam: 1\nbodies: {a: {mass: 2, inertia: 1, at: [0, 100], " KEYS "}}\n"                                              \
  "forces: {D: {type: drag, body: a, density: 1.2, coefficient: 0.9, area: 0.5"

static const double k = 1.2 / 2 * 0.9 * 0.5;

/* m v' = m g - k v²: v = v° tanh(g t / v°), v°² = m g / k. */
Test(loads, a_fall_reaches_its_final_speed) {
  model_run run = start(FREE_BODY("") "}}\ngravity: [0, -9.81]\nsimulate: {end: 1}\n");
  const double last = sqrt(2 * 9.81 / k);
  for (int i = 1; i <= 5; i++) {
    model_run_reach(&run, 0.5 * i);
    cr_expect_float_eq(run.state->v[1], -last * tanh(9.81 * 0.5 * i / last), 1e-10);
    cr_expect_float_eq(run.state->q[1], 100 - last * last / 9.81 * log(cosh(9.81 * 0.5 * i / last)), 1e-9);
  }
  model_run_end(&run);
}

/* m (w - v)' = -k (w - v)²: w - v = w / (1 + k w t / m), along the wind; work of wind and air are in the motion. */
Test(loads, the_wind_carries_a_body_along) {
  model_run run = start(FREE_BODY("") ", wind: [3, 4]}}\nsimulate: {end: 1}\n");
  for (int i = 1; i <= 5; i++) {
    model_run_reach(&run, i);
    const double speed = 5 - 5 / (1 + k * 5 * i / 2);
    const mbs_energy e = mbs_energy_of(run.ws, run.state);
    cr_expect_float_eq(run.state->v[0], 0.6 * speed, 1e-10);
    cr_expect_float_eq(run.state->v[1], 0.8 * speed, 1e-10);
    cr_expect_float_eq(e.kinetic, e.driven - e.dissipated, 1e-9);
    cr_expect_gt(e.dissipated, 0);
  }
  model_run_end(&run);
}

/* A blade at an arm of 0.7 m: J ω' = -k r³ ω². */
Test(loads, at_an_arm_it_slows_a_turn) {
  model_run run = start("seam: 1\nbodies: {a: {mass: 2, inertia: 0.3, rate: -20}}\n"
                        "joints: {O: {type: revolute, bodies: [ground, a], at: [0, 0]}}\n"
                        "forces: {D: {type: drag, body: a, at: [0, 0.7], density: 1.2, coefficient: 0.9, area: 0.5}}\n"
                        "simulate: {end: 1}\n");
  model_run_reach(&run, 2);
  cr_expect_float_eq(run.state->v[2], -20 / (1 + k * 0.343 * 20 * 2 / 0.3), 1e-10);
  model_run_end(&run);
}

/* ---- Rolling resistance ---- */

/* m v' = -R v / √(v² + ε²): with h = √(v² + ε²) - ε asinh(ε/v), h(v°) - h(v) = R t / m. */
static double coasted(double v, double fading) { return hypot(v, fading) - fading * asinh(fading / v); }

Test(loads, a_wagon_coasts_to_rest) {
  model_run run = start("seam: 1\nbodies: {a: {mass: 50, inertia: 1, velocity: [3, 4]}}\n"
                        "forces: {D: {type: drag, body: a, resistance: 40, speed: 0.05}}\n"
                        "simulate: {end: 1}\n");
  for (int i = 1; i <= 6; i++) {
    model_run_reach(&run, i);
    const double v = hypot(run.state->v[0], run.state->v[1]);
    cr_expect_float_eq(coasted(5, 0.05) - coasted(v, 0.05), 40.0 * i / 50, 1e-9);
  }
  model_run_reach(&run, 8);
  cr_expect_lt(hypot(run.state->v[0], run.state->v[1]), 1e-4);
  cr_expect_float_eq(mbs_energy_of(run.ws, run.state).dissipated, 50 * 25 / 2.0, 1e-3);
  model_run_end(&run);
}

/* ---- Actuators ---- */

#define ON_A_RAIL(KEYS)                                                                                                \
  "seam: 1\nbodies: {a: {mass: 2, inertia: 1, at: [1, 0]}}\n"                                                          \
  "joints: {rail: {type: prismatic, bodies: [ground, a], at: [1, 0], axis: [1, 0]}}\n"                                 \
  "forces: {A: {type: actuator, bodies: [ground, a], at: [[0, 0], [1, 0]], lag: 0.1, " KEYS "}}\n"                     \
  "simulate: {end: 1}\n"

/* f = u (1 - exp(-t/T)) from 0, and what it does to the body. */
Test(loads, it_follows_a_step_with_its_lag) {
  model_run run = start(ON_A_RAIL("command: 5, start: 0"));
  for (int i = 1; i <= 5; i++) {
    const double t = 0.1 * i;
    model_run_reach(&run, t);
    cr_expect_float_eq(run.state->z[0], 5 * (1 - exp(-t / 0.1)), 1e-10);
    cr_expect_float_eq(run.state->v[0], 2.5 * (t - 0.1 * (1 - exp(-t / 0.1))), 1e-10);
    cr_expect_float_eq(mbs_energy_of(run.ws, run.state).kinetic, mbs_energy_of(run.ws, run.state).driven, 1e-10);
  }
  model_run_end(&run);
}

Test(loads, it_begins_with_its_command) {
  model_run run = start(ON_A_RAIL("command: 5 + t"));
  cr_expect_eq(run.state->z[0], 5);
  cr_expect_float_eq(run.state->a[0], 2.5, 1e-15);
  model_run_end(&run);
}

/* 20 N/s up to 8 N, where the lag asks for no more; then 10 - 2 exp(-(t - 0.4)/T), whatever more is commanded. */
Test(loads, force_and_rate_stay_within_their_limits) {
  model_run run = start(ON_A_RAIL("command: -50, limit: 10, rate: 20, start: 0"));
  for (int i = 1; i <= 10; i++) {
    const double t = 0.1 * i;
    model_run_reach(&run, t);
    cr_expect_float_eq(run.state->z[0], t <= 0.4 ? -20 * t : -10 + 2 * exp(-(t - 0.4) / 0.1), 1e-8, "t = %g", t);
  }
  model_run_end(&run);
}

/* T f' + f = sin ω t between two discs, 1.5 and 0.5 kg m²: f = (sin ω t - ω T cos ω t + ω T exp(-t/T)) / (1 + ω² T²).
 */
Test(loads, a_rotary_one_turns_both_bodies) {
  model_run run = start("seam: 1\nbodies: {a: {mass: 2, inertia: 1.5}, b: {mass: 1, inertia: 0.5}}\n"
                        "forces: {A: {type: rotary_actuator, bodies: [a, b], lag: 0.3, command: sin(4*t)}}\n"
                        "simulate: {end: 1}\n");
  const double lag = 1.2;
  for (int i = 1; i <= 5; i++) {
    const double t = 0.4 * i;
    model_run_reach(&run, t);
    const double f = (sin(4 * t) - lag * cos(4 * t) + lag * exp(-t / 0.3)) / (1 + lag * lag);
    cr_expect_float_eq(run.state->z[0], f, 1e-10);
    cr_expect_float_eq(run.state->a[2], -f / 1.5, 1e-9);
    cr_expect_float_eq(run.state->a[5], f / 0.5, 1e-9);
  }
  model_run_end(&run);
}

/* In equilibrium the force is its command, which a spring holds. */
Test(loads, a_spring_holds_it_in_equilibrium) {
  model_run run = start(
      "seam: 1\nbodies: {a: {mass: 2, inertia: 1, at: [1, 0]}}\n"
      "joints: {rail: {type: prismatic, bodies: [ground, a], at: [1, 0], axis: [1, 0]}}\n"
      "forces:\n"
      "  A: {type: actuator, bodies: [ground, a], at: [[0, 0], [1, 0]], lag: 0.1, command: 30, limit: 20, start: 0}\n"
      "  S: {type: spring_damper, bodies: [ground, a], at: [[0, 0], [1, 0]], stiffness: 100}\n"
      "simulate: {end: 1}\n");
  cr_assert_eq(mbs_find_equilibrium(run.ws, run.state, NULL, NULL, &run.error), SEAM_OK, "%s", run.error.message);
  cr_expect_float_eq(run.state->q[0], 1.2, 1e-9);
  cr_expect_eq(run.state->z[0], 20);
  model_run_end(&run);
}

/* ---- What is refused ---- */

#define REFUSED_LOAD(name, row, message)                                                                               \
  Test(refused_loads, name) { expect_refused("seam: 1\nbodies: {a: {mass: 1, inertia: 1}}\nforces:\n" row, message); }

REFUSED_LOAD(drag_of_nothing, "  D: {type: drag, body: a}\n",
             "text.yaml:4:3: error: force 'D' needs 'density', 'coefficient' and 'area', or 'resistance' and 'speed'\n"
             "  D: {type: drag, body: a}\n"
             "  ^")

REFUSED_LOAD(drag_without_an_area, "  D: {type: drag, body: a, density: 1.2, coefficient: 1}\n",
             "text.yaml:4:42: error: 'coefficient' in force 'D' needs 'area' beside it\n"
             "  D: {type: drag, body: a, density: 1.2, coefficient: 1}\n"
             "                                         ^")

REFUSED_LOAD(resistance_that_jumps_at_rest, "  D: {type: drag, body: a, resistance: 4}\n",
             "text.yaml:4:28: error: 'resistance' in force 'D' needs 'speed' beside it\n"
             "  D: {type: drag, body: a, resistance: 4}\n"
             "                           ^")

REFUSED_LOAD(wind_without_air, "  D: {type: drag, body: a, resistance: 4, speed: 0.1, wind: [1, 0]}\n",
             "text.yaml:4:55: error: 'wind' in force 'D' has no effect without drag of the air\n"
             "  D: {type: drag, body: a, resistance: 4, speed: 0.1, wind: [1, 0]}\n"
             "                                                      ^\n"
             "give 'density', 'coefficient' and 'area', or remove it")

REFUSED_LOAD(actuator_without_lag, "  A: {type: rotary_actuator, bodies: [ground, a], command: 3}\n",
             "text.yaml:4:3: error: force 'A' needs 'lag'\n"
             "  A: {type: rotary_actuator, bodies: [ground, a], command: 3}\n"
             "  ^")

REFUSED_LOAD(actuator_that_starts_beyond_its_limit,
             "  A: {type: rotary_actuator, bodies: [ground, a], command: 3, lag: 1, limit: 4, start: -5}\n",
             "text.yaml:4:3: error: actuator 'A': its start -5 is beyond its limit 4\n"
             "  A: {type: rotary_actuator, bodies: [ground, a], command: 3, lag: 1, limit: 4, start: -5}\n"
             "  ^")

/* ---- Springs without length ---- */

/* Two masses that meet at the start and part at 1 m/s: d'' = -200 d - 2 d' of their distance, d'(0) = -1. */
Test(loads, a_spring_without_length_begins_where_its_ends_meet) {
  static const char *const text =
      "seam: 1\nbodies:\n  a: {mass: 1, inertia: 0.1, at: [0, 0], velocity: [0.6, 0.8]}\n"
      "  b: {mass: 1, inertia: 0.1, at: [0, 0]}\nforces:\n"
      "  s: {type: spring_damper, bodies: [a, b], at: [[0, 0], [0, 0]], length: 0, stiffness: 100, damping: 1}\n"
      "simulate: {end: 2}\n";
  static const char *const methods[] = {"erk", "radau", "ida", "cvode"};
  const double omega = sqrt(200 - 1);
  const double d = -exp(-2) * sin(2 * omega) / omega;
  for (int method = 0; method < 4; method++) {
    model_run run = model_run_by(text, methods[method]);
    model_run_reach(&run, 2);
    cr_expect_float_eq(model_run_read(&run, "a.x"), 0.6 * (2 - d) / 2, 1e-7, "%s", methods[method]);
    cr_expect_float_eq(model_run_read(&run, "b.y"), 0.8 * (2 + d) / 2, 1e-7, "%s", methods[method]);
    model_run_end(&run);
  }
}

/* Hung at its own end it resists in all directions alike. */
Test(loads, a_spring_without_length_holds_where_its_ends_meet) {
  static const char *const text =
      "seam: 1\nbodies: {a: {mass: 4, inertia: 0, at: [0, 0]}}\nforces:\n"
      "  s: {type: spring_damper, bodies: [ground, a], at: [[0, 0], [0, 0]], length: 0, stiffness: 100}\n"
      "simulate: {end: 2}\n";
  mbs_equilibrium found;
  model_run run = model_run_at_rest(text, NULL, &found);
  cr_expect_eq(found.n_neutral, 0);
  seam_modes *modes = NULL;
  cr_assert_eq(seam_modes_create(seam_model_mechanism(run.file), run.state, &modes, NULL), SEAM_OK);
  cr_assert_eq(modes->n, 2);
  for (int i = 0; i < 2; i++)
    cr_expect_float_eq(modes->mode[i].s[1], 5, 1e-12);
  seam_modes_destroy(modes);
  model_run_end(&run);
}
