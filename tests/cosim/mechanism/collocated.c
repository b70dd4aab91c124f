/* Mechanisms cut by collocation couplings that exchange motions or prescribe accelerations, against the whole. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "tests/support/cosim_fixture.h"

static const char *const accurate[] = {"cosim.rtol=1e-12", "cosim.atol=1e-13", "cosim.order=8", NULL};

/* Four rods in zigzag from a pin: the joint between the second and the third may have any acceleration on both sides.
 */
static const char zigzag[] = "seam: 1\n"
                             "gravity: [0, -9.81]\n"
                             "points: {P0: [0, 0], P1: [0.6, 0.8], P2: [1.6, 0.8], P3: [1.6, -0.2], P4: [2.4, -0.8]}\n"
                             "bodies:\n"
                             "  a: {rod: [P0, P1], mass: 1}\n"
                             "  b: {rod: [P1, P2], mass: 2}\n"
                             "  c: {rod: [P2, P3], mass: 1}\n"
                             "  d: {rod: [P3, P4], mass: 0.5}\n"
                             "joints:\n"
                             "  J0: {type: revolute, bodies: [ground, a], at: P0}\n"
                             "  J1: {type: revolute, bodies: [a, b], at: P1}\n"
                             "  J2: {type: revolute, bodies: [b, c], at: P2}\n"
                             "  J3: {type: revolute, bodies: [c, d], at: P3}\n"
                             "simulate: {end: 0.4}\n"
                             "cosim:\n"
                             "  subsystems: {first: [a, b], second: [c, d]}\n"
                             "  macro_step: 0.01\n"
                             "  scheme: ff-index2-k1\n";

/* Of two rods on pins, one turns the other through a prescribed angle between them. */
static const char driven[] = "seam: 1\n"
                             "gravity: [0, -9.81]\n"
                             "points: {P0: [0, 0], P1: [1, 0], P2: [2, 0], P3: [2, 1]}\n"
                             "bodies: {a: {rod: [P0, P1], mass: 1}, b: {rod: [P2, P3], mass: 2}}\n"
                             "joints:\n"
                             "  A: {type: revolute, bodies: [ground, a], at: P0}\n"
                             "  B: {type: revolute, bodies: [ground, b], at: P2}\n"
                             "  turn: {type: motion, bodies: [a, b], of: angle, law: 0.3*sin(5*t)}\n"
                             "simulate: {end: 0.4}\n"
                             "cosim: {subsystems: {first: [a], second: [b]}, macro_step: 0.01, scheme: ff-index2-k1}\n";

/* Between the macro steps H and H / 2, over 0.4 s. */
static void expect_order(const char *model, const char *decomposition, int s, double H, double order) {
  cosim_fixture p = cosim_fixture_read(model, accurate);
  char name[32];
  snprintf(name, sizeof name, "%s-colloc-s%d-implicit", decomposition, s);
  use_scheme(&p, name);
  const double coarse = error_at_macro_step(&p, H, 0.4);
  const double fine = error_at_macro_step(&p, H / 2, 0.4);
  cr_expect_gt(log2(coarse / fine), order - 0.3, "%s: order %.2f, error %.3g", name, log2(coarse / fine), fine);
  cr_expect_lt(fine, 1e-4, "%s: error %.3g", name, fine);
  cosim_fixture_free(&p);
}

Test(collocated, orders_at_a_bushing) {
  expect_order("four_bar_bushing", "fd", 2, 0.01, 4);
  expect_order("four_bar_bushing", "df", 2, 0.01, 4);
  expect_order("four_bar_bushing", "fd", 3, 0.01, 6);
  expect_order("four_bar_bushing", "dd", 1, 0.01, 4);
  expect_order("four_bar_bushing", "dd", 2, 0.02, 6);
}

Test(collocated, orders_at_a_joint) {
  static const char *const decompositions[] = {"fd", "df", "dd"};
  for (int d = 0; d < 3; d++) {
    expect_order(zigzag, decompositions[d], 1, 0.02, 4);
    expect_order(zigzag, decompositions[d], 2, 0.08, 6);
  }
}

Test(collocated, orders_at_a_prescribed_angle) {
  static const char *const decompositions[] = {"ff", "fd", "df", "dd"};
  for (int d = 0; d < 4; d++)
    expect_order(driven, decompositions[d], 1, 0.04, 4);
}

/* Of dd, whose accelerations do not see it, too: after steps of 0.1 with one corrector. */
static void expect_no_gap(const char *model, const char *scheme, double most) {
  cosim_fixture p = cosim_fixture_read(model, accurate);
  p.definition.options.macro_step = 0.1;
  use_scheme(&p, scheme);
  start(&p);
  for (int i = 0; i < 4; i++) {
    advance(&p, 1);
    double g[3];
    double gd[3];
    double gdd[3];
    const size_t n = cosim_coupling_residuals(p.run, 0, g, gd, gdd);
    for (size_t k = 0; k < n; k++) {
      cr_expect_lt(fabs(g[k]), most, "%s: %g", scheme, g[k]);
      cr_expect_lt(fabs(gd[k]), most, "%s: %g", scheme, gd[k]);
    }
  }
  cosim_fixture_free(&p);
}

Test(collocated, steps_end_without_a_gap) {
  expect_no_gap(zigzag, "fd-colloc-s2-implicit", 1e-9);
  expect_no_gap(zigzag, "df-colloc-s3-implicit", 1e-9);
  expect_no_gap(zigzag, "dd-colloc-s1", 1e-9);
  expect_no_gap(zigzag, "dd-colloc-s4", 1e-9);
}

/* The second of two pinned rods carries no marker that may have any acceleration in all three coordinates. */
Test(collocated, accelerations_that_a_side_cannot_have_are_refused) {
  static const char *const schemes[] = {"fd-colloc-s2", "df-colloc-s2", "dd-colloc-s2"};
  for (int i = 0; i < 3; i++) {
    cosim_fixture p = cosim_fixture_read("four_bar_fixed", NULL);
    use_scheme(&p, schemes[i]);
    expect_no_start(&p, "whose joints leave too few degrees of freedom");
    cosim_fixture_free(&p);
  }
}
