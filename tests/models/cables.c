/* Cables over discs and through places: closed forms of hoists, energies, what becomes slack, what cannot be wound. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <seam/analysis.h>

#include "tests/support/cut_run.h"
#include "tests/support/model_reader.h"
#include "tests/support/model_run.h"

static const double pi = 3.14159265358979323846;
static const double g = 9.81;

static const char *const methods[] = {"erk", "radau", "ida", "cvode"};
/* Energies that they keep of some J, at tolerances of 1e-11. */
static const double kept[] = {1e-10, 1e-8, 1e-7, 1e-7};
enum { N_METHODS = sizeof methods / sizeof *methods };

/* Stretched by the tension 2 m1 m2 g/(m1 + m2) of a rigid cable, it stays so. */
Test(cables, atwood_machine_over_a_free_disc) {
  static const char *const text =
      "seam: 1\ngravity: [0, -9.81]\nparameters: {R: 0.3, k: 2e4, T: 4/3*9.81}\nbodies:\n"
      "  a: {mass: 2, inertia: 0, at: [-R, -1]}\n  b: {mass: 1, inertia: 0, at: [R, -2]}\nforces:\n"
      "  c: {type: cable, bodies: [a, ground, b], at: [[-R, -1], [0, 0], [R, -2]], radii: [0, -R, 0],\n"
      "      stiffness: k, damping: 3, length: 3 + pi*R - T/k}\nsimulate: {end: 0.5}\n";
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(text, methods[i]);
    const double before = model_run_energy(&run);
    model_run_reach(&run, 0.5);
    cr_expect_float_eq(model_run_read(&run, "a.y"), -1 - g / 3 * 0.125, 1e-9, "%s", methods[i]);
    cr_expect_float_eq(model_run_read(&run, "b.y"), -2 + g / 3 * 0.125, 1e-9, "%s", methods[i]);
    cr_expect_float_eq(model_run_read(&run, "c.tension"), 4 * g / 3, 1e-6, "%s", methods[i]);
    cr_expect_float_eq(model_run_read(&run, "c.length"), 3 + pi * 0.3, 1e-9, "%s", methods[i]);
    cr_expect_float_eq(model_run_imbalance(&run, before), 0, kept[i], "%s", methods[i]);
    model_run_end(&run);
  }
}

/* The disc turns with the cables that end on it: a = (m1 - m2) g/(m1 + m2 + J/R²), T1 = m1 (g - a), T2 = m2 (g + a). */
Test(cables, atwood_machine_over_a_disc_that_it_drives) {
  static const char *const text =
      "seam: 1\ngravity: [0, -9.81]\nparameters: {R: 0.05, k: 1e4, J: 0.0025, a: 9.81/4}\nbodies:\n"
      "  a: {mass: 2, inertia: 0, at: [-R, -1]}\n  b: {mass: 1, inertia: 0, at: [R, -2]}\n"
      "  disc: {mass: 5, inertia: J, at: [0, 0]}\njoints: {axle: {type: revolute, bodies: [ground, disc], at: [0, "
      "0]}}\n"
      "forces:\n"
      "  up: {type: cable, bodies: [a, disc], at: [[-R, -1], [0, 0]], radii: [0, -R], stiffness: k,\n"
      "       length: 1 - 2*(9.81 - a)/k}\n"
      "  down: {type: cable, bodies: [disc, b], at: [[0, 0], [R, -2]], radii: [-R, 0], stiffness: k,\n"
      "         length: 2 - (9.81 + a)/k}\nsimulate: {end: 1}\n";
  model_run run = model_run_by(text, "erk");
  const double before = model_run_energy(&run);
  const double a = g / 4;
  model_run_reach(&run, 1);
  cr_expect_float_eq(model_run_read(&run, "a.y"), -1 - a / 2, 1e-8);
  cr_expect_float_eq(model_run_read(&run, "b.y"), -2 + a / 2, 1e-8);
  cr_expect_float_eq(model_run_read(&run, "disc.phi"), a / 2 / 0.05, 1e-7); /* over several turns */
  cr_expect_float_eq(model_run_read(&run, "up.tension"), 2 * (g - a), 1e-5);
  cr_expect_float_eq(model_run_read(&run, "down.tension"), g + a, 1e-5);
  cr_expect_float_eq(model_run_imbalance(&run, before), 0, 1e-10);
  model_run_end(&run);
}

/* Each of the n parts of a tackle carries W/n; its frequency is that of n² k. */
Test(cables, tackle_of_four_parts) {
  static const char *const text =
      "seam: 1\ngravity: [0, -9.81]\nbodies: {block: {mass: 100, inertia: 1, at: [0, -3]}}\njoints:\n"
      "  rail: {type: prismatic, bodies: [ground, block], at: [0, -3], axis: [0, 1]}\nforces:\n"
      "  c: {type: cable, bodies: [ground, block, ground, block, ground], radii: [0, 0.1, -0.1, 0.1, 0], stiffness: "
      "5e4,\n"
      "      at: [[-0.3, 0], [-0.2, -3], [0, 0], [0.2, -3], [0.3, 0]]}\nsimulate: {end: 1}\n";
  mbs_equilibrium found;
  model_run run = model_run_at_rest(text, NULL, &found);
  cr_expect_float_eq(model_run_read(&run, "c.tension"), 100 * g / 4, 1e-8);
  cr_expect_float_eq(model_run_read(&run, "block.y"), -3 - 100 * g / 16 / 5e4, 1e-12);
  seam_modes *modes = NULL;
  cr_assert_eq(seam_modes_create(seam_model_mechanism(run.file), run.state, &modes, NULL), SEAM_OK);
  cr_assert_eq(modes->n, 1);
  cr_expect_float_eq(modes->mode[0].s[1], sqrt(16 * 5e4 / 100), 1e-9);
  seam_modes_destroy(modes);
  model_run_end(&run);
}

/* The chain leaves a wheel of the radius r and comes up to one of R beside it: the torque W (R - r)/2 holds the load,
 * and a turn by φ lifts it by (R - r) φ/2. */
Test(cables, differential_pulley) {
  static const char *const text =
      "seam: 1\ngravity: [0, -9.81]\nparameters: {R: 0.2, r: 0.16, w: 1.5}\nbodies:\n"
      "  wheels: {mass: 3, inertia: 0.1, at: [0, 0], rate: w}\n"
      "  hook: {mass: 50, inertia: 0.2, at: [(R - r)/2, -2], velocity: [0, (R - r)*w/2]}\njoints:\n"
      "  axle: {type: revolute, bodies: [ground, wheels], at: [0, 0]}\n"
      "  rail: {type: prismatic, bodies: [ground, hook], at: [(R - r)/2, -2], axis: [0, 1]}\n"
      "  turn: {type: motion, of: angle, bodies: [ground, wheels], law: w*t}\nforces:\n"
      "  chain: {type: cable, bodies: [wheels, hook, wheels], at: [[0, 0], [(R - r)/2, -2], [0, 0]],\n"
      "          radii: [r, (R + r)/2, R], stiffness: 1e5, length: 4 + pi*(R + r)/2 - 25*9.81/1e5}\n"
      "simulate: {end: 4}\n";
  model_run run = model_run_by(text, "erk");
  model_run_reach(&run, 4);
  cr_expect_float_eq(model_run_read(&run, "hook.y"), -2 + 0.02 * 1.5 * 4, 1e-7);
  cr_expect_float_eq(model_run_read(&run, "chain.tension"), 25 * g, 1e-3);
  cr_expect_float_eq(model_run_read(&run, "turn.drive"), 50 * g * 0.02, 1e-3);
  model_run_end(&run);
}

/* A winch takes in 0.1 m/s: what it drives in becomes potential energy. */
Test(cables, winch_by_a_law_of_time) {
  static const char *const text =
      "seam: 1\ngravity: [0, -9.81]\nbodies: {m: {mass: 10, inertia: 0, at: [0, -3], velocity: [0, 0.1]}}\nforces:\n"
      "  c: {type: cable, bodies: [ground, ground, m], at: [[-1, 0.2], [-0.2, 0], [0, -3]], radii: [0, -0.2, 0],\n"
      "      stiffness: 1e4, damping: 10, length: l - 98.1/1e4 - 0.1*t}\n"
      "parameters: {l: \"sqrt(0.64) + 0.2*pi/2 + 3\"}\nsimulate: {end: 5}\n";
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(text, methods[i]);
    const double before = model_run_energy(&run);
    model_run_reach(&run, 5);
    cr_expect_float_eq(model_run_read(&run, "m.y"), -2.5, 1e-8, "%s", methods[i]);
    cr_expect_float_eq(model_run_read(&run, "c.tension"), 10 * g, 1e-5, "%s", methods[i]);
    cr_expect_float_eq(model_run_read(&run, "energy.driven"), 10 * g * 0.5, 1e-7, "%s", methods[i]);
    cr_expect_float_eq(model_run_imbalance(&run, before), 0, kept[i], "%s", methods[i]);
    model_run_end(&run);
  }
}

/* Two masses over two discs swing, one of them on a disc that swings too: nothing is symmetric, and no energy is lost.
 */
static const char *const swinging =
    "seam: 1\ngravity: [0, -9.81]\nbodies:\n"
    "  a: {mass: 2, inertia: 0, at: [-0.9, -1], velocity: [0.4, 0]}\n"
    "  b: {mass: 2.5, inertia: 0.1, at: [1.4, -1.5], angle: 0.3, rate: 2}\n"
    "  arm: {mass: 1, inertia: 0.2, at: [0.5, -0.2]}\njoints:\n"
    "  pin: {type: revolute, bodies: [ground, arm], at: [0, -0.2]}\nforces:\n"
    "  c: {type: cable, bodies: [a, ground, arm, b], at: [[-0.9, -1], [-0.6, 0], [0.9, -0.1], [1.5, -1.4]],\n"
    "      radii: [0, -0.1, -0.15, 0], stiffness: 300, length: 4.2}\n"
    "  s: {type: torsion, bodies: [ground, arm], stiffness: 200, damping: 0}\nsimulate: {end: 0.6}\n";

Test(cables, energy_is_kept) {
  double end[N_METHODS];
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(swinging, methods[i]);
    const double before = model_run_energy(&run);
    model_run_reach(&run, 0.6);
    end[i] = model_run_read(&run, "b.x");
    cr_expect_float_eq(model_run_energy(&run), before, kept[i], "%s", methods[i]);
    cr_expect_float_eq(end[i], end[0], 1e-9, "%s", methods[i]);
    model_run_end(&run);
  }
}

/* Lengths in another unit change nothing but the unit, corners included. */
Test(cables, are_the_same_at_any_length) {
  static const char *const text =
      "seam: 1\nparameters: {u: %g}\ngravity: [0, -10*u]\nbodies: {m: {mass: 1, inertia: 0, at: [0, 0.2*u]}}\nforces:\n"
      "  c: {type: cable, bodies: [ground, m, ground], at: [[-u, 0], [0, 0.2*u], [u, 0]], length: 2.5*u, stiffness: "
      "400}\n"
      "simulate: {end: 3, rtol: 1e-9%s}\n";
  for (int i = 0; i < N_METHODS; i++) {
    double place[3];
    for (int k = 0; k < 3; k++) {
      const double u = pow(10, 6 * (k - 1));
      char scaled[700], by[64];
      snprintf(by, sizeof by, ", integrator: %s", methods[i]);
      snprintf(scaled, sizeof scaled, text, u, by);
      model_run run = model_run_begin(scaled, NULL, NULL, NAN);
      model_run_reach(&run, 3);
      place[k] = model_run_read(&run, "m.y") / u;
      model_run_end(&run);
    }
    cr_expect_float_eq(place[0], place[1], 1e-6, "%s", methods[i]);
    cr_expect_float_eq(place[2], place[1], 1e-6, "%s", methods[i]);
  }
}

/* A mass on a cable that is just taut is drawn away from rest. */
Test(cables, are_left_alike_at_any_length) {
  static const char *const text =
      "seam: 1\nparameters: {L: %g}\nbodies: {m: {mass: 1, inertia: 0, at: [L, 0]}}\nforces:\n"
      "  c: {type: cable, bodies: [ground, m], at: [[0, 0], [L, 0]], stiffness: 400}\n"
      "  pull: {type: force, body: m, x: L*t}\nsimulate: {end: 1, integrator: %s}\n";
  for (int i = 0; i < N_METHODS; i++) {
    double steps[3];
    for (int k = 0; k < 3; k++) {
      char scaled[400];
      const double lengths[] = {1, 3, 1e-6};
      snprintf(scaled, sizeof scaled, text, lengths[k], methods[i]);
      model_run run = model_run_begin(scaled, NULL, NULL, NAN);
      model_run_reach(&run, 1);
      steps[k] = (double)mbs_integrator_statistics(run.integrator).steps;
      model_run_end(&run);
    }
    cr_expect_float_eq(steps[1], steps[0], 0.1 * steps[0], "%s", methods[i]);
    cr_expect_float_eq(steps[2], steps[0], 0.1 * steps[0], "%s", methods[i]);
  }
}

/* rk4 has its order where the cable stays taut. */
Test(cables, steps_have_the_order_of_their_method) {
  double end[3];
  for (int i = 0; i < 3; i++) {
    mbs_integrator_options options = mbs_default_integrator_options();
    options.method = i == 2 ? "erk" : "rk4";
    options.step = i == 2 ? 0 : 0.01 / (1 << i);
    options.rtol = options.atol = 1e-13;
    model_run run = model_run_begin(swinging, (const char *const[]){"forces.c.length=4.15", NULL}, &options, NAN);
    model_run_reach(&run, 0.06);
    end[i] = model_run_read(&run, "b.x");
    model_run_end(&run);
  }
  cr_expect_float_eq(log2((end[0] - end[2]) / (end[1] - end[2])), 4, 0.3);
}

/* A ball falls by h onto the middle of a slack cable of the half length l0: with d² = x² + l², k (2 d - 2 l0)²/2 is its
 * energy, and it comes back to where it was. */
Test(cables, becomes_taut_and_slack) {
  static const char *const text =
      "seam: 1\ngravity: [0, -10]\nbodies: {m: {mass: 1, inertia: 0, at: [0, 0.2]}}\nforces:\n"
      "  c: {type: cable, bodies: [ground, m, ground], at: [[-1, 0], [0, 0.2], [1, 0]], length: 2.5, stiffness: 400}\n"
      "simulate: {end: 3}\n";
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(text, methods[i]);
    model_run_reach(&run, 0.2);
    cr_expect_eq(model_run_read(&run, "c.tension"), 0, "%s", methods[i]);
    cr_expect_float_eq(model_run_read(&run, "m.y"), 0, 1e-9, "%s", methods[i]);
    double lowest = 0;
    for (int k = 1; k <= 100; k++) {
      model_run_reach(&run, 0.2 + 0.02 * k);
      lowest = fmin(lowest, model_run_read(&run, "m.y"));
      cr_expect_float_eq(model_run_energy(&run), 2, 10 * kept[i], "%s at %g s", methods[i], 0.2 + 0.02 * k);
    }
    cr_expect_lt(lowest, -0.75, "%s", methods[i]);
    model_run_end(&run);
  }
}

/* The hoist is in one subsystem and hangs on a spring, which is cut; what that hangs on leads over the ground alone. */
Test(cables, whole_is_cut_beside_them) {
  static const char *const text =
      "seam: 1\ngravity: [0, -9.81]\nbodies:\n  a: {mass: 2, inertia: 0, at: [-0.3, -1]}\n"
      "  b: {mass: 1, inertia: 0, at: [0.3, -2]}\n  beam: {mass: 3, inertia: 0.2, at: [0, 0]}\n"
      "  top: {mass: 4, inertia: 0.1, at: [0, 1]}\njoints:\n"
      "  rail: {type: prismatic, bodies: [ground, beam], at: [0, 0], axis: [0, 1]}\n"
      "  guide: {type: prismatic, bodies: [ground, top], at: [0, 1], axis: [0, 1]}\nforces:\n"
      "  c: {type: cable, bodies: [a, beam, b], at: [[-0.3, -1], [0, 0], [0.3, -2]], radii: [0, -0.3, 0],\n"
      "      stiffness: 1e3, damping: 2}\n"
      "  link: {type: spring_damper, bodies: [top, beam], at: [[0, 1], [0, 0]], stiffness: 500, damping: 5}\n"
      "  hook: {type: cable, bodies: [ground, ground, top], at: [[-1, 2], [0, 2], [0, 1]], stiffness: 2000, damping: "
      "5,\n"
      "         length: 1.98}\n"
      "simulate: {end: 0.4, integrator: erk, rtol: 1e-10}\n"
      "cosim: {subsystems: {hoist: [a, b, beam], roof: [top]}, macro_step: 1e-3, scheme: ff-k2, rtol: 1e-10}\n";
  cut_run_expect_whole(text, 1e-3, 400, 1e-6);
}

/* ---- Refusals ---- */

static void expect_cable_refused(const char *bodies, const char *keys, const char *message) {
  char text[900];
  snprintf(text, sizeof text,
           "seam: 1\nbodies:\n  a: {mass: 1, inertia: 1, at: [0, 0]}\n  b: {mass: 1, inertia: 1, at: [3, 0]}\n"
           "forces:\n  c: {type: cable, bodies: %s, %s}\nsimulate: {end: 1}\n",
           bodies, keys);
  seam_model_file *file = NULL;
  seam_error error = {0};
  const seam_status status = seam_model_file_parse("t", text, strlen(text), NULL, 0, &file, &error);
  cr_expect_eq(status, SEAM_BAD_INPUT, "%s %s", bodies, keys);
  cr_expect_not_null(strstr(error.message, message), "%s %s: %s", bodies, keys, error.message);
  seam_model_file_destroy(file);
}

Test(cables, what_cannot_be_is_refused) {
  expect_cable_refused("[a, ground, b]", "at: [[0, 0], [1, 1], [3, 0]], radii: [0, -2, 0], stiffness: 1",
                       "cable 'c' has no path in the initial configuration");
  expect_cable_refused("[a, ground, b]", "at: [[0, 0], [1, 1]], stiffness: 1", "must be a list of 3");
  expect_cable_refused("[a, ground, b]", "at: [[0, 0], [1, 1], [3, 0]], radii: [0, 1], stiffness: 1",
                       "must be a list of 3");
  expect_cable_refused("[a, a, a]", "at: [[0, 0], [1, 1], [2, 0]], stiffness: 1", "all its places are on one body");
  expect_cable_refused("[a, b]", "at: [[0, 0], [3, 0]], stiffness: 1, length: 0", "its length at t = 0 is 0 m");
  expect_cable_refused("[a, b]", "at: [[0, 0], [3, 0]], stiffness: 1, length: b.x",
                       "the law of its length depends on quantities");
  expect_cable_refused("[a, b]", "at: [[0, 0], [3, 0]], damping: 1", "stiffness");
}

Test(cables, cannot_be_cut) {
  static const char *const text =
      "seam: 1\nbodies:\n  a: {mass: 1, inertia: 1, at: [0, 0]}\n  b: {mass: 1, inertia: 1, at: [3, 0]}\nforces:\n"
      "  c: {type: cable, bodies: [a, ground, b], at: [[0, 0], [1, 1], [3, 0]], stiffness: 1}\n"
      "  s: {type: spring_damper, bodies: [a, b], at: [[0, 0], [3, 0]], stiffness: 1}\n"
      "simulate: {end: 1}\ncosim: {subsystems: {one: [a], two: [b]}, macro_step: 1e-3, scheme: ff-k1}\n";
  seam_model_file *file = NULL;
  seam_error error = {0};
  cr_expect_eq(seam_model_file_parse("t", text, strlen(text), NULL, 0, &file, &error), SEAM_BAD_INPUT);
  cr_expect_not_null(
      strstr(error.message, "t:6:3: error: cable 'c' leads over bodies of the subsystems 'one' and 'two'"), "%s",
      error.message);
  seam_model_file_destroy(file);
}

/* ---- Discs that it leaves and meets ---- */

/* The length from (0, -2) past a disc of the radius r about the origin, on the left, to D (cos θ, sin θ). */
static double length_past_disc(double r, double D, double theta) {
  const double angle = theta - acos(r / D) + pi / 2 - acos(r / 2);
  return angle < 0 ? hypot(D * cos(theta), D * sin(theta) + 2) : sqrt(4 - r * r) + r * angle + sqrt(D * D - r * r);
}

/* A body is led round the disc more than twice, and back; its cable is wound up there, and leaves the disc. */
Test(cables, winds_round_a_disc_more_than_once) {
  static const char *const text =
      "seam: 1\nbodies: {m: {mass: 1, inertia: 1, at: [1.5, 0]}}\njoints:\n"
      "  x: {type: motion, of: x, body: m, law: 1.5*cos(7*(1 - cos(t)))}\n"
      "  y: {type: motion, of: y, body: m, law: 1.5*sin(7*(1 - cos(t)))}\nforces:\n"
      "  c: {type: cable, bodies: [ground, ground, m], at: [[0, -2], [0, 0], [1.5, 0]], radii: [0, 0.3, 0],\n"
      "      stiffness: 10, length: 1}\nsimulate: {end: 10}\n";
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(text, methods[i]);
    for (int k = 1; k <= 60; k++) {
      const double t = 0.15 * k;
      model_run_reach(&run, t);
      const double length = length_past_disc(0.3, 1.5, 7 * (1 - cos(t)));
      cr_expect_float_eq(model_run_read(&run, "c.length"), length, 1e-9, "%s at %g s", methods[i], t);
      cr_expect_float_eq(model_run_read(&run, "c.tension"), 10 * (length - 1), 1e-8, "%s at %g s", methods[i], t);
    }
    model_run_end(&run);
  }
}

/* A bob swings past a peg and back, twice. */
static const char *const pegged =
    "seam: 1\ngravity: [0, -9.81]\nbodies: {m: {mass: 1, inertia: 0, at: [0.6, -0.8]}}\nforces:\n"
    "  c: {type: cable, bodies: [ground, ground, m], at: [[0, 0], [-0.1, -0.5], [0.6, -0.8]],\n"
    "      radii: [0, -0.1, 0], stiffness: 200, length: 0.95}\nsimulate: {end: 3}\n";

Test(cables, energy_is_kept_past_a_peg) {
  double end[N_METHODS];
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(pegged, methods[i]);
    const double before = model_run_energy(&run);
    int changes = 0;
    double touched = 0;
    for (int k = 1; k <= 300; k++) {
      model_run_reach(&run, 0.01 * k);
      changes += model_run_read(&run, "c.discs") != touched;
      touched = model_run_read(&run, "c.discs");
      cr_expect_float_eq(model_run_energy(&run), before, 10 * kept[i], "%s at %g s", methods[i], 0.01 * k);
    }
    cr_expect_geq(changes, 3, "%s", methods[i]);
    end[i] = model_run_read(&run, "m.x");
    cr_expect_float_eq(end[i], end[0], 1e-7, "%s", methods[i]);
    model_run_end(&run);
  }
  model_run_expect_same_end(pegged, 0.8, 2);
}

/* rk4 keeps its order past the switch. */
Test(cables, steps_have_their_order_past_a_peg) {
  double end[3];
  for (int i = 0; i < 3; i++) {
    mbs_integrator_options options = mbs_default_integrator_options();
    options.method = i == 2 ? "erk" : "rk4";
    options.step = i == 2 ? 0 : 0.005 / (1 << i);
    options.rtol = options.atol = 1e-13;
    model_run run = model_run_begin(pegged, NULL, &options, NAN);
    model_run_reach(&run, 0.7);
    cr_expect_eq(model_run_read(&run, "c.discs"), 1);
    end[i] = model_run_read(&run, "m.x");
    model_run_end(&run);
  }
  cr_expect_float_eq(log2((end[0] - end[2]) / (end[1] - end[2])), 4, 0.5, "%g %g", end[0] - end[2], end[1] - end[2]);
}

/* The side of a disc is that of its sign: it is left out where the cable is straight on that side, also among others.
 */
Test(cables, discs_that_are_not_touched_are_left_out) {
  static const char *const text =
      "seam: 1\nbodies: {b: {mass: 1, inertia: 1, at: [3, 0]}}\nparameters: {r: 0.2, up: 1}\nforces:\n"
      "  c: {type: cable, bodies: [ground, ground, ground, ground, b], radii: [0, r, -0.2, r, 0], stiffness: 1,\n"
      "      at: [[0, 0], [0.8, up], [1.5, 0.4], [2.2, up], [3, 0]]}\nsimulate: {end: 1}\n";
  static const char *const free_below[] = {"parameters.r=-0.2", "parameters.up=-0.3", NULL};
  static const char *const held[] = {"parameters.r=-0.2", NULL};
  const double one = 2 * (sqrt(1.5 * 1.5 + 0.16 - 0.04) + 0.2 * (atan(0.4 / 1.5) + asin(0.2 / hypot(1.5, 0.4))));
  const double two = 1.4 + 2 * (sqrt(0.64 + 1 - 0.04) + 0.2 * (atan(1 / 0.8) + asin(0.2 / hypot(0.8, 1))));
  const char *const *const overrides[] = {NULL, free_below, held};
  const double length[] = {one, one, two};
  const double discs[] = {1, 1, 2};
  for (int i = 0; i < 3; i++) {
    model_run run = model_run_begin(text, overrides[i], NULL, NAN);
    cr_expect_float_eq(model_run_read(&run, "c.length"), length[i], 1e-12, "%d", i);
    cr_expect_eq(model_run_read(&run, "c.discs"), discs[i], "%d", i);
    model_run_end(&run);
  }
}

/* ---- The catalogue ---- */

/* (4 m - M) g/(M + 16 m), about which the stretch of the cable swings. */
Test(cables, entry_tackle) {
  model_run run = model_run_of_entry("tackle", (const char *const[]){"parameters.k=1e7", NULL});
  const double before = model_run_energy(&run);
  model_run_reach(&run, 2);
  cr_expect_float_eq(model_run_read(&run, "block.y"), -3 + 40 * g / 1160 * 2, 1e-4);
  cr_expect_float_eq(model_run_read(&run, "weight.y"), -1 - 4 * 40 * g / 1160 * 2, 1e-4);
  cr_expect_float_eq(model_run_imbalance(&run, before), 0, 1e-5);
  model_run_end(&run);
}

/* It begins just taut. With this sheave, round-off made a hundred steps of no length. */
Test(cables, a_corner_at_rest_is_left_at_once) {
  model_run run = model_run_of_entry("crane_winch", (const char *const[]){"parameters.r=0.19", NULL});
  model_run_reach(&run, 8);
  cr_expect_lt(mbs_integrator_statistics(run.integrator).steps, 300);
  model_run_end(&run);
}

/* The mechanism has what the two motors give, but for what is lost; the drum winds the cable up. */
Test(cables, entry_crane_winch) {
  model_run run = model_run_of_entry("crane_winch", NULL);
  const double before = model_run_energy(&run);
  const double length = model_run_read(&run, "hoist.length");
  model_run_reach(&run, 8);
  cr_expect_float_eq(model_run_imbalance(&run, before), 0, 1e-5);
  cr_expect_float_eq(model_run_read(&run, "drum.phi"), 1.2 * 7.5, 1e-8);
  cr_expect_lt(fabs(model_run_read(&run, "hoist.length") - length), 0.03);
  cr_expect_gt(model_run_read(&run, "load.y") - 1.14, 0.25 * 9);
  model_run_end(&run);
}
