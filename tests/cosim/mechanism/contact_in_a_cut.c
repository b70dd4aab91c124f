/* Laws of cut force elements with kinks and jumps in the motion, under collocation and under other schemes. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/cosim_fixture.h"

/* Two masses on springs to the ground; between them, a law. */
#define BETWEEN_WITH(force, tables)                                                                                    \
  "seam: 1\nname: between\n"                                                                                           \
  "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [1, 0], velocity: [-1, 0]}}\n"                      \
  "forces:\n"                                                                                                          \
  "  g: {type: spring_damper, bodies: [ground, a], at: [[-1, 0], [0, 0]], axis: [1, 0], stiffness: 100, length: 1}\n"  \
  "  h: {type: spring_damper, bodies: [ground, b], at: [[2, 0], [1, 0]], axis: [1, 0], stiffness: 20, length: -1}\n"   \
  "  c: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], length: 0, force: \"" force "\"}\n"  \
  "simulate: {end: 3}\n"                                                                                               \
  "cosim: {subsystems: {l: [a], r: [b]}, scheme: ff-colloc-s3}\n" tables
#define BETWEEN(force) BETWEEN_WITH(force, "")

static const char *const contact = BETWEEN("if(s < 0.9, 1e4*(s - 0.9), 0)");
static const char *const smooth = BETWEEN("100*(s - 1) + 30*(s - 1)^3 + v + v^3");
static const char *const friction = BETWEEN("5*sign(v) + 50*(s - 1)");
static const char *const stepped = BETWEEN_WITH(
    "catch(s)", "tables: {catch: {x: [0, 0.9, 1.1], y: [-10, 0, 10], interpolation: hold, extrapolation: hold}}\n");

/* The masses are wheels. */
static const char *const wheels =
    "seam: 1\nname: between\n"
    "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [1, 0.1], velocity: [-1, 0], rate: 3}}\n"
    "forces:\n"
    "  g: {type: bushing, bodies: [ground, a], at: [0, 0], stiffness: [100, 100, 100]}\n"
    "  h: {type: bushing, bodies: [ground, b], at: [1, 0.1], stiffness: [20, 20, 0]}\n"
    "  c: {type: contact, bodies: [a, b], at: [[0, 0], [1, 0.1]], radii: [0.5, 0.4], stiffness: 1e4, damping: 0.1,\n"
    "      friction: 0.3, slip_speed: 0.05}\n"
    "simulate: {end: 3}\n"
    "cosim: {subsystems: {l: [a], r: [b]}, scheme: ff-colloc-s3}\n";

/* Without looking for kinks, 3e-4 to 4e-3. */
Test(contact_in_a_cut, controlled_steps_meet_their_tolerance) {
  static const char *const schemes[] = {"ff-colloc-s2", "ff-colloc-s3", "ff-colloc-s5"};
  for (int k = 0; k < 3; k++) {
    cosim_fixture p = cosim_fixture_read(contact, NULL);
    seam_error error = {0};
    use_scheme(&p, schemes[k]);
    start(&p);
    while (cosim_state(p.run)->t < 3 - 1e-9)
      cr_assert_eq(cosim_advance_controlled(p.run, 3, &error), SEAM_OK, "%s", error.message);
    const cosim_statistics s = cosim_statistics_of(p.run);
    cr_expect_gt(s.law_kinks, 0);
    cr_expect_lt(error_of(&p), 5e-4, "%s: %.2g", schemes[k], error_of(&p)); /* velocities too: ten a second */
    cosim_fixture_free(&p);
  }
}

/* Largest error of a position at a macro point over the tolerance, which is the default. */
static double excess_of(const char *text, const char *scheme) {
  cosim_fixture p = cosim_fixture_read(text, NULL);
  mbs_state *whole = new_state(p.model);
  mbs_integrator *reference = start_monolithic(&p, whole);
  seam_error error = {0};
  double largest = 0;
  use_scheme(&p, scheme);
  start(&p);
  while (cosim_state(p.run)->t < 3 - 1e-9) {
    cr_assert_eq(cosim_advance_controlled(p.run, 3, &error), SEAM_OK, "%s", error.message);
    cr_assert_eq(mbs_integrator_advance(reference, cosim_state(p.run)->t, whole, NULL), SEAM_OK);
    const mbs_state *now = cosim_state(p.run);
    for (size_t i = 0; i < 3 * mbs_n_bodies(p.model); i++)
      largest = fmax(largest, fabs(now->q[i] - whole->q[i]));
  }
  mbs_integrator_destroy(reference);
  mbs_state_destroy(whole);
  cosim_fixture_free(&p);
  return largest / 1e-6;
}

static const char *const soft = BETWEEN("if(s < 0.9, 2e3*(s - 0.9), 0)");
static const char *const play = BETWEEN("1e5*(max(s - 1.05, 0) + min(s - 0.95, 0))");

/* Before nodes were taken in their order, and errors of velocities in contact as lasting, 50 to 140 with s3. */
Test(contact_in_a_cut, the_tolerance_is_met_within_a_factor_of_ten) {
  static const char *const schemes[] = {"ff-colloc-s2", "ff-colloc-s3", "ff-colloc-s4", "ff-colloc-s5"};
  static const char *const texts[] = {soft, contact, play, wheels};
  for (int k = 0; k < 16; k++) {
    const double excess = excess_of(texts[k / 4], schemes[k % 4]);
    cr_expect_lt(excess, 10, "%s, %d: %.2g", schemes[k % 4], k / 4, excess);
  }
}

static cosim_statistics fixed(const char *text, double H, double *made) {
  cosim_fixture p = cosim_fixture_read(text, NULL);
  p.definition.step_control = NULL;
  p.definition.options.macro_step = H;
  start(&p);
  advance(&p, (size_t)round(0.3 / H)); /* one contact: it closes and opens */
  const cosim_statistics s = cosim_statistics_of(p.run);
  *made = error_of(&p);
  cosim_fixture_free(&p);
  return s;
}

/* Two kinks whatever the macro step. */
Test(contact_in_a_cut, fixed_steps_count_kinks) {
  double coarse = 0;
  double fine = 0;
  const cosim_statistics one = fixed(contact, 2e-3, &coarse);
  const cosim_statistics two = fixed(contact, 2e-4, &fine);
  cr_expect_eq(one.law_kinks, 2, "%zu", one.law_kinks);
  cr_expect_eq(two.law_kinks, 2, "%zu", two.law_kinks);
  cr_expect_lt(fine, coarse / 2, "%.2g, %.2g", fine, coarse);
}

/* A quarter of a car on a wavy road; its damper bends where the rate of the spring changes its sign. */
static const char car[] =
    "seam: 1\nname: car\ngravity: [0, -9.81]\n"
    "bodies:\n"
    "  road: {mass: 1, inertia: 1, at: [0, 0]}\n"
    "  wheel: {mass: 40, inertia: 1, at: [0, 0.3]}\n"
    "  chassis: {mass: 300, inertia: 1, at: [0, 0.8]}\n"
    "joints:\n"
    "  r: {type: prismatic, bodies: [ground, road], at: [0, 0], axis: [0, 1]}\n"
    "  w: {type: prismatic, bodies: [ground, wheel], at: [0, 0.3], axis: [0, 1]}\n"
    "  c: {type: prismatic, bodies: [ground, chassis], at: [0, 0.8], axis: [0, 1]}\n"
    "  drive: {type: motion, of: y, body: road, law: \"if(t < 1, 0, 0.02*(1 - cos(6*pi*(t - 1))))\"}\n"
    "forces:\n"
    "  tyre: {type: spring_damper, bodies: [road, wheel], at: [[0, 0], [0, 0.3]], axis: [0, 1],\n"
    "         length: 0.3 + 340*9.81/180e3, force: \"180e3*s\"}\n"
    "  damper: {type: spring_damper, bodies: [wheel, chassis], at: [[0, 0.3], [0, 0.8]], axis: [0, 1],\n"
    "           length: 0.5 + 300*9.81/18e3, force: \"18e3*s + if(v < 0, 800, 2400)*v\"}\n"
    "simulate: {end: 3}\n"
    "cosim: {subsystems: {l: [road, wheel], u: [chassis]}, macro_step: 1e-3, scheme: ff-colloc-s1}\n";

/* The rate of the force jumps there: no polynomial may have the slope of the side on which the step ends under it. */
Test(contact_in_a_cut, fixed_steps_go_on_wherever_they_end_near_a_kink) {
  for (int k = 0; k < 10; k++) {
    char scheme[32];
    const double H = 1e-3 * (1 + 0.031 * floor(k / 2.0));
    cosim_fixture p = cosim_fixture_read(car, NULL);
    snprintf(scheme, sizeof scheme, "ff-colloc-s%d", k % 2 + 1);
    use_scheme(&p, scheme);
    p.definition.options.macro_step = H;
    start(&p);
    advance(&p, (size_t)(3 / H));
    cr_expect_lt(error_of(&p), k % 2 == 0 ? 4e-4 : 2e-5, "%s, %g s: %.2g", scheme, H, error_of(&p));
    cosim_fixture_free(&p);
  }
}

/* Across their line, components of the force are rounding. */
Test(contact_in_a_cut, point_springs_along_one_line_have_none) {
  static const char text[] =
      "seam: 1\nname: line\n"
      "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [1.1, 0], velocity: [-1, 0]}}\n"
      "joints:\n"
      "  p: {type: prismatic, bodies: [ground, a], at: [0, 0], axis: [1, 0]}\n"
      "  q: {type: prismatic, bodies: [ground, b], at: [1.1, 0], axis: [1, 0]}\n"
      "forces: {c: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1.1, 0]], stiffness: 2e3, damping: 1}}\n"
      "simulate: {end: 3}\n"
      "cosim: {subsystems: {l: [a], r: [b]}, scheme: ff-colloc-s3}\n";
  double made = 0;
  cr_expect_eq(fixed(text, 1e-2, &made).law_kinks, 0);
  cr_expect_lt(made, 1e-4);
}

Test(contact_in_a_cut, smooth_laws_have_none) {
  double made = 0;
  cr_expect_eq(fixed(smooth, 1e-2, &made).law_kinks, 0);
  cr_expect_lt(made, 1e-4);
}

/* A contact shorter than the distance of nodes: without the refusal one side bounces as from a wall, the other receives
 * nothing, and energy is kept. */
Test(contact_in_a_cut, where_motions_drive_a_law_with_kinks_is_refused) {
  static const char *const schemes[] = {"fd-colloc-s3", "df-colloc-s2", "dd-colloc-s3", "fd-colloc-s1-implicit"};
  static const char *const laws[] = {contact, friction, stepped};
  for (int k = 0; k < 12; k++) {
    cosim_fixture p = cosim_fixture_read(laws[k / 4], NULL);
    use_scheme(&p, schemes[k % 4]);
    expect_no_start(&p, "coupling 'c': its law has kinks or jumps (if, abs, sign, floor, min or max)");
    expect_no_start(&p, k % 4 == 1 ? ": take ff-colloc-s2" : ": take ff-colloc-s");
    cosim_fixture_free(&p);
  }
}

Test(contact_in_a_cut, where_motions_drive_a_smooth_law_runs) {
  static const char *const schemes[] = {"fd-colloc-s3", "df-colloc-s3", "dd-colloc-s3"};
  for (int k = 0; k < 3; k++) {
    cosim_fixture p = cosim_fixture_read(smooth, NULL);
    use_scheme(&p, schemes[k]);
    p.definition.step_control = NULL;
    p.definition.options.macro_step = 1e-2;
    start(&p);
    advance(&p, 30);
    cr_expect_lt(error_of(&p), 1e-4, "%s: %.2g", schemes[k], error_of(&p));
    cosim_fixture_free(&p);
  }
}

/* No finite step meets the tolerance where the sign of the rate changes and the motion stays there. */
Test(contact_in_a_cut, friction_that_sticks_ends_the_run_with_time_and_coupling) {
  cosim_fixture p = cosim_fixture_read(friction, NULL);
  seam_error error = {0};
  seam_status status = SEAM_OK;
  start(&p);
  for (int i = 0; i < 20000 && status == SEAM_OK && cosim_state(p.run)->t < 3; i++)
    status = cosim_advance_controlled(p.run, 3, &error);
  cr_assert_eq(status, SEAM_NOT_CONVERGED);
  cr_expect_eq(strncmp(error.message, "t = 0.07", 8), 0, "%s", error.message);
  cr_expect_not_null(strstr(error.message, " s: the last 1000 controlled macro steps advance the time by only "), "%s",
                     error.message);
  cr_expect_not_null(strstr(error.message, ", and the law of 'c' has kinks or jumps: make"), "%s", error.message);
  cosim_fixture_free(&p);
}

/* ---- Other schemes ---- */

/* A force drives the slip back and forth against dry friction, which jumps. */
static const char *const driven =
    "seam: 1\nname: driven\n"
    "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [1, 0]}}\n"
    "joints:\n"
    "  p: {type: prismatic, bodies: [ground, a], at: [0, 0], axis: [1, 0]}\n"
    "  q: {type: prismatic, bodies: [ground, b], at: [1, 0], axis: [1, 0]}\n"
    "forces:\n"
    "  g: {type: spring_damper, bodies: [ground, a], at: [[0, 0], [0, 0]], axis: [1, 0], stiffness: 100}\n"
    "  k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], force: \"50*s + 5*sign(v)\"}\n"
    "  f: {type: force, body: b, x: \"60*cos(7*t)\"}\n"
    "simulate: {end: 2}\n"
    "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 2e-3, scheme: ff-k1}\n";

/* Largest error of a velocity at a macro point of a run that counts kinks. */
static double largest_error_of_rates(const char *scheme, double H, cosim_statistics *counted) {
  cosim_fixture p = cosim_fixture_read(driven, NULL);
  mbs_state *whole = new_state(p.model);
  mbs_integrator *reference = start_monolithic(&p, whole);
  double largest = 0;
  use_scheme(&p, scheme);
  p.definition.options.macro_step = H;
  start(&p);
  while (cosim_state(p.run)->t < 2 - 1e-9) {
    advance(&p, 1);
    cr_assert_eq(mbs_integrator_advance(reference, cosim_state(p.run)->t, whole, NULL), SEAM_OK);
    for (int i = 0; i < 6; i++)
      largest = fmax(largest, fabs(cosim_state(p.run)->v[i] - whole->v[i]));
  }
  *counted = cosim_statistics_of(p.run);
  mbs_integrator_destroy(reference);
  mbs_state_destroy(whole);
  cosim_fixture_free(&p);
  return largest;
}

Test(contact_in_a_cut, other_schemes_with_a_corrector_count_jumps) {
  static const char *const schemes[] = {"ff-k1", "ff-k2", "fd-k1", "ff-d-k1"};
  for (int k = 0; k < 4; k++)
    for (int half = 1; half <= 4; half *= 2) {
      cosim_statistics counted;
      const double made = largest_error_of_rates(schemes[k], 4e-3 / half, &counted);
      cr_expect_eq(counted.law_kinks, 5, "%s: %zu", schemes[k], counted.law_kinks);
      cr_expect_lt(made, 0.05 / half, "%s, %d: %.2g", schemes[k], half, made);
    }
}
