#include "base/largest.h"

#include <criterion/criterion.h>
#include <math.h>

Test(largest, is_that_in_size) {
  const double values[] = {1, -3, 2, 0};
  cr_expect_eq(largest_size(values, 4), 3);
  cr_expect_eq(largest_size(values, 1), 1);
  cr_expect_eq(largest_size(values, 0), 0);
  cr_expect_eq(largest_size((const double[]){1, -INFINITY}, 2), INFINITY);
}

Test(largest, what_is_not_a_number_is_kept_wherever_it_stands) {
  for (int at = 0; at < 4; at++) {
    double values[] = {1, -3, INFINITY, 0};
    values[at] = NAN;
    cr_expect(isnan(largest_size(values, 4)), "%d", at);
  }
}
