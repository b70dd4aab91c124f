/* Numbers for print, with round-off replaced by 0. */
#ifndef APP_PLAIN_H
#define APP_PLAIN_H

#include <math.h>

#include "app/thresholds.h"

/* Returns 0 if the value is round-off compared with `size`, the largest value of its kind; else the value. */
static inline double plain(double value, double size) { return fabs(value) < app_plain_zero * size ? 0 : value; }

#endif
