/* Impacts with the damping of Hunt and Crossley. */
#ifndef TESTS_SUPPORT_IMPACT_H
#define TESTS_SUPPORT_IMPACT_H

#include <math.h>

/* Restitution e with x (1 + e) = ln((1 + x)/(1 - e x)), x = χ v. */
static inline double restitution_of(double x) {
  double low = 0;
  double high = fmin(1, 1 / x);
  for (int i = 0; i < 100; i++) {
    const double e = (low + high) / 2;
    *(x * (1 + e) > log((1 + x) / (1 - e * x)) ? &low : &high) = e;
  }
  return low;
}

#endif
