/* Cables that do not stretch: closed forms of pulleys, winches, tendons and pendulums, and impacts where they become
 * taut. */
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

static const char *const methods[] = {"erk", "radau"};
enum { N_METHODS = sizeof methods / sizeof *methods };

/* a = (m1 - m2) g/(m1 + m2). */
Test(hard_cables, atwood_machine) {
  static const char *const text =
      "seam: 1\ngravity: [0, -9.81]\nparameters: {R: 0.3}\nbodies:\n"
      "  a: {mass: 2, inertia: 0, at: [-R, -1]}\n  b: {mass: 1, inertia: 0, at: [R, -2]}\nforces:\n"
      "  c: {type: cable, bodies: [a, ground, b], at: [[-R, -1], [0, 0], [R, -2]], radii: [0, -R, 0], hard: true}\n"
      "simulate: {end: 0.5}\n";
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(text, methods[i]);
    const double before = model_run_energy(&run);
    model_run_reach(&run, 0.5);
    cr_expect_float_eq(model_run_read(&run, "a.ay"), -g / 3, 1e-9, "%s", methods[i]);
    cr_expect_float_eq(model_run_read(&run, "b.ay"), g / 3, 1e-9, "%s", methods[i]);
    cr_expect_float_eq(model_run_read(&run, "a.y"), -1 - g / 3 * 0.125, 1e-9, "%s", methods[i]);
    cr_expect_float_eq(model_run_read(&run, "c.tension"), 4 * g / 3, 1e-9, "%s", methods[i]);
    cr_expect_float_eq(model_run_read(&run, "c.length"), 3 + pi * 0.3, 1e-11, "%s", methods[i]);
    cr_expect_float_eq(model_run_energy(&run), before, 1e-10, "%s", methods[i]);
    model_run_end(&run);
  }
}

/* A turn by φ lifts the hook by b φ, b = (R - r)/2: (J + M b²) φ'' = -M g b. */
Test(hard_cables, differential_pulley) {
  static const char *const text =
      "seam: 1\ngravity: [0, -9.81]\nparameters: {R: 0.2, r: 0.16}\nbodies:\n"
      "  wheels: {mass: 3, inertia: 0.1, at: [0, 0]}\n  hook: {mass: 50, inertia: 0.2, at: [(R - r)/2, -2]}\njoints:\n"
      "  axle: {type: revolute, bodies: [ground, wheels], at: [0, 0]}\n"
      "  rail: {type: prismatic, bodies: [ground, hook], at: [(R - r)/2, -2], axis: [0, 1]}\nforces:\n"
      "  chain: {type: cable, bodies: [wheels, hook, wheels], at: [[0, 0], [(R - r)/2, -2], [0, 0]],\n"
      "          radii: [r, (R + r)/2, R], hard: true}\nsimulate: {end: 1}\n";
  const double b = 0.02;
  const double turning = -50 * g * b / (0.1 + 50 * b * b);
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(text, methods[i]);
    model_run_reach(&run, 0.4);
    cr_expect_float_eq(model_run_read(&run, "wheels.phi"), turning * 0.08, 1e-9, "%s", methods[i]);
    cr_expect_float_eq(model_run_read(&run, "hook.y"), -2 + b * turning * 0.08, 1e-9, "%s", methods[i]);
    cr_expect_float_eq(model_run_read(&run, "chain.tension"), 25 * (g + b * turning), 1e-8, "%s", methods[i]);
    model_run_end(&run);
  }
}

/* A winch takes in 0.1 t²: it drives in T L°'. */
Test(hard_cables, winch_by_a_law_of_time) {
  static const char *const text =
      "seam: 1\ngravity: [0, -9.81]\nbodies: {m: {mass: 10, inertia: 0, at: [0, -3]}}\nforces:\n"
      "  c: {type: cable, bodies: [ground, ground, m], at: [[-1, 0.2], [-0.2, 0], [0, -3]], radii: [0, -0.2, 0],\n"
      "      hard: true, length: l - 0.1*t^2}\n"
      "parameters: {l: \"sqrt(0.64) + 0.2*pi/2 + 3\"}\nsimulate: {end: 5}\n";
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(text, methods[i]);
    const double before = model_run_energy(&run);
    model_run_reach(&run, 3);
    cr_expect_float_eq(model_run_read(&run, "m.y"), -3 + 0.9, 1e-9, "%s", methods[i]);
    cr_expect_float_eq(model_run_read(&run, "c.tension"), 10 * (g + 0.2), 1e-8, "%s", methods[i]);
    cr_expect_float_eq(model_run_read(&run, "energy.driven"), 10 * (g + 0.2) * 0.9, 1e-8, "%s", methods[i]);
    cr_expect_float_eq(model_run_imbalance(&run, before), 0, 1e-8, "%s", methods[i]);
    model_run_end(&run);
  }
}

/* Without gravity a ball keeps its speed v while its string winds up on a post: of the free length l, l l' = -r v, so
 * that l² = l0² - 2 r v t, over more than two turns. The tension is m v²/l. */
Test(hard_cables, ball_on_a_string_that_winds_up) {
  static const char *const text =
      "seam: 1\nparameters: {r: 0.1}\nbodies: {m: {mass: 3, inertia: 0, at: [2, r], velocity: [0, -1.5]}}\nforces:\n"
      "  c: {type: cable, bodies: [ground, ground, m], at: [[-1, r], [0, 0], [2, r]], radii: [0, -r, 0], hard: true}\n"
      "simulate: {end: 20}\n";
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(text, methods[i]);
    for (int k = 1; k <= 12; k++) {
      const double l = sqrt(4 - 0.3 * k);
      model_run_reach(&run, k);
      const double distance = hypot(model_run_read(&run, "m.x"), model_run_read(&run, "m.y"));
      cr_expect_float_eq(distance, hypot(l, 0.1), 1e-8, "%s at %d s", methods[i], k);
      cr_expect_float_eq(model_run_read(&run, "c.tension"), 3 * 2.25 / l, 1e-6, "%s at %d s", methods[i], k);
      cr_expect_float_eq(model_run_energy(&run), 3 * 2.25 / 2, 1e-8, "%s at %d s", methods[i], k);
    }
    model_run_end(&run);
  }
}

/* Past a thin peg a pendulum swings about it, with what is left of its string. */
static const char *const pegged =
    "seam: 1\ngravity: [0, -9.81]\nparameters: {r: 1e-9}\nbodies: {m: {mass: 1, inertia: 0, at: [0.6, "
    "-0.8]}}\nforces:\n"
    "  c: {type: cable, bodies: [ground, ground, m], at: [[0, 0], [0, -0.4], [0.6, -0.8]], radii: [0, -r, 0],\n"
    "      hard: true}\nsimulate: {end: 3}\n";

Test(hard_cables, pendulum_past_a_peg) {
  double end[N_METHODS];
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(pegged, methods[i]);
    int n_wrapped = 0;
    for (int k = 1; k <= 150; k++) {
      model_run_reach(&run, 0.02 * k);
      const double x = model_run_read(&run, "m.x");
      const double y = model_run_read(&run, "m.y");
      const bool wraps = model_run_read(&run, "c.discs") > 0;
      n_wrapped += wraps;
      cr_expect_eq(wraps, x < 0, "%s at %g s", methods[i], 0.02 * k);
      cr_expect_float_eq(wraps ? hypot(x, y + 0.4) : hypot(x, y), wraps ? 0.6 : 1, 1e-8, "%s", methods[i]);
      cr_expect_float_eq(hypot(model_run_read(&run, "m.vx"), model_run_read(&run, "m.vy")),
                         sqrt(fmax(0, 2 * g * (-0.8 - y))), 1e-5, "%s at %g s", methods[i], 0.02 * k);
      cr_expect_float_eq(model_run_energy(&run), -0.8 * g, 1e-8, "%s at %g s", methods[i], 0.02 * k);
    }
    cr_expect_gt(n_wrapped, 40, "%s", methods[i]);
    end[i] = model_run_read(&run, "m.x");
    cr_expect_float_eq(end[i], end[0], 1e-7, "%s", methods[i]);
    model_run_end(&run);
  }
  model_run_expect_same_end(pegged, 0.7, 2);
}

Test(hard_cables, steps_have_their_order_past_a_peg) {
  static const char *const thick[] = {"parameters.r=0.1", NULL};
  double end[3];
  for (int i = 0; i < 3; i++) {
    mbs_integrator_options options = mbs_default_integrator_options();
    options.method = i == 2 ? "erk" : "rk4";
    options.step = i == 2 ? 0 : 0.02 / (1 << i);
    options.rtol = options.atol = 1e-13;
    model_run run = model_run_begin(pegged, thick, &options, NAN);
    model_run_reach(&run, 0.7);
    cr_expect_eq(model_run_read(&run, "c.discs"), 1);
    end[i] = model_run_read(&run, "m.x");
    model_run_end(&run);
  }
  cr_expect_float_eq(log2((end[0] - end[2]) / (end[1] - end[2])), 4, 0.5, "%g %g", end[0] - end[2], end[1] - end[2]);
}

/* A winch takes in u of a tendon over both joints of a finger: T r_i = k_i φ_i and Σ r_i φ_i = u at rest. */
Test(hard_cables, tendon_over_the_joints_of_a_finger) {
  static const char *const text =
      "seam: 1\nparameters: {r1: 0.012, r2: 0.008, s: sin(pi/4), L: 0.05 + sqrt(0.05^2 - 0.004^2) + 0.04 + "
      "0.02*pi/4 + 0.004*asin(0.08)}\n"
      "points: {A: [0, 0], B: [0.05, 0], C: [0.05 + 0.04*s, -0.04*s]}\nbodies:\n"
      "  near: {rod: [A, B], mass: 0.02}\n  far: {rod: [B, C], mass: 0.01}\njoints:\n"
      "  A: {type: revolute, bodies: [ground, near], at: A}\n  B: {type: revolute, bodies: [near, far], at: B}\n"
      "forces:\n  sa: {type: torsion, bodies: [ground, near], stiffness: 0.3, damping: 5e-3}\n"
      "  sb: {type: torsion, bodies: [near, far], stiffness: 0.2, damping: 5e-3}\n"
      "  tendon: {type: cable, bodies: [ground, ground, near, far], radii: [0, -r1, -r2, 0], hard: true,\n"
      "           at: [[-(r1 + 0.05)*s, (r1 - 0.05)*s], A, B, [0.05 + (0.04 + r2)*s, (r2 - 0.04)*s]],\n"
      "           length: \"L - 0.01*if(t < 1, t^2*(3 - 2*t), 1)\"}\nsimulate: {end: 3}\n";
  const double sum = 0.012 * 0.012 / 0.3 + 0.008 * 0.008 / 0.2;
  const double near = 0.01 * 0.012 / 0.3 / sum;
  const double far = 0.01 * 0.008 / 0.2 / sum;
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(text, methods[i]);
    model_run_reach(&run, 2.5);
    cr_expect_float_eq(model_run_read(&run, "near.phi"), near, 1e-9, "%s", methods[i]);
    cr_expect_float_eq(model_run_read(&run, "far.phi"), near + far - pi / 4, 1e-9, "%s", methods[i]);
    cr_expect_float_eq(model_run_read(&run, "tendon.tension"), 0.01 / sum, 1e-6, "%s", methods[i]);
    cr_expect_eq(model_run_read(&run, "tendon.discs"), 2, "%s", methods[i]);
    model_run_end(&run);
  }
}

/* A weight hangs over a disc: a pendulum of its free length. */
Test(hard_cables, modes_of_a_taut_cable) {
  static const char *const text =
      "seam: 1\ngravity: [0, -9.81]\nbodies: {m: {mass: 3, inertia: 0, at: [0.1, -1.5]}}\nforces:\n"
      "  c: {type: cable, bodies: [ground, ground, m], at: [[-1, 0.1], [0, 0], [0.1, -1.5]], radii: [0, -0.1, 0],\n"
      "      hard: true}\nsimulate: {end: 1}\n";
  model_run run = model_run_at_rest(text, NULL, NULL);
  seam_modes *modes = NULL;
  cr_expect_float_eq(model_run_read(&run, "c.tension"), 3 * g, 1e-9);
  cr_assert_eq(seam_modes_create(seam_model_mechanism(run.file), run.state, &modes, NULL), SEAM_OK);
  cr_assert_eq(modes->n, 1);
  cr_expect_float_eq(modes->mode[0].s[1], sqrt(g / 1.5), 1e-9);
  seam_modes_destroy(modes);
  model_run_end(&run);
}

/* Two masses, of which one flies off until the cable over a disc is taut: impulse (1 + e) v m1 m2/(m1 + m2). */
Test(hard_cables, becomes_taut_with_an_impact) {
  static const char *const text =
      "seam: 1\nparameters: {back: 0}\nbodies:\n  a: {mass: 2, inertia: 0, at: [-0.3, -1], velocity: [0, -4]}\n"
      "  b: {mass: 3, inertia: 0, at: [0.3, -2]}\nforces:\n"
      "  c: {type: cable, bodies: [a, ground, b], at: [[-0.3, -1], [0, 0], [0.3, -2]], radii: [0, -0.3, 0],\n"
      "      hard: true, restitution: back, length: 4 + 0.3*pi}\nsimulate: {end: 1}\n";
  for (int i = 0; i < 2 * N_METHODS; i++) {
    static const char *const bounces[] = {"parameters.back=0.5", NULL};
    mbs_integrator_options options = mbs_default_integrator_options();
    const double e = i % 2 == 0 ? 0 : 0.5;
    options.method = methods[i / 2];
    options.rtol = options.atol = 1e-11;
    model_run run = model_run_begin(text, i % 2 == 0 ? NULL : bounces, &options, NAN);
    model_run_reach(&run, 0.2);
    cr_expect_eq(model_run_read(&run, "c.tension"), 0);
    cr_expect_float_eq(model_run_read(&run, "c.slack"), 0.2, 1e-9);
    model_run_reach(&run, 0.3);
    const double impulse = (1 + e) * 4 * 6.0 / 5;
    cr_expect_float_eq(model_run_read(&run, "a.vy"), -4 + impulse / 2, 1e-9, "%s", options.method);
    cr_expect_float_eq(model_run_read(&run, "b.vy"), impulse / 3, 1e-9, "%s", options.method);
    cr_expect_float_eq(model_run_read(&run, "c.impulse"), impulse, 1e-9, "%s", options.method);
    cr_expect_float_eq(model_run_read(&run, "c.impact_loss"), (1 - e * e) * 16 * 6.0 / 5 / 2, 1e-9, "%s",
                       options.method);
    model_run_end(&run);
  }
}

/* A winch that makes its cable taut drives energy in: the load leaves with the speed of the cable. */
Test(hard_cables, winch_takes_up_a_slack_cable) {
  static const char *const text =
      "seam: 1\nbodies: {m: {mass: 2, inertia: 0, at: [0, -3]}}\nforces:\n"
      "  c: {type: cable, bodies: [ground, m], at: [[0, 0], [0, -3]], hard: true, length: 3.5 - t}\n"
      "simulate: {end: 1}\n";
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(text, methods[i]);
    model_run_reach(&run, 1);
    cr_expect_float_eq(model_run_read(&run, "m.y"), -2.5, 1e-9, "%s", methods[i]);
    cr_expect_float_eq(model_run_read(&run, "m.vy"), 1, 1e-9, "%s", methods[i]);
    cr_expect_float_eq(model_run_read(&run, "energy.driven"), 2, 1e-9, "%s", methods[i]);
    cr_expect_float_eq(model_run_imbalance(&run, 0), 0, 1e-9, "%s", methods[i]);
    model_run_end(&run);
  }
}

/* A winch begins at once to take in: the load that hangs there gets the speed of the cable. */
Test(hard_cables, winch_that_begins_at_once) {
  static const char *const text =
      "seam: 1\ngravity: [0, -9.81]\nbodies: {m: {mass: 2, inertia: 0, at: [0, -3]}}\nforces:\n"
      "  c: {type: cable, bodies: [ground, m], at: [[0, 0], [0, -3]], hard: true, length: \"3 - max(0, t - 0.5)\"}\n"
      "simulate: {end: 1}\n";
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(text, methods[i]);
    const double before = model_run_energy(&run);
    model_run_reach(&run, 1);
    cr_expect_float_eq(model_run_read(&run, "m.y"), -2.5, 1e-9, "%s", methods[i]);
    cr_expect_float_eq(model_run_read(&run, "m.vy"), 1, 1e-9, "%s", methods[i]);
    cr_expect_float_eq(model_run_read(&run, "c.impulse"), 2, 1e-9, "%s", methods[i]);
    cr_expect_float_eq(model_run_read(&run, "energy.driven"), 2 + 2 * g * 0.5, 1e-8, "%s", methods[i]);
    cr_expect_float_eq(model_run_imbalance(&run, before), 0, 1e-8, "%s", methods[i]);
    model_run_end(&run);
  }
}

/* A drum winds up its cable until the weight at the end has gone round the drum. The message is that of a cable that
 * stretches. */
Test(hard_cables, a_cable_that_is_wound_up_is_named) {
  static const char *const kinds[] = {"hard: true", "hard: true, two_sided: true", "stiffness: 1e5"};
  static const char *const by[] = {"erk", "radau", "rk4", "symplectic_euler"};
  for (int i = 0; i < 12; i++) {
    char text[500];
    snprintf(text, sizeof text,
             "seam: 2\ngravity: [0, -9.81]\nbodies: {drum: {mass: 20, inertia: 0.4, at: [0, 3]},\n"
             "  weight: {mass: 25, inertia: 0, at: [-0.2, 2.5]}}\n"
             "joints: {axle: {type: revolute, bodies: [ground, drum], at: [0, 3]}}\n"
             "forces:\n  motor: {type: torque, body: drum, torque: -70}\n"
             "  rope: {type: cable, bodies: [drum, weight], at: [[0, 3], [-0.2, 2.5]], radii: [0.2, 0], %s}\n"
             "simulate: {end: 3}\n",
             kinds[i / 4]);
    mbs_integrator_options options = mbs_default_integrator_options();
    options.method = by[i % 4];
    options.step = i % 4 < 2 ? 0 : 1e-3;
    model_run run = model_run_begin(text, NULL, &options, INFINITY);
    model_run_advance(&run, 3);
    cr_expect_eq(run.status, SEAM_NOT_FINITE, "%s, %s", kinds[i / 4], by[i % 4]);
    cr_expect_not_null(strstr(run.error.message, "force 'rope' is not finite: two of its discs or places meet"),
                       "%s, %s: %s", kinds[i / 4], by[i % 4], run.error.message);
    model_run_end(&run);
  }
}

Test(hard_cables, whole_is_cut_beside_them) {
  static const char *const text =
      "seam: 1\ngravity: [0, -9.81]\nbodies:\n  a: {mass: 2, inertia: 0, at: [-0.3, -1]}\n"
      "  b: {mass: 1, inertia: 0, at: [0.3, -2]}\n  beam: {mass: 3, inertia: 0.2, at: [0, 0]}\n"
      "  top: {mass: 4, inertia: 0.1, at: [0, 1]}\njoints:\n"
      "  rail: {type: prismatic, bodies: [ground, beam], at: [0, 0], axis: [0, 1]}\n"
      "  guide: {type: prismatic, bodies: [ground, top], at: [0, 1], axis: [0, 1]}\nforces:\n"
      "  c: {type: cable, bodies: [a, beam, b], at: [[-0.3, -1], [0, 0], [0.3, -2]], radii: [0, -0.3, 0], hard: true}\n"
      "  link: {type: spring_damper, bodies: [top, beam], at: [[0, 1], [0, 0]], stiffness: 500, damping: 5}\n"
      "  hook: {type: spring_damper, bodies: [ground, top], at: [[0, 3], [0, 1]], stiffness: 2000, damping: 5}\n"
      "simulate: {end: 0.4, integrator: erk, rtol: 1e-10}\n"
      "cosim: {subsystems: {hoist: [a, b, beam], roof: [top]}, macro_step: 1e-3, scheme: ff-k2, rtol: 1e-10}\n";
  cut_run_expect_whole(text, 1e-3, 400, 1e-6);
}
