/* One number that is not finite is found wherever it is; large finite ones are not. The largest size keeps NaN. */
#include "base/vector.h"

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>

enum { MAX_N = 40 };

Test(vector, no_place_hides_a_number_that_is_not_finite) {
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  double values[MAX_N];
  for (int i = 0; i < MAX_N; i++)
    values[i] = i % 2 == 0 ? DBL_MAX : -DBL_TRUE_MIN;
  for (int n = 0; n <= MAX_N; n++) {
    cr_assert(finite_all(values, n), "%d values", n);
    for (int i = 0; i < n; i++)
      for (int k = 0; k < 3; k++) {
        const double before = values[i];
        values[i] = bad[k];
        cr_assert_not(finite_all(values, n), "%g at %d of %d", bad[k], i, n);
        values[i] = before;
      }
  }
}

Test(vector, values_beyond_the_last_do_not_count) {
  double values[MAX_N];
  for (int n = 0; n < MAX_N; n++) {
    for (int i = 0; i < MAX_N; i++)
      values[i] = i < n ? 1 : NAN;
    cr_assert(finite_all(values, n), "%d values", n);
  }
}

Test(vector, the_largest_is_that_in_size) {
  const double values[] = {1, -3, 2, 0};
  cr_expect_eq(largest_size(values, 4), 3);
  cr_expect_eq(largest_size(values, 1), 1);
  cr_expect_eq(largest_size(values, 0), 0);
  cr_expect_eq(largest_size((const double[]){1, -INFINITY}, 2), INFINITY);
}

Test(vector, what_is_not_a_number_is_kept_wherever_it_stands) {
  for (int at = 0; at < 4; at++) {
    double values[] = {1, -3, INFINITY, 0};
    values[at] = NAN;
    cr_expect(isnan(largest_size(values, 4)), "%d", at);
  }
}
