/* Joints inside of both subsystems stick and slip, by hard friction, beside a cut joint without. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/cosim_fixture.h"

/* A chain of four rods that falls, cut in its middle. */
#define CHAIN(FRICTION, GROUND)                                                                                        \
  "seam: 1\nname: chain\ngravity: [0, -9.81]\n"                                                                        \
  "bodies: {a: {rod: [[0, 0], [1, 0]], mass: 1}, b: {rod: [[1, 0], [2, 0]], mass: 1},\n"                               \
  "  c: {rod: [[2, 0], [3, 0]], mass: 1}, d: {rod: [[3, 0], [4, 0]], mass: 1}}\n"                                      \
  "joints:\n"                                                                                                          \
  "  p: {type: revolute, bodies: [ground, a], at: [0, 0]" GROUND "}\n"                                                 \
  "  q: {type: revolute, bodies: [a, b], at: [1, 0], friction: {" FRICTION ", hard: true}}\n"                          \
  "  r: {type: revolute, bodies: [b, c], at: [2, 0]}\n"                                                                \
  "  s: {type: revolute, bodies: [c, d], at: [3, 0], friction: {" FRICTION ", hard: true}}\n"                          \
  "simulate: {end: 1}\n"                                                                                               \
  "cosim: {subsystems: {l: [a, b], r: [c, d]}, macro_step: 1e-3, scheme: ff-index2-k1, rtol: 1e-8, atol: 1e-10}\n"

static const char *const chains[] = {
    CHAIN("coefficient: 0.3, radius: 0.05", ""), CHAIN("coefficient: 0.3, radius: 0.3", ""),
    CHAIN("coefficient: 0.3, radius: 0.05", ", friction: {coefficient: 0.3, radius: 0.05, hard: true}"),
    CHAIN("coefficient: 0.2, static: 0.4, stribeck_speed: 0.01, radius: 0.3", "")};

/* Of first order, as forces between macro points are polynomials over what jumps. */
Test(hard_friction_in_parts, the_whole_is_approached) {
  static const char *const schemes[] = {"ff-index2-k1", "ff-index1-k1"};
  for (size_t i = 0; i < 2 * sizeof chains / sizeof *chains; i++) {
    cosim_fixture p = cosim_fixture_read(chains[i / 2], NULL);
    use_scheme(&p, schemes[i % 2]);
    const double coarse = error_at_macro_step(&p, 8e-3, 1);
    const double fine = error_at_macro_step(&p, 1e-3, 1);
    cr_expect_lt(coarse, 5e-3, "%s, %zu: %.3g", schemes[i % 2], i / 2, coarse);
    cr_expect_lt(fine, coarse / 4, "%s, %zu: %.3g and %.3g", schemes[i % 2], i / 2, coarse, fine);
    cosim_fixture_free(&p);
  }
}

/* Whether the joint lets go depends on the forces that the corrector seeks. */
Test(hard_friction_in_parts, a_corrector_without_a_solution_says_what_to_take) {
  cosim_fixture p = cosim_fixture_read(chains[3], NULL);
  seam_error error = {0};
  use_scheme(&p, "ff-colloc-s2");
  start(&p);
  seam_status status = SEAM_OK;
  for (int i = 0; i < 150 && status == SEAM_OK; i++)
    status = cosim_advance(p.run, 7e-3, &error);
  cr_expect_eq(status, SEAM_NOT_CONVERGED, "%s", error.message);
  cr_expect_not_null(strstr(error.message, "coupling 'r': the corrector still changes its variables by"), "%s",
                     error.message);
  cr_expect_not_null(strstr(error.message, "take a smaller macro step; where joints with hard friction stick or slip, "
                                           "take a scheme with one corrector, such as ff-index2-k1"),
                     "%s", error.message);
  cosim_fixture_free(&p);
}

/* With `static: 0.4` alone the first joint to slip shakes forces at the cut, which let the other one go: at 1 s angles
 * were off by 0.1 rad, at 1 ms and at 0.25 ms, of a run that all criteria took for right. */
Test(hard_friction_in_parts, friction_that_falls_at_once_is_refused_beside_cut_joints) {
  cosim_fixture p = cosim_fixture_read(CHAIN("coefficient: 0.2, static: 0.4, radius: 0.3", ""), NULL);
  expect_no_start(&p, "coupling 'r': the hard friction of joint 'q' drops suddenly when slip begins");
  cosim_fixture_free(&p);
}
