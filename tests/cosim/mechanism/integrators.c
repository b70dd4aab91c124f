/* Integrators of subsystems under every kind of scheme; reuse of their interface derivatives. */
#include <criterion/criterion.h>
#include <math.h>

#include "tests/support/cosim_fixture.h"
#include "tests/support/whole_error.h"

/* ---- Integrators ---- */

/* Largest difference of positions, velocities and multipliers from those of erk, at a tolerance of its own, after n
 * macro steps; what a macro step changes in a multiplier changes H times as much in velocities. */
static double distance_between(const char *model, const char *scheme, const char *method, const double rtol[2],
                               size_t n) {
  cosim_fixture p[2];
  double largest = 0;
  for (int i = 0; i < 2; i++) {
    p[i] = cosim_fixture_read(model, NULL);
    p[i].definition.options.integrator.method = i == 0 ? "erk" : method;
    p[i].definition.options.integrator.rtol = rtol[i];
    use_scheme(&p[i], scheme);
    start(&p[i]);
    advance(&p[i], n);
  }
  for (size_t j = 0; j < 6 * mbs_n_bodies(p[0].model); j++)
    largest = fmax(largest, fabs(cosim_state(p[1].run)->q[j] - cosim_state(p[0].run)->q[j]));
  for (size_t j = 0; j < mbs_n_constraints(p[0].model); j++)
    largest = fmax(largest, p[0].definition.options.macro_step *
                                fabs(cosim_state(p[1].run)->lambda[j] - cosim_state(p[0].run)->lambda[j]));
  cosim_fixture_free(&p[0]);
  cosim_fixture_free(&p[1]);
  return largest;
}

static double distance_to_erk(const char *model, const char *scheme, const char *method, size_t n) {
  const double usual = mbs_default_integrator_options().rtol;
  return distance_between(model, scheme, method, (const double[2]){usual, usual}, n);
}

/* Half a second; the tolerance of a macro step is 1e-8, and errors add up. */
Test(integrators, every_adaptive_method_gives_what_erk_gives) {
  static const char *const methods[] = {"radau", "ida", "cvode"};
  static const char *const schemes[] = {"ff-k1-explicit", "fd-k1-explicit", "df-k1-explicit",
                                        "dd-k1-explicit", "fd-k1-exchange", "df-k1-exchange"};
  for (size_t i = 0; i < 3; i++)
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
      const double distance = distance_to_erk("four_bar_bushing", schemes[k], methods[i], 500);
      cr_expect_lt(distance, i == 0 ? 1e-7 : 2e-5, "%s, %s: %g", methods[i], schemes[k], distance);
    }
}

Test(integrators, under_correctors_radau_gives_what_erk_gives) {
  static const char *const at_forces[] = {"ff-k1", "fd-k1", "df-k1", "dd-k1", "ff-d-k1", "fd-k1-implicit"};
  static const char *const at_joints[] = {
      "ff-index2-k1", "ff-index1-k1", "ff-baumgarte-k1", "ff-weighted-k1", "ff-projection-k1",
  };
  for (size_t k = 0; k < sizeof at_forces / sizeof *at_forces; k++) {
    const double distance = distance_to_erk("four_bar_bushing", at_forces[k], "radau", 500);
    cr_expect_lt(distance, 1e-7, "%s: %g", at_forces[k], distance);
  }
  for (size_t k = 0; k < sizeof at_joints / sizeof *at_joints; k++) {
    double error[2];
    for (int i = 0; i < 2; i++) {
      const double rtol = i == 0 ? 1e-8 : 1e-9;
      error[i] = distance_between("double_pendulum", at_joints[k], "radau", (const double[2]){1e-12, rtol}, 500);
      cr_expect_lt(error[i], 500 * rtol, "%s, rtol %g: %g", at_joints[k], rtol, error[i]);
    }
    cr_expect_lt(5 * error[1], error[0], "%s: %g, then %g", at_joints[k], error[0], error[1]);
  }
}

/* ida was wrong by half of a joint's force with status 0, cvode was unstable. */
Test(integrators, multistep_methods_are_refused_where_a_corrector_needs_derivatives) {
  static const char *const methods[] = {"ida", "cvode"};
  static const char *const models[] = {"four_bar_bushing", "four_bar_fixed", "double_pendulum"};
  static const char *const schemes[] = {"fd-k1-implicit", "ff-index2-k1", "ff-projection-k0"};
  for (size_t i = 0; i < 6; i++) {
    cosim_fixture p = cosim_fixture_read(models[i / 2], NULL);
    p.definition.options.integrator.method = methods[i % 2];
    use_scheme(&p, schemes[i / 2]);
    expect_no_start(&p, "gives no interface derivatives");
    expect_no_start(&p, methods[i % 2]);
    expect_no_start(&p, i < 2 ? "'-exchange'" : "take 'erk' or 'radau' as integrator");
    cosim_fixture_free(&p);
  }
}

/* ---- Reuse ---- */

/* A weight falls onto a buffer that grows stiffer and damps more as it is pressed. */
static const char buffer[] =
    "seam: 1\n"
    "gravity: [0, -9.81]\n"
    "bodies: {table: {mass: 1, inertia: 1}, weight: {mass: 1, inertia: 1, at: [0, 1]}}\n"
    "forces:\n"
    "  legs: {type: bushing, bodies: [ground, table], at: [0, 0], stiffness: [1e3, 1e3, 1e3], damping: [20, 20, 20]}\n"
    "  buffer: {type: spring_damper, bodies: [table, weight], at: [[0, 0], [0, 1]], axis: [0, 1],\n"
    "           force: \"500*s + 4e6*s^3 + (1 + 1e5*s^2)*v\"}\n"
    "simulate: {end: 1}\n"
    "cosim: {subsystems: {A: [table], B: [weight]}, macro_step: 5e-3, scheme: ff-k1}\n";

/* Returns coordinate i at the end t. refreshes: number of new derivatives; may be NULL. */
static double end_of_run(const char *text, cosim_reuse reuse, double H, double t, int i, size_t *refreshes) {
  cosim_fixture p = cosim_fixture_read(text, NULL);
  p.definition.options.reuse = reuse;
  p.definition.options.macro_step = H;
  start(&p);
  advance(&p, (size_t)lround(t / H));
  const double q = cosim_state(p.run)->q[i];
  if (refreshes != NULL)
    *refreshes = cosim_statistics_of(p.run).refreshes;
  cosim_fixture_free(&p);
  return q;
}

/* Derivatives that no longer fit, because the coupling changes, are found anew. Reuse costs little of the error that
 * the macro step has anyway: by default less than a hundredth. */
Test(integrators, reused_derivatives_are_renewed_where_corrections_contract_badly) {
  static const cosim_reuse reuse[] = {COSIM_REUSE_NEVER, COSIM_REUSE_ALWAYS, COSIM_REUSE_EXACT, COSIM_REUSE_NEVER};
  double y[4];
  size_t refreshes[4];
  for (int kind = 0; kind < 4; kind++)
    y[kind] = end_of_run(buffer, reuse[kind], kind == 3 ? 5e-5 : 5e-3, 0.5, 4, &refreshes[kind]);
  const double error = fabs(y[3] - y[0]);
  cr_expect_lt(fabs(y[1] - y[0]), 0.2 * error, "%g by reuse, %g by the macro step", y[1] - y[0], error);
  cr_expect_lt(fabs(y[2] - y[0]), 0.01 * error, "%g by reuse, %g by the macro step", y[2] - y[0], error);
  cr_expect_lt(refreshes[1], refreshes[2]);
  cr_expect_lt(refreshes[2], refreshes[0]);
}

/* A light body runs against a stiff stop. From one macro step to the next, forces at the cut move it far less, so this
 * step is corrected again. Otherwise the end would be off by half as much again as the macro step costs. */
Test(integrators, a_step_in_which_derivatives_jump_is_corrected_again) {
  static const char text[] =
      "seam: 2\n"
      "bodies: {A: {mass: 0.3, inertia: 1, velocity: [10, 0]}, B: {mass: 1, inertia: 1, velocity: [10, 0]}}\n"
      "joints:\n"
      "  a: {type: prismatic, bodies: [ground, A], at: [0, 0], axis: [1, 0]}\n"
      "  b: {type: prismatic, bodies: [ground, B], at: [0, 0], axis: [1, 0]}\n"
      "forces:\n"
      "  wall: {type: stop, of: slide, bodies: [ground, A], at: [[0, 0], [0, 0]], axis: [1, 0], upper: 1,\n"
      "         stiffness: 3e7, exponent: 1.5}\n"
      "  cut: {type: spring_damper, bodies: [A, B], at: [[0, 0], [0, 0]], axis: [1, 0], length: 0, stiffness: 2e5}\n"
      "simulate: {end: 0.13, rtol: 1e-8}\n"
      "cosim: {subsystems: {first: [A], second: [B]}, macro_step: 1e-3, scheme: ff-k1}\n";
  const double accurate = end_of_run(text, COSIM_REUSE_NEVER, 1e-5, 0.13, 3, NULL);
  const double anew = end_of_run(text, COSIM_REUSE_NEVER, 1e-3, 0.13, 3, NULL);
  const double reused = end_of_run(text, COSIM_REUSE_EXACT, 1e-3, 0.13, 3, NULL);
  const double error = fabs(anew - accurate);
  cr_expect_lt(fabs(reused - anew), 0.2 * error, "%g by reuse, %g by the macro step", reused - anew, error);
}

/* A force element turns with its bodies: few steps of the four-bar need derivatives of their own, and the error is that
 * of derivatives in every step. */
Test(integrators, reuse_by_default_costs_no_accuracy) {
  static const char *const schemes[] = {"ff-k0", "ff-k1", "ff-k3"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    double error[2];
    for (int never = 0; never < 2; never++) {
      cosim_fixture p = cosim_fixture_read("four_bar_bushing", NULL);
      use_scheme(&p, schemes[i]);
      p.definition.options.reuse = never ? COSIM_REUSE_NEVER : COSIM_REUSE_EXACT;
      error[never] = error_at_macro_step(&p, 1e-3, 1);
      const cosim_statistics count = cosim_statistics_of(p.run);
      cr_expect(never ? count.refreshes == count.macro_steps : count.refreshes < count.macro_steps / 5,
                "%s: %zu of %zu", schemes[i], count.refreshes, count.macro_steps);
      cosim_fixture_free(&p);
    }
    cr_expect_float_eq(error[0], error[1], 1e-3 * error[1], "%s: %g and %g", schemes[i], error[0], error[1]);
  }
}

/* ---- Rounding ---- */

/* In short steps multipliers of ε m / H² belong to the rounding ε of a gap: corrections cannot become smaller. */
Test(integrators, implicit_corrections_end_at_rounding) {
  static const char *const models[] = {"double_pendulum", "four_bar_fixed", "slider_crank"};
  static const double H[] = {1e-5, 3e-6};
  for (int k = 0; k < 6; k++) {
    cosim_fixture p = cosim_fixture_read(models[k / 2], NULL);
    use_scheme(&p, "ff-index2-k1-implicit");
    p.definition.options.macro_step = H[k % 2];
    start(&p);
    advance(&p, 200);
    cr_expect_lt(error_of(&p), 1e-7, "%s, %g s: %.2g", models[k / 2], H[k % 2], error_of(&p));
    cosim_fixture_free(&p);
  }
}

/* ---- Corrections that shrink no more ---- */

/* A four-bar cut at a weld: at t = 2.94 s corrections of forces stay at 1e-6 of them, since projections of the
 * subsystems end at their tolerance, 2e-14 m apart; the step ended the run. The scheme has order 4: 2e-7 at 2 ms are
 * 1e-9. */
Test(integrators, corrections_end_at_what_the_subsystems_resolve) {
  static const char *const text =
      "seam: 1\n"
      "name: welded\n"
      "gravity: [0, -9.81]\n"
      "points: {O: [0, 0], D: [1, 0], A: [0.15000000000000002, 0.25980762113533157], B: [0.9366095130709663, "
      "0.6971238384726921], W: [0.5433047565354832, 0.4784657298040118]}\n"
      "bodies: {crank: {rod: [O, A], mass: 1.2, rate: -8}, left: {rod: [A, W], mass: 0.9}, right: {rod: [W, B], mass: "
      "0.9}, rocker: {rod: [D, B], mass: 1.5}}\n"
      "joints:\n"
      "  J0: {type: revolute, bodies: [ground, crank], at: O}\n"
      "  J1: {type: revolute, bodies: [crank, left], at: A}\n"
      "  weld: {type: fixed, bodies: [left, right], at: W}\n"
      "  J2: {type: revolute, bodies: [right, rocker], at: B}\n"
      "  J3: {type: revolute, bodies: [ground, rocker], at: D}\n"
      "forces:\n"
      "  drive: {type: torque, body: crank, torque: \"4*sin(3*t)\"}\n"
      "  damp: {type: torsion, bodies: [ground, rocker], damping: 0.3}\n"
      "simulate: {end: 3, output_step: 0.05}\n"
      "cosim: {subsystems: {l: [crank, left], r: [right, rocker]}, macro_step: 5e-4, scheme: ff-index1-k1-implicit}\n";
  const mbs_integrator_options options = mbs_default_integrator_options();
  const double error = error_against_whole(text, &options, 5e-4, 3);
  cr_expect_lt(error, 1e-8, "%g", error);
}

/* Two independent cuts. The small one, whose side is let go by a brake, has corrections of a millionth of the others.
 */
static const char masked[] =
    "seam: 2\nname: masked\nparameters: {k: 3e4}\n"
    "bodies:\n"
    "  m1: {mass: 1000, inertia: 1000, at: [1, 0]}\n  m2: {mass: 1000, inertia: 1000, at: [0, 0]}\n"
    "  s1: {mass: 1, inertia: 1, at: [0, 0]}\n  s2: {mass: 0.01, inertia: 1, at: [0, 0]}\n"
    "joints:\n"
    "  g1: {type: prismatic, bodies: [ground, m1], at: [0, 0], axis: [1, 0]}\n"
    "  g2: {type: prismatic, bodies: [ground, m2], at: [0, 0], axis: [1, 0]}\n"
    "  g3: {type: prismatic, bodies: [ground, s1], at: [0, 0], axis: [1, 0]}\n"
    "  g4: {type: prismatic, bodies: [ground, s2], at: [0, 0], axis: [1, 0]}\n"
    "forces:\n"
    "  k1: {type: spring_damper, bodies: [ground, m1], at: [[0, 0], [0, 0]], axis: [1, 0], stiffness: 1e6, damping: "
    "1e2}\n"
    "  big: {type: spring_damper, bodies: [m1, m2], at: [[0, 0], [0, 0]], axis: [1, 0], stiffness: 1e6, damping: 1e2}\n"
    "  k3: {type: spring_damper, bodies: [ground, s1], at: [[0, 0], [0, 0]], axis: [1, 0], stiffness: 100}\n"
    "  small: {type: spring_damper, bodies: [s1, s2], at: [[0, 0], [0, 0]], axis: [1, 0], stiffness: k, damping: 1}\n"
    "  var: {type: force, body: s1, x: \"0.1*sin(40*t)\"}\n"
    "  brake: {type: spring_damper, bodies: [ground, s2], at: [[0, 0], [0, 0]], axis: [1, 0],\n"
    "          force: \"-500*(1 - tanh(20*(t - 0.5)))*v - 0.01*v\"}\n"
    "simulate: {end: 1, rtol: 1e-10}\n"
    "cosim: {subsystems: {first: [m1, s1], second: [m2, s2]}, macro_step: 1e-3, scheme: ff-k1}\n";

Test(integrators, a_small_coupling_beside_a_large_one_has_derivatives_that_fit) {
  double v[2];
  for (int never = 0; never < 2; never++) {
    cosim_fixture p = cosim_fixture_read(masked, NULL);
    p.definition.options.reuse = never ? COSIM_REUSE_NEVER : COSIM_REUSE_EXACT;
    start(&p);
    advance(&p, 1000);
    v[never] = cosim_state(p.run)->v[9];
    cosim_fixture_free(&p);
  }
  cr_expect_float_eq(v[0], v[1], 1e-3 * fabs(v[1]), "%g and %g", v[0], v[1]);
}
