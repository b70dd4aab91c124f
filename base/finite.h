/* Whether numbers are finite. */
#ifndef BASE_FINITE_H
#define BASE_FINITE_H

#include <stdbool.h>

/* No NaN and no infinity among n values. Without a branch for each: 0 x is NaN where x is not finite. */
static inline bool finite_all(const double *values, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += 0 * values[i];
  return sum == 0;
}

#endif
