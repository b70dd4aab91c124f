/* One number that is not finite is found wherever it stands; large finite ones are none. */
#include "base/finite.h"

#include <criterion/criterion.h>
#include <float.h>
#include <math.h>

enum { MAX_N = 40 };

Test(finite, no_place_hides_a_number_that_is_not_finite) {
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

Test(finite, values_beyond_the_last_do_not_count) {
  double values[MAX_N];
  for (int n = 0; n < MAX_N; n++) {
    for (int i = 0; i < MAX_N; i++)
      values[i] = i < n ? 1 : NAN;
    cr_assert(finite_all(values, n), "%d values", n);
  }
}
