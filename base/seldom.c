/* Calls an expensive interrupt callback only at intervals of time. */
#include <seam/status.h>

#include "base/clock.h"

bool seam_interrupt_seldom(void *context, double t) {
  seam_seldom *self = context;
  if (self == NULL || self->often.is_requested == NULL)
    return false;
  const double wall = clock_wall();
  if (wall < self->next)
    return false;
  self->next = wall + self->interval;
  return self->often.is_requested(self->often.context, t);
}
