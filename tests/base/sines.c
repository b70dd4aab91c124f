/* Sines and cosines against those of extended precision, whose error is a thousandth of a double's last place. */
#include "base/sines.h"

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>

#include "tests/support/random.h"

static const long double half_pi = 1.57079632679489661923132169163975144L;

/* Distance in units in the last place of a double at `exact`. */
static double ulps(double found, long double exact) {
  int exponent;
  frexpl(exact, &exponent);
  return exact == 0 ? fabs(found) / DBL_TRUE_MIN : (double)(fabsl(found - exact) / ldexpl(1, exponent - DBL_MANT_DIG));
}

static void expect_sines(double x, double allowed) {
  seam_lanes sine;
  seam_lanes cosine;
  seam_sines(seam_lanes_of(x), &sine, &cosine);
  cr_assert_leq(ulps(sine[0], sinl(x)), allowed, "sin(%.17g) is %.17g", x, sine[0]);
  cr_assert_leq(ulps(cosine[0], cosl(x)), allowed, "cos(%.17g) is %.17g", x, cosine[0]);
}

Test(sines, random_angles_are_within_an_ulp) {
  static const double range[] = {0.8, 7, 1000, 65536, 1e7};
  uint64_t seed = 1;
  for (size_t i = 0; i < sizeof range / sizeof *range; i++)
    for (int k = 0; k < 200000; k++)
      expect_sines(random_between(&seed, -range[i], range[i]), 0.9);
}

/* Where the reduced angle is smallest, so that the parts of π/2 show, and where it is largest. */
Test(sines, multiples_of_an_eighth_turn_and_their_neighbours_are_within_an_ulp) {
  for (int k = 0; k <= 83440; k++) {
    const double x = (double)((long double)k * half_pi / 2);
    expect_sines(x, 0.9);
    expect_sines(-x, 0.9);
    expect_sines(nextafter(x, INFINITY), 0.9);
    expect_sines(nextafter(x, -INFINITY), 0.9);
  }
}

Test(sines, every_power_of_two_is_within_an_ulp) {
  for (int exponent = DBL_MIN_EXP; exponent < DBL_MAX_EXP; exponent++) {
    expect_sines(ldexp(0.75, exponent), 0.9);
    expect_sines(-ldexp(0.6, exponent), 0.9);
  }
}

Test(sines, angles_that_are_not_finite_have_none) {
  static const double angle[] = {INFINITY, -INFINITY, NAN};
  for (int i = 0; i < 3; i++) {
    seam_lanes sine;
    seam_lanes cosine;
    seam_sines((seam_lanes){0, angle[i]}, &sine, &cosine);
    cr_expect(sine[0] == 0 && cosine[0] == 1);
    cr_expect(isnan(sine[1]) && isnan(cosine[1]));
  }
}

/* Also beside one that the C library computes. */
Test(sines, an_angle_has_the_same_bits_on_either_side) {
  uint64_t seed = 2;
  for (int k = 0; k < 1000; k++) {
    const seam_lanes x = {random_between(&seed, -50, 50), k % 10 == 0 ? 1e6 : random_between(&seed, -1e5, 1e5)};
    seam_lanes sine[2];
    seam_lanes cosine[2];
    seam_sines(x, &sine[0], &cosine[0]);
    seam_sines((seam_lanes){x[1], x[0]}, &sine[1], &cosine[1]);
    for (int i = 0; i < 2; i++) {
      cr_assert_eq(sine[0][i], sine[1][1 - i], "sin(%.17g)", x[i]);
      cr_assert_eq(cosine[0][i], cosine[1][1 - i], "cos(%.17g)", x[i]);
    }
  }
}
