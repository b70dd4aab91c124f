/* Contacts and strands inside of a subsystem switch within macro steps: the part ends micro steps there. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "tests/support/cosim_fixture.h"

/* A body that bounces off a wall of its subsystem, on a bushing that is cut. */
#define BOUNCING(law)                                                                                                  \
  "seam: 1\nname: bouncing\n"                                                                                          \
  "bodies:\n"                                                                                                          \
  "  wall: {mass: 1, inertia: 1, at: [-1, 0]}\n"                                                                       \
  "  a: {mass: 1, inertia: 1, velocity: [-1, 0]}\n"                                                                    \
  "  b: {mass: 1, inertia: 1, at: [1, 0], velocity: [-0.5, 0]}\n"                                                      \
  "joints: {w: {type: fixed, bodies: [ground, wall], at: [-1, 0]}}\n"                                                  \
  "forces:\n"                                                                                                          \
  "  c: {type: contact, bodies: [wall, a], at: [[-1, 0], [0, 0]], radii: [0.4, 0.5], stiffness: 1e4, " law "}\n"       \
  "  k: {type: bushing, bodies: [a, b], at: [0.5, 0], stiffness: [100, 100, 100], damping: [1, 1, 1]}\n"               \
  "  s: {type: spring_damper, bodies: [ground, b], at: [[2, 0], [1, 0]], axis: [1, 0], length: -1, stiffness: 50}\n"   \
  "simulate: {end: 1}\n"                                                                                               \
  "cosim: {subsystems: {l: [wall, a], r: [b]}, macro_step: 2e-3, scheme: ff-k1, rtol: 1e-11, atol: 1e-13}\n"

static const char *const stiffening = BOUNCING("exponent: 1.5, damping: 0.2");
static const char *const linear = BOUNCING("exponent: 1");

/* A strand that becomes taut with a jump of its force, inside of the subsystem of both pulleys. */
static const char *const strand =
    "seam: 1\nname: strand\n"
    "bodies: {a: {mass: 1, inertia: 0.02}, b: {mass: 1, inertia: 0.05, at: [1, 0]}, f: {mass: 1, inertia: 0.1, at: [1, "
    "0]}}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
    "  B: {type: revolute, bodies: [ground, b], at: [1, 0]}\n"
    "  F: {type: revolute, bodies: [ground, f], at: [1, 0]}\n"
    "forces:\n"
    "  c: {type: belt, bodies: [a, b], at: [[0, 0], [1, 0]], radii: [0.1, 0.2], stiffness: 2e4, damping: 40, tension: "
    "1}\n"
    "  k: {type: torsion, bodies: [b, f], stiffness: 40, damping: 0.1}\n"
    "  m: {type: torsion, bodies: [ground, a], torque: \"-12*sin(15*t)\"}\n"
    "simulate: {end: 1}\n"
    "cosim: {subsystems: {l: [a, b], r: [f]}, macro_step: 2e-3, scheme: ff-k1, rtol: 1e-11, atol: 1e-13}\n";

static double error_with(const char *text, const char *scheme, double H, double *corrections) {
  cosim_fixture p = cosim_fixture_read(text, NULL);
  use_scheme(&p, scheme);
  const double error = error_at_macro_step(&p, H, 1);
  const cosim_statistics count = cosim_statistics_of(p.run);
  *corrections = (double)count.corrections / (double)count.macro_steps;
  cosim_fixture_free(&p);
  return error;
}

/* Orders of schemes are those of smooth parts, and corrections as few; a second one follows where a switch changes
 * reused derivatives. */
Test(switches_in_parts, schemes_keep_their_orders) {
  static const char *const texts[] = {stiffening, linear, strand};
  static const struct {
    const char *scheme;
    double order, corrections;
  } schemes[] = {{"ff-k1", 1.8, 1.1},   {"ff-k1-implicit", 1.8, 5}, {"ff-k2-implicit", 2.7, 5},
                 {"fd-k1", 1.8, 1.01},  {"df-k1-implicit", 1.8, 5}, {"dd-k2", 2.5, 1.01},
                 {"ff-d-k1", 1.8, 1.1}, {"ff-colloc-s1", 1.8, 5},   {"ff-k1-update", 1.8, 1.01}};
  for (size_t k = 0; k < 3 * sizeof schemes / sizeof *schemes; k++) {
    const char *text = texts[k % 3];
    const char *scheme = schemes[k / 3].scheme;
    double corrections = 0;
    const double coarse = error_with(text, scheme, 8e-3, &corrections);
    cr_expect_lt(corrections, schemes[k / 3].corrections, "%s: %g", scheme, corrections);
    const double fine = error_with(text, scheme, 2e-3, &corrections);
    cr_expect_gt(log2(coarse / fine) / 2, schemes[k / 3].order, "%s, %zu: %.2g, %.2g", scheme, k % 3, coarse, fine);
  }
}

/* The strand's jump is one of accelerations, and so of the rate of what a damped coupling transmits. */
Test(switches_in_parts, collocation_keeps_its_accuracy) {
  static const char *const texts[] = {stiffening, linear, strand};
  static const char *const schemes[] = {"ff-colloc-s2", "ff-colloc-s3", "fd-colloc-s3", "dd-colloc-s2"};
  for (size_t k = 0; k < 12; k++) {
    double corrections = 0;
    const double error = error_with(texts[k % 3], schemes[k / 3], 4e-3, &corrections);
    cr_expect_lt(error, k / 3 == 0 || k % 3 == 2 ? 2e-5 : 1e-6, "%s, %zu: %.2g", schemes[k / 3], k % 3, error);
    cr_expect_lt(corrections, 5, "%s, %zu: %g", schemes[k / 3], k % 3, corrections);
  }
}

/* Before, within and behind contacts, that of a macro step with the switch among them. */
Test(switches_in_parts, a_restored_run_goes_on_to_the_bit) {
  static const char *const texts[] = {stiffening, strand};
  static const char *const schemes[] = {"ff-k1", "ff-k2-implicit", "dd-k1", "ff-colloc-s3", "fd-k1-exchange"};
  for (size_t k = 0; k < 10; k++) {
    cosim_fixture p = cosim_fixture_read(texts[k % 2], NULL);
    cosim_fixture other = cosim_fixture_read(texts[k % 2], NULL);
    use_scheme(&p, schemes[k / 2]);
    use_scheme(&other, schemes[k / 2]);
    start(&p);
    start(&other);
    mbs_state *first = new_state(p.model);
    void *image = malloc(cosim_image_size(p.run));
    for (int i = 0; i < 40; i++) {
      cosim_save(p.run, image);
      cr_assert_eq(cosim_restore(other.run, image, cosim_image_size(p.run), NULL), SEAM_OK);
      advance(&p, 3);
      mbs_state_copy(first, cosim_state(p.run));
      advance(&other, 3);
      cr_expect(same_bits(first, cosim_state(other.run)), "%s, %g s", schemes[k / 2], first->t);
      cr_assert_eq(cosim_restore(p.run, image, cosim_image_size(p.run), NULL), SEAM_OK);
      advance(&p, 3);
      cr_expect(same_bits(first, cosim_state(p.run)), "%s, %g s again", schemes[k / 2], first->t);
    }
    free(image);
    mbs_state_destroy(first);
    cosim_fixture_free(&p);
    cosim_fixture_free(&other);
  }
}

/* The control of macro steps sees nothing of what parts resolve. */
Test(switches_in_parts, controlled_steps_meet_their_tolerance) {
  static const char *const texts[] = {stiffening, linear, strand};
  for (int k = 0; k < 3; k++) {
    cosim_fixture p = cosim_fixture_read(
        texts[k], (const char *const[]){"cosim.scheme=ff-colloc-s3",
                                        "cosim.step_control={method: error, tolerance: 1e-6}", NULL});
    seam_error error = {0};
    start(&p);
    while (cosim_state(p.run)->t < 1 - 1e-9)
      cr_assert_eq(cosim_advance_controlled(p.run, 1, &error), SEAM_OK, "%s", error.message);
    cr_expect_lt(error_of(&p), 1e-4, "%d: %.2g", k, error_of(&p));
    cosim_fixture_free(&p);
  }
}
