/* Tests for finite numbers and valid sizes. */
#ifndef BASE_FINITE_H
#define BASE_FINITE_H

#include <math.h>
#include <stdbool.h>

#include "base/lanes.h"

/* Returns true if none of n values is NaN or infinite. The product of 0 and x is 0 for a finite x, and NaN otherwise.
 * So the sum of these products finds NaN and infinity without branches. Four independent sums are added in parallel;
 * the last block may overlap the one before. */
static inline bool finite_all(const double *values, int n) {
  enum { block = 8 };
  seam_lanes sum[block / 2] = {{0}};
  if (n < block) {
    for (int i = 0; i + 2 <= n; i += 2)
      sum[0] += 0 * seam_lanes_load(values + i);
    return sum[0][0] + sum[0][1] + (n % 2 == 1 ? 0 * values[n - 1] : 0) == 0;
  }
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
