/* Laws of cut force elements with kinks and jumps in the motion, under collocation. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "tests/support/cosim_fixture.h"

/* Two masses on springs to the ground; between them, a law. */
#define BETWEEN(force)                                                                                                 \
  "seam: 1\nname: between\n"                                                                                           \
  "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [1, 0], velocity: [-1, 0]}}\n"                      \
  "forces:\n"                                                                                                          \
  "  g: {type: spring_damper, bodies: [ground, a], at: [[-1, 0], [0, 0]], axis: [1, 0], stiffness: 100, length: 1}\n"  \
  "  h: {type: spring_damper, bodies: [ground, b], at: [[2, 0], [1, 0]], axis: [1, 0], stiffness: 20, length: -1}\n"   \
  "  c: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], length: 0, force: \"" force "\"}\n"  \
  "simulate: {end: 3}\n"                                                                                               \
  "cosim: {subsystems: {l: [a], r: [b]}, scheme: ff-colloc-s3}\n"

static const char *const contact = BETWEEN("if(s < 0.9, 1e4*(s - 0.9), 0)");
static const char *const smooth = BETWEEN("100*(s - 1) + 30*(s - 1)^3 + v + v^3");
static const char *const friction = BETWEEN("5*sign(v) + 50*(s - 1)");

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
    cr_expect_gt(cosim_statistics_of(p.run).law_kinks, 0);
    cr_expect_lt(error_of(&p), 5e-4, "%s: %.2g", schemes[k], error_of(&p)); /* velocities too: ten a second */
    cosim_fixture_free(&p);
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

/* Two kinks whatever the macro step; what they are said to do is what they did, of order 2. */
Test(contact_in_a_cut, fixed_steps_count_kinks_and_say_what_they_do) {
  double coarse = 0;
  double fine = 0;
  const cosim_statistics one = fixed(contact, 2e-3, &coarse);
  const cosim_statistics two = fixed(contact, 2e-4, &fine);
  cr_expect_eq(one.law_kinks, 2, "%zu", one.law_kinks);
  cr_expect_eq(two.law_kinks, 2, "%zu", two.law_kinks);
  const double ratio = one.law_kink_error / two.law_kink_error;
  cr_expect(ratio > 10 && ratio < 1000, "%.2g, %.2g", one.law_kink_error, two.law_kink_error);
  cr_expect(coarse < 30 * one.law_kink_error, "%.2g, not %.2g", coarse, one.law_kink_error);
  cr_expect(fine < 30 * two.law_kink_error, "%.2g, not %.2g", fine, two.law_kink_error);
}

Test(contact_in_a_cut, smooth_laws_have_none) {
  double made = 0;
  cr_expect_eq(fixed(smooth, 1e-2, &made).law_kinks, 0);
  cr_expect_lt(made, 1e-4);
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
  cr_expect_not_null(strstr(error.message, "t = 0.07"), "%s", error.message);
  cr_expect_not_null(strstr(error.message, "no progress: the last 1000 macro steps went forward by "), "%s",
                     error.message);
  cr_expect_not_null(strstr(error.message, "the law of 'c' has kinks or jumps in each"), "%s", error.message);
  cosim_fixture_free(&p);
}
