/* Cables that are never slack: closed forms in which their tension changes its sign, at the start, in motion, at rest,
 * and in impacts that they pass on. */
#include <criterion/criterion.h>
#include <math.h>

#include <seam/analysis.h>

#include "tests/support/cut_run.h"
#include "tests/support/model_reader.h"
#include "tests/support/model_run.h"

static const double g = 9.81;

static const struct {
  const char *method;
  double step;
} methods[] = {{"erk", 0}, {"radau", 0}, {"rk4", 2e-3}};
enum { N_METHODS = sizeof methods / sizeof *methods };

static model_run run_by(const char *text, int method, const char *const *overrides) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = methods[method].method;
  options.step = methods[method].step;
  options.rtol = options.atol = 1e-12;
  return model_run_begin(text, overrides, &options, NAN);
}

/* A force F lifts m1 = 2 kg faster than it falls: (m1 + m2) a = F - (m1 - m2) g, and the cable pushes m2 = 1 kg down,
 * T = m2 (g - a). */
Test(two_sided_cables, atwood_machine_with_an_upward_pull) {
  static const char *const text =
      "seam: 1\ngravity: [0, -9.81]\nparameters: {R: 0.3}\nbodies:\n"
      "  a: {mass: 2, inertia: 0, at: [-R, -1]}\n  b: {mass: 1, inertia: 0, at: [R, -2]}\nforces:\n"
      "  c: {type: cable, bodies: [a, ground, b], at: [[-R, -1], [0, 0], [R, -2]], radii: [0, -R, 0], hard: true,\n"
      "      two_sided: true}\n  pull: {type: force, body: a, at: [-R, -1], y: 60}\nsimulate: {end: 0.5}\n";
  const double a = (60 - g) / 3;
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = run_by(text, i, NULL);
    const double before = model_run_energy(&run);
    model_run_reach(&run, 0.25);
    cr_expect_float_eq(model_run_read(&run, "a.ay"), a, 1e-9, "%s", methods[i].method);
    cr_expect_float_eq(model_run_read(&run, "a.y"), -1 + a / 32, 1e-9, "%s", methods[i].method);
    cr_expect_float_eq(model_run_read(&run, "b.y"), -2 - a / 32, 1e-9, "%s", methods[i].method);
    cr_expect_float_eq(model_run_read(&run, "c.tension"), g - a, 1e-9, "%s", methods[i].method);
    cr_expect_float_eq(model_run_read(&run, "c.slack"), 0, 1e-11, "%s", methods[i].method);
    cr_expect_eq(model_run_read(&run, "c.mode"), 3);
    cr_expect_float_eq(model_run_imbalance(&run, before), 0, 1e-9, "%s", methods[i].method);
    model_run_end(&run);
  }
}

/* Two cables, of which one hangs on the disc that the other holds: T2 = 2 m2 m3 (g - s'')/(m2 + m3), T1 = M (g - s''),
 * M = mp + 4 m2 m3/(m2 + m3), (m1 + M) s'' = (M - m1) g + F. Lifted by F, all is pushed; a heavy m1 rests on a floor.
 */
Test(two_sided_cables, double_atwood_machine) {
  static const char *const text =
      "seam: 1\ngravity: [0, -9.81]\nparameters: {F: 0}\nbodies:\n  a: {mass: 10, inertia: 0, at: [-0.3, -2]}\n"
      "  p: {mass: 0.5, inertia: 0.2, at: [0.3, -2]}\n  b: {mass: 1, inertia: 0, at: [0.1, -4]}\n"
      "  c: {mass: 2, inertia: 0, at: [0.5, -4]}\njoints:\n"
      "  rail: {type: prismatic, bodies: [ground, p], at: [0.3, -2], axis: [0, 1]}\nforces:\n"
      "  one: {type: cable, bodies: [a, ground, p], at: [[-0.3, -2], [0, 0], [0.3, -2]], radii: [0, -0.3, 0],\n"
      "        hard: true, two_sided: true}\n"
      "  two: {type: cable, bodies: [b, p, c], at: [[0.1, -4], [0.3, -2], [0.5, -4]], radii: [0, -0.2, 0],\n"
      "        hard: true, two_sided: true}\n"
      "  floor: {type: contact, bodies: [ground, a], at: [[0, -2], [-0.3, -2]], line: [1, 0], hard: true}\n"
      "  pull: {type: force, body: a, at: [-0.3, -2], y: F}\nsimulate: {end: 1}\n";
  static const char *const lifted[] = {"parameters.F=300", NULL};
  const double M = 0.5 + 8.0 / 3;
  for (int i = 0; i < 2 * N_METHODS; i++) {
    const double F = i % 2 == 0 ? 0 : 300;
    const double s = i % 2 == 0 ? 0 : ((M - 10) * g + F) / (M + 10);
    const double u = -(s - g) / 3;
    model_run run = run_by(text, i / 2, i % 2 == 0 ? NULL : lifted);
    model_run_reach(&run, 0.2);
    cr_expect_float_eq(model_run_read(&run, "a.y"), -2 + s * 0.02, 1e-9, "%d", i);
    cr_expect_float_eq(model_run_read(&run, "b.y"), -4 + (u - s) * 0.02, 1e-9, "%d", i);
    cr_expect_float_eq(model_run_read(&run, "c.y"), -4 - (u + s) * 0.02, 1e-9, "%d", i);
    cr_expect_float_eq(model_run_read(&run, "one.tension"), M * (g - s), 1e-9, "%d", i);
    cr_expect_float_eq(model_run_read(&run, "two.tension"), 4.0 / 3 * (g - s), 1e-9, "%d", i);
    cr_expect_float_eq(model_run_read(&run, "floor.force"), i % 2 == 0 ? (10 - M) * g : 0, 1e-9, "%d", i);
    model_run_end(&run);
  }
}

/* A turn by φ lifts the hook by b φ, b = (R - r)/2: (J + M b²) φ'' = (F - M g) b, with a push F from below. */
Test(two_sided_cables, differential_pulley_with_a_push_from_below) {
  static const char *const text =
      "seam: 1\ngravity: [0, -9.81]\nparameters: {R: 0.2, r: 0.16}\nbodies:\n"
      "  wheels: {mass: 3, inertia: 0.1, at: [0, 0]}\n  hook: {mass: 50, inertia: 0.2, at: [(R - r)/2, -2]}\njoints:\n"
      "  axle: {type: revolute, bodies: [ground, wheels], at: [0, 0]}\n"
      "  rail: {type: prismatic, bodies: [ground, hook], at: [(R - r)/2, -2], axis: [0, 1]}\nforces:\n"
      "  push: {type: force, body: hook, at: [(R - r)/2, -2], y: 800}\n"
      "  chain: {type: cable, bodies: [wheels, hook, wheels], at: [[0, 0], [(R - r)/2, -2], [0, 0]],\n"
      "          radii: [r, (R + r)/2, R], hard: true, two_sided: true}\nsimulate: {end: 1}\n";
  const double b = 0.02;
  const double turning = (800 - 50 * g) * b / (0.1 + 50 * b * b);
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = run_by(text, i, NULL);
    model_run_reach(&run, 0.2);
    cr_expect_float_eq(model_run_read(&run, "wheels.phi"), turning * 0.02, 1e-9, "%s", methods[i].method);
    cr_expect_float_eq(model_run_read(&run, "hook.y"), -2 + b * turning * 0.02, 1e-9, "%s", methods[i].method);
    cr_expect_float_eq(model_run_read(&run, "chain.tension"), (50 * (g + b * turning) - 800) / 2, 1e-8, "%s",
                       methods[i].method);
    model_run_end(&run);
  }
}

/* A winch pays out 6 t², faster than the load falls: it pushes the load down, and drives in -T L°'. */
Test(two_sided_cables, winch_that_pushes) {
  static const char *const text =
      "seam: 1\ngravity: [0, -9.81]\nbodies: {m: {mass: 10, inertia: 0, at: [0, -3]}}\nforces:\n"
      "  c: {type: cable, bodies: [ground, ground, m], at: [[-1, 0.2], [-0.2, 0], [0, -3]], radii: [0, -0.2, 0],\n"
      "      hard: true, two_sided: true, length: l + 6*t^2}\n"
      "parameters: {l: \"sqrt(0.64) + 0.2*pi/2 + 3\"}\nsimulate: {end: 5}\n";
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = run_by(text, i, NULL);
    const double before = model_run_energy(&run);
    model_run_reach(&run, 0.5);
    cr_expect_float_eq(model_run_read(&run, "m.y"), -3 - 1.5, 1e-9, "%s", methods[i].method);
    cr_expect_float_eq(model_run_read(&run, "c.tension"), 10 * (g - 12), 1e-8, "%s", methods[i].method);
    cr_expect_float_eq(model_run_read(&run, "energy.driven"), -10 * (g - 12) * 1.5, 1e-8, "%s", methods[i].method);
    cr_expect_float_eq(model_run_imbalance(&run, before), 0, 1e-8, "%s", methods[i].method);
    model_run_end(&run);
  }
}

/* Two masses on rails with a spring each: (m1 + m2) s'' = -(k1 + k2) s, and T = (k1 - m1 ω²) s changes its sign with s.
 * At the start the speed of m1 alone becomes that of both, m1 v/(m1 + m2), which has the same momentum along the
 * cable. */
#define OSCILLATOR                                                                                                     \
  "bodies:\n  a: {mass: 3, inertia: 0.1, at: [-0.2, -1], velocity: [0, 2]}\n"                                          \
  "  b: {mass: 1, inertia: 0.1, at: [0.2, -1]}\n  disc: {mass: 2, inertia: 0.3, at: [0, 0], rate: 1}\njoints:\n"       \
  "  rail_a: {type: prismatic, bodies: [ground, a], at: [-0.2, -1], axis: [0, 1]}\n"                                   \
  "  rail_b: {type: prismatic, bodies: [ground, b], at: [0.2, -1], axis: [0, 1]}\n"                                    \
  "  axle: {type: revolute, bodies: [ground, disc], at: [0, 0]}\nforces:\n"                                            \
  "  c: {type: cable, bodies: [a, disc, b], at: [[-0.2, -1], [0, 0], [0.2, -1]], radii: [0, -0.2, 0], hard: true,\n"   \
  "      two_sided: true}\n"                                                                                           \
  "  sa: {type: spring_damper, bodies: [ground, a], at: [[-0.2, -1], [-0.2, -1]], axis: [0, 1], stiffness: 100}\n"     \
  "  sb: {type: spring_damper, bodies: [ground, b], at: [[0.2, -1], [0.2, -1]], axis: [0, 1], stiffness: 400}\n"

Test(two_sided_cables, tension_of_an_oscillator_changes_its_sign) {
  static const char *const text = "seam: 1\n" OSCILLATOR "simulate: {end: 2}\n";
  const double w = sqrt(500.0 / 4);
  for (int i = 0; i < 2; i++) {
    model_run run = run_by(text, i, NULL);
    const double energy = model_run_energy(&run);
    int signs = 0;
    cr_expect_float_eq(energy, 0.5 * 4 * 1.5 * 1.5 + 0.5 * 0.3, 1e-12);
    for (int k = 1; k <= 20; k++) {
      const double s = 1.5 / w * sin(w * 0.1 * k);
      model_run_reach(&run, 0.1 * k);
      cr_expect_float_eq(model_run_read(&run, "a.y"), -1 + s, 1e-9, "%s at %d", methods[i].method, k);
      cr_expect_float_eq(model_run_read(&run, "b.y"), -1 - s, 1e-9, "%s at %d", methods[i].method, k);
      cr_expect_float_eq(model_run_read(&run, "c.tension"), (100 - 3 * w * w) * s, 1e-6, "%s at %d", methods[i].method,
                         k);
      cr_expect_float_eq(model_run_energy(&run), energy, 1e-9, "%s at %d", methods[i].method, k);
      signs |= model_run_read(&run, "c.tension") > 0 ? 1 : 2;
    }
    cr_expect_eq(signs, 3);
    cr_expect_eq(model_run_read(&run, "c.impacts"), 0);
    model_run_end(&run);
  }
  model_run_expect_same_end(text, 0.7, 2);
}

/* At rest under an upward force F on m1: s = (F - (m1 - m2) g)/(k1 + k2), T = m1 g - F + k1 s < 0. */
Test(two_sided_cables, rest_and_modes_under_a_pushing_cable) {
  static const char *const text = "seam: 1\ngravity: [0, -9.81]\n" OSCILLATOR
                                  "  pull: {type: force, body: a, at: [-0.2, -1], y: 100}\nsimulate: {end: 2}\n";
  const double s = (100 - 2 * g) / 500;
  model_run run = model_run_at_rest(text, NULL, NULL);
  seam_modes *modes = NULL;
  double fastest = 0;
  cr_expect_float_eq(model_run_read(&run, "a.y"), -1 + s, 1e-9);
  cr_expect_float_eq(model_run_read(&run, "b.y"), -1 - s, 1e-9);
  cr_expect_float_eq(model_run_read(&run, "c.tension"), 3 * g - 100 + 100 * s, 1e-7);
  cr_expect_float_eq(model_run_read(&run, "c.slack"), 0, 1e-12);
  cr_assert_eq(seam_modes_create(seam_model_mechanism(run.file), run.state, &modes, NULL), SEAM_OK);
  for (size_t k = 0; k < modes->n; k++)
    fastest = fmax(fastest, modes->mode[k].s[1]);
  cr_expect_float_eq(fastest, sqrt(500.0 / 4), 1e-9);
  seam_modes_destroy(modes);
  model_run_end(&run);
}

/* A falling mass hits a floor, and the rising one pushes on it through the cable: both turn back with e v. The floor's
 * impulse is (1 + e)(m1 + m2) v, the cable's -(1 + e) m2 v. A slack cable would let the other one fly on. */
Test(two_sided_cables, passes_impacts_on) {
  static const char *const text =
      "seam: 1\nparameters: {back: 0.5}\nbodies:\n  a: {mass: 2, inertia: 0.1, at: [-0.3, -1], velocity: [0, -4]}\n"
      "  b: {mass: 3, inertia: 0.1, at: [0.3, -3], velocity: [0, 4]}\njoints:\n"
      "  rail_a: {type: prismatic, bodies: [ground, a], at: [-0.3, -1], axis: [0, 1]}\n"
      "  rail_b: {type: prismatic, bodies: [ground, b], at: [0.3, -3], axis: [0, 1]}\nforces:\n"
      "  c: {type: cable, bodies: [a, ground, b], at: [[-0.3, -1], [0, 0], [0.3, -3]], radii: [0, -0.3, 0],\n"
      "      hard: true, two_sided: true, impact: newton}\n"
      "  floor: {type: contact, bodies: [ground, a], at: [[0, -2], [-0.3, -1]], line: [1, 0], radius: 0.2, hard: "
      "true,\n"
      "      restitution: back, impact: newton}\nsimulate: {end: 1}\n";
  static const char *const poisson[] = {"forces.c.impact=poisson", "forces.floor.impact=poisson", NULL};
  for (int i = 0; i < 2 * N_METHODS; i++) {
    model_run run = run_by(text, i / 2, i % 2 == 0 ? NULL : poisson);
    model_run_reach(&run, 0.3);
    cr_expect_float_eq(model_run_read(&run, "a.vy"), 2, 1e-9, "%d", i);
    cr_expect_float_eq(model_run_read(&run, "b.vy"), -2, 1e-9, "%d", i);
    cr_expect_float_eq(model_run_read(&run, "a.y"), -1.8 + 2 * 0.1, 1e-9, "%d", i);
    cr_expect_float_eq(model_run_read(&run, "c.impulse"), -1.5 * 3 * 4, 1e-9, "%d", i);
    cr_expect_float_eq(model_run_read(&run, "c.impact_loss"), 0, 1e-9, "%d", i);
    cr_expect_float_eq(model_run_read(&run, "floor.impulse"), 1.5 * 5 * 4, 1e-9, "%d", i);
    cr_expect_float_eq(model_run_read(&run, "floor.impact_loss"), 0.75 * 5 * 8, 1e-9, "%d", i);
    cr_expect_float_eq(model_run_imbalance(&run, 40), 0, 1e-9, "%d", i);
    model_run_end(&run);
  }
}

/* A block on a rough floor is drawn by a weight over a disc, and pushed back where the weight is lifted. */
Test(two_sided_cables, draws_and_pushes_a_block_with_friction) {
  static const char *const text =
      "seam: 1\ngravity: [0, -9.81]\nparameters: {F: 0}\nbodies:\n  a: {mass: 2, inertia: 0.1, at: [-3, 0.2]}\n"
      "  b: {mass: 2, inertia: 0.1, at: [0.2, -3]}\njoints:\n"
      "  rail: {type: prismatic, bodies: [ground, b], at: [0.2, -3], axis: [0, 1]}\nforces:\n"
      "  c: {type: cable, bodies: [a, ground, b], at: [[-3, 0.2], [0, 0], [0.2, -3]], radii: [0, -0.2, 0],\n"
      "      hard: true, two_sided: true}\n"
      "  left: {type: contact, bodies: [ground, a], at: [[0, 0], [-3.2, 0]], line: [1, 0], hard: true, friction: 0.5}\n"
      "  right: {type: contact, bodies: [ground, a], at: [[0, 0], [-2.8, 0]], line: [1, 0], hard: true, friction: "
      "0.5}\n"
      "  lift: {type: force, body: b, at: [0.2, -3], y: F}\nsimulate: {end: 1}\n";
  const struct {
    const char *overrides[2];
    double a, T;
  } cases[] = {{{"parameters.F=0"}, g / 4, 1.5 * g},
               {{"parameters.F=12"}, 0, 2 * g - 12}, /* sticks */
               {{"parameters.F=50"}, (3 * g - 50) / 4, -g + (3 * g - 50) / 2}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    for (int i = 0; i < N_METHODS; i++) {
      model_run run = run_by(text, i, cases[k].overrides);
      model_run_reach(&run, 0.3);
      cr_expect_float_eq(model_run_read(&run, "a.x"), -3 + cases[k].a * 0.045, 1e-9, "%s %zu", methods[i].method, k);
      cr_expect_float_eq(model_run_read(&run, "c.tension"), cases[k].T, 1e-8, "%s %zu", methods[i].method, k);
      model_run_end(&run);
    }
}

/* A winch begins at once to pay out, then stops: the load gets and loses the speed of its cable. */
Test(two_sided_cables, jumps_with_the_rate_of_its_length) {
  static const char *const text =
      "seam: 1\nbodies: {m: {mass: 2, inertia: 0, at: [0, -3]}}\nforces:\n"
      "  c: {type: cable, bodies: [ground, m], at: [[0, 0], [0, -3]], hard: true, two_sided: true,\n"
      "      length: \"3 + max(0, min(t - 0.5, 1))\"}\nsimulate: {end: 2}\n";
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = run_by(text, i, NULL);
    model_run_reach(&run, 1);
    cr_expect_float_eq(model_run_read(&run, "m.y"), -3.5, 1e-9, "%s", methods[i].method);
    cr_expect_float_eq(model_run_read(&run, "m.vy"), -1, 1e-9, "%s", methods[i].method);
    cr_expect_float_eq(model_run_read(&run, "energy.driven"), 2, 1e-9, "%s", methods[i].method);
    cr_expect_float_eq(model_run_imbalance(&run, 0), 0, 1e-9, "%s", methods[i].method);
    model_run_reach(&run, 2);
    cr_expect_float_eq(model_run_read(&run, "m.y"), -4, 1e-9, "%s", methods[i].method);
    cr_expect_float_eq(model_run_read(&run, "m.vy"), 0, 1e-9, "%s", methods[i].method);
    cr_expect_float_eq(model_run_imbalance(&run, 0), 0, 1e-9, "%s", methods[i].method);
    model_run_end(&run);
  }
}

Test(two_sided_cables, whole_is_cut_beside_them) {
  static const char *const text =
      "seam: 1\ngravity: [0, -9.81]\nbodies:\n  a: {mass: 2, inertia: 0, at: [-0.3, -1]}\n"
      "  b: {mass: 1, inertia: 0, at: [0.3, -2]}\n  beam: {mass: 3, inertia: 0.2, at: [0, 0]}\n"
      "  top: {mass: 4, inertia: 0.1, at: [0, 1]}\njoints:\n"
      "  rail: {type: prismatic, bodies: [ground, beam], at: [0, 0], axis: [0, 1]}\n"
      "  guide: {type: prismatic, bodies: [ground, top], at: [0, 1], axis: [0, 1]}\nforces:\n"
      "  c: {type: cable, bodies: [a, beam, b], at: [[-0.3, -1], [0, 0], [0.3, -2]], radii: [0, -0.3, 0], hard: true,\n"
      "      two_sided: true}\n  pull: {type: force, body: a, at: [-0.3, -1], y: 40*sin(20*t)}\n"
      "  link: {type: spring_damper, bodies: [top, beam], at: [[0, 1], [0, 0]], stiffness: 500, damping: 5}\n"
      "  hook: {type: spring_damper, bodies: [ground, top], at: [[0, 3], [0, 1]], stiffness: 2000, damping: 5}\n"
      "simulate: {end: 0.4, integrator: erk, rtol: 1e-10}\n"
      "cosim: {subsystems: {hoist: [a, b, beam], roof: [top]}, macro_step: 1e-3, scheme: ff-k2, rtol: 1e-10}\n";
  cut_run_expect_whole(text, 1e-3, 400, 1e-6);
}

#define OF_LENGTH(length)                                                                                              \
  "seam: 1\nbodies: {m: {mass: 2, inertia: 0, at: [0, -3]}}\nforces:\n"                                                \
  "  c: {type: cable, bodies: [ground, m], at: [[0, 0], [0, -3]], hard: true, two_sided: true,\n"                      \
  "      length: " length "}\nsimulate: {end: 2}\n"

Test(two_sided_cables, lengths_that_do_not_fit_the_path) {
  model_run run = model_run_by(OF_LENGTH("3"), "erk");
  seam_error error;
  for (int side = -1; side <= 1; side += 2) {
    run.state->q[1] = -3 - 0.2 * side;
    cr_expect_eq(mbs_integrator_start(run.integrator, run.state, &error), SEAM_BAD_INPUT);
    cr_expect_str_eq(error.message, side < 0
                                        ? "t = 0 s: two-sided cable 'c' is 0.2 m longer than its path at the start: "
                                          "leave out its 'length', or move its bodies"
                                        : "t = 0 s: two-sided cable 'c' is 0.2 m shorter than its path at the "
                                          "start: leave out its 'length', or move its bodies");
  }
  model_run_end(&run);
  run = model_run_by(OF_LENGTH("\"if(t < 0.5, 3, 3.1)\""), "erk");
  model_run_advance(&run, 1);
  cr_expect_eq(run.status, SEAM_CONSTRAINT_LOST);
  cr_expect_str_eq(
      run.error.message,
      "t = 0.5 s: cable 'c' cannot follow its length, which jumps by 0.1 m: replace the jump by a steep slope");
  model_run_end(&run);
}

#define FOR(keys)                                                                                                      \
  "seam: 1\nbodies: {m: {mass: 1, inertia: 0, at: [0, -1]}}\nforces:\n"                                                \
  "  c: {type: cable, bodies: [ground, m], at: [[0, 0], [0, -1]], " keys "}\nsimulate: {end: 1}\n"

Test(two_sided_cables, refused) {
  expect_refused(FOR("stiffness: 1, two_sided: true"),
                 "text.yaml:4:78: error: 'two_sided' in force 'c' has no effect: only a hard cable can be two-sided\n"
                 "  c: {type: cable, bodies: [ground, m], at: [[0, 0], [0, -1]], stiffness: 1, two_sided: true}\n"
                 "                                                                             ^\n"
                 "add 'hard: true', or remove it");
  expect_refused(FOR("hard: true, two_sided: true, restitution: 0"),
                 "text.yaml:4:93: error: 'restitution' in force 'c' cannot stand beside 'two_sided: true': a two-sided "
                 "cable is always taut\n"
                 ": [[0, 0], [0, -1]], hard: true, two_sided: true, restitution: 0}\n"
                 "                                                  ^\n"
                 "remove it");
}
