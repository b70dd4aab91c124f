/* The largest of some numbers in size. */
#ifndef BASE_LARGEST_H
#define BASE_LARGEST_H

#include <math.h>
#include <stddef.h>

/* 0 of none; NaN where one of them is, which fmax() would lose. */
static inline double largest_size(const double *values, size_t n) {
  double largest = 0;
  for (size_t i = 0; i < n; i++) {
    const double size = fabs(values[i]);
    largest = size > largest || isnan(size) ? size : largest;
  }
  return largest;
}

#endif
