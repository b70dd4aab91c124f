/* Numbers as they are printed, with round-off replaced by 0. */
#ifndef APP_PLAIN_H
#define APP_PLAIN_H

#include <math.h>

#include "app/thresholds.h"

/* Returns 0 for round-off beside `size`, the largest absolute value of its kind. */
static inline double without_roundoff(double value, double size) {
  return fabs(value) < app_printed_zero * size ? 0 : value;
}

#endif
