/* The largest of some numbers in size. */
#ifndef BASE_LARGEST_H
#define BASE_LARGEST_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* 0 of none; NaN where one of them is, which fmax() would lose: without their signs, the bits of numbers are in the
 * order of their sizes, those of NaN behind all. */
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
