/* Orders of convergence: slopes, which errors they are of, and how certain they are. */
#include <criterion/criterion.h>
#include <math.h>
#include <seam/analysis.h>

Test(orders, a_power_has_its_exponent_as_order) {
  const double H[4] = {1, 0.5, 0.25, 0.1};
  const double errors[4] = {2, 0.25, 2.0 / 64, 2e-3};
  const seam_orders found = seam_orders_fit(H, errors, NULL, 4);
  cr_expect_float_eq(found.all.slope, 3, 1e-12);
  cr_expect_float_eq(found.fine.slope, 3, 1e-12);
  cr_expect_lt(found.all.interval, 1e-6);
  cr_expect_lt(found.fine.interval, 1e-6);
}

Test(orders, errors_below_their_floor_are_left_out) {
  const double H[5] = {8, 4, 2, 1, 0.5};
  const double errors[5] = {INFINITY, 16, 4, 1, 1};
  const double floors[5] = {0.5, 0.5, 0.5, 0.5, 1};
  const seam_orders found = seam_orders_fit(H, errors, floors, 5);
  cr_expect_float_eq(found.all.slope, 2, 1e-12);
  cr_expect_float_eq(found.fine.slope, 2, 1e-12);
  cr_expect_eq(found.all.n, 3);
}

Test(orders, an_order_needs_enough_errors) {
  const double H[2] = {1, 0.5};
  const double errors[2] = {4, 1};
  const seam_orders two = seam_orders_fit(H, errors, NULL, 2);
  cr_expect(isnan(two.all.slope) && isnan(two.all.interval), "two points are always on a line");
  cr_expect(isnan(two.fine.slope) && isnan(two.fine.interval));
  cr_expect_eq(two.all.n, 2);
  cr_expect(isnan(seam_orders_fit(H, errors, NULL, 1).all.slope));
  cr_expect(isnan(seam_orders_fit(H, errors, NULL, 0).all.slope));
}

/* Errors H^4 + f: what lies on the floor f, or near it, is not of the macro step. */
Test(orders, a_plateau_is_left_out) {
  static const double noise[7] = {0, 0, 0, 0, -0.1, 0.1, -0.1};
  double H[7];
  double errors[7];
  for (int i = 0; i < 7; i++) {
    H[i] = ldexp(1, -i);
    errors[i] = pow(H[i], 4) + 1e-5 * (1 + noise[i]);
  }
  const seam_orders found = seam_orders_fit(H, errors, NULL, 7);
  cr_expect_eq(found.all.n, 4);
  cr_expect_float_eq(found.all.slope, 4, 0.02, "%g", found.all.slope);
  cr_expect(found.plateau > 1e-5 && found.plateau < 5e-5);
  cr_expect_eq(seam_orders_fit(H, errors, NULL, 4).plateau, 0, "nothing is on it");
}

/* The lowest order of a scheme is 1; errors that grow as macro steps shrink have none. */
Test(orders, low_orders_are_no_plateau_and_growth_is) {
  const double H[4] = {1, 0.5, 0.25, 0.125};
  const double first[4] = {4.4, 2.1, 0.95, 0.55};
  const double grows[4] = {1e-3, 1e-2, 0.1, 1};
  cr_expect_eq(seam_orders_fit(H, first, NULL, 4).all.n, 4);
  cr_expect_float_eq(seam_orders_fit(H, first, NULL, 4).all.slope, 1, 0.1);
  cr_expect(isnan(seam_orders_fit(H, grows, NULL, 4).all.slope));
}

/* Points (0, 0), (1, 1 + h), (2, 2): slope 1, s² = (2/3) h², Sxx = 2. */
Test(orders, three_points_by_hand) {
  const double h = 0.1;
  const double H[3] = {exp(2), exp(1), 1};
  const double errors[3] = {exp(2), exp(1 + h), 1};
  const seam_order found = seam_orders_fit(H, errors, NULL, 3).all;
  cr_expect_float_eq(found.slope, 1, 1e-12);
  cr_expect_float_eq(found.interval, 12.706204736432095 * sqrt(2.0 / 3 * h * h / 2), 1e-9);
}

/* Points off a line by h (1, -2, 0, 2, -1), which keeps the slope: s² = 10 h² / 3, Sxx = 10. */
Test(orders, five_points_by_hand) {
  const double h = 0.01;
  const double H[5] = {exp(4), exp(3), exp(2), exp(1), 1};
  const double errors[5] = {exp(4 - h), exp(3 + 2 * h), exp(2), exp(1 - 2 * h), exp(h)};
  const seam_order found = seam_orders_fit(H, errors, NULL, 5).all;
  cr_expect_float_eq(found.slope, 1, 1e-12);
  cr_expect_float_eq(found.interval, 3.182446305284263 * h / sqrt(3), 1e-9);
}

/* Errors off by +h, -h, -h, +h, ... keep the slope; n points at distance 1: Sxx = n (n² - 1) / 12, s² = n h² / (n - 2).
 * Quantiles: tables of Student's distribution. */
Test(orders, intervals_are_those_of_student) {
  static const double off[4] = {1, -1, -1, 1};
  static const struct {
    size_t n;
    double t;
  } table[] = {{4, 4.302652729696142}, {8, 2.446911851144969}, {16, 2.144786687916928}, {32, 2.042272456301238}};
  double H[32];
  double errors[32];
  for (size_t row = 0; row < sizeof table / sizeof *table; row++) {
    const size_t n = table[row].n;
    for (size_t i = 0; i < n; i++) {
      const double x = (double)(n - i) / 4;
      H[i] = exp(x);
      errors[i] = exp(2 * x + 0.01 * off[i % 4]);
    }
    const double spread = (double)n * (double)(n * n - 1) / 12 / 16;
    const double variance = (double)n * 1e-4 / (double)(n - 2);
    const seam_order found = seam_orders_fit(H, errors, NULL, n).all;
    cr_expect_float_eq(found.slope, 2, 1e-12);
    cr_expect_float_eq(found.interval, table[row].t * sqrt(variance / spread), 1e-9, "%zu", n);
  }
}
