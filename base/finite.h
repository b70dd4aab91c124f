/* Tests of numbers: finite ones, and those that may be a size. */
#ifndef BASE_FINITE_H
#define BASE_FINITE_H

#include <math.h>
#include <stdbool.h>

#include "base/lanes.h"

/* Like finite_all(), for few values. */
static inline bool finite_few(const double *values, int n) {
  double sum = n % 2 == 1 ? 0 * values[n - 1] : 0;
  seam_lanes pairs = {0};
  for (int i = 0; i + 2 <= n; i += 2)
    pairs += 0 * seam_lanes_load(values + i);
  sum += pairs[0] + pairs[1];
  return sum == 0;
}

/* No NaN and no infinity among n values. Without a branch for each: 0 x is NaN where x is not finite. Sums that do not
 * wait for each other; the last block may overlap the one before it. */
static inline bool finite_all(const double *values, int n) {
  enum { block = 8 };
  seam_lanes sum[block / 2] = {{0}};
  if (n < block)
    return finite_few(values, n);
  for (int i = 0; i < n; i += block) {
    const double *first = values + (i + block <= n ? i : n - block);
    for (int k = 0; k < block / 2; k++)
      sum[k] += 0 * seam_lanes_load(first + 2 * k);
  }
  const seam_lanes total = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  return total[0] + total[1] == 0;
}

static inline bool is_size(double x) { return x >= 0 && isfinite(x); }
static inline bool is_positive(double x) { return x > 0 && isfinite(x); }

#endif
