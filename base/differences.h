/* Central differences of functions that may vary over any distance, such as the force of a contact over a micrometre.
 * The distance h to both sides of x falls. The error of a quotient falls with h²; its rounding grows until it exceeds
 * this. Of the two successive quotients that differ least the one with the larger h is taken. */
#ifndef BASE_DIFFERENCES_H
#define BASE_DIFFERENCES_H

#include <math.h>
#include <stdbool.h>

#include "base/thresholds.h"

typedef struct difference_quotient {
  double found, width;     /* quotient that is taken, and its h; at first those of the largest h */
  double last, last_width; /* newest quotient, and its h */
  double change;           /* least relative change of successive quotients */
  double bend;             /* newest second difference of the values */
  bool is_done;            /* smaller h give worse quotients */
} difference_quotient;

static inline difference_quotient difference_begin(void) {
  return (difference_quotient){.found = NAN, .last = NAN, .change = seam_settled_difference, .bend = INFINITY};
}

/* Returns h of a level from 0 to SEAM_DIFFERENCES - 1; x - h and x + h are exact. */
static inline double difference_width(double x, int level) {
  const volatile double beyond = fabs(x) + ldexp(seam_widest_difference, -3 * level) * fmax(1, fabs(x));
  return beyond - fabs(x);
}

/* Takes the quotient of the next level. is_kinked: it does not count as settled. `bound`: the derivative is at most
 * this, because values within h differ by rounding alone; NaN: they differ by more. */
static inline void difference_add(difference_quotient *self, double quotient, double width, bool is_kinked,
                                  double bound) {
  if (self->is_done)
    return;
  const double size = fmax(fabs(quotient), fabs(self->last));
  const double change = is_kinked ? 1 : quotient == self->last ? 0 : fabs(quotient - self->last) / size;
  const bool has_settled = self->change < seam_settled_difference;
  const bool is_worse = has_settled && !(change <= seam_spoilt_difference * self->change);
  self->is_done = !isnan(bound) || is_worse || (change == 0 && quotient != 0);
  if (isnan(self->found) || (!has_settled && bound < fabs(self->found))) {
    self->found = quotient;
    self->width = width;
  }
  if (change < self->change && quotient != 0) {
    self->found = self->last;
    self->width = self->last_width;
    self->change = change;
  }
  self->last = quotient;
  self->last_width = width;
}

/* Take the first and the second derivative from values at x - h, x and x + h. Far outside a corner beside x the
 * quotients hardly change, and are the mean of the slopes on both sides. Second differences there fall with h, else
 * with h². */
static inline void difference_add_slope(difference_quotient *self, double before, double middle, double after,
                                        double h) {
  const double rounding = seam_rounding_of_difference * (fabs(before) + fabs(middle) + fabs(after));
  const bool is_flat = fabs(after - middle) <= rounding && fabs(middle - before) <= rounding;
  const double bend = fabs(after - 2 * middle + before);
  const bool is_kinked = bend > seam_settled_difference * fabs(after - before) && bend > seam_kinked * self->bend;
  self->bend = bend;
  difference_add(self, (after - before) / (2 * h), h, is_kinked, is_flat ? rounding / h : NAN);
}

static inline void difference_add_bend(difference_quotient *self, double before, double middle, double after,
                                       double h) {
  const double rounding = seam_rounding_of_difference * (fabs(before) + fabs(middle) + fabs(after));
  const double bend = after - 2 * middle + before;
  difference_add(self, bend / (h * h), h, false, fabs(bend) <= rounding ? rounding / (h * h) : NAN);
}

#endif
