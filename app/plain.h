/* Printed numbers without round-off. */
#ifndef APP_PLAIN_H
#define APP_PLAIN_H

#include <math.h>

#include "app/thresholds.h"

/* Returns 0 if the value is round-off beside `size`, the largest of its kind. */
static inline double plain(double value, double size) { return fabs(value) < app_plain_zero * size ? 0 : value; }

#endif
