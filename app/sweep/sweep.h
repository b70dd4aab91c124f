/* Carries out a sweep, with other processes or alone. */
#ifndef APP_SWEEP_SWEEP_H
#define APP_SWEEP_SWEEP_H

#include <stdint.h>

#include "app/options.h"

/* The processes that share the runs of one sweep and its folder. */
typedef struct sweep_workers {
  size_t number, size; /* number of this process, from 0 on; number of processes */
  /* Waits until all processes have called it, and returns the least of the numbers they passed; NULL: this process is
   * alone */
  uint64_t (*least)(uint64_t number);
} sweep_workers;

/* Carries out 'seam sweep' in this process. Returns its exit status; if several processes fail, one of them reports a
 * failure. */
int sweep_with(const app_options *parsed, const sweep_workers *workers, seam_error *error);

#endif
