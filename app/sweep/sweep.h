/* Makes a sweep, in one process or several. */
#ifndef APP_SWEEP_SWEEP_H
#define APP_SWEEP_SWEEP_H

#include <stdint.h>

#include "app/options.h"

/* The processes that share the runs of one sweep and its folder. */
typedef struct sweep_workers {
  size_t number, size; /* number of this process, from 0; number of processes */
  /* Waits until all processes have called it, and returns the smallest of the numbers that they passed. NULL: there is
   * only one process. */
  uint64_t (*minimum)(uint64_t number);
} sweep_workers;

/* Does the work of this process in 'seam sweep'. Returns the exit status. If several processes fail, only one of them
 * prints a message. */
int sweep_run(const app_options *parsed, const sweep_workers *workers, seam_error *error);

#endif
