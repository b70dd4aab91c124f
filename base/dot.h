/* Sums of products of two vectors. */
#ifndef BASE_DOT_H
#define BASE_DOT_H

static inline double dot_product(int n, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

#endif
