/* Numbers for print, with round-off replaced by 0. */
#ifndef APP_PLAIN_H
#define APP_PLAIN_H

#include <math.h>

#include "app/thresholds.h"

/* Returns a value as it is printed: 0 if it is round-off compared with `size`, the largest value of its kind. */
static inline double plain(double value, double size) { return fabs(value) < app_plain_zero * size ? 0 : value; }

#endif
