/* Energy that couplings create: its sum is what the whole gains, whatever scheme and integrator. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cosim/mechanism/energy_ledger.h"
#include "tests/support/cosim_fixture.h"
#include "tests/support/mechanisms.h"

typedef struct kind {
  const char *model, *scheme, *method;
} kind;

static cosim_fixture started(const kind *of) {
  cosim_fixture p = cosim_fixture_read(of->model, NULL);
  use_scheme(&p, of->scheme);
  p.definition.options.integrator.method = of->method;
  p.definition.options.integrator.rtol = 1e-11;
  p.definition.options.integrator.atol = 1e-13;
  start(&p);
  return p;
}

static double balance_of(const cosim_fixture *p) {
  const mbs_energy energy = mbs_energy_of(p->workspace, cosim_state(p->run));
  return energy.total + energy.dissipated - energy.driven;
}

static double created(const cosim_fixture *p) {
  double sum = 0;
  for (size_t k = 0; k < cosim_n_couplings(p->run); k++)
    sum += cosim_coupling_created(p->run, k);
  return sum;
}

/* ---- The sum over all couplings ---- */

static void expect_balance(const kind *kinds, size_t n, double tolerance) {
  for (size_t i = 0; i < n; i++) {
    cosim_fixture p = started(&kinds[i]);
    const double first = balance_of(&p);
    advance(&p, 300);
    const double gain = balance_of(&p) - first;
    cr_expect_float_eq(gain, created(&p), tolerance, "%s, %s, %s: %g, created %g", kinds[i].model, kinds[i].scheme,
                       kinds[i].method, gain, created(&p));
    cosim_fixture_free(&p);
  }
}
#define EXPECT_BALANCE(tolerance, ...)                                                                                 \
  expect_balance((const kind[]){__VA_ARGS__}, sizeof((const kind[]){__VA_ARGS__}) / sizeof(kind), tolerance)

Test(energy_ledger, a_bushing_creates_what_the_whole_gains) {
  EXPECT_BALANCE(1e-12, {"four_bar_bushing", "ff-k0-explicit", "erk"}, {"four_bar_bushing", "ff-k1", "erk"},
                 {"four_bar_bushing", "ff-k1-implicit", "erk"}, {"four_bar_bushing", "ff-d-k1", "erk"},
                 {"four_bar_bushing", "ff-i-k1", "erk"}, {"four_bar_bushing", "fd-k1-explicit", "erk"},
                 {"four_bar_bushing", "fd-k1", "erk"}, {"four_bar_bushing", "df-k1-implicit", "erk"},
                 {"four_bar_bushing", "dd-k1-explicit", "erk"}, {"four_bar_bushing", "dd-d-k1", "erk"},
                 {"four_bar_bushing", "dd-k1-implicit", "erk"}, {"four_bar_bushing", "ff-k1-update", "erk"},
                 {"four_bar_bushing", "fd-d-k1-update", "erk"});
}

/* Projection moves the bodies at macro points: its energy is the coupling's too. */
Test(energy_ledger, a_joint_creates_what_the_whole_gains) {
  EXPECT_BALANCE(1e-12, {"double_pendulum", "ff-index2-k1", "erk"}, {"double_pendulum", "ff-index1-k1", "erk"},
                 {"double_pendulum", "ff-baumgarte-k1-implicit", "erk"}, {"double_pendulum", "ff-weighted-k0", "erk"},
                 {"double_pendulum", "fd-baumgarte-k1", "erk"}, {"double_pendulum", "ff-projection-k0", "erk"},
                 {"double_pendulum", "fd-projection-k1", "erk"}, {"slider_crank", "ff-projection-k0", "erk"},
                 {"pendulum_chain", "ff-projection-k0", "erk"}, {"double_pendulum", "ff-index1-k1-update", "erk"},
                 {"double_pendulum", "fd-weighted-k1-update", "erk"});
}

/* The energy that projection adds is shared by the cuts that project, wherever they stand among the others. */
Test(energy_ledger, cuts_that_project_share_what_projection_adds) {
  static const char *const schemes[][3] = {{"ff-projection-k0", "ff-projection-k0", "ff-index2-k1"},
                                           {"ff-index2-k1", "ff-projection-k0", "ff-projection-k0"},
                                           {"ff-projection-k0", "ff-projection-k0", "ff-projection-k0"}};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    char overrides[3][64];
    for (int k = 0; k < 3; k++)
      snprintf(overrides[k], sizeof overrides[k], "cosim.couplings.%c={scheme: %s}", "BCD"[k], schemes[i][k]);
    cosim_fixture p = cosim_fixture_read(
        "seam: 1\ngravity: [0, -9.81]\npoints: {A: [0, 0], B: [1, 0], C: [2, 0], D: [3, 0], E: [4, 0]}\n"
        "bodies: {a: {rod: [A, B], mass: 1}, b: {rod: [B, C], mass: 1}, c: {rod: [C, D], mass: 1},\n"
        "  d: {rod: [D, E], mass: 1}}\n"
        "joints:\n  A: {type: revolute, bodies: [ground, a], at: A}\n  B: {type: revolute, bodies: [a, b], at: B}\n"
        "  C: {type: revolute, bodies: [b, c], at: C}\n  D: {type: revolute, bodies: [c, d], at: D}\n"
        "simulate: {end: 1}\n"
        "cosim: {subsystems: {W: [a], X: [b], Y: [c], Z: [d]}, macro_step: 1e-3, scheme: ff-index2-k1, couplings: "
        "{}}\n",
        (const char *const[]){overrides[0], overrides[1], overrides[2], NULL});
    start(&p);
    const double first = balance_of(&p);
    advance(&p, 200);
    cr_expect_float_eq(balance_of(&p) - first, created(&p), 1e-9, "%zu: %g, created %g", i, balance_of(&p) - first,
                       created(&p));
    cosim_fixture_free(&p);
  }
}

Test(energy_ledger, implicit_integrators_agree_to_their_accuracy) {
  EXPECT_BALANCE(1e-9, {"four_bar_bushing", "dd-k0", "radau"}, {"double_pendulum", "ff-baumgarte-k0", "radau"});
  EXPECT_BALANCE(1e-6, {"four_bar_bushing", "fd-k0-explicit", "ida"}, {"four_bar_bushing", "ff-k0-explicit", "cvode"});
}

/* Two bodies whose angle and distance follow laws of time: these drive across the cut. */
static const char driven[] = "seam: 1\n"
                             "bodies:\n"
                             "  a: {mass: 1, inertia: 1, at: [0, 0], velocity: [0.1, 0]}\n"
                             "  b: {mass: 2, inertia: 0.5, at: [1, 0], velocity: [0, 0.2]}\n"
                             "joints:\n"
                             "  turn: {type: motion, bodies: [a, b], of: angle, law: 0.3*sin(5*t)}\n"
                             "forces:\n"
                             "  ties: {type: bushing, bodies: [a, b], at: {a: [0.5, 0], b: [0.5, 0]},\n"
                             "         stiffness: [100, 100, 0], damping: [1, 1, 0]}\n"
                             "simulate: {end: 1}\n"
                             "cosim: {subsystems: {A: [a], B: [b]}, macro_step: 1e-3,\n"
                             "        scheme: {constitutive: ff-k1, constraint: ff-index2-k1}}\n";

Test(energy_ledger, what_a_motion_drives_is_not_created) {
  const char *const halved[] = {"cosim.macro_step=5e-4", NULL};
  double of_motion[2];
  for (int i = 0; i < 2; i++) {
    cosim_fixture p = cosim_fixture_read(driven, i == 0 ? NULL : halved);
    p.definition.options.integrator.rtol = 1e-11;
    p.definition.options.integrator.atol = 1e-13;
    p.definition.options.exact_history = true;
    start(&p);
    const double first = balance_of(&p);
    advance(&p, i == 0 ? 400 : 800);
    cr_expect_float_eq(balance_of(&p) - first, created(&p), 1e-12);
    cr_expect_gt(fabs(cosim_state(p.run)->work[1]), 1e-2);
    of_motion[i] = cosim_coupling_energy(p.run, 0).residual_energy;
    cosim_fixture_free(&p);
  }
  cr_expect_lt(fabs(of_motion[0]), 1e-5, "%g", of_motion[0]);
  cr_expect_lt(fabs(of_motion[1]), fabs(of_motion[0]) / 3, "%g, %g", of_motion[0], of_motion[1]);
}

/* Nearly all energy of this four-bar goes into the cut damper. Inner nodes of the stages belong to the path. */
Test(energy_ledger, what_a_cut_damper_takes_is_as_accurate_as_the_motion) {
  static const char *const setting[] = {"parameters.d=100", "cosim.scheme=ff-colloc-s5", "cosim.macro_step=0.02", NULL};
  static const char *const fine[] = {"parameters.d=100", "cosim.scheme=ff-colloc-s5", "cosim.macro_step=1e-3", NULL};
  double dissipated[2];
  for (int i = 0; i < 2; i++) {
    cosim_fixture p = cosim_fixture_read("four_bar_bushing", i == 0 ? setting : fine);
    p.definition.options.integrator.rtol = 1e-11;
    p.definition.options.integrator.atol = 1e-13;
    start(&p);
    advance(&p, i == 0 ? 50 : 1000);
    dissipated[i] = cosim_state(p.run)->work[0];
    cr_expect_lt(fabs(cosim_coupling_energy(p.run, 0).residual_energy), 1e-5 * dissipated[i], "%g of %g",
                 cosim_coupling_energy(p.run, 0).residual_energy, dissipated[i]);
    cosim_fixture_free(&p);
  }
  cr_expect_gt(dissipated[1], 0.1);
  cr_expect_float_eq(dissipated[0], dissipated[1], 1e-5 * dissipated[1], "%g, %g", dissipated[0], dissipated[1]);
}

/* ---- Sign, order, power ---- */

/* Its pressures and the speed of its length rise steadily: thrust and speed are lines, their product a parabola. */
Test(energy_ledger, a_cut_cylinder_drives_thrust_times_speed) {
  mechanism m = soft_crane();
  cosim_mechanism_element lift;
  cosim_energy_ledger ledger = {0};
  cr_assert_eq(cosim_mechanism_element_of(m.model, false, mbs_find_force(m.model, "lift"), &lift, NULL), SEAM_OK);
  const double H = 0.5;
  const cosim_motion begin[2] = {{.x = {0}}, {.x = {1}, .v = {0.2}}};
  const cosim_motion end[2] = {{.x = {0}}, {.x = {1 + H * (0.2 + 0.5) / 2}, .v = {0.5}}};
  const double p[2][2] = {{1, 2}, {1.5, 3}};
  const cosim_path path = {.H = H, .tau = {0, 1}, .motion = {begin, end}, .n = 2};
  const cosim_law_states states = {.states = {p[0], p[1]}};
  cosim_energy_ledger_enter(&ledger, &lift, 0, &path, &states, 0.1, 0);
  const double done =
      0.7 * H * (0.2 + 0.3 / 2 + 0.5 * 0.2 / 2 + 0.5 * 0.3 / 3); /* A Δp v, Δp = 1 + τ/2, v = 0.2 + 0.3 τ */
  const double dissipated = 0.3 * H * (0.04 + 0.06 + 0.03);      /* c v² */
  cr_expect_float_eq(ledger.driven, done, 1e-14, "%g, not %g", ledger.driven, done);
  cr_expect_float_eq(ledger.dissipated, dissipated, 1e-14, "%g, not %g", ledger.dissipated, dissipated);
  cr_expect_float_eq(ledger.creation.residual_energy, 0.1 + dissipated - done, 1e-14);
  mechanism_free(&m);
}

Test(energy_ledger, an_unstable_run_creates_energy) {
  static const char *const stiff[] = {"parameters.c=1e6", "cosim.macro_step=5e-3", NULL};
  cosim_fixture p = cosim_fixture_read("four_bar_bushing", stiff);
  use_scheme(&p, "ff-k2");
  start(&p);
  advance(&p, 8);
  cr_expect_gt(cosim_coupling_energy(p.run, 0).residual_energy, 1e3);
  cr_expect_gt(cosim_coupling_energy(p.run, 0).residual_power, 0);
  cosim_fixture_free(&p);
}

/* Over 0.1 s, H = 1e-3 and 5e-4. */
static double order_of(const char *model, const char *scheme) {
  double energy[2];
  for (int i = 0; i < 2; i++) {
    cosim_fixture p = cosim_fixture_read(model, NULL);
    use_scheme(&p, scheme);
    p.definition.options.integrator.rtol = 1e-12;
    p.definition.options.integrator.atol = 1e-14;
    p.definition.options.exact_history = true;
    p.definition.options.macro_step = i == 0 ? 1e-3 : 5e-4;
    start(&p);
    advance(&p, i == 0 ? 100 : 200);
    energy[i] = created(&p);
    cosim_fixture_free(&p);
  }
  return log2(energy[0] / energy[1]);
}

/* k + 1 at a bushing; an I-extension adds two, as high as work is integrated. */
Test(energy_ledger, residual_energy_falls_with_the_order_of_the_scheme) {
  static const struct {
    const char *model, *scheme;
    double order;
  } rows[] = {{"four_bar_bushing", "ff-k0", 1},          {"four_bar_bushing", "ff-k1", 2},
              {"four_bar_bushing", "ff-k2", 3},          {"four_bar_bushing", "ff-i-k1", 4},
              {"four_bar_bushing", "fd-k1", 2},          {"four_bar_bushing", "dd-k1", 2},
              {"four_bar_bushing", "dd-k2", 3},          {"double_pendulum", "ff-baumgarte-k0", 3},
              {"double_pendulum", "ff-projection-k0", 2}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const double order = order_of(rows[i].model, rows[i].scheme);
    cr_expect_float_eq(order, rows[i].order, 0.25, "%s: %g", rows[i].scheme, order);
  }
}

/* Mean residual powers times lengths of steps are the residual energy; the first side takes up λ v1. */
Test(energy_ledger, powers_are_those_of_the_wrench_and_of_the_energy) {
  cosim_fixture p = cosim_fixture_read("two_mass_oscillator", NULL);
  start(&p);
  double sum = 0;
  for (int i = 0; i < 100; i++) {
    double wrench[2][3];
    advance(&p, 1);
    const cosim_bond_energy energy = cosim_coupling_energy(p.run, 0);
    cosim_coupling_wrenches(p.run, 0, wrench);
    sum += energy.residual_power * p.definition.options.macro_step;
    cr_expect_float_eq(energy.residual_energy, sum, 1e-12);
    cr_expect_float_eq(energy.power, wrench[0][0] * cosim_state(p.run)->v[0], 1e-9);
  }
  cr_expect_gt(fabs(sum), 1e-9);
  cosim_fixture_free(&p);
}

/* ---- Images ---- */

Test(energy_ledger, accounts_are_in_the_image_to_the_bit) {
  const kind of = {"double_pendulum", "fd-projection-k1", "erk"};
  cosim_fixture p = started(&of);
  cosim_fixture fresh = started(&of);
  seam_error error = {0};
  const size_t size = cosim_image_size(p.run);
  void *image = malloc(size);
  advance(&p, 7);
  cosim_save(p.run, image);
  advance(&p, 20);
  cr_assert_eq(cosim_restore(fresh.run, image, size, &error), SEAM_OK, "%s", error.message);
  advance(&fresh, 20);
  const cosim_bond_energy one = cosim_coupling_energy(p.run, 0);
  const cosim_bond_energy other = cosim_coupling_energy(fresh.run, 0);
  cr_expect_eq(one.power, other.power);
  cr_expect_eq(one.residual_power, other.residual_power);
  cr_expect_eq(one.residual_energy, other.residual_energy);
  cr_expect(same_bits(cosim_state(p.run), cosim_state(fresh.run)));
  free(image);
  cosim_fixture_free(&p);
  cosim_fixture_free(&fresh);
}
