/* Contacts and strands as coupling elements: macro steps end where they switch. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbs/integrate/integrator.h"
#include "tests/support/cosim_fixture.h"

/* Two bodies 0.1 m apart meet at 1 m/s. */
#define MEETING(law)                                                                                                   \
  "seam: 1\nname: meeting\n"                                                                                           \
  "bodies: {a: {mass: 1, inertia: 1, velocity: [1, 0]}, b: {mass: 2, inertia: 1, at: [1.1003, 0]}}\n"                  \
  "forces: {c: {type: contact, bodies: [a, b], at: [[0, 0], [1.1003, 0]], radii: [0.5, 0.5], " law "}}\n"              \
  "simulate: {end: 0.2, rtol: 1e-11, atol: 1e-13}\n"                                                                   \
  "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 1e-3, scheme: ff-colloc-s3, rtol: 1e-11, atol: 1e-13}\n"

static const char *const elastic = MEETING("stiffness: 1e4, exponent: 1");
static const char *const damped = MEETING("stiffness: 1e5, restitution: 0.6, impact_speed: 1");

/* Error of a's velocity after the impact, (m1 - e m2) v / (m1 + m2). */
static double error_after(const char *text, const char *scheme, double H, double e, cosim_statistics *count) {
  cosim_fixture p = cosim_fixture_read(text, NULL);
  use_scheme(&p, scheme);
  p.definition.options.macro_step = H;
  start(&p);
  advance(&p, (size_t)round(0.2 / H));
  const double *v = cosim_state(p.run)->v;
  const double error = fabs(v[0] - (1 - 2 * e) / 3);
  if (strncmp(scheme, "ff", 2) == 0) /* equal and opposite forces */
    cr_expect_float_eq(v[0] + 2 * v[3], 1, 1e-11, "%s: %.3g", scheme, v[0] + 2 * v[3] - 1);
  *count = cosim_statistics_of(p.run);
  cosim_fixture_free(&p);
  return error;
}

/* Before steps ended at switches, 5e-5 to 3e-3 at 1 ms whatever the scheme, of order 2. */
Test(switches_at_cuts, an_elastic_impact) {
  static const struct {
    const char *scheme;
    double bound, order;
  } schemes[] = {{"ff-k1", 1e-5, 1.9},        {"ff-k2-implicit", 3e-3, 1.9}, {"ff-k1-explicit", 2e-2, 1.9},
                 {"ff-d-k1", 2e-4, 2.5},      {"fd-k1", 2e-3, 1.9},          {"df-k2", 4e-3, 1.9},
                 {"dd-k2", 2e-4, 2.5},        {"ff-colloc-s1", 2e-4, 1.9},   {"ff-colloc-s2", 1e-7, 3.5},
                 {"fd-colloc-s2", 1e-7, 3.5}, {"df-colloc-s2", 1e-7, 3.5},   {"dd-colloc-s1", 1e-6, 3},
                 {"ff-colloc-s3", 1e-10, 0},  {"dd-colloc-s3", 1e-10, 0}};
  for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
    cosim_statistics count;
    const double coarse = error_after(elastic, schemes[k].scheme, 2e-3, 1, &count);
    cr_expect_eq(count.switches, 2, "%s: %zu", schemes[k].scheme, count.switches);
    const double fine = error_after(elastic, schemes[k].scheme, 1e-3, 1, &count);
    cr_expect_eq(count.switches, 2, "%s: %zu", schemes[k].scheme, count.switches);
    cr_expect_eq(count.switches_inside, 0);
    cr_expect_lt(count.repeated, 16, "%zu", count.repeated);
    cr_expect_lt(fine, schemes[k].bound, "%s: %.2g", schemes[k].scheme, fine);
    cr_expect(schemes[k].order == 0 || log2(coarse / fine) > schemes[k].order, "%s: %.2g, %.2g", schemes[k].scheme,
              coarse, fine);
  }
}

/* δ^1.5 has no second derivative where the contact opens: polynomials of the force are of order 2.5 there, those of the
 * motion are not. */
Test(switches_at_cuts, restitution) {
  static const struct {
    const char *scheme;
    double bound;
  } schemes[] = {{"ff-k1", 1e-3},        {"ff-k2-implicit", 5e-4}, {"fd-k1", 2e-3},
                 {"ff-colloc-s1", 5e-3}, {"ff-colloc-s2", 2e-5},   {"ff-colloc-s3", 2e-6},
                 {"fd-colloc-s3", 1e-5}, {"dd-colloc-s2", 1e-7},   {"dd-colloc-s3", 1e-9}};
  for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
    cosim_statistics count;
    const double error = error_after(damped, schemes[k].scheme, 1e-3, 0.6, &count);
    cr_expect_lt(error, schemes[k].bound, "%s: %.2g", schemes[k].scheme, error);
    cr_expect_eq(count.switches, 2, "%s: %zu", schemes[k].scheme, count.switches);
  }
}

/* The contact of 18 ms lies within one step; its opening is found from the closing on. */
Test(switches_at_cuts, a_contact_within_a_macro_step) {
  cosim_statistics count;
  const double error = error_after(elastic, "ff-colloc-s5", 0.05, 1, &count);
  cr_expect_lt(error, 1e-5, "%.2g", error);
  cr_expect_eq(count.switches, 2);
  cr_expect_eq(count.macro_steps, 4 + 2);
}

/* Two circles that pass touch for less than a sixth of a macro step. */
static double graze(double H, cosim_statistics *count) {
  static const char text[] =
      "seam: 1\nname: graze\n"
      "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [-1.049, 0.999995], velocity: [10, 0]}}\n"
      "forces: {c: {type: contact, bodies: [a, b], at: [[0, 0], [-1.049, 0.999995]], radii: [0.5, 0.5],\n"
      "    stiffness: 1e6, exponent: 1}}\n"
      "simulate: {end: 0.2}\n"
      "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 1e-2, scheme: ff-colloc-s3}\n";
  cosim_fixture p = cosim_fixture_read(text, NULL);
  p.definition.options.macro_step = H;
  start(&p);
  advance(&p, (size_t)round(0.2 / H));
  const double v = cosim_state(p.run)->v[1];
  *count = cosim_statistics_of(p.run);
  cosim_fixture_free(&p);
  return v;
}

Test(switches_at_cuts, a_graze) {
  cosim_statistics count;
  const double v = graze(1e-2, &count);
  cr_expect_eq(count.switches, 2, "%zu", count.switches);
  cr_expect_lt(v, -1e-3, "%.3g: it pushes", v);
  cr_expect_float_eq(v, graze(1e-4, &count), 1e-6, "%.9g", v);
}

/* Touching at the start, and at rest from then on: m g = k δ. */
Test(switches_at_cuts, a_body_laid_down) {
  static const char text[] =
      "seam: 1\nname: laid\ngravity: [0, -10]\n"
      "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 2, inertia: 1, at: [0, 0.5]}}\n"
      "joints: {f: {type: fixed, bodies: [ground, a], at: [0, 0]}}\n"
      "forces: {c: {type: contact, bodies: [a, b], at: [[0, 0], [0, 0.5]], line: [1, 0], radius: 0.5,\n"
      "    stiffness: 1e4, exponent: 1, damping: 30, friction: 0.3, slip_speed: 0.01}}\n"
      "simulate: {end: 2}\n"
      "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 2e-3, scheme: ff-colloc-s3}\n";
  static const char *const schemes[] = {"ff-colloc-s3", "ff-k1", "fd-k1", "dd-colloc-s2", "ff-k1-explicit"};
  for (int k = 0; k < 5; k++) {
    cosim_fixture p = cosim_fixture_read(text, NULL);
    use_scheme(&p, schemes[k]);
    start(&p);
    advance(&p, 1000);
    cr_expect_float_eq(cosim_state(p.run)->q[4], 0.498, k == 4 ? 1e-3 : 1e-5, "%s: %.9g", schemes[k],
                       cosim_state(p.run)->q[4]);
    cr_expect_eq(cosim_statistics_of(p.run).switches_inside, 0);
    cosim_fixture_free(&p);
  }
}

/* A box falls on a corner, tips over and comes to rest on two. Far beyond the end of a contact the corrector finds
 * nothing, and steps of 2 ms are taken in halves there; without that they ended the run. */
Test(switches_at_cuts, a_box_that_tips_over) {
  static const char text[] =
      "seam: 1\nname: box\ngravity: [0, -9.81]\n"
      "bodies:\n"
      "  t: {mass: 4, inertia: 0.5}\n"
      "  b: {mass: 1, inertia: 0.03, at: [0, 0.4], angle: -0.07, velocity: [0.5, 0]}\n"
      "forces:\n"
      "  s: {type: bushing, bodies: [ground, t], at: [0, 0], stiffness: [2e4, 2e4, 2e3], damping: [100, 100, 10]}\n"
      "  c0: {type: contact, bodies: [t, b], at: {t: [0, 0], b: [-0.3, -0.1]}, line: [1, 0], stiffness: 1.3e5,\n"
      "      exponent: 1, damping: 2.5, friction: 0.5, slip_speed: 0.02}\n"
      "  c1: {type: contact, bodies: [t, b], at: {t: [0, 0], b: [0.3, -0.1]}, line: [1, 0], stiffness: 1.3e5,\n"
      "      exponent: 1, damping: 2.5, friction: 0.5, slip_speed: 0.02}\n"
      "simulate: {end: 1}\n"
      "cosim: {subsystems: {l: [t], r: [b]}, macro_step: 2e-3, scheme: ff-colloc-s3}\n";
  static const char *const schemes[] = {"ff-colloc-s2", "ff-colloc-s3", "dd-colloc-s3"};
  for (int k = 0; k < 3; k++) {
    cosim_fixture p = cosim_fixture_read(text, NULL);
    use_scheme(&p, schemes[k]);
    start(&p);
    advance(&p, 500);
    cr_expect_lt(error_of(&p), 0.03, "%s: %.2g", schemes[k], error_of(&p));
    cr_expect_gt(cosim_statistics_of(p.run).switches, 10);
    cosim_fixture_free(&p);
  }
}

/* ---- Wagons with buffers, cut there ---- */

/* Three on one track; the faces of the buffers are lines. */
static const char *const wagons =
    "seam: 1\nname: wagons\nparameters: {speed: 2}\n"
    "bodies:\n"
    "  a: {mass: 1000, inertia: 1, velocity: [speed, 0]}\n"
    "  b: {mass: 1000, inertia: 1, at: [1.2003, 0]}\n"
    "  c: {mass: 1000, inertia: 1, at: [2.4, 0]}\n"
    "joints:\n"
    "  ra: {type: prismatic, bodies: [ground, a], at: [0, 0], axis: [1, 0]}\n"
    "  rb: {type: prismatic, bodies: [ground, b], at: [1.2003, 0], axis: [1, 0]}\n"
    "  rc: {type: prismatic, bodies: [ground, c], at: [2.4, 0], axis: [1, 0]}\n"
    "forces:\n"
    "  ab: {type: contact, bodies: [a, b], at: [[0.5, 0], [0.7, 0]], line: [0, -1], stiffness: 1e6, exponent: 1}\n"
    "  bc: {type: contact, bodies: [b, c], at: [[1.7, 0], [1.9, 0]], line: [0, -1], stiffness: 1e6, exponent: 1}\n"
    "simulate: {end: 1}\n"
    "cosim: {subsystems: {A: [a], B: [b], C: [c]}, macro_step: 1e-3, scheme: ff-k1}\n";

static size_t evaluations_of(const char *scheme, const char *override, double v[3]) {
  cosim_fixture p = cosim_fixture_read(wagons, (const char *const[]){override, NULL});
  use_scheme(&p, scheme);
  start(&p);
  advance(&p, 1000);
  for (int body = 0; body < 3; body++)
    v[body] = cosim_state(p.run)->v[3 * body];
  const size_t n = cosim_statistics_of(p.run).integrators.evaluations;
  cosim_fixture_free(&p);
  return n;
}

/* Of equal mass and without losses, each gives its velocity to the next. With the law as if(s < 0, k*s, 0) and without
 * ends of steps there, ff-k1 errs by 2e-4 m/s. The impacts take a twentieth more than the same run without any. */
Test(switches_at_cuts, wagons_hand_on_their_velocity) {
  static const struct {
    const char *scheme;
    double bound;
  } schemes[] = {{"ff-k1", 1e-6}, {"fd-k1", 1e-3}, {"dd-k1", 1e-6}, {"ff-colloc-s3", 1e-9}, {"dd-colloc-s3", 1e-9}};
  for (int k = 0; k < 5; k++) {
    double v[3];
    double free[3];
    const size_t n = evaluations_of(schemes[k].scheme, "parameters.speed=2", v);
    const size_t without = evaluations_of(schemes[k].scheme, "parameters.speed=0.1", free);
    cr_expect(fabs(v[0]) < schemes[k].bound && fabs(v[1]) < schemes[k].bound && fabs(v[2] - 2) < schemes[k].bound,
              "%s: %.3g, %.3g, %.3g", schemes[k].scheme, v[0], v[1], v[2] - 2);
    cr_expect_float_eq(free[0], 0.1, 1e-12);
    cr_expect_lt(10 * n, 11 * without, "%s: %zu, %zu", schemes[k].scheme, n, without);
  }
}

/* ---- Strands ---- */

static const char *const belt =
    "seam: 1\nname: belt\n"
    "bodies: {a: {mass: 1, inertia: 0.02}, b: {mass: 1, inertia: 0.05, at: [1, 0]}}\n"
    "joints: {A: {type: revolute, bodies: [ground, a], at: [0, 0]}, B: {type: revolute, bodies: [ground, b], at: [1, "
    "0]}}\n"
    "forces:\n"
    "  c: {type: belt, bodies: [a, b], at: [[0, 0], [1, 0]], radii: [0.1, 0.2], stiffness: 2e4, damping: 4, tension: "
    "1}\n"
    "  m: {type: torsion, bodies: [ground, a], torque: \"-12*sin(15*t)\"}\n"
    "simulate: {end: 1}\n"
    "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 1e-3, scheme: ff-colloc-s3, rtol: 1e-10, atol: 1e-12}\n";

/* Their force jumps where they become taut. Before, 1e-4 to 1e-3. */
Test(switches_at_cuts, strands_that_become_slack) {
  static const struct {
    const char *scheme;
    double bound;
  } schemes[] = {{"ff-colloc-s3", 1e-6}, {"fd-colloc-s3", 1e-5}, {"dd-colloc-s3", 1e-6}, {"ff-k1", 2e-2}};
  for (int k = 0; k < 4; k++) {
    cosim_fixture p = cosim_fixture_read(belt, NULL);
    use_scheme(&p, schemes[k].scheme);
    start(&p);
    advance(&p, 1000);
    cr_expect_lt(error_of(&p), schemes[k].bound, "%s: %.2g", schemes[k].scheme, error_of(&p));
    cr_expect_gt(cosim_statistics_of(p.run).switches, 4);
    cr_expect_eq(cosim_statistics_of(p.run).switches_inside, 0);
    cosim_fixture_free(&p);
  }
}

/* ---- Images, control, exchange ---- */

static void expect_same_bits(const char *text, const char *scheme, double from, bool is_controlled) {
  cosim_fixture p = cosim_fixture_read(text, NULL);
  cosim_fixture other = cosim_fixture_read(text, NULL);
  use_scheme(&p, scheme);
  use_scheme(&other, scheme);
  start(&p);
  start(&other);
  void *image = malloc(cosim_image_size(p.run));
  for (int i = 0; i < 12; i++) { /* before, within and behind the contact */
    const double end = from + 0.004 * i;
    while (cosim_state(p.run)->t < end - 1e-9)
      cr_assert_eq(is_controlled ? cosim_advance_controlled(p.run, end, NULL) : cosim_advance(p.run, 1e-3, NULL),
                   SEAM_OK);
    cosim_save(p.run, image);
    cr_assert_eq(cosim_restore(other.run, image, cosim_image_size(p.run), NULL), SEAM_OK);
    for (int n = 0; n < 20; n++) {
      cosim_fixture *both[] = {&p, &other};
      for (int k = 0; k < 2; k++)
        cr_assert_eq(is_controlled ? cosim_advance_controlled(both[k]->run, 2, NULL)
                                   : cosim_advance(both[k]->run, 1e-3, NULL),
                     SEAM_OK);
    }
    cr_expect(same_bits(cosim_state(p.run), cosim_state(other.run)), "%s, %g s", scheme, end);
    cr_assert_eq(cosim_restore(p.run, image, cosim_image_size(p.run), NULL), SEAM_OK);
  }
  free(image);
  cosim_fixture_free(&p);
  cosim_fixture_free(&other);
}

Test(switches_at_cuts, a_restored_run_goes_on_to_the_bit) {
  static const char *const schemes[] = {"ff-colloc-s3", "ff-k2", "fd-k1", "df-colloc-s2", "dd-k1", "ff-k1-explicit"};
  for (int k = 0; k < 6; k++)
    expect_same_bits(damped, schemes[k], 0.09, false);
}

static const char *const controlled = "seam: 1\nname: controlled\ngravity: [0, -9.81]\n"
                                      "bodies:\n"
                                      "  table: {mass: 5, inertia: 1}\n"
                                      "  ball: {mass: 1, inertia: 0.01, at: [0, 0.7]}\n"
                                      "forces:\n"
                                      "  s: {type: bushing, bodies: [ground, table], at: [0, 0], stiffness: [1e4, 1e4, "
                                      "1e3], damping: [50, 50, 5]}\n"
                                      "  c: {type: contact, bodies: [table, ball], at: [[0, 0], [0, 0.7]], line: [1, "
                                      "0], radius: 0.2,\n"
                                      "      stiffness: 1e5, restitution: 0.5, impact_speed: 3}\n"
                                      "simulate: {end: 2}\n"
                                      "cosim: {subsystems: {l: [table], r: [ball]}, scheme: ff-colloc-s3}\n";

Test(switches_at_cuts, a_restored_controlled_run_goes_on_to_the_bit) {
  expect_same_bits(controlled, "ff-colloc-s3", 0.29, true);
  expect_same_bits(controlled, "dd-colloc-s2", 0.29, true);
}

Test(switches_at_cuts, controlled_steps_meet_their_tolerance) {
  static const char *const schemes[] = {"ff-colloc-s3", "fd-colloc-s3", "dd-colloc-s3"};
  for (int k = 0; k < 3; k++) {
    cosim_fixture p = cosim_fixture_read(controlled, NULL);
    seam_error error = {0};
    use_scheme(&p, schemes[k]);
    start(&p);
    while (cosim_state(p.run)->t < 2 - 1e-9)
      cr_assert_eq(cosim_advance_controlled(p.run, 2, &error), SEAM_OK, "%s", error.message);
    cr_expect_lt(error_of(&p), 1e-5, "%s: %.2g", schemes[k], error_of(&p));
    cr_expect_gt(cosim_statistics_of(p.run).switches, 4);
    cosim_fixture_free(&p);
  }
}

/* Indicators that do not repeat steps see pieces of them, and those by prediction no past across a switch. */
Test(switches_at_cuts, control_without_repetition_ends_steps_there_too) {
  static const char *const controls[] = {"cosim.step_control={method: ecco, tolerance: 1e-4, energy_scale: 0.5}",
                                         "cosim.step_control={method: predictor, tolerance: 1e-4}"};
  static const char *const schemes[] = {"ff-k1", "fd-k1", "ff-k2-implicit"};
  for (int k = 0; k < 6; k++) {
    cosim_fixture p = cosim_fixture_read(elastic, (const char *const[]){controls[k / 3], NULL});
    seam_error error = {0};
    use_scheme(&p, schemes[k % 3]);
    start(&p);
    while (cosim_state(p.run)->t < 0.2 - 1e-9)
      cr_assert_eq(cosim_advance_controlled(p.run, 0.2, &error), SEAM_OK, "%s", error.message);
    cr_expect_float_eq(cosim_state(p.run)->v[0], -1. / 3, 1e-3, "%s, %d: %.9g", schemes[k % 3], k / 3,
                       cosim_state(p.run)->v[0]);
    cr_expect_eq(cosim_statistics_of(p.run).switches, 2);
    cr_expect_eq(cosim_statistics_of(p.run).switches_inside, 0);
    cosim_fixture_free(&p);
  }
}

Test(switches_at_cuts, steps_of_the_exchange_only_count_them) {
  cosim_statistics count;
  const double error = error_after(elastic, "fd-k1-exchange", 1e-3, 1, &count);
  cr_expect_lt(error, 0.1, "%.2g", error);
  cr_expect_eq(count.switches, 0);
  cr_expect_eq(count.switches_inside, 2);
}

/* ---- A cut joint beside the contact, whose multipliers bear no short steps where they have a past ---- */

Test(switches_at_cuts, a_cut_joint_beside_it) {
  static const char text[] =
      "seam: 1\nname: flail\ngravity: [0, -9.81]\n"
      "bodies:\n"
      "  a: {rod: [[0, 0], [1, 0]], mass: 1}\n"
      "  b: {rod: [[1, 0], [2, 0]], mass: 1}\n"
      "  c: {mass: 3, inertia: 1, at: [1, -1.5]}\n"
      "joints:\n"
      "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
      "  B: {type: revolute, bodies: [a, b], at: [1, 0]}\n"
      "  C: {type: fixed, bodies: [ground, c], at: [1, -1.5]}\n"
      "forces:\n"
      "  k: {type: contact, bodies: [c, b], at: [[1, -1.5], [2, 0]], line: [1, 0], stiffness: 1e5, exponent: 1,\n"
      "      damping: 0.2}\n"
      "simulate: {end: 1}\n"
      "cosim: {subsystems: {l: [a], r: [b], g: [c]}, macro_step: 1e-3, scheme: ff-colloc-s3}\n";
  static const struct {
    const char *of_contact, *of_joint;
    double bound;
  } schemes[] = {{"ff-colloc-s3", "ff-colloc-s3", 1e-4}, {"ff-k1", "ff-index2-k1", 0.3}};
  for (int k = 0; k < 2; k++) {
    cosim_fixture p = cosim_fixture_read(text, NULL);
    p.definition.options.constitutive_scheme = schemes[k].of_contact;
    p.definition.options.constraint_scheme = schemes[k].of_joint;
    start(&p);
    advance(&p, 1000);
    cr_expect_lt(error_of(&p), schemes[k].bound, "%s: %.2g", schemes[k].of_joint, error_of(&p));
    cr_expect_eq(cosim_statistics_of(p.run).switches > 1, k == 0);
    cr_expect_eq(cosim_statistics_of(p.run).switches_inside > 1, k == 1);
    cosim_fixture_free(&p);
  }
}
