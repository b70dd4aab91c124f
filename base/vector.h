/* Sums of products, largest sizes and finiteness of numbers. */
#ifndef BASE_VECTOR_H
#define BASE_VECTOR_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/lanes.h"

static inline double dot_product(int n, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

/* Returns the larger number; b, if a is NaN. One instruction, where fmax() is a call. */
static inline double larger(double a, double b) { return a > b ? a : b; }

/* Returns the largest |value|; 0 for n = 0; NaN, unlike fmax(), if a value is NaN. Compares the bits of |value| as
 * integers. They have the order of the numbers, and NaN is above all numbers. */
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

/* Returns true if none of n values is NaN or infinite. 0 x is 0 for a finite x, else NaN. So the sum of these products
 * finds NaN and infinity without branches. Four independent sums are added in parallel; the last block may overlap the
 * one before. */
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
