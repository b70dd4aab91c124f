/* Sample times k T with period T. Sums of steps and products differ by rounding, as 0.3 and 3 * 0.1 do. Therefore a
 * time that differs from a sample time only by rounding counts as that sample time. */
#ifndef BASE_SAMPLE_H
#define BASE_SAMPLE_H

#include <math.h>
#include <stdbool.h>

#include "base/thresholds.h"

/* Returns k of the last sample up to t. */
static inline double sample_number(double period, double t) {
  const double rounding = fmin(fmax(seam_rounding_of_sample * fabs(t), seam_slack_of_sample * period), period / 4);
  return floor((t + rounding) / period);
}

/* Returns the time of the first sample after t. */
static inline double sample_after(double period, double t) { return (sample_number(period, t) + 1) * period; }

/* Returns true if there is a sample after t up to `end`. */
static inline bool sample_is_due(double period, double t, double end) {
  return sample_number(period, end) > sample_number(period, t);
}

#endif
