#include "base/clock.h"

#include <time.h>

static double seconds_of(clockid_t id) {
  struct timespec now = {0};
  if (clock_gettime(id, &now) != 0) /* browsers have no clock of processor time */
    clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double clock_wall(void) { return seconds_of(CLOCK_MONOTONIC); }

double clock_cpu(void) { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }
