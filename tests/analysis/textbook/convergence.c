/* Orders of convergence on the linear test models against data computed independently, and by theory. */
#include <criterion/criterion.h>
#include <math.h>
#include <seam/analysis.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/textbook_fixture.h"

enum { n_runs = 7, n_errors = 4 };
static const char *const names[n_errors] = {"global position", "global velocity", "local position", "local velocity"};

typedef struct orders {
  seam_orders of[n_errors];
} orders;

/* Over H = 1e-2/2^n, n = 0 ... 6. */
static orders measure(bool rigid, const char *scheme, bool exact_history) {
  double H[n_runs];
  double errors[n_errors][n_runs];
  double floors[n_errors][n_runs];
  seam_error error = {0};
  orders measured;
  for (int i = 0; i < n_runs; i++) {
    seam_test_errors e;
    H[i] = ldexp(1e-2, -i);
    const seam_status status = rigid ? seam_constraint_errors(scheme, exact_history, H[i], &e, &error)
                                     : seam_constitutive_errors(scheme, exact_history, H[i], &e, &error);
    cr_assert_eq(status, SEAM_OK, "%s: %s", scheme, error.message);
    const double values[n_errors] = {e.global_position, e.global_velocity, e.local_position, e.local_velocity};
    for (int j = 0; j < n_errors; j++) {
      errors[j][i] = values[j];
      floors[j][i] = j < 2 ? e.global_rounding : e.local_rounding;
    }
  }
  for (int j = 0; j < n_errors; j++)
    measured.of[j] = seam_orders_fit(H, errors[j], floors[j], n_runs);
  return measured;
}

/* ---- Data ---- */

/* tests/data/README.md says why these two are held less tightly. */
static double tolerance(const char *scheme) {
  static const char *const loose[] = {"ff-baumgarte(index=1,mu_physical=1e-3)-k2", "ff-weighted(a=2.5,b=5)-k2"};
  for (size_t i = 0; i < sizeof loose / sizeof *loose; i++)
    if (strcmp(scheme, loose[i]) == 0)
      return 0.2;
  return 0.1;
}

static bool is_convergent(const data_row *row) {
  for (int j = 0; j < n_errors; j++)
    if (isnan(data_number(row, 2 + j)))
      return false;
  return strcmp(row->word[0], "ff-index1-k2") != 0;
}

static int expect_orders(const char *file_name, bool rigid) {
  FILE *file = data_open(file_name);
  data_row row;
  int n = 0;
  while (data_next(file, &row)) {
    if (!is_convergent(&row))
      continue;
    const orders measured = measure(rigid, row.word[0], data_number(&row, 1) > 0);
    for (int j = 0; j < n_errors; j++)
      cr_expect_float_eq(measured.of[j].fine.slope, data_number(&row, 2 + j), tolerance(row.word[0]),
                         "%s, history %s, %s: %.3f instead of %s", row.word[0], row.word[1], names[j],
                         measured.of[j].fine.slope, row.word[2 + j]);
    n++;
  }
  fclose(file);
  return n;
}

Test(convergence, orders_at_constitutive_cuts) { cr_expect_eq(expect_orders("li_slopes_constitutive.csv", false), 78); }

Test(convergence, orders_at_constraint_cuts) { cr_expect_eq(expect_orders("li_slopes_constraint.csv", true), 67); }

/* ---- Theory ---- */

/* The cubic through 0, 1/3, 2/3, 1 is soon as exact as a double. */
Test(convergence, index1_of_order_2_is_soon_at_rounding) {
  const orders measured = measure(true, "ff-index1-k2", true);
  cr_expect_gt(measured.of[0].all.slope, 4.6);
  cr_expect_gt(measured.of[1].all.slope, 4.6);
  seam_test_errors errors;
  cr_assert_eq(seam_constraint_errors("ff-index1-k2", true, 1e-2 / 64, &errors, NULL), SEAM_OK);
  cr_expect_lt(errors.global_position, errors.global_rounding);
}

/* I-extension is of order 4 where both sides are driven by force, of order k + 1 elsewhere. */
Test(convergence, i_extension_is_better_with_forces_only) {
  cr_expect_float_eq(measure(false, "ff-i-k1", true).of[0].fine.slope, 4, 0.1);
  cr_expect_float_eq(measure(false, "dd-i-k1", true).of[0].fine.slope, 2, 0.1);
  cr_expect_float_eq(measure(false, "df-i-k1", true).of[0].fine.slope, 2, 0.1);
}

/* Index 2 with k = 1 diverges as H → 0: a run may overflow, which is an error without bound and no failure. */
Test(convergence, a_diverging_scheme_has_infinite_errors) {
  seam_test_errors coarse;
  seam_test_errors fine;
  cr_assert_eq(seam_constraint_errors("ff-weighted(a=1,b=0)-k1", true, 5e-3, &coarse, NULL), SEAM_OK);
  cr_assert_eq(seam_constraint_errors("ff-weighted(a=1,b=0)-k1", true, 1.5625e-4, &fine, NULL), SEAM_OK);
  cr_expect_gt(coarse.global_position, 1);
  cr_expect(isinf(fine.global_position) && isinf(fine.local_velocity));
}

Test(convergence, a_macro_step_must_divide_the_time) {
  seam_test_errors errors;
  seam_error error = {0};
  cr_expect_eq(seam_constitutive_errors("ff-k1", true, 0.3, &errors, &error), SEAM_BAD_INPUT);
  cr_expect_eq(seam_constitutive_errors("ff-k1", true, -1e-3, &errors, &error), SEAM_BAD_INPUT);
  cr_expect_eq(seam_constitutive_errors("ff-k1", true, NAN, &errors, &error), SEAM_BAD_INPUT);
}

Test(convergence, a_scheme_must_fit_the_cut) {
  seam_test_errors errors;
  seam_error error = {0};
  cr_expect_eq(seam_constitutive_errors("ff-index2-k1", true, 1e-2, &errors, &error), SEAM_BAD_INPUT);
  cr_expect_eq(seam_constraint_errors("ff-k1", true, 1e-2, &errors, &error), SEAM_BAD_INPUT);
}
