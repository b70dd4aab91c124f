/* Normalised errors. */
#include "analysis/errors.h"

#include <criterion/criterion.h>
#include <math.h>

static analysis_column column_of(const double *reference, const double *values, size_t n) {
  analysis_column column = {0};
  for (size_t i = 0; i < n; i++)
    analysis_column_add(&column, 1, reference[i], values[i]);
  return column;
}

/* Reference 1, 2, 3, 6 (mean 3, sum of squares 14), errors 1, 0, -2, 0. */
Test(errors, by_hand) {
  const analysis_column column = column_of((double[]){1, 2, 3, 6}, (double[]){0, 2, 5, 6}, 4);
  cr_expect_float_eq(analysis_nrmse(&column, NULL), sqrt(5.0 / 14), 1e-15);
  cr_expect_float_eq(column.largest, 2, 0);
}

Test(errors, have_no_unit) {
  const analysis_column a = column_of((double[]){1, 2, 4}, (double[]){1.1, 2, 4.2}, 3);
  const analysis_column b = column_of((double[]){1e6, 2e6, 4e6}, (double[]){1.1e6, 2e6, 4.2e6}, 3);
  cr_expect_float_eq(analysis_nrmse(&a, NULL), analysis_nrmse(&b, NULL), 1e-14);
}

Test(errors, do_not_cancel_far_from_zero) {
  const double far = 1e8;
  const analysis_column column = column_of((double[]){far + 1, far + 2, far + 4}, (double[]){far, far + 2, far + 4}, 3);
  cr_expect_float_eq(analysis_nrmse(&column, NULL), sqrt(1 / (14.0 / 3)), 1e-7);
}

/* A point that stands for three has their weight. */
Test(errors, a_point_may_stand_for_several) {
  const analysis_column all = column_of((double[]){1, 2, 2, 2, 6}, (double[]){0, 3, 3, 3, 6}, 5);
  analysis_column few = column_of((double[]){1}, (double[]){0}, 1);
  analysis_column_add(&few, 3, 2, 3);
  analysis_column_add(&few, 1, 6, 6);
  cr_expect_float_eq(analysis_nrmse(&few, NULL), analysis_nrmse(&all, NULL), 1e-15);
}

/* Root of the sum, not of the mean (eq. 3.34). */
Test(errors, combine_by_the_root_of_the_sum) {
  const analysis_column column = column_of((double[]){1, 2, 4}, (double[]){1.1, 2, 4.2}, 3);
  const analysis_column columns[2] = {column, column};
  cr_expect_float_eq(analysis_combined(columns, 2, NULL), sqrt(2) * analysis_nrmse(&column, NULL), 1e-15);
}

Test(errors, columns_that_do_not_move_are_left_out) {
  const analysis_column columns[2] = {column_of((double[]){7, 7, 7}, (double[]){7, 8, 9}, 3),
                                      column_of((double[]){1, 2, 4}, (double[]){1.1, 2, 4.2}, 3)};
  cr_expect(isnan(analysis_nrmse(&columns[0], NULL)));
  cr_expect_float_eq(columns[0].largest, 2, 0);
  cr_expect_float_eq(analysis_combined(columns, 2, NULL), analysis_nrmse(&columns[1], NULL), 1e-15);
  cr_expect(isnan(analysis_combined(columns, 1, NULL)));
}

/* Rounding of a constant 1 m/s is not a motion; 1e-6 is, at tolerances of 1e-8. */
Test(errors, noise_below_the_tolerances_is_left_out) {
  const mbs_integrator_options tolerances = mbs_default_integrator_options();
  const analysis_column noise = column_of((double[]){1, 1 + 4e-12, 1 - 4e-12}, (double[]){1, 1, 1}, 3);
  const analysis_column small = column_of((double[]){1, 1 + 1e-6, 1 - 1e-6}, (double[]){1, 1, 1}, 3);
  cr_expect(isnan(analysis_nrmse(&noise, &tolerances)));
  cr_expect_float_eq(analysis_nrmse(&noise, NULL), 1, 1e-3);
  cr_expect_float_eq(analysis_nrmse(&small, &tolerances), 1, 1e-9);
}
