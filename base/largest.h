/* The largest absolute value. */
#ifndef BASE_LARGEST_H
#define BASE_LARGEST_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Returns the largest |value|: 0 for n = 0, and NaN if a value is NaN, unlike fmax(). Compares the bits of |value| as
 * integers: the integers have the order of the numbers, and NaN is above all numbers. */
static inline double largest_size(const double *values, size_t n) {
  uint64_t largest = 0;
  double size;
  for (size_t i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, values + i, sizeof bits);
    bits &= INT64_MAX;
    largest = bits > largest ? bits : largest;
  }
  memcpy(&size, &largest, sizeof size);
  return size;
}

#endif
