/* Whether numbers are finite. */
#ifndef BASE_FINITE_H
#define BASE_FINITE_H

#include <stdbool.h>

/* No NaN and no infinity among n values. Without a branch for each: 0 x is NaN where x is not finite. Sums that do not
 * wait for each other. */
static inline bool finite_all(const double *values, int n) {
  enum { n_sums = 8 };
  double sum[n_sums] = {0};
  int i = 0;
  for (; i + n_sums <= n; i += n_sums)
    for (int k = 0; k < n_sums; k++)
      sum[k] += 0 * values[i + k];
  for (; i < n; i++)
    sum[0] += 0 * values[i];
  for (int k = 1; k < n_sums; k++)
    sum[0] += sum[k];
  return sum[0] == 0;
}

#endif
