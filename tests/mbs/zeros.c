/* Zeros within a piece of a motion: the first one of three. */
#include <criterion/criterion.h>
#include <math.h>

#include "mbs/integrate/zeros.h"

/* f = -(t - t1)(t - t2)(t - t3), which begins above zero and ends below. */
static seam_status value(void *context, double t, double *f, seam_error *error) {
  const double *zero = context;
  (void)error;
  *f = -(t - zero[0]) * (t - zero[1]) * (t - zero[2]);
  return SEAM_OK;
}

static seam_status rate(void *context, double t, double *f, seam_error *error) {
  const double *zero = context;
  (void)error;
  *f = -(t - zero[0]) * (t - zero[1]) - (t - zero[1]) * (t - zero[2]) - (t - zero[2]) * (t - zero[0]);
  return SEAM_OK;
}

/* How far f is below zero before what is found; 0 where the first zero is found. */
static double depth_before(double t1, double t2, double t3) {
  double zero[3] = {t1, t2, t3};
  double t = NAN;
  double deepest = 0;
  mbs_piece piece = {.value = {value, zero}, .rate = {rate, zero}, .from = 0, .to = 1, .side = 1};
  cr_assert_eq(value(zero, 0, &piece.f, NULL), SEAM_OK);
  cr_assert_eq(value(zero, 1, &piece.f_end, NULL), SEAM_OK);
  cr_assert_eq(mbs_piece_zero(&piece, &t, NULL), SEAM_OK);
  if (fabs(t - t1) < 1e-6)
    return 0;
  for (int k = 0; k <= 1000; k++) {
    double f = 0;
    cr_assert_eq(value(zero, t1 + k * (t - t1) / 1000, &f, NULL), SEAM_OK);
    deepest = fmax(deepest, -f);
  }
  return deepest;
}

/* With |d³f/dt³| = 6, and s a quarter of the piece. */
Test(zeros, what_is_passed_before_the_zero_that_is_found_is_bounded) {
  const double bound = 4.0 / 27 / 64;
  size_t n = 0;
  size_t missed = 0;
  for (double t1 = 0.01; t1 < 1; t1 += 0.0321)            // NOLINT
    for (double t2 = t1 + 1e-3; t2 < 1; t2 += 0.0173)     // NOLINT
      for (double t3 = t2 + 1e-3; t3 < 1; t3 += 0.0219) { // NOLINT
        const double depth = depth_before(t1, t2, t3);
        n++;
        missed += depth > 0;
        cr_expect_leq(depth, bound, "%g, %g, %g: %g", t1, t2, t3, depth);
      }
  cr_expect_gt(n, 10000);
  cr_expect_lt(missed, n / 20, "%zu of %zu", missed, n);
}

Test(zeros, the_first_of_three_that_lie_apart_is_found) {
  cr_expect_eq(depth_before(0.6, 0.72, 0.84), 0);
  cr_expect_eq(depth_before(0.12, 0.2, 0.96), 0);
  cr_expect_eq(depth_before(0.4, 0.41, 0.95), 0);
}

/* A rope that is 2.9e-14 m too long where a mass leaves it at 0.7 m/s², to come back at 0.5 s. */
static seam_status leave_gently(void *context, double t, double *f, seam_error *error) {
  const double depth = *(const double *)context;
  (void)error;
  *f = -depth + 0.35 * t * t * (1 - t / 0.5);
  return SEAM_OK;
}

static double zero_behind(double depth, double noise) {
  double t = NAN;
  const mbs_piece piece = {
      .value = {leave_gently, &depth}, .to = 0.6, .f = -depth, .f_end = -0.02, .side = 1, .noise = noise};
  cr_assert_eq(mbs_piece_zero(&piece, &t, NULL), SEAM_OK);
  return t;
}

Test(zeros, what_leads_away_gently_from_beyond_zero_is_not_there_at_once) {
  cr_expect_float_eq(zero_behind(2.9e-14, 1e-12), 0.5, 1e-9);
  cr_expect_float_eq(zero_behind(1e-20, 1e-12), 0.5, 1e-9);
  cr_expect_eq(zero_behind(1e-9, 1e-12), 0, "more than noise has ended its mode");
}
