/* Calls an expensive interrupt callback at intervals only. */
#include <time.h>

#include <seam/status.h>

bool seam_interrupt_seldom(void *context, double t) {
  seam_seldom *self = context;
  struct timespec now = {0};
  if (self == NULL || self->often.is_requested == NULL)
    return false;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const double wall = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
  if (wall < self->next)
    return false;
  self->next = wall + self->interval;
  return self->often.is_requested(self->often.context, t);
}
